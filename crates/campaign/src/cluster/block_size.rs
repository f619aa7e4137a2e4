//! How many turns a process asks for at once.

use std::time::Duration;

/// The work that a process holds lasts for this long, so that workers need the common store only then.
const RESERVE: Duration = Duration::from_secs(600);

/// How long a turn takes, before any was measured.
const FIRST_TURN: Duration = Duration::from_millis(250);

/// No block is longer: nothing is known of turns that take no time.
const MOST: u64 = 100_000;

/// A process takes at most this part of its fair part of the turns that are left, so that all processes end at about the same time.
const FRACTION: u64 = 4;

/// How long the turns of a strategy take.
#[derive(Clone, Copy, Debug, Default)]
pub struct TurnTimes {
    turns: u32,
    total: Duration,
}

impl TurnTimes {
    /// Records a turn.
    pub fn record(&mut self, took: Duration) {
        self.turns = self.turns.saturating_add(1);
        self.total += took;
    }

    /// How long a turn takes on average. The first ones say little.
    fn mean(&self) -> Duration {
        (self.total + FIRST_TURN).checked_div(self.turns.saturating_add(1)).unwrap_or(FIRST_TURN)
    }
}

/// What the size of the blocks of a strategy depends on.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    /// How long its turns take.
    pub times: TurnTimes,
    /// The number of workers of this process.
    pub workers: usize,
    /// How many strategies share their time.
    pub strategies: usize,
    /// How many turns are left that no process has asked for, if their number is limited.
    pub left: Option<u64>,
    /// How many processes work on the campaign.
    pub members: u64,
}

impl Demand {
    /// How many turns the process should hold.
    pub fn turns(&self) -> u64 {
        let time = RESERVE.as_micros() * self.workers as u128 / self.strategies.max(1) as u128;
        let turns = time / self.times.mean().as_micros().max(1);
        let turns = u64::try_from(turns).unwrap_or(MOST).min(MOST);
        let fair = self.left.map(|left| left.div_ceil(self.members.max(1) * FRACTION));
        fair.map_or(turns, |fair| turns.min(fair)).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reserve_lasts_for_ten_minutes_and_the_rest_is_shared() {
        // Milliseconds of each of many turns, workers, strategies, turns left, members, and the expected turns.
        let table = [
            (1000, 1, 1, None, 1, 600),
            (1000, 2, 10, None, 1, 120),
            (100, 2, 10, None, 9, 1199),
            (0, 64, 1, None, 1, MOST),
            (900_000, 1, 10, None, 1, 1),
            (1000, 1, 1, Some(80), 2, 10),
            (1000, 1, 1, Some(3), 2, 1),
            (1000, 1, 1, Some(0), 2, 1),
            (1000, 1, 1, Some(1_000_000), 2, 600),
        ];
        for (milliseconds, workers, strategies, left, members, expected) in table {
            let mut times = TurnTimes::default();
            (0..10_000).for_each(|_| times.record(Duration::from_millis(milliseconds)));
            let turns = Demand { times, workers, strategies, left, members }.turns();
            assert_eq!(turns, expected, "{milliseconds} {workers} {strategies} {left:?} {members}");
        }
        let unknown =
            Demand { times: TurnTimes::default(), workers: 1, strategies: 1, left: None, members: 1 };
        assert_eq!(unknown.turns(), 2400);
    }
}
