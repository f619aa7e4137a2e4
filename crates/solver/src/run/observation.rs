//! What one solver did with one script.

use super::RunMode;
use super::classify::{Ending, Exit, Outcome, Raw, classify};
use super::responses::{Answer, Piece, PieceKind};
use super::script::Script;
use crate::profile::Profile;
use std::path::Path;
use std::time::Duration;

/// What one solver did with one script.
#[derive(Clone, Debug)]
pub struct Observation {
    /// What it came to.
    pub outcome: Outcome,
    /// The answers to the questions for satisfiability, in order; also those given before a crash.
    pub answers: Vec<Answer>,
    /// Models, values, cores and whatever else was printed on request.
    pub pieces: Vec<Piece>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// How the process ended.
    pub exit: Exit,
    /// From the start of the script to its end.
    pub wall: Duration,
    /// User and system time of the solver.
    pub cpu: Duration,
    /// The largest resident memory in bytes; of a warm process, since its start and as last looked at.
    pub peak_memory: Option<u64>,
    /// Whether output was cut off at the limit.
    pub truncated: bool,
    /// How many processes the solver had left behind.
    pub stragglers: u64,
    /// The time of solver processes that this run cost beside the run itself: the start of one that stays, its getting ready,
    /// its end, a second run that tells the stack of a crash.
    pub beside: Duration,
    /// The way in which the script was in fact run.
    pub mode: RunMode,
    /// Why another way was taken than the one asked for.
    pub fallback: Option<String>,
}

impl Observation {
    /// The answer to the last question.
    pub fn answer(&self) -> Option<Answer> {
        self.answers.last().copied()
    }

    /// The last model that was printed.
    pub fn model(&self) -> Option<&str> {
        self.piece(PieceKind::Model)
    }

    /// The last unsatisfiable core that was printed.
    pub fn core(&self) -> Option<&str> {
        self.piece(PieceKind::Core)
    }

    /// The last piece of a kind.
    pub fn piece(&self, kind: PieceKind) -> Option<&str> {
        self.pieces.iter().rfind(|piece| piece.kind == kind).map(|piece| piece.text.as_str())
    }

    /// The first question on which two runs of the same script contradict each other.
    pub fn contradicts(&self, other: &Observation) -> Option<usize> {
        self.answers.iter().zip(&other.answers).position(|(a, b)| a.contradicts(*b))
    }

    /// All the time of solver processes that this run cost.
    pub fn solving(&self) -> Duration {
        self.beside + self.wall
    }

    pub(super) fn because(mut self, reason: Option<&str>) -> Observation {
        self.fallback = reason.map(str::to_owned);
        self
    }
}

/// The measurements of a run, from which an observation is made.
pub(super) struct Measured {
    pub exit: Exit,
    pub ending: Ending,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub wall: Duration,
    pub cpu: Duration,
    pub peak_memory: Option<u64>,
    pub stragglers: u64,
}

impl Measured {
    /// Takes the path of the run's folder out of the output, since it differs from run to run.
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

    /// Judges the run of `script`, the text that the solver got, under a limit of `memory` bytes.
    pub fn observe(
        mut self,
        profile: &Profile,
        script: &Script<'_>,
        memory: u64,
        mode: RunMode,
    ) -> Observation {
        // A process that dies at the edge of its memory was refused some: that is no crash to report.
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
            stragglers: self.stragglers,
            beside: Duration::ZERO,
            mode,
            fallback: None,
        }
    }
}

/// Output as text; bytes that are none are replaced, since a solver may print anything.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
