//! Means, deviations, and Welch's test.

/// Mean and standard deviation (with n − 1).
pub fn mean_and_deviation(sample: &[f64]) -> (f64, f64) {
    let count = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / count;
    let squares: f64 = sample.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, if sample.len() > 1 { (squares / (count - 1.0)).sqrt() } else { 0.0 })
}

/// The median of a sample.
pub fn median(sample: &[f64]) -> f64 {
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// The two-sided p-value of Welch's t-test.
pub fn welch(one: &[f64], other: &[f64]) -> f64 {
    let ((mean, deviation), (other_mean, other_deviation)) =
        (mean_and_deviation(one), mean_and_deviation(other));
    let (part, other_part) =
        (deviation.powi(2) / one.len() as f64, other_deviation.powi(2) / other.len() as f64);
    let error = part + other_part;
    if error == 0.0 {
        return if mean == other_mean { 1.0 } else { 0.0 };
    }
    let t = (mean - other_mean) / error.sqrt();
    let freedom = error.powi(2)
        / (part.powi(2) / (one.len() as f64 - 1.0) + other_part.powi(2) / (other.len() as f64 - 1.0));
    incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))
}

/// The regularised incomplete beta function, by its continued fraction (Lentz's method).
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // The fraction converges fast only below the mean.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = (log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp() / a;
    let tiny = 1e-300;
    let (mut c, mut d) = (1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction: f64 = d;
    for m in 1..300 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            let next: f64 = 1.0 + term * d;
            d = 1.0 / if next.abs() < tiny { tiny } else { next };
            c = 1.0 + term / c;
            change = d * c;
            fraction *= change;
        }
        if (change - 1.0_f64).abs() < 1e-14 {
            break;
        }
    }
    front * fraction
}

/// The logarithm of the gamma function, by Stirling's series after shifting the argument up.
fn log_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 12.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    let series = (1.0 / 12.0 - inverse * (1.0 / 360.0 - inverse * (1.0 / 1260.0 - inverse / 1680.0))) / x;
    shift + (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_match_tables() {
        let near = |one: f64, other: f64| (one - other).abs() < 1e-6;
        assert!(near(log_gamma(5.0), 24f64.ln()));
        // Student's t with 10 degrees of freedom: two-sided 5 % at 2.228139, with one degree 1/2 at 1.
        assert!(near(incomplete_beta(5.0, 0.5, 10.0 / (10.0 + 2.228_138_9_f64.powi(2))), 0.05));
        assert!(near(incomplete_beta(0.5, 0.5, 0.5), 0.5));
        // Checked by numerical integration.
        let one = [27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4];
        let other =
            [27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4];
        assert!(near(welch(&one, &other), 0.021_378_001));
        assert!(near(mean_and_deviation(&[1.0, 2.0, 3.0]).1, 1.0));
    }
}
