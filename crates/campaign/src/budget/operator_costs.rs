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

/// The time of the cases with each operator.
#[derive(Default)]
pub struct OperatorCosts {
    costs: BTreeMap<u16, Cost>,
}

#[derive(Default)]
struct Cost {
    answered: Duration,
    lost: Duration,
    /// Cases skipped since the last one that ran.
    skipped: u32,
}

impl Cost {
    /// How many cases to skip for each one that runs: an operator whose cases lose a third of the time that they use runs half as
    /// often.
    fn skips(&self) -> u32 {
        if self.lost < EVIDENCE {
            return 0;
        }
        let ratio = 3 * self.lost.as_micros() / self.answered.as_micros().max(1);
        ratio.min(u128::from(RAREST - 1)) as u32
    }
}

impl OperatorCosts {
    /// Whether to skip the next case with these operators. The most expensive one decides.
    pub fn skips(&mut self, operators: &[u16]) -> bool {
        let worst =
            operators.iter().copied().max_by_key(|operator| self.costs.get(operator).map(Cost::skips));
        let Some(cost) = worst.and_then(|worst| self.costs.get_mut(&worst)) else { return false };
        let skips = cost.skipped < cost.skips();
        cost.skipped = if skips { cost.skipped + 1 } else { 0 };
        skips
    }

    /// Records the time of a run of a case with these operators.
    pub fn record(&mut self, operators: &[u16], took: Duration, answered: bool) {
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
        // The milliseconds answered and lost, and how many of 32 cases run.
        let table = [(0, 0, 32), (0, 199, 32), (900, 250, 32), (900, 300, 16), (300, 300, 8), (0, 500, 2)];
        for (answered, lost, expected) in table {
            let mut costs = OperatorCosts::default();
            costs.record(&[ADD, REM], Duration::from_millis(answered), true);
            costs.record(&[REM], Duration::from_millis(lost), false);
            let run = (0..32).filter(|_| !costs.skips(&[ADD, REM])).count();
            assert_eq!(run, expected, "{answered} {lost}");
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
