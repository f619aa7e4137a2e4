//! The input of the oracles.

use case::{Expectation, Learned, RunResult};
use solver::Observation;
use std::collections::BTreeSet;
use std::time::Duration;

/// The script that solvers were asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The script.
    pub script: &'a str,
    /// What is known about its answer. It applies to scripts with one check only.
    pub expectation: &'a Expectation,
    /// The theories of the script.
    pub theories: &'a BTreeSet<String>,
    /// The answers to the formula from which the known answer follows; empty if it follows from something else.
    pub premise: &'a [Learned],
}

/// A solver and its run.
#[derive(Clone, Copy, Debug)]
pub struct Witness<'a> {
    /// The solver as reports name it, such as `z3@5.4.0`.
    pub id: &'a str,
    /// Its profile: two witnesses of one profile are not independent.
    pub name: &'a str,
    /// Its run.
    pub observation: &'a Observation,
}

/// What counts as far too slow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Whether slow answers count.
    pub performance: bool,
    /// Whether `unknown` counts where an answer follows from one that the solver gave.
    pub incompleteness: bool,
    /// How many times slower than every other solver.
    pub slow_ratio: f64,
    /// The least time that counts as slow.
    pub slow_floor: Duration,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            performance: true,
            incompleteness: false,
            slow_ratio: 50.0,
            slow_floor: Duration::from_secs(5),
        }
    }
}

impl Rules {
    /// The rules for bugs alone, without candidates such as slow answers.
    pub fn without_candidates(self) -> Rules {
        Rules { performance: false, incompleteness: false, ..self }
    }
}

/// The result of a run: its outcome and its answers.
pub fn run_result(observation: &Observation) -> RunResult {
    RunResult { outcome: observation.outcome.clone(), answers: observation.answers.clone() }
}
