//! Other fuzzers: one small file each.

mod chimera;
mod histfuzz;
mod storm;
mod yinyang;

use crate::error::BenchError;
use crate::judge::Reported;
use crate::plan::Plan;
use case::files::FileError;
use case::text::shell_quoted;
use solver::Target;
use solver::run::{Exit, Limits, RunSettings, UserCommand};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The file that says that packages are installed.
const INSTALLED: &str = "installed";
/// How long their installation may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// The peers that a benchmark can run.
pub const PEERS: &[&dyn Peer] = &[
    &yinyang::Yinyang::TYPEFUZZ,
    &yinyang::Yinyang::OPFUZZ,
    &yinyang::Yinyang::FUSION,
    &histfuzz::HistFuzz,
    &storm::Storm,
    &chimera::Chimera::ONCE4ALL,
    &chimera::Chimera::ARIES,
    &chimera::Chimera::HISTFUZZ,
];

/// The peer with this name.
pub fn peer(name: &str) -> Option<&'static dyn Peer> {
    PEERS.iter().copied().find(|peer| peer.name() == name)
}

/// A fuzzer that is not Elenchus.
pub trait Peer: Sync {
    /// Its name in tables and on the command line.
    fn name(&self) -> &'static str;

    /// What it is, and where it comes from, in a line.
    fn about(&self) -> &'static str;

    /// The folder with its programs, ready to fuzz a release. It is installed, or the user has cloned it.
    fn home(&self, plan: &Plan, release: &str) -> Result<PathBuf, BenchError>;

    /// Its version.
    fn version(&self, home: &Path) -> String;

    /// The shell command that fuzzes in the folder of the task until it is killed.
    fn command(&self, task: &PeerTask<'_>) -> Result<String, BenchError>;

    /// The scripts that it reported, by what it left in the folder of the task.
    fn reported(&self, work: &Path, start: SystemTime) -> Vec<Reported>;

    /// How often it ran a solver, by what it printed.
    fn counts(&self, printed: &str) -> Counts;
}

/// Runs of solvers, as a tool counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All runs.
    pub calls: u64,
    /// Those with an answer; `None` if it does not count them.
    pub answered: Option<u64>,
}

/// What a peer has to do.
pub struct PeerTask<'a> {
    /// The folder with its programs.
    pub home: &'a Path,
    /// The release to fuzz.
    pub release: Target,
    /// The solver to compare with.
    pub other: Target,
    /// The seeds, in random order.
    pub seeds: Vec<PathBuf>,
    /// The time limit of a solver.
    pub timeout: Duration,
    /// The core that it is pinned to.
    pub core: Option<usize>,
    /// The folder to work in.
    pub work: &'a Path,
}

impl PeerTask<'_> {
    /// The command line of a solver for tools that append the file, with the solver's check of its models. Such tools split it at
    /// blanks, so it is a script if it needs more than words.
    pub fn solver(&self, target: &Target) -> Result<String, BenchError> {
        let profile = target.profile.at(&target.version);
        let checks = profile.ask.model_check.iter().flat_map(|addition| addition.args.iter().cloned());
        let checks: Vec<String> = checks.collect();
        let plain: Vec<String> = std::iter::once(target.program.display().to_string())
            .chain(target.args.iter().cloned())
            .chain(checks)
            .collect();
        if target.env.is_empty() && plain.iter().all(|word| shell_quoted(word) == *word) {
            return Ok(plain.join(" "));
        }
        self.script(target, "", &plain)
    }

    /// A script that runs a solver with the time limit, for tools that have one of their own.
    pub fn limited(&self, target: &Target) -> Result<String, BenchError> {
        let words: Vec<String> = std::iter::once(target.program.display().to_string())
            .chain(target.args.iter().cloned())
            .collect();
        self.script(target, &format!("timeout -s KILL {} ", self.timeout.as_secs_f64()), &words)
    }

    /// A script that runs a solver, for tools with one word for it.
    pub fn plain(&self, target: &Target) -> Result<String, BenchError> {
        let words: Vec<String> = std::iter::once(target.program.display().to_string())
            .chain(target.args.iter().cloned())
            .collect();
        self.script(target, "", &words)
    }

    /// Puts links to the seeds into a folder, for tools that want one.
    pub fn link_seeds(&self, folder: &Path) -> Result<(), BenchError> {
        let unwritable = |error| FileError::unwritable(folder, error);
        std::fs::create_dir_all(folder).map_err(unwritable)?;
        for (number, seed) in self.seeds.iter().enumerate() {
            let seed = std::path::absolute(seed).map_err(unwritable)?;
            std::os::unix::fs::symlink(seed, folder.join(format!("{number:05}.smt2"))).map_err(unwritable)?;
        }
        Ok(())
    }

    /// A script that runs a command with the environment of a solver.
    fn script(&self, target: &Target, prefix: &str, plain: &[String]) -> Result<String, BenchError> {
        let words: Vec<String> = plain.iter().map(|word| shell_quoted(word)).collect();
        let set: Vec<String> =
            target.env.iter().map(|(name, value)| format!("{name}={}", shell_quoted(value))).collect();
        let script = self.work.join(target.id.replace('@', "-"));
        let text = format!("#!/bin/sh\nexec {prefix}env {} {} \"$@\"\n", set.join(" "), words.join(" "));
        case::files::write(&script, &text)?;
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&script, mode).map_err(|error| FileError::unwritable(&script, error))?;
        Ok(script.display().to_string())
    }

    /// The time limit of a solver in whole seconds, as most tools take it.
    pub fn timeout_seconds(&self) -> u64 {
        self.timeout.as_secs().max(1)
    }
}

/// Copies the formulas that broke solvers before a release into a new folder, for tools that mine them.
fn copy_history(plan: &Plan, release: &str, name: &str, folder: &Path) -> Result<(), BenchError> {
    let history = plan.histories.get(release).ok_or_else(|| {
        let message = format!("{name} needs the formulas that broke solvers before the release");
        BenchError::choice(message, "name a folder of formulas with --bugs")
    })?;
    let unwritable = |error| FileError::unwritable(folder, error);
    std::fs::create_dir_all(folder).map_err(unwritable)?;
    for (number, file) in history.files.iter().enumerate() {
        std::fs::copy(file, folder.join(format!("{number:05}.smt2"))).map_err(unwritable)?;
    }
    Ok(())
}

/// The folder with packages from PyPI for a peer. They are installed once.
fn installed(plan: &Plan, name: &str, packages: &[&str]) -> Result<PathBuf, BenchError> {
    let home = plan.out.join("peers").join(name);
    let mark = home.join(INSTALLED);
    if !mark.is_file() {
        let line = format!(
            "python3 -m pip install --quiet --disable-pip-version-check --target {} {}",
            shell_quoted(&home.display().to_string()),
            packages.join(" ")
        );
        let limits = Limits { wall: PATIENCE, ..Limits::default() };
        let ended = UserCommand::plain(&line).run(&limits, &RunSettings::default())?;
        if ended.exit != Exit::Code(0) {
            let reason = format!("pip cannot install it: {}", case::text::one_line(&ended.stderr, 300));
            return Err(BenchError::Tool { contender: name.to_owned(), reason, folder: home });
        }
        case::files::write(&mark, "")?;
    }
    Ok(home)
}

/// The scripts below a folder that were written after the start.
fn scripts_of(folder: &Path, start: SystemTime) -> Vec<Reported> {
    let found = case::files::find_scripts(&[folder.to_owned()]).unwrap_or_default();
    let reported = |file: PathBuf| {
        let written = std::fs::metadata(&file).and_then(|data| data.modified()).ok()?;
        Some(Reported { file, after: written.duration_since(start).unwrap_or_default().as_secs_f64() })
    };
    found.into_iter().filter_map(reported).collect()
}
