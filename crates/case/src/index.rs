//! Typed indices, so that the index of a solver cannot be mistaken for that of a seed.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! index_types {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub usize);

        impl $name {
            /// The index as a number.
            pub fn get(self) -> usize {
                self.0
            }

            /// All indices of a list of `len` items.
            pub fn all(len: usize) -> impl DoubleEndedIterator<Item = $name> + ExactSizeIterator {
                (0..len).map($name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

index_types! {
    /// A solver of a campaign.
    SolverIndex,
    /// A seed of a campaign.
    SeedIndex,
    /// A strategy of a campaign.
    StrategyIndex,
    /// A case of a strategy's turn on a seed.
    CaseIndex,
    /// One of the runs that an oracle judges together.
    WitnessIndex,
    /// One of the solvers that a predicate is about.
    ParticipantIndex,
}
