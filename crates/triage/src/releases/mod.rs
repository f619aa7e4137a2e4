//! Which releases of a solver show a bug.

mod probe;
mod search;

use probe::correct_wrong_unsat;
pub use probe::{Probe, ProbeNote, probe, probe_release};
pub use search::{Effort, Found, State, search};

use crate::blame::blame;
use crate::error::TriageError;
use crate::oracle::run_result;
use crate::predicate::Established;
use crate::source::{Listing, SolverSource, name_and_release};
use case::hash::fnv1a;
use case::table::align;
use case::{Claim, ParticipantIndex};
use serde::{Deserialize, Serialize};
use solver::install::Version;
use solver::run::Limits;
use std::path::Path;

/// The file in the folder of a finding.
const FILE: &str = "releases.json";

/// Which releases of a solver show a bug.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Releases {
    /// The solver.
    pub solver: String,
    /// The releases that were tested, oldest first.
    pub probes: Vec<Probe>,
    /// The other releases that were available then, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untested: Vec<String>,
    /// The first bad release.
    pub first_bad: String,
    /// Whether no older release is known to be good: there is none, or those that were tested are unclear.
    pub no_good_before: bool,
    /// The first good release after it; `None` if the newest is not good.
    pub first_good: Option<String>,
    /// The newest available release.
    pub newest: Option<Probe>,
    /// Whether it is undecided who is wrong: a release that shows the contradiction may be right.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undecided: bool,
}

impl Releases {
    /// One sentence about the releases.
    pub fn sentence(&self) -> String {
        let (wrong, right) = match self.undecided {
            true => ("shown", "no longer"),
            false => ("wrong", "right again"),
        };
        let since = match self.no_good_before {
            true => format!("{wrong} as far back as {}", self.first_bad),
            false => format!("{wrong} since {}", self.first_bad),
        };
        match (&self.first_good, &self.newest) {
            (Some(good), _) => format!("{since}, {right} since {good}"),
            (None, Some(newest)) if newest.state == State::Bad => {
                format!("{since}, and still {wrong} in the newest release, {}", newest.release)
            }
            (None, Some(newest)) => {
                format!("{since}; unclear in the newest release, {}: {}", newest.release, newest.did())
            }
            (None, None) => since,
        }
    }

    /// A word for the state of a release, for tables.
    pub fn word(&self, state: State) -> &'static str {
        match state {
            State::Bad if self.undecided => "shown",
            State::Good if self.undecided => "not shown",
            state => state.word(),
        }
    }

    /// A table of the tested releases, and the sentence about them.
    pub fn lines(&self) -> Vec<String> {
        let row = |probe: &Probe| vec![probe.release.clone(), self.word(probe.state).to_owned(), probe.did()];
        let rows: Vec<Vec<String>> = self.probes.iter().map(row).collect();
        let mut lines = align(&rows);
        lines.push(format!("{}: {}", self.solver, self.sentence()));
        lines
    }

    /// All releases, oldest first, each with its test if there was one.
    pub fn all(&self) -> Vec<(&str, Option<&Probe>)> {
        let tested = self.probes.iter().map(|probe| (probe.release.as_str(), Some(probe)));
        let mut all: Vec<_> = tested.chain(self.untested.iter().map(|release| (&**release, None))).collect();
        all.sort_by_key(|(release, _)| Version::parse(number(release)));
        all
    }

    /// The bad releases in a few words, such as `4.8.7..4.8.10` or `5.1.0..newest`.
    pub fn range(&self) -> String {
        let bad = self.probes.iter().rev().find(|probe| probe.state == State::Bad);
        let last = match (&self.first_good, &self.newest) {
            (None, Some(newest)) if newest.state == State::Bad => "newest".to_owned(),
            _ => bad.map_or("?", |probe| number(&probe.release)).to_owned(),
        };
        format!("{}..{last}", number(&self.first_bad))
    }

    /// The releases that were saved for this very script in the folder of its finding.
    pub fn saved(folder: &Path, script: &str) -> Option<Releases> {
        let text = std::fs::read_to_string(folder.join(FILE)).ok()?;
        let saved: Saved = serde_json::from_str(&text).ok()?;
        (saved.script == fnv1a(script)).then_some(saved.releases)
    }

    /// Saves the releases of a script into the folder of its finding.
    pub fn save(&self, folder: &Path, script: &str) -> Result<(), TriageError> {
        let path = folder.join(FILE);
        let saved = Saved { script: fnv1a(script), releases: self.clone() };
        std::fs::write(&path, format!("{:#}\n", serde_json::json!(saved))).map_err(TriageError::io(&path))
    }
}

/// The part of a release's name that says which one it is.
fn number(release: &str) -> &str {
    release.rsplit('@').next().unwrap_or_default()
}

/// The content of the file. If the finding is reduced later, its script changes and the releases are tested again.
#[derive(Serialize, Deserialize)]
struct Saved {
    script: u64,
    releases: Releases,
}

/// Tests the releases of the solver that is wrong. `report` receives each result as it comes.
pub fn bisect(
    script: &str,
    established: &Established,
    limits: Limits,
    effort: Effort,
    source: &dyn SolverSource,
    report: &mut dyn FnMut(&Probe),
) -> Result<Releases, TriageError> {
    let mut all = ParticipantIndex::all(established.participants.len());
    // A release is compared with itself if the bug is that a release contradicts itself.
    let plain = all.find(|&index| established.participant(index).is_plain());
    let blame = blame(established);
    let blamed = blame.first_suspect();
    let suspect = plain.unwrap_or(blamed);
    let participant = established.participant(suspect);
    let Some((name, release)) = name_and_release(&participant.target, source.settings()) else {
        return Err(TriageError::other(
            "the solver that is wrong is not a release that can be installed",
            "name it as in z3@4.8.10; `elenchus solver list --available` shows the releases",
        ));
    };
    let Listing { mut labels, .. } = source.releases(&name);
    if !labels.contains(&release) {
        labels.push(release.clone());
        labels.sort_by_key(|label| Version::parse(label));
    }
    let known = labels.iter().position(|label| *label == release).unwrap_or(0);
    let mut probes: Vec<Option<Probe>> = vec![None; labels.len()];
    probes[known] = Some(Probe {
        release: format!("{name}@{release}"),
        state: State::Bad,
        result: Some(run_result(established.run(blamed))),
        cpu_ms: None,
        note: (participant.claim == Claim::WrongModel).then_some(ProbeNote::ModelRefuted),
    });
    let found = loop {
        let found = search(labels.len(), known, effort, &mut |index| {
            if let Some(probe) = &probes[index] {
                return Ok(probe.state);
            }
            let spec = format!("{name}@{}", labels[index]);
            let probe = probe_release(participant, &spec, script, source, limits)?;
            report(&probe);
            let state = probe.state;
            probes[index] = Some(probe);
            Ok::<State, TriageError>(state)
        })?;
        // A model of the script turns earlier `unsat` answers into wrong ones, so the search continues with the corrected states.
        if !correct_wrong_unsat(&mut probes) {
            break found;
        }
    };
    let named = |index: usize| format!("{name}@{}", labels[index]);
    let mut before = probes[..found.first_bad].iter().flatten();
    let left_out = (0..labels.len()).filter(|&index| probes[index].is_none());
    Ok(Releases {
        first_bad: named(found.first_bad),
        no_good_before: before.all(|probe| probe.state != State::Good),
        first_good: found.first_good.map(named),
        untested: left_out.map(named).collect(),
        newest: probes.last().cloned().flatten(),
        probes: probes.into_iter().flatten().collect(),
        undecided: !blame.decided,
        solver: name,
    })
}
