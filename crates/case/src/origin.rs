//! Where a case came from.

use serde::{Deserialize, Serialize};

/// What generates a case again, with the same bytes on every machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Origin {
    /// The campaign's own seed number.
    pub campaign_seed: u64,
    /// The strategy's name.
    pub strategy: String,
    /// The hash of the seed script, in hexadecimal.
    pub seed_hash: String,
    /// The round over the seeds.
    pub round: u64,
    /// The number of the case in the strategy's turn on this seed, from 0.
    pub index: u64,
}
