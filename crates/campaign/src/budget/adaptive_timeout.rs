//! How long to wait for a solver. Most cases of a seed are answered in milliseconds, some take seconds, some never end, and
//! waiting for those costs the time of a hundred others. So a few cases get a long time limit, and all others get the limit
//! that would have paid best on those few.

use case::SolverIndex;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The first cases get the long limit unless one of them did not end, then one case in this many, unless long runs took more than
/// a quarter of all time.
const FIRST_LONG: u32 = 3;
const LONG_EVERY: u32 = 16;
const LONG_SHARE: u32 = 4;
/// How many of the latest long runs count.
const KEPT: usize = 24;

/// The long limit of the first case, and the smallest long limit.
const FIRST: Duration = Duration::from_millis(200);
const LEAST_LONG: Duration = Duration::from_millis(250);
/// The long limit is this many times the slowest run that ended.
const LONG_SLACK: u32 = 10;

/// The short limit is this many times the time of a run that ended, and at least this long.
const SHORT_SLACK: u32 = 3;
const LEAST_SHORT: Duration = Duration::from_millis(20);
/// The short limit before anything is known.
const FIRST_SHORT: Duration = Duration::from_millis(40);

/// The kind of time limit of a case. All solvers use the same kind, so that their answers are comparable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// The limit that pays best.
    Short,
    /// A much longer limit.
    Long,
    /// The long limit before anything is known, for seeds as they are.
    FirstLook,
    /// The limit of the campaign.
    Full,
}

/// The time that solvers need for the cases of one seed, or for cases without a seed.
#[derive(Default)]
pub struct AdaptiveTimeout {
    cases: u32,
    /// Cases since the last one with the long limit.
    since_long: u32,
    /// The time of all runs, and of those with the long limit.
    all: Duration,
    long: Duration,
    /// Whether a run did not end.
    lost: bool,
    /// The slowest run that ended.
    slowest: Option<Duration>,
    /// The times of the latest long runs of each solver, or of its first run; `None` for a run that did not end.
    long_runs: BTreeMap<SolverIndex, VecDeque<Option<Duration>>>,
}

impl AdaptiveTimeout {
    /// The long limit.
    pub fn long(&self) -> Duration {
        self.slowest.map_or(FIRST, |slowest| (LONG_SLACK * slowest).max(LEAST_LONG))
    }

    /// The limit for a run of a solver.
    pub fn limit(&self, solver: SolverIndex, kind: LimitKind) -> Duration {
        let long = self.long();
        match self.long_runs.get(&solver) {
            Some(runs) if kind == LimitKind::Short => best_limit(runs).min(long),
            None if kind == LimitKind::Short => FIRST_SHORT,
            _ if kind == LimitKind::FirstLook => FIRST,
            _ => long,
        }
    }

    /// Records how long a run of a solver was waited for, and whether it ended.
    pub fn record(&mut self, solver: SolverIndex, kind: LimitKind, waited: Duration, ended: bool) {
        let took = ended.then_some(waited);
        self.slowest = self.slowest.max(took);
        self.lost |= !ended;
        self.all += waited;
        if kind != LimitKind::Short {
            self.long += waited;
        }
        if kind != LimitKind::Short || !self.long_runs.contains_key(&solver) {
            let runs = self.long_runs.entry(solver).or_default();
            if runs.len() == KEPT {
                runs.pop_front();
            }
            runs.push_back(took);
        }
    }

    /// The kind of limit of the next case. It is short if all seeds together waste too much time.
    pub fn next_kind(&mut self, wasteful: bool) -> LimitKind {
        let first = self.cases < FIRST_LONG && !self.lost;
        let due = self.since_long >= LONG_EVERY && LONG_SHARE * self.long <= self.all;
        let kind = if (first || due) && !wasteful { LimitKind::Long } else { LimitKind::Short };
        self.since_long = if kind == LimitKind::Short { self.since_long + 1 } else { 1 };
        self.cases = self.cases.saturating_add(1);
        kind
    }
}

/// The limit that yields the most answers per second.
fn best_limit(runs: &VecDeque<Option<Duration>>) -> Duration {
    let rated = runs.iter().flatten().map(|&took| {
        let limit = (SHORT_SLACK * took).max(LEAST_SHORT);
        let answers = runs.iter().flatten().filter(|&&took| took <= limit).count();
        let waited: Duration = runs.iter().map(|took| took.map_or(limit, |took| took.min(limit))).sum();
        (limit, answers as f64 / waited.as_secs_f64().max(f64::MIN_POSITIVE))
    });
    rated.max_by(|(_, one), (_, other)| one.total_cmp(other)).map_or(LEAST_SHORT, |(limit, _)| limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLVER: SolverIndex = SolverIndex(0);
    const OTHER: SolverIndex = SolverIndex(1);

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn the_best_limit_yields_the_most_answers_per_second() {
        // The times of runs, 0 for those that did not end, and the best limit.
        let table: [(&[u64], u64); 7] = [
            (&[], 20),
            (&[0, 0], 20),
            (&[5, 5, 5, 0], 20),
            (&[10, 11, 12, 0], 30),
            (&[5, 5, 5, 300], 20),
            (&[5, 100, 100, 100, 100], 300),
            (&[5, 5, 100, 100, 0, 0], 20),
        ];
        for (took, best) in table {
            let runs = took.iter().map(|&took| (took > 0).then(|| ms(took))).collect();
            assert_eq!(best_limit(&runs), ms(best), "{took:?}");
        }
    }

    #[test]
    fn some_cases_get_the_long_limit() {
        // The time of each run, and the long and the short limit after the first case.
        let table = [
            (None, FIRST, LEAST_SHORT),
            (Some(ms(2)), LEAST_LONG, LEAST_SHORT),
            (Some(ms(40)), ms(400), ms(120)),
        ];
        for (took, long, short) in table {
            let mut timeout = AdaptiveTimeout::default();
            assert_eq!(timeout.limit(SOLVER, LimitKind::Short), FIRST_SHORT);
            let first = if took.is_some() { FIRST_LONG } else { 1 };
            for case in 0..40 {
                let is_long = case < first || case % LONG_EVERY == first - 1;
                let kind = timeout.next_kind(false);
                assert_eq!(kind, if is_long { LimitKind::Long } else { LimitKind::Short });
                if case > 0 {
                    let expected = if is_long { long } else { short };
                    assert_eq!(timeout.limit(SOLVER, kind), expected, "{took:?} {case}");
                }
                // Nothing is known about another solver.
                let unknown = if is_long { timeout.long() } else { FIRST_SHORT };
                assert_eq!(timeout.limit(OTHER, kind), unknown);
                timeout.record(SOLVER, kind, took.unwrap_or_default(), took.is_some());
            }
        }
    }
}
