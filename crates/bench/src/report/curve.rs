//! Bugs over time, as the mean of the runs of a contender.

use crate::results::ReleaseResults;

/// At most this many points of a curve.
const POINTS: usize = 60;

/// The mean number of bugs that the runs of a contender had found, at even times up to the end.
pub fn curve(results: &ReleaseResults, contender: &str) -> Vec<(f64, f64)> {
    let Some(runs) = results.runs.get(contender).filter(|runs| !runs.is_empty()) else { return Vec::new() };
    let times: Vec<Vec<f64>> = runs.iter().map(|run| results.times(contender, run.seed)).collect();
    let end = runs.iter().map(|run| run.limit).fold(0.0, f64::max);
    let at = |point: usize| {
        let time = end * point as f64 / POINTS as f64;
        // Reports may come a little after the end.
        let is_found = |after: f64| after <= time || point == POINTS;
        let found: usize =
            times.iter().map(|times| times.iter().filter(|&&after| is_found(after)).count()).sum();
        (time, found as f64 / runs.len() as f64)
    };
    (0..=POINTS).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::sample;

    #[test]
    fn curves_rise_to_the_mean_of_the_runs() {
        let points = curve(&sample(), "elenchus");
        assert_eq!((points[0], points[1], points[POINTS]), ((0.0, 0.0), (10.0, 1.0), (600.0, 1.5)));
        assert!(points.windows(2).all(|pair| pair[0].1 <= pair[1].1));
        assert!(curve(&sample(), "nobody").is_empty());
    }
}
