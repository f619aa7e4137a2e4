//! How much time each seed gets. A hard seed could take all of it: its cases time out on every solver, while those of an easy
//! seed are answered in milliseconds. So the time limit of a case depends on what its seed has needed, and a seed that took
//! more than its share skips cases. The easy seeds define the share: all seeds get about the same time, and easy seeds run
//! more cases in it. A seed whose cases are not answered gets less.

use super::adaptive_timeout::{AdaptiveTimeout, LimitKind};
use super::source::Source;
use case::{SeedIndex, SolverIndex};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The share of a case before anything is known, and the smallest share. What a case takes beyond its share is made up for by
/// skipping cases of the same seed.
const FIRST_SHARE: Duration = Duration::from_millis(50);
const LEAST_SHARE: Duration = Duration::from_millis(2);

/// Time without an answer shows nothing, so it counts this many times more.
const LOST: u32 = 7;

/// A seed that no solver answered in an earlier campaign starts with this much time beyond its share.
const HOPELESS: Duration = Duration::from_secs(2);

/// The cases of a batch take about this long together.
const BATCH_TIME: Duration = Duration::from_millis(200);

/// The share is updated after this many cases.
const UPDATE_EVERY: u32 = 16;

/// While more than one part in this many of all time ends without an answer, no case gets a long limit.
const LOST_PART: u32 = 10;

/// What one worker knows about the cost of cases.
pub struct SeedBudget {
    costs: BTreeMap<Source, Cost>,
    timeouts: BTreeMap<Source, AdaptiveTimeout>,
    /// The time that a case may take.
    share: Duration,
    /// Cases since the share was updated.
    cases: u32,
    /// The time of all runs, and of those that did not end.
    all: Duration,
    lost: Duration,
}

#[derive(Default)]
struct Cost {
    /// The time of all cases.
    took: Duration,
    cases: u32,
    /// The time beyond the seed's share.
    debt: Duration,
}

impl SeedBudget {
    /// The budget of a worker that knows which seeds are hopeless.
    pub fn new(hopeless: &BTreeSet<SeedIndex>) -> SeedBudget {
        let indebted = |&seed: &SeedIndex| (Source::Seed(seed), Cost { debt: HOPELESS, ..Cost::default() });
        SeedBudget {
            costs: hopeless.iter().map(indebted).collect(),
            timeouts: BTreeMap::new(),
            share: FIRST_SHARE,
            cases: 0,
            all: Duration::ZERO,
            lost: Duration::ZERO,
        }
    }

    /// Whether to skip the next case of a seed. Skipping pays off part of the seed's debt.
    pub fn skips(&mut self, source: Source) -> bool {
        match self.costs.get_mut(&source) {
            Some(cost) if cost.debt >= self.share => {
                cost.debt -= self.share;
                true
            }
            _ => false,
        }
    }

    /// How many cases to run as one batch: as many as take little time together, at most `most`.
    pub fn batch_size(&self, source: Source, most: usize) -> usize {
        let cost = self.costs.get(&source);
        let Some(mean) = cost.and_then(|cost| cost.took.checked_div(cost.cases)) else { return 1 };
        (BATCH_TIME.as_micros() / mean.as_micros().max(1)).clamp(1, most as u128) as usize
    }

    /// The kind of time limit of the next case.
    pub fn next_limit_kind(&mut self, source: Source) -> LimitKind {
        let wasteful = LOST_PART * self.lost > self.all;
        self.timeouts.entry(source).or_default().next_kind(wasteful)
    }

    /// The time limit of a solver on a case, at most `most`.
    pub fn limit(
        &mut self,
        source: Source,
        solver: SolverIndex,
        kind: LimitKind,
        most: Duration,
    ) -> Duration {
        match kind {
            LimitKind::Full => most,
            _ => self.timeouts.entry(source).or_default().limit(solver, kind).min(most),
        }
    }

    /// The long time limit on a case, at most `most`.
    pub fn long_limit(&mut self, source: Source, most: Duration) -> Duration {
        self.timeouts.entry(source).or_default().long().min(most)
    }

    /// Records how long a run of a solver was waited for, and whether it ended.
    pub fn record_run(
        &mut self,
        source: Source,
        solver: SolverIndex,
        kind: LimitKind,
        waited: Duration,
        ended: bool,
    ) {
        self.timeouts.entry(source).or_default().record(solver, kind, waited, ended);
        self.all += waited;
        if ended {
            return;
        }
        self.lost += waited;
        // One case without a seed says nothing about the next.
        if matches!(source, Source::Seed(_)) {
            self.costs.entry(source).or_default().debt += waited * LOST;
        }
    }

    /// Records the total time of a case.
    pub fn record_case(&mut self, source: Source, took: Duration) {
        let cost = self.costs.entry(source).or_default();
        cost.took += took;
        cost.cases += 1;
        if matches!(source, Source::Strategy(_)) {
            return;
        }
        cost.debt = (cost.debt + took).saturating_sub(self.share);
        self.cases += 1;
        if self.cases == UPDATE_EVERY {
            self.cases = 0;
            self.share = self.fair_share();
        }
    }

    /// The mean time of a case of an easy seed, the one at the lower quartile of all seeds.
    fn fair_share(&self) -> Duration {
        let seeds = self.costs.iter().filter(|(source, _)| matches!(source, Source::Seed(_)));
        let mut means: Vec<Duration> =
            seeds.filter_map(|(_, cost)| cost.took.checked_div(cost.cases)).collect();
        let quarter = means.len() / 4;
        (*means.select_nth_unstable(quarter).1).max(LEAST_SHARE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use case::StrategyIndex;

    const A: Source = Source::Seed(SeedIndex(0));
    const B: Source = Source::Seed(SeedIndex(1));
    const NO_SEED: Source = Source::Strategy(StrategyIndex(0));
    const SOLVER: SolverIndex = SolverIndex(0);

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn a_seed_over_its_share_skips_cases() {
        let mut budget = SeedBudget::new(&BTreeSet::new());
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
        budget.record_run(NO_SEED, SOLVER, LimitKind::Long, ms(900), false);
        budget.record_case(NO_SEED, ms(900));
        assert!(!budget.skips(NO_SEED));
    }

    #[test]
    fn the_share_depends_on_the_other_seeds() {
        // The time of a case of each seed, and how many of the next hundred cases of the last seed are skipped.
        let table: [(&[u64], usize); 4] =
            [(&[900], 0), (&[900, 900, 900], 0), (&[4, 4, 4, 40], 90), (&[80, 80, 80, 400], 80)];
        for (costs, expected) in table {
            let mut budget = SeedBudget::new(&BTreeSet::new());
            for _ in 0..UPDATE_EVERY {
                for (seed, &cost) in costs.iter().enumerate() {
                    budget.record_case(Source::Seed(SeedIndex(seed)), ms(cost));
                }
            }
            let last = Source::Seed(SeedIndex(costs.len() - 1));
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
            let mut budget = SeedBudget::new(&BTreeSet::new());
            assert_eq!(budget.batch_size(A, 8), 1);
            (0..2).for_each(|_| budget.record_case(A, ms(took)));
            assert_eq!(budget.batch_size(A, 8), size, "{took}");
            assert_eq!(budget.batch_size(NO_SEED, 8), 1);
        }
    }

    #[test]
    fn no_case_gets_a_long_limit_while_much_time_is_lost() {
        let mut budget = SeedBudget::new(&BTreeSet::new());
        assert_eq!(budget.next_limit_kind(A), LimitKind::Long);
        budget.record_run(A, SOLVER, LimitKind::Long, ms(100), false);
        assert_eq!(budget.next_limit_kind(B), LimitKind::Short);
        budget.record_run(B, SOLVER, LimitKind::Short, ms(1000), true);
        assert_eq!(budget.next_limit_kind(NO_SEED), LimitKind::Long);
    }
}
