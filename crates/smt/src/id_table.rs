//! A hash table of ids in contiguous memory: a lookup touches one cache line and the data of the id it finds.

/// A set of ids. The owner knows what an id refers to and when two ids are equal.
///
/// The table uses linear probing. A slot holds the hash in its upper half and the id plus one in its lower half; zero marks an
/// empty slot. So only ids with equal hashes are compared, and growing never touches the data behind the ids.
#[derive(Clone, Default)]
pub(crate) struct IdTable {
    slots: Vec<u64>,
    len: usize,
}

/// The initial number of slots.
const SMALLEST: usize = 16;

impl IdTable {
    /// Finds the id with this hash for which `same` holds.
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

    /// Adds an id that is not in the table.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u32, id: u32) {
        if 4 * (self.len + 1) > 3 * self.slots.len() {
            self.grow(2 * self.slots.len());
        }
        self.len += 1;
        self.put(u64::from(hash) << 32 | u64::from(id + 1));
    }

    /// Reserves space for `more` ids.
    pub(crate) fn reserve(&mut self, more: usize) {
        let slots = (self.len + more) / 3 * 4;
        if slots > self.slots.len() {
            self.grow(slots);
        }
    }

    /// The slot at which the search for a hash starts, given by its upper bits.
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
    fn ids_are_found_despite_equal_hashes() {
        let names: Vec<u32> = (0..5000).map(|id| id * 7).collect();
        // Few distinct hashes, from both ends of the range: long runs that wrap around.
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
