//! Validates what solvers return besides answers: models and unsat cores.

mod core;
mod many;
mod script;

pub use core::{CoreCheck, CoreVerdict, check_core};
pub use many::{ModelKind, ModelLine, models_table, validate_all};
pub use script::ParsedScript;

use crate::complete_model;
use semantics::model::StringDialect;
use semantics::validate::{Explanation, reasons_text};
use semantics::{Outcome, Value, Verdict};
use serde_json::{Value as Json, json};
use smt::{Arena, Term};
use solver::run::{Limits, Want};
use solver::{Answer, RunError, RunRequest, Runner};

/// What a solver's model of a script is worth.
#[derive(Clone, Debug)]
pub enum ModelCheck {
    /// The model was judged.
    Judged(Verdict),
    /// The model could not be parsed.
    Unreadable(String),
    /// There is no model; what the solver did instead.
    NoModel(String),
}

/// Asks a solver for a model and judges it. Asks again for values that the model leaves out.
pub fn check_model(
    script: &mut ParsedScript,
    runner: &mut dyn Runner,
    options: &[String],
    limits: Limits,
    dialect: StringDialect,
) -> Result<ModelCheck, RunError> {
    let want = Want { model: true, ..Want::default() };
    let request = RunRequest::new(&script.text).options(options).limits(limits).want(want);
    let observation = runner.run(&request)?;
    // Z3 continues after an error and answers the rest of the script.
    if observation.outcome != solver::Outcome::Answered {
        return Ok(ModelCheck::NoModel(observation.outcome.to_string()));
    }
    let model = match (observation.answer(), observation.model()) {
        (Some(Answer::Sat), Some(model)) => model.to_owned(),
        (Some(Answer::Sat), None) => return Ok(ModelCheck::NoModel("sat without a model".to_owned())),
        (Some(answer), _) => return Ok(ModelCheck::NoModel(answer.word().to_owned())),
        (None, _) => return Ok(ModelCheck::NoModel(format!("nothing ({})", observation.outcome))),
    };
    let first = judged(script, &model, dialect);
    if !matches!(first, ModelCheck::Judged(Verdict::Undetermined { .. })) {
        return Ok(first);
    }
    let complete = complete_model(runner, &script.text, &model, options, limits, dialect)?;
    Ok(complete.map_or(first, |model| judged(script, &model, dialect)))
}

fn judged(script: &mut ParsedScript, model: &str, dialect: StringDialect) -> ModelCheck {
    match script.judge(model, dialect) {
        Ok(verdict) => ModelCheck::Judged(verdict),
        Err(error) => ModelCheck::Unreadable(error.to_string()),
    }
}

/// A verdict for people: a headline, and the lines that explain it.
pub fn verdict_text(arena: &Arena, verdict: &Verdict) -> (String, Vec<String>) {
    match verdict {
        Verdict::Valid => ("valid".to_owned(), Vec::new()),
        Verdict::Invalid { index, explanation, .. } => {
            let lines = explanation.text(arena).lines().map(str::to_owned).collect();
            (format!("invalid: assertion {} is false", index + 1), lines)
        }
        Verdict::Undetermined { reasons } => ("undetermined".to_owned(), reasons_text(arena, reasons)),
    }
}

/// A verdict as JSON.
pub fn verdict_json(arena: &Arena, verdict: &Verdict) -> Json {
    match verdict {
        Verdict::Valid => json!({"verdict": "valid"}),
        Verdict::Invalid { index, explanation, .. } => json!({
            "verdict": "invalid",
            "assertion": index + 1,
            "explanation": explanation_json(arena, explanation),
        }),
        Verdict::Undetermined { reasons } => json!({
            "verdict": "undetermined",
            "reasons": reasons_text(arena, reasons),
        }),
    }
}

/// An explanation as nested objects. Its depth is bounded.
fn explanation_json(arena: &Arena, explanation: &Explanation) -> Json {
    let value = |term: Term, outcome: &Outcome<Value>| match outcome {
        Ok(value) => json!(value.text(arena, arena.sort(term))),
        Err(reason) => json!({"undetermined": reason.text(arena)}),
    };
    let bindings: Vec<Json> = explanation
        .bindings
        .iter()
        .map(|(name, outcome)| json!({"name": arena.term_text(*name), "value": value(*name, outcome)}))
        .collect();
    json!({
        "term": arena.term_text(explanation.term),
        "value": value(explanation.term, &explanation.value),
        "bindings": bindings,
        "parts": explanation.parts.iter().map(|part| explanation_json(arena, part)).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_name_the_false_assertion_and_explain_it() {
        let source = "(declare-const x Int)(declare-fun y () Int)(assert (> x 0))(assert (= y 1))";
        let table = [
            ("((define-fun x () Int (- 1)))", "invalid: assertion 1 is false", "invalid"),
            ("((define-fun x () Int 1))", "undetermined", "undetermined"),
        ];
        for (model, headline, word) in table {
            let mut script = ParsedScript::parse("s", source.to_owned()).unwrap();
            let verdict = script.judge(model, StringDialect::Standard).unwrap();
            let (shown, lines) = verdict_text(&script.arena, &verdict);
            assert_eq!(shown, headline);
            assert!(!lines.is_empty(), "{model}");
            assert_eq!(verdict_json(&script.arena, &verdict)["verdict"], word);
        }
        let mut script = ParsedScript::parse("s", "(assert (< 0 1))".to_owned()).unwrap();
        let verdict = script.judge("()", StringDialect::Standard).unwrap();
        assert_eq!(verdict_text(&script.arena, &verdict), ("valid".to_owned(), Vec::new()));
    }
}
