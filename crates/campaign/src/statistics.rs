//! What is counted while a campaign runs.

use serde::{Deserialize, Serialize};
use solver::{Answer, Observation, Outcome};
use std::collections::BTreeMap;

/// Counters of a campaign or a part of it. Two can be added.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Statistics {
    /// Cases that were put to solvers.
    pub cases: u64,
    /// Scripts that had been asked before.
    pub duplicates: u64,
    /// Cases that no chosen solver knows the theories of.
    pub unasked: u64,
    /// Cases that were made and not asked, since the cases before them of the same seed all ran out of time.
    pub passed_over: u64,
    /// Wrong results that a fresh process did not show again.
    pub unrepeatable: u64,
    /// Cases that showed something wrong, confirmed.
    pub hits: u64,
    /// Unsatisfiable cores that were checked.
    pub cores: u64,
    /// Runs of cases between push and pop of a solver that stays.
    pub inside: u64,
    /// Runs of cases under options that were set.
    pub configured: u64,
    /// Those thereof that the solver refused or that ended in an error message.
    pub conflicts: u64,
    /// The sum of the hashes of all cases: equal for two runs with the same cases.
    pub digest: u64,
    /// Microseconds that workers were at work.
    pub busy: u64,
    /// Microseconds thereof in which solvers ran.
    pub solving: u64,
    /// What was reached of each solver, where that is measured.
    pub reached: BTreeMap<String, Reach>,
    /// For each solver.
    pub targets: BTreeMap<String, TargetTally>,
    /// For each strategy.
    pub strategies: BTreeMap<String, StrategyTally>,
}

/// How much of a solver was reached. These numbers only grow, and of two the larger is the later one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reach {
    /// How many functions it has.
    pub places: u64,
    /// How many of them were reached.
    pub reached: u64,
    /// How many were reached by the cases of each strategy.
    pub strategies: BTreeMap<String, u64>,
}

impl Reach {
    fn add(&mut self, other: &Reach) {
        self.places = self.places.max(other.places);
        self.reached = self.reached.max(other.reached);
        for (name, count) in &other.strategies {
            let own = self.strategies.entry(name.clone()).or_default();
            *own = (*own).max(*count);
        }
    }
}

/// Counters of one solver.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TargetTally {
    /// Scripts run.
    pub runs: u64,
    /// Questions answered with `sat`.
    pub sat: u64,
    /// Questions answered with `unsat`.
    pub unsat: u64,
    /// Questions answered with `unknown`.
    pub unknown: u64,
    /// Runs that hit the time limit.
    pub timeouts: u64,
    /// Runs that hit another limit.
    pub limits: u64,
    /// Scripts refused as unsupported.
    pub refused: u64,
    /// Scripts that ended in an error message.
    pub errors: u64,
    /// Crashes.
    pub crashes: u64,
    /// Microseconds that its runs took.
    pub time: u64,
    /// The first error message and how often errors were seen, for people to look at.
    pub error_sample: String,
    /// Why it could not be kept warm, if so.
    pub fallback: String,
}

/// Counters of one strategy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StrategyTally {
    /// Cases put to solvers.
    pub cases: u64,
    /// Runs of these cases that were accepted, and all runs.
    pub accepted: u64,
    /// All runs of these cases.
    pub runs: u64,
    /// Cases that showed something wrong, confirmed.
    pub hits: u64,
    /// Units of work on seeds that it cannot use.
    pub unfit: u64,
}

impl TargetTally {
    /// Counts a run.
    pub fn count(&mut self, seen: &Observation) {
        self.runs += 1;
        self.time += seen.wall.as_micros() as u64;
        for answer in &seen.answers {
            match answer {
                Answer::Sat => self.sat += 1,
                Answer::Unsat => self.unsat += 1,
                Answer::Unknown => self.unknown += 1,
                Answer::Missing => {}
            }
        }
        match &seen.outcome {
            Outcome::Timeout => self.timeouts += 1,
            Outcome::OutOfMemory | Outcome::OutputLimit | Outcome::Interrupted { .. } => self.limits += 1,
            Outcome::Crash(_) => self.crashes += 1,
            Outcome::Refused { reason } => {
                self.refused += 1;
                note(&mut self.error_sample, reason);
            }
            Outcome::Error { message } => {
                self.errors += 1;
                note(&mut self.error_sample, message);
            }
            Outcome::Answered | Outcome::InvalidModel { .. } | Outcome::InvalidProof { .. } => {}
        }
        if let Some(reason) = &seen.fallback {
            note(&mut self.fallback, reason);
        }
    }

    fn add(&mut self, other: &TargetTally) {
        let pairs = [
            (&mut self.runs, other.runs),
            (&mut self.sat, other.sat),
            (&mut self.unsat, other.unsat),
            (&mut self.unknown, other.unknown),
            (&mut self.timeouts, other.timeouts),
            (&mut self.limits, other.limits),
            (&mut self.refused, other.refused),
            (&mut self.errors, other.errors),
            (&mut self.crashes, other.crashes),
            (&mut self.time, other.time),
        ];
        for (own, more) in pairs {
            *own += more;
        }
        note(&mut self.error_sample, &other.error_sample);
        note(&mut self.fallback, &other.fallback);
    }
}

/// Keeps the first text.
fn note(kept: &mut String, text: &str) {
    if kept.is_empty() {
        kept.push_str(text);
    }
}

/// Whether a solver took the script at all.
pub fn accepted(seen: &Observation) -> bool {
    !matches!(seen.outcome, Outcome::Error { .. } | Outcome::Refused { .. })
}

impl Statistics {
    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &Statistics) {
        let pairs = [
            (&mut self.cases, other.cases),
            (&mut self.duplicates, other.duplicates),
            (&mut self.unasked, other.unasked),
            (&mut self.passed_over, other.passed_over),
            (&mut self.unrepeatable, other.unrepeatable),
            (&mut self.hits, other.hits),
            (&mut self.cores, other.cores),
            (&mut self.inside, other.inside),
            (&mut self.configured, other.configured),
            (&mut self.conflicts, other.conflicts),
            (&mut self.busy, other.busy),
            (&mut self.solving, other.solving),
        ];
        for (own, more) in pairs {
            *own += more;
        }
        self.digest = self.digest.wrapping_add(other.digest);
        for (id, reach) in &other.reached {
            self.note_reach(id, reach);
        }
        for (id, tally) in &other.targets {
            self.targets.entry(id.clone()).or_default().add(tally);
        }
        for (name, tally) in &other.strategies {
            let own = self.strategies.entry(name.clone()).or_default();
            own.cases += tally.cases;
            own.accepted += tally.accepted;
            own.runs += tally.runs;
            own.hits += tally.hits;
            own.unfit += tally.unfit;
        }
    }

    /// Notes how much of a solver was reached.
    pub fn note_reach(&mut self, id: &str, reach: &Reach) {
        self.reached.entry(id.to_owned()).or_default().add(reach);
    }

    /// Scripts run, over all solvers.
    pub fn runs(&self) -> u64 {
        self.targets.values().map(|tally| tally.runs).sum()
    }

    /// The share of runs in which the solver took the script, from 0 to 1.
    pub fn accepted_share(&self) -> Option<f64> {
        let refused: u64 = self.targets.values().map(|tally| tally.errors + tally.refused).sum();
        share(self.runs() - refused, self.runs())
    }

    /// The share of the workers' time in which solvers ran, from 0 to 1.
    pub fn solver_share(&self) -> Option<f64> {
        share(self.solving, self.busy)
    }
}

/// A part of a whole, if there is a whole.
pub fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
