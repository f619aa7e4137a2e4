//! Chains of mutations.
//!
//! The published tools follow a chain from each seed to its end. A turn of a campaign has room for only a few cases, and the next turn
//! continues the chain. When a seed is opened anew, its chain starts half of the time at the seed, where most bugs are, otherwise
//! anywhere. Small seeds would soon yield nothing new if every chain started at the seed.

use crate::kit::random::Random;

/// The number of mutations before a chain returns to the seed.
const LENGTH: usize = 20;
/// The number of attempts at one mutation.
const ATTEMPTS: usize = 100;

/// A formula that is mutated repeatedly.
pub(crate) trait Chain {
    /// Attempts a mutation; returns whether it succeeded.
    fn mutate(&mut self) -> bool;
    /// The number of mutations since the seed.
    fn steps(&self) -> usize;
    /// Returns to the seed; `None` if it can no longer be read.
    fn restart(&mut self) -> Option<()>;
}

/// The number of mutations before the first case of a turn.
pub(crate) fn head_start(random: &mut Random) -> usize {
    if random.chance(1, 2) { 0 } else { random.index(LENGTH) }
}

/// Makes the next mutation of a chain, after `head_start` others; `None` if the seed allows none.
pub(crate) fn advance(chain: &mut impl Chain, head_start: usize) -> Option<()> {
    if chain.steps() >= LENGTH {
        chain.restart()?;
    }
    for _ in 0..head_start {
        step(chain);
    }
    if step(chain) {
        return Some(());
    }
    // The chain may be at a dead end where the seed is not.
    if chain.steps() > 0 {
        chain.restart()?;
        return step(chain).then_some(());
    }
    None
}

fn step(chain: &mut impl Chain) -> bool {
    (0..ATTEMPTS).any(|_| chain.mutate())
}
