//! Operators as data: theories, their sorts and their operators, read from signature files (see `docs/signatures.md`).

mod load;
mod pattern;

pub use pattern::{Bindings, Condition, IndexExpr, IndexOp, SortPattern};

use crate::error::Error;
use crate::sort::SortTable;
use crate::symbol::{Symbol, SymbolTable};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// The signature files that are part of the program: file name and text.
pub const BUILT_IN: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/signatures.rs"));

/// How an operator takes more arguments than its rank shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Associativity {
    /// Exactly the arguments of the rank.
    None,
    /// `(f a b c)` is `(f (f a b) c)`.
    Left,
    /// `(f a b c)` is `(f a (f b c))`.
    Right,
    /// `(f a b c)` is `(and (f a b) (f b c))`.
    Chainable,
    /// `(f a b c)` is `(and (f a b) (f a c) (f b c))`.
    Pairwise,
    /// Zero or more of the last argument.
    Variadic,
    /// One or more of the last argument.
    Repeat,
}

/// One rank of one operator.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The operator's name.
    pub name: Symbol,
    /// Its place in [`Signatures::theories`].
    pub theory: usize,
    /// The indices that must follow the name.
    pub indices: Vec<IndexExpr>,
    /// Whether it must be written `(as name SORT)`.
    pub qualified: bool,
    /// How many sort variables it has.
    pub sort_variables: usize,
    /// How many index variables it has.
    pub index_variables: usize,
    /// The argument sorts.
    pub args: Vec<SortPattern>,
    /// The result's sort.
    pub result: SortPattern,
    /// How it takes more arguments.
    pub associativity: Associativity,
    /// What must hold of the indices.
    pub condition: Option<Condition>,
    /// The operator that this is another spelling of.
    pub alias: Option<Symbol>,
    /// Whether the standard leaves its value open for some arguments.
    pub open: bool,
    /// Why the evaluator has no rule for it.
    pub unevaluated: Option<String>,
    /// The solvers that know it; `None` for all.
    pub solvers: Option<Vec<String>>,
    /// Whether it is only read, never generated.
    pub removed: bool,
    /// The most arguments that solvers take, where that is less than the standard allows.
    pub at_most: Option<usize>,
    /// Solvers that take only values as arguments.
    pub values_only: Vec<String>,
    /// Solvers that take only a value as the last argument.
    pub last_value_only: Vec<String>,
    /// Solvers that know it only while the script sets no logic.
    pub without_logic: Vec<String>,
    /// Solvers that take it only under an option for experimental features.
    pub experimental: Vec<String>,
    /// Marks for the choice of a logic name, such as `nonlinear`.
    pub fragment: Option<String>,
}

/// A theory: a named group of sorts and operators.
#[derive(Clone, Debug)]
pub struct Theory {
    /// Its name, such as `Ints`.
    pub name: String,
    /// The solvers that know it; `None` for all (a standard theory).
    pub solvers: Option<Vec<String>>,
    /// Theories that it builds on.
    pub extends: Vec<String>,
}

/// A sort constructor of a theory.
#[derive(Clone, Debug)]
pub struct SortConstructor {
    /// Its place in [`Signatures::theories`].
    pub theory: usize,
    /// How many indices it takes.
    pub indices: usize,
    /// How many sort arguments it takes; `None` for any number from one.
    pub arity: Option<usize>,
}

/// All theories, ready for use, with the names and sorts that they mention.
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
}

static STANDARD: OnceLock<Arc<Signatures>> = OnceLock::new();

impl Signatures {
    /// The signatures in force: the built-in ones, or what [`Signatures::set_standard`] put there.
    pub fn standard() -> Arc<Signatures> {
        STANDARD.get_or_init(|| Arc::new(Signatures::built_in())).clone()
    }

    /// Puts other signatures in the place of the built-in ones, for the whole program. Call it before anything else is done;
    /// answers whether it was early enough.
    pub fn set_standard(signatures: Signatures) -> bool {
        STANDARD.set(Arc::new(signatures)).is_ok()
    }

    /// The built-in signatures, to add to.
    pub fn built_in() -> Signatures {
        let mut signatures = Signatures::empty();
        for (file, text) in BUILT_IN {
            if let Err(error) = signatures.load(text) {
                panic!("the built-in signature file is broken:\n{}", error.render(file, text));
            }
        }
        signatures
    }

    /// No theory at all: only the names that the parser itself needs.
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
        }
    }

    /// Adds the theories of a signature file.
    pub fn load(&mut self, text: &str) -> Result<(), Error> {
        load::load(self, text)
    }

    /// The ranks of the operator called `name`, in the order of the files.
    pub fn ranks(&self, name: Symbol) -> &[u32] {
        self.by_name.get(name.index()).map_or(&[], Vec::as_slice)
    }

    /// The text of a symbol that the signatures mention.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol)
    }

    /// The sort constructors called `name`: more than one where it takes different numbers of arguments.
    pub fn sort_constructors(&self, name: Symbol) -> &[SortConstructor] {
        self.sort_constructors.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The solvers that know a rank: its own list, or else its theory's. `None` means all.
    pub fn solvers_of<'a>(&'a self, declaration: &'a Declaration) -> Option<&'a [String]> {
        declaration.solvers.as_deref().or(self.theories[declaration.theory].solvers.as_deref())
    }

    /// A rank as a person reads it, such as `(concat (_ BitVec m) (_ BitVec n) (_ BitVec (+ m n)))`.
    pub fn describe(&self, declaration: &Declaration) -> String {
        pattern::describe(self, declaration)
    }
}
