//! What `reduce`, `bisect` and `report` work on: a script with what it must go on showing, from a file or from a finding.

use crate::commands::fuzz::{resolve, store_failure};
use crate::commands::model::read_text;
use crate::commands::solver::failure;
use crate::outcome::Failure;
use clap::Args;
use solver::install::Settings;
use solver::run::Limits;
use solver::{Answer, Target};
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::{Finding, Listed, Store, TargetRecord};
use triage::predicate::{Basis, Claim, Clause, Established, Predicate, establish};
use triage::{Evaluated, ModelJudge, ModelOpinion};

/// A script with what is wrong about it.
pub struct Subject {
    /// The script.
    pub script: String,
    /// What it shows.
    pub predicate: Predicate,
    /// Where it came from, for people.
    pub origin: String,
    /// The finding, its entry and its folder, if it is one.
    pub finding: Option<(Listed, Finding, PathBuf)>,
}

/// Arguments that say what to work on.
#[derive(Args)]
pub struct SubjectArgs {
    /// A script, or the name of a finding
    #[arg(value_name = "FILE|ID")]
    pub subject: String,
    /// What a script must go on showing, such as 'z3@4.8.10 says unsat, cvc5 says sat'
    #[arg(long = "keep", value_name = "CLAIMS")]
    pub predicate: Option<String>,
    /// The folder of the campaign that the finding belongs to
    #[arg(long, value_name = "DIR", default_value = crate::commands::fuzz::DEFAULT_OUT)]
    pub out: PathBuf,
    /// Time limit for a run of the whole script, in seconds
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS")]
    pub timeout: f64,
}

impl SubjectArgs {
    /// Reads the script and what it is to show. A finding that was reduced already counts as what it was reduced to.
    pub fn read(&self, reduced: bool) -> Result<Subject, Failure> {
        let path = Path::new(&self.subject);
        if path.is_file() {
            let Some(predicate) = &self.predicate else {
                return Err(Failure::new("it is not said what the script shows")
                    .hint("add --keep 'z3@4.8.10 says unsat, cvc5 says sat', or name a finding"));
            };
            let script = read_text(path)?;
            return Ok(Subject {
                script,
                predicate: sentence(predicate)?,
                origin: self.subject.clone(),
                finding: None,
            });
        }
        if self.subject.contains('/') || self.subject.ends_with(".smt2") {
            return Err(Failure::new(format!("there is no file {}", self.subject)).hint("check the path"));
        }
        let store = Store::look(&self.out).map_err(store_failure)?;
        let listed = store.find(&self.subject).map_err(store_failure)?;
        let (finding, case, _) = store.read(&listed).map_err(store_failure)?;
        let folder = self.out.join(&listed.folder);
        let smaller = folder.join("reduced.smt2");
        let script = if reduced && smaller.is_file() { read_text(&smaller)? } else { case };
        let predicate = match &self.predicate {
            Some(predicate) => sentence(predicate)?,
            None => claims_of(&finding).ok_or_else(|| {
                Failure::new(format!(
                    "a finding of the class {} cannot be checked by a plain run",
                    finding.class
                ))
                .hint("say what it shows with --keep")
            })?,
        };
        let origin = listed.id.clone();
        Ok(Subject { script, predicate, origin, finding: Some((listed, finding, folder)) })
    }

    /// The limits of a run of the whole script.
    pub fn limits(&self) -> Result<Limits, Failure> {
        let wall = Duration::try_from_secs_f64(self.timeout).ok().filter(|wall| !wall.is_zero());
        let wall = wall.ok_or_else(|| {
            Failure::new(format!("{} is not a time limit", self.timeout)).hint("give seconds, such as 2.5")
        })?;
        Ok(Limits { wall, ..Limits::default() })
    }
}

impl Subject {
    /// The solvers of the claims, installed if need be.
    pub fn clauses(&self) -> Result<Vec<(Clause, Target)>, Failure> {
        let places = places()?;
        let target = |clause: &Clause| Ok((clause.clone(), resolve(&clause.spec, &places)?));
        self.predicate.clauses.iter().map(target).collect()
    }

    /// Runs the script on the plain executables and fails, with what they did, if it does not show what it is to show.
    pub fn establish(&self, clauses: &[(Clause, Target)], limits: Limits) -> Result<Established, Failure> {
        let established =
            establish(&self.script, clauses, limits).map_err(crate::commands::solve::run_failure)?;
        let mut established = established.map_err(|not| {
            let seen: Vec<String> = not.seen.iter().map(|(id, did)| format!("{id}: {did}")).collect();
            Failure::new(format!(
                "{} does not show that {}; {}",
                self.origin,
                self.predicate,
                seen.join("; ")
            ))
            .hint("check the releases and the options, or give more time with --timeout")
        })?;
        if established.basis == Basis::Answers
            && let Some(model) = self.witness()
        {
            established.basis = Basis::Model { model, from: "the case's own making".to_owned() };
        }
        Ok(established)
    }

    /// The model that the script was made to have, if somebody says `unsat` and our evaluation confirms it.
    fn witness(&self) -> Option<String> {
        let (_, finding, _) = self.finding.as_ref()?;
        let says_unsat = |clause: &Clause| clause.claim == Claim::Says(Answer::Unsat);
        let witness = finding.witness.as_ref().filter(|_| self.predicate.clauses.iter().any(says_unsat))?;
        let confirmed = Evaluated::default().opinion(&self.script, witness) == ModelOpinion::Confirmed;
        confirmed.then(|| witness.clone())
    }
}

/// Where solvers are.
pub fn places() -> Result<Settings, Failure> {
    let mut places = Settings::from_environment().map_err(failure)?;
    places.read_default_config().map_err(failure)?;
    Ok(places)
}

fn sentence(text: &str) -> Result<Predicate, Failure> {
    Predicate::parse(text).map_err(|error| Failure::new(error.to_string()).hint(error.hint()))
}

/// What a finding shows, in terms of what its solvers did.
pub fn claims_of(finding: &Finding) -> Option<Predicate> {
    let clause = |target: &TargetRecord, claim: Claim| Clause {
        spec: target.spec.clone(),
        options: target.options.clone(),
        claim,
    };
    let clauses: Vec<Clause> = match finding.class.as_str() {
        "crash" => finding
            .targets
            .iter()
            .filter(|target| target.suspect)
            .filter_map(|target| {
                let what = target.result.split_once("crash: ")?.1.trim_end_matches(')');
                let mut clause = clause(target, Claim::Crashes(Some(what.to_owned())));
                // It may crash in the check of its own model.
                clause.options.extend(target.checks.iter().cloned());
                Some(clause)
            })
            .collect(),
        "invalid-model" => finding
            .targets
            .iter()
            .filter(|target| target.suspect)
            .map(|target| {
                let own = target.result.contains("invalid model");
                clause(target, if own { Claim::OwnModelCheck } else { Claim::WrongModel })
            })
            .collect(),
        "invalid-proof" => finding
            .targets
            .iter()
            .filter(|target| target.suspect)
            .map(|target| clause(target, Claim::OwnProofCheck))
            .collect(),
        "invalid-core" => finding
            .targets
            .iter()
            .map(|target| {
                clause(target, if target.suspect { Claim::WrongCore } else { Claim::SatisfiesCore })
            })
            .collect(),
        "performance" => finding
            .targets
            .iter()
            .map(|target| clause(target, if target.suspect { Claim::Slow(None) } else { Claim::Fast(None) }))
            .collect(),
        "wrong-unsat" | "wrong-sat" | "contradiction" => {
            let answers: Vec<(&TargetRecord, Vec<&str>)> = finding
                .targets
                .iter()
                .map(|target| (target, target.result.split_whitespace().collect()))
                .collect();
            let most = answers.iter().map(|(_, words)| words.len()).max().unwrap_or(0);
            let says =
                |index: usize, word: &str| answers.iter().any(|(_, words)| words.get(index) == Some(&word));
            // Against what is known by construction there may be no other solver.
            let contradicted = (0..most).find(|&index| says(index, "sat") && says(index, "unsat"));
            let index = contradicted.unwrap_or(0);
            let claim = |words: &Vec<&str>| match words.get(index) {
                Some(&"sat") => Some(Claim::Says(Answer::Sat)),
                Some(&"unsat") => Some(Claim::Says(Answer::Unsat)),
                _ => None,
            };
            answers.iter().filter_map(|(target, words)| Some(clause(target, claim(words)?))).collect()
        }
        _ => Vec::new(),
    };
    (!clauses.is_empty()).then_some(Predicate { clauses })
}
