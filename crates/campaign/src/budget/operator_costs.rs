//! Which operators cost time and bring no answers. One case without a seed says little about the next, but its operators do: a
//! formula with a floating-point remainder is rarely answered in time, whatever else it contains.

use std::collections::BTreeMap;
use std::time::Duration;

/// An operator is judged after its cases have lost this much time.
const EVIDENCE: Duration = Duration::from_millis(200);
/// What is known about an operator counts half after its cases have taken this long, since the cases change.
const MEMORY: Duration = Duration::from_secs(4);
/// One case in this many with an operator runs at least.
const RAREST: u32 = 16;
/// An operator whose cases lose one part in this many of the time that they use runs half as often: the first while all cases
/// together lose less than one part in `MOST_LOST` of their time, the second while they lose more.
const TOLERATED: u32 = 3;
const TOLERATED_IF_WASTEFUL: u32 = 9;
const MOST_LOST: u32 = 7;

/// The time of the cases with each operator.
#[derive(Default)]
pub struct OperatorCosts {
    costs: BTreeMap<u16, Cost>,
    /// The time of all cases, and the part of it that brought no answer.
    all: Duration,
    lost: Duration,
}

#[derive(Default)]
struct Cost {
    answered: Duration,
    lost: Duration,
    /// Cases skipped since the last one that ran.
    skipped: u32,
}

impl Cost {
    /// How many cases to skip for each one that runs, if losing one part in `tolerated` of the time halves the cases.
    fn skips(&self, tolerated: u32) -> u32 {
        if self.lost < EVIDENCE {
            return 0;
        }
        let ratio = u128::from(tolerated) * self.lost.as_micros() / self.answered.as_micros().max(1);
        ratio.min(u128::from(RAREST - 1)) as u32
    }
}

impl OperatorCosts {
    /// Whether to skip the next case with these operators. The most expensive one decides.
    pub fn skips(&mut self, operators: &[u16]) -> bool {
        let wasteful = MOST_LOST * self.lost > self.all;
        let tolerated = if wasteful { TOLERATED_IF_WASTEFUL } else { TOLERATED };
        let skips = |operator: &u16| self.costs.get(operator).map(|cost| cost.skips(tolerated));
        let worst = operators.iter().copied().max_by_key(skips);
        let Some(cost) = worst.and_then(|worst| self.costs.get_mut(&worst)) else { return false };
        let skips = cost.skipped < cost.skips(tolerated);
        cost.skipped = if skips { cost.skipped + 1 } else { 0 };
        skips
    }

    /// Records the time of a run of a case with these operators.
    pub fn record(&mut self, operators: &[u16], took: Duration, answered: bool) {
        self.all += took;
        if !answered {
            self.lost += took;
        }
        for &operator in operators {
            let cost = self.costs.entry(operator).or_default();
            *(if answered { &mut cost.answered } else { &mut cost.lost }) += took;
            if cost.answered + cost.lost > MEMORY {
                cost.answered /= 2;
                cost.lost /= 2;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADD: u16 = 0;
    const REM: u16 = 1;

    #[test]
    fn cases_with_operators_that_lose_time_run_rarely() {
        // The milliseconds answered and lost, how many of 32 cases run, and how many if all cases together lose much time.
        let table = [
            (0, 0, 32, 32),
            (0, 199, 32, 32),
            (900, 250, 32, 10),
            (900, 300, 16, 8),
            (300, 300, 8, 3),
            (0, 500, 2, 2),
        ];
        for (answered, lost, expected, if_wasteful) in table {
            let other = Duration::from_secs(10);
            let mut costs = OperatorCosts::default();
            costs.record(&[], other, true);
            costs.record(&[ADD, REM], Duration::from_millis(answered), true);
            costs.record(&[REM], Duration::from_millis(lost), false);
            let run = (0..32).filter(|_| !costs.skips(&[ADD, REM])).count();
            assert_eq!(run, expected, "{answered} {lost}");
            costs.record(&[], other, false);
            let run = (0..32).filter(|_| !costs.skips(&[ADD, REM])).count();
            assert_eq!(run, if_wasteful, "{answered} {lost}");
            assert!(!costs.skips(&[ADD]) && !costs.skips(&[]));
        }
    }

    #[test]
    fn old_times_count_less() {
        let mut costs = OperatorCosts::default();
        costs.record(&[REM], Duration::from_secs(3), false);
        for _ in 0..40 {
            costs.record(&[REM], Duration::from_millis(200), true);
        }
        assert!((0..32).all(|_| !costs.skips(&[REM])));
    }
}
