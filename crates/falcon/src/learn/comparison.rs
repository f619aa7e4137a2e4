//! The behaviour of a formula under one configuration, and how two configurations differ.

use solver::coverage::{Reached, Steady};
use solver::{Observation, Outcome};
use std::time::Duration;

/// Shorter times are too noisy to compare.
const MEASURABLE: Duration = Duration::from_millis(60);
/// Times that differ by less than this factor count as equal.
const FACTOR: f64 = 1.6;

/// One run, or several runs of the same formula under the same configuration.
pub struct Sample {
    /// The first run.
    pub observation: Observation,
    /// The functions that ran.
    reached: Steady,
}

/// How a configuration differs from the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Not at all.
    None,
    /// The formula is rejected.
    Conflict,
    /// Another answer.
    Answer,
    /// Other functions run.
    Coverage,
    /// The time seems to differ.
    Time,
}

impl Sample {
    /// A sample of one run.
    pub fn new(observation: Observation, reached: Reached) -> Sample {
        Sample { observation, reached: Steady::new(reached) }
    }

    /// Adds another run.
    pub fn add(&mut self, again: &Sample) {
        self.reached.add(&again.reached);
    }

    /// The functions that only one of two samples ran.
    pub fn symmetric_difference(&self, other: &Sample) -> Reached {
        self.reached.ever.symmetric_difference(&other.reached.ever)
    }

    /// How many functions all of these runs ran and none of the others did.
    pub fn beyond(&self, other: &Sample) -> u32 {
        self.reached.beyond(&other.reached).count() as u32
    }

    /// Whether the solver answered.
    pub fn is_answered(&self) -> bool {
        self.observation.outcome == Outcome::Answered
    }
}

/// How a sample differs from the reference.
pub fn difference(reference: &Sample, seen: &Sample) -> Difference {
    if matches!(seen.observation.outcome, Outcome::Error { .. } | Outcome::Refused { .. }) {
        return Difference::Conflict;
    }
    let (one, other) = (&reference.observation, &seen.observation);
    if one.answers != other.answers || one.outcome != other.outcome {
        return Difference::Answer;
    }
    // Only functions that one of them always runs and the other never does count.
    let reference_only = reference.reached.beyond(&seen.reached);
    let seen_only = seen.reached.beyond(&reference.reached);
    if reference_only.count() > 0 || seen_only.count() > 0 {
        return Difference::Coverage;
    }
    let (short, long) = (one.cpu.min(other.cpu), one.cpu.max(other.cpu));
    if long >= MEASURABLE && long.as_secs_f64() > FACTOR * short.as_secs_f64() {
        return Difference::Time;
    }
    Difference::None
}
