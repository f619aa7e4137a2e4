//! The words and numbers that all views share.

use super::table::align;
use campaign::{Ended, Snapshot, Statistics, Summary, UnusableSeed, share};
use case::Class;
use std::collections::BTreeMap;
use std::time::Duration;
use store::Listed;

/// A time as people say it: `42s`, `3m 07s`, `2h 05m`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m", seconds / 3600, seconds % 3600 / 60),
    }
}

/// A share as a percentage, or a dash if there is nothing to share.
pub fn percent(part: Option<f64>) -> String {
    part.map_or_else(|| "-".to_owned(), |part| format!("{:.1}%", part * 100.0))
}

/// Cases per second of this process.
pub fn rate(snapshot: &Snapshot) -> String {
    let (time, cases) = snapshot.this_run;
    if time.as_millis() < 100 {
        return "-".to_owned();
    }
    format!("{:.1}", cases as f64 / time.as_secs_f64())
}

/// How many findings are bugs, and how many only candidates.
pub fn counts(findings: &[Listed]) -> (usize, usize) {
    let bugs = findings.iter().filter(|finding| finding.bug).count();
    (bugs, findings.len() - bugs)
}

/// How much is left, if there is a limit.
pub fn left(snapshot: &Snapshot) -> Option<String> {
    let time = snapshot.time.map(|time| format!("{} left", duration(time.saturating_sub(snapshot.elapsed))));
    let cases =
        snapshot.cases.map(|cases| format!("{} cases left", cases.saturating_sub(snapshot.statistics.cases)));
    match (time, cases) {
        (Some(time), Some(cases)) => Some(format!("{time}, {cases}")),
        (time, cases) => time.or(cases),
    }
}

/// One line on how things stand.
pub fn progress_line(snapshot: &Snapshot) -> String {
    let statistics = &snapshot.statistics;
    let (bugs, candidates) = counts(&snapshot.findings);
    let mut line = format!(
        "{}: {} cases, {}/s, solvers {} of the time, {} accepted, {bugs} bugs, {candidates} candidates",
        duration(snapshot.elapsed),
        statistics.cases,
        rate(snapshot),
        percent(statistics.solver_share()),
        percent(statistics.accepted_share()),
    );
    if let Some(left) = left(snapshot) {
        line.push_str(&format!(", {left}"));
    }
    line
}

/// One line for a finding.
pub fn finding_line(finding: &Listed) -> String {
    format!("{}  {}", finding.id, finding.title)
}

fn strings<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

/// The table of solvers.
pub fn solver_table(statistics: &Statistics) -> Vec<String> {
    let mut rows = vec![strings([
        "solver", "runs", "sat", "unsat", "unknown", "timeout", "limit", "refused", "error", "crash",
        "ms/run",
    ])];
    for (id, tally) in &statistics.targets {
        let mean = share(tally.time, tally.runs * 1000).unwrap_or(0.0);
        let numbers = [
            tally.runs,
            tally.sat,
            tally.unsat,
            tally.unknown,
            tally.timeouts,
            tally.limits,
            tally.refused,
            tally.errors,
            tally.crashes,
        ];
        let mut row = vec![id.clone()];
        row.extend(numbers.iter().map(u64::to_string));
        row.push(format!("{mean:.1}"));
        rows.push(row);
    }
    align(&rows)
}

/// The table of strategies.
pub fn strategy_table(statistics: &Statistics) -> Vec<String> {
    let mut rows = vec![strings(["strategy", "cases", "accepted", "hits", "unusable seeds"])];
    for (name, tally) in &statistics.strategies {
        rows.push(vec![
            name.clone(),
            tally.cases.to_string(),
            percent(share(tally.accepted, tally.runs)),
            tally.hits.to_string(),
            tally.unusable.to_string(),
        ]);
    }
    align(&rows)
}

/// The closing words.
pub fn summary(summary: &Summary, folder: &str, seed: u64) -> Vec<String> {
    let snapshot = &summary.snapshot;
    let statistics = &snapshot.statistics;
    let why = match summary.ended {
        Ended::Time => "The time is over",
        Ended::Cases => "All cases are done",
        Ended::Exhausted => "The strategies have no new case for these seeds",
        Ended::Interrupted => "Stopped",
    };
    let mut lines = vec![
        String::new(),
        format!("{why} after {}.", duration(snapshot.elapsed)),
        format!(
            "{} cases ({}/s), {} duplicates skipped, solvers ran {} of the time, {} of all runs accepted the script.",
            statistics.cases,
            rate(snapshot),
            statistics.duplicates,
            percent(statistics.solver_share()),
            percent(statistics.accepted_share()),
        ),
        format!("Seed {seed}, digest of the cases {:016x}.", statistics.digest),
    ];
    if statistics.cores > 0 {
        lines.push(format!("{} unsatisfiable cores were checked.", statistics.cores));
    }
    if statistics.incremental > 0 {
        lines.push(format!("{} runs between push and pop.", statistics.incremental));
    }
    if statistics.configured > 0 {
        lines.push(format!(
            "{} runs under other configurations, of which {} were refused.",
            statistics.configured, statistics.conflicts
        ));
    }
    if statistics.unsupported > 0 {
        lines.push(format!(
            "{} cases used operators that no selected solver supports.",
            statistics.unsupported
        ));
    }
    if statistics.skipped > 0 {
        lines.push(format!("{} cases skipped (slow seeds).", statistics.skipped));
    }
    if statistics.unrepeatable > 0 {
        let what = match statistics.unrepeatable {
            1 => "1 wrong result".to_owned(),
            several => format!("{several} wrong results"),
        };
        lines.push(format!("{what} did not show again in a fresh process: not reported."));
    }
    lines.push(String::new());
    lines.extend(solver_table(statistics));
    lines.push(String::new());
    lines.extend(strategy_table(statistics));
    for (id, tally) in statistics.targets.iter().filter(|(_, tally)| !tally.error_sample.is_empty()) {
        lines.push(format!("first error of {id}: {}", shorten(&tally.error_sample, 160)));
    }
    lines.extend(unusable_lines(&summary.unusable_seeds));
    lines.push(String::new());
    let (bugs, candidates) = counts(&snapshot.findings);
    if snapshot.findings.is_empty() {
        lines.push("Nothing wrong was found.".to_owned());
    } else {
        lines.push(format!("{bugs} bugs and {candidates} candidates:"));
        lines.extend(grouped(&snapshot.findings));
        lines.push(format!("`elenchus show ID --out {folder}` explains one; {folder}/findings holds all."));
    }
    if matches!(summary.ended, Ended::Interrupted | Ended::Time | Ended::Cases) {
        lines.push(format!("`elenchus fuzz --resume --out {folder}` goes on."));
    }
    lines
}

/// Findings by class and solvers, a few of each kind.
fn grouped(findings: &[Listed]) -> Vec<String> {
    const SHOWN: usize = 5;
    let mut groups: BTreeMap<(bool, Class, &[String]), Vec<&Listed>> = BTreeMap::new();
    for finding in findings {
        groups.entry((!finding.bug, finding.class, &finding.targets)).or_default().push(finding);
    }
    let mut lines = Vec::new();
    for group in groups.values() {
        let cases: u64 = group.iter().map(|finding| finding.count).sum();
        for finding in group.iter().take(SHOWN) {
            lines.push(format!("  {} (×{})", shorten(&finding_line(finding), 150), finding.count));
        }
        if group.len() > SHOWN {
            lines.push(format!("  … {} more of this kind, {cases} cases in all", group.len() - SHOWN));
        }
    }
    lines
}

/// Seeds that strategies could not use, a few of them by name.
fn unusable_lines(unusable: &[UnusableSeed]) -> Vec<String> {
    const SHOWN: usize = 5;
    if unusable.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("{} times a strategy could not use a seed:", unusable.len())];
    for UnusableSeed { strategy, seed, reason } in unusable.iter().take(SHOWN) {
        lines.push(format!("  {strategy}, {seed}: {}", shorten(reason, 120)));
    }
    if unusable.len() > SHOWN {
        lines.push(format!("  … and {} more", unusable.len() - SHOWN));
    }
    lines
}

/// The beginning of a text, on one line.
pub fn shorten(text: &str, limit: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(limit) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_as_people_say_them() {
        let table = [(0, "0s"), (59, "59s"), (60, "1m 00s"), (3_599, "59m 59s"), (7_500, "2h 05m")];
        for (seconds, expected) in table {
            assert_eq!(duration(Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn a_campaign_without_any_case_can_be_shown() {
        let snapshot = Snapshot::default();
        assert_eq!(
            progress_line(&snapshot),
            "0s: 0 cases, -/s, solvers - of the time, - accepted, 0 bugs, 0 candidates"
        );
        let ended = Summary { ended: Ended::Exhausted, snapshot, unusable_seeds: Vec::new() };
        assert!(summary(&ended, "out", 1).iter().any(|line| line == "Nothing wrong was found."));
    }
}
