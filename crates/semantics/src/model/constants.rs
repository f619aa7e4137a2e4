//! Evaluates constants defined as values, such as `5`, `(- 5)` or `(store ((as const A) 0) 1 2)`, when a model is read. Other
//! definitions are evaluated on demand.

use smt::{Arena, Op, OpKind, Term, View};

use super::Model;
use crate::data::Value;
use crate::definition::NO_DEFINITIONS;
use crate::eval::{Evaluator, Limits, literal};

/// The most nodes of a definition to consider.
const MAX_NODES: usize = 1 << 12;
/// The most steps for evaluating one value.
const MAX_STEPS: u64 = 1 << 14;

/// Replaces the definitions of such constants by their values.
pub(super) fn evaluate_constants(arena: &Arena, model: &mut Model) {
    let limits = Limits { steps: MAX_STEPS, ..Limits::default() };
    let constants: Vec<(Op, Term)> = model
        .definitions
        .keys()
        .filter_map(|op| model.definition(op).map(|defined| (op, defined)))
        .filter(|(_, defined)| defined.params.is_empty() && !defined.recursive)
        .map(|(op, defined)| (op, defined.body))
        .collect();
    let mut values = Vec::new();
    let mut compound = Vec::new();
    for (op, body) in constants {
        match simple(arena, body, &limits) {
            Some(value) => values.push((op, value)),
            None if is_constant(arena, model, body) => compound.push((op, body)),
            None => {}
        }
    }
    if !compound.is_empty() {
        let mut evaluator = Evaluator::new(arena, model, &NO_DEFINITIONS).with_limits(limits);
        for (op, body) in compound {
            match evaluator.evaluate(body) {
                Ok(Value::Function(_)) | Err(_) => {}
                Ok(value) => values.push((op, value)),
            }
        }
    }
    for (op, value) in values {
        model.set_value(op, value);
    }
}

/// The value of a literal, a negated numeral, `true` or `false`.
fn simple(arena: &Arena, term: Term, limits: &Limits) -> Option<Value> {
    let literal = |term: Term| match arena.view(term) {
        View::Literal(..) => literal::value(arena, term, &limits.values).ok(),
        _ => None,
    };
    let View::App(op, args) = arena.view(term) else { return literal(term) };
    if !matches!(arena.op(op).kind, OpKind::Theory(_)) {
        return None;
    }
    match (arena.op_name(op), args) {
        ("true", []) => Some(Value::Bool(true)),
        ("false", []) => Some(Value::Bool(false)),
        ("-", &[number]) => match literal(number)? {
            Value::Int(number) => Some(Value::Int(number.neg())),
            Value::Real(number) => Some(Value::Real(number.neg())),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a term consists of operators, constructors, literals and elements only, so that its value depends on no definition.
fn is_constant(arena: &Arena, model: &Model, term: Term) -> bool {
    let mut work = vec![term];
    let mut left = MAX_NODES;
    while let Some(term) = work.pop() {
        left -= 1;
        let fine = match arena.view(term) {
            View::Literal(..) | View::Local(_) | View::Let { .. } => true,
            View::App(op, args) => match arena.op(op).kind {
                OpKind::Theory(_) | OpKind::Constructor(..) | OpKind::Opaque => true,
                OpKind::Function { .. } => {
                    args.is_empty() && matches!(model.value(op), Some(Value::Element(..)))
                }
                _ => false,
            },
            _ => false,
        };
        let children = arena.children(term);
        if !fine || left <= work.len() + children.len() {
            return false;
        }
        work.extend(children);
    }
    true
}
