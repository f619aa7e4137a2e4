//! Questions that strategies ask solvers.

use case::Learned;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// A question about a seed that a strategy asks before it opens the seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedQuestion {
    /// The script to run.
    pub script: String,
    /// Whether the script is the seed itself. A wrong answer to it is then a wrong answer to the seed.
    pub is_seed: bool,
    /// Whether to ask for an unsat core instead of a model.
    pub core: bool,
    /// The profile names of the solvers that support every operator of the script; `None` for all.
    pub solvers: Option<BTreeSet<String>>,
    /// The theories of the script.
    pub theories: BTreeSet<String>,
}

/// A question that a strategy asks while it makes cases from a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveQuestion {
    /// Declarations and assertions that many questions share. A warm solver reads them once.
    pub prelude: Arc<str>,
    /// Assertions of this question alone. The check and the request for a model follow them.
    pub assertions: String,
    /// Selects the solver to ask first, among those that support the whole script.
    pub choice: u64,
    /// The solver's random seed.
    pub random_seed: u32,
    /// The profile names of the solvers that support every operator of the script; `None` for all.
    pub solvers: Option<BTreeSet<String>>,
    /// The theories of the script.
    pub theories: BTreeSet<String>,
}

/// A run of a program that prints scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratorRun {
    /// The command, for a shell.
    pub command: String,
    /// The random number of the run.
    pub number: u64,
    /// How long it may take, in seconds.
    pub seconds: u64,
    /// How much memory it may use, in MiB.
    pub megabytes: u64,
    /// How much it may print, in KiB.
    pub kilobytes: u64,
}

/// Puts the questions of a strategy to solvers.
pub trait Questioner {
    /// The answer to a question; `None` if no solver is available.
    fn ask(&mut self, question: &LiveQuestion) -> Option<Learned>;

    /// What a program printed, without text if the run failed; `None` if programs cannot be run here.
    fn generate(&mut self, _run: &GeneratorRun) -> Option<Learned> {
        None
    }

    /// Which of the `made` cases so far have shown a bug: their numbers, separated by spaces. `None` if none has, or if nobody
    /// keeps count.
    fn buggy_cases(&mut self, _made: u64) -> Option<Learned> {
        None
    }

    /// Reports that a script which a program printed cannot be used, and why.
    fn reject(&mut self, _problem: String) {}
}

/// Replays recorded answers in their order.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    answers: VecDeque<Learned>,
}

impl Recorded {
    /// Replays the answers of a dialogue.
    pub fn new(dialogue: &[Learned]) -> Recorded {
        Recorded { answers: dialogue.iter().cloned().collect() }
    }
}

impl Questioner for Recorded {
    fn ask(&mut self, _question: &LiveQuestion) -> Option<Learned> {
        self.answers.pop_front()
    }

    fn generate(&mut self, _run: &GeneratorRun) -> Option<Learned> {
        self.answers.pop_front()
    }

    /// The answer was recorded only if there was one, so it must be the one after as many cases.
    fn buggy_cases(&mut self, made: u64) -> Option<Learned> {
        if self.answers.front()?.question as u64 == made { self.answers.pop_front() } else { None }
    }
}
