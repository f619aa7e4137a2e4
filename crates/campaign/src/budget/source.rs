//! Where a case comes from, as far as its cost is concerned.

use case::{SeedIndex, StrategyIndex};

/// What the costs of similar cases are recorded under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// The cases of a seed, whatever strategy made them.
    Seed(SeedIndex),
    /// The cases of a strategy that needs no seed.
    Strategy(StrategyIndex),
}
