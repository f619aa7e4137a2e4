//! What a technique is to the rest: something that opens a seed and then makes cases from it, one after the other.

use crate::random::Random;
use case::Case;
pub use case::{Learned, Seed};
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::sync::Arc;

/// A question about a seed that a strategy wants answered before it opens it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedQuestion {
    /// The script to ask.
    pub script: String,
    /// Whether the script is the seed itself, so that a wrong answer to it is a wrong answer to the seed.
    pub is_seed: bool,
    /// What is wanted of a `sat` answer is the model, of an `unsat` answer the core.
    pub core: bool,
    /// The solvers that know every operator of the script, by profile name; `None` for all.
    pub solvers: Option<BTreeSet<String>>,
    /// The theories of the script.
    pub theories: BTreeSet<String>,
}

/// A question that comes up while a seed is under work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveQuestion {
    /// Declarations and assertions that many questions have in common: a warm solver is told them once.
    pub opening: Arc<str>,
    /// Assertions for this question alone. The answer and the model are asked for after them.
    pub question: String,
    /// Says which of the solvers that know all of it is asked first.
    pub choice: u64,
    /// The random seed of the solver.
    pub randomness: u32,
    /// The solvers that know every operator of the script, by profile name; `None` for all.
    pub solvers: Option<BTreeSet<String>>,
    /// The theories of the script.
    pub theories: BTreeSet<String>,
}

/// Who answers questions that come up while a seed is under work.
pub trait Questioner {
    /// The answer to a question; nothing if there is nobody to ask.
    fn ask(&mut self, enquiry: &LiveQuestion) -> Option<Learned>;
}

/// Answers that were given before, in their order.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    answers: VecDeque<Learned>,
}

impl Recorded {
    /// The answers of a dialogue.
    pub fn new(dialogue: &[Learned]) -> Recorded {
        Recorded { answers: dialogue.iter().cloned().collect() }
    }
}

impl Questioner for Recorded {
    fn ask(&mut self, _enquiry: &LiveQuestion) -> Option<Learned> {
        self.answers.pop_front()
    }
}

/// Why a strategy cannot work on a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit(pub String);

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A technique.
pub trait Strategy: Send + Sync {
    /// Its name, as `--strategy` takes it.
    fn name(&self) -> &str;

    /// The next question about a seed, given what has been learned from the questions before; nothing when enough is known.
    /// Each question is put to every solver of the campaign that knows the seed.
    fn inquire(&self, _seed: &Seed, _asked: usize) -> Option<SeedQuestion> {
        None
    }

    /// What it works from, if it needs no seed of the campaign: a seed of its own, whose text says all that its cases depend on
    /// beside the random numbers. Such a strategy takes as many turns as the others, each with numbers of its own.
    fn own_seed(&self) -> Option<Seed> {
        None
    }

    /// How many cases it makes in one turn, where the campaign gives `budget` to each strategy. One whose cases are small and build on
    /// each other may ask for more.
    fn turn(&self, budget: u64) -> u64 {
        budget
    }

    /// Tells it that a case of its making showed something wrong, new or known. It may favour what the case was made of; what it
    /// then works from stands in its own seed, so that its cases can still be made again.
    fn showed(&self, _case: &Case, _new: bool) {}

    /// Opens a seed. Everything that follows depends only on the seed, with what was learned about it, and the generator, so a
    /// case is replayed by opening the same seed with the same generator and asking for as many cases again.
    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unfit>;
}

/// A seed under way.
pub trait Mutator {
    /// The next case; nothing when the seed is exhausted. A mutator that asks questions gets no answer here.
    fn next_case(&mut self) -> Option<Case>;

    /// As [`Mutator::next_case`], with somebody to ask. The case depends on the answers and on nothing else beside.
    fn next_case_asking(&mut self, _enquirer: &mut dyn Questioner) -> Option<Case> {
        self.next_case()
    }
}
