//! How much time each seed gets. A hard seed could take all of it: its cases time out on every solver, while those of an easy
//! seed are answered in milliseconds. So the time limit of a case depends on what its seed has needed, and a seed that took
//! more than its share skips cases. The easy seeds define the share: all seeds get about the same time, and easy seeds run
//! more cases in it. A seed whose cases are not answered gets less.

use super::adaptive_timeout::{AdaptiveTimeout, LimitKind};
use case::{SeedIndex, SolverIndex};
use std::collections::BTreeMap;
use std::time::Duration;

/// The share of a case before anything is known, and the smallest share. What a case takes beyond its share is made up for by
/// skipping cases of the same seed.
const FIRST_SHARE: Duration = Duration::from_millis(50);
const LEAST_SHARE: Duration = Duration::from_millis(2);

/// Time without an answer shows nothing, so it counts this many times more.
const LOST: u32 = 7;

/// The cases of a batch take about this long together.
const BATCH_TIME: Duration = Duration::from_millis(200);

/// The share is updated after this many cases.
const UPDATE_EVERY: u32 = 16;

/// At most one part in this many of all time goes to retries of slow cases.
const RETRY_PART: u32 = 20;

/// What one worker knows about the cost of seeds.
pub struct SeedBudget {
    seeds: BTreeMap<SeedIndex, Cost>,
    /// The timeouts for each seed, and for cases without a seed.
    timeouts: BTreeMap<Option<SeedIndex>, AdaptiveTimeout>,
    /// The time that a case may take.
    share: Duration,
    /// Cases since the share was updated.
    cases: u32,
    total: Duration,
    retries: Duration,
}

#[derive(Default)]
struct Cost {
    /// The time of all cases.
    took: Duration,
    cases: u32,
    /// The time beyond the seed's share.
    debt: Duration,
}

impl Default for SeedBudget {
    fn default() -> SeedBudget {
        SeedBudget {
            seeds: BTreeMap::new(),
            timeouts: BTreeMap::new(),
            share: FIRST_SHARE,
            cases: 0,
            total: Duration::ZERO,
            retries: Duration::ZERO,
        }
    }
}

impl SeedBudget {
    /// Whether to skip the next case of a seed. Skipping pays off part of the seed's debt.
    pub fn skips(&mut self, seed: Option<SeedIndex>) -> bool {
        match seed.and_then(|seed| self.seeds.get_mut(&seed)) {
            Some(cost) if cost.debt >= self.share => {
                cost.debt -= self.share;
                true
            }
            _ => false,
        }
    }

    /// How many cases of a seed to run as one batch: as many as take little time together, at most `most`.
    pub fn batch_size(&self, seed: Option<SeedIndex>, most: usize) -> usize {
        let cost = seed.and_then(|seed| self.seeds.get(&seed));
        let Some(mean) = cost.and_then(|cost| cost.took.checked_div(cost.cases)) else { return 1 };
        (BATCH_TIME.as_micros() / mean.as_micros().max(1)).clamp(1, most as u128) as usize
    }

    /// The kind of time limit of the next case of a seed.
    pub fn next_limit_kind(&mut self, seed: Option<SeedIndex>) -> LimitKind {
        self.timeouts.entry(seed).or_default().next_kind()
    }

    /// The time limit of a solver on a case of a seed, at most `most`.
    pub fn limit(
        &mut self,
        seed: Option<SeedIndex>,
        solver: SolverIndex,
        kind: LimitKind,
        most: Duration,
    ) -> Duration {
        match kind {
            LimitKind::Full => most,
            _ => self.timeouts.entry(seed).or_default().limit(solver, kind).min(most),
        }
    }

    /// The long time limit on a case of a seed, at most `most`.
    pub fn long_limit(&mut self, seed: Option<SeedIndex>, most: Duration) -> Duration {
        self.timeouts.entry(seed).or_default().long().min(most)
    }

    /// Records how long a run of a solver was waited for, and whether it ended.
    pub fn record_run(
        &mut self,
        seed: Option<SeedIndex>,
        solver: SolverIndex,
        kind: LimitKind,
        waited: Duration,
        ended: bool,
    ) {
        self.timeouts.entry(seed).or_default().record(solver, kind, waited, ended);
        if let (Some(seed), false) = (seed, ended) {
            self.seeds.entry(seed).or_default().debt += waited * LOST;
        }
    }

    /// Records the total time of a case.
    pub fn record_case(&mut self, seed: Option<SeedIndex>, took: Duration) {
        self.total += took;
        // One case without a seed says nothing about the next.
        let Some(seed) = seed else { return };
        let cost = self.seeds.entry(seed).or_default();
        cost.took += took;
        cost.cases += 1;
        cost.debt = (cost.debt + took).saturating_sub(self.share);
        self.cases += 1;
        if self.cases == UPDATE_EVERY {
            self.cases = 0;
            self.share = self.fair_share();
        }
    }

    /// The mean time of a case of an easy seed, the one at the lower quartile of all seeds.
    fn fair_share(&self) -> Duration {
        let mut means: Vec<Duration> =
            self.seeds.values().filter_map(|cost| cost.took.checked_div(cost.cases)).collect();
        let quarter = means.len() / 4;
        (*means.select_nth_unstable(quarter).1).max(LEAST_SHARE)
    }

    /// Whether there is time to retry a case with the full time limit.
    pub fn may_retry(&self) -> bool {
        RETRY_PART * self.retries <= self.total
    }

    /// Records the time of a retry.
    pub fn record_retry(&mut self, took: Duration) {
        self.retries += took;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Option<SeedIndex> = Some(SeedIndex(0));
    const B: Option<SeedIndex> = Some(SeedIndex(1));
    const SOLVER: SolverIndex = SolverIndex(0);

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn a_seed_over_its_share_skips_cases() {
        let mut budget = SeedBudget::default();
        budget.record_case(A, ms(30));
        assert!(!budget.skips(A));
        budget.record_case(A, ms(250));
        let skipped = (0..10).filter(|_| budget.skips(A)).count();
        assert_eq!(skipped, 4);
        assert!(!budget.skips(B));
        budget.record_run(B, SOLVER, LimitKind::Long, ms(100), true);
        assert!(!budget.skips(B));
        budget.record_run(B, SOLVER, LimitKind::Long, ms(100), false);
        budget.record_case(B, ms(100));
        let skipped = (0..20).filter(|_| budget.skips(B)).count();
        assert_eq!(skipped, 15, "100 ms without an answer count as 800 ms, less a share");
        budget.record_case(None, ms(900));
        assert!(!budget.skips(None));
    }

    #[test]
    fn the_share_depends_on_the_other_seeds() {
        // The time of a case of each seed, and how many of the next hundred cases of the last seed are skipped.
        let table: [(&[u64], usize); 4] =
            [(&[900], 0), (&[900, 900, 900], 0), (&[4, 4, 4, 40], 90), (&[80, 80, 80, 400], 80)];
        for (costs, expected) in table {
            let mut budget = SeedBudget::default();
            for _ in 0..UPDATE_EVERY {
                for (seed, &cost) in costs.iter().enumerate() {
                    budget.record_case(Some(SeedIndex(seed)), ms(cost));
                }
            }
            let last = Some(SeedIndex(costs.len() - 1));
            while budget.skips(last) {}
            let mut skipped = 0;
            for _ in 0..100 {
                if budget.skips(last) {
                    skipped += 1;
                } else {
                    budget.record_case(last, ms(costs[costs.len() - 1]));
                }
            }
            assert_eq!(skipped, expected, "{costs:?}");
        }
    }

    #[test]
    fn fast_cases_run_in_larger_batches() {
        // The time of each of two cases, and the size of the next batch.
        let table = [(0, 8), (5, 8), (50, 4), (199, 1), (900, 1)];
        for (took, size) in table {
            let mut budget = SeedBudget::default();
            assert_eq!(budget.batch_size(A, 8), 1);
            (0..2).for_each(|_| budget.record_case(A, ms(took)));
            assert_eq!(budget.batch_size(A, 8), size, "{took}");
            assert_eq!(budget.batch_size(None, 8), 1);
        }
    }

    #[test]
    fn retries_get_a_small_part_of_the_time() {
        let mut budget = SeedBudget::default();
        assert!(budget.may_retry());
        budget.record_retry(ms(100));
        assert!(!budget.may_retry());
        budget.record_case(None, ms(2000));
        assert!(budget.may_retry());
    }
}
