//! Compares the warm run modes with the plain executable, script by script.

use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, Observation, Outcome, RunError, RunMode, RunRequest, Runner, Target, runner};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The modes that must show what a fresh process shows.
pub const WARM: [RunMode; 3] = [RunMode::Session, RunMode::Fork, RunMode::Incremental];

/// A script whose fresh runs may differ is run this many times more.
const REPETITIONS: usize = 3;

/// How one mode compares with fresh processes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Scripts with the same answers and outcome.
    pub same: usize,
    /// Not possible in this mode, so a fresh process ran it.
    pub fallback: usize,
    /// A time or memory limit ended a run.
    pub limit: usize,
    /// Fresh runs differ among themselves.
    pub unstable: usize,
    /// One of the two answers `unknown` to some checks; no answers contradict each other.
    pub unknown: usize,
    /// Anything else.
    pub different: usize,
}

/// A script that a warm process and a fresh one treat differently.
pub struct Difference {
    pub mode: RunMode,
    pub script: PathBuf,
    pub fresh: String,
    pub warm: String,
}

/// Runs all scripts in all modes with `jobs` threads. Returns the tallies in the order of [`WARM`].
pub fn compare(
    target: &Target,
    scripts: &[PathBuf],
    limit: Duration,
    jobs: usize,
) -> Result<([Tally; 3], Vec<Difference>), RunError> {
    let next = AtomicUsize::new(0);
    let all: Mutex<([Tally; 3], Vec<Difference>)> = Mutex::default();
    let work = || -> Result<(), RunError> {
        let mut modes = Modes::new(target, limit)?;
        while let Some(path) = scripts.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Ok(script) = std::fs::read_to_string(path) else { continue };
            let (tallies, differences) = modes.compare(path, &script)?;
            let Ok(mut all) = all.lock() else { break };
            all.0.iter_mut().zip(tallies).for_each(|(sum, tally)| sum.add(&tally));
            all.1.extend(differences);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or(Ok(())))
    })?;
    let (tallies, mut differences) = all.into_inner().unwrap_or_default();
    differences.sort_by(|one, other| one.script.cmp(&other.script));
    Ok((tallies, differences))
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.same += other.same;
        self.fallback += other.fallback;
        self.limit += other.limit;
        self.unstable += other.unstable;
        self.unknown += other.unknown;
        self.different += other.different;
    }
}

/// A solver in all modes.
struct Modes {
    fresh: Box<dyn Runner>,
    warm: Vec<Box<dyn Runner>>,
    limit: Duration,
}

impl Modes {
    fn new(target: &Target, limit: Duration) -> Result<Modes, RunError> {
        let settings = RunSettings::default();
        let fresh = runner(target, RunMode::OneShot, &settings)?;
        let warm = WARM.into_iter().map(|mode| runner(target, mode, &settings));
        Ok(Modes { fresh, warm: warm.collect::<Result<_, _>>()?, limit })
    }

    fn compare(&mut self, path: &Path, script: &str) -> Result<([Tally; 3], Vec<Difference>), RunError> {
        let mut tallies = [Tally::default(); 3];
        let mut differences = Vec::new();
        let fresh = run(self.fresh.as_mut(), script, self.limit)?;
        // A warm run would end at the same limit or a little before it.
        if is_limit(&fresh) {
            return Ok((tallies.map(|_| Tally { limit: 1, ..Tally::default() }), differences));
        }
        for (index, tally) in tallies.iter_mut().enumerate() {
            let warm = run(self.warm[index].as_mut(), script, self.limit)?;
            if warm.fallback.is_some() {
                tally.fallback = 1;
            } else if is_limit(&warm) {
                tally.limit = 1;
            } else if is_same(&fresh, &warm) {
                tally.same = 1;
            } else if self.varies(script, &fresh, &warm)? {
                tally.unstable = 1;
            } else if only_unknown_differs(&fresh, &warm) {
                tally.unknown = 1;
            } else {
                tally.different = 1;
                differences.push(Difference {
                    mode: WARM[index],
                    script: path.to_owned(),
                    fresh: shown(&fresh),
                    warm: shown(&warm),
                });
            }
        }
        Ok((tallies, differences))
    }

    /// Whether fresh runs differ from each other, or one of them shows what the warm run showed.
    fn varies(&mut self, script: &str, first: &Observation, warm: &Observation) -> Result<bool, RunError> {
        for _ in 0..REPETITIONS {
            let again = run(self.fresh.as_mut(), script, self.limit)?;
            if shown(&again) != shown(first) || is_same(&again, warm) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn run(runner: &mut dyn Runner, script: &str, limit: Duration) -> Result<Observation, RunError> {
    let limits = Limits { wall: limit, ..Limits::default() };
    let want = Want { check_models: true, ..Want::default() };
    runner.run(&RunRequest::new(script).limits(limits).want(want))
}

fn is_limit(seen: &Observation) -> bool {
    matches!(seen.outcome, Outcome::Timeout | Outcome::OutOfMemory | Outcome::OutputLimit)
}

/// Whether a warm run shows what a fresh one shows. Some modes show only the signal of a crash.
fn is_same(fresh: &Observation, warm: &Observation) -> bool {
    match (&fresh.outcome, &warm.outcome) {
        (Outcome::Crash(one), Outcome::Crash(other)) => fresh.answers == warm.answers && one.may_equal(other),
        _ => shown(fresh) == shown(warm),
    }
}

/// Whether both ran to their end, and one answers `unknown` where the other answers. Solvers use other procedures between push
/// and pop, which may be stronger or weaker.
fn only_unknown_differs(fresh: &Observation, warm: &Observation) -> bool {
    let compatible =
        |(one, other): (&Answer, &Answer)| one == other || [*one, *other].contains(&Answer::Unknown);
    fresh.outcome == Outcome::Answered
        && warm.outcome == Outcome::Answered
        && fresh.answers.len() == warm.answers.len()
        && fresh.answers.iter().zip(&warm.answers).all(compatible)
}

/// The answers and the outcome in one line. Numbers count as equal, since a warm process counts the lines of all its scripts. So
/// do positions in the input, which some modes read from a pipe.
fn shown(seen: &Observation) -> String {
    let answers: Vec<&str> = seen.answers.iter().map(|answer| answer.word()).collect();
    let outcome = seen.outcome.to_string();
    let varies = |word: &str| {
        let is_position = ["input.smt2:", "<stdin>:"].iter().any(|name| word.starts_with(name));
        is_position || word.trim_end_matches(':').parse::<u64>().is_ok()
    };
    let words = outcome.split_whitespace().map(|word| if varies(word) { "_" } else { word });
    format!("[{}] {}", answers.join(" "), words.collect::<Vec<_>>().join(" "))
}
