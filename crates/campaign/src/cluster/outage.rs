//! Times in which the common store cannot be reached: how long to wait before the next attempt, and what to say about it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The shortest and the longest pause between attempts.
const SHORTEST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(30);

/// The current outage, if there is one.
#[derive(Debug, Default)]
pub struct Outage {
    began: Option<SystemTime>,
    attempts: u32,
    reason: String,
}

impl Outage {
    /// Records a failed attempt. Returns how long to wait before the next one, and what to tell the user, if it is news. `waiting` is
    /// the number of findings that wait.
    pub fn failed(&mut self, reason: &str, waiting: u64, now: SystemTime) -> (Duration, Option<String>) {
        let pause = SHORTEST.saturating_mul(1 << self.attempts.min(5)).min(LONGEST);
        self.attempts += 1;
        let began = *self.began.get_or_insert(now);
        let is_news = self.reason != reason;
        self.reason = reason.to_owned();
        let note = is_news.then(|| {
            let findings = findings(waiting);
            format!("the store cannot be reached since {}; {findings} for it: {reason}", time_of_day(began))
        });
        (pause, note)
    }

    /// Records that the store answered. Returns what to tell the user, if that is news.
    pub fn ended(&mut self, now: SystemTime) -> Option<String> {
        let began = self.began.take()?;
        *self = Outage::default();
        let lasted = now.duration_since(began).unwrap_or_default();
        Some(format!("the store is back after {}", crate::present::text::duration(lasted)))
    }
}

/// How many findings wait.
pub fn findings(waiting: u64) -> String {
    match waiting {
        0 => "no finding waits".to_owned(),
        1 => "1 finding waits".to_owned(),
        count => format!("{count} findings wait"),
    }
}

/// The time of day in UTC, which is the same on all machines.
fn time_of_day(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() % 86_400;
    format!("{:02}:{:02}:{:02} UTC", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_the_user_is_told_once() {
        let at = |seconds: u64| UNIX_EPOCH + Duration::from_secs(86_400 + 3600 + seconds);
        let mut outage = Outage::default();
        assert_eq!(outage.ended(at(0)), None);
        let told = "the store cannot be reached since 01:00:00 UTC; 2 findings wait for it: refused";
        assert_eq!(outage.failed("refused", 2, at(0)), (Duration::from_secs(1), Some(told.to_owned())));
        let pauses: Vec<u64> = (1..8).map(|step| outage.failed("refused", 2, at(step)).0.as_secs()).collect();
        assert_eq!(pauses, [2, 4, 8, 16, 30, 30, 30]);
        assert!(
            outage.failed("timed out", 3, at(90)).1.unwrap().contains("3 findings wait for it: timed out")
        );
        assert_eq!(outage.ended(at(95)).unwrap(), "the store is back after 1m 35s");
        assert_eq!(outage.failed("refused", 0, at(100)).0, Duration::from_secs(1));
    }
}
