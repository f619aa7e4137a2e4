//! The arena: hash-consed terms. Structurally equal terms are one node, so a change rebuilds a single path.

use crate::datatype::{Datatype, DatatypeId, DatatypeTable};
use crate::hash::{FixedState, hash_words, mix};
use crate::id_table::IdTable;
use crate::op::{Op, OpKind, OpNode, OpTable};
use crate::rank_cache::RankCache;
use crate::signature::Signatures;
use crate::sort::{Index, Sort, SortNode, SortTable};
use crate::symbol::{Symbol, SymbolTable};
use crate::term::{
    Attribute, Binder, HAS_ANNOTATION, HAS_BINDER, HAS_LET, HAS_LOCAL, Literal, Node, NodeKind, Pattern,
    Term, View,
};
use std::collections::HashMap;
use std::sync::Arc;

/// Owns the symbols, sorts, operators and terms of any number of scripts.
///
/// Everything else refers to them by small copyable ids, so comparing two terms compares two integers.
///
/// ```
/// use elenchus_smt::{Arena, Literal, Sort};
///
/// let mut arena = Arena::default();
/// let name = arena.symbol("x");
/// let x = arena.function(name, &[], Sort::INT);
/// let x = arena.apply_op(x, &[]).unwrap();
/// let one = arena.literal(Literal::Numeral, "1", Sort::INT);
/// let sum = arena.apply("+", &[x, one]).unwrap();
/// assert_eq!(arena.term_text(sum), "(+ x 1)");
/// assert_eq!(arena.sort(sum), Sort::INT);
/// // Equal terms have equal ids.
/// assert_eq!(arena.apply("+", &[x, one]), Ok(sum));
/// // Ill-typed applications are errors.
/// let error = arena.apply("and", &[x, one]).unwrap_err();
/// assert_eq!(error.to_string(), "`and` does not take arguments of sorts Int Int");
/// ```
#[derive(Clone)]
pub struct Arena {
    pub(crate) signatures: Arc<Signatures>,
    pub(crate) symbols: SymbolTable,
    pub(crate) sorts: SortTable,
    pub(crate) ops: OpTable,
    pub(crate) datatypes: DatatypeTable,
    pub(crate) ranks: RankCache,
    nodes: Vec<Node>,
    children: Vec<Term>,
    /// For each node, the first application that has it as its youngest argument; zero if there is none.
    /// See [`Arena::app_unchecked`].
    first_users: Vec<u32>,
    lookup: IdTable,
    /// The terms of literals whose text determines their sort, by symbol, plus one.
    literals: Vec<u32>,
    attributes: Payloads<Attribute>,
    patterns: Payloads<Pattern>,
}

/// Interned lists of rare node contents: attributes and patterns.
#[derive(Clone)]
struct Payloads<T> {
    lists: Vec<Box<[T]>>,
    lookup: HashMap<Box<[T]>, u32, FixedState>,
}

impl<T: Clone + Eq + std::hash::Hash> Payloads<T> {
    fn new() -> Self {
        Payloads { lists: Vec::new(), lookup: HashMap::default() }
    }

    fn intern(&mut self, list: Vec<T>) -> u32 {
        let list: Box<[T]> = list.into();
        if let Some(&known) = self.lookup.get(&list) {
            return known;
        }
        let id = self.lists.len() as u32;
        self.lists.push(list.clone());
        self.lookup.insert(list, id);
        id
    }
}

impl Default for Arena {
    fn default() -> Self {
        Arena::new(Signatures::standard())
    }
}

impl Arena {
    /// Creates an empty arena over the given operators.
    pub fn new(signatures: Arc<Signatures>) -> Self {
        Arena {
            symbols: signatures.symbols.clone(),
            sorts: signatures.sorts.clone(),
            signatures,
            ops: OpTable::default(),
            datatypes: DatatypeTable::default(),
            ranks: RankCache::default(),
            nodes: Vec::new(),
            children: Vec::new(),
            first_users: Vec::new(),
            lookup: IdTable::default(),
            literals: Vec::new(),
            attributes: Payloads::new(),
            patterns: Payloads::new(),
        }
    }

    /// Reserves space for the terms of a source text, so that tables need not grow while it is parsed.
    pub(crate) fn reserve_for_source(&mut self, bytes: usize) {
        // Scripts rarely have fewer than one node per sixteen bytes; reserving for small texts does not pay.
        let nodes = if bytes > 1 << 16 { bytes / 16 } else { 0 };
        self.nodes.reserve(nodes);
        self.children.reserve(2 * nodes);
        self.first_users.reserve(nodes);
        // The other half is found through `first_users`.
        self.lookup.reserve(nodes / 2);
    }

    /// The theories and operators of this arena.
    pub fn signatures(&self) -> &Arc<Signatures> {
        &self.signatures
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the arena contains no terms.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    // ----- names and sorts

    /// Interns `name`.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        self.symbols.intern(name)
    }

    /// The symbol for `name`, if it was interned before.
    pub fn find_symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name)
    }

    /// The text of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol)
    }

    /// Makes the sort `(head args…)` or `(_ head indices…)`.
    pub fn make_sort(&mut self, head: &str, indices: &[Index], args: &[Sort]) -> Sort {
        let head = self.symbols.intern(head);
        self.sorts.intern(head, indices, args)
    }

    /// The sort `(_ BitVec width)`.
    pub fn bitvec_sort(&mut self, width: u64) -> Sort {
        self.sorts.intern(crate::reserved::BITVEC, &[Index::Num(width)], &[])
    }

    /// The width of a bit-vector sort.
    pub fn bitvec_width(&self, sort: Sort) -> Option<u64> {
        match self.sorts.node(sort) {
            SortNode { head, indices, .. } if *head == crate::reserved::BITVEC => match **indices {
                [Index::Num(width)] => Some(width),
                _ => None,
            },
            _ => None,
        }
    }

    /// The exponent and significand widths of a floating-point sort.
    pub fn float_format(&self, sort: Sort) -> Option<(u64, u64)> {
        match self.sorts.node(sort) {
            SortNode { head, indices, .. } if *head == crate::reserved::FLOATING_POINT => match **indices {
                [Index::Num(exponent), Index::Num(significand)] => Some((exponent, significand)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The constructor, indices and arguments of a sort.
    pub fn sort_node(&self, sort: Sort) -> &SortNode {
        self.sorts.node(sort)
    }

    /// The name of a sort's constructor, such as `Array`.
    pub fn sort_head(&self, sort: Sort) -> &str {
        self.symbols.name(self.sorts.node(sort).head)
    }

    /// The datatype of which a sort is an instance.
    pub fn datatype_of(&self, sort: Sort) -> Option<DatatypeId> {
        self.datatypes.named(self.sorts.node(sort).head)
    }

    /// A datatype's declaration.
    pub fn datatype(&self, id: DatatypeId) -> &Datatype {
        self.datatypes.get(id)
    }

    // ----- operators

    /// The name, indices and kind of an operator.
    pub fn op(&self, op: Op) -> &OpNode {
        self.ops.node(op)
    }

    /// The name of an operator.
    pub fn op_name(&self, op: Op) -> &str {
        self.symbols.name(self.ops.node(op).name)
    }

    /// The operator for a declared function with this rank.
    pub fn function(&mut self, name: Symbol, args: &[Sort], result: Sort) -> Op {
        let kind = OpKind::Function { args: args.into(), result };
        self.ops.intern(OpNode { name, indices: Box::default(), ascription: None, kind })
    }

    // ----- reading terms

    pub(crate) fn node(&self, term: Term) -> &Node {
        &self.nodes[term.index()]
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort
    }

    #[inline]
    pub(crate) fn flags(&self, term: Term) -> u8 {
        self.nodes[term.index()].flags
    }

    /// Whether the term contains a `let`.
    pub fn has_let(&self, term: Term) -> bool {
        self.flags(term) & HAS_LET != 0
    }

    /// Whether the term contains a quantifier, another binder or a `match`.
    pub fn has_binder(&self, term: Term) -> bool {
        self.flags(term) & HAS_BINDER != 0
    }

    /// Whether the term contains no local variables, free or bound.
    pub fn has_no_locals(&self, term: Term) -> bool {
        self.flags(term) & HAS_LOCAL == 0
    }

    /// All children of a node, including bound variables.
    pub(crate) fn all_children(&self, term: Term) -> &[Term] {
        children_of(&self.nodes, &self.children, term.0)
    }

    /// The variables that a `let` or a binder binds, as local terms.
    pub fn bound_names(&self, term: Term) -> &[Term] {
        let all = self.all_children(term);
        match self.nodes[term.index()].kind {
            NodeKind::Let => &all[..(all.len() - 1) / 2],
            NodeKind::Binder(kind) => &all[..all.len() - bodies_of(kind)],
            _ => &[],
        }
    }

    /// The subterms of a term: the arguments of an application; the values and body of a `let`; the body of a binder; the
    /// scrutinee and bodies of a `match`; the body and pattern terms of an annotation. Paths are made of indices into this list.
    pub fn children(&self, term: Term) -> &[Term] {
        let all = self.all_children(term);
        match self.nodes[term.index()].kind {
            NodeKind::Let => &all[(all.len() - 1) / 2..],
            NodeKind::Binder(kind) => &all[all.len() - bodies_of(kind)..],
            _ => all,
        }
    }

    /// Destructures a term by one level.
    pub fn view(&self, term: Term) -> View<'_> {
        let node = &self.nodes[term.index()];
        let all = self.all_children(term);
        match node.kind {
            NodeKind::Literal(literal) => View::Literal(literal, Symbol(node.head)),
            NodeKind::Local => View::Local(Symbol(node.head)),
            NodeKind::App => View::App(Op(node.head), all),
            NodeKind::Let => {
                let count = (all.len() - 1) / 2;
                View::Let { names: &all[..count], values: &all[count..2 * count], body: all[2 * count] }
            }
            NodeKind::Binder(kind) => {
                let (variables, bodies) = all.split_at(all.len() - bodies_of(kind));
                View::Binder { kind, variables, bodies }
            }
            NodeKind::Match => {
                let patterns = &self.patterns.lists[node.head as usize];
                View::Match { scrutinee: all[0], patterns, bodies: &all[1..] }
            }
            NodeKind::Annotated => {
                let attributes = &self.attributes.lists[node.head as usize];
                View::Annotated { body: all[0], attributes, terms: &all[1..] }
            }
        }
    }

    // ----- making terms

    /// Interns a node. Applications go through [`Arena::app_unchecked`], which hashes them differently.
    fn intern(&mut self, kind: NodeKind, head: u32, sort: Sort, own_flags: u8, parts: &[&[Term]]) -> Term {
        let tag = match kind {
            NodeKind::Literal(literal) => 16 + literal as u64,
            NodeKind::Local => 1,
            NodeKind::App => unreachable!("applications are hashed elsewhere"),
            NodeKind::Let => 3,
            NodeKind::Match => 4,
            NodeKind::Annotated => 5,
            NodeKind::Binder(binder) => 32 + binder as u64,
        };
        let words = parts.iter().flat_map(|part| part.iter().map(|child| child.0));
        let hash = hash_words(mix(tag << 32 | u64::from(head), u64::from(sort.0)), words) as u32;
        let len: usize = parts.iter().map(|part| part.len()).sum();
        let (nodes, children) = (&self.nodes, &self.children);
        let same = |id: u32| {
            let node = &nodes[id as usize];
            if node.head != head || node.sort != sort || node.kind != kind {
                return false;
            }
            let mut rest = children_of(nodes, children, id);
            rest.len() == len
                && parts.iter().all(|part| {
                    let (now, later) = rest.split_at(part.len());
                    rest = later;
                    now == *part
                })
        };
        if let Some(found) = self.lookup.find(hash, same) {
            return Term(found);
        }
        let start = self.children.len() as u32;
        let mut flags = own_flags;
        for part in parts {
            for child in *part {
                flags |= self.nodes[child.index()].flags;
            }
            self.children.extend_from_slice(part);
        }
        self.lookup.insert(hash, self.nodes.len() as u32);
        self.add(Node { kind, flags, head, sort, start })
    }

    /// Makes a literal with the given text (see [`Literal`]). The caller guarantees that the sort is right.
    pub fn literal(&mut self, literal: Literal, text: &str, sort: Sort) -> Term {
        let text = self.symbols.intern(text);
        let term = self.literal_symbol(literal, text, sort);
        let plain = matches!(literal, Literal::Hex | Literal::Binary)
            || literal == Literal::Numeral && sort == Sort::INT;
        if plain {
            if self.literals.len() <= text.index() {
                self.literals.resize(self.symbols.len(), 0);
            }
            self.literals[text.index()] = term.0 + 1;
        }
        term
    }

    /// The integer or bit-vector literal with this text, if it was made before.
    #[inline]
    pub(crate) fn known_literal(&self, text: &str) -> Option<Term> {
        let symbol = self.symbols.get(text)?;
        self.literals.get(symbol.index())?.checked_sub(1).map(Term)
    }

    pub(crate) fn literal_symbol(&mut self, literal: Literal, text: Symbol, sort: Sort) -> Term {
        self.intern(NodeKind::Literal(literal), text.0, sort, 0, &[])
    }

    /// Makes a local variable.
    pub fn local(&mut self, name: Symbol, sort: Sort) -> Term {
        self.intern(NodeKind::Local, name.0, sort, HAS_LOCAL, &[])
    }

    /// Applies an operator without checking sorts; the caller guarantees that `sort` is right. [`Arena::apply`] finds and checks
    /// it.
    pub fn app_unchecked(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        // Most nodes are applications, and most compound terms are used once, right after they were made. So the first use of a
        // term is found through the term itself, which is still in the cache. Only further uses, and applications without
        // arguments, go through the large hash table.
        let (nodes, children) = (&self.nodes, &self.children);
        let same = |id: u32| {
            let node = &nodes[id as usize];
            node.head == op.0
                && node.kind == NodeKind::App
                && node.sort == sort
                && children_of(nodes, children, id) == args
        };
        let youngest = args.iter().max();
        if let Some(arg) = youngest {
            match self.first_users[arg.index()] {
                0 => {
                    self.first_users[arg.index()] = nodes.len() as u32;
                    return self.add_app(op, args, sort);
                }
                user if same(user) => return Term(user),
                _ => {}
            }
        }
        let mut hash = mix(u64::from(op.0) << 32 | u64::from(sort.0), args.len() as u64);
        for arg in args {
            hash = mix(hash, u64::from(arg.0));
        }
        if let Some(found) = self.lookup.find(hash as u32, same) {
            return Term(found);
        }
        self.lookup.insert(hash as u32, nodes.len() as u32);
        self.add_app(op, args, sort)
    }

    fn add_app(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        let flags = args.iter().fold(0, |flags, arg| flags | self.nodes[arg.index()].flags);
        let start = self.children.len() as u32;
        self.children.extend_from_slice(args);
        self.add(Node { kind: NodeKind::App, flags, head: op.0, sort, start })
    }

    fn add(&mut self, node: Node) -> Term {
        let id = self.nodes.len() as u32;
        self.nodes.push(node);
        self.first_users.push(0);
        Term(id)
    }

    /// Makes `(let ((name value) …) body)`. The names are local terms with the sorts of the values.
    pub fn let_term(&mut self, names: &[Term], values: &[Term], body: Term) -> Term {
        debug_assert_eq!(names.len(), values.len());
        let sort = self.sort(body);
        self.intern(NodeKind::Let, 0, sort, HAS_LET | HAS_LOCAL, &[names, values, &[body]])
    }

    /// Makes a quantifier or another binder over local terms. `sort` is the sort of the whole term.
    pub fn binder(&mut self, kind: Binder, variables: &[Term], bodies: &[Term], sort: Sort) -> Term {
        debug_assert_eq!(bodies.len(), bodies_of(kind));
        self.intern(NodeKind::Binder(kind), 0, sort, HAS_BINDER | HAS_LOCAL, &[variables, bodies])
    }

    /// Makes `(forall …)` or `(exists …)`.
    pub fn quantifier(&mut self, kind: Binder, variables: &[Term], body: Term) -> Term {
        self.binder(kind, variables, &[body], Sort::BOOL)
    }

    /// Makes `(match scrutinee ((pattern body) …))`.
    pub fn match_term(&mut self, scrutinee: Term, patterns: Vec<Pattern>, bodies: &[Term]) -> Term {
        let sort = self.sort(bodies[0]);
        let payload = self.patterns.intern(patterns);
        self.intern(NodeKind::Match, payload, sort, HAS_BINDER | HAS_LOCAL, &[&[scrutinee], bodies])
    }

    /// Makes `(! body :attribute …)`.
    pub fn annotated(&mut self, body: Term, attributes: Vec<Attribute>, terms: &[Term]) -> Term {
        let sort = self.sort(body);
        let payload = self.attributes.intern(attributes);
        self.intern(NodeKind::Annotated, payload, sort, HAS_ANNOTATION, &[&[body], terms])
    }

    /// Rebuilds a node with other children of the same sorts, in the order of [`Arena::children`].
    pub fn with_children(&mut self, term: Term, children: &[Term]) -> Term {
        let node = *self.node(term);
        if node.kind == NodeKind::App {
            return self.app_unchecked(Op(node.head), children, node.sort);
        }
        let own = own_flags(node.kind);
        // Copied because interning may reallocate the list of children.
        let names: Vec<Term> = self.bound_names(term).to_vec();
        self.intern(node.kind, node.head, node.sort, own, &[&names, children])
    }

    /// Rebuilds a binder or `let` with other bound variables and children.
    pub(crate) fn rebind(&mut self, term: Term, names: &[Term], children: &[Term]) -> Term {
        let node = *self.node(term);
        self.intern(node.kind, node.head, node.sort, own_flags(node.kind), &[names, children])
    }
}

fn own_flags(kind: NodeKind) -> u8 {
    match kind {
        NodeKind::Literal(_) | NodeKind::App => 0,
        NodeKind::Local => HAS_LOCAL,
        NodeKind::Let => HAS_LET | HAS_LOCAL,
        NodeKind::Binder(_) | NodeKind::Match => HAS_BINDER | HAS_LOCAL,
        NodeKind::Annotated => HAS_ANNOTATION,
    }
}

/// The children of a node. The nodes' children are stored contiguously, in the order of the nodes.
#[inline]
fn children_of<'a>(nodes: &[Node], children: &'a [Term], id: u32) -> &'a [Term] {
    let start = nodes[id as usize].start as usize;
    let end = nodes.get(id as usize + 1).map_or(children.len(), |next| next.start as usize);
    &children[start..end]
}

/// The number of bodies of a binder.
fn bodies_of(kind: Binder) -> usize {
    match kind {
        Binder::Comprehension => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_children_gives_the_interned_node() {
        let mut arena = Arena::default();
        let [one, two] = ["1", "2"].map(|text| arena.literal(Literal::Numeral, text, Sort::INT));
        let name = arena.symbol("x");
        let x = arena.local(name, Sort::INT);
        let sum = |arena: &mut Arena, a, b| arena.apply("+", &[a, b]).expect("well-typed");
        let pairs = [
            (sum(&mut arena, one, x), vec![two, x], sum(&mut arena, two, x)),
            (arena.let_term(&[x], &[one], x), vec![two, x], arena.let_term(&[x], &[two], x)),
        ];
        for (before, children, after) in pairs {
            assert_eq!(arena.with_children(before, &children), after);
        }
    }
}
