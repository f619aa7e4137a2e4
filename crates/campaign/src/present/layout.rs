//! What the live view shows on a terminal of a given size. Everything here is pure.

use super::line::{Line, Look, flow};
use super::text::{duration, finding_details, left, percent, rate, solver_rows, strategy_rows, time_shares};
use crate::events::Snapshot;
use crate::statistics::{Reach, share};
use case::table::{align, counted};
use store::Listed;

/// What does not change while a campaign runs.
#[derive(Clone, Debug, Default)]
pub struct Heading {
    /// The solvers.
    pub solvers: Vec<String>,
    /// The number of seeds.
    pub seeds: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// The folder of the campaign.
    pub folder: String,
}

/// What to show.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// What does not change.
    pub heading: &'a Heading,
    /// The state of the campaign.
    pub snapshot: &'a Snapshot,
    /// The last note.
    pub note: Option<&'a str>,
    /// Whether the campaign is ending.
    pub stopping: bool,
    /// Whether the help is open.
    pub help: bool,
}

/// The height of a terminal that has space for more than what matters most.
const ROOMY: usize = 20;

/// The columns of the solver table that a narrow terminal drops, in this order.
const DROPPED_COLUMNS: [&str; 8] =
    ["limit", "refused", "error", "unknown", "sat", "unsat", "crash", "timeout"];

/// The help for the keys.
const HELP: [&str; 11] = [
    "q       stop and print the summary, like Ctrl-C",
    "p       pause, or resume; a pause does not count as time",
    "?       close this help",
    "Ctrl-Z  suspend",
    "",
    "Findings: the most severe first, then the newest.",
    "×N: N cases showed it.",
    "hits: cases with a confirmed finding.",
    "A script with several checks has several answers,",
    "so the answers can outnumber the runs.",
    "accepted: runs without an error or a refusal.",
];

/// The lines for a terminal: at most `height`, each at most `width` wide. The most important parts get space first.
pub fn lines(frame: Frame<'_>, width: usize, height: usize) -> Vec<Line> {
    let mut top = flow(status(frame, height >= ROOMY), width);
    let footer = match (frame.help, frame.snapshot.paused) {
        (true, _) => "? close help",
        (false, true) => "q stop  p resume  ? help",
        (false, false) => "q stop  p pause  ? help",
    };
    let mut bottom: Vec<Line> =
        frame.note.map(|note| Line::plain(format!("note: {note}"))).into_iter().collect();
    bottom.push(Line::new(footer, Look::Faint));
    let middle = height.saturating_sub(top.len() + bottom.len());
    let body = if frame.help { HELP.map(Line::plain).to_vec() } else { body(frame.snapshot, width, middle) };
    top.extend(body.into_iter().take(middle));
    // The keys stay in the last line.
    top.resize(top.len().max(height.saturating_sub(bottom.len())), Line::default());
    top.extend(bottom);
    top.truncate(height);
    top.into_iter().map(|line| line.cut(width)).collect()
}

/// The fields at the top: what matters most; a roomy terminal has space for more.
fn status(frame: Frame<'_>, roomy: bool) -> Vec<Line> {
    let Frame { heading, snapshot, .. } = frame;
    let state = match (frame.stopping, snapshot.paused) {
        (true, _) => Line::new("stopping", Look::Candidate),
        (false, true) => Line::new("paused", Look::Candidate),
        (false, false) => Line::new("running", Look::Good),
    };
    let mut fields = vec![state.with(format!(" {}", duration(snapshot.elapsed)), Look::Plain)];
    fields.extend(left(snapshot).map(Line::plain));
    fields.push(Line::plain(counted(snapshot.statistics.cases, "case")));
    fields.push(Line::plain(format!("{}/s", rate(snapshot))));
    fields.extend(findings_count(&snapshot.findings));
    if let Some(time) = snapshot.last_find {
        fields.push(Line::plain(format!("last find {} ago", duration(time))));
    }
    fields.push(Line::plain(format!("random seed {}", heading.seed)));
    if roomy {
        fields.push(Line::plain(heading.solvers.join(" ")));
        fields.push(Line::plain(counted(heading.seeds, "seed")));
        fields.push(Line::plain(heading.folder.clone()));
    }
    fields
}

/// The numbers of bugs and candidates.
fn findings_count(findings: &[Listed]) -> [Line; 2] {
    let bugs = findings.iter().filter(|finding| finding.bug).count();
    let candidates = findings.len() - bugs;
    let look = |number: usize, some: Look| if number == 0 { Look::Good } else { some };
    [
        Line::new(counted(bugs, "bug"), look(bugs, Look::Bug)),
        Line::new(counted(candidates, "candidate"), look(candidates, Look::Candidate)),
    ]
}

/// Everything between the status and the footer, on at most `height` lines.
fn body(snapshot: &Snapshot, width: usize, height: usize) -> Vec<Line> {
    let mut findings = findings(snapshot);
    // Some findings come before everything else, the others get what is left.
    let first = findings.len().min((height / 3).clamp(1, 5));
    let mut left = height.saturating_sub(first + 1);
    // A section with an empty line above it, or nothing if there is not enough space.
    let mut section = |lines: Vec<Line>, least: usize| -> Vec<Line> {
        if lines.is_empty() || left < least.min(lines.len()) + 1 {
            return Vec::new();
        }
        let shown = lines.len().min(left - 1);
        left -= shown + 1;
        std::iter::once(Line::default()).chain(lines.into_iter().take(shown)).collect()
    };
    let solvers = section(solver_table(snapshot, width), usize::MAX);
    let coverage = section(coverage(snapshot), usize::MAX);
    let details = section(flow(details(snapshot), width), 1);
    let strategies = section(strategy_table(snapshot), 3);
    findings.truncate(first + left);
    let mut lines = Vec::new();
    if !findings.is_empty() {
        lines.push(Line::default());
        lines.extend(findings);
    }
    lines.extend(solvers);
    lines.extend(strategies);
    lines.extend(coverage);
    lines.extend(details);
    lines
}

/// A line for each finding: the most severe first, then the newest.
fn findings(snapshot: &Snapshot) -> Vec<Line> {
    let mut sorted: Vec<&Listed> = snapshot.findings.iter().collect();
    sorted.sort_by_key(|finding| (finding.severity, std::cmp::Reverse(finding.first_seen)));
    let line = |finding: &&Listed| {
        let look = if finding.bug { Look::Bug } else { Look::Candidate };
        Line::new(finding.id.clone(), look)
            .with(format!(" {}  {}", finding_details(finding, snapshot), finding.title), Look::Plain)
    };
    sorted.iter().map(line).collect()
}

/// The table of the solvers, with as many columns as fit.
fn solver_table(snapshot: &Snapshot, width: usize) -> Vec<Line> {
    let mut rows = solver_rows(&snapshot.statistics);
    for name in DROPPED_COLUMNS {
        if align(&rows).iter().all(|line| line.chars().count() <= width) {
            break;
        }
        if let Some(column) = rows[0].iter().position(|heading| heading == name) {
            rows.iter_mut().for_each(|row| drop(row.remove(column)));
        }
    }
    table(&rows)
}

/// The table of the strategies, those with the most cases first.
fn strategy_table(snapshot: &Snapshot) -> Vec<Line> {
    let mut rows = strategy_rows(&snapshot.statistics);
    rows[1..].sort_by_key(|row| std::cmp::Reverse(row[1].parse::<u64>().unwrap_or(0)));
    table(&rows)
}

/// A table; nothing if it has only a heading.
fn table(rows: &[Vec<String>]) -> Vec<Line> {
    if rows.len() < 2 {
        return Vec::new();
    }
    let look = |at: usize| if at == 0 { Look::Strong } else { Look::Plain };
    align(rows).into_iter().enumerate().map(|(at, text)| Line::new(text, look(at))).collect()
}

/// The coverage of each solver, if it is measured.
fn coverage(snapshot: &Snapshot) -> Vec<Line> {
    let line = |(id, reach): (&String, &Reach)| {
        let part = percent(share(reach.reached, reach.points));
        Line::plain(format!("coverage of {id}: {part}, {} of {}", reach.reached, reach.points))
    };
    snapshot.statistics.reached.iter().filter(|(_, reach)| reach.points > 0).map(line).collect()
}

/// How the campaign works.
fn details(snapshot: &Snapshot) -> Vec<Line> {
    let statistics = &snapshot.statistics;
    let mut fields = vec![
        format!("solvers {} of the time", percent(statistics.solver_share())),
        format!("{} accepted", percent(statistics.accepted_share())),
        format!("{} skipped", counted(statistics.duplicates, "duplicate")),
        counted(snapshot.jobs, "worker"),
    ];
    fields.extend(time_shares(statistics));
    if statistics.machine_dependent > 0 {
        let questions = counted(statistics.machine_dependent, "question");
        fields
            .push(format!("{questions} ended by the clock: some cases depend on the speed of this machine"));
    }
    fields.into_iter().map(Line::plain).collect()
}

#[cfg(test)]
mod tests;
