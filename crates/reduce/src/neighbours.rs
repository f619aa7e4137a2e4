//! The neighbours of a script: every candidate that a reduction would try on it.

use crate::cost::Cost;
use crate::round::reduce;
use crate::tester::{Abort, Need, Progress, Reproduced, Tester, Watcher};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::mpsc::{self, Sender};

/// The most candidates to generate. A large script has very many.
const MAX_CANDIDATES: u64 = 4000;

/// At most `limit` scripts that differ from a script by one reduction step, largest first.
pub fn neighbours(script: &str, limit: usize) -> Vec<String> {
    let (sender, candidates) = mpsc::channel();
    let mut testers: Vec<Box<dyn Tester>> = vec![Box::new(Recorder { candidates: sender })];
    // The tester rejects everything, so every candidate is one step away.
    reduce(script, None, &mut testers, &mut StopWhenEnough { tests: 0 });
    drop(testers);
    let mut seen = HashSet::from([script.to_owned()]);
    let mut texts: Vec<String> = candidates.into_iter().filter(|text| seen.insert(text.clone())).collect();
    texts.sort_by_key(|text| Reverse(Cost::of(text)));
    texts.truncate(limit);
    texts
}

/// Records every candidate, and rejects it.
struct Recorder {
    candidates: Sender<String>,
}

impl Tester for Recorder {
    fn test(&mut self, script: &str, _: Need) -> Result<Option<Reproduced>, Abort> {
        self.candidates
            .send(script.to_owned())
            .map(|()| None)
            .map_err(|_| Abort("the receiver of candidates is gone".to_owned()))
    }
}

/// Stops the search once there are enough candidates.
struct StopWhenEnough {
    tests: u64,
}

impl Watcher for StopWhenEnough {
    fn should_stop(&self) -> bool {
        self.tests >= MAX_CANDIDATES
    }

    fn progress(&mut self, progress: &Progress<'_>) {
        self.tests = progress.counts.tests;
    }

    fn improved(&mut self, _: &str, _: Option<&str>) -> Result<(), Abort> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::neighbours;

    #[test]
    fn neighbours_are_one_step_away() {
        let script = "(declare-const x Int)\n(assert (> (* x x) 8))\n(check-sat)\n";
        let all = neighbours(script, 100);
        for expected in ["(assert (> x 8))", "(assert (> (* x x) 0))", "(assert true)"] {
            assert!(all.iter().any(|text| text.contains(expected)), "{expected} is not in {all:#?}");
        }
        assert!(all.iter().all(|text| text != script));
        assert_eq!(neighbours(script, 3), all[..3]);
    }
}
