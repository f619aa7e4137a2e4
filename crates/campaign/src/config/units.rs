//! Durations and sizes as people write them.

/// A duration in milliseconds, from `90`, `90s`, `500ms`, `10m`, `1h30m` or `2d`.
pub fn milliseconds(text: &str) -> Result<u64, String> {
    let bad = || format!("`{text}` is not a time; write it like 90s, 10m, 1h30m or 500ms");
    let mut total = 0f64;
    let mut rest = text.trim();
    if let Ok(seconds) = rest.parse::<f64>() {
        return in_range(seconds * 1000.0).ok_or_else(bad);
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(bad)?;
        let number: f64 = rest[..digits].parse().map_err(|_| bad())?;
        rest = &rest[digits..];
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
    in_range(total).ok_or_else(bad)
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
    fn durations_and_sizes_have_units() {
        let times = [
            ("90", Some(90_000)),
            ("1.5", Some(1_500)),
            ("90s", Some(90_000)),
            ("1h30m", Some(5_400_000)),
            ("1h 30m", Some(5_400_000)),
            ("500ms", Some(500)),
            ("0", None),
            ("-1s", None),
            ("h", None),
            ("10 parsecs", None),
            ("", None),
        ];
        for (text, expected) in times {
            assert_eq!(milliseconds(text).ok(), expected, "{text}");
        }
        for text in ["500ms", "90s", "1m30s", "1h", "1d2h3m4s5ms"] {
            let time = milliseconds(text).unwrap();
            assert_eq!(milliseconds(&time_text(time)), Ok(time), "{text}");
        }
        assert_eq!(time_text(5_400_000), "1h30m");
        let sizes = [
            ("2048", Some(2048)),
            ("512MB", Some(512)),
            ("1.5 GiB", Some(1536)),
            ("x", None),
            ("2TBX", None),
        ];
        for (text, expected) in sizes {
            assert_eq!(mebibytes(text).ok(), expected, "{text}");
        }
    }
}
