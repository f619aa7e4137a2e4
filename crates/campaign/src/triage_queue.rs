//! Findings that wait for a step of triage.

use case::Class;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Findings that wait, each with its class.
///
/// The classes take turns. Most findings of a frequent class turn out to be one bug, so a rare class should not wait for all of them.
pub struct TriageQueue<T>(Mutex<Waiting<T>>);

struct Waiting<T> {
    findings: Vec<(Class, T)>,
    /// How many findings of each class were taken.
    taken: BTreeMap<Class, u64>,
}

impl<T> Default for TriageQueue<T> {
    fn default() -> TriageQueue<T> {
        TriageQueue(Mutex::new(Waiting { findings: Vec::new(), taken: BTreeMap::new() }))
    }
}

impl<T> TriageQueue<T> {
    /// Adds a finding.
    pub fn push(&self, class: Class, finding: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).findings.push((class, finding));
    }

    /// Takes the oldest finding of the class of which the fewest were taken, the most severe of these.
    pub fn pop(&self) -> Option<T> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Waiting { findings, taken } = &mut *waiting;
        let turn = |class: Class| (taken.get(&class).copied().unwrap_or_default(), class);
        let next = (0..findings.len()).min_by_key(|&at| turn(findings[at].0))?;
        let (class, finding) = findings.remove(next);
        *taken.entry(class).or_default() += 1;
        Some(finding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_take_turns_and_the_most_severe_begins() {
        let queue = TriageQueue::default();
        for (class, finding) in [
            (Class::Crash, 1),
            (Class::WrongUnsat, 2),
            (Class::WrongUnsat, 3),
            (Class::WrongUnsat, 4),
            (Class::Crash, 5),
        ] {
            queue.push(class, finding);
        }
        let taken: Vec<u32> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(taken, [2, 1, 3, 5, 4]);
    }
}
