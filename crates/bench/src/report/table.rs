//! The tables of a report, as rows of cells.

use crate::rank_test::{median, spread};
use crate::record::RunRecord;
use crate::results::{ReleaseResults, Results};
use std::collections::BTreeSet;

/// A table with the names of its columns.
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The names of the columns.
    pub head: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// A number with few decimals.
fn short(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value => format!("{value:.1}"),
    }
}

/// A time in seconds, for people.
pub fn seconds(value: f64) -> String {
    match value as u64 {
        0..60 => format!("{value:.0} s"),
        whole => format!("{} m {:02} s", whole / 60, whole % 60),
    }
}

/// How the contenders did on a release. Elenchus is compared with each.
pub fn contenders(results: &ReleaseResults, order: &[String]) -> Table {
    let mut rows = Vec::new();
    for name in order.iter().filter(|name| results.runs.contains_key(*name)) {
        let runs = &results.runs[name];
        let found = results.found_by(name);
        let listed = found.iter().filter(|&&bug| results.bugs[bug].listed).count();
        let others = order.iter().filter(|other| *other != name);
        let elsewhere: BTreeSet<usize> = others.flat_map(|other| results.found_by(other)).collect();
        let (mean, deviation) = spread(&results.per_run(name));
        let sum = |value: fn(&RunRecord) -> f64| runs.iter().map(value).sum::<f64>();
        let time = sum(|run| run.limit).max(1e-9);
        let answered: Option<u64> = runs.iter().map(|run| run.answered).sum();
        let firsts: Vec<f64> = runs
            .iter()
            .map(|run| results.times(name, run.seed).first().copied().unwrap_or(f64::INFINITY))
            .collect();
        let first = median(&firsts).filter(|time| time.is_finite());
        let test = results.compare(order.first().map_or("", String::as_str), name);
        rows.push(vec![
            name.clone(),
            runs.len().to_string(),
            found.len().to_string(),
            if results.listed.is_some() { listed.to_string() } else { "–".to_owned() },
            found.difference(&elsewhere).count().to_string(),
            format!("{mean:.1} ± {deviation:.1}"),
            short(found.len() as f64 / results.core_hours(name).max(1e-9)),
            first.map_or_else(|| "–".to_owned(), seconds),
            short(sum(|run| run.calls as f64) / time),
            answered.map_or_else(|| "–".to_owned(), |answered| short(answered as f64 / time)),
            match test {
                Some(test) if order.first() != Some(name) => format!("{:.3}, {:.2}", test.p, test.effect),
                _ => "–".to_owned(),
            },
        ]);
    }
    Table {
        title: format!("{}: contenders", results.release),
        head: vec![
            "contender",
            "runs",
            "bugs",
            "listed",
            "only here",
            "bugs in a run",
            "bugs per core-hour",
            "first bug",
            "calls/s",
            "answers/s",
            "p, A12",
        ],
        rows,
    }
}

/// The bugs of a release, with the contenders that found them and when.
pub fn bugs(results: &ReleaseResults, order: &[String]) -> Table {
    let row = |bug: &crate::results::DistinctBug| {
        let finders: Vec<String> = order
            .iter()
            .filter_map(|name| {
                let times = bug.found.get(name)?;
                let runs = results.runs.get(name).map_or(0, Vec::len);
                let time = results
                    .time_to(name, bug)
                    .map_or_else(String::new, |time| format!(", {}", seconds(time)));
                Some(format!("{name} {}/{runs}{time}", times.len()))
            })
            .collect();
        vec![
            bug.record.severity().to_string(),
            bug.record.title.clone(),
            if bug.listed { "yes" } else { "" }.to_owned(),
            bug.record.script.len().to_string(),
            finders.join("; "),
        ]
    };
    Table {
        title: format!("{}: bugs", results.release),
        head: vec!["severity", "bug", "listed", "bytes", "found by: runs, median time"],
        rows: results.bugs.iter().map(row).collect(),
    }
}

/// Elenchus beside all peers together and the best single contender of each kind, over all releases.
pub fn overview(results: &Results) -> Table {
    let (order, peers) = (results.contenders(), results.peers());
    let portfolio = crate::contender::PORTFOLIO;
    let mut rows = Vec::new();
    for release in &results.releases {
        let rate = |found: usize, hours: f64| if hours > 0.0 { found as f64 / hours } else { 0.0 };
        let of = |name: &String| rate(release.found_by(name).len(), release.core_hours(name));
        let union = |names: &[&String]| {
            let found: BTreeSet<usize> = names.iter().flat_map(|name| release.found_by(name)).collect();
            rate(found.len(), names.iter().map(|name| release.core_hours(name)).sum())
        };
        let present: Vec<&String> = order.iter().filter(|name| release.runs.contains_key(*name)).collect();
        let peers: Vec<&String> = present.iter().copied().filter(|name| peers.contains(*name)).collect();
        let best = |names: Vec<&String>| {
            let best = names.into_iter().max_by(|one, other| of(one).total_cmp(&of(other)));
            best.map_or_else(|| "–".to_owned(), |name| format!("{} ({name})", short(of(name))))
        };
        let others: Vec<&String> =
            present.iter().copied().filter(|name| *name != portfolio && !peers.contains(name)).collect();
        rows.push(vec![
            release.release.clone(),
            release.bugs.len().to_string(),
            release.listed.map_or_else(|| "–".to_owned(), |listed| listed.to_string()),
            short(rate(release.found_by(portfolio).len(), release.core_hours(portfolio))),
            best(others),
            if peers.is_empty() { "–".to_owned() } else { short(union(&peers)) },
            best(peers),
        ]);
    }
    Table {
        title: "Distinct bugs per core-hour".to_owned(),
        head: vec![
            "release",
            "bugs found by anybody",
            "listed bugs",
            "elenchus",
            "best strategy or variant",
            "all peers together",
            "best peer",
        ],
        rows,
    }
}
