//! Times for people.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Now, in milliseconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// A moment in UTC: `2026-11-18 20:05`.
pub fn moment(milliseconds: u64) -> String {
    let (days, seconds) = (milliseconds / 86_400_000, milliseconds / 1000 % 86_400);
    let (year, month, day) = date(days as i64);
    format!("{year}-{month:02}-{day:02} {:02}:{:02}", seconds / 3600, seconds / 60 % 60)
}

/// The date of a day since 1970, by the calendar with years that begin in March.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march = (5 * day_of_year + 2) / 153;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * march + 2) / 5 + 1)
}

/// A span of milliseconds in at most two units: `3m 07s`, `5d 02h`.
pub fn span(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    match seconds {
        0..172_800 => campaign::present::text::duration(Duration::from_secs(seconds)),
        _ => format!("{}d {:02}h", seconds / 86_400, seconds % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_dates() {
        let table = [
            (0, "1970-01-01 00:00"),
            (951_782_400_000, "2000-02-29 00:00"),
            (1_795_032_348_000, "2026-11-18 20:05"),
            (4_102_444_799_000, "2099-12-31 23:59"),
        ];
        for (milliseconds, expected) in table {
            assert_eq!(moment(milliseconds), expected);
        }
        assert_eq!((span(187_000).as_str(), span(200_000_000).as_str()), ("3m 07s", "2d 07h"));
    }
}
