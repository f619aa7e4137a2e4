//! What one solver did with one script.

use super::classify::{Ending, Raw, classify};
use super::responses::{Piece, PieceKind};
use super::script::Script;
use crate::profile::Profile;
use case::{Answer, Exit, Outcome, RunMode};
use std::path::Path;
use std::time::Duration;

/// What one solver did with one script.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The outcome.
    pub outcome: Outcome,
    /// The answers to the checks, in order, including those before a crash.
    pub answers: Vec<Answer>,
    /// Models, values, cores and other output on request.
    pub pieces: Vec<Piece>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// How the process ended.
    pub exit: Exit,
    /// Wall-clock time of the script.
    pub wall: Duration,
    /// User and system time of the solver.
    pub cpu: Duration,
    /// Peak resident memory in bytes. For a warm process, the last measurement of its peak since its start.
    pub peak_memory: Option<u64>,
    /// Whether the output was truncated at its limit.
    pub truncated: bool,
    /// The number of processes that outlived the solver.
    pub orphans: u64,
    /// Time of solver processes in addition to `wall`: the start, preparation and end of a warm process, and the second run
    /// for the stack of a crash.
    pub overhead: Duration,
    /// The mode in which the script was actually run.
    pub mode: RunMode,
    /// Why that is not the requested mode.
    pub fallback: Option<String>,
}

impl Observation {
    /// The answer to the last check.
    pub fn answer(&self) -> Option<Answer> {
        self.answers.last().copied()
    }

    /// The last model.
    pub fn model(&self) -> Option<&str> {
        self.piece(PieceKind::Model)
    }

    /// The last unsat core.
    pub fn core(&self) -> Option<&str> {
        self.piece(PieceKind::Core)
    }

    /// The last piece of a kind.
    pub fn piece(&self, kind: PieceKind) -> Option<&str> {
        self.pieces.iter().rfind(|piece| piece.kind == kind).map(|piece| piece.text.as_str())
    }

    /// The index of the first check on which two runs of the same script contradict each other.
    pub fn contradicts(&self, other: &Observation) -> Option<usize> {
        self.answers.iter().zip(&other.answers).position(|(a, b)| a.contradicts(*b))
    }

    /// The total time of solver processes for this run.
    pub fn solver_time(&self) -> Duration {
        self.overhead + self.wall
    }

    pub(super) fn with_fallback(mut self, reason: Option<&str>) -> Observation {
        self.fallback = reason.map(str::to_owned);
        self
    }
}

/// The measurements of a run.
pub(super) struct Measured {
    pub exit: Exit,
    pub ending: Ending,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub wall: Duration,
    pub cpu: Duration,
    pub peak_memory: Option<u64>,
    pub orphans: u64,
}

impl Measured {
    /// Removes the path of the working folder from the output, since it differs from run to run.
    pub fn without_folder(mut self, folder: &Path) -> Measured {
        let mut prefix = folder.as_os_str().as_encoded_bytes().to_vec();
        prefix.push(b'/');
        for output in [&mut self.stdout, &mut self.stderr] {
            while let Some(at) = output.windows(prefix.len()).position(|window| window == prefix) {
                output.drain(at..at + prefix.len());
            }
        }
        self
    }

    /// Classifies the run of `script` under a limit of `memory` bytes.
    pub fn observe(
        mut self,
        profile: &Profile,
        script: &Script<'_>,
        memory: u64,
        mode: RunMode,
    ) -> Observation {
        // A signal close to the memory limit comes from a failed allocation, which is not a crash to report.
        let near_limit = self.peak_memory.is_some_and(|peak| peak >= memory / 5 * 4);
        if near_limit && self.ending == Ending::Own && matches!(self.exit, Exit::Signal(_)) {
            self.ending = Ending::Memory;
        }
        let stdout = text(self.stdout);
        let stderr = text(self.stderr);
        let raw = Raw { exit: self.exit, ending: self.ending, stdout: &stdout, stderr: &stderr };
        let (outcome, sorted) = classify(profile, script, &raw);
        Observation {
            outcome,
            answers: sorted.answers,
            pieces: sorted.pieces,
            stdout,
            stderr,
            exit: self.exit,
            wall: self.wall,
            cpu: self.cpu,
            peak_memory: self.peak_memory,
            truncated: self.ending == Ending::Output,
            orphans: self.orphans,
            overhead: Duration::ZERO,
            mode,
            fallback: None,
        }
    }
}

/// Output as text. Invalid UTF-8 is replaced, since a solver may print anything.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
