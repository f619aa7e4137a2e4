//! Keeps the fewest seeds that reach the same functions of a solver.

use super::cover::{Choice, cover};
use super::error::CorpusError;
use crate::seeds::Pool;
use case::table::counted;
use solver::coverage::{Coverage, Reached, watch};
use solver::run::{Limits, RunSettings};
use solver::{RunMode, RunRequest, Target};
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use strategies::Seed;

/// How often seeds run again, after the first time only for what was not reached again.
const ROUNDS: usize = 4;

/// What to minimize, and how long.
pub struct MinimizeSettings<'a> {
    /// The folder with the seeds.
    pub folder: &'a Path,
    /// The folder for the seeds that are kept.
    pub out: &'a Path,
    /// The solver.
    pub target: &'a Target,
    /// The time limit of each run.
    pub timeout: Duration,
    /// The time for the first run of all seeds.
    pub time: Option<Duration>,
}

/// How far it is.
#[derive(Clone, Copy, Debug)]
pub enum Minimizing {
    /// So many of the seeds have run, and they have reached so many functions.
    Measured {
        /// Seeds that have run.
        done: usize,
        /// All seeds.
        total: usize,
        /// Functions.
        reached: usize,
    },
    /// So many of the kept seeds have run again.
    Checked {
        /// Seeds that have run again.
        done: usize,
        /// All kept seeds.
        total: usize,
    },
}

impl fmt::Display for Minimizing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Minimizing::Measured { done, total, reached } => {
                write!(f, "{done} of {total} seeds measured, {reached} reached")
            }
            Minimizing::Checked { done, total } => write!(f, "{done} of {total} kept seeds run again"),
        }
    }
}

/// The result.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Minimized {
    /// What was counted: functions or edges.
    pub kind: &'static str,
    /// How many of them the solver has.
    pub points: usize,
    /// How many seeds ran.
    pub seeds: usize,
    /// Their size in bytes.
    pub bytes: usize,
    /// What they reached.
    pub reached: usize,
    /// How many seeds were kept.
    pub kept: usize,
    /// Their size in bytes.
    pub kept_bytes: usize,
    /// What the kept seeds reached when they ran again, of what all seeds had reached.
    pub kept_reached: usize,
    /// Functions that were reached once, but not again by any seed that had reached them.
    pub unsteady: usize,
    /// Seeds that there was no time for. They are left out.
    pub not_measured: usize,
    /// Files that cannot be seeds.
    pub unusable: usize,
}

impl Minimized {
    /// The result as lines. `out` is the folder of the kept seeds.
    pub fn text(&self, out: &Path) -> Vec<String> {
        let Minimized { kind, points, seeds, bytes, reached, kept, kept_bytes, kept_reached, .. } = self;
        let mut lines = vec![
            format!("{}, {bytes} B, reach {reached} of {points} {kind}", counted(*seeds, "seed")),
            format!(
                "Kept {}, {kept_bytes} B, in {}: they reach {kept_reached} of these when run again",
                counted(*kept, "seed"),
                out.display()
            ),
        ];
        if self.unsteady > 0 {
            let unsteady = self.unsteady;
            lines.push(format!(
                "{unsteady} of them are reached only sometimes, and no seed reached them again"
            ));
        }
        if self.not_measured > 0 {
            let seeds = counted(self.not_measured, "seed");
            lines.push(format!("{seeds} left out, not measured in time: give more with --time"));
        }
        if self.unusable > 0 {
            lines.push(format!("{} left out, not usable as seeds", counted(self.unusable, "file")));
        }
        lines
    }
}

/// A seed with what it reached.
struct Measured {
    seed: Seed,
    reached: Reached,
}

/// Runs every seed, chooses seeds that reach everything, runs these again to check it, and copies them.
pub fn minimize(
    settings: &MinimizeSettings<'_>,
    should_stop: &dyn Fn() -> bool,
    progress: &mut dyn FnMut(Minimizing),
) -> Result<Minimized, CorpusError> {
    let pool = Pool::read(&[settings.folder.to_owned()]);
    if pool.seeds.is_empty() {
        return Err(CorpusError::NoSeeds(settings.folder.to_owned()));
    }
    if !Pool::read(&[settings.out.to_owned()]).seeds.is_empty() {
        return Err(CorpusError::NotEmpty(settings.out.to_owned()));
    }
    let unusable = pool.unusable.len();
    let mut watched =
        watch(settings.target, RunMode::Fork, &RunSettings::default()).map_err(CorpusError::Cover)?;
    let (total, until) = (pool.seeds.len(), settings.time.map(|time| Instant::now() + time));
    let mut all = Reached::default();
    let mut measured: Vec<Measured> = Vec::new();
    for seed in pool.seeds {
        if should_stop() {
            return Err(CorpusError::Interrupted);
        }
        if until.is_some_and(|until| Instant::now() >= until) {
            break;
        }
        let reached = reached_by(&mut *watched, &seed, settings.timeout)?;
        all.add(&reached);
        measured.push(Measured { seed, reached });
        progress(Minimizing::Measured { done: measured.len(), total, reached: all.count() });
    }
    if measured.is_empty() {
        return Err(CorpusError::NothingMeasured);
    }
    let (kept, again) = choose(&mut *watched, &measured, &all, settings.timeout, should_stop, progress)?;
    for &place in &kept {
        copy(&measured[place].seed, settings.folder, settings.out)?;
    }
    let size = |measured: &Measured| measured.seed.text.len();
    let kept_reached = again.common(&all).count();
    Ok(Minimized {
        kind: watched.kind(),
        points: watched.points(),
        seeds: measured.len(),
        bytes: measured.iter().map(size).sum(),
        reached: all.count(),
        kept: kept.len(),
        kept_bytes: kept.iter().map(|&place| size(&measured[place])).sum(),
        kept_reached,
        unsteady: all.count() - kept_reached,
        not_measured: total - measured.len(),
        unusable,
    })
}

/// The seeds to keep, and what they reached when they ran again. What they do not reach again gets further runs, of the kept seeds or
/// of others.
fn choose(
    watched: &mut dyn Coverage,
    measured: &[Measured],
    all: &Reached,
    timeout: Duration,
    should_stop: &dyn Fn() -> bool,
    progress: &mut dyn FnMut(Minimizing),
) -> Result<(BTreeSet<usize>, Reached), CorpusError> {
    let mut kept = BTreeSet::new();
    let mut again = Reached::default();
    for _ in 0..ROUNDS {
        let mut choices: Vec<Choice<'_>> = Vec::with_capacity(measured.len());
        for (place, Measured { seed, reached }) in measured.iter().enumerate() {
            // A seed that is kept costs no more.
            let size = if kept.contains(&place) { 0 } else { seed.text.len() };
            choices.push(Choice { reached, size, name: &seed.name });
        }
        let chosen = cover(&choices, &all.without(&again));
        for (&place, done) in chosen.iter().zip(1..) {
            if should_stop() {
                return Err(CorpusError::Interrupted);
            }
            again.add(&reached_by(watched, &measured[place].seed, timeout)?);
            progress(Minimizing::Checked { done, total: chosen.len() });
        }
        kept.extend(chosen);
    }
    Ok((kept, again))
}

/// What a seed reaches. A run that ends by a limit counts as far as it came.
fn reached_by(watched: &mut dyn Coverage, seed: &Seed, timeout: Duration) -> Result<Reached, CorpusError> {
    let limits = Limits { wall: timeout, ..Limits::default() };
    Ok(watched.run(&RunRequest::new(&seed.text).limits(limits))?.1)
}

/// Copies a seed to the same place below another folder.
fn copy(seed: &Seed, from: &Path, to: &Path) -> Result<(), CorpusError> {
    let name = PathBuf::from(&seed.name);
    let place = match name.strip_prefix(from) {
        Ok(place) if !place.as_os_str().is_empty() => place,
        _ => name.file_name().map(Path::new).unwrap_or(&name),
    };
    let target = to.join(place);
    let folder = target.parent().unwrap_or(to);
    fs::create_dir_all(folder).map_err(CorpusError::write(folder))?;
    fs::write(&target, seed.text.as_bytes()).map_err(CorpusError::write(&target))
}
