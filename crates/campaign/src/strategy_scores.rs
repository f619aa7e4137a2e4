//! Which strategy earns the next turn. Strategies share time, not turns: a strategy that brings new findings gets more of it, one
//! whose cases stay unanswered gets less, and none gets nothing.

use std::time::Duration;

/// A strategy starts as if it had run for this long and brought this part of a finding, so that the first finding does not decide
/// everything.
const START: Duration = Duration::from_secs(15);
const START_CREDIT: f64 = 0.25;

/// The smallest and the largest weight. The weight of an average strategy is 1.
const LEAST: f64 = 0.25;
const MOST: f64 = 6.0;

/// A new coverage point is worth this part of a finding.
const COVERAGE: f64 = 0.001;

/// What a turn of a strategy took and brought.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TurnResult {
    /// How long it took.
    pub took: Duration,
    /// How many new cases it had.
    pub new_cases: u64,
    /// How many cases ran.
    pub cases: u64,
    /// Those of them that all solvers answered.
    pub answered: u64,
    /// New coverage points.
    pub coverage: u64,
    /// Whether it has to wait for the answer to its seed, or for time to ask about it. Then it says nothing about what is left to do.
    pub postponed: bool,
}

impl TurnResult {
    /// How many turns in a row were fruitless after this one.
    pub fn fruitless_after(&self, before: u64) -> u64 {
        match self.new_cases {
            _ if self.postponed => before,
            0 => before + 1,
            _ => 0,
        }
    }
}

/// What one strategy took and brought so far.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    time: Duration,
    credit: f64,
    cases: u64,
    answered: u64,
}

impl Score {
    /// What a second of it brings.
    fn value(&self) -> f64 {
        let answered = if self.cases == 0 { 1.0 } else { self.answered as f64 / self.cases as f64 };
        (START_CREDIT + self.credit) / (START + self.time).as_secs_f64() * (1.0 + answered) / 2.0
    }
}

/// The scores of all strategies.
#[derive(Debug)]
pub struct StrategyScores(Vec<Score>);

impl StrategyScores {
    /// Nothing is known about the strategies.
    pub fn new(strategies: usize) -> StrategyScores {
        StrategyScores(vec![Score::default(); strategies])
    }

    /// Records a turn.
    pub fn record(&mut self, strategy: usize, result: &TurnResult) {
        let score = &mut self.0[strategy];
        score.time += result.took;
        score.credit += COVERAGE * result.coverage as f64;
        score.cases += result.cases;
        score.answered += result.answered;
    }

    /// Records a new finding of a strategy, which is worth more if it is like no other.
    pub fn reward(&mut self, strategy: usize, worth: f64) {
        self.0[strategy].credit += worth;
    }

    /// The strategy that has got the least time for its weight, among those that `may_run`.
    pub fn next(&self, may_run: impl Fn(usize) -> bool) -> Option<usize> {
        let mean = self.0.iter().map(Score::value).sum::<f64>() / self.0.len().max(1) as f64;
        let got = |strategy: &usize| {
            let score = &self.0[*strategy];
            let weight = (score.value() / mean).clamp(LEAST, MOST);
            score.time.as_secs_f64() / weight
        };
        let strategies = (0..self.0.len()).filter(|&strategy| may_run(strategy));
        strategies.min_by(|one, other| got(one).total_cmp(&got(other)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The seconds that each of three strategies gets in ten minutes, if a turn takes one second and every `every` turns bring a
    /// finding (0 for never), and all cases are answered or none.
    fn seconds(every: [u64; 3], answered: [bool; 3]) -> [u64; 3] {
        let mut scores = StrategyScores::new(3);
        let mut turns = [0; 3];
        for _ in 0..600 {
            let strategy = scores.next(|_| true).unwrap();
            turns[strategy] += 1;
            let found = every[strategy] > 0 && turns[strategy] % every[strategy] == 0;
            scores.record(
                strategy,
                &TurnResult {
                    took: Duration::from_secs(1),
                    cases: 1,
                    answered: u64::from(answered[strategy]),
                    ..TurnResult::default()
                },
            );
            if found {
                scores.reward(strategy, 1.0);
            }
        }
        turns
    }

    #[test]
    fn strategies_without_findings_share_the_time() {
        assert_eq!(seconds([0, 0, 0], [true; 3]), [200; 3]);
    }

    #[test]
    fn findings_earn_time_and_every_strategy_keeps_some() {
        let [one, other, finder] = seconds([0, 0, 20], [true; 3]);
        assert!(finder > 2 * one && one >= 40 && one.abs_diff(other) <= 1, "{one} {other} {finder}");
    }

    #[test]
    fn unanswered_cases_cost_time() {
        let [one, _, unanswered] = seconds([0, 0, 0], [true, true, false]);
        assert!(unanswered < one && unanswered >= 50, "{one} {unanswered}");
    }

    #[test]
    fn a_strategy_that_may_not_run_is_passed_over() {
        let scores = StrategyScores::new(2);
        assert_eq!((scores.next(|strategy| strategy == 1), scores.next(|_| false)), (Some(1), None));
    }
}
