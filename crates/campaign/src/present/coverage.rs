//! The coverage of a campaign over time.

use crate::Statistics;
use case::table::{align, row};
use std::collections::BTreeSet;
use store::{Campaign, Store, StoreError};

/// The statistics of a campaign at several times, in milliseconds; only those with coverage.
pub fn samples(store: &Store, campaign: &Campaign) -> Result<Vec<(u64, Statistics)>, StoreError> {
    let mut points = store.samples(campaign.id)?;
    points.push((campaign.progress.elapsed, campaign.progress.totals.clone()));
    let mut points = Statistics::over_time(points);
    points.retain(|(_, statistics)| !statistics.reached.is_empty());
    Ok(points)
}

/// A table for each solver, with a row for each time.
pub fn tables(points: &[(u64, Statistics)]) -> Vec<Vec<String>> {
    let solvers: BTreeSet<&String> =
        points.iter().flat_map(|(_, statistics)| statistics.reached.keys()).collect();
    solvers.into_iter().map(|solver| align(&table(solver, points))).collect()
}

/// A row for each point in time.
fn table(solver: &str, points: &[(u64, Statistics)]) -> Vec<Vec<String>> {
    let reached = |statistics: &Statistics| statistics.reached.get(solver).cloned().unwrap_or_default();
    let strategies: BTreeSet<String> =
        points.iter().flat_map(|(_, statistics)| reached(statistics).strategies.into_keys()).collect();
    let mut rows =
        vec![[row([solver, "cases", "functions", "share"]), strategies.iter().cloned().collect()].concat()];
    for (elapsed, statistics) in points {
        let reach = reached(statistics);
        let share = 100.0 * reach.reached as f64 / reach.points.max(1) as f64;
        let mut row = vec![
            format!("{} s", elapsed / 1000),
            statistics.cases.to_string(),
            reach.reached.to_string(),
            format!("{share:.1}%"),
        ];
        row.extend(
            strategies.iter().map(|name| reach.strategies.get(name).copied().unwrap_or(0).to_string()),
        );
        rows.push(row);
    }
    rows
}
