//! The counters of a campaign.

use crate::operator_reach::OperatorCount;
use crate::remake::RunContext;
use crate::time_account::TimeAccount;
use case::Statement;
use serde::{Deserialize, Serialize};
use solver::{Answer, Observation, Outcome};
use std::collections::BTreeMap;

/// Counters of a campaign or of part of it. They add up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Statistics {
    /// Cases that solvers ran.
    pub cases: u64,
    /// Those that every solver answered in a process of its own.
    pub answered: u64,
    /// Scripts that had run before.
    pub duplicates: u64,
    /// Cases with operators that no selected solver supports.
    pub unsupported: u64,
    /// Cases that were skipped because cases of their seed, or with their operators, lose time.
    pub skipped: u64,
    /// Turns that were put off because the answers that they need would have taken too much time.
    pub postponed: u64,
    /// Wrong results that a fresh process did not reproduce.
    pub unrepeatable: u64,
    /// Wrong results for whose confirmation there was no time.
    pub unconfirmed: u64,
    /// Wrong results that a reference gave, too.
    pub shared: u64,
    /// Questions of strategies that ended by the clock although the cases must not depend on it.
    pub machine_dependent: u64,
    /// Cases with a confirmed finding.
    pub hits: u64,
    /// Checked unsat cores.
    pub cores: u64,
    /// Checked proofs.
    pub proofs: u64,
    /// Checked proofs that the checker accepted.
    pub accepted_proofs: u64,
    /// What solvers stated, by the oracle that checks it.
    pub statements: BTreeMap<Statement, u64>,
    /// Runs with a tactic.
    pub tactics: u64,
    /// Runs in another form.
    pub forms: u64,
    /// Runs between push and pop of a running process.
    pub incremental: u64,
    /// Runs that asked the questions of an incremental case from scratch.
    pub from_scratch: u64,
    /// Runs under other options than the defaults.
    pub configured: u64,
    /// Those of them that the solver rejected.
    pub conflicts: u64,
    /// The sum of the hashes of all cases: equal for two campaigns with the same cases.
    pub digest: u64,
    /// Running time of the workers, in microseconds.
    pub busy: u64,
    /// The part of it in which solvers ran, by purpose and solver. Our own code takes the rest.
    pub time: TimeAccount,
    /// The coverage of each solver, if measured.
    pub reached: BTreeMap<String, Reach>,
    /// New bugs by how their case has to run to show them.
    pub bugs_by_run: BTreeMap<RunContext, u64>,
    /// The operators that each solver was asked about. The bookkeeper sets these numbers; they do not add up.
    pub operators: BTreeMap<String, OperatorCount>,
    /// For each solver.
    pub targets: BTreeMap<String, TargetTally>,
    /// For each strategy.
    pub strategies: BTreeMap<String, StrategyTally>,
    /// The reports of findings.
    pub reports: ReportTally,
    /// What sharing the campaign with other machines took. The bookkeeper sets these numbers; they do not add up.
    #[serde(skip_serializing_if = "SharingTally::is_none")]
    pub sharing: SharingTally,
}

/// What sharing a campaign with other machines took. Times are in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SharingTally {
    /// Exchanges with the common store.
    pub exchanges: u64,
    /// How long they took, beside the workers.
    pub exchanging: u64,
    /// How long workers waited because they had no work.
    pub waiting: u64,
}

impl SharingTally {
    /// Whether the campaign is not shared.
    pub fn is_none(&self) -> bool {
        *self == SharingTally::default()
    }

    /// All of the time.
    pub fn total(&self) -> u64 {
        self.exchanging + self.waiting
    }
}

/// What was reported beside the workers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReportTally {
    /// Reports that were written.
    pub written: u64,
    /// The time that reports took, in microseconds.
    pub time: u64,
}

/// The coverage of a solver. These numbers only grow, so of two the larger is the later one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reach {
    /// How many coverage points it has.
    pub points: u64,
    /// How many of them were reached.
    pub reached: u64,
    /// How many the cases of each strategy reached.
    pub strategies: BTreeMap<String, u64>,
}

impl Reach {
    fn add(&mut self, other: &Reach) {
        self.points = self.points.max(other.points);
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
    /// `sat` answers.
    pub sat: u64,
    /// `unsat` answers.
    pub unsat: u64,
    /// `unknown` answers.
    pub unknown: u64,
    /// Runs that hit the time limit.
    pub timeouts: u64,
    /// Runs that hit another limit.
    pub limits: u64,
    /// Scripts rejected as unsupported.
    pub refused: u64,
    /// Scripts that ended in an error message.
    pub errors: u64,
    /// Crashes.
    pub crashes: u64,
    /// The time of its runs, in microseconds.
    pub time: u64,
    /// The first error message.
    pub error_sample: String,
    /// Why it could not be kept warm; empty if it could.
    pub fallback: String,
}

/// Counters of one strategy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StrategyTally {
    /// Cases that solvers ran.
    pub cases: u64,
    /// Those that every solver answered.
    pub answered: u64,
    /// Runs of these cases that the solver accepted.
    pub accepted: u64,
    /// All runs of these cases.
    pub runs: u64,
    /// Cases with a confirmed finding.
    pub hits: u64,
    /// Seeds that it cannot use.
    pub unusable: u64,
    /// Scripts of an external generator that were of no use, and runs without any.
    pub rejected: u64,
    /// Why the first of them was.
    pub problem: String,
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
                keep_first(&mut self.error_sample, reason);
            }
            Outcome::Error { message } => {
                self.errors += 1;
                keep_first(&mut self.error_sample, message);
            }
            Outcome::Answered | Outcome::InvalidModel { .. } | Outcome::InvalidProof { .. } => {}
        }
        if let Some(reason) = &seen.fallback {
            keep_first(&mut self.fallback, reason);
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
        keep_first(&mut self.error_sample, &other.error_sample);
        keep_first(&mut self.fallback, &other.fallback);
    }
}

/// Keeps the first text.
fn keep_first(kept: &mut String, text: &str) {
    if kept.is_empty() {
        kept.push_str(text);
    }
}

/// Whether a solver accepted the script.
pub fn accepted(seen: &Observation) -> bool {
    !matches!(seen.outcome, Outcome::Error { .. } | Outcome::Refused { .. })
}

impl Statistics {
    /// The counters at several times, from samples as the bookkeeper stores them.
    pub fn over_time(samples: Vec<(u64, String)>) -> Vec<(u64, Statistics)> {
        let parse = |(elapsed, body): (u64, String)| Some((elapsed, serde_json::from_str(&body).ok()?));
        samples.into_iter().filter_map(parse).collect()
    }

    /// Adds other counters.
    pub fn add(&mut self, other: &Statistics) {
        let pairs = [
            (&mut self.cases, other.cases),
            (&mut self.answered, other.answered),
            (&mut self.duplicates, other.duplicates),
            (&mut self.postponed, other.postponed),
            (&mut self.unsupported, other.unsupported),
            (&mut self.skipped, other.skipped),
            (&mut self.unrepeatable, other.unrepeatable),
            (&mut self.unconfirmed, other.unconfirmed),
            (&mut self.shared, other.shared),
            (&mut self.machine_dependent, other.machine_dependent),
            (&mut self.hits, other.hits),
            (&mut self.cores, other.cores),
            (&mut self.proofs, other.proofs),
            (&mut self.accepted_proofs, other.accepted_proofs),
            (&mut self.tactics, other.tactics),
            (&mut self.forms, other.forms),
            (&mut self.incremental, other.incremental),
            (&mut self.from_scratch, other.from_scratch),
            (&mut self.configured, other.configured),
            (&mut self.conflicts, other.conflicts),
            (&mut self.busy, other.busy),
        ];
        for (own, more) in pairs {
            *own += more;
        }
        self.digest = self.digest.wrapping_add(other.digest);
        self.time.add(&other.time);
        for (&kind, more) in &other.statements {
            *self.statements.entry(kind).or_default() += more;
        }
        for (id, reach) in &other.reached {
            self.add_reach(id, reach);
        }
        for (&run, bugs) in &other.bugs_by_run {
            *self.bugs_by_run.entry(run).or_default() += bugs;
        }
        for (id, tally) in &other.targets {
            self.targets.entry(id.clone()).or_default().add(tally);
        }
        for (name, tally) in &other.strategies {
            let own = self.strategies.entry(name.clone()).or_default();
            own.cases += tally.cases;
            own.answered += tally.answered;
            own.accepted += tally.accepted;
            own.runs += tally.runs;
            own.hits += tally.hits;
            own.unusable += tally.unusable;
            own.rejected += tally.rejected;
            keep_first(&mut own.problem, &tally.problem);
        }
    }

    /// Updates the coverage of a solver.
    pub fn add_reach(&mut self, id: &str, reach: &Reach) {
        self.reached.entry(id.to_owned()).or_default().add(reach);
    }

    /// Scripts run, over all solvers.
    pub fn runs(&self) -> u64 {
        self.targets.values().map(|tally| tally.runs).sum()
    }

    /// The share of runs in which the solver accepted the script, from 0 to 1.
    pub fn accepted_share(&self) -> Option<f64> {
        let refused: u64 = self.targets.values().map(|tally| tally.errors + tally.refused).sum();
        share(self.runs() - refused, self.runs())
    }

    /// The time of our own code, in microseconds.
    pub fn own_time(&self) -> u64 {
        self.busy.saturating_sub(self.time.total().total())
    }

    /// The share of the workers' time in which solvers ran, from 0 to 1.
    pub fn solver_share(&self) -> Option<f64> {
        share(self.time.total().total(), self.busy)
    }
}

/// The share of a part in a whole; `None` if the whole is 0.
pub fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
