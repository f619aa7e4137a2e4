//! How much a new finding is worth. Before it is reduced, one bug looks like many: an operator that a solver gets wrong shows in
//! formulas with all the others. So a finding counts less, the more findings its most suspicious operator has.

use crate::explanations::Frequency;
use std::collections::BTreeMap;

/// An operator is suspicious if its cases show bugs this many times as often as others do.
const SUSPICIOUS: f64 = 3.0;

/// The operators of cases and of findings.
#[derive(Default)]
pub struct Suspects {
    operators: BTreeMap<u16, Seen>,
    all: Seen,
}

#[derive(Clone, Copy, Default)]
struct Seen {
    cases: u32,
    /// Cases with a wrong answer or an invalid model.
    wrong: u32,
    findings: u32,
}

impl Seen {
    fn rate(self) -> f64 {
        f64::from(self.findings) / f64::from(self.cases.max(1))
    }
}

impl Suspects {
    /// Records a case with these operators.
    pub fn record_case(&mut self, operators: &[u16]) {
        self.all.cases += 1;
        for &operator in operators {
            self.operators.entry(operator).or_default().cases += 1;
        }
    }

    /// Records that a case with these operators has a wrong answer or an invalid model.
    pub fn record_wrong(&mut self, operators: &[u16]) {
        for &operator in operators {
            self.operators.entry(operator).or_default().wrong += 1;
        }
    }

    /// How often cases with these operators go wrong, by the rarest of them.
    pub fn frequency(&self, operators: &[u16]) -> Frequency {
        let seen = operators.iter().map(|operator| self.operators.get(operator).copied().unwrap_or_default());
        let Seen { cases, wrong, .. } = seen.min_by_key(|seen| seen.cases).unwrap_or_default();
        Frequency { cases: cases.into(), wrong: wrong.into() }
    }

    /// Records a new finding with these operators. Returns what it is worth: 1 if nothing like it was found before.
    pub fn record_finding(&mut self, operators: &[u16]) -> f64 {
        let usual = self.all.rate();
        self.all.findings += 1;
        let mut like_it = 0;
        for &operator in operators {
            let seen = self.operators.entry(operator).or_default();
            if seen.rate() > SUSPICIOUS * usual {
                like_it = like_it.max(seen.findings);
            }
            seen.findings += 1;
        }
        1.0 / f64::from(1 + like_it)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOT: u16 = 0;
    const ADD: u16 = 1;
    const NEGO: u16 = 2;
    const REM: u16 = 3;

    #[test]
    fn a_finding_counts_less_if_one_of_its_operators_has_others() {
        let mut suspects = Suspects::default();
        for _ in 0..400 {
            suspects.record_case(&[NOT, ADD]);
        }
        for _ in 0..10 {
            suspects.record_case(&[NOT, NEGO]);
            suspects.record_case(&[NOT, REM]);
        }
        // The operators of each finding, and what it is worth. `NOT` is in all of them, since it is in all cases.
        let table: [(&[u16], f64); 5] = [
            (&[NOT, NEGO], 1.0),
            (&[NOT, NEGO, ADD], 0.5),
            (&[NEGO], 1.0 / 3.0),
            (&[NOT, REM], 1.0),
            (&[NOT, ADD], 1.0),
        ];
        for (operators, worth) in table {
            assert_eq!(suspects.record_finding(operators), worth, "{operators:?}");
        }
    }
}
