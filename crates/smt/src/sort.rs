//! Interned sorts: `Int`, `(_ BitVec 8)`, `(Array Int (List Bool))`, `(-> Int Bool)`.

use crate::hash::hash_words;
use crate::reserved;
use crate::symbol::{Symbol, SymbolTable};
use hashbrown::HashTable;

/// A sort of an arena; equal sorts have equal ids.
///
/// ```
/// use elenchus_smt::{Arena, Scope, Sort, parse_sort};
///
/// let mut arena = Arena::default();
/// let words = parse_sort(&mut arena, &mut Scope::default(), "(Array Int (_ BitVec 8))").unwrap();
/// let &[index, element] = &*arena.sort_node(words).args else { panic!("not an array sort") };
/// assert_eq!(index, Sort::INT);
/// assert_eq!(arena.bitvec_width(element), Some(8));
/// assert_eq!(arena.make_sort("Array", &[], &[index, element]), words);
/// assert_eq!(arena.sort_text(words), "(Array Int (_ BitVec 8))");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sort(pub(crate) u32);

impl Sort {
    /// The sort `Bool`.
    pub const BOOL: Sort = Sort(0);
    /// The sort `Int`.
    pub const INT: Sort = Sort(1);
    /// The sort `Real`.
    pub const REAL: Sort = Sort(2);
    /// The sort `String`.
    pub const STRING: Sort = Sort(3);
    /// The sort `RegLan`.
    pub const REGLAN: Sort = Sort(4);
    /// The sort `RoundingMode`.
    pub const ROUNDING_MODE: Sort = Sort(5);

    /// The index in the arena, dense from zero: suitable for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The names of the sorts with a constant above, in the order of their ids.
const WELL_KNOWN: [&str; 6] = ["Bool", "Int", "Real", "String", "RegLan", "RoundingMode"];

/// An index of an identifier: `8` in `(_ BitVec 8)`, `cons` in `(_ is cons)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Index {
    /// A numeral that fits into 64 bits.
    Num(u64),
    /// A symbol, a larger numeral or a hexadecimal literal, verbatim.
    Sym(Symbol),
}

/// The maximum number of constructors in a sort. Sorts are traversed recursively and printed in full, which this bounds.
pub(crate) const MAX_SORT_SIZE: u32 = 10_000;
/// The maximum nesting depth of a sort.
pub(crate) const MAX_SORT_DEPTH: u32 = 200;

/// The constructor, indices and arguments of a sort, as [`Arena::sort_node`](crate::Arena::sort_node) returns them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SortNode {
    /// The name of the constructor, such as `Array`.
    pub head: Symbol,
    /// Whether this is a sort parameter, of a datatype or from `declare-sort-parameter`.
    pub is_param: bool,
    /// Whether the sort contains a parameter.
    pub is_polymorphic: bool,
    /// The number of constructors in the sort when printed in full (saturating).
    pub(crate) size: u32,
    /// The nesting depth.
    pub(crate) depth: u32,
    /// The indices, such as the width of a bit-vector.
    pub indices: Box<[Index]>,
    /// The argument sorts.
    pub args: Box<[Sort]>,
}

/// All sorts of an arena.
#[derive(Clone, Default)]
pub(crate) struct SortTable {
    nodes: Vec<SortNode>,
    lookup: HashTable<u32>,
    /// The constructor of array sorts.
    pub(crate) array: Option<Symbol>,
    /// The constructor of function sorts.
    pub(crate) arrow: Option<Symbol>,
}

impl SortTable {
    /// Creates a table with the well-known sorts at their fixed ids.
    pub(crate) fn new(symbols: &mut SymbolTable) -> Self {
        let mut table = SortTable::default();
        for name in WELL_KNOWN {
            let head = symbols.intern(name);
            table.intern(head, &[], &[]);
        }
        table.array = Some(symbols.intern("Array"));
        table.arrow = Some(symbols.intern("->"));
        table
    }

    /// The sort `(head args…)` or `(_ head indices…)`.
    pub(crate) fn intern(&mut self, head: Symbol, indices: &[Index], args: &[Sort]) -> Sort {
        self.intern_node(head, false, indices, args)
    }

    /// The sort parameter `name`.
    pub(crate) fn param(&mut self, name: Symbol) -> Sort {
        self.intern_node(name, true, &[], &[])
    }

    /// The function sort from `args` to `result`, or `result` itself if there are no arguments.
    pub(crate) fn function(&mut self, args: &[Sort], result: Sort) -> Sort {
        if args.is_empty() {
            return result;
        }
        let mut all = args.to_vec();
        all.push(result);
        let arrow = self.arrow.expect("set on construction");
        self.intern(arrow, &[], &all)
    }

    fn intern_node(&mut self, head: Symbol, is_param: bool, indices: &[Index], args: &[Sort]) -> Sort {
        let hash = hash_sort(head, is_param, indices, args);
        let nodes = &self.nodes;
        let same = |&id: &u32| {
            let node = &nodes[id as usize];
            node.head == head && node.is_param == is_param && *node.indices == *indices && *node.args == *args
        };
        if let Some(&found) = self.lookup.find(hash, same) {
            return Sort(found);
        }
        let id = self.nodes.len() as u32;
        let is_polymorphic = is_param || args.iter().any(|&arg| self.node(arg).is_polymorphic);
        let size = args.iter().fold(1u32, |sum, &arg| sum.saturating_add(self.node(arg).size));
        let depth = args.iter().map(|&arg| self.node(arg).depth).max().unwrap_or(0).saturating_add(1);
        let (indices, args) = (indices.into(), args.into());
        self.nodes.push(SortNode { head, is_param, is_polymorphic, size, depth, indices, args });
        let nodes = &self.nodes;
        self.lookup.insert_unique(hash, id, |&id| {
            let node = &nodes[id as usize];
            hash_sort(node.head, node.is_param, &node.indices, &node.args)
        });
        Sort(id)
    }

    /// The contents of a sort.
    pub(crate) fn node(&self, sort: Sort) -> &SortNode {
        &self.nodes[sort.index()]
    }

    /// Whether two constructors are interchangeable. Solvers disagree on whether a lambda is an array or a function, and on the
    /// name of finite sets; both readings are accepted.
    pub(crate) fn same_constructor(&self, a: Symbol, b: Symbol) -> bool {
        let functional = |head: Symbol| Some(head) == self.array || Some(head) == self.arrow;
        let set = |head: Symbol| head == reserved::SET_SORT || head == reserved::FINITE_SET_SORT;
        a == b || (functional(a) && functional(b)) || (set(a) && set(b))
    }

    /// Whether this is a function or array sort. A script may declare a sort with the same name and no arguments.
    pub(crate) fn is_functional(&self, sort: Sort) -> bool {
        let node = self.node(sort);
        node.args.len() > 1 && (Some(node.head) == self.array || Some(node.head) == self.arrow)
    }

    /// Whether a term of sort `actual` is accepted where `expected` is required.
    pub(crate) fn compatible(&self, expected: Sort, actual: Sort) -> bool {
        if expected == actual {
            return true;
        }
        let (a, b) = (self.node(expected), self.node(actual));
        self.same_constructor(a.head, b.head)
            && a.is_param == b.is_param
            && a.indices == b.indices
            && a.args.len() == b.args.len()
            && !a.args.is_empty()
            && a.args.iter().zip(&b.args).all(|(&x, &y)| self.compatible(x, y))
    }

    /// Replaces parameters by the sorts that `binding` assigns to their names.
    pub(crate) fn instantiate(&mut self, sort: Sort, binding: &dyn Fn(Symbol) -> Option<Sort>) -> Sort {
        if !self.node(sort).is_polymorphic {
            return sort;
        }
        if self.node(sort).is_param {
            return binding(self.node(sort).head).unwrap_or(sort);
        }
        let node = self.node(sort).clone();
        let args: Vec<Sort> = node.args.iter().map(|&arg| self.instantiate(arg, binding)).collect();
        self.intern(node.head, &node.indices, &args)
    }
}

fn hash_sort(head: Symbol, is_param: bool, indices: &[Index], args: &[Sort]) -> u64 {
    let index_words = indices.iter().flat_map(|index| match *index {
        Index::Num(n) => [0, n as u32, (n >> 32) as u32],
        Index::Sym(symbol) => [1, symbol.0, 0],
    });
    let seed = u64::from(head.0) << 1 | u64::from(is_param);
    hash_words(seed, index_words.chain(args.iter().map(|arg| arg.0)))
}
