//! A block of turns that this process holds.

use crate::made_cases::MadeCases;
use std::collections::BTreeMap;
use store::shared::{Block, BlockProgress};

/// A block, and how far it is. Workers take its turns in order and finish them in any order; the common store learns how many at
/// the beginning of the block are done.
#[derive(Debug)]
pub struct HeldBlock {
    block: Block,
    /// The first turn that no worker has taken.
    next: u64,
    /// The first turn that is not done.
    done: u64,
    /// The cases of the turns before that.
    made: MadeCases,
    /// The turns after that which are done already.
    early: BTreeMap<u64, MadeCases>,
}

impl HeldBlock {
    /// A block that was just granted.
    pub fn new(block: Block) -> HeldBlock {
        let Block { first, .. } = block;
        HeldBlock { block, next: first, done: first, made: MadeCases::default(), early: BTreeMap::new() }
    }

    /// The block as it was granted.
    pub fn block(&self) -> Block {
        self.block
    }

    /// How many turns no worker has taken.
    pub fn left(&self) -> u64 {
        self.block.end.saturating_sub(self.next)
    }

    /// The next turn.
    pub fn take(&mut self) -> Option<u64> {
        let turn = self.next;
        (turn < self.block.end).then(|| {
            self.next += 1;
            turn
        })
    }

    /// Whether a turn of a strategy is one of its turns.
    pub fn has(&self, strategy: usize, turn: u64) -> bool {
        self.block.strategy == strategy && (self.block.first..self.block.end).contains(&turn)
    }

    /// Records the cases of a turn that is done.
    pub fn finish(&mut self, turn: u64, made: MadeCases) {
        if turn < self.done {
            return;
        }
        self.early.insert(turn, made);
        while let Some(made) = self.early.remove(&self.done) {
            self.made.add(made);
            self.done += 1;
        }
    }

    /// How far it is.
    pub fn progress(&self) -> BlockProgress {
        let MadeCases { cases, digest } = self.made;
        BlockProgress { block: self.block, done: self.done, cases, digest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_counts_what_is_done_without_a_gap() {
        let mut held = HeldBlock::new(Block { strategy: 1, first: 5, end: 8, grant: 3 });
        assert_eq!([held.take(), held.take(), held.take(), held.take()], [Some(5), Some(6), Some(7), None]);
        let made = |cases| MadeCases { cases, digest: cases * 10 };
        let steps = [(6, 5, 0), (5, 7, 11), (5, 7, 11), (7, 8, 18)];
        for (turn, done, cases) in steps {
            held.finish(turn, made(turn));
            let progress = held.progress();
            assert_eq!((progress.done, progress.cases, progress.digest), (done, cases, cases * 10), "{turn}");
        }
        assert!(held.has(1, 7) && !held.has(1, 8) && !held.has(0, 7));
    }
}
