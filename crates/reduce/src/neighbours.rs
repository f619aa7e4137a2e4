//! The scripts next to one that cannot be made smaller: all that a reduction would try on it.

use crate::cost::Cost;
use crate::round::reduce;
use crate::test::{Abort, Need, Progress, Shown, Tester, Watcher};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::mpsc::{self, Sender};

/// A large script has very many neighbours. So many are made at the most, of which the nearest are chosen.
const MADE: u64 = 4000;

/// At most so many scripts that differ from a script by one step of a reduction, those first that it makes least smaller.
pub fn neighbours(script: &str, most: usize) -> Vec<String> {
    let (made, all) = mpsc::channel();
    let mut testers: Vec<Box<dyn Tester>> = vec![Box::new(Recorder { made })];
    // Nothing is taken, so that every candidate is one step away.
    reduce(script, None, &mut testers, &mut Enough { tests: 0 });
    drop(testers);
    let mut seen = HashSet::from([script.to_owned()]);
    let mut texts: Vec<String> = all.into_iter().filter(|text| seen.insert(text.clone())).collect();
    texts.sort_by_key(|text| Reverse(Cost::of(text)));
    texts.truncate(most);
    texts
}

/// Takes down what it is asked about, and refuses it.
struct Recorder {
    made: Sender<String>,
}

impl Tester for Recorder {
    fn test(&mut self, script: &str, _: Need) -> Result<Option<Shown>, Abort> {
        self.made.send(script.to_owned()).map(|()| None).map_err(|_| Abort("nobody listens".to_owned()))
    }
}

/// Stops when enough has been made.
struct Enough {
    tests: u64,
}

impl Watcher for Enough {
    fn stopped(&self) -> bool {
        self.tests >= MADE
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
