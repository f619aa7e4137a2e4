//! A random model, drawn before a formula is written. Each assertion is negated if the model makes it false, so the formula is
//! satisfiable, and the model is the witness.

use super::language::Language;
use crate::kit::evaluation::limits;
use crate::kit::random::Random;
use case::Expectation;
use semantics::{Definitions, Evaluator, FunctionDefinition, Memory, Model, NO_DEFINITIONS, Value};
use smt::{Arena, Head, OpKind, Sort, Term, View};
use std::fmt::Write;

/// The nesting of arrays and datatypes in a value.
const DEEPEST: u32 = 3;

/// A model that the assertions of a formula agree with, as far as they have a value in it.
pub(super) struct HiddenModel {
    model: Model,
    /// The model as a list of `define-fun`s.
    text: String,
    /// Whether all assertions so far are true.
    confirmed: bool,
    memory: Option<Memory>,
}

impl HiddenModel {
    /// Draws values for the constants and functions of a language. Some sorts have no values that can be written; their constants
    /// get none.
    pub fn draw(language: &mut Language, random: &mut Random) -> HiddenModel {
        let mut drawn =
            HiddenModel { model: Model::new(), text: "(".to_owned(), confirmed: true, memory: None };
        for sort in language.draft.pool.sorts().to_vec() {
            for term in language.draft.pool.of(sort).to_vec() {
                let View::App(op, []) = language.draft.arena.view(term) else { continue };
                if !matches!(language.draft.arena.op(op).kind, OpKind::Function { .. }) {
                    continue;
                }
                let Some((value, written)) = value(language, sort, DEEPEST, random) else { continue };
                drawn.model.set_value(op, value);
                drawn.define(&language.draft.arena, op, &[], sort, written);
            }
        }
        for op in language.functions() {
            let OpKind::Function { args, result } = language.draft.arena.op(op).kind.clone() else {
                continue;
            };
            let Some((_, body)) = value(language, result, DEEPEST, random) else { continue };
            let local = |(at, &sort): (usize, &Sort)| {
                let name = language.draft.arena.symbol(&format!("x{at}"));
                language.draft.arena.local(name, sort)
            };
            let params: Vec<Term> = args.iter().enumerate().map(local).collect();
            drawn.define(&language.draft.arena, op, &params, result, body);
            let defined = FunctionDefinition { params: params.into(), body, recursive: false };
            drawn.model.set_definition(op, defined);
        }
        drawn.text.push_str("\n)");
        drawn
    }

    fn define(&mut self, arena: &Arena, op: smt::Op, params: &[Term], sort: Sort, body: Term) {
        let param =
            |&term: &Term| format!("({} {})", arena.term_text(term), arena.sort_text(arena.sort(term)));
        let params: Vec<String> = params.iter().map(param).collect();
        let (name, sort) = (arena.op_name(op), arena.sort_text(sort));
        // Writing to a string cannot fail.
        let _ = write!(
            self.text,
            "\n(define-fun {name} ({}) {sort} {})",
            params.join(" "),
            arena.term_text(body)
        );
    }

    /// The value of a term, if it has one.
    pub fn value(&mut self, arena: &Arena, definitions: &Definitions, term: Term) -> Option<Value> {
        let evaluator = match self.memory.take() {
            Some(memory) => Evaluator::resume(arena, &self.model, definitions, memory),
            None => Evaluator::new(arena, &self.model, definitions),
        };
        let mut evaluator = evaluator.with_limits(limits());
        let value = evaluator.evaluate(term).ok();
        self.memory = Some(evaluator.into_memory());
        value
    }

    /// Whether an assertion is true. One without a value leaves the answer to the formula open.
    pub fn truth(&mut self, arena: &Arena, definitions: &Definitions, term: Term) -> Option<bool> {
        let truth = match self.value(arena, definitions, term) {
            Some(Value::Bool(truth)) => Some(truth),
            _ => None,
        };
        self.confirmed &= truth.is_some();
        truth
    }

    /// What is known about the answer to a formula whose assertions all agree with the model.
    pub fn expectation(self) -> Expectation {
        if self.confirmed { Expectation::Sat { model: self.text } } else { Expectation::Unknown }
    }
}

/// A random value of a sort, and how it is written.
fn value(language: &mut Language, sort: Sort, depth: u32, random: &mut Random) -> Option<(Value, Term)> {
    let term = written(language, sort, depth, random)?;
    let (arena, model) = (&language.draft.arena, Model::new());
    let value = Evaluator::new(arena, &model, &NO_DEFINITIONS).with_limits(limits()).evaluate(term).ok()?;
    Some((value, term))
}

/// A random term for a value of a sort.
fn written(language: &mut Language, sort: Sort, depth: u32, random: &mut Random) -> Option<Term> {
    let arena = &mut language.draft.arena;
    if let Some(term) = language.constants.pick(arena, sort, random) {
        return Some(term);
    }
    if depth == 0 {
        return None;
    }
    // In some solvers arrays have several indices.
    if let ("Array", [.., element]) = (arena.sort_head(sort), &*arena.sort_node(sort).args) {
        let element = *element;
        let element = written(language, element, depth - 1, random)?;
        let arena = &mut language.draft.arena;
        let head = Head { name: arena.symbol("const"), indices: &[], ascription: Some(sort) };
        return arena.apply_head(head, &[element]).ok();
    }
    let is_constructor = |op| matches!(language.draft.arena.op(op).kind, OpKind::Constructor(..));
    let constructors: Vec<_> = language
        .rules
        .instances_with_result(sort)
        .filter(|instance| instance.function().is_some_and(is_constructor))
        .cloned()
        .collect();
    let constructor = random.pick(&constructors)?;
    let args: Option<Vec<Term>> =
        constructor.args.iter().map(|&sort| written(language, sort, depth - 1, random)).collect();
    constructor.apply(&mut language.draft.arena, &args?, random)
}
