//! `elenchus validate --core-by`: is the core of an `unsat` answer one?

use crate::commands::solve::start;
use crate::outcome::{Exit, Failure, Outcome};
use serde_json::json;
use solver::run::{Limits, Want};
use solver::{Answer, Observation, RunMode, RunRequest};
use triage::{Evaluated, ModelJudge, ModelOpinion, core_alone, core_question};

/// The solver that gives the core, and the one that is asked for a model of it.
pub struct Cores<'a> {
    /// Who gives the core.
    pub solver: &'a str,
    /// Who is asked about it.
    pub other: &'a str,
    /// Options for the one who gives it.
    pub options: &'a [String],
    /// The limits of a run.
    pub limits: Limits,
}

/// What is said of a core.
struct Judged {
    verdict: &'static str,
    why: String,
    /// The script that asserts nothing but the core, where it leaves something out.
    alone: Option<String>,
    model: Option<String>,
}

impl Cores<'_> {
    /// Judges the core that the solver gives for a script.
    pub fn judge(&self, script: &str, as_object: bool) -> Outcome {
        let question = core_question(script).ok_or_else(|| {
            Failure::new("no core can be asked for").hint(
                "the script must have one (check-sat), two or more assertions, no levels and no recursive definitions",
            )
        })?;
        let seen = self.run(self.solver, &question, self.options, Want::default())?;
        let core = match (seen.answer(), seen.core()) {
            (Some(Answer::Unsat), Some(core)) if seen.outcome == solver::Outcome::Answered => {
                core.split_whitespace().collect::<Vec<_>>().join(" ")
            }
            _ => {
                let said = triage::run_result(&seen);
                return Err(Failure::new(format!(
                    "{} says {said}, so there is no core to judge",
                    self.solver
                ))
                .hint("ask another solver, or give more time with --timeout"));
            }
        };
        let judged = self.opinion(&question, &core)?;
        if as_object {
            println!(
                "{}",
                json!({
                    "verdict": judged.verdict, "why": judged.why, "core": core, "question": question,
                    "alone": judged.alone, "model": judged.model,
                })
            );
        } else {
            print!("{question}");
            println!(
                "; {} says unsat, and the core is {core}\n{}: {}",
                self.solver, judged.verdict, judged.why
            );
            for text in judged.alone.iter().chain(&judged.model).filter(|_| judged.verdict == "invalid") {
                println!("{}", text.trim_end());
            }
        }
        Ok(if judged.verdict == "invalid" { Exit::Found } else { Exit::Clean })
    }

    fn opinion(&self, question: &str, core: &str) -> Result<Judged, Failure> {
        let judged = |verdict, why| Judged { verdict, why, alone: None, model: None };
        let Some(alone) = core_alone(question, core) else {
            return Ok(judged(
                "undetermined",
                "the core leaves nothing out, or its names are no use without the rest".to_owned(),
            ));
        };
        let seen = self.run(self.other, &alone, &[], Want { model: true, ..Want::default() })?;
        let said = triage::run_result(&seen);
        let opinion = seen.model().map(|model| Evaluated::default().opinion(&alone, model));
        let mut result = match (seen.answer(), opinion) {
            (Some(Answer::Unsat), _) => {
                judged("valid", format!("{} says {said} to the core alone", self.other))
            }
            (Some(Answer::Sat), Some(ModelOpinion::Confirmed)) => judged(
                "invalid",
                format!("the model of {} makes the core true by our own evaluation", self.other),
            ),
            _ => judged(
                "undetermined",
                format!("{} says {said} to the core alone, and no model of it is confirmed", self.other),
            ),
        };
        result.model = seen.model().map(str::to_owned);
        result.alone = Some(alone);
        Ok(result)
    }

    fn run(
        &self,
        solver: &str,
        script: &str,
        options: &[String],
        want: Want,
    ) -> Result<Observation, Failure> {
        let request = RunRequest::new(script).options(options).limits(self.limits).want(want);
        Ok(start(solver, RunMode::OneShot)?.run(&request)?)
    }
}
