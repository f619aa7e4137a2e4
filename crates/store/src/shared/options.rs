//! How long the leases of a common store are.

use std::time::Duration;

/// How long leases last, and other times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// A block is free for others if the store does not hear of its process for so long.
    pub block_lease: Duration,
    /// A job returns to the queue if the store does not hear of its process for so long.
    pub job_lease: Duration,
    /// The pause before the second attempt of a job that failed. Later pauses are longer.
    pub retry_pause: Duration,
    /// The time between two samples of the statistics of a process.
    pub sample_pause: Duration,
    /// A call of a server fails if there is no answer for so long.
    pub call_timeout: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            block_lease: Duration::from_secs(15 * 60),
            job_lease: Duration::from_secs(5 * 60),
            retry_pause: Duration::from_secs(60),
            sample_pause: Duration::from_secs(60),
            call_timeout: Duration::from_secs(60),
        }
    }
}

/// A job that was begun so often without success is given up.
pub const ATTEMPTS: u32 = 5;

impl Options {
    /// The pause after an attempt that failed: four times as long each time.
    pub(crate) fn pause_after(&self, attempt: u32) -> Duration {
        self.retry_pause * 4u32.pow(attempt.saturating_sub(1).min(ATTEMPTS))
    }
}

/// Milliseconds, as the databases keep times.
pub(crate) fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 4)
}

impl Options {
    /// Changes a time by its name in a URL, such as `job-lease=2s`. `None` if there is no such time, or the value is none.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Option<()> {
        let time = match name {
            "block-lease" => &mut self.block_lease,
            "job-lease" => &mut self.job_lease,
            "retry-pause" => &mut self.retry_pause,
            "sample-pause" => &mut self.sample_pause,
            "call-timeout" => &mut self.call_timeout,
            _ => return None,
        };
        let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let number: u64 = digits.parse().ok()?;
        *time = match &value[digits.len()..] {
            "ms" => Duration::from_millis(number),
            "s" => Duration::from_secs(number),
            "min" => Duration::from_secs(number.checked_mul(60)?),
            "h" => Duration::from_secs(number.checked_mul(3600)?),
            _ => return None,
        };
        Some(())
    }

    /// The times that a URL states, and the usual ones otherwise.
    pub fn of_url(url: &str) -> Options {
        let mut options = Options::default();
        options.take_from(url);
        options
    }

    /// Takes the times out of the query of a URL. What is left is for the back end.
    pub(crate) fn take_from(&mut self, url: &str) -> String {
        let Some((place, query)) = url.split_once('?') else { return url.to_owned() };
        let others: Vec<&str> = query
            .split('&')
            .filter(|pair| pair.split_once('=').and_then(|(name, value)| self.set(name, value)).is_none())
            .collect();
        match others.is_empty() {
            true => place.to_owned(),
            false => format!("{place}?{}", others.join("&")),
        }
    }
}
