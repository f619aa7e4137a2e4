//! The model that a seed's mutants are measured by: read from what a solver printed, and confirmed by our own evaluation.

use crate::draft::Draft;
use semantics::Definitions;
use semantics::eval::Limits;
use semantics::model::StringDialect;
use semantics::validate::{judge, questions};
use semantics::{Memory, Model, Verdict};
use smt::{Command, Plain, Script};

/// A model that makes a seed true.
pub(super) struct Witness {
    /// The model.
    pub model: Model,
    /// Functions that the script defines with recursion.
    pub definitions: Definitions,
    /// The `define-fun`s, as text without the parentheses around them.
    text: String,
}

/// How much the evaluation of one mutant may cost.
pub(crate) fn limits() -> Limits {
    let usual = Limits::default();
    let values =
        semantics::value::limits::Limits { bits: 1 << 14, chars: 1 << 14, steps: 1 << 14, degree: 16 };
    Limits { values, steps: 1 << 20, ..usual }
}

impl Witness {
    /// Reads a model and confirms it. The reason if it is none that can be relied on.
    pub fn confirmed(draft: &mut Draft, script: &Script, text: &str) -> Result<Witness, String> {
        let model = Model::read(&mut draft.arena, &draft.scope, text, StringDialect::Standard)
            .map_err(|error| format!("the model cannot be read: {error}"))?;
        let Some(question) = questions(script).pop() else {
            return Err("there is no question".to_owned());
        };
        let (verdict, _) = judge(&draft.arena, &question, &model, limits(), Memory::default());
        match verdict {
            Verdict::Valid => {}
            Verdict::Invalid { index, .. } => {
                return Err(format!("assertion {} is false under the model", index + 1));
            }
            Verdict::Undetermined { .. } => {
                return Err("our evaluation cannot confirm the model".to_owned());
            }
        }
        let text = inside(text).to_owned();
        Ok(Witness { model, definitions: question.definitions, text })
    }

    /// The model as a list of `define-fun`s, with those of fresh constants.
    pub fn text<'a>(&self, fresh: impl Iterator<Item = &'a str>) -> String {
        let mut text = String::from("(\n");
        text.push_str(&self.text);
        for definition in fresh {
            text.push('\n');
            text.push_str(definition);
        }
        text.push_str("\n)");
        text
    }
}

/// What stands between the parentheses of a model, without the word `model` of older releases.
fn inside(text: &str) -> &str {
    let text = text.trim();
    let text = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let text = text.trim();
    match text.strip_prefix("model") {
        Some(rest) if rest.starts_with(char::is_whitespace) || rest.starts_with('(') || rest.is_empty() => {
            rest.trim_start()
        }
        _ => text,
    }
}

/// Why a script has not exactly one question that everything before it belongs to.
pub(crate) fn not_one_question(script: &Script) -> Option<&'static str> {
    let checks = script.commands.iter().filter(|command| command.is_check()).count();
    if checks != 1 {
        return Some("it asks more than one question");
    }
    let level = |command: &Command| {
        matches!(
            command,
            Command::Push(_)
                | Command::Pop(_)
                | Command::CheckSatAssuming(_)
                | Command::Plain(Plain::Reset | Plain::ResetAssertions)
        )
    };
    if script.commands.iter().any(level) {
        return Some("it takes assertions back or assumes something");
    }
    let after = script.commands.iter().skip_while(|command| !command.is_check());
    if after.into_iter().any(|command| matches!(command, Command::Assert(_))) {
        return Some("it asserts something after the question");
    }
    None
}
