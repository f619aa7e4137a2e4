//! Known bugs of old releases, and the judgement of a mutant by the release that has the bug.

use crate::{Failure, NEWEST, OTHER, target};
use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, Observation, Outcome, RunMode, RunRequest, Runner, runner};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use strategies::{Case, Expectation};
use triage::{Evaluated, ModelJudge, ModelOpinion};

/// The time for one question.
const LIMIT: Duration = Duration::from_millis(300);

/// A formula with a release that goes wrong with it.
#[derive(Clone, Debug)]
pub struct Known {
    /// The name of the formula.
    pub formula: String,
    /// Its text.
    pub text: String,
    /// The release, such as `z3@4.8.7`.
    pub release: String,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// An answer.
    Soundness,
    /// A model, while the answer may be right.
    Model,
    /// It crashes.
    Crash,
}

/// The formulas with which some release is known to go wrong, each with the first such release in the order of the table.
pub fn known(folder: &Path) -> Result<Vec<Known>, Failure> {
    let table = folder.join("bugs.tsv");
    let table = std::fs::read_to_string(&table).map_err(|error| format!("{}: {error}", table.display()))?;
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        if let [release, formula, _, ..] = columns[..]
            && release.starts_with("z3-4")
        {
            let release = release.replacen('-', "@", 1);
            let release = release.strip_suffix(".0").unwrap_or(&release).to_owned();
            found.entry(formula.to_owned()).or_insert(release);
        }
    }
    let mut all = Vec::new();
    for (formula, release) in found {
        let path = folder.join("formulas").join(format!("{formula}.smt2"));
        let Ok(bytes) = std::fs::read(&path) else { continue };
        all.push(Known { text: String::from_utf8_lossy(&bytes).into_owned(), formula, release });
    }
    Ok(all)
}

/// Solvers by name, each kept warm, and our evaluation.
#[derive(Default)]
pub struct Court {
    runners: BTreeMap<String, Box<dyn Runner>>,
    judge: Evaluated,
    /// The CPU time of all solvers so far.
    pub cpu: Duration,
}

impl Court {
    fn ask(&mut self, spec: &str, script: &str) -> Result<Observation, Failure> {
        if !self.runners.contains_key(spec) {
            let made = runner(&target(spec)?, RunMode::Fork, &RunSettings::default())?;
            self.runners.insert(spec.to_owned(), made);
        }
        let runner = self.runners.get_mut(spec).ok_or("the solver is gone")?;
        let limits = Limits { wall: LIMIT, ..Limits::default() };
        let want = Want { model: true, ..Want::default() };
        let seen = runner.run(&RunRequest::new(script).limits(limits).want(want))?;
        self.cpu += seen.cpu;
        Ok(seen)
    }

    /// What is wrong with the release's answer to a case.
    pub fn judge(&mut self, release: &str, case: &Case) -> Result<Option<Wrong>, Failure> {
        let seen = self.ask(release, &case.text)?;
        match (&seen.outcome, seen.answer()) {
            (Outcome::Crash(_), _) => Ok(Some(Wrong::Crash)),
            (Outcome::Answered, Some(Answer::Unsat)) => {
                let sat = matches!(case.expectation, Expectation::Sat { .. }) || self.is_sat(&case.text)?;
                Ok(sat.then_some(Wrong::Soundness))
            }
            (Outcome::Answered, Some(Answer::Sat)) => {
                let opinion = seen.model().map(|model| self.judge.opinion(&case.text, model));
                match opinion {
                    Some(ModelOpinion::Confirmed) => Ok(None),
                    opinion => {
                        if self.is_unsat(&case.text)? {
                            return Ok(Some(Wrong::Soundness));
                        }
                        let refuted = matches!(opinion, Some(ModelOpinion::Refuted { .. }));
                        Ok(refuted.then_some(Wrong::Model))
                    }
                }
            }
            _ => Ok(None),
        }
    }

    /// Whether a script is satisfiable: by a model of a newest release that our evaluation confirms. The other solver is asked
    /// only if the first one does not know.
    fn is_sat(&mut self, script: &str) -> Result<bool, Failure> {
        for spec in [NEWEST, OTHER] {
            let seen = self.ask(spec, script)?;
            let answered = seen.outcome == Outcome::Answered && seen.answer() == Some(Answer::Sat);
            if answered
                && seen
                    .model()
                    .is_some_and(|model| self.judge.opinion(script, model) == ModelOpinion::Confirmed)
            {
                return Ok(true);
            }
            if seen.answer() == Some(Answer::Unsat) {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Whether a script is unsatisfiable: a newest release says so, and another solver does not contradict it.
    fn is_unsat(&mut self, script: &str) -> Result<bool, Failure> {
        let answer = |seen: &Observation| seen.answer().filter(|_| seen.outcome == Outcome::Answered);
        if answer(&self.ask(NEWEST, script)?) != Some(Answer::Unsat) {
            return Ok(false);
        }
        Ok(answer(&self.ask(OTHER, script)?) != Some(Answer::Sat))
    }
}
