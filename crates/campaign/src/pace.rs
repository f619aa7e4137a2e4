//! How much time the cases of each seed deserve. A hard seed could take all the time there is: its cases run into the limit
//! on every solver, while those of an easy one are answered in milliseconds. So a case is given a short time first, by what
//! its seed has shown to need, and a seed that took more than its share lets some of its cases pass.

use std::collections::BTreeMap;
use std::time::Duration;

/// The time that a case has a right to; what it takes beyond is made up for by passing over cases of the same seed.
const SHARE: Duration = Duration::from_millis(50);

/// The limit of a seed's first case, and the least of any other.
const FIRST: Duration = Duration::from_millis(500);
const LEAST: Duration = Duration::from_millis(250);

/// A case may take so many times as long as the slowest one before it that came to an end.
const SLACK: u32 = 10;

/// Of all time, at most one part in so many goes to second looks at slow cases.
const SECOND_LOOKS: u32 = 20;

/// What one worker knows about the cost of seeds.
#[derive(Default)]
pub struct Pace {
    seeds: BTreeMap<usize, Cost>,
    total: Duration,
    second_looks: Duration,
}

#[derive(Default)]
struct Cost {
    /// The slowest run that came to an end.
    slowest: Option<Duration>,
    /// What the seed took beyond its share.
    debt: Duration,
}

impl Pace {
    /// Whether the next case of a seed is to be passed over; if so, that pays off a part of what the seed took too much.
    pub fn passes_over(&mut self, seed: Option<usize>) -> bool {
        match seed.and_then(|seed| self.seeds.get_mut(&seed)) {
            Some(cost) if cost.debt >= SHARE => {
                cost.debt -= SHARE;
                true
            }
            _ => false,
        }
    }

    /// The time for each run of the next case of a seed, at most `limit`.
    pub fn limit(&self, seed: Option<usize>, limit: Duration) -> Duration {
        let slowest = seed.and_then(|seed| self.seeds.get(&seed)?.slowest);
        slowest.map_or(FIRST, |slowest| (SLACK * slowest).max(LEAST)).min(limit)
    }

    /// Notes what a case took in all, and its slowest run that came to an end.
    pub fn note(&mut self, seed: Option<usize>, took: Duration, slowest: Option<Duration>) {
        self.total += took;
        // One case that was made from nothing says nothing about the next.
        let Some(seed) = seed else { return };
        let cost = self.seeds.entry(seed).or_default();
        cost.slowest = cost.slowest.max(slowest);
        cost.debt += took.saturating_sub(SHARE);
    }

    /// Whether there is time for a second look at a case that a solver could not do in the short time.
    pub fn may_look_again(&self) -> bool {
        SECOND_LOOKS * self.second_looks <= self.total
    }

    /// Notes what a second look took.
    pub fn looked_again(&mut self, took: Duration) {
        self.second_looks += took;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn limits_follow_what_a_seed_needs() {
        let most = ms(2000);
        // The slowest run so far, and the limit that follows.
        let table = [
            (None, FIRST),
            (Some(ms(3)), LEAST),
            (Some(ms(40)), ms(400)),
            (Some(ms(1)), ms(400)),
            (Some(ms(900)), most),
        ];
        let mut pace = Pace::default();
        for (slowest, limit) in table {
            pace.note(Some(0), ms(1), slowest);
            assert_eq!(pace.limit(Some(0), most), limit, "{slowest:?}");
        }
        assert_eq!(pace.limit(Some(0), ms(100)), ms(100));
        assert_eq!(pace.limit(Some(1), most), FIRST);
        pace.note(None, ms(900), Some(ms(900)));
        assert_eq!(pace.limit(None, most), FIRST);
    }

    #[test]
    fn a_seed_that_took_too_much_lets_cases_pass() {
        let mut pace = Pace::default();
        pace.note(Some(0), ms(30), None);
        assert!(!pace.passes_over(Some(0)));
        pace.note(Some(0), ms(250), None);
        let passed = (0..10).filter(|_| pace.passes_over(Some(0))).count();
        assert_eq!(passed, 4);
        assert!(!pace.passes_over(Some(1)));
        pace.note(None, ms(900), None);
        assert!(!pace.passes_over(None));
    }

    #[test]
    fn second_looks_have_a_small_part_of_the_time() {
        let mut pace = Pace::default();
        assert!(pace.may_look_again());
        pace.looked_again(ms(100));
        assert!(!pace.may_look_again());
        pace.note(None, ms(2000), None);
        assert!(pace.may_look_again());
    }
}
