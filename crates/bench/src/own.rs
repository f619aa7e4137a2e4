//! Runs `elenchus fuzz`.

use crate::error::BenchError;
use case::files::read_text;
use case::text::shell_quoted;
use serde_json::Value;
use solver::run::{Limits, RunSettings, UserCommand};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a campaign may go on after its time.
const GRACE: Duration = Duration::from_secs(240);
/// The memory of a campaign and its solvers.
pub const MEMORY: u64 = 16 << 30;
/// The size of a file that a tool writes.
pub const FILE: u64 = 8 << 30;
/// What is kept of a tool's output.
pub const OUTPUT: u64 = 64 << 20;

/// A campaign of one worker.
pub struct FuzzCommand<'a> {
    /// The program.
    pub program: &'a Path,
    /// The seeds.
    pub seeds: &'a [PathBuf],
    /// The release.
    pub release: &'a str,
    /// The solver beside it.
    pub other: &'a str,
    /// How long it runs.
    pub time: Duration,
    /// The time limit of a solver.
    pub timeout: Duration,
    /// The random number.
    pub seed: u64,
    /// The folder of the campaign.
    pub out: &'a Path,
    /// The library for histfuzz.
    pub history: Option<&'a Path>,
    /// Further arguments.
    pub flags: &'a [String],
}

impl FuzzCommand<'_> {
    /// Its words.
    pub fn words(&self) -> Vec<String> {
        let mut words = vec![self.program.display().to_string(), "fuzz".to_owned()];
        words.extend(self.seeds.iter().map(|seed| seed.display().to_string()));
        let mut set = |flag: &str, value: String| words.extend([flag.to_owned(), value]);
        set("--solver", self.release.to_owned());
        set("--solver", self.other.to_owned());
        set("--time", format!("{}s", self.time.as_secs()));
        set("--jobs", "1".to_owned());
        set("--seed", self.seed.to_string());
        set("--out", self.out.display().to_string());
        if let Some(library) = self.history {
            set("--history", library.display().to_string());
        }
        if !self.flags.iter().any(|flag| flag == "--timeout") {
            set("--timeout", format!("{}ms", self.timeout.as_millis()));
        }
        words.extend(self.flags.iter().cloned());
        words
    }

    /// It as people type it.
    pub fn text(&self) -> String {
        self.words().iter().map(|word| shell_quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

/// Runs a campaign, with its output in `work`. Returns its summary.
pub fn run_fuzz(contender: &str, command: &FuzzCommand<'_>, work: &Path) -> Result<Value, BenchError> {
    let (summary, errors) = (work.join("summary.json"), work.join("errors.txt"));
    let quoted = |path: &Path| shell_quoted(&path.display().to_string());
    let line = format!(
        "cd {} && {} --json 2> {} | tail -n 1 > {}",
        quoted(work),
        command.text(),
        quoted(&errors),
        quoted(&summary)
    );
    let limits = Limits {
        wall: command.time + GRACE,
        memory: MEMORY,
        output: OUTPUT,
        file: FILE,
        ..Limits::default()
    };
    let ended = UserCommand::plain(&line).run(&limits, &RunSettings::default())?;
    let last: Value = serde_json::from_str(&read_text(&summary)?).unwrap_or_default();
    if last["event"] != "summary" {
        let said = read_text(&errors).unwrap_or_default();
        let reason = match said.trim() {
            "" => format!("its last line is no summary ({:?})", ended.ending),
            said => case::text::one_line(said, 300),
        };
        return Err(BenchError::Tool { contender: contender.to_owned(), reason, folder: work.to_owned() });
    }
    Ok(last)
}
