//! The input of `reduce`, `bisect` and `report`: a script with what it must go on showing.

use crate::automatic::TriagedFinding;
use crate::error::TriageError;
use crate::oracle::{Evaluated, ModelJudge, ModelOpinion};
use crate::predicate::{Basis, Established, establish};
use crate::source::SolverSource;
use case::{Answer, Class, Clause, Expectation, Finding, Predicate};
use solver::Target;
use solver::run::{Limits, asking_for_model};
use std::path::{Path, PathBuf};
use store::{Listed, Store};

/// The reduced script in the folder of a finding.
pub const REDUCED: &str = "reduced.smt2";

/// A script with what it shows.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The script.
    pub script: String,
    /// What it shows.
    pub predicate: Predicate,
    /// Where it comes from, for people.
    pub origin: String,
    /// A model of the script, if one is known from its reduction.
    pub model: Option<String>,
    /// The finding, if the script belongs to one.
    pub finding: Option<StoredFinding>,
}

/// A finding with its list entry and its folder.
#[derive(Clone, Debug)]
pub struct StoredFinding {
    /// Its entry in the list.
    pub listed: Listed,
    /// What is known about it.
    pub finding: Finding,
    /// Its folder.
    pub folder: PathBuf,
}

/// Which script of a finding to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The case as it was found.
    Case,
    /// The reduced script, if there is one.
    Reduced,
}

impl Subject {
    /// A script from outside a campaign.
    pub fn of_script(script: String, predicate: Predicate, origin: impl Into<String>) -> Subject {
        Subject { script, predicate, origin: origin.into(), model: None, finding: None }
    }

    /// Goes on with what triage has made of it.
    pub fn continue_with(&mut self, triaged: &TriagedFinding) {
        self.script.clone_from(&triaged.script);
        self.predicate = triaged.predicate.clone();
        self.model.clone_from(&triaged.model);
    }

    /// The finding with this name in the folder of a campaign. `keep` overrides its predicate.
    pub fn of_finding(
        out: &Path,
        id: &str,
        version: Version,
        keep: Option<Predicate>,
    ) -> Result<Subject, TriageError> {
        let store = Store::open_existing(out)?;
        let listed = store.find(id)?;
        let (finding, case, _) = store.read(&listed)?;
        let case = as_asked(&finding, case);
        let folder = out.join(&listed.folder);
        let triaged = TriagedFinding::saved(&folder).filter(|_| version == Version::Reduced);
        let script = match version {
            Version::Reduced => reduced_or(&folder, case),
            Version::Case => case,
        };
        let plainest = triaged.as_ref().map(|triaged| triaged.predicate.clone());
        let predicate = keep.or(plainest).or_else(|| finding.predicate.clone()).ok_or_else(|| {
            TriageError::other(
                format!("no plain run can show a finding of class {}", finding.class),
                "state what it shows with --keep",
            )
        })?;
        let origin = listed.id.clone();
        let model = triaged.and_then(|triaged| triaged.model);
        let finding = Some(StoredFinding { listed, finding, folder });
        Ok(Subject { script, predicate, origin, model, finding })
    }

    /// The folder of the finding, if the script belongs to one.
    pub fn folder(&self) -> Option<&Path> {
        self.finding.as_ref().map(|stored| stored.folder.as_path())
    }

    /// The solvers of the predicate, installed if necessary.
    pub fn clauses(&self, source: &dyn SolverSource) -> Result<Vec<(Clause, Target)>, TriageError> {
        let target = |clause: &Clause| Ok((clause.clone(), source.resolve(&clause.spec)?));
        self.predicate.clauses.iter().map(target).collect()
    }

    /// Runs the script on the plain executables. Fails, with what they did, if they do not show the predicate.
    pub fn establish(
        &self,
        clauses: &[(Clause, Target)],
        limits: Limits,
    ) -> Result<Established, TriageError> {
        let mut established =
            establish(&self.script, clauses, limits)?.map_err(|not_shown| TriageError::NotShown {
                origin: self.origin.clone(),
                predicate: self.predicate.clone(),
                seen: not_shown.seen,
            })?;
        if established.basis == Basis::Answers
            && let Some(model) = self.known_model()
        {
            established.basis = model;
        }
        Ok(established)
    }

    /// The model that the case was built with or that its reduction kept, if a solver answers `unsat` and our evaluation confirms
    /// the model.
    fn known_model(&self) -> Option<Basis> {
        let built_with = self.finding.as_ref().and_then(|stored| match &stored.finding.expectation {
            Expectation::Sat { model } => Some((model, "the construction of the case")),
            _ => None,
        });
        let kept = self.model.as_ref().map(|model| (model, "the reduction"));
        let says_unsat = |clause: &Clause| clause.claim.answer() == Some(Answer::Unsat);
        if !self.predicate.clauses.iter().any(says_unsat) {
            return None;
        }
        let confirmed = |&(model, _): &(&String, &str)| {
            Evaluated::default().opinion(&self.script, model) == ModelOpinion::Confirmed
        };
        let (model, from) = kept.into_iter().chain(built_with).find(confirmed)?;
        Some(Basis::Model { model: model.clone(), from: from.to_owned() })
    }
}

/// The reduced script of a finding, or its case if it was never reduced.
pub fn reduced_or(folder: &Path, case: String) -> String {
    std::fs::read_to_string(folder.join(REDUCED)).unwrap_or(case)
}

/// The case of a finding as the solver received it. Some crashes happen only in `(get-model)`, which the case itself lacks.
pub fn as_asked(finding: &Finding, case: String) -> String {
    match finding.class == Class::Crash && finding.models {
        true => asking_for_model(&case),
        false => case,
    }
}
