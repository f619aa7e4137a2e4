//! Findings that wait for a step of triage.

use case::Class;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use triage::Subject;
use triage::automatic::TriagedFinding;

/// How long each attempt to reduce a finding may take. Most findings need less than the first, and no other waits for those that need
/// more. What is left after the last is done by `elenchus triage`.
const ATTEMPTS: [Duration; 3] = [Duration::from_secs(2), Duration::from_secs(6), Duration::from_secs(12)];

/// A claim is established by about this many runs of each solver.
const RUNS_TO_ESTABLISH: u32 = 4;
/// A reduction has a test for about this many bytes of a script.
const BYTES_PER_TEST: u32 = 5;

/// A finding that is to be reduced.
pub struct Unreduced {
    /// What to reduce.
    pub subject: Subject,
    /// What the attempts so far have made of it.
    pub so_far: Option<Box<TriagedFinding>>,
    /// How many attempts did not finish.
    pub attempts: usize,
}

impl Unreduced {
    /// A finding as it was found.
    pub fn new(subject: Subject) -> Unreduced {
        Unreduced { subject, so_far: None, attempts: 0 }
    }

    /// Goes on with what an attempt has made of it.
    pub fn continue_with(&mut self, triaged: Box<TriagedFinding>) {
        self.subject.continue_with(&triaged);
        self.so_far = Some(triaged);
        self.attempts += 1;
    }

    /// About how long the next attempt takes: the claim is established first, and then there is a test for every few characters.
    pub fn estimate(&self) -> Duration {
        let runs = self.subject.finding.iter().flat_map(|stored| &stored.finding.runs);
        let once = Duration::from_millis(runs.map(|run| run.milliseconds).sum());
        let tests = once * u32::try_from(self.subject.script.len()).unwrap_or(u32::MAX) / BYTES_PER_TEST;
        once * RUNS_TO_ESTABLISH + tests.min(self.time())
    }

    /// How long the next attempt may go on reducing.
    pub fn time(&self) -> Duration {
        ATTEMPTS[self.attempts.min(ATTEMPTS.len() - 1)]
    }

    /// Whether the next attempt is the last one.
    pub fn is_last(&self) -> bool {
        self.attempts + 1 >= ATTEMPTS.len()
    }
}

/// Findings that wait, each with its class.
///
/// The classes take turns. Most findings of a frequent class turn out to be one bug, so a rare class should not wait for all of them.
pub struct TriageQueue<T>(Mutex<Waiting<T>>);

struct Waiting<T> {
    findings: Vec<Entry<T>>,
    /// How many findings of each class were taken.
    taken: BTreeMap<Class, u64>,
}

struct Entry<T> {
    attempts: usize,
    class: Class,
    finding: T,
}

impl TriageQueue<Unreduced> {
    /// Adds a finding, or adds it again.
    pub fn add(&self, unreduced: Unreduced) {
        let class = unreduced.subject.finding.as_ref().map_or(Class::Crash, |stored| stored.finding.class);
        self.push_again(class, unreduced.attempts, unreduced);
    }
}

impl<T> Default for TriageQueue<T> {
    fn default() -> TriageQueue<T> {
        TriageQueue(Mutex::new(Waiting { findings: Vec::new(), taken: BTreeMap::new() }))
    }
}

impl<T> TriageQueue<T> {
    /// Adds a finding.
    pub fn push(&self, class: Class, finding: T) {
        self.push_again(class, 0, finding);
    }

    /// Adds a finding for which so many attempts were not enough. Those with fewer come first, so that a hard one delays no other.
    pub fn push_again(&self, class: Class, attempts: usize, finding: T) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.findings.push(Entry { attempts, class, finding });
    }

    /// Takes the oldest finding of the class of which the fewest were taken, the most severe of these.
    pub fn pop(&self) -> Option<T> {
        self.pop_cheapest(|_| Some(()))
    }

    /// The same with the cheapest finding of the class. What has no cost stays.
    pub fn pop_cheapest<C: Ord>(&self, cost: impl Fn(&T) -> Option<C>) -> Option<T> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Waiting { findings, taken } = &mut *waiting;
        let turn = |at: usize| {
            let Entry { attempts, class, finding } = &findings[at];
            let taken = taken.get(class).copied().unwrap_or_default();
            Some(((*attempts, taken, *class, cost(finding)?), at))
        };
        let (_, next) = (0..findings.len()).filter_map(turn).min()?;
        let Entry { class, finding, .. } = findings.remove(next);
        *taken.entry(class).or_default() += 1;
        Some(finding)
    }

    /// Takes all that wait.
    pub fn take_all(&self) -> Vec<T> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut waiting.findings).into_iter().map(|entry| entry.finding).collect()
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

    #[test]
    fn the_cheapest_that_fits_comes_first() {
        let queue = TriageQueue::default();
        [5, 2, 3].into_iter().for_each(|cost| queue.push(Class::Crash, cost));
        let next = |most: u32| queue.pop_cheapest(|cost| (*cost <= most).then_some(*cost));
        assert_eq!([next(1), next(4), next(4), next(4), next(9)], [None, Some(2), Some(3), None, Some(5)]);
    }

    #[test]
    fn a_hard_finding_delays_no_other() {
        let queue = TriageQueue::default();
        queue.push_again(Class::WrongUnsat, 2, "twice");
        queue.push_again(Class::WrongUnsat, 1, "once");
        queue.push(Class::Crash, "new");
        let taken: Vec<&str> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(taken, ["new", "once", "twice"]);
    }
}
