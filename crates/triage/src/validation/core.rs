//! Validates the unsat core of an `unsat` answer: a second solver looks for a model of it.

use crate::{CoreCommand, core_alone, core_question, run_result};
use crate::{Evaluated, ModelJudge, ModelOpinion, SolverSource, TriageError};
use case::text::collapsed;
use serde::Serialize;
use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, Observation, RunMode, RunRequest, runner};
use std::fmt;

/// Whether a core is unsatisfiable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CoreVerdict {
    /// The second solver answers `unsat`.
    Valid,
    /// The second solver has a model of it that our evaluator confirms.
    Invalid,
    /// Anything else.
    Undetermined,
}

impl fmt::Display for CoreVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CoreVerdict::Valid => "valid",
            CoreVerdict::Invalid => "invalid",
            CoreVerdict::Undetermined => "undetermined",
        })
    }
}

/// A validated core.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CoreCheck {
    /// The verdict.
    pub verdict: CoreVerdict,
    /// The reason for it.
    pub why: String,
    /// The core.
    pub core: String,
    /// The script whose core was requested: every assertion is named.
    pub question: String,
    /// The script that asserts only the core; `None` if the core leaves nothing out.
    pub alone: Option<String>,
    /// The second solver's model of it.
    pub model: Option<String>,
}

/// Asks `solver` for the unsat core of a script, and `other` for a model of the core.
pub fn check_core(
    script: &str,
    (solver, options): (&str, &[String]),
    other: &str,
    limits: Limits,
    source: &dyn SolverSource,
) -> Result<CoreCheck, TriageError> {
    let question = core_question(script, CoreCommand::UnsatCore).ok_or_else(|| {
        TriageError::other(
            "cannot ask for a core of this script",
            "it must have one (check-sat), at least two assertions, no push and no recursive definitions",
        )
    })?;
    let run = |spec: &str, script: &str, options: &[String], want| -> Result<Observation, TriageError> {
        let request = RunRequest::new(script).options(options).limits(limits).want(want);
        let target = source.resolve(spec)?;
        Ok(runner(&target, RunMode::OneShot, &RunSettings::default())?.run(&request)?)
    };
    let seen = run(solver, &question, options, Want::default())?;
    let core = match (seen.answer(), seen.core()) {
        (Some(Answer::Unsat), Some(core)) if seen.outcome == solver::Outcome::Answered => collapsed(core),
        _ => {
            return Err(TriageError::other(
                format!("no core to validate: {solver} answers {}", run_result(&seen)),
                "ask another solver, or allow more time with --timeout",
            ));
        }
    };
    let mut check = CoreCheck {
        verdict: CoreVerdict::Undetermined,
        why: String::new(),
        core,
        question,
        alone: None,
        model: None,
    };
    let Some(alone) = core_alone(&check.question, &check.core) else {
        check.why = "the core leaves nothing out, or it cannot be stated alone".to_owned();
        return Ok(check);
    };
    let seen = run(other, &alone, &[], Want { model: true, ..Want::default() })?;
    let opinion = seen.model().map(|model| Evaluated::default().opinion(&alone, model));
    (check.verdict, check.why) = conclusion(other, &seen, opinion.as_ref());
    check.model = seen.model().map(str::to_owned);
    check.alone = Some(alone);
    Ok(check)
}

/// What the second solver's run says about the core.
fn conclusion(other: &str, seen: &Observation, opinion: Option<&ModelOpinion>) -> (CoreVerdict, String) {
    let result = run_result(seen);
    match (seen.answer(), opinion) {
        (Some(Answer::Unsat), _) => {
            (CoreVerdict::Valid, format!("{other} answers {result} on the core alone"))
        }
        (Some(Answer::Sat), Some(ModelOpinion::Confirmed)) => (
            CoreVerdict::Invalid,
            format!("our evaluator confirms that the model of {other} satisfies the core"),
        ),
        _ => (
            CoreVerdict::Undetermined,
            format!("{other} answers {result} on the core alone, and no model of it is confirmed"),
        ),
    }
}
