//! Which cases a unit of work made: their number, and a sum that identifies the set of them.

use case::CaseIndex;

/// The cases that strategies made. The sum of two sets is that of their union if no case is in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MadeCases {
    /// How many.
    pub cases: u64,
    /// The sum of the hashes of their units, places and texts.
    pub digest: u64,
}

impl MadeCases {
    /// Counts a case of a unit. `text` is the hash of its text.
    pub fn count(&mut self, unit: u64, index: CaseIndex, text: u64) {
        let place = mixed(mixed(unit) ^ index.get() as u64);
        self.cases += 1;
        self.digest = self.digest.wrapping_add(mixed(place ^ text));
    }

    /// Adds other cases.
    pub fn add(&mut self, other: MadeCases) {
        self.cases += other.cases;
        self.digest = self.digest.wrapping_add(other.digest);
    }
}

/// Spreads the bits of a number over all bits, by the method of splitmix64.
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_depends_on_every_case_and_on_no_order() {
        let sum = |cases: &[(u64, usize, u64)]| {
            let mut made = MadeCases::default();
            cases.iter().for_each(|&(unit, index, text)| made.count(unit, CaseIndex(index), text));
            made
        };
        let both = sum(&[(1, 0, 7), (2, 1, 8)]);
        assert_eq!(both, sum(&[(2, 1, 8), (1, 0, 7)]));
        let mut added = sum(&[(1, 0, 7)]);
        added.add(sum(&[(2, 1, 8)]));
        assert_eq!(both, added);
        for other in [[(1, 1, 7), (2, 0, 8)], [(1, 0, 8), (2, 1, 7)], [(1, 0, 7), (3, 1, 8)]] {
            assert_ne!(both.digest, sum(&other).digest, "{other:?}");
        }
    }
}
