//! Do the numbers of two contenders differ by more than chance?

/// The Mann-Whitney U test and its effect size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankTest {
    /// The two-sided p-value.
    pub p: f64,
    /// The probability that a run of the first has a larger number than one of the second; equal ones count half (Vargha and Delaney's A12).
    pub effect: f64,
}

/// At most this many ways to divide the values are tried.
const MOST_DIVISIONS: u64 = 5_000_000;

impl RankTest {
    /// Compares two samples, exactly: over all ways to divide the values between them. `None` if one is empty, or there are too many
    /// ways.
    pub fn of(one: &[f64], other: &[f64]) -> Option<RankTest> {
        if one.is_empty() || other.is_empty() || divisions(one.len(), other.len()) > MOST_DIVISIONS {
            return None;
        }
        let all: Vec<f64> = one.iter().chain(other).copied().collect();
        // Twice the mean rank is a whole number.
        let rank = |value: f64| -> u64 {
            let below = all.iter().filter(|&&each| each < value).count() as u64;
            let equal = all.iter().filter(|&&each| each == value).count() as u64;
            2 * below + equal + 1
        };
        let ranks: Vec<u64> = all.iter().map(|&value| rank(value)).collect();
        let expected = one.len() as u64 * (all.len() as u64 + 1);
        let own: u64 = ranks[..one.len()].iter().sum();
        let distance = own.abs_diff(expected);
        let (mut as_far, mut total) = (0_u64, 0_u64);
        each_sum(&ranks, one.len(), 0, &mut |sum| {
            total += 1;
            as_far += u64::from(sum.abs_diff(expected) >= distance);
        });
        let pairs = one.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
        let better: f64 = pairs
            .map(|(a, b)| {
                if a > b {
                    1.0
                } else if a == b {
                    0.5
                } else {
                    0.0
                }
            })
            .sum();
        Some(RankTest { p: as_far as f64 / total as f64, effect: better / (one.len() * other.len()) as f64 })
    }
}

/// The number of ways to choose as many as the first of all.
fn divisions(one: usize, other: usize) -> u64 {
    let (few, all) = (one.min(other) as u64, (one + other) as u64);
    (1..=few).try_fold(1_u64, |ways, k| Some(ways.checked_mul(all - few + k)? / k)).unwrap_or(u64::MAX)
}

/// Calls `then` with the sum of each choice of `count` ranks.
fn each_sum(ranks: &[u64], count: usize, sum: u64, then: &mut impl FnMut(u64)) {
    if count == 0 {
        return then(sum);
    }
    for (index, rank) in ranks.iter().enumerate().take((ranks.len() + 1).saturating_sub(count)) {
        each_sum(&ranks[index + 1..], count - 1, sum + rank, then);
    }
}

/// The median; `None` of nothing.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        even if even % 2 == 0 => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
        _ => Some(sorted[middle]),
    }
}

/// The mean and the standard deviation of a sample.
pub fn spread(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, if values.len() > 1 { (squares / (count - 1.0)).sqrt() } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_match_scipy() {
        // Two samples, the p-value of scipy's mannwhitneyu with the exact method (by hand where there are ties), and A12.
        let table: [(&[f64], &[f64], f64, f64); 5] = [
            (&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], 0.1, 0.0),
            (&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0], 0.1, 1.0),
            (&[1.0, 4.0, 5.0, 7.0, 9.0], &[2.0, 3.0, 6.0, 8.0, 10.0], 0.841_270, 0.44),
            (&[1.0, 2.0, 3.0, 4.0, 5.0], &[6.0, 7.0, 8.0, 9.0, 10.0], 0.007_936_5, 0.0),
            (&[1.0, 1.0], &[1.0, 1.0], 1.0, 0.5),
        ];
        for (one, other, p, effect) in table {
            let test = RankTest::of(one, other).unwrap();
            assert!((test.p - p).abs() < 1e-5 && test.effect == effect, "{one:?} {other:?} {test:?}");
        }
        assert_eq!(RankTest::of(&[], &[1.0]), None);
        assert_eq!(RankTest::of(&[0.0; 40], &[1.0; 40]), None, "too many to count");
    }

    #[test]
    fn medians_and_spreads() {
        assert_eq!(
            [median(&[]), median(&[3.0, 1.0]), median(&[5.0, 1.0, 3.0])],
            [None, Some(2.0), Some(3.0)]
        );
        assert_eq!(
            [spread(&[]), spread(&[2.0]), spread(&[1.0, 3.0])],
            [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0_f64.sqrt())]
        );
    }
}
