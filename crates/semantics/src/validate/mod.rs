//! Validation: does a model make the assertions of a script true?

mod explain;

pub use explain::{Explanation, reasons_text};

use smt::{Arena, Command, Plain, Script, Term};

use crate::data::Value;
use crate::definition::{Definitions, collect_definitions};
use crate::eval::{Evaluator, Limits, Memory};
use crate::model::Model;
use crate::reason::Reason;

/// What validation found.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Every assertion is true.
    Valid,
    /// An assertion is false.
    Invalid {
        /// Its place among the assertions and assumptions in force.
        index: usize,
        /// The assertion.
        term: Term,
        /// The values that make it false.
        explanation: Explanation,
    },
    /// No assertion is false, and some have no value that can be relied on.
    Undetermined {
        /// The assertions without a value, and why.
        reasons: Vec<(Term, Reason)>,
    },
}

/// What is in force at a `check-sat`.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Asserted and assumed terms, in order.
    pub assertions: Vec<Term>,
    /// The functions that the script has defined.
    pub definitions: Definitions,
}

/// The question of each `check-sat` of a script. A script without one asks one question at its end.
pub fn questions(script: &Script) -> Vec<Question> {
    let mut found = Vec::new();
    let mut now = Question::default();
    let mut levels: Vec<(usize, Definitions)> = Vec::new();
    for command in &script.commands {
        match command {
            Command::Assert(term) => now.assertions.push(*term),
            Command::Define(..) => collect_definitions(command, &mut now.definitions),
            Command::Push(count) => {
                for _ in 0..*count {
                    levels.push((now.assertions.len(), now.definitions.clone()));
                }
            }
            Command::Pop(count) => {
                for _ in 0..*count {
                    if let Some((assertions, definitions)) = levels.pop() {
                        now.assertions.truncate(assertions);
                        // Definitions of the outer levels cannot have changed; later ones do no harm where they are global.
                        for (op, defined) in definitions {
                            now.definitions.insert(op, defined);
                        }
                    }
                }
            }
            Command::Plain(Plain::ResetAssertions) => {
                now.assertions.clear();
                levels.clear();
            }
            Command::Plain(Plain::Reset) => {
                now = Question::default();
                levels.clear();
            }
            Command::Plain(Plain::Exit) => break,
            Command::CheckSatAssuming(assumed) => {
                let mut question = now.clone();
                question.assertions.extend_from_slice(assumed);
                found.push(question);
            }
            command if command.is_check() => found.push(now.clone()),
            _ => {}
        }
    }
    if found.is_empty() {
        found.push(now);
    }
    found
}

/// Judges a model for the last `check-sat` of a script.
pub fn validate(arena: &Arena, script: &Script, model: &Model) -> Verdict {
    let last = questions(script).pop().unwrap_or_default();
    judge(arena, &last, model, Limits::default(), Memory::default()).0
}

/// Judges a model for one question. The memory can be handed on to the next judgement over the same arena.
pub fn judge(
    arena: &Arena,
    question: &Question,
    model: &Model,
    limits: Limits,
    memory: Memory,
) -> (Verdict, Memory) {
    let mut evaluator =
        Evaluator::with_memory(arena, model, &question.definitions, memory).with_limits(limits);
    let mut reasons = Vec::new();
    for (index, &term) in question.assertions.iter().enumerate() {
        match evaluator.evaluate(term) {
            Ok(Value::Bool(true)) => {}
            Ok(_) => {
                let explanation = explain::explain(&mut evaluator, term);
                return (Verdict::Invalid { index, term, explanation }, evaluator.into_memory());
            }
            Err(reason) => reasons.push((term, reason)),
        }
    }
    let verdict = if reasons.is_empty() { Verdict::Valid } else { Verdict::Undetermined { reasons } };
    (verdict, evaluator.into_memory())
}
