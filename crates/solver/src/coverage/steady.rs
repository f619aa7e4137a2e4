//! What several runs of the same script reach: some scripts are not solved in the same way twice.

use super::Reached;

/// What one run reached, or several of the same script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steady {
    /// What every run reached.
    pub always: Reached,
    /// What any run reached.
    pub ever: Reached,
}

impl Steady {
    /// What one run reached.
    pub fn new(reached: Reached) -> Steady {
        Steady { always: reached.clone(), ever: reached }
    }

    /// Takes in more runs of the same.
    pub fn add(&mut self, again: &Steady) {
        self.always = self.always.common(&again.always);
        self.ever.add(&again.ever);
    }

    /// What these runs always reach, and others never did.
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
    fn what_changes_from_run_to_run_tells_nothing() {
        let one = runs(&[&[1, 1, 0, 1, 0], &[1, 0, 1, 1, 0]]);
        let other = runs(&[&[1, 0, 0, 0, 0], &[1, 0, 0, 0, 1]]);
        assert_eq!(one.beyond(&other).iter().map(|point| point.get()).collect::<Vec<_>>(), [3]);
        assert_eq!(other.beyond(&one).count(), 0);
    }
}
