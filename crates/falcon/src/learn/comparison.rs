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

#[cfg(test)]
mod tests {
    use super::*;
    use case::{Answer, Exit, RunMode};

    /// A run with this outcome, answer, CPU time in milliseconds and reached functions.
    fn run(outcome: Outcome, answer: Answer, milliseconds: u64, reached: &[u8]) -> Sample {
        let observation = Observation {
            outcome,
            answers: vec![answer],
            pieces: Vec::new(),
            stdout: String::new(),
            stderr: String::new(),
            exit: Exit::Code(0),
            wall: Duration::ZERO,
            cpu: Duration::from_millis(milliseconds),
            peak_memory: None,
            truncated: false,
            orphans: 0,
            overhead: Duration::ZERO,
            mode: RunMode::OneShot,
            fallback: None,
        };
        Sample::new(observation, Reached::from_bytes(reached))
    }

    /// Footnote 2 of the paper: conflicts are no effects; answers, code and times are.
    #[test]
    fn answers_code_and_times_are_observed() {
        let answered = |answer, milliseconds, reached| run(Outcome::Answered, answer, milliseconds, reached);
        let reference = answered(Answer::Sat, 100, &[1, 1, 0]);
        let refused = Outcome::Refused { reason: String::new() };
        let rejected = Outcome::Error { message: String::new() };
        let table = [
            (answered(Answer::Sat, 100, &[1, 1, 0]), Difference::None),
            (run(refused, Answer::Unsat, 900, &[0, 0, 1]), Difference::Conflict),
            (run(rejected, Answer::Unsat, 900, &[0, 0, 1]), Difference::Conflict),
            (answered(Answer::Unsat, 100, &[1, 1, 0]), Difference::Answer),
            (answered(Answer::Unknown, 100, &[1, 1, 0]), Difference::Answer),
            (run(Outcome::Timeout, Answer::Sat, 100, &[1, 1, 0]), Difference::Answer),
            (answered(Answer::Sat, 100, &[1, 1, 1]), Difference::Coverage),
            (answered(Answer::Sat, 100, &[1, 0, 0]), Difference::Coverage),
            (answered(Answer::Sat, 161, &[1, 1, 0]), Difference::Time),
            (answered(Answer::Sat, 60, &[1, 1, 0]), Difference::Time),
            (answered(Answer::Sat, 150, &[1, 1, 0]), Difference::None),
        ];
        for (number, (seen, expected)) in table.iter().enumerate() {
            assert_eq!(difference(&reference, seen), *expected, "row {number}");
        }
        // Times below 60 ms are noise.
        let (short, shorter) = (answered(Answer::Sat, 50, &[]), answered(Answer::Sat, 5, &[]));
        assert_eq!(difference(&short, &shorter), Difference::None);
        // A function that runs only sometimes is no effect.
        let mut varies = answered(Answer::Sat, 100, &[1, 1, 0]);
        varies.add(&answered(Answer::Sat, 100, &[1, 1, 1]));
        assert_eq!(difference(&varies, &answered(Answer::Sat, 100, &[1, 1, 1])), Difference::None);
    }
}
