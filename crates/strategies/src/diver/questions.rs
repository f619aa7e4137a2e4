//! DIVER's questions about a seed: a model, then different models; or an unsat core.

use super::unsat::core_name;
use crate::api::SeedQuestion;
use crate::kit::evaluation::not_one_question;
use crate::kit::witness::question_about;
use case::Seed;
use semantics::model::StringDialect;
use semantics::{Evaluator, Model, Value};
use smt::{
    Arena, Attribute, AttributeValue, Command, Op, OpKind, Scope, Script, Signatures, Sort, Term,
    parse_in_scope, parse_term, reserved,
};
use std::sync::Arc;

/// The next question; `None` if enough is known.
pub(super) fn next(
    signatures: &Arc<Signatures>,
    seed: &Seed,
    asked: usize,
    models: usize,
) -> Option<SeedQuestion> {
    let mut arena = Arena::new(signatures.clone());
    let mut scope = Scope::default();
    let script = parse_in_scope(&mut arena, &mut scope, &seed.text).ok()?;
    if not_one_question(&script).is_some() {
        return None;
    }
    let says = |sat: bool| seed.learned.iter().any(|learned| learned.sat == Some(sat));
    if asked == 0 {
        return Some(question_about(&mut arena, &script, seed.text.to_string(), true, false));
    }
    if says(false) && !says(true) {
        if asked > 1 {
            return None;
        }
        let named = with_names(&mut arena, &script);
        let text = arena.script_text(&named);
        return Some(question_about(&mut arena, &script, text, false, true));
    }
    let last_gave =
        seed.learned.iter().any(|learned| learned.question + 1 == asked && learned.sat == Some(true));
    if asked >= models || !last_gave {
        return None;
    }
    let blocked = blocked(&mut arena, &mut scope, &script, seed)?;
    let text = arena.script_text(&blocked);
    Some(question_about(&mut arena, &script, text, false, false))
}

/// The script with a name for each assertion.
fn with_names(arena: &mut Arena, script: &Script) -> Script {
    let mut number = 0;
    let mut commands = Vec::with_capacity(script.commands.len());
    for command in &script.commands {
        let Command::Assert(term) = command else {
            commands.push(command.clone());
            continue;
        };
        let name = arena.symbol(&core_name(number));
        number += 1;
        let attribute = Attribute { keyword: reserved::NAMED, value: AttributeValue::Text(name) };
        commands.push(Command::Assert(arena.annotated(*term, vec![attribute], &[])));
    }
    Script::new(commands)
}

/// The script with an assertion that excludes the known models.
fn blocked(arena: &mut Arena, scope: &mut Scope, script: &Script, seed: &Seed) -> Option<Script> {
    let constants = constants(arena, script);
    let mut assertions = Vec::new();
    for learned in seed.learned.iter().filter(|learned| learned.sat == Some(true) && !learned.text.is_empty())
    {
        let Ok(model) = Model::read(arena, scope, &learned.text, StringDialect::Standard) else { continue };
        let mut equalities = Vec::new();
        for &constant in &constants {
            let definitions = &semantics::NO_DEFINITIONS;
            let value = Evaluator::new(arena, &model, definitions).evaluate(constant);
            let sort = arena.sort(constant);
            if let Ok(value) = value
                && !matches!(value, Value::Algebraic(_) | Value::Function(_) | Value::Element(..))
            {
                let text = format!("(= {} {})", arena.term_text(constant), value.text(arena, sort));
                equalities.push(text);
            }
        }
        let text = match &equalities[..] {
            [] => continue,
            [only] => format!("(not {only})"),
            all => format!("(not (and {}))", all.join(" ")),
        };
        assertions.push(parse_term(arena, scope, &text).ok()?);
    }
    if assertions.is_empty() {
        return None;
    }
    let mut commands = Vec::with_capacity(script.commands.len() + assertions.len());
    for command in &script.commands {
        if command.is_check() {
            commands.extend(assertions.drain(..).map(Command::Assert));
        }
        commands.push(command.clone());
    }
    Some(Script::new(commands))
}

/// The declared constants whose values can be written.
fn constants(arena: &mut Arena, script: &Script) -> Vec<Term> {
    let declared: Vec<Op> = script
        .commands
        .iter()
        .filter_map(|command| match command {
            Command::Declare(_, op) => Some(*op),
            _ => None,
        })
        .collect();
    let mut constants = Vec::new();
    for op in declared {
        let OpKind::Function { args, result } = &arena.op(op).kind else { continue };
        let (nullary, sort) = (args.is_empty(), *result);
        let plain = matches!(sort, Sort::BOOL | Sort::INT | Sort::REAL | Sort::STRING)
            || arena.bitvec_width(sort).is_some()
            || arena.float_format(sort).is_some();
        if nullary && plain {
            constants.push(arena.app_unchecked(op, &[], sort));
        }
    }
    constants
}
