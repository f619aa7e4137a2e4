//! What runs of one formula under one configuration show, and how two configurations differ.

use crate::statistics::accepted;
use solver::coverage::{Reached, Steady};
use solver::{Observation, Outcome};
use std::time::Duration;

/// Shorter times are too much disturbed to be compared.
const MEASURABLE: Duration = Duration::from_millis(60);
/// A time is looked at more closely if it differs by this factor.
const FACTOR: f64 = 1.6;

/// What one run showed, or several of the same.
pub struct Sight {
    /// The first run.
    pub observation: Observation,
    /// What was reached.
    reached: Steady,
}

/// How a configuration differs from the usual one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Not at all.
    None,
    /// The formula is refused.
    Conflict,
    /// The answer is another one.
    Answer,
    /// Other functions are run.
    Coverage,
    /// The time differs as far as one run can tell.
    Time,
}

impl Sight {
    /// What one run showed.
    pub fn new(observation: Observation, reached: Reached) -> Sight {
        Sight { observation, reached: Steady::new(reached) }
    }

    /// Takes in one more run of the same.
    pub fn add(&mut self, again: &Sight) {
        self.reached.add(&again.reached);
    }

    /// What one of two runs reached and the other did not.
    pub fn apart(&self, other: &Sight) -> Reached {
        self.reached.ever.apart(&other.reached.ever)
    }

    /// How much these runs always reached that the others never did.
    pub fn beyond(&self, other: &Sight) -> u32 {
        self.reached.beyond(&other.reached).count() as u32
    }

    /// Whether the solver answered.
    pub fn is_answered(&self) -> bool {
        self.observation.outcome == Outcome::Answered
    }
}

/// How what was seen differs from the usual.
pub fn difference(usual: &Sight, seen: &Sight) -> Difference {
    if !accepted(&seen.observation) {
        return Difference::Conflict;
    }
    let (one, other) = (&usual.observation, &seen.observation);
    if one.answers != other.answers || one.outcome != other.outcome {
        return Difference::Answer;
    }
    // What one of them always runs and the other never did.
    if usual.reached.beyond(&seen.reached).count() > 0 || seen.reached.beyond(&usual.reached).count() > 0 {
        return Difference::Coverage;
    }
    let (short, long) = (one.cpu.min(other.cpu), one.cpu.max(other.cpu));
    if long >= MEASURABLE && long.as_secs_f64() > FACTOR * short.as_secs_f64() {
        return Difference::Time;
    }
    Difference::None
}
