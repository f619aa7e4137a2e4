//! How much time the cases of each seed deserve. A hard seed could take all the time there is: its cases run into the limit
//! on every solver, while those of an easy one are answered in milliseconds. So a case is given as much time as its seed has
//! shown to need, and a seed that took more than its share lets some of its cases pass. What a fair share is, the
//! easy seeds say: so all seeds get about the same time, and easy ones have more cases run in it. A seed whose cases are not
//! answered gets less.

use crate::adaptive_timeout::{AdaptiveTimeout, LimitKind};
use std::collections::BTreeMap;
use std::time::Duration;

/// The time that a case has a right to as long as little is known, and the least that it ever is. What a case takes beyond is
/// made up for by passing over cases of the same seed.
const FIRST_SHARE: Duration = Duration::from_millis(50);
const LEAST_SHARE: Duration = Duration::from_millis(2);

/// Time that ended without an answer shows nothing, so it counts as so many times as much more.
const LOST: u32 = 7;

/// Cases that are asked at once take about so much time together.
const AT_ONCE: Duration = Duration::from_millis(200);

/// The share is worked out anew after so many cases.
const RENEWAL: u32 = 16;

/// Of all time, at most one part in so many goes to second looks at slow cases.
const SECOND_LOOKS: u32 = 20;

/// What one worker knows about the cost of seeds.
pub struct SeedBudget {
    seeds: BTreeMap<usize, Cost>,
    /// How long solvers are waited for on the cases of each seed, and on those that are made from nothing.
    adaptive_timeout: BTreeMap<Option<usize>, AdaptiveTimeout>,
    /// The time that a case has a right to.
    share: Duration,
    /// The cases since that was worked out.
    cases: u32,
    total: Duration,
    second_looks: Duration,
}

#[derive(Default)]
struct Cost {
    /// What its cases took.
    took: Duration,
    /// How many there were.
    cases: u32,
    /// What the seed took beyond its share.
    debt: Duration,
}

impl Default for SeedBudget {
    fn default() -> SeedBudget {
        SeedBudget {
            seeds: BTreeMap::new(),
            adaptive_timeout: BTreeMap::new(),
            share: FIRST_SHARE,
            cases: 0,
            total: Duration::ZERO,
            second_looks: Duration::ZERO,
        }
    }
}

impl SeedBudget {
    /// Whether the next case of a seed is to be passed over; if so, that pays off a part of what the seed took too much.
    pub fn passes_over(&mut self, seed: Option<usize>) -> bool {
        match seed.and_then(|seed| self.seeds.get_mut(&seed)) {
            Some(cost) if cost.debt >= self.share => {
                cost.debt -= self.share;
                true
            }
            _ => false,
        }
    }

    /// How many cases of a seed are asked at once: as many as take little time together, at most `most`.
    pub fn at_once(&self, seed: Option<usize>, most: usize) -> usize {
        let cost = seed.and_then(|seed| self.seeds.get(&seed));
        let Some(mean) = cost.and_then(|cost| cost.took.checked_div(cost.cases)) else { return 1 };
        (AT_ONCE.as_micros() / mean.as_micros().max(1)).clamp(1, most as u128) as usize
    }

    /// How much time the next case of a seed gets.
    pub fn next_limit_kind(&mut self, seed: Option<usize>) -> LimitKind {
        self.adaptive_timeout.entry(seed).or_default().next_limit_kind()
    }

    /// How long the solver at `place` is waited for on a case of a seed, at most `most`.
    pub fn limit(
        &mut self,
        seed: Option<usize>,
        place: usize,
        limit_kind: LimitKind,
        most: Duration,
    ) -> Duration {
        self.adaptive_timeout.entry(seed).or_default().limit(place, limit_kind).min(most)
    }

    /// How long any solver is waited for on a case of a seed that gets much time, at most `most`.
    pub fn long_limit(&mut self, seed: Option<usize>, most: Duration) -> Duration {
        self.adaptive_timeout.entry(seed).or_default().long().min(most)
    }

    /// Notes how long a run of the solver at `place` was waited for, and whether it came to an end.
    pub fn note_run(
        &mut self,
        seed: Option<usize>,
        place: usize,
        limit_kind: LimitKind,
        waited: Duration,
        ended: bool,
    ) {
        self.adaptive_timeout.entry(seed).or_default().note(place, limit_kind, waited, ended);
        if let (Some(seed), false) = (seed, ended) {
            self.seeds.entry(seed).or_default().debt += waited * LOST;
        }
    }

    /// Notes what a case took in all.
    pub fn note(&mut self, seed: Option<usize>, took: Duration) {
        self.total += took;
        // One case that was made from nothing says nothing about the next.
        let Some(seed) = seed else { return };
        let cost = self.seeds.entry(seed).or_default();
        cost.took += took;
        cost.cases += 1;
        cost.debt = (cost.debt + took).saturating_sub(self.share);
        self.cases += 1;
        if self.cases == RENEWAL {
            self.cases = 0;
            self.share = self.fair_share();
        }
    }

    /// What the cases of an easy seed take, one at the lower quarter of all seeds.
    fn fair_share(&self) -> Duration {
        let mut means: Vec<Duration> =
            self.seeds.values().filter_map(|cost| cost.took.checked_div(cost.cases)).collect();
        let quarter = means.len() / 4;
        (*means.select_nth_unstable(quarter).1).max(LEAST_SHARE)
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
    fn a_seed_that_took_too_much_lets_cases_pass() {
        let mut seed_budget = SeedBudget::default();
        seed_budget.note(Some(0), ms(30));
        assert!(!seed_budget.passes_over(Some(0)));
        seed_budget.note(Some(0), ms(250));
        let passed = (0..10).filter(|_| seed_budget.passes_over(Some(0))).count();
        assert_eq!(passed, 4);
        assert!(!seed_budget.passes_over(Some(1)));
        seed_budget.note_run(Some(1), 0, LimitKind::Long, ms(100), true);
        assert!(!seed_budget.passes_over(Some(1)));
        seed_budget.note_run(Some(1), 0, LimitKind::Long, ms(100), false);
        seed_budget.note(Some(1), ms(100));
        let passed = (0..20).filter(|_| seed_budget.passes_over(Some(1))).count();
        assert_eq!(passed, 15, "a hundred that were lost count as eight hundred, less a share");
        seed_budget.note(None, ms(900));
        assert!(!seed_budget.passes_over(None));
    }

    #[test]
    fn what_is_too_much_depends_on_the_other_seeds() {
        // What the cases of each seed take, and how many of the next hundred of the last seed are passed over.
        let table: [(&[u64], usize); 4] =
            [(&[900], 0), (&[900, 900, 900], 0), (&[4, 4, 4, 40], 90), (&[80, 80, 80, 400], 80)];
        for (costs, passed) in table {
            let mut seed_budget = SeedBudget::default();
            for _ in 0..RENEWAL {
                for (seed, &cost) in costs.iter().enumerate() {
                    seed_budget.note(Some(seed), ms(cost));
                }
            }
            let last = costs.len() - 1;
            while seed_budget.passes_over(Some(last)) {}
            let mut over = 0;
            for _ in 0..100 {
                if seed_budget.passes_over(Some(last)) {
                    over += 1;
                } else {
                    seed_budget.note(Some(last), ms(costs[last]));
                }
            }
            assert_eq!(over, passed, "{costs:?}");
        }
    }

    #[test]
    fn what_takes_little_time_is_asked_at_once() {
        // What each of two cases took, and how many are asked at once.
        let table = [(0, 8), (5, 8), (50, 4), (199, 1), (900, 1)];
        for (took, at_once) in table {
            let mut seed_budget = SeedBudget::default();
            assert_eq!(seed_budget.at_once(Some(0), 8), 1);
            (0..2).for_each(|_| seed_budget.note(Some(0), ms(took)));
            assert_eq!(seed_budget.at_once(Some(0), 8), at_once, "{took}");
            assert_eq!(seed_budget.at_once(None, 8), 1);
        }
    }

    #[test]
    fn second_looks_have_a_small_part_of_the_time() {
        let mut seed_budget = SeedBudget::default();
        assert!(seed_budget.may_look_again());
        seed_budget.looked_again(ms(100));
        assert!(!seed_budget.may_look_again());
        seed_budget.note(None, ms(2000));
        assert!(seed_budget.may_look_again());
    }
}
