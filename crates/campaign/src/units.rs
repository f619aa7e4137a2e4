//! Units of work, and where workers get them from.

use crate::budget::Source;
use crate::strategy_scores::TurnResult;
use case::{CaseIndex, SeedIndex, StrategyIndex};
use strategies::Strategy;

/// Turns double in length this many times.
const DOUBLINGS: u64 = 3;

/// A strategy without seeds makes this many times the usual number of cases in a turn: it has nothing to prepare for the next
/// seed.
const OWN_TURN: u64 = 8;

/// A unit of work: one strategy on one seed in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its number: the turn, times the number of strategies, plus the strategy.
    pub number: u64,
    /// The round over the seeds; for a strategy that needs none, the number of its earlier turns.
    pub round: u64,
    /// The seed; `None` for a strategy that needs none.
    pub seed: Option<SeedIndex>,
    /// The strategy.
    pub strategy: StrategyIndex,
    /// The first case to run; a resumed unit has run those before it.
    pub first_case: CaseIndex,
}

impl Unit {
    /// What the costs of its cases are recorded under.
    pub fn source(&self) -> Source {
        self.seed.map_or(Source::Strategy(self.strategy), Source::Seed)
    }

    /// How many cases its strategy makes, at most. At first many seeds get few cases each. Later turns are longer, since longer
    /// batches cost less. `budget` is the number of cases of a first turn.
    pub fn length(&self, strategy: &dyn Strategy, budget: u64) -> u64 {
        let growth = if self.seed.is_some() { 1 << self.round.min(DOUBLINGS) } else { OWN_TURN };
        strategy.cases_per_turn(budget.saturating_mul(growth))
    }
}

/// Whether a strategy works from seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedUse {
    /// It mutates the seeds of the pool, in as many rounds as there is time for.
    Pool,
    /// It uses each seed of the pool once.
    Once,
    /// It generates cases from a seed of its own.
    Own,
}

impl SeedUse {
    /// How a strategy uses seeds.
    pub fn of(strategy: &dyn Strategy) -> SeedUse {
        match strategy.own_seed() {
            Some(_) => SeedUse::Own,
            None if strategy.uses_seeds_once() => SeedUse::Once,
            None => SeedUse::Pool,
        }
    }
}

/// Numbers the units: which turn of which strategy each one is.
#[derive(Clone, Debug)]
pub struct UnitNumbers {
    /// The number of seeds.
    pub seeds: u64,
    /// How each strategy uses them.
    pub strategies: Vec<SeedUse>,
}

impl UnitNumbers {
    /// The units of these strategies.
    pub fn new(seeds: usize, strategies: Vec<SeedUse>) -> UnitNumbers {
        // Strategies without seeds take turns even if there are no seeds.
        let needs_seeds = strategies.iter().any(|seed_use| *seed_use != SeedUse::Own);
        let seeds = if needs_seeds { seeds } else { seeds.max(1) };
        UnitNumbers { seeds: seeds as u64, strategies }
    }

    /// The number of a turn of a strategy.
    pub fn number(&self, strategy: usize, turn: u64) -> u64 {
        turn * self.strategies.len() as u64 + strategy as u64
    }

    /// The strategy and the turn of a unit.
    pub fn turn(&self, number: u64) -> (usize, u64) {
        let strategies = self.strategies.len() as u64;
        ((number % strategies) as usize, number / strategies)
    }

    /// The unit with a number.
    pub fn unit(&self, number: u64, first_case: CaseIndex) -> Unit {
        let (strategy, turn) = self.turn(number);
        let (round, seed) = match self.strategies[strategy] {
            SeedUse::Pool | SeedUse::Once => {
                (turn / self.seeds, Some(SeedIndex((turn % self.seeds) as usize)))
            }
            SeedUse::Own => (turn, None),
        };
        Unit { number, round, seed, strategy: StrategyIndex(strategy), first_case }
    }
}

/// Where workers get units from.
pub trait UnitSource: Sync {
    /// The unit with a number.
    fn unit(&self, number: u64, first_case: CaseIndex) -> Unit;

    /// The next unit; `None` if there is nothing left to do.
    fn next(&self) -> Option<Unit>;

    /// Records what a unit took and brought, when its worker is done with it.
    fn finish(&self, unit: &Unit, result: &TurnResult);

    /// Records a new finding of a strategy.
    fn reward(&self, strategy: StrategyIndex, worth: f64);
}
