//! Known bugs of old releases, and whether such a release is wrong about a mutant.

use crate::{Failure, NEWEST, OTHER, target};
use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, Observation, Outcome, RunMode, RunRequest, Runner, runner};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use strategies::{Case, Expectation};
use triage::{Evaluated, ModelJudge, ModelOpinion};

/// The time limit of a question.
const LIMIT: Duration = Duration::from_millis(300);

/// A formula and a release with a bug on it.
#[derive(Clone, Debug)]
pub struct Known {
    /// The name of the formula.
    pub formula: String,
    /// Its text.
    pub text: String,
    /// The release, such as `z3@4.8.7`.
    pub release: String,
}

/// The class of a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// A wrong answer.
    Soundness,
    /// An invalid model; the answer may be right.
    Model,
    /// A crash.
    Crash,
}

/// The formulas with a known bug, each with the first affected release of the table.
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

/// Judges answers with warm solvers and our evaluator.
#[derive(Default)]
pub struct Judges {
    runners: BTreeMap<String, Box<dyn Runner>>,
    judge: Evaluated,
    /// The CPU time of all solvers so far.
    pub cpu: Duration,
}

impl Judges {
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

    /// The bug that a release shows on a case.
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

    /// Whether our evaluator confirms a model of a new release. The second solver is asked only if the first gives no answer.
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

    /// Whether a new release answers `unsat` and a second solver does not contradict it.
    fn is_unsat(&mut self, script: &str) -> Result<bool, Failure> {
        let answer = |seen: &Observation| seen.answer().filter(|_| seen.outcome == Outcome::Answered);
        if answer(&self.ask(NEWEST, script)?) != Some(Answer::Unsat) {
            return Ok(false);
        }
        Ok(answer(&self.ask(OTHER, script)?) != Some(Answer::Sat))
    }
}
