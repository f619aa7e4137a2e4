//! The evaluator: computes the value of a term in a model, or the reason why it is undetermined.
//!
//! `machine` walks terms on an explicit stack; `rule` finds the rule of an operator; `prepared` evaluates terms faster the second
//! time; `quantifier`, `critical` and `symbolic` decide quantifiers; `apply` calls functions that are values.

mod apply;
mod critical;
pub(crate) mod literal;
mod machine;
mod memory;
pub(crate) mod open;
mod prepared;
mod quantifier;
mod rule;
mod stack;
mod symbolic;

pub use memory::Memory;
pub use rule::has_rule;

use std::sync::Arc;

use smt::{Arena, Op, OpKind, Term};

use crate::data::Value;
use crate::definition::{Definitions, FunctionDefinition};
use crate::model::Model;
use crate::reason::{Outcome, Reason};
use crate::theories;
use crate::theory::{Context, Domain, Sorts};
use rule::Rule;

/// Bounds on the cost of an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bounds on single values and operations.
    pub values: crate::value::limits::Limits,
    /// The most steps of the machine for one term.
    pub steps: u64,
    /// How deeply quantifiers and function values may nest.
    pub nesting: u32,
    /// How deeply defined functions may call each other.
    pub calls: u32,
    /// The most instances to try of a quantifier over a large domain.
    pub instances: u64,
    /// The largest domain over which all instances of a quantifier are tried.
    pub domain: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        let values = crate::value::limits::Limits::default();
        Limits { values, steps: 1 << 25, nesting: 60, calls: 100_000, instances: 1 << 13, domain: 1 << 16 }
    }
}

/// The interpretation of a declared function.
pub(crate) enum Meaning {
    Value(Value),
    Definition { params: Arc<[Term]>, body: Term, recursive: bool },
    Missing,
    Unreadable,
}

/// Evaluates terms in one model. Values are remembered, so that shared subterms are evaluated once.
///
/// ```
/// use elenchus_semantics::{Evaluator, Memory, Model, NO_DEFINITIONS};
/// use elenchus_semantics::smt::{self, Arena, Scope};
///
/// let mut arena = Arena::default();
/// let mut scope = Scope::default();
/// smt::parse_in_scope(&mut arena, &mut scope, "(declare-const v (_ BitVec 8))").expect("well-typed");
/// let term = smt::parse_term(&mut arena, &mut scope, "(bvadd v #x01)").expect("a well-typed term");
/// let models = ["((define-fun v () (_ BitVec 8) #x0f))", "((define-fun v () (_ BitVec 8) #xff))"]
///     .map(|text| Model::read(&mut arena, &scope, text, Default::default()).expect("a well-formed model"));
///
/// // The memory makes further evaluations cheaper.
/// let mut memory = Memory::default();
/// let mut values = Vec::new();
/// for model in &models {
///     let mut evaluator = Evaluator::with_memory(&arena, model, &NO_DEFINITIONS, memory);
///     let value = evaluator.evaluate(term).expect("determined");
///     values.push(value.text(&arena, arena.sort(term)));
///     memory = evaluator.into_memory();
/// }
/// assert_eq!(values, ["#x10", "#x00"]);
/// ```
pub struct Evaluator<'a> {
    arena: &'a Arena,
    model: &'a Model,
    definitions: &'a Definitions,
    limits: Limits,
    sorts: &'static Sorts,
    memory: Box<memory::State>,
    steps: u64,
    nesting: u32,
    calls: u32,
    pending_calls: Vec<(Op, Box<[Value]>)>,
    translations: u32,
    choices: Option<open::Choices>,
    candidates: quantifier::Candidates,
}

impl<'a> Evaluator<'a> {
    /// An evaluator for a model.
    pub fn new(arena: &'a Arena, model: &'a Model, definitions: &'a Definitions) -> Evaluator<'a> {
        Evaluator::with_memory(arena, model, definitions, Memory::default())
    }

    /// Like [`Evaluator::new`], with the memory of an earlier evaluator over the same arena.
    pub fn with_memory(
        arena: &'a Arena,
        model: &'a Model,
        definitions: &'a Definitions,
        memory: Memory,
    ) -> Evaluator<'a> {
        let mut memory = memory.into_state();
        memory.begin(arena.len());
        Evaluator::from_state(arena, model, definitions, memory)
    }

    /// Like [`Evaluator::with_memory`], for the same model: the values that the earlier evaluator computed are kept.
    ///
    /// Since then the arena may have new terms, and the model values for symbols that had none and that no term mentioned.
    pub fn resume(
        arena: &'a Arena,
        model: &'a Model,
        definitions: &'a Definitions,
        memory: Memory,
    ) -> Evaluator<'a> {
        let mut memory = memory.into_state();
        memory.extend(arena.len());
        Evaluator::from_state(arena, model, definitions, memory)
    }

    fn from_state(
        arena: &'a Arena,
        model: &'a Model,
        definitions: &'a Definitions,
        memory: Box<memory::State>,
    ) -> Evaluator<'a> {
        Evaluator {
            arena,
            model,
            definitions,
            limits: Limits::default(),
            sorts: theories::sorts(),
            memory,
            steps: 0,
            nesting: 0,
            calls: 0,
            pending_calls: Vec::new(),
            translations: 0,
            choices: None,
            candidates: quantifier::Candidates::default(),
        }
    }

    /// Sets the limits.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Chooses values where neither the standard nor the model defines them.
    pub(crate) fn with_choices(mut self, choices: open::Choices) -> Self {
        self.choices = Some(choices);
        self
    }

    /// The choices, with the open operations that evaluation has met.
    pub(crate) fn choices(&self) -> Option<&open::Choices> {
        self.choices.as_ref()
    }

    /// The arena whose terms are evaluated.
    pub fn arena(&self) -> &'a Arena {
        self.arena
    }

    /// Returns the memory, for the next model.
    pub fn into_memory(self) -> Memory {
        Memory::from_state(self.memory)
    }

    /// Prepares for another term.
    fn start(&mut self) {
        self.memory.renew();
        self.steps = self.limits.steps;
    }

    /// The value of a term.
    pub fn evaluate(&mut self, term: Term) -> Outcome<Value> {
        self.start();
        if self.memory.bindings() == 0 {
            if let Some((outcome, _)) = self.memory.recall(term) {
                return outcome.clone();
            }
            if let Some(value) = self.evaluate_prepared(term) {
                self.memory.keep(term, Ok(value.clone()), stack::Dependence::NONE);
                return Ok(value);
            }
            if self.steps == 0 {
                return Err(Reason::TooLarge("step limit reached"));
            }
            self.steps = self.limits.steps;
        }
        self.run(term)
    }

    /// The value of a term, never computed from its prepared form. Tests compare it with [`Evaluator::evaluate`].
    #[doc(hidden)]
    pub fn evaluate_unprepared(&mut self, term: Term) -> Outcome<Value> {
        self.start();
        self.run(term)
    }

    /// Evaluates with local variables bound, as inside a `let` or a quantifier.
    pub(crate) fn with_bindings<T>(
        &mut self,
        locals: &[Term],
        values: Vec<Outcome<Value>>,
        inside: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.memory.bindings();
        self.memory.bind(locals, values.into_iter());
        let result = inside(self);
        self.memory.unbind_to(before);
        result
    }

    /// What a rule sees besides its arguments.
    fn context(&self, op: Op, term: Option<Term>) -> Context<'_> {
        Context {
            arena: self.arena,
            limits: &self.limits.values,
            universes: &self.model.universes,
            sorts: self.sorts,
            op,
            term,
        }
    }

    /// The values of sorts.
    fn domain(&self) -> Domain<'_> {
        Domain::new(self.arena, &self.model.universes, &self.limits.values, self.sorts)
    }

    /// The rule of an operator, found once.
    #[inline]
    fn rule(&mut self, op: Op) -> Rule {
        match self.memory.rules.get(op.index()) {
            Some(Some(rule)) => *rule,
            _ => self.find_rule(op),
        }
    }

    #[cold]
    fn find_rule(&mut self, op: Op) -> Rule {
        let rule = rule::resolve(self.arena, op);
        if self.memory.rules.len() <= op.index() {
            self.memory.rules.resize(op.index() + 1, None);
        }
        self.memory.rules[op.index()] = Some(rule);
        rule
    }

    /// The interpretation of a declared function, found once.
    #[inline]
    fn meaning(&mut self, op: Op) -> &Meaning {
        let at = op.index();
        if self.memory.meanings.len() <= at {
            self.memory.meanings.resize_with(at + 1, || None);
        }
        if self.memory.meanings[at].is_none() {
            let meaning = self.find_meaning(op).unwrap_or(Meaning::Missing);
            self.memory.meanings[at] = Some(meaning);
        }
        self.memory.meanings[at].as_ref().unwrap_or(&Meaning::Missing)
    }

    fn find_meaning(&self, op: Op) -> Option<Meaning> {
        let found = self.meaning_of(op);
        if found.is_some() || self.arena.op(op).ascription.is_none() {
            return found;
        }
        // `(as f S)` is the function that was declared as `f`.
        let node = self.arena.op(op);
        let same = |other: &Op| {
            let other = self.arena.op(*other);
            other.name == node.name && other.kind == node.kind
        };
        let plain = self.definitions.keys().find(|op| same(op)).copied();
        let plain = plain.or_else(|| self.model.symbols().find(same));
        plain.and_then(|op| self.meaning_of(op))
    }

    fn meaning_of(&self, op: Op) -> Option<Meaning> {
        if let Some(FunctionDefinition { params, body, recursive }) = self.definitions.get(&op) {
            return Some(Meaning::Definition { params: params.clone(), body: *body, recursive: *recursive });
        }
        if let Some(value) = self.model.value(op) {
            return Some(Meaning::Value(value.clone()));
        }
        if let Some(FunctionDefinition { params, body, recursive }) = self.model.definition(op) {
            return Some(Meaning::Definition { params: params.clone(), body: *body, recursive: *recursive });
        }
        self.model.is_unreadable(op).then_some(Meaning::Unreadable)
    }

    /// The value that a `get-value` answer gives a function without a definition.
    fn point_value(&self, op: Op, sort: smt::Sort, args: &[Value]) -> Outcome<Value> {
        match self.model.point(op, sort, args) {
            Some(value) => Ok(value.clone()),
            None if self.model.is_unreadable(op) => Err(Reason::Unreadable(op)),
            None => Err(Reason::Missing(op, None)),
        }
    }

    /// The model's value of an operation that the standard leaves open.
    fn open_value(&mut self, op: Op, sort: smt::Sort, args: &[Value]) -> Option<Outcome<Value>> {
        if let Some(value) = self.model.point(op, sort, args) {
            return Some(Ok(value.clone()));
        }
        let name = match self.arena.op(op).kind {
            OpKind::Theory(_) => rule::canonical_name(self.arena, op),
            _ => self.arena.op_name(op),
        };
        let model = self.model;
        let defined = model.open_definition(name).filter(|defined| defined.params.len() <= args.len());
        let Some(FunctionDefinition { params, body, .. }) = defined else {
            return self.chosen_value(op, sort, args).map(Ok);
        };
        let outcomes: Vec<Outcome<Value>> =
            params.iter().zip(args).map(|(&param, arg)| Ok(self.lifted(param, arg))).collect();
        let body = *body;
        Some(self.with_bindings(params, outcomes, |evaluator| evaluator.run(body)))
    }

    /// Converts an integer for a parameter of sort Real.
    fn lifted(&self, param: Term, arg: &Value) -> Value {
        match arg {
            Value::Int(value) if self.arena.sort(param) == smt::Sort::REAL => {
                Value::Real(crate::value::rational::Rational::from(value.clone()))
            }
            _ => arg.clone(),
        }
    }
}
