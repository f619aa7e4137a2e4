//! Where the time of the workers goes: for each purpose and solver, how long solvers ran and how much of it brought no answer. What
//! is left is the time of our own code, so the account always adds up to the time of the workers.

use serde::{Deserialize, Serialize};
use solver::{Answer, Observation};
use std::collections::BTreeMap;
use std::time::Duration;
use triage::ORACLES;

/// What a solver runs for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Cases, each in a process of its own.
    Cases,
    /// Seeds a second time, with the full time limit.
    HardSeeds,
    /// Cases a second time, between push and pop.
    PushPop,
    /// Cases a second time, under other options or tactics.
    Options,
    /// Unsat cores, and the search for models of them.
    Cores,
    /// What solvers state besides their answers.
    Statements,
    /// Questions about a seed before a strategy can use it.
    Preparation,
    /// Questions that a strategy asks while it makes cases.
    Questions,
    /// Runs of wrong results in fresh processes.
    Confirmation,
    /// Second runs of slow cases with the full time limit.
    Performance,
    /// Reducing findings and comparing them.
    Triage,
    /// Starting solvers and getting them warm.
    StartUp,
}

impl Purpose {
    /// All of them, in the order in which tables show them.
    pub const ALL: [Purpose; 12] = [
        Purpose::Cases,
        Purpose::HardSeeds,
        Purpose::PushPop,
        Purpose::Options,
        Purpose::Cores,
        Purpose::Statements,
        Purpose::Preparation,
        Purpose::Questions,
        Purpose::Confirmation,
        Purpose::Performance,
        Purpose::Triage,
        Purpose::StartUp,
    ];

    /// How tables name it.
    pub fn name(self) -> &'static str {
        match self {
            Purpose::Cases => "cases",
            Purpose::HardSeeds => "hard seeds",
            Purpose::PushPop => "push and pop",
            Purpose::Options => "other options",
            Purpose::Cores => "unsat cores",
            Purpose::Statements => "other statements",
            Purpose::Preparation => "preparing seeds",
            Purpose::Questions => "strategies' questions",
            Purpose::Confirmation => "confirming",
            Purpose::Performance => "slow cases again",
            Purpose::Triage => "triage",
            Purpose::StartUp => "starting solvers",
        }
    }
}

/// Time of solvers, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spent {
    /// How many runs there were.
    pub runs: u64,
    /// The time of runs that brought a result.
    pub answered: u64,
    /// The time of runs that brought none.
    pub unanswered: u64,
}

impl Spent {
    /// All of the time.
    pub fn total(&self) -> u64 {
        self.answered + self.unanswered
    }

    /// Adds other time.
    pub fn add(&mut self, other: &Spent) {
        self.runs += other.runs;
        self.answered += other.answered;
        self.unanswered += other.unanswered;
    }
}

/// The time of solvers by purpose and solver. Accounts add up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TimeAccount(BTreeMap<Purpose, BTreeMap<String, Spent>>);

impl TimeAccount {
    /// Charges a run of a solver to a purpose. `took` is how long the worker waited for it. Starting a process is charged apart.
    pub fn charge(&mut self, purpose: Purpose, solver: &str, seen: &Observation, took: Duration) {
        let start = seen.overhead.min(took);
        let spent = self.entry(purpose, solver);
        spent.runs += 1;
        let time = if has_result(seen) { &mut spent.answered } else { &mut spent.unanswered };
        *time += (took - start).as_micros() as u64;
        if !start.is_zero() {
            self.charge_start(solver, start);
        }
    }

    /// Charges the start of a solver.
    pub fn charge_start(&mut self, solver: &str, took: Duration) {
        self.charge_time(Purpose::StartUp, solver, took);
    }

    /// Charges time that brought a result.
    pub fn charge_time(&mut self, purpose: Purpose, solver: &str, took: Duration) {
        self.entry(purpose, solver).answered += took.as_micros() as u64;
    }

    /// Charges time that brought none.
    #[cfg(test)]
    pub fn charge_unanswered(&mut self, purpose: Purpose, solver: &str, took: Duration) {
        self.entry(purpose, solver).unanswered += took.as_micros() as u64;
    }

    /// Adds another account.
    pub fn add(&mut self, other: &TimeAccount) {
        for (&purpose, solvers) in &other.0 {
            for (solver, spent) in solvers {
                self.entry(purpose, solver).add(spent);
            }
        }
    }

    /// The time of a purpose over all solvers.
    pub fn of(&self, purpose: Purpose) -> Spent {
        let mut sum = Spent::default();
        for spent in self.0.get(&purpose).into_iter().flat_map(BTreeMap::values) {
            sum.add(spent);
        }
        sum
    }

    /// The time of a purpose on one solver.
    pub fn of_solver(&self, purpose: Purpose, solver: &str) -> Spent {
        self.0.get(&purpose).and_then(|solvers| solvers.get(solver)).copied().unwrap_or_default()
    }

    /// The time of all purposes.
    pub fn total(&self) -> Spent {
        let mut sum = Spent::default();
        Purpose::ALL.iter().for_each(|&purpose| sum.add(&self.of(purpose)));
        sum
    }

    fn entry(&mut self, purpose: Purpose, solver: &str) -> &mut Spent {
        self.0.entry(purpose).or_default().entry(solver.to_owned()).or_default()
    }
}

/// Whether a run decided a check or showed a bug.
pub fn has_result(seen: &Observation) -> bool {
    seen.outcome.is_bug()
        || seen.answers.iter().copied().any(Answer::is_decided)
        || ORACLES.into_iter().any(|oracle| !oracle.pieces(seen).is_empty())
}
