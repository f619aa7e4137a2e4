//! The traits of a technique: a [`Strategy`] opens a seed, a [`Mutator`] makes cases from it.

use super::option_search::OptionSearch;
use super::question::{Questioner, SeedQuestion};
use crate::kit::random::Random;
use case::{Case, Seed};
use std::fmt;

/// Why a strategy cannot work on a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsuitable(pub String);

impl fmt::Display for Unsuitable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which solvers of a campaign reject an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RejectedBy {
    /// At least one, but not all.
    Some,
    /// All of them.
    All,
}

/// The usual number of turns on a seed that continue each other. Then the strategy opens the seed anew, with more answers to its
/// questions.
pub(crate) const CONTINUED_TURNS: u64 = 4;

/// As many turns as a campaign may ever have.
pub(crate) const ALL_TURNS: u64 = 1_000_000;

/// A technique that makes cases.
pub trait Strategy: Send + Sync {
    /// Its name, as `--strategy` takes it.
    fn name(&self) -> &str;

    /// The question with this number about a seed; `None` when enough is known.
    ///
    /// The answers to earlier questions are in [`Seed::learned`]. Each question goes to every solver of the campaign that
    /// supports the seed.
    fn seed_question(&self, _seed: &Seed, _number: usize) -> Option<SeedQuestion> {
        None
    }

    /// The strategy's own seed, if it needs none of the campaign's.
    ///
    /// Its text states everything that the cases depend on, except the random numbers. Such a strategy gets as many turns as the
    /// others, each with different random numbers.
    fn own_seed(&self) -> Option<Seed> {
        None
    }

    /// How many cases it makes in one turn. The campaign grants `budget` to each strategy; a strategy with small cases that build
    /// on each other may return more.
    fn cases_per_turn(&self, budget: u64) -> u64 {
        budget
    }

    /// Whether it runs each seed as it is, once. Such a case is worth the full time limit, while other strategies make so many
    /// cases that those without an early answer do not matter.
    fn uses_seeds_once(&self) -> bool {
        false
    }

    /// How many turns on a seed continue each other, because cases build on earlier ones. 1 if every turn opens the seed anew.
    fn continued_turns(&self) -> u64 {
        1
    }

    /// Reports that one of its cases showed a bug, and whether the bug is new.
    ///
    /// The strategy may favour the parts of that case from now on. Its own seed then states so, which keeps its cases
    /// reproducible.
    fn found_bug(&self, _case: &Case, _is_new: bool) {}

    /// Reports that solvers of the campaign reject an operator.
    ///
    /// The strategy may use it less from now on. Its own seed then states so.
    fn operator_rejected(&self, _name: &str, _by: RejectedBy) {}

    /// How the options of solvers are varied for its cases; `None` if the campaign decides.
    fn option_search(&self) -> Option<&OptionSearch> {
        None
    }

    /// Opens a seed.
    ///
    /// The cases depend only on the seed, including what was learned about it, and on the generator. To replay a case, open the
    /// same seed with the same generator and make as many cases again.
    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unsuitable>;

    /// Like [`Strategy::open`], for a strategy whose cases follow from the number of the round instead of random numbers.
    fn open_round(&self, seed: &Seed, random: Random, _round: u64) -> Result<Box<dyn Mutator>, Unsuitable> {
        self.open(seed, random)
    }
}

/// Makes cases from one open seed.
pub trait Mutator {
    /// The next case; `None` when the seed is exhausted. Questions get no answer.
    fn next_case(&mut self) -> Option<Case>;

    /// Like [`Mutator::next_case`], with solvers to ask. The case then depends on the answers too, and on nothing else.
    fn next_case_with(&mut self, _questioner: &mut dyn Questioner) -> Option<Case> {
        self.next_case()
    }
}
