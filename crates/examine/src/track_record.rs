//! Which operators a solver has evaluated so far, so that it is not asked again about those it cannot.

use crate::witness::Reply;
use std::collections::BTreeMap;
use strategies::ground::GroundTerm;

/// An operator is hopeless after this many unhelpful replies, unless clearly more were helpful.
const PATIENCE: u32 = 6;

/// How often a solver helped with the terms of an operator.
#[derive(Clone, Copy, Default)]
struct Counts {
    helpful: u32,
    unhelpful: u32,
}

/// The replies of one solver, counted by operator.
#[derive(Default)]
pub struct TrackRecord {
    by_rank: BTreeMap<u32, Counts>,
}

impl TrackRecord {
    /// Counts a reply about a term.
    pub fn add(&mut self, term: &GroundTerm, reply: &Reply) {
        let is_unsure =
            |rank: &&u32| self.by_rank.get(rank).is_none_or(|counts| counts.helpful <= counts.unhelpful);
        let unsure = term.ranks.iter().filter(is_unsure).count();
        for &rank in &term.ranks {
            let counts = self.by_rank.entry(rank).or_default();
            match reply {
                Reply::Agrees | Reply::Differs(_) | Reply::Flaky(_) => counts.helpful += 1,
                // The culprit is known only if the solver supports all other operators of the term.
                _ if unsure <= 1 => counts.unhelpful += 1,
                _ => {}
            }
        }
    }

    /// Whether the solver is unlikely to find the value of a term.
    pub fn is_hopeless(&self, term: &GroundTerm) -> bool {
        let hopeless =
            |counts: &Counts| counts.unhelpful >= PATIENCE && counts.helpful < counts.unhelpful * 2;
        term.ranks.iter().any(|rank| self.by_rank.get(rank).is_some_and(hopeless))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(ranks: &[u32]) -> GroundTerm {
        let (text, ranks) = (String::new(), ranks.to_vec());
        GroundTerm { text, ranks, solvers: None, higher_order: false }
    }

    #[test]
    fn operators_that_are_always_refused_are_not_asked_about() {
        let refused = Reply::Refuses(String::new());
        let mut record = TrackRecord::default();
        for _ in 0..2 * PATIENCE {
            record.add(&term(&[1]), &Reply::Agrees);
        }
        for _ in 0..PATIENCE {
            assert!(!record.is_hopeless(&term(&[1, 2])));
            record.add(&term(&[1, 2]), &refused);
        }
        assert!(record.is_hopeless(&term(&[1, 2])));
        assert!(!record.is_hopeless(&term(&[1])));
        // Two operators that are both new: neither is to blame.
        for _ in 0..PATIENCE {
            record.add(&term(&[3, 4]), &refused);
        }
        assert!(!record.is_hopeless(&term(&[3])));
    }
}
