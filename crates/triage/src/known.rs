//! The list of bugs that have been reported already.

use crate::automatic::{Identity, TriagedFinding};
use crate::blame::blame;
use crate::cluster::{Facts, stored_facts};
use crate::error::TriageError;
use crate::predicate::Participant;
use crate::releases::{Probe, State, probe};
use crate::source::SolverSource;
use crate::subject::Subject;
use case::files::replace;
use case::{Class, Predicate};
use serde::{Deserialize, Serialize};
use solver::Target;
use solver::install::Version;
use solver::run::Limits;
use std::path::Path;
use store::{Listed, ListedSolver};

/// The version of the file format. Version 1 kept claims as sentences.
const FORMAT: u32 = 2;

/// A bug that has been reported.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KnownBug {
    /// The key of the finding's signature.
    pub signature: String,
    /// Where it was reported.
    pub link: String,
    /// What the script shows about the solvers that are wrong.
    pub predicate: Predicate,
    /// The first release that no longer shows it.
    pub fixed_in: Option<String>,
    /// The facts that it is compared by.
    pub facts: Facts,
    /// The script.
    pub script: String,
}

/// The list of known bugs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KnownBugs {
    /// The version of the format.
    #[serde(default)]
    format: u32,
    /// The bugs.
    pub entries: Vec<KnownBug>,
}

impl Default for KnownBugs {
    fn default() -> Self {
        KnownBugs { format: FORMAT, entries: Vec::new() }
    }
}

impl KnownBugs {
    /// Reads the list. A missing file is an empty list.
    pub fn read(path: &Path) -> Result<KnownBugs, TriageError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(KnownBugs::default()),
            Err(error) => return Err(TriageError::io(path)(error)),
        };
        KnownBugs::parse(&text, path)
    }

    /// The list that a text states. Errors name `path`.
    pub fn parse(text: &str, path: &Path) -> Result<KnownBugs, TriageError> {
        let wrong = |error: String| TriageError::Format {
            path: path.to_owned(),
            what: "a list of known bugs that this version reads",
            error,
        };
        let format = serde_json::from_str::<serde_json::Value>(text)
            .map_err(|error| wrong(error.to_string()))?
            .get("format")
            .and_then(serde_json::Value::as_u64)
            .unwrap_or(1);
        if format != u64::from(FORMAT) {
            return Err(wrong(format!("it has format {format}, this version reads format {FORMAT}")));
        }
        serde_json::from_str(text).map_err(|error| wrong(error.to_string()))
    }

    /// Writes the list.
    pub fn write(&self, path: &Path) -> Result<(), TriageError> {
        // The list is the user's work: an interruption leaves the old one or the new one.
        Ok(replace(path, &self.text())?)
    }

    /// The list as a text.
    pub fn text(&self) -> String {
        format!("{:#}\n", serde_json::json!(self))
    }

    /// Takes over what another copy of the list knows about repairs.
    pub fn take_repairs(&mut self, checked: &KnownBugs) {
        for bug in &mut self.entries {
            if let Some(other) = checked.entries.iter().find(|other| other.signature == bug.signature) {
                bug.fixed_in.clone_from(&other.fixed_in);
            }
        }
    }

    /// Adds a bug, replacing one with the same signature.
    pub fn add(&mut self, bug: KnownBug) {
        self.entries.retain(|other| other.signature != bug.signature);
        self.entries.push(bug);
    }

    /// Removes the bug with this number, counted from 1.
    pub fn remove(&mut self, number: usize) -> Result<KnownBug, TriageError> {
        let index = number.checked_sub(1).filter(|&index| index < self.entries.len());
        let unknown =
            || TriageError::other(format!("no entry {number}"), "`elenchus known list` shows the entries");
        Ok(self.entries.remove(index.ok_or_else(unknown)?))
    }

    /// The known bug that a finding repeats, by its signature.
    pub fn repeated(&self, listed: &Listed) -> Option<&KnownBug> {
        let in_force = |bug: &&KnownBug| bug.in_force(&listed.solvers);
        self.entries.iter().filter(in_force).find(|bug| bug.signature == listed.signature)
    }

    /// The known bug that a finding repeats, by its signature or by its facts.
    pub fn likely_repeated(&self, listed: &Listed, facts: &[Facts]) -> Option<&KnownBug> {
        self.repeated(listed).or_else(|| {
            let own = facts.iter().find(|facts| facts.name == listed.id)?;
            let first_bad = |facts: &Facts| facts.releases.as_ref().map(|range| range.first_bad.clone());
            // Without releases, wrong answers with the same operators may still be different bugs.
            let comparable = |bug: &&KnownBug| own.crash.is_some() || first_bad(&bug.facts) == first_bad(own);
            let in_force = |bug: &&KnownBug| bug.in_force(&listed.solvers);
            self.entries.iter().filter(in_force).filter(comparable).find(|bug| bug.facts.is_same(own))
        })
    }

    /// The known bug that a finding with this folder repeats, by its signature or by what identifies it after triage.
    pub fn repeated_in(&self, folder: &Path, listed: &Listed) -> Option<&KnownBug> {
        self.repeated(listed).or_else(|| {
            let identity = &TriagedFinding::saved(folder)?.identity;
            let in_force = |bug: &&KnownBug| bug.in_force(&listed.solvers);
            let same = |bug: &&KnownBug| bug.identity().is_some_and(|own| own.is_same_failure(identity));
            self.entries.iter().filter(in_force).find(same)
        })
    }

    /// Runs the bugs of a solver on one of its releases, and records which ones it has fixed.
    pub fn check(
        &mut self,
        target: &Target,
        limits: Limits,
        report: &mut dyn FnMut(&KnownBug, &Probe),
    ) -> Result<(), TriageError> {
        for bug in self.entries.iter_mut().filter(|bug| bug.facts.solver == target.name) {
            let Some(clause) = bug.predicate.clauses.first() else { continue };
            let participant = Participant::new(clause, target, limits);
            let probe = probe(&participant, &bug.script, limits)?;
            report(bug, &probe);
            match probe.state {
                State::Good if bug.fixed_in.is_none() => bug.fixed_in = Some(target.version.clone()),
                State::Bad => bug.fixed_in = None,
                _ => {}
            }
        }
        Ok(())
    }
}

impl KnownBug {
    /// The entry for a subject. Runs it first to confirm that it shows what it claims.
    pub fn new(
        subject: Subject,
        link: String,
        limits: Limits,
        out: &Path,
        source: &dyn SolverSource,
    ) -> Result<KnownBug, TriageError> {
        let clauses = subject.clauses(source)?;
        let established = subject.establish(&clauses, limits)?;
        let stored = stored_facts(out).into_iter().find(|facts| facts.name == subject.origin);
        let facts =
            stored.unwrap_or_else(|| Facts::of_established(&subject.origin, &subject.script, &established));
        // Only a crash has a signature before triage that is as narrow as the bug.
        let signature = match &subject.finding {
            Some(stored) if stored.listed.class == Class::Crash => stored.listed.signature.clone(),
            _ => facts.signature(),
        };
        // Only the wrong solvers can be fixed.
        let wrong = blame(&established).suspects;
        let clauses =
            wrong.iter().filter_map(|index| subject.predicate.clauses.get(index.get()).cloned()).collect();
        let predicate = Predicate { clauses };
        Ok(KnownBug { signature, link, predicate, fixed_in: None, facts, script: subject.script })
    }

    /// What identifies the bug; `None` if the entry claims nothing.
    fn identity(&self) -> Option<Identity> {
        let clause = self.predicate.clauses.first()?;
        Some(Identity::new(self.facts.class, clause, &self.facts, &self.script))
    }

    /// Whether the entry applies to one of these solvers. From the fixing release on, the same signature is a new bug.
    fn in_force(&self, solvers: &[ListedSolver]) -> bool {
        let Some(fixed) = self.fixed_in.as_deref().and_then(Version::parse) else { return true };
        let own = solvers.iter().filter(|solver| solver.name == self.facts.solver);
        own.filter_map(|solver| Version::parse(&solver.version)).any(|release| release < fixed)
    }
}
