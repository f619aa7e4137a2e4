//! Durations and sizes as people write them: the one syntax of all flags and of `elenchus.toml`.

use std::time::Duration;

/// No run of a solver takes longer than some months.
const LONGEST_RUN: Duration = Duration::from_secs(10_000_000);

/// A duration, from `90` (seconds), `90s`, `500ms`, `10m`, `1h30m` or `2d`. It may be zero.
pub fn duration(text: &str) -> Result<Duration, String> {
    let bad = || format!("`{text}` is not a time; write it like 90s, 10m, 1h30m or 500ms");
    let mut total = 0f64;
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(bad());
    }
    if let Ok(seconds) = rest.parse::<f64>() {
        total = seconds * 1e3;
        rest = "";
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(bad)?;
        let number: f64 = rest[..digits].parse().map_err(|_| bad())?;
        rest = rest[digits..].trim_start();
        let unit = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let scale = match &rest[..unit] {
            "ms" => 1.0,
            "s" => 1e3,
            "m" | "min" => 60e3,
            "h" => 3600e3,
            "d" => 86_400e3,
            _ => return Err(bad()),
        };
        total += number * scale;
        rest = rest[unit..].trim_start();
    }
    match total {
        0.0 => Ok(Duration::ZERO),
        total => in_range(total).map(Duration::from_millis).ok_or_else(bad),
    }
}

/// A duration of at least one millisecond, in milliseconds.
pub fn milliseconds(text: &str) -> Result<u64, String> {
    match duration(text)?.as_millis() as u64 {
        0 => Err(format!("`{text}` is too short; it must be at least 1ms")),
        milliseconds => Ok(milliseconds),
    }
}

/// The time limit of a run: a duration of at least one millisecond and at most some months.
pub fn time_limit(text: &str) -> Result<Duration, String> {
    let limit = Duration::from_millis(milliseconds(text)?);
    if limit > LONGEST_RUN { Err(format!("`{text}` is too long for a time limit")) } else { Ok(limit) }
}

/// Milliseconds as [`milliseconds`] reads them, such as `1h30m`.
pub fn time_text(milliseconds: u64) -> String {
    let units = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1000, "s"), (1, "ms")];
    let mut rest = milliseconds;
    let mut text = String::new();
    for (size, unit) in units {
        if rest >= size {
            text.push_str(&format!("{}{unit}", rest / size));
            rest %= size;
        }
    }
    text
}

/// A size in MiB, from `2048`, `512MB` or `2GB`.
pub fn mebibytes(text: &str) -> Result<u64, String> {
    let bad = || format!("`{text}` is not a size; write it like 512MB or 2GB");
    let trimmed = text.trim();
    let digits = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(trimmed.len());
    let number: f64 = trimmed[..digits].parse().map_err(|_| bad())?;
    let scale = match trimmed[digits..].trim().to_ascii_lowercase().as_str() {
        "" | "m" | "mb" | "mib" => 1.0,
        "g" | "gb" | "gib" => 1024.0,
        _ => return Err(bad()),
    };
    in_range(number * scale).ok_or_else(bad)
}

fn in_range(number: f64) -> Option<u64> {
    (1.0..1e15).contains(&number).then_some(number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        let table = [
            ("90", Some(90_000)),
            ("1.5", Some(1_500)),
            ("0", Some(0)),
            ("0s", Some(0)),
            ("90s", Some(90_000)),
            ("2 s", Some(2_000)),
            ("0.5m", Some(30_000)),
            ("1h30m", Some(5_400_000)),
            ("1h 30m", Some(5_400_000)),
            ("500ms", Some(500)),
            ("2d", Some(172_800_000)),
            ("1h30", None),
            ("-1", None),
            ("-1s", None),
            ("inf", None),
            ("nan", None),
            ("h", None),
            ("10 parsecs", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(duration(text).ok().map(|time| time.as_millis()), expected, "{text}");
        }
        for text in ["500ms", "90s", "1m30s", "1h", "1d2h3m4s5ms"] {
            let time = milliseconds(text).unwrap();
            assert_eq!(milliseconds(&time_text(time)), Ok(time), "{text}");
        }
        assert_eq!(time_text(5_400_000), "1h30m");
    }

    #[test]
    fn limits_are_neither_zero_nor_endless() {
        assert_eq!(milliseconds("500ms"), Ok(500));
        assert!(milliseconds("0").unwrap_err().contains("too short"));
        assert_eq!(time_limit("2.5"), Ok(Duration::from_millis(2_500)));
        assert!(time_limit("0s").unwrap_err().contains("too short"));
        assert!(time_limit("200d").unwrap_err().contains("too long"));
    }

    #[test]
    fn sizes_have_units() {
        let table = [
            ("2048", Some(2048)),
            ("512MB", Some(512)),
            ("2GB", Some(2048)),
            ("1.5 GiB", Some(1536)),
            ("0", None),
            ("x", None),
            ("2TBX", None),
        ];
        for (text, expected) in table {
            assert_eq!(mebibytes(text).ok(), expected, "{text}");
        }
    }
}
