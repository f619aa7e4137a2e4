//! How many known bugs a campaign reports when each formula is its only seed.
//!
//! `recall FOLDER RELEASE… [--limit SECONDS] [--every N] [--verbose]`, with a folder like that of the shared bugs: `bugs.tsv`
//! names a release, a formula below `formulas/`, a class and a detail for each known bug. A bug counts if the plain executable
//! shows it within the limit. It is reported if the campaign has a finding that suspects the release. A wrong answer is disputed
//! if releases read the script differently, so that no answer to it is wrong.
//!
//! Every release is fuzzed beside the newest Z3 and cvc5, with the strategy `seeds` and default settings.

use campaign::{Event, Listener, Plan, Pool, Settings};
use case::{Answer, Class, Outcome};
use smt::Signatures;
use solver::install::{self, Settings as InstallSettings};
use solver::run::{Limits, RunSettings, Want};
use solver::{Observation, RunMode, RunRequest, Target, runner};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use store::Store;
use strategies::{Seed, Unchanged};
use triage::{Evaluated, ModelJudge, oracle};

const NEWEST: [&str; 2] = ["z3@5.4.0", "cvc5@1.4.2"];

type Failure = Box<dyn std::error::Error>;

struct Request {
    folder: PathBuf,
    releases: Vec<String>,
    limit: Duration,
    every: usize,
    verbose: bool,
}

/// A row of `bugs.tsv`.
struct Known {
    release: String,
    formula: String,
    class: String,
    detail: String,
}

#[derive(Default)]
struct Tally {
    listed: usize,
    shown: usize,
    disputed: usize,
    reported: usize,
}

/// The class of a finding, and the solvers that it suspects.
type Found = (Class, Vec<String>);

struct Silent;

impl Listener for Silent {
    fn event(&mut self, _: &Event) {}
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    // The running program is the driver of the cvc5 library.
    if arguments.next_if(|first| first == "__drive").is_some() {
        std::process::exit(solver::driver::drive(arguments.map(Into::into)));
    }
    match request(arguments).and_then(|request| measure(&request)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn request(mut words: impl Iterator<Item = String>) -> Result<Request, Failure> {
    let mut request = Request {
        folder: PathBuf::new(),
        releases: Vec::new(),
        limit: Duration::from_secs(8),
        every: 1,
        verbose: false,
    };
    let mut folder = None;
    while let Some(word) = words.next() {
        match word.as_str() {
            "--limit" => request.limit = Duration::from_secs(words.next().ok_or("--limit SECONDS")?.parse()?),
            "--every" => request.every = words.next().ok_or("--every N")?.parse::<usize>()?.max(1),
            "--verbose" => request.verbose = true,
            _ if folder.is_none() => folder = Some(PathBuf::from(word)),
            _ => request.releases.push(word),
        }
    }
    request.folder = folder.ok_or("expected a folder with bugs.tsv, and releases such as z3@4.8.7")?;
    Ok(request)
}

fn measure(request: &Request) -> Result<(), Failure> {
    let known = known_bugs(&request.folder)?;
    let mut table: BTreeMap<(String, String), Tally> = BTreeMap::new();
    for release in &request.releases {
        let old = target(release)?;
        let mut targets = vec![old.clone()];
        for newest in NEWEST.iter().filter(|newest| *newest != release) {
            targets.push(target(newest)?);
        }
        for bug in known.iter().filter(|bug| bug.release == *release).step_by(request.every) {
            let tally = table.entry((release.clone(), bug.class.clone())).or_default();
            tally.listed += 1;
            let path = request.folder.join("formulas").join(format!("{}.smt2", bug.formula));
            let text = std::fs::read_to_string(&path)?;
            let plain = plain_run(&old, &text, request.limit)?;
            if !shows(bug, &plain) {
                if request.verbose {
                    println!(
                        "{release} {} {}: the plain executable: {}",
                        bug.class,
                        bug.formula,
                        said(&plain)
                    );
                }
                continue;
            }
            tally.shown += 1;
            let (findings, note) = campaign(&targets, &bug.formula, &text, request.limit)?;
            let suspected = |(_, suspects): &&Found| suspects.contains(&old.id);
            let reported = findings.iter().find(suspected);
            tally.reported += usize::from(reported.is_some());
            match reported {
                None if is_disputed(bug, &text, &old) => tally.disputed += 1,
                None => println!(
                    "missed: {release} {} {} ({}): plain {} {note}",
                    bug.class,
                    bug.formula,
                    bug.detail,
                    said(&plain)
                ),
                Some((class, _)) if request.verbose => {
                    println!("{release} {} {}: reported as {class}", bug.class, bug.formula);
                }
                Some(_) => {}
            }
        }
    }
    print(&table);
    Ok(())
}

fn known_bugs(folder: &Path) -> Result<Vec<Known>, Failure> {
    let file = folder.join("bugs.tsv");
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let row = |line: &str| {
        let mut columns = line.split('\t').map(str::to_owned);
        let release = columns.next()?;
        let (name, version) = release.split_once('-')?;
        // The fourth number of a release is that of its package.
        let version: Vec<&str> = version.split('.').take(3).collect();
        Some(Known {
            release: format!("{name}@{}", version.join(".")),
            formula: columns.next()?,
            class: columns.next()?,
            detail: columns.next()?,
        })
    };
    Ok(text.lines().skip(1).filter_map(row).collect())
}

fn target(spec: &str) -> Result<Target, Failure> {
    Ok(install::resolve(spec, &InstallSettings::from_environment()?)?)
}

fn plain_run(target: &Target, script: &str, limit: Duration) -> Result<Observation, Failure> {
    let limits = Limits { wall: limit, ..Limits::default() };
    let want = Want { check_models: true, ..Want::default() };
    let mut plain = runner(target, RunMode::OneShot, &RunSettings::default())?;
    Ok(plain.run(&RunRequest::new(script).limits(limits).want(want))?)
}

/// Whether a run shows a known bug.
fn shows(bug: &Known, seen: &Observation) -> bool {
    let invalid = matches!(seen.outcome, Outcome::InvalidModel { .. });
    let wrong = |answer: Answer| match check_number(&bug.detail) {
        Some(check) => seen.answers.get(check - 1) == Some(&answer),
        None => seen.answers.contains(&answer),
    };
    match bug.class.as_str() {
        "crash" => matches!(seen.outcome, Outcome::Crash(_)),
        "invalid-model" => invalid,
        "soundness-sat" => wrong(Answer::Sat) || invalid,
        "soundness-unsat" => wrong(Answer::Unsat),
        _ => false,
    }
}

/// Whether releases read a script differently, so that both answers to it may be right.
fn is_disputed(bug: &Known, script: &str, release: &Target) -> bool {
    let escapes = oracle::largest_escape(script) > release.profile.at(&release.version).max_escape;
    bug.class.starts_with("soundness") && (escapes || oracle::incomparable(script).is_some())
}

/// The number in `(check N, …)`.
fn check_number(detail: &str) -> Option<usize> {
    detail.split_once("(check ")?.1.split(',').next()?.parse().ok().filter(|number| *number > 0)
}

fn said(seen: &Observation) -> String {
    let answers: Vec<String> = seen.answers.iter().map(|answer| answer.word().to_owned()).collect();
    format!("[{}] {}", answers.join(" "), seen.outcome).replace('\n', " ")
}

/// The findings of a campaign with one seed, with the solvers that they suspect, and a note about what ran.
fn campaign(
    targets: &[Target],
    name: &str,
    text: &str,
    limit: Duration,
) -> Result<(Vec<Found>, String), Failure> {
    let folder = tempfile::tempdir()?;
    let mut store = Store::open(&folder.path().join("out"))?;
    let timeout = limit.as_millis() as u64;
    let judges = || Box::new(Evaluated::default()) as Box<dyn ModelJudge>;
    let plan = Plan {
        settings: Settings { timeout, seed: 1, ..Settings::default() },
        targets: targets.to_vec(),
        strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
        pool: Pool { seeds: vec![Seed::new(name, text)], unusable: Vec::new() },
        judges: &judges,
        options: Vec::new(),
        installer: None,
    };
    let summary = campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent)?;
    let mut findings = Vec::new();
    for listed in store.findings()?.iter().filter(|listed| listed.bug) {
        let (finding, ..) = store.read(listed)?;
        let suspects = finding.runs.iter().filter(|run| run.suspect).map(|run| run.spec.clone());
        findings.push((finding.class, suspects.collect()));
    }
    let statistics = &summary.snapshot.statistics;
    let unusable: Vec<&str> = summary.unusable_seeds.iter().map(|seed| seed.reason.as_str()).collect();
    let tallies: Vec<String> =
        statistics.targets.iter().map(|(id, tally)| format!("{id} {tally:?}")).collect();
    let note = format!(
        "| {} cases, {} unsupported, {} unrepeatable, {unusable:?} findings {findings:?} | {}",
        statistics.cases,
        statistics.unsupported,
        statistics.unrepeatable,
        tallies.join("; ")
    );
    Ok((findings, note))
}

fn print(table: &BTreeMap<(String, String), Tally>) {
    println!(
        "\n{:12} {:16} {:>6} {:>6} {:>8} {:>8}",
        "release", "class", "listed", "shown", "disputed", "reported"
    );
    let mut sum = Tally::default();
    for ((release, class), tally) in table {
        let Tally { listed, shown, disputed, reported } = tally;
        println!("{release:12} {class:16} {listed:6} {shown:6} {disputed:8} {reported:8}");
        sum.listed += listed;
        sum.shown += shown;
        sum.disputed += disputed;
        sum.reported += reported;
    }
    let share = 100.0 * sum.reported as f64 / (sum.shown - sum.disputed).max(1) as f64;
    println!(
        "{:12} {:16} {:6} {:6} {:8} {:8} {share:.1} % of those shown and not disputed",
        "all", "", sum.listed, sum.shown, sum.disputed, sum.reported
    );
}
