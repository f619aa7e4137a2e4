//! A map from operators, whose numbers are dense: finding one is a look into a list.

use smt::Op;

/// What belongs to some operators of an arena.
#[derive(Clone, Debug)]
pub(super) struct OpMap<T> {
    /// By the operator's number, the slot in `entries`, plus one; zero for none.
    slots: Vec<u32>,
    entries: Vec<(Op, T)>,
}

impl<T> Default for OpMap<T> {
    fn default() -> OpMap<T> {
        OpMap { slots: Vec::new(), entries: Vec::new() }
    }
}

impl<T> OpMap<T> {
    #[inline]
    pub(super) fn get(&self, op: Op) -> Option<&T> {
        let slot = self.slots.get(op.index())?.checked_sub(1)?;
        self.entries.get(slot as usize).map(|(_, entry)| entry)
    }

    pub(super) fn insert(&mut self, op: Op, entry: T) {
        if self.slots.len() <= op.index() {
            self.slots.resize(op.index() + 1, 0);
        }
        match self.slots[op.index()] {
            0 => {
                self.entries.push((op, entry));
                self.slots[op.index()] = self.entries.len() as u32;
            }
            slot => self.entries[slot as usize - 1].1 = entry,
        }
    }

    pub(super) fn remove(&mut self, op: Op) {
        let Some(slot @ 1..) = self.slots.get(op.index()).copied() else { return };
        self.entries.swap_remove(slot as usize - 1);
        self.slots[op.index()] = 0;
        if let Some((moved, _)) = self.entries.get(slot as usize - 1) {
            self.slots[moved.index()] = slot;
        }
    }

    /// The operators that have something, in the order of their numbers.
    pub(super) fn keys(&self) -> impl Iterator<Item = Op> + '_ {
        let slots = self.slots.iter().filter_map(|slot| slot.checked_sub(1));
        slots.map(|slot| self.entries[slot as usize].0)
    }
}
