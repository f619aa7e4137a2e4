//! Chains of mutations. The published tools follow a chain from each seed to its end. A turn of a campaign has room for a few cases
//! only, so it begins somewhere on a chain: half of the time at the seed itself, where most bugs are, else anywhere. Else small
//! seeds would soon have nothing new to offer.

use crate::random::Random;

/// How many mutations follow one another before the seed is taken up again.
const LENGTH: usize = 20;
/// How many attempts are made at one mutation.
const ATTEMPTS: usize = 100;

/// A formula that is mutated again and again.
pub(crate) trait Chain {
    /// Attempts a mutation; answers whether it was made.
    fn mutate(&mut self) -> bool;
    /// How many have been made since the seed.
    fn steps(&self) -> usize;
    /// Goes back to the seed; nothing if that cannot be read any more.
    fn restart(&mut self) -> Option<()>;
}

/// How many mutations a turn begins with before its first case.
pub(crate) fn head_start(random: &mut Random) -> usize {
    if random.chance(1, 2) { 0 } else { random.index(LENGTH) }
}

/// Makes the next mutation of a chain, after as many as it begins with; nothing if the seed allows none.
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
    // The chain may have come to a dead end; the seed itself may still have another way.
    if chain.steps() > 0 {
        chain.restart()?;
        return step(chain).then_some(());
    }
    None
}

fn step(chain: &mut impl Chain) -> bool {
    (0..ATTEMPTS).any(|_| chain.mutate())
}
