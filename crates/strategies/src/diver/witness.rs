//! The model of a seed: parsed from a solver's output and confirmed by our own evaluation.

use crate::kit::draft::Draft;
use crate::kit::evaluation::limits;
use semantics::Definitions;
use semantics::model::StringDialect;
use semantics::validate::questions;
use semantics::{Evaluator, Model, Value};
use smt::Script;

/// A model that satisfies a seed.
pub(super) struct Witness {
    /// The model.
    pub model: Model,
    /// The recursive functions that the script defines.
    pub definitions: Definitions,
    /// The `define-fun`s as text, without the enclosing parentheses.
    text: String,
}

impl Witness {
    /// Parses and confirms a model. The error says why it cannot be used.
    pub fn confirmed(draft: &mut Draft, script: &Script, text: &str) -> Result<Witness, String> {
        let model = Model::read(&mut draft.arena, &draft.scope, text, StringDialect::Standard)
            .map_err(|error| format!("the model does not parse: {error}"))?;
        let Some(question) = questions(script).pop() else {
            return Err("the script has no `check-sat`".to_owned());
        };
        // A mutation keeps values. So all of them must be defined: a choice of open values may not survive it.
        let mut evaluator = Evaluator::new(&draft.arena, &model, &question.definitions).with_limits(limits());
        let mut confirmed = true;
        for (index, &term) in question.assertions.iter().enumerate() {
            match evaluator.evaluate(term) {
                Ok(Value::Bool(true)) => {}
                Ok(_) => return Err(format!("assertion {} is false under the model", index + 1)),
                Err(_) => confirmed = false,
            }
        }
        if !confirmed {
            return Err("our evaluation cannot confirm the model".to_owned());
        }
        let text = inside(text).to_owned();
        Ok(Witness { model, definitions: question.definitions, text })
    }

    /// The model as a list of `define-fun`s, including those of fresh constants.
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

/// The content of a model, without its parentheses and the word `model` that old releases print.
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
