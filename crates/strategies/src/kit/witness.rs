//! The model of a seed: parsed from a solver's output and confirmed by our own evaluation.

use crate::api::{SeedQuestion, Unsuitable};
use crate::kit::draft::Draft;
use crate::kit::evaluation::{limits, not_one_question};
use crate::kit::random::Random;
use case::Seed;
use semantics::Definitions;
use semantics::model::StringDialect;
use semantics::validate::questions;
use semantics::{Evaluator, Model, Value};
use smt::{Arena, Script, Signatures, parse_script};
use std::sync::Arc;

/// A question about a seed, which has the needs of the seed.
pub(crate) fn question_about(
    arena: &mut Arena,
    seed: &Script,
    text: String,
    is_seed: bool,
    core: bool,
) -> SeedQuestion {
    let features = arena.features(seed);
    SeedQuestion { script: text, is_seed, core, solvers: features.solvers, theories: features.theories }
}

/// The question for a model of a seed; `None` if it was asked, or if the seed asks more than one question.
pub(crate) fn question_for_model(
    signatures: &Arc<Signatures>,
    seed: &Seed,
    asked: usize,
) -> Option<SeedQuestion> {
    if asked > 0 {
        return None;
    }
    let mut arena = Arena::new(signatures.clone());
    let script = parse_script(&mut arena, &seed.text).ok()?;
    let is_one = not_one_question(&script).is_none();
    is_one.then(|| question_about(&mut arena, &script, seed.text.to_string(), true, false))
}

/// A model that satisfies a seed.
pub(crate) struct Witness {
    /// The model.
    pub model: Model,
    /// The recursive functions that the script defines.
    pub definitions: Definitions,
    /// The `define-fun`s as text, without the enclosing parentheses.
    text: String,
}

impl Witness {
    /// One of the models of a seed that solvers returned and our evaluation confirms.
    pub fn of_seed(
        draft: &mut Draft,
        script: &Script,
        seed: &Seed,
        random: &mut Random,
    ) -> Result<Witness, Unsuitable> {
        if let Some(reason) = not_one_question(script) {
            return Err(Unsuitable(reason.to_owned()));
        }
        let mut confirmed = Vec::new();
        let mut reason = "no solver returned a model of the seed".to_owned();
        let models =
            seed.learned.iter().filter(|learned| learned.sat == Some(true) && !learned.text.is_empty());
        for learned in models {
            match Witness::confirmed(draft, script, &learned.text) {
                Ok(witness) => confirmed.push(witness),
                Err(why) => reason = why,
            }
        }
        if confirmed.is_empty() {
            return Err(Unsuitable(reason));
        }
        Ok(confirmed.swap_remove(random.index(confirmed.len())))
    }

    /// Parses and confirms a model. The error says why it cannot be used.
    fn confirmed(draft: &mut Draft, script: &Script, text: &str) -> Result<Witness, String> {
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
