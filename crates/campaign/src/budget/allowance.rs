//! Which part of its time a worker may spend on work besides cases.

use crate::time_account::{Purpose, Spent, TimeAccount};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// A worker may spend its share of this much time before it has worked at all.
const ADVANCE: Duration = Duration::from_secs(10);

/// Work that mostly ends without an answer gets less time while more than this percentage of a worker's time brought none.
const MOST_LOST: u64 = 14;
/// This part of its share, so that an unlucky start is not the end.
const LEFT_TO_UNLUCKY: u64 = 5;

/// The largest shares of a worker's time, in percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Shares {
    /// For questions about seeds before strategies can use them.
    pub preparation: u64,
    /// For confirming wrong results.
    pub confirmation: u64,
    /// For running slow cases again.
    pub performance: u64,
    /// For running hard seeds with the full time limit.
    pub hard_seeds: u64,
    /// For runs under other options.
    pub options: u64,
    /// For what solvers state besides their answers.
    pub statements: u64,
    /// For reducing findings and comparing them.
    pub triage: u64,
    /// For the reports of findings, which are written beside the workers: a share of the time of the campaign.
    pub reports: u64,
}

impl Default for Shares {
    fn default() -> Shares {
        Shares {
            preparation: 10,
            confirmation: 10,
            performance: 5,
            hard_seeds: 3,
            options: 8,
            statements: 5,
            triage: 10,
            reports: 6,
        }
    }
}

/// What one worker has spent so far.
pub struct Allowance {
    started: Instant,
    shares: Shares,
    spent: TimeAccount,
}

impl Allowance {
    /// Nothing is spent yet.
    pub fn new(shares: Shares) -> Allowance {
        Allowance { started: Instant::now(), shares, spent: TimeAccount::default() }
    }

    /// Takes a pause out of the time of the worker.
    pub fn skip_pause(&mut self, pause: Duration) {
        self.started += pause;
    }

    /// Records what was spent.
    pub fn record(&mut self, spent: &TimeAccount) {
        self.spent.add(spent);
    }

    /// Whether a purpose has time left. `unrecorded` is what was spent since the last record.
    pub fn permits(&self, purpose: Purpose, unrecorded: &TimeAccount) -> bool {
        self.permits_at(self.started.elapsed(), purpose, unrecorded)
    }

    /// How much of its share a purpose has left.
    pub fn room(&self, purpose: Purpose, unrecorded: &TimeAccount) -> Duration {
        let share = self.share(purpose).unwrap_or(100);
        let all = (self.started.elapsed() + ADVANCE).as_micros() as u64 / 100 * share;
        Duration::from_micros(all.saturating_sub(self.spent(purpose, unrecorded).total()))
    }

    /// The largest share of a purpose, in percent; `None` if it has none.
    fn share(&self, purpose: Purpose) -> Option<u64> {
        Some(match purpose {
            Purpose::Preparation => self.shares.preparation,
            Purpose::Confirmation => self.shares.confirmation,
            Purpose::Performance => self.shares.performance,
            Purpose::HardSeeds => self.shares.hard_seeds,
            Purpose::Options => self.shares.options,
            Purpose::Statements => self.shares.statements,
            Purpose::Triage => self.shares.triage,
            _ => return None,
        })
    }

    fn permits_at(&self, elapsed: Duration, purpose: Purpose, unrecorded: &TimeAccount) -> bool {
        let Some(share) = self.share(purpose) else { return true };
        let below = |micros: u64, percent: u64| {
            u128::from(micros) * 100 < u128::from(percent) * (elapsed + ADVANCE).as_micros()
        };
        let spent = self.spent(purpose, unrecorded);
        let lost = self.spent.total().unanswered + unrecorded.total().unanswered;
        // A wrong result is worth the time, whatever its confirmation brings.
        let pays = purpose == Purpose::Confirmation || spent.unanswered <= spent.answered;
        let share = if pays || below(lost, MOST_LOST) { share } else { share / LEFT_TO_UNLUCKY };
        below(spent.total(), share)
    }

    /// The time of a purpose so far. `unrecorded` is what was spent since the last record.
    pub fn spent(&self, purpose: Purpose, unrecorded: &TimeAccount) -> Spent {
        let mut spent = self.spent.of(purpose);
        spent.add(&unrecorded.of(purpose));
        spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unlucky_purpose_keeps_a_part_of_its_share() {
        let shares = Shares { statements: 5, ..Shares::default() };
        let allowance = Allowance::new(shares);
        let unanswered = |purpose, seconds, account: &mut TimeAccount| {
            account.charge_unanswered(purpose, "z3", Duration::from_secs(seconds));
        };
        // The seconds without an answer to cases and to statements in 90 seconds, and whether statements may go on.
        for (cases, statements, expected) in [(0, 4, true), (30, 0, true), (30, 4, false)] {
            let mut account = TimeAccount::default();
            unanswered(Purpose::Cases, cases, &mut account);
            unanswered(Purpose::Statements, statements, &mut account);
            let permitted = allowance.permits_at(Duration::from_secs(90), Purpose::Statements, &account);
            assert_eq!(permitted, expected, "{cases} {statements}");
        }
        // One second in 190 is less than a fifth of the share.
        let mut account = TimeAccount::default();
        unanswered(Purpose::Cases, 90, &mut account);
        unanswered(Purpose::Statements, 1, &mut account);
        assert!(allowance.permits_at(Duration::from_secs(190), Purpose::Statements, &account));
    }

    #[test]
    fn a_purpose_gets_its_share_and_no_more() {
        let shares = Shares { hard_seeds: 0, ..Shares::default() };
        // The purpose, the seconds of work, the seconds spent on the purpose, and whether it may go on.
        let table = [
            (Purpose::Preparation, 0, 0, true),
            (Purpose::Preparation, 90, 9, true),
            (Purpose::Preparation, 90, 10, false),
            (Purpose::Performance, 90, 9, false),
            (Purpose::HardSeeds, 80, 0, false),
            (Purpose::Cases, 80, 80, true),
        ];
        for (purpose, elapsed, spent, expected) in table {
            let mut allowance = Allowance::new(shares);
            let mut account = TimeAccount::default();
            account.charge_time(purpose, "z3", Duration::from_secs(spent));
            let nothing = TimeAccount::default();
            let elapsed = Duration::from_secs(elapsed);
            assert_eq!(allowance.permits_at(elapsed, purpose, &account), expected, "{purpose:?} {spent}");
            allowance.record(&account);
            assert_eq!(allowance.permits_at(elapsed, purpose, &nothing), expected, "{purpose:?} {spent}");
        }
    }
}
