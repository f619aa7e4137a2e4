//! How long a solver is waited for. Most cases of a seed are answered in a few milliseconds, some take seconds, some never end; to
//! wait for those costs the time of a hundred others. So some cases get much time, all others as much as pays by what
//! the first ones took.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The first cases get much time, and then one in so many, unless they have taken more than this part of all time.
const FIRST_LOOKS: u32 = 3;
const LOOKS: u32 = 16;
const PART: u32 = 4;
/// How many of the last long looks count.
const KEPT: usize = 24;

/// The long time for the first case, and the least for any other.
const FIRST: Duration = Duration::from_millis(500);
const LEAST_LONG: Duration = Duration::from_millis(250);
/// The long time is so many times what the slowest run took that came to an end.
const LONG_SLACK: u32 = 10;

/// The short time is so many times what a run took that came to an end, and never less than this.
const SHORT_SLACK: u32 = 4;
const LEAST_SHORT: Duration = Duration::from_millis(30);

/// How much time a case gets. All solvers give it alike, so that their answers can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// As much as pays.
    Short,
    /// Much more.
    Long,
}

/// What is known about cases of one kind: those of one seed, or those that are made from nothing.
#[derive(Default)]
pub struct AdaptiveTimeout {
    /// How many cases there were, and how many since the last one that got much time.
    cases: u32,
    since_long: u32,
    /// The time of all runs, and of those of cases that got much.
    all: Duration,
    long: Duration,
    /// The slowest run that came to an end.
    slowest: Option<Duration>,
    /// What the runs of each solver took that had much time; nothing if that was not enough.
    looks: BTreeMap<usize, VecDeque<Option<Duration>>>,
}

impl AdaptiveTimeout {
    /// The time for a case that gets much.
    pub fn long(&self) -> Duration {
        self.slowest.map_or(FIRST, |slowest| (LONG_SLACK * slowest).max(LEAST_LONG))
    }

    /// The time for a run of a solver.
    pub fn limit(&self, solver: usize, limit_kind: LimitKind) -> Duration {
        let long = self.long();
        match self.looks.get(&solver) {
            Some(looks) if limit_kind == LimitKind::Short => pays_best(looks).min(long),
            _ => long,
        }
    }

    /// Notes how long a run of a solver was waited for, and whether it came to an end.
    pub fn note(&mut self, solver: usize, limit_kind: LimitKind, waited: Duration, ended: bool) {
        let took = ended.then_some(waited);
        self.slowest = self.slowest.max(took);
        self.all += waited;
        if limit_kind == LimitKind::Long {
            self.long += waited;
            let looks = self.looks.entry(solver).or_default();
            if looks.len() == KEPT {
                looks.pop_front();
            }
            looks.push_back(took);
        }
    }

    /// How much time the next case gets.
    pub fn next_limit_kind(&mut self) -> LimitKind {
        let due = self.since_long >= LOOKS && PART * self.long <= self.all;
        let limit_kind = if self.cases < FIRST_LOOKS || due { LimitKind::Long } else { LimitKind::Short };
        self.since_long = if limit_kind == LimitKind::Short { self.since_long + 1 } else { 1 };
        self.cases = self.cases.saturating_add(1);
        limit_kind
    }
}

/// The limit that gives the most answers in all the time.
fn pays_best(looks: &VecDeque<Option<Duration>>) -> Duration {
    let rated = looks.iter().flatten().map(|&took| {
        let limit = (SHORT_SLACK * took).max(LEAST_SHORT);
        let answers = looks.iter().flatten().filter(|&&took| took <= limit).count();
        let waited: Duration = looks.iter().map(|took| took.map_or(limit, |took| took.min(limit))).sum();
        (limit, answers as f64 / waited.as_secs_f64().max(f64::MIN_POSITIVE))
    });
    rated.max_by(|(_, one), (_, other)| one.total_cmp(other)).map_or(LEAST_SHORT, |(limit, _)| limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn waiting_pays_for_what_most_cases_need() {
        // What runs took, 0 for those without an end, and the limit that pays best.
        let table: [(&[u64], u64); 7] = [
            (&[], 30),
            (&[0, 0], 30),
            (&[5, 5, 5, 0], 30),
            (&[10, 11, 12, 0], 40),
            (&[5, 5, 5, 300], 30),
            (&[5, 100, 100, 100, 100], 400),
            (&[5, 5, 100, 100, 0, 0], 30),
        ];
        for (took, best) in table {
            let looks = took.iter().map(|&took| (took > 0).then(|| ms(took))).collect();
            assert_eq!(pays_best(&looks), ms(best), "{took:?}");
        }
    }

    #[test]
    fn some_cases_get_much_time() {
        // What the runs of a solver take, and the limits of the first and of the other cases after the first round.
        let table = [
            (None, FIRST, LEAST_SHORT),
            (Some(ms(2)), LEAST_LONG, LEAST_SHORT),
            (Some(ms(40)), ms(400), ms(160)),
        ];
        for (took, long, short) in table {
            let mut adaptive_timeout = AdaptiveTimeout::default();
            assert_eq!(adaptive_timeout.limit(0, LimitKind::Short), FIRST);
            for case in 0..40 {
                let is_long = case < FIRST_LOOKS || case % LOOKS == 2;
                let limit_kind = adaptive_timeout.next_limit_kind();
                assert_eq!(limit_kind, if is_long { LimitKind::Long } else { LimitKind::Short });
                if case > 0 {
                    assert_eq!(
                        adaptive_timeout.limit(0, limit_kind),
                        if is_long { long } else { short },
                        "{took:?} {case}"
                    );
                }
                // Of another solver nothing is known.
                assert_eq!(adaptive_timeout.limit(1, limit_kind), adaptive_timeout.long());
                adaptive_timeout.note(0, limit_kind, took.unwrap_or_default(), took.is_some());
            }
        }
    }
}
