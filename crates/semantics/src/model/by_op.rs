//! A map from operators, whose numbers are dense: finding one is a look into a list.

use smt::Op;

/// What belongs to some operators of an arena.
#[derive(Clone, Debug)]
pub(super) struct ByOp<T> {
    /// By the operator's number, the place in `entries`, plus one; zero for none.
    places: Vec<u32>,
    entries: Vec<(Op, T)>,
}

impl<T> Default for ByOp<T> {
    fn default() -> ByOp<T> {
        ByOp { places: Vec::new(), entries: Vec::new() }
    }
}

impl<T> ByOp<T> {
    #[inline]
    pub(super) fn get(&self, op: Op) -> Option<&T> {
        let place = self.places.get(op.index())?.checked_sub(1)?;
        self.entries.get(place as usize).map(|(_, entry)| entry)
    }

    pub(super) fn insert(&mut self, op: Op, entry: T) {
        if self.places.len() <= op.index() {
            self.places.resize(op.index() + 1, 0);
        }
        match self.places[op.index()] {
            0 => {
                self.entries.push((op, entry));
                self.places[op.index()] = self.entries.len() as u32;
            }
            place => self.entries[place as usize - 1].1 = entry,
        }
    }

    pub(super) fn remove(&mut self, op: Op) {
        let Some(place @ 1..) = self.places.get(op.index()).copied() else { return };
        self.entries.swap_remove(place as usize - 1);
        self.places[op.index()] = 0;
        if let Some((moved, _)) = self.entries.get(place as usize - 1) {
            self.places[moved.index()] = place;
        }
    }

    /// The operators that have something, in the order of their numbers.
    pub(super) fn keys(&self) -> impl Iterator<Item = Op> + '_ {
        let places = self.places.iter().filter_map(|place| place.checked_sub(1));
        places.map(|place| self.entries[place as usize].0)
    }
}
