//! Judges what a tool reported: runs it, reduces it, and says what identifies each bug.

use crate::error::BenchError;
use crate::own::{FuzzCommand, run_fuzz};
use crate::plan::Plan;
use crate::record::BugRecord;
use case::files::FileError;
use case::hash::fnv1a;
use solver::run::Limits;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::{Browser, Listed, Store};
use triage::SolverSource;
use triage::automatic::{TriagedFinding, merge_alike, reduce_all};

/// The time limit of a solver in triage.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The time limit for reducing one finding.
const REDUCTION: Duration = Duration::from_secs(20);
/// The time limit for running the reported scripts.
const RERUN: Duration = Duration::from_secs(600);
/// Cases of a finding that are looked at.
const OCCURRENCES: u64 = 100_000;

/// A script that a tool reported.
#[derive(Clone, Debug, PartialEq)]
pub struct Reported {
    /// The script.
    pub file: PathBuf,
    /// When it was reported, in seconds since the tool was started.
    pub after: f64,
}

/// Finishes the triage of a campaign, and returns the bugs of a release. `after` says when a finding was seen first.
pub fn judge_campaign(
    out: &Path,
    release: &str,
    source: &dyn SolverSource,
    after: &dyn Fn(&Listed) -> Result<f64, BenchError>,
) -> Result<Vec<BugRecord>, BenchError> {
    let mut store = Store::open_existing(out)?;
    let limits = Limits { wall: TIMEOUT, ..Limits::default() };
    reduce_all(&mut store, limits, REDUCTION, source, &|| false, &mut |_, _| {})?;
    merge_alike(&mut store, &mut |_| {})?;
    let all = store.all_findings()?;
    let mut bugs = Vec::new();
    for listed in all.iter().filter(|listed| listed.merged_into.is_none() && listed.bug) {
        let (finding, _, _) = store.read(listed)?;
        if !finding.suspects().any(|run| run.id == release) {
            continue;
        }
        // What cannot be reduced or shown again by a plain executable is no bug that a person could act on.
        let Some(triaged) = TriagedFinding::saved(&out.join(&listed.folder)) else { continue };
        let members = all
            .iter()
            .filter(|other| other.id == listed.id || other.merged_into.as_ref() == Some(&listed.id));
        let times = members.map(after).collect::<Result<Vec<f64>, BenchError>>()?;
        bugs.push(BugRecord {
            after: times.into_iter().fold(f64::INFINITY, f64::min),
            class: triaged.class,
            title: triaged.title,
            identity: triaged.identity,
            predicate: triaged.predicate,
            script: triaged.script,
            needs_options: triaged.needs_options,
            cases: listed.count,
        });
    }
    bugs.sort_by(|one, other| one.after.total_cmp(&other.after));
    Ok(bugs)
}

/// Judges scripts: each is run as it is, and what is wrong goes through triage.
pub fn judge_scripts(
    plan: &Plan,
    release: &str,
    reported: &[Reported],
    work: &Path,
    source: &dyn SolverSource,
) -> Result<Vec<BugRecord>, BenchError> {
    if reported.is_empty() {
        return Ok(Vec::new());
    }
    let (scripts, out) = (work.join("reported"), work.join("judged"));
    fs::create_dir_all(&scripts).map_err(|error| FileError::unwritable(&scripts, error))?;
    let mut times: BTreeMap<String, f64> = BTreeMap::new();
    for (number, Reported { file, after }) in reported.iter().enumerate() {
        let text = case::files::read_text(file)?;
        let first = times.entry(format!("{:016x}", fnv1a(&text))).or_insert(*after);
        *first = first.min(*after);
        case::files::write(&scripts.join(format!("{number:05}.smt2")), &text)?;
    }
    let flags = ["--strategy", "seeds", "--no-performance", "--configurations=0", "--fixed-timeout"];
    let command = FuzzCommand {
        program: &plan.program,
        seeds: &[scripts],
        release,
        other: plan.other(release),
        time: RERUN,
        timeout: TIMEOUT,
        seed: 1,
        out: &out,
        history: None,
        flags: &flags.map(str::to_owned),
    };
    run_fuzz("the judge", &command, work)?;
    let browser = Browser::open(&out)?;
    judge_campaign(&out, release, source, &|listed| {
        let (_, cases) = browser.occurrences(&listed.id, 0, OCCURRENCES)?;
        let of_cases = cases.iter().filter_map(|case| times.get(&case.seed_hash).copied());
        Ok(of_cases.fold(f64::INFINITY, f64::min))
    })
}
