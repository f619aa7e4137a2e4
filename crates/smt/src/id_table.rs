//! Ids by hash, in one flat run of memory, so that a look-up touches one line of it and then what the id names.

/// A set of ids. What an id stands for, and when two are the same, the owner knows.
///
/// Slots are probed one after the other. A slot holds the hash in its upper half and the id, plus one, in its lower; a zero
/// is an empty slot. So only ids whose whole hash agrees are ever compared, and growing needs no look at what they name.
#[derive(Clone, Default)]
pub(crate) struct IdTable {
    slots: Vec<u64>,
    len: usize,
}

/// The smallest number of slots.
const SMALLEST: usize = 16;

impl IdTable {
    /// The id with this hash for which `same` holds.
    #[inline]
    pub(crate) fn find(&self, hash: u32, same: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = self.home(hash);
        loop {
            let slot = self.slots[at & mask];
            let id = (slot as u32).checked_sub(1)?;
            if (slot >> 32) as u32 == hash && same(id) {
                return Some(id);
            }
            at += 1;
        }
    }

    /// Adds an id that is not there yet.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u32, id: u32) {
        if 4 * (self.len + 1) > 3 * self.slots.len() {
            self.grow(2 * self.slots.len());
        }
        self.len += 1;
        self.put(u64::from(hash) << 32 | u64::from(id + 1));
    }

    /// Makes room for so many more ids.
    pub(crate) fn reserve(&mut self, more: usize) {
        let slots = (self.len + more) / 3 * 4;
        if slots > self.slots.len() {
            self.grow(slots);
        }
    }

    /// Where the search for a hash begins: its upper bits.
    #[inline]
    fn home(&self, hash: u32) -> usize {
        (hash >> (32 - self.slots.len().trailing_zeros())) as usize
    }

    #[inline]
    fn put(&mut self, slot: u64) {
        let mask = self.slots.len() - 1;
        let mut at = self.home((slot >> 32) as u32);
        while self.slots[at & mask] != 0 {
            at += 1;
        }
        self.slots[at & mask] = slot;
    }

    #[cold]
    fn grow(&mut self, slots: usize) {
        let slots = slots.next_power_of_two().max(SMALLEST);
        let before = std::mem::replace(&mut self.slots, vec![0; slots]);
        for slot in before.into_iter().filter(|&slot| slot != 0) {
            self.put(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_by_hash_and_by_what_they_name() {
        let names: Vec<u32> = (0..5000).map(|id| id * 7).collect();
        // Few different hashes, from both ends of the range: long runs that go round the end.
        for spread in [1, 0x0100_0193, u32::MAX / 3, u32::MAX] {
            let hash = |name: u32| (name % 251).wrapping_mul(spread);
            let mut table = IdTable::default();
            table.reserve(100);
            for (id, &name) in names.iter().enumerate() {
                assert_eq!(table.find(hash(name), |id| names[id as usize] == name), None);
                table.insert(hash(name), id as u32);
            }
            for (id, &name) in names.iter().enumerate() {
                assert_eq!(table.find(hash(name), |id| names[id as usize] == name), Some(id as u32));
            }
            assert_eq!(table.find(hash(3), |id| names[id as usize] == 3), None);
        }
    }
}
