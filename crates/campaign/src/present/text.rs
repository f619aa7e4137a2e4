//! The state and the result of a campaign as text.

use crate::config::time_text;
use crate::{
    Ended, Purpose, RunContext, Snapshot, SolverOperators, Statistics, Summary, UnusableSeed, share,
};
use case::Class;
use case::table::{align, counted, row};
use case::text::one_line;
use std::collections::BTreeMap;
use std::time::Duration;
use store::{Listed, ListedSolver};

/// A duration: `42s`, `3m 07s`, `2h 05m`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m", seconds / 3600, seconds % 3600 / 60),
    }
}

/// A share as a percentage; a dash for `None`.
pub fn percent(part: Option<f64>) -> String {
    part.map_or_else(|| "-".to_owned(), |part| format!("{:.1}%", part * 100.0))
}

/// Cases per second since this process started.
pub fn rate(snapshot: &Snapshot) -> String {
    let (time, cases) = snapshot.this_run;
    if time.as_millis() < 100 {
        return "-".to_owned();
    }
    format!("{:.1}", cases as f64 / time.as_secs_f64())
}

/// The numbers of bugs and candidates, as in `1 bug, 2 candidates`.
pub fn findings_count(findings: &[Listed]) -> String {
    let bugs = findings.iter().filter(|finding| finding.bug).count();
    format!("{}, {}", counted(bugs, "bug"), counted(findings.len() - bugs, "candidate"))
}

/// The time and cases left; `None` without a limit.
pub fn left(snapshot: &Snapshot) -> Option<String> {
    let time = snapshot.time.map(|time| format!("{} left", duration(time.saturating_sub(snapshot.elapsed))));
    let cases = snapshot
        .cases
        .map(|cases| format!("{} left", counted(cases.saturating_sub(snapshot.statistics.cases), "case")));
    match (time, cases) {
        (Some(time), Some(cases)) => Some(format!("{time}, {cases}")),
        (time, cases) => time.or(cases),
    }
}

/// The state of a campaign in one line.
pub fn progress_line(snapshot: &Snapshot) -> String {
    let statistics = &snapshot.statistics;
    let mut line = format!(
        "{}: {}, {}/s, solvers {} of the time, {} accepted, {}",
        duration(snapshot.elapsed),
        counted(statistics.cases, "case"),
        rate(snapshot),
        percent(statistics.solver_share()),
        percent(statistics.accepted_share()),
        findings_count(&snapshot.findings),
    );
    if let Some(left) = left(snapshot) {
        line.push_str(&format!(", {left}"));
    }
    line
}

/// A finding in one line.
pub fn finding_line(finding: &Listed) -> String {
    format!("{}  {}", finding.id, finding.title)
}

/// What is known about a finding besides its title: its cases, and if known its size and the releases that show it.
pub fn finding_details(finding: &Listed, snapshot: &Snapshot) -> String {
    let size = finding.reduced_bytes.map(|bytes| format!("{bytes} bytes"));
    let releases = snapshot.releases.get(&finding.id).cloned();
    let known = [Some(format!("×{}", finding.count)), size, releases];
    known.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// What triage found out about a finding, in one line.
pub fn triaged_line(finding: &Listed) -> String {
    match (&finding.merged_into, finding.reduced_bytes) {
        (Some(other), _) => format!("{} is the same bug as {other}", finding.id),
        (None, Some(bytes)) => format!("reduced {} to {bytes} bytes: {}", finding.id, finding.title),
        (None, None) => finding_line(finding),
    }
}

/// That the report of a finding is there, and the releases that show it, in one line.
pub fn reported_line(finding: &Listed, releases: Option<&str>) -> String {
    format!("reported {}: {}", finding.id, releases.unwrap_or("its releases could not be tested"))
}

/// A table of the solvers.
pub fn solver_table(statistics: &Statistics) -> Vec<String> {
    align(&solver_rows(statistics))
}

/// The rows of the table of the solvers, with a heading.
pub fn solver_rows(statistics: &Statistics) -> Vec<Vec<String>> {
    let mut rows = vec![row([
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
        let mut cells = vec![id.clone()];
        cells.extend(numbers.iter().map(u64::to_string));
        cells.push(format!("{mean:.1}"));
        rows.push(cells);
    }
    rows
}

/// A table of the strategies.
pub fn strategy_table(statistics: &Statistics) -> Vec<String> {
    align(&strategy_rows(statistics))
}

/// The rows of the table of the strategies, with a heading.
pub fn strategy_rows(statistics: &Statistics) -> Vec<Vec<String>> {
    let mut rows = vec![row(["strategy", "cases", "answered", "accepted", "hits", "unusable seeds"])];
    for (name, tally) in &statistics.strategies {
        rows.push(vec![
            name.clone(),
            tally.cases.to_string(),
            percent(share(tally.answered, tally.cases)),
            percent(share(tally.accepted, tally.runs)),
            tally.hits.to_string(),
            tally.unusable.to_string(),
        ]);
    }
    rows
}

/// Where the time of the workers went: a row for each purpose, and one for our own code.
pub fn time_table(statistics: &Statistics) -> Vec<String> {
    let solvers: Vec<&String> = statistics.targets.keys().collect();
    let head = row(["time for", "share", "time", "without answer"]);
    let mut rows = vec![[head, solvers.iter().map(|&id| id.clone()).collect()].concat()];
    for purpose in Purpose::ALL {
        let spent = statistics.time.of(purpose);
        if spent.total() == 0 {
            continue;
        }
        let mut cells = vec![
            purpose.name().to_owned(),
            percent(share(spent.total(), statistics.busy)),
            seconds(spent.total()),
            seconds(spent.unanswered),
        ];
        let by_solver = |&id: &&String| seconds(statistics.time.of_solver(purpose, id).total());
        cells.extend(solvers.iter().map(by_solver));
        rows.push(cells);
    }
    let own = statistics.own_time();
    rows.push(row(["own code", &percent(share(own, statistics.busy)), &seconds(own)]));
    rows.push(row([
        "all workers",
        &percent(share(statistics.busy, statistics.busy)),
        &seconds(statistics.busy),
    ]));
    align(&rows)
}

/// Where the time went: all purposes that took at least one part in a hundred, and what brought no answer.
pub fn time_shares(statistics: &Statistics) -> Vec<String> {
    let part = |time: u64| share(time, statistics.busy).filter(|part| *part >= 0.01);
    let mut parts: Vec<String> = Purpose::ALL
        .iter()
        .filter_map(|purpose| {
            let spent = statistics.time.of(*purpose).total();
            Some(format!("{} {:.0}%", purpose.name(), 100.0 * part(spent)?))
        })
        .collect();
    parts.extend(part(statistics.own_time()).map(|part| format!("own code {:.0}%", 100.0 * part)));
    let unanswered = part(statistics.time.total().unanswered);
    parts.extend(unanswered.map(|part| format!("without an answer {:.0}%", 100.0 * part)));
    parts
}

/// Microseconds as seconds.
fn seconds(microseconds: u64) -> String {
    format!("{:.1} s", microseconds as f64 / 1e6)
}

/// How many bugs show in a process of their own, and how many need more.
fn bugs_by_run(statistics: &Statistics) -> Option<String> {
    let bugs = |run: RunContext| statistics.bugs_by_run.get(&run).copied().unwrap_or_default();
    let own = [RunContext::Alone, RunContext::FromScratch, RunContext::InForm];
    let separate: u64 = own.into_iter().map(bugs).sum();
    let tactic = bugs(RunContext::WithTactic);
    let stating = bugs(RunContext::Stating);
    let incremental = bugs(RunContext::InsidePush) + bugs(RunContext::AfterOthers);
    (incremental + tactic + stating > 0).then(|| {
        format!(
            "{separate} of the new bugs show in a process of their own, {incremental} only between push and pop, {tactic} only with a tactic, {stating} in other statements of solvers."
        )
    })
}

/// The result of a campaign.
pub fn summary(summary: &Summary, folder: &str, seed: u64) -> Vec<String> {
    let snapshot = &summary.snapshot;
    let statistics = &snapshot.statistics;
    let why = match summary.ended {
        Ended::Time => "Time limit reached",
        Ended::Cases => "All cases done",
        Ended::Exhausted => "No strategy has a new case for these seeds; ended",
        Ended::Complete => "All work of the campaign is done",
        Ended::Interrupted => "Stopped",
    };
    let mut lines = vec![
        String::new(),
        format!("{why} after {}.", duration(snapshot.elapsed)),
        format!(
            "{} ({}/s), {} answered by all solvers, {} skipped; solvers ran {} of the time and accepted {} of their inputs.",
            counted(statistics.cases, "case"),
            rate(snapshot),
            percent(share(statistics.answered, statistics.cases)),
            counted(statistics.duplicates, "duplicate"),
            percent(statistics.solver_share()),
            percent(statistics.accepted_share()),
        ),
        format!("Seed {seed}, digest of all cases {:016x}.", statistics.digest),
    ];
    if statistics.proofs > 0 {
        let (checked, accepted) = (counted(statistics.proofs, "proof"), statistics.accepted_proofs);
        lines.push(format!("{checked} checked: {accepted} accepted; the others have gaps, or are findings."));
    }
    if statistics.cores > 0 {
        lines.push(format!("{} checked.", counted(statistics.cores, "unsat core")));
    }
    if !statistics.statements.is_empty() {
        let checked = statistics.statements.iter().map(|(kind, count)| format!("{kind} {count}"));
        lines.push(format!("Statements checked: {}.", checked.collect::<Vec<_>>().join(", ")));
    }
    if statistics.tactics > 0 {
        lines.push(format!("{} with a tactic.", counted(statistics.tactics, "run")));
    }
    if statistics.forms > 0 {
        lines.push(format!("{} in another form.", counted(statistics.forms, "run")));
    }
    if statistics.incremental > 0 {
        lines.push(format!("{} between push and pop.", counted(statistics.incremental, "run")));
    }
    if statistics.from_scratch > 0 {
        lines.push(format!("{} of incremental cases from scratch.", counted(statistics.from_scratch, "run")));
    }
    lines.extend(bugs_by_run(statistics));
    if statistics.configured > 0 {
        lines.push(format!(
            "{} with other options, {} rejected.",
            counted(statistics.configured, "run"),
            statistics.conflicts
        ));
    }
    if statistics.unsupported > 0 {
        lines.push(format!(
            "{} used operators that no selected solver supports.",
            counted(statistics.unsupported, "case")
        ));
    }
    if statistics.skipped > 0 {
        lines.push(format!(
            "{} skipped (their seeds or operators lose time).",
            counted(statistics.skipped, "case")
        ));
    }
    if statistics.unrepeatable > 0 {
        let results = counted(statistics.unrepeatable, "wrong result");
        lines.push(format!("{results} not reported: not reproducible in a fresh process."));
    }
    if statistics.unconfirmed > 0 {
        let results = counted(statistics.unconfirmed, "wrong result");
        lines.push(format!("{results} not reported: no time to confirm."));
    }
    lines.push(String::new());
    lines.extend(solver_table(statistics));
    lines.push("(a run may have several checks: sat, unsat and unknown count checks)".to_owned());
    lines.push(String::new());
    lines.extend(strategy_table(statistics));
    lines.push("(hits are cases with a confirmed finding)".to_owned());
    lines.push(String::new());
    lines.extend(time_table(statistics));
    if statistics.reports.written > 0 {
        let written = counted(statistics.reports.written, "report");
        lines.push(format!("{written} written beside the workers in {}.", seconds(statistics.reports.time)));
    }
    if !statistics.sharing.is_none() {
        let sharing = &statistics.sharing;
        lines.push(format!(
            "The common store took {} of the workers' time: {} in {}, and {} in which workers waited for work.",
            percent(share(sharing.total(), statistics.busy)),
            seconds(sharing.exchanging),
            counted(sharing.exchanges, "exchange"),
            seconds(sharing.waiting),
        ));
    }
    for (id, tally) in statistics.targets.iter().filter(|(_, tally)| !tally.error_sample.is_empty()) {
        lines.push(format!("first error of {id}: {}", one_line(&tally.error_sample, 160)));
    }
    for (name, tally) in statistics.strategies.iter().filter(|(_, tally)| tally.rejected > 0) {
        let failures = counted(tally.rejected, "failure");
        let problem = one_line(&tally.problem, 200);
        lines.push(format!("{failures} of {name}, in runs and printed scripts; the first: {problem}"));
    }
    lines.extend(summary.operators.iter().map(operators_line));
    lines.extend(unusable_lines(&summary.unusable_seeds));
    lines.push(String::new());
    if summary.tested_nothing() {
        lines.push("Nothing was tested.".to_owned());
    }
    if snapshot.findings.is_empty() {
        if !summary.tested_nothing() {
            lines.push("No bugs found.".to_owned());
        }
    } else {
        let earlier = snapshot.findings.iter().any(|finding| !summary.is_new(finding));
        let new = format!(", {} new in this run", summary.new_findings.len());
        let new = if earlier { new } else { String::new() };
        lines.push(format!("{}{new}:", findings_count(&snapshot.findings)));
        lines.extend(grouped(snapshot, |finding| summary.is_new(finding)));
        lines.push(format!(
            "To see one: `elenchus show ID --out {folder}`. All files are in {folder}/findings."
        ));
        let raw = |finding: &&Listed| finding.bug && finding.reduced_bytes.is_none();
        let raw = snapshot.findings.iter().filter(raw).count();
        // The bugs of a common store are reduced as jobs.
        if raw > 0 && statistics.sharing.is_none() {
            let bugs = counted(raw as u64, "bug");
            lines.push(format!("Not reduced yet: {bugs}. To do it: `elenchus triage --out {folder}`."));
        }
    }
    // As much again as this run had.
    let (time, cases) = snapshot.this_run;
    let before = (snapshot.elapsed.saturating_sub(time), statistics.cases.saturating_sub(cases));
    let more = match summary.ended {
        Ended::Interrupted => Some(String::new()),
        Ended::Time => snapshot.time.map(|time| {
            let seconds = time.saturating_sub(before.0).as_secs_f64().round().max(1.0);
            format!(" --time {}", time_text(seconds as u64 * 1000))
        }),
        Ended::Cases => {
            snapshot.cases.map(|cases| format!(" --cases {}", cases.saturating_sub(before.1).max(1)))
        }
        Ended::Exhausted | Ended::Complete => None,
    };
    if !statistics.sharing.is_none() {
        lines.extend(more.map(|_| format!("To continue, run the same command again with --out {folder}.")));
        return lines;
    }
    lines.extend(more.map(|more| format!("To continue: `elenchus fuzz --resume{more} --out {folder}`")));
    lines
}

/// How many operators a solver was asked about, and some that it was not.
fn operators_line(solver: &SolverOperators) -> String {
    const SHOWN: usize = 6;
    let SolverOperators { solver, count, not_asked, .. } = solver;
    let mut line = format!(
        "{solver}: {} of {} operators asked, {} of {} pairs",
        count.operators, count.known_operators, count.pairs, count.known_pairs
    );
    if !not_asked.is_empty() {
        let shown: Vec<&str> = not_asked.iter().take(SHOWN).map(String::as_str).collect();
        let more = if not_asked.len() > SHOWN { ", …" } else { "" };
        line.push_str(&format!("; not yet: {}{more}", shown.join(", ")));
    }
    line
}

/// Findings by class and solvers: all new ones, and a few others of each kind.
fn grouped(snapshot: &Snapshot, is_new: impl Fn(&Listed) -> bool) -> Vec<String> {
    const SHOWN: usize = 5;
    let mut groups: BTreeMap<(bool, Class, &[ListedSolver]), Vec<&Listed>> = BTreeMap::new();
    for finding in &snapshot.findings {
        groups.entry((!finding.bug, finding.class, &finding.solvers)).or_default().push(finding);
    }
    let mut lines = Vec::new();
    for group in groups.values_mut() {
        group.sort_by_key(|finding| !is_new(finding));
        let cases: u64 = group.iter().map(|finding| finding.count).sum();
        let shown = SHOWN.max(group.iter().filter(|finding| is_new(finding)).count());
        for finding in group.iter().take(shown) {
            let details = finding_details(finding, snapshot);
            lines.push(format!("  {} ({details})", one_line(&finding_line(finding), 150)));
        }
        if group.len() > shown {
            lines.push(format!(
                "  … {} more of this kind from earlier runs, {} in total",
                group.len() - shown,
                counted(cases, "case")
            ));
        }
    }
    lines
}

/// Seeds that strategies could not use, some of them by name.
fn unusable_lines(unusable: &[UnusableSeed]) -> Vec<String> {
    const SHOWN: usize = 5;
    if unusable.is_empty() {
        return Vec::new();
    }
    let mut seeds: BTreeMap<&str, BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
    for UnusableSeed { strategy, seed, reason } in unusable {
        seeds.entry(seed).or_default().entry(reason).or_default().push(strategy);
    }
    let mut lines = vec![format!("{} that a strategy could not use:", counted(seeds.len(), "seed"))];
    for (seed, reasons) in seeds.iter().take(SHOWN) {
        let line = |(reason, strategies): (&&str, &Vec<&str>)| {
            format!("  {seed} ({}): {}", strategies.join(", "), one_line(reason, 120))
        };
        lines.extend(reasons.iter().map(line));
    }
    if seeds.len() > SHOWN {
        lines.push(format!("  … and {} more", seeds.len() - SHOWN));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn an_unusable_seed_is_one_seed_for_all_strategies() {
        let unusable = |strategy: &str, seed: &str, reason: &str| UnusableSeed {
            strategy: strategy.to_owned(),
            seed: seed.to_owned(),
            reason: reason.to_owned(),
        };
        let all = [unusable("swap", "b", "r"), unusable("opfuzz", "a", "s"), unusable("diver", "b", "r")];
        assert_eq!(
            unusable_lines(&all),
            ["2 seeds that a strategy could not use:", "  a (opfuzz): s", "  b (swap, diver): r"]
        );
    }

    #[test]
    fn new_findings_are_never_left_out() {
        let finding = |id: String| Listed {
            id,
            class: Class::Crash,
            severity: case::Severity::Crash,
            title: "t".to_owned(),
            signature: String::new(),
            bug: true,
            solvers: Vec::new(),
            count: 1,
            first_seen: 0,
            last_seen: 0,
            folder: String::new(),
            reduced_bytes: None,
            merged_into: None,
        };
        let findings = (0..20).map(|number| finding(format!("f{number:02}"))).collect();
        let snapshot = Snapshot { findings, ..Snapshot::default() };
        let lines = grouped(&snapshot, |finding| finding.id.as_str() >= "f13");
        assert_eq!(lines.len(), 8, "{lines:?}");
        assert!(lines[0].contains("f13") && lines[6].contains("f19"), "{lines:?}");
        assert!(lines[7].contains("13 more of this kind from earlier runs"), "{lines:?}");
        let lines = grouped(&snapshot, |finding| finding.id == "f19");
        assert!(lines.len() == 6 && lines[0].contains("f19"), "{lines:?}");
    }

    #[test]
    fn durations_have_two_units_at_most() {
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
        let ended = Summary {
            ended: Ended::Cases,
            snapshot,
            new_findings: BTreeSet::new(),
            unusable_seeds: Vec::new(),
            operators: Vec::new(),
        };
        assert!(summary(&ended, "out", 1).iter().any(|line| line == "No bugs found."));
        let ended = Summary { ended: Ended::Exhausted, ..ended };
        let lines = summary(&ended, "out", 1);
        assert!(lines.iter().any(|line| line == "Nothing was tested."));
        assert!(lines.iter().all(|line| line != "No bugs found."));
    }
}
