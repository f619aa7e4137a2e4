//! Facts about terms: size, where their names are declared, and what a solver must support to read them.
//!
//! The facts of a term follow from those of its parts, so a mutation pays only for the nodes that it creates.

use super::availability::Availability;
use smt::signature::Signatures;
use smt::{Arena, AttributeValue, Binder, FixedState, Op, OpKind, Sort, Symbol, Term, View, reserved};
use std::collections::HashSet;
use std::sync::Arc;

/// Marks of a term, as bits.
pub(crate) mod mark {
    /// A part has a name (`:named`), so it must occur exactly once.
    pub const NAMED: u32 = 1;
    /// It contains an operator with the name of a local variable of the script, which may hide it.
    pub const HIDEABLE: u32 = 1 << 1;
    /// Contains a quantifier.
    pub const QUANTIFIER: u32 = 1 << 2;
    /// Contains nonlinear arithmetic.
    pub const NONLINEAR: u32 = 1 << 3;
    /// Applies a declared function, or has a declared sort.
    pub const FUNCTIONS: u32 = 1 << 4;
    /// Uses datatypes.
    pub const DATATYPES: u32 = 1 << 5;
    /// Uses functions as values.
    pub const HIGHER_ORDER: u32 = 1 << 6;
    /// Uses recursive definitions.
    pub const RECURSIVE: u32 = 1 << 7;
    /// Contains an operator that some solvers do not support, so no standard logic is certain to include it.
    pub const RESTRICTED: u32 = 1 << 8;
    /// The term itself is a number: a literal, its negation or a quotient of two.
    pub const NUMBER: u32 = 1 << 9;
    /// The term itself is a value: a literal or a constant of a theory.
    pub const VALUE: u32 = 1 << 10;
    /// Marks of the term itself, which its parents do not inherit.
    pub const OWN: u32 = NUMBER | VALUE;
}

/// The facts of one term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    /// The number of nodes, as a tree; zero while the facts are unknown.
    pub size: u32,
    /// The first command that may use it.
    pub since: u32,
    /// The first command after `since` that may no longer use it.
    pub until: u32,
    /// The [`mark`]s.
    pub marks: u32,
    /// The solvers that support all of it, as bits (see [`Facts::solver_names`]).
    pub solvers: u32,
    /// The theories, as bits in the order of the signature files.
    pub theories: u64,
}

impl Fact {
    /// The neutral element of [`Fact::absorb`].
    pub const NEUTRAL: Fact =
        Fact { size: 0, since: 0, until: u32::MAX, marks: 0, solvers: u32::MAX, theories: 0 };

    /// Adds what a part needs.
    pub fn absorb(&mut self, part: &Fact) {
        self.size = self.size.saturating_add(part.size);
        self.since = self.since.max(part.since);
        self.until = self.until.min(part.until);
        self.marks |= part.marks & !mark::OWN;
        self.solvers &= part.solvers;
        self.theories |= part.theories;
    }
}

/// How an operator makes arithmetic nonlinear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Degree {
    Linear,
    /// Linear if at most one factor is not a number.
    Product,
    /// Linear if all but the first argument are numbers.
    Quotient,
}

/// Which arguments of an operator must be values, for at least one solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValuesOnly {
    /// None.
    No,
    /// All of them.
    All,
    /// The last.
    Last,
}

#[derive(Clone, Copy, Debug)]
struct OpFact {
    fact: Fact,
    degree: Degree,
    /// Whether the operator, applied to numbers, is a number.
    keeps_numbers: bool,
    values_only: ValuesOnly,
}

/// The facts of all terms of one arena.
#[derive(Clone)]
pub(crate) struct Facts {
    signatures: Arc<Signatures>,
    availability: Availability,
    /// The names of all local variables of the script.
    local_names: HashSet<Symbol, FixedState>,
    terms: Vec<Fact>,
    ops: Vec<Option<OpFact>>,
    sorts: Vec<Option<Fact>>,
    solver_names: Vec<String>,
    stack: Vec<(Term, bool)>,
}

impl Facts {
    /// An empty table for a script with these declarations and local variables.
    pub fn new(
        signatures: Arc<Signatures>,
        availability: Availability,
        local_names: HashSet<Symbol, FixedState>,
    ) -> Self {
        let mut solver_names: Vec<String> = Vec::new();
        let lists = signatures.theories.iter().filter_map(|theory| theory.solvers.as_ref());
        let own = signatures.declarations.iter().filter_map(|declaration| declaration.solvers.as_ref());
        for name in lists.chain(own).flatten() {
            if !solver_names.contains(name) && solver_names.len() < 31 {
                solver_names.push(name.clone());
            }
        }
        Facts {
            signatures,
            availability,
            local_names,
            terms: Vec::new(),
            ops: Vec::new(),
            sorts: Vec::new(),
            solver_names,
            stack: Vec::new(),
        }
    }

    /// An empty table for terms outside any script.
    pub fn without_script(signatures: Arc<Signatures>) -> Self {
        Facts::new(signatures, Availability::default(), HashSet::default())
    }

    /// The solvers that the signatures name, in the order of the bits of [`Fact::solvers`].
    pub fn solver_names(&self) -> &[String] {
        &self.solver_names
    }

    /// A set of solvers as bits. The highest bit stands for all solvers that no signature names.
    pub fn solver_set(&self, names: &[String]) -> u32 {
        let bit = |name: &String| self.solver_names.iter().position(|known| known == name);
        names.iter().filter_map(bit).fold(0, |set, at| set | 1 << at)
    }

    /// The solvers that support syntax outside the standard, as bits.
    pub fn syntax_set(&self, name: &str) -> u32 {
        self.signatures.syntax_solvers(name).map_or(u32::MAX, |solvers| self.solver_set(solvers))
    }

    /// The solvers that lack a feature, as bits.
    pub fn lacking_set(&self, feature: &str) -> u32 {
        let solvers: Vec<String> = self.signatures.solvers_without(feature).cloned().collect();
        self.solver_set(&solvers)
    }

    /// The facts of a term.
    pub fn of(&mut self, arena: &Arena, term: Term) -> Fact {
        match self.terms.get(term.index()) {
            Some(fact) if fact.size > 0 => *fact,
            _ => self.compute(arena, term),
        }
    }

    fn known(&self, term: Term) -> bool {
        self.terms.get(term.index()).is_some_and(|fact| fact.size > 0)
    }

    fn compute(&mut self, arena: &Arena, term: Term) -> Fact {
        if self.terms.len() < arena.len() {
            self.terms.resize(arena.len(), Fact::NEUTRAL);
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push((term, false));
        while let Some((term, ready)) = stack.pop() {
            if self.known(term) {
                continue;
            }
            let before = stack.len();
            if !ready {
                stack.push((term, true));
                for &child in arena.children(term) {
                    if !self.known(child) {
                        stack.push((child, false));
                    }
                }
            }
            if ready || stack.len() == before + 1 {
                stack.truncate(before);
                self.terms[term.index()] = self.combined(arena, term);
            }
        }
        self.stack = stack;
        self.terms[term.index()]
    }

    fn combined(&mut self, arena: &Arena, term: Term) -> Fact {
        let mut fact = self.of_sort(arena, arena.sort(term));
        fact.size = 1;
        for &child in arena.children(term) {
            fact.absorb(&self.terms[child.index()]);
        }
        match arena.view(term) {
            View::App(op, args) => {
                let op_fact = self.of_op(arena, op);
                fact.absorb(&Fact { size: 0, ..op_fact.fact });
                let number = |arg: &&Term| self.terms[arg.index()].marks & mark::NUMBER != 0;
                let linear = match op_fact.degree {
                    Degree::Linear => true,
                    Degree::Product => args.iter().filter(number).count() + 1 >= args.len(),
                    // A quotient by zero can have any value, so it is not a number.
                    Degree::Quotient => args.iter().skip(1).all(|arg| number(&arg) && !is_zero(arena, *arg)),
                };
                if !linear {
                    fact.marks |= mark::NONLINEAR;
                }
                let numbers = !args.is_empty() && args.iter().all(|arg| number(&arg));
                if op_fact.keeps_numbers && numbers && linear {
                    fact.marks |= mark::NUMBER | mark::VALUE;
                }
                if args.is_empty() && !matches!(arena.op(op).kind, OpKind::Function { .. } | OpKind::Opaque) {
                    fact.marks |= mark::VALUE;
                }
            }
            View::Literal(..) => {
                fact.marks |= mark::VALUE;
                let sort = arena.sort(term);
                if sort == Sort::INT || sort == Sort::REAL {
                    fact.marks |= mark::NUMBER;
                }
            }
            View::Binder { kind, variables, .. } => {
                // The body may not mention a variable, but the sort of the variable is printed.
                for &variable in variables {
                    let sort = self.of_sort(arena, arena.sort(variable));
                    fact.absorb(&Fact { size: 0, ..sort });
                }
                match kind {
                    Binder::Forall | Binder::Exists => fact.marks |= mark::QUANTIFIER,
                    Binder::Lambda => fact.marks |= mark::HIGHER_ORDER,
                    Binder::Choice | Binder::Witness | Binder::Comprehension => {
                        fact.marks |= mark::QUANTIFIER | mark::RESTRICTED;
                        fact.solvers &= self.syntax_set(arena.name(kind.symbol()));
                    }
                }
            }
            View::Match { .. } => fact.marks |= mark::DATATYPES,
            View::Annotated { attributes, .. } => {
                let named = |keyword: Symbol, value: &AttributeValue| {
                    keyword == reserved::NAMED && matches!(value, AttributeValue::Text(_))
                };
                if attributes.iter().any(|attribute| named(attribute.keyword, &attribute.value)) {
                    fact.marks |= mark::NAMED;
                }
            }
            View::Local(_) | View::Let { .. } => {}
        }
        fact
    }

    fn of_op(&mut self, arena: &Arena, op: Op) -> OpFact {
        if let Some(Some(known)) = self.ops.get(op.index()) {
            return *known;
        }
        let fact = self.op_from_declaration(arena, op);
        if self.ops.len() <= op.index() {
            self.ops.resize(op.index() + 1, None);
        }
        self.ops[op.index()] = Some(fact);
        fact
    }

    fn op_from_declaration(&self, arena: &Arena, op: Op) -> OpFact {
        let node = arena.op(op);
        let mut fact = Fact::NEUTRAL;
        let mut degree = Degree::Linear;
        let mut keeps_numbers = false;
        let mut values_only = ValuesOnly::No;
        if self.local_names.contains(&node.name) {
            fact.marks |= mark::HIDEABLE;
        }
        match &node.kind {
            OpKind::Theory(id) => {
                let declaration = &self.signatures.declarations[*id as usize];
                fact.theories = theory_bit(declaration.theory);
                if let Some(solvers) = self.signatures.solvers_of(declaration) {
                    fact.solvers = self.solver_set(solvers);
                    fact.marks |= mark::RESTRICTED;
                }
                fact.solvers &= !self.solver_set(&declaration.experimental);
                let name = arena.name(node.name);
                if declaration.fragment.as_deref() == Some("nonlinear") {
                    degree = if name == "*" { Degree::Product } else { Degree::Quotient };
                }
                keeps_numbers = matches!(name, "-" | "/" | "to_real");
                values_only = if !declaration.values_only.is_empty() {
                    ValuesOnly::All
                } else if !declaration.last_value_only.is_empty() {
                    ValuesOnly::Last
                } else {
                    ValuesOnly::No
                };
            }
            OpKind::Function { args, .. } => {
                (fact.since, fact.until) = self.availability.of(op);
                if !args.is_empty() {
                    fact.marks |= mark::FUNCTIONS;
                }
            }
            OpKind::Constructor(id, _)
            | OpKind::Selector(id, _, _)
            | OpKind::Tester(id, _)
            | OpKind::Updater(id, _, _) => {
                (fact.since, fact.until) = self.availability.of_datatype(*id);
                fact.marks |= mark::DATATYPES;
            }
            OpKind::Apply => fact.marks |= mark::HIGHER_ORDER,
            OpKind::FunctionValue(function) => {
                (fact.since, fact.until) = self.availability.of(*function);
                fact.marks |= mark::HIGHER_ORDER;
            }
            OpKind::Map(function) => {
                (fact.since, fact.until) = self.availability.of(*function);
                fact.marks |= mark::RESTRICTED;
                fact.solvers = self.syntax_set(arena.name(node.name));
            }
            OpKind::Tuple | OpKind::TupleSelect | OpKind::TupleUpdate | OpKind::TupleProject => {
                fact.marks |= mark::RESTRICTED;
                fact.solvers = self.syntax_set(arena.name(node.name));
            }
            OpKind::Opaque => fact.marks |= mark::RESTRICTED,
        }
        OpFact { fact, degree, keeps_numbers, values_only }
    }

    /// The facts that an operator adds to a term.
    pub fn of_operator(&mut self, arena: &Arena, op: Op) -> Fact {
        self.of_op(arena, op).fact
    }

    /// Which arguments of an operator must be values.
    pub fn values_only(&mut self, arena: &Arena, op: Op) -> ValuesOnly {
        self.of_op(arena, op).values_only
    }

    /// The facts that a sort adds to a term.
    pub fn of_sort(&mut self, arena: &Arena, sort: Sort) -> Fact {
        if let Some(Some(known)) = self.sorts.get(sort.index()) {
            return *known;
        }
        let mut fact = Fact::NEUTRAL;
        let mut stack = vec![sort];
        while let Some(sort) = stack.pop() {
            let node = arena.sort_node(sort);
            stack.extend(node.args.iter());
            let head = arena.name(node.head);
            if head == "->" {
                fact.marks |= mark::HIGHER_ORDER;
            } else if node.head == reserved::TUPLE_SORT {
                fact.marks |= mark::RESTRICTED;
                fact.solvers &= self.syntax_set(arena.name(reserved::TUPLE));
            } else if let Some(datatype) = arena.datatype_of(sort) {
                fact.marks |= mark::DATATYPES;
                let (since, until) = self.availability.of_datatype(datatype);
                (fact.since, fact.until) = (fact.since.max(since), fact.until.min(until));
            } else {
                let (since, until) = self.availability.of_sort(node.head);
                (fact.since, fact.until) = (fact.since.max(since), fact.until.min(until));
                let constructors = self.signatures.sort_constructors(node.head);
                match constructors.iter().find(|one| one.indices == node.indices.len()) {
                    Some(constructor) => {
                        fact.theories |= theory_bit(constructor.theory);
                        if let Some(solvers) = &self.signatures.theories[constructor.theory].solvers {
                            fact.marks |= mark::RESTRICTED;
                            fact.solvers &= self.solver_set(solvers);
                        }
                    }
                    None => fact.marks |= mark::FUNCTIONS,
                }
            }
        }
        if self.sorts.len() <= sort.index() {
            self.sorts.resize(sort.index() + 1, None);
        }
        self.sorts[sort.index()] = Some(fact);
        fact
    }
}

/// Whether a term is written as the number zero.
fn is_zero(arena: &Arena, term: Term) -> bool {
    match arena.view(term) {
        View::Literal(_, text) => arena.name(text).bytes().all(|byte| matches!(byte, b'0' | b'.')),
        _ => false,
    }
}

/// The bit of a theory; theories beyond the last bit share it.
pub(crate) fn theory_bit(theory: usize) -> u64 {
    1 << theory.min(63)
}
