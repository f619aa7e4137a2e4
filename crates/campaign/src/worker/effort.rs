//! Where time reaches the most: in new cases, in configurations of cases that reached something new by default, or in those of
//! other cases; and in configurations that are drawn or in those that are bred. It changes in the course of a campaign: at first
//! every case reaches something new, later only options do.

/// What time may be spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spent {
    /// Cases by default.
    Cases,
    /// Configurations of a case that reached something new by default.
    Fresh,
    /// Configurations of another case.
    Others,
    /// Configurations that are drawn at random.
    Drawn,
    /// Configurations that come of those that reached something new.
    Bred,
}

/// What a note is worth after the next one of its kind.
const FADING: f64 = 0.997;
/// What does not pay is tried all the same, one time in so many.
const TRIALS: u32 = 16;

/// How much was reached first in how much time, lately.
#[derive(Clone, Copy)]
struct Account {
    reached: f64,
    seconds: f64,
    /// How often it was not spent on in a row.
    passed: u32,
}

impl Account {
    /// Everything pays until it is shown not to.
    const NEW: Account = Account { reached: 1.0, seconds: 0.001, passed: 0 };

    fn rate(&self) -> f64 {
        self.reached / self.seconds
    }
}

/// The accounts of one worker.
pub(super) struct Effort([Account; 5]);

impl Default for Effort {
    fn default() -> Effort {
        Effort([Account::NEW; 5])
    }
}

impl Effort {
    /// Notes how much a run reached first, and how long it took.
    pub fn note(&mut self, on: Spent, reached: usize, seconds: f64) {
        let account = &mut self.0[on as usize];
        account.reached = account.reached * FADING + reached as f64;
        account.seconds = account.seconds * FADING + seconds;
    }

    /// Whether to spend time on one thing rather than on another.
    pub fn pays(&mut self, on: Spent, rather_than: Spent) -> bool {
        let other = self.0[rather_than as usize].rate();
        let account = &mut self.0[on as usize];
        let pays = account.rate() >= other || account.passed + 1 >= TRIALS;
        account.passed = if pays { 0 } else { account.passed + 1 };
        pays
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of 160 cases are run under configurations, if runs by default and under options reach so much in a second.
    fn configured(by_cases: usize, by_options: usize) -> usize {
        let mut effort = Effort::default();
        for _ in 0..2000 {
            effort.note(Spent::Cases, by_cases, 1.0);
            effort.note(Spent::Others, by_options, 1.0);
        }
        (0..160).filter(|_| effort.pays(Spent::Others, Spent::Cases)).count()
    }

    #[test]
    fn time_goes_where_it_reaches_most() {
        // What is reached by cases and under options in the same time, and how many cases are run under options.
        let table = [(10, 1, 10), (1, 10, 160), (3, 3, 160), (0, 0, 160), (1, 0, 10), (0, 1, 160)];
        for (by_cases, by_options, expected) in table {
            assert_eq!(configured(by_cases, by_options), expected, "{by_cases} {by_options}");
        }
        assert!(Effort::default().pays(Spent::Fresh, Spent::Cases));
    }
}
