//! Which units of work are done. The ledger is saved, so that no case is lost when the process is killed.

use case::CaseIndex;
use std::collections::BTreeMap;

/// The progress of all units that workers have reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// The first unit that no worker has started.
    pub next: u64,
    /// The unfinished units, each with its first case that is not done.
    pub open: BTreeMap<u64, CaseIndex>,
}

impl Ledger {
    /// Records that all cases of a unit before `next_case` are done.
    pub fn advance(&mut self, unit: u64, next_case: CaseIndex) {
        // Messages of several workers arrive in any order: the units in between have started but are not reported yet.
        for between in self.next..=unit {
            self.open.insert(between, CaseIndex(0));
        }
        self.next = self.next.max(unit + 1);
        if let Some(progress) = self.open.get_mut(&unit) {
            *progress = next_case;
        }
    }

    /// Records that a unit is done.
    pub fn finish(&mut self, unit: u64) {
        self.advance(unit, CaseIndex(0));
        self.open.remove(&unit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreported_units_stay_open() {
        let open = |units: &[(u64, usize)]| -> BTreeMap<u64, CaseIndex> {
            units.iter().map(|&(unit, next_case)| (unit, CaseIndex(next_case))).collect()
        };
        let mut ledger = Ledger::default();
        ledger.advance(2, CaseIndex(5));
        assert_eq!((ledger.next, &ledger.open), (3, &open(&[(0, 0), (1, 0), (2, 5)])));
        ledger.finish(1);
        ledger.finish(0);
        ledger.advance(2, CaseIndex(7));
        ledger.finish(3);
        assert_eq!((ledger.next, &ledger.open), (4, &open(&[(2, 7)])));
    }
}
