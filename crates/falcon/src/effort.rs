//! Where time pays most: on new cases, on configurations of cases that reached new code by default, or on those of other
//! cases; and on drawn configurations or on bred ones. The answer changes during a campaign: at first every case reaches
//! new code, later only options do.

/// What a worker can spend time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Cases under default options.
    Cases,
    /// Configurations of a case that reached new code by default.
    FreshCases,
    /// Configurations of another case.
    OtherCases,
    /// Configurations that are drawn at random.
    Drawn,
    /// Configurations that are bred from ones that reached new code.
    Bred,
}

/// The weight of a run after the next run of its kind.
const DECAY: f64 = 0.997;
/// What does not pay is still tried once in this many times.
const TRIALS: u32 = 16;

/// How much new code an activity reached lately, and in how much time.
#[derive(Clone, Copy)]
struct Account {
    reached: f64,
    seconds: f64,
    /// How many times in a row it was skipped.
    skipped: u32,
}

impl Account {
    /// Everything pays until runs show otherwise.
    const NEW: Account = Account { reached: 1.0, seconds: 0.001, skipped: 0 };

    fn rate(&self) -> f64 {
        self.reached / self.seconds
    }
}

/// The rates at which the activities of one worker reach new code.
pub struct Effort([Account; 5]);

impl Default for Effort {
    fn default() -> Effort {
        Effort([Account::NEW; 5])
    }
}

impl Effort {
    /// Records how much new code a run reached, and how long it took.
    pub fn record(&mut self, activity: Activity, reached: usize, seconds: f64) {
        let account = &mut self.0[activity as usize];
        account.reached = account.reached * DECAY + reached as f64;
        account.seconds = account.seconds * DECAY + seconds;
    }

    /// Whether to spend time on one activity rather than on another.
    pub fn pays(&mut self, activity: Activity, rather_than: Activity) -> bool {
        let other = self.0[rather_than as usize].rate();
        let account = &mut self.0[activity as usize];
        let pays = account.rate() >= other || account.skipped + 1 >= TRIALS;
        account.skipped = if pays { 0 } else { account.skipped + 1 };
        pays
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of 160 cases are run under configurations, if default and configured runs reach this much per second.
    fn configured(by_cases: usize, by_options: usize) -> usize {
        let mut effort = Effort::default();
        for _ in 0..2000 {
            effort.record(Activity::Cases, by_cases, 1.0);
            effort.record(Activity::OtherCases, by_options, 1.0);
        }
        (0..160).filter(|_| effort.pays(Activity::OtherCases, Activity::Cases)).count()
    }

    #[test]
    fn time_goes_where_it_reaches_most() {
        // New code by default and under options in the same time, and how many cases are run under options.
        let table = [(10, 1, 10), (1, 10, 160), (3, 3, 160), (0, 0, 160), (1, 0, 10), (0, 1, 160)];
        for (by_cases, by_options, expected) in table {
            assert_eq!(configured(by_cases, by_options), expected, "{by_cases} {by_options}");
        }
        assert!(Effort::default().pays(Activity::FreshCases, Activity::Cases));
    }
}
