//! Solvers that only give evidence. Their own bugs are not reported, and neither are bugs that they share with a tested solver.

use super::Worker;
use crate::confirm::Context;
use case::{Class, SolverIndex, WitnessIndex};
use triage::Bug;

/// What the bugs of a case mean if some of its solvers are references.
#[derive(Debug, PartialEq, Eq)]
struct Reported {
    /// The bugs to report, by their place in the list.
    bugs: Vec<usize>,
    /// How many bugs of tested solvers a reference has, too.
    shared: u64,
}

impl Worker<'_> {
    /// The bugs of a case without those that a reference has.
    pub(super) fn without_references(&mut self, context: &Context<'_>, bugs: &[Bug]) -> Vec<Bug> {
        let is_reference = |witness: &WitnessIndex| self.is_reference(context.solvers[witness.get()]);
        let Reported { bugs: kept, shared } = reported(bugs, is_reference);
        self.counted.shared += shared;
        kept.into_iter().map(|place| bugs[place].clone()).collect()
    }

    /// Whether a solver only gives evidence.
    pub(super) fn is_reference(&self, solver: SolverIndex) -> bool {
        let (plain, _) = self.solver_pool.plain(solver);
        plain.get() + self.shared.settings.references >= self.shared.targets.len()
    }
}

fn reported(bugs: &[Bug], is_reference: impl Fn(&WitnessIndex) -> bool) -> Reported {
    let mut reported = Reported { bugs: Vec::new(), shared: 0 };
    let has_reference = |bug: &Bug| bug.suspects.iter().any(&is_reference);
    for (place, bug) in bugs.iter().enumerate() {
        let is_undecided = bug.class == Class::Contradiction;
        let same = |other: &Bug| has_reference(other) && bug.class == other.class && bug.is_same(other);
        if bug.suspects.iter().all(&is_reference) && !bug.suspects.is_empty() {
            continue;
        } else if !is_undecided && bugs.iter().any(same) {
            reported.shared += 1;
        } else {
            reported.bugs.push(place);
        }
    }
    reported
}

#[cfg(test)]
mod tests {
    use super::*;
    use case::{Answer, Conflict, Crash, Evidence, Signature};
    use std::collections::BTreeSet;

    /// A crash of the witness with this number.
    fn crash(witness: usize, text: &str) -> Bug {
        let signature = Signature::Crash {
            solver: "z3".to_owned(),
            crash: Crash::message(text),
            theories: BTreeSet::new(),
        };
        Bug { class: Class::Crash, suspects: vec![WitnessIndex(witness)], evidence: Vec::new(), signature }
    }

    /// A wrong answer of the witnesses with these numbers.
    fn answer(class: Class, suspects: &[usize]) -> Bug {
        let conflict = Conflict { check: 0, sat: vec!["z3@1".to_owned()], unsat: vec!["z3@2".to_owned()] };
        Bug {
            class,
            suspects: suspects.iter().map(|&suspect| WitnessIndex(suspect)).collect(),
            evidence: vec![Evidence::SelfContradiction(conflict)],
            signature: Signature::Answers {
                class,
                said: [("z3@1".to_owned(), Some(Answer::Sat))].into(),
                theories: BTreeSet::new(),
                operators: Vec::new(),
            },
        }
    }

    #[test]
    fn bugs_of_references_are_not_reported() {
        // The second witness is a reference.
        let table = [
            (vec![crash(0, "a")], vec![0], 0),
            (vec![crash(1, "a")], vec![], 0),
            (vec![crash(0, "a"), crash(1, "a")], vec![], 1),
            (vec![crash(0, "a"), crash(1, "b")], vec![0], 0),
            (vec![answer(Class::WrongUnsat, &[0])], vec![0], 0),
            (vec![answer(Class::WrongUnsat, &[1])], vec![], 0),
            (vec![answer(Class::WrongUnsat, &[0, 1])], vec![], 1),
            // Nobody knows which of the two is wrong.
            (vec![answer(Class::Contradiction, &[0, 1])], vec![0], 0),
            (vec![answer(Class::WrongLabel, &[])], vec![0], 0),
        ];
        for (number, (bugs, expected, shared)) in table.into_iter().enumerate() {
            let found = reported(&bugs, |witness| witness.get() == 1);
            assert_eq!(found, Reported { bugs: expected, shared }, "row {number}");
        }
    }
}
