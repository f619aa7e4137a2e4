//! A map keyed by operators. Their indices are dense, so a lookup is an array access.

use smt::Op;

/// A map keyed by the operators of an arena.
#[derive(Clone, Debug)]
pub(super) struct OpMap<T> {
    /// By operator: one plus the position in `entries`, or zero.
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

    /// The operators in the map, in the order of their indices.
    pub(super) fn keys(&self) -> impl Iterator<Item = Op> + '_ {
        let slots = self.slots.iter().filter_map(|slot| slot.checked_sub(1));
        slots.map(|slot| self.entries[slot as usize].0)
    }
}
