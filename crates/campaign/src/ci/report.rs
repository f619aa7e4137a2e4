//! The result of a CI run.

use super::standing::Standing;
use case::{Class, Severity};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// The result of a CI run.
#[derive(Clone, Debug)]
pub struct CiReport {
    /// The build that is tested.
    pub candidate: String,
    /// The build that it is compared with.
    pub baseline: String,
    /// The folder of the findings.
    pub folder: PathBuf,
    /// The number that all random choices follow from.
    pub random_seed: u64,
    /// How many seeds ran unchanged.
    pub seeds: u64,
    /// How many cases fuzzing made.
    pub cases: u64,
    /// Wrong results that the candidate and the baseline both gave while they were fuzzed.
    pub shared: u64,
    /// The findings, the most severe first.
    pub findings: Vec<JudgedFinding>,
    /// How long it took.
    pub elapsed: Duration,
    /// Whether the user ended it early.
    pub interrupted: bool,
}

/// What a CI run did when it met a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// It ran the seeds.
    Seeds,
    /// It tested findings of earlier runs.
    Regressions,
    /// It fuzzed.
    Fuzzing,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Phase; 3] = [Phase::Seeds, Phase::Regressions, Phase::Fuzzing];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Seeds => "seeds",
            Phase::Regressions => "regressions",
            Phase::Fuzzing => "fuzzing",
        }
    }
}

/// A finding with what it means for the candidate.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedFinding {
    /// The name of the finding, or of its script.
    pub id: String,
    /// When the run met it.
    pub phase: Phase,
    /// The kind of bug.
    pub class: Class,
    /// How severe it is.
    pub severity: Severity,
    /// One line for people.
    pub title: String,
    /// What it means for the candidate.
    #[serde(flatten)]
    pub standing: Standing,
    /// What the candidate did; empty if it did not run.
    pub candidate_did: String,
    /// What the baseline did; empty if it did not run.
    pub baseline_did: String,
    /// The script.
    pub script: String,
    /// The file of the script.
    pub file: PathBuf,
    /// A command that shows it again.
    pub reproduce: String,
    /// The finding that is the same bug, if any.
    pub merged_into: Option<String>,
}

/// The result in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CiVerdict {
    /// Nothing is new.
    Passed,
    /// A finding is new.
    Failed,
    /// The user ended the run before there was a new finding.
    Interrupted,
}

impl CiReport {
    /// The verdict.
    pub fn verdict(&self) -> CiVerdict {
        match self.new_findings().next() {
            Some(_) => CiVerdict::Failed,
            None if self.interrupted => CiVerdict::Interrupted,
            None => CiVerdict::Passed,
        }
    }

    /// The new findings.
    pub fn new_findings(&self) -> impl Iterator<Item = &JudgedFinding> {
        self.findings.iter().filter(|finding| finding.standing == Standing::New)
    }

    /// The findings of a phase.
    pub fn of_phase(&self, phase: Phase) -> impl Iterator<Item = &JudgedFinding> {
        self.findings.iter().filter(move |finding| finding.phase == phase)
    }

    /// One sentence about the result.
    pub fn sentence(&self) -> String {
        let new = self.new_findings().count();
        match self.verdict() {
            CiVerdict::Passed => format!("no new finding in {}", self.candidate),
            CiVerdict::Failed => {
                format!("{} in {}", case::table::counted(new, "new finding"), self.candidate)
            }
            CiVerdict::Interrupted => "interrupted: no verdict".to_owned(),
        }
    }
}
