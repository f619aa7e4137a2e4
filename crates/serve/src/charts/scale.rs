//! Round numbers for axes.

/// A number in a few characters: `950`, `1.2k`, `3.4M`.
pub fn short(number: f64) -> String {
    let trimmed = |value: f64, unit: &str| {
        let text = if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.1}") };
        format!("{}{unit}", text.strip_suffix(".0").unwrap_or(&text))
    };
    match number.abs() {
        size if size >= 1e9 => trimmed(number / 1e9, "G"),
        size if size >= 1e6 => trimmed(number / 1e6, "M"),
        size if size >= 1e4 => trimmed(number / 1e3, "k"),
        size if size >= 10.0 || number.fract() == 0.0 => format!("{number:.0}"),
        _ => trimmed(number, ""),
    }
}

/// The step of an axis with about four steps up to `largest`: 1, 2 or 5 times a power of ten.
pub fn step(largest: f64) -> f64 {
    let rough = (largest / 4.0).max(f64::MIN_POSITIVE);
    let power = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= rough * 0.999);
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_steps_round() {
        let table =
            [(0.0, "0"), (0.25, "0.2"), (7.5, "7.5"), (999.0, "999"), (12_345.0, "12.3k"), (2e6, "2M")];
        for (number, expected) in table {
            assert_eq!(short(number), expected);
        }
        for (largest, expected) in [(4.0, 1.0), (7.0, 2.0), (100.0, 50.0), (1.0, 0.5), (0.04, 0.01)] {
            assert!((step(largest) - expected).abs() < expected / 1e6, "{largest}: {}", step(largest));
        }
    }
}
