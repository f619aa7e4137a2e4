//! The table of theories, sorts and operators.

use super::declaration::Declaration;
use super::pattern::SortPattern;
use crate::sort::SortTable;
use crate::symbol::{Symbol, SymbolTable};
use std::collections::{BTreeMap, BTreeSet};

/// A theory: a named group of sorts and operators.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Theory {
    /// The name, such as `Ints`.
    pub name: String,
    /// The solvers that support it; `None` for a standard theory.
    pub solvers: Option<Vec<String>>,
    /// The theories that it builds on.
    pub extends: Vec<String>,
    /// The letters that it adds to the name of a logic, such as `BV`; `None` if only `ALL` covers it.
    pub logic: Option<String>,
    /// Features that its solvers do not support, such as `float-formats`.
    pub lacks: Vec<String>,
    /// The solvers that read Booleans as 1 and 0 where its operators require numbers.
    pub booleans_as_numbers: Vec<String>,
}

impl Theory {
    /// A standard theory without any attributes.
    pub(super) fn named(name: &str) -> Theory {
        Theory {
            name: name.to_owned(),
            solvers: None,
            extends: Vec::new(),
            logic: None,
            lacks: Vec::new(),
            booleans_as_numbers: Vec::new(),
        }
    }
}

/// A sort constructor of a theory.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SortConstructor {
    /// The index of its theory in [`Signatures::theories`].
    pub theory: usize,
    /// The number of indices.
    pub indices: usize,
    /// The number of sort arguments; `None` for one or more.
    pub arity: Option<usize>,
}

/// All theories, with their sorts and operators.
///
/// ```
/// use elenchus_smt::Signatures;
///
/// let signatures = Signatures::built_in();
/// assert!(signatures.theory("Strings").is_some());
/// let concat = signatures.declarations.iter().find(|rank| signatures.name(rank.name) == "concat").unwrap();
/// assert_eq!(
///     signatures.describe(concat),
///     "(concat (_ BitVec i) (_ BitVec j) (_ BitVec (+ i j)) :left-assoc)"
/// );
/// ```
#[derive(Clone)]
pub struct Signatures {
    pub(crate) symbols: SymbolTable,
    pub(crate) sorts: SortTable,
    /// The theories, in the order of their files.
    pub theories: Vec<Theory>,
    /// All ranks of all operators.
    pub declarations: Vec<Declaration>,
    /// The ranks of each name, indexed by symbol.
    pub(crate) by_name: Vec<Vec<u32>>,
    pub(crate) sort_constructors: BTreeMap<Symbol, Vec<SortConstructor>>,
    /// By name and number of sort arguments; variable `k` of the pattern stands for argument `k`.
    pub(crate) abbreviations: BTreeMap<(Symbol, usize), SortPattern>,
    /// The theory that lists each name as `:syntax`. The names are not interned, since the numbers of fresh symbols depend on the
    /// number of interned ones.
    pub(super) syntax: BTreeMap<String, usize>,
    /// The datatypes that scripts without a logic need not declare: `Name BODY`, by name.
    pub(crate) datatypes: BTreeMap<String, String>,
}

impl Signatures {
    /// Signatures without theories: only the names that the parser needs.
    pub fn empty() -> Signatures {
        let mut symbols = SymbolTable::default();
        crate::reserved::intern_all(&mut symbols);
        let sorts = SortTable::new(&mut symbols);
        Signatures {
            symbols,
            sorts,
            theories: Vec::new(),
            declarations: Vec::new(),
            by_name: Vec::new(),
            sort_constructors: BTreeMap::new(),
            abbreviations: BTreeMap::new(),
            syntax: BTreeMap::new(),
            datatypes: BTreeMap::new(),
        }
    }

    /// The ranks of the operator `name`, in the order of the files.
    pub fn ranks(&self, name: Symbol) -> &[u32] {
        self.by_name.get(name.index()).map_or(&[], Vec::as_slice)
    }

    /// The positions of the declarations that satisfy a condition.
    pub(super) fn positions(&self, condition: impl Fn(&Declaration) -> bool) -> Vec<usize> {
        (0..self.declarations.len()).filter(|&index| condition(&self.declarations[index])).collect()
    }

    /// The names of the operators that solvers define differently where they are open.
    pub fn solver_defined(&self) -> BTreeSet<&str> {
        let differing = self.declarations.iter().filter(|declaration| declaration.solver_defined);
        differing.map(|declaration| self.name(declaration.name)).collect()
    }

    /// The text of a symbol that occurs in the signatures.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol)
    }

    /// The sort constructors with this name: several if they differ in the number of arguments or in the theory.
    pub fn sort_constructors(&self, name: Symbol) -> &[SortConstructor] {
        self.sort_constructors.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The solvers that support a rank, from its own list or else from its theory. `None` means all.
    pub fn solvers_of<'a>(&'a self, declaration: &'a Declaration) -> Option<&'a [String]> {
        declaration.solvers.as_deref().or(self.theories[declaration.theory].solvers.as_deref())
    }

    /// The theory called `name`; the first one if several files declare it.
    pub fn theory(&self, name: &str) -> Option<&Theory> {
        self.theories.iter().find(|theory| theory.name == name)
    }

    /// The solvers that support syntax which the parser handles itself, such as `choice` or `tuple.select`. `None` means all.
    pub fn syntax_solvers(&self, name: &str) -> Option<&[String]> {
        self.theories[*self.syntax.get(name)?].solvers.as_deref()
    }

    /// The solvers of which some theory says that they lack a feature.
    pub fn solvers_without<'a>(&'a self, feature: &'a str) -> impl Iterator<Item = &'a String> {
        let lacking =
            self.theories.iter().filter(move |theory| theory.lacks.iter().any(|one| one == feature));
        lacking.filter_map(|theory| theory.solvers.as_ref()).flatten()
    }
}
