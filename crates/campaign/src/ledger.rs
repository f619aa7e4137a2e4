//! Which units of work are done. The ledger is saved, so that no case is lost when the process is killed.

use case::CaseIndex;
use std::collections::BTreeMap;

/// The progress of all units that workers have reported. Unit `turn * strategies + strategy` is a turn of a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    /// For each strategy, the first turn that no worker has started.
    pub turns: Vec<u64>,
    /// The unfinished units, each with its first case that is not done.
    pub open: BTreeMap<u64, CaseIndex>,
}

impl Ledger {
    /// The ledger of a new campaign.
    pub fn new(strategies: usize) -> Ledger {
        Ledger { turns: vec![0; strategies], open: BTreeMap::new() }
    }

    /// Records that all cases of a unit before `next_case` are done.
    pub fn advance(&mut self, unit: u64, next_case: CaseIndex) {
        let strategies = self.turns.len() as u64;
        let (turn, strategy) = (unit / strategies, unit % strategies);
        let next = &mut self.turns[strategy as usize];
        // Messages of several workers arrive in any order: the turns in between have started but are not reported yet.
        for between in *next..=turn {
            self.open.insert(between * strategies + strategy, CaseIndex(0));
        }
        *next = (*next).max(turn + 1);
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
        let mut ledger = Ledger::new(1);
        ledger.advance(2, CaseIndex(5));
        assert_eq!((&ledger.turns, &ledger.open), (&vec![3], &open(&[(0, 0), (1, 0), (2, 5)])));
        ledger.finish(1);
        ledger.finish(0);
        ledger.advance(2, CaseIndex(7));
        ledger.finish(3);
        assert_eq!((&ledger.turns, &ledger.open), (&vec![4], &open(&[(2, 7)])));
    }

    #[test]
    fn strategies_advance_on_their_own() {
        let mut ledger = Ledger::new(2);
        ledger.finish(0);
        ledger.finish(2);
        ledger.advance(3, CaseIndex(1));
        let open = BTreeMap::from([(1, CaseIndex(0)), (3, CaseIndex(1))]);
        assert_eq!(ledger, Ledger { turns: vec![2, 2], open });
    }
}
