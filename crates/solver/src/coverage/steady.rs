//! The coverage of several runs of one script, since some solvers are not deterministic.

use super::Reached;

/// The coverage of one or more runs of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steady {
    /// What every run reached.
    pub always: Reached,
    /// What any run reached.
    pub ever: Reached,
}

impl Steady {
    /// The coverage of one run.
    pub fn new(reached: Reached) -> Steady {
        Steady { always: reached.clone(), ever: reached }
    }

    /// Adds more runs of the same script.
    pub fn add(&mut self, again: &Steady) {
        self.always = self.always.common(&again.always);
        self.ever.add(&again.ever);
    }

    /// What these runs always reach and the others never reach.
    pub fn beyond(&self, other: &Steady) -> Reached {
        self.always.without(&other.ever)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(all: &[&[u8]]) -> Steady {
        let mut runs = all.iter().map(|bytes| Steady::new(Reached::from_bytes(bytes)));
        let mut first = runs.next().unwrap();
        runs.for_each(|run| first.add(&run));
        first
    }

    #[test]
    fn points_that_vary_between_runs_are_ignored() {
        let one = runs(&[&[1, 1, 0, 1, 0], &[1, 0, 1, 1, 0]]);
        let other = runs(&[&[1, 0, 0, 0, 0], &[1, 0, 0, 0, 1]]);
        assert_eq!(one.beyond(&other).iter().map(|point| point.get()).collect::<Vec<_>>(), [3]);
        assert_eq!(other.beyond(&one).count(), 0);
    }
}
