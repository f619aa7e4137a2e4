//! A set of coverage points.

use super::CoveragePoint;

/// A set of coverage points that were reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    words: Vec<u64>,
}

impl Reached {
    /// The points whose bytes are not zero.
    pub fn from_bytes(bytes: &[u8]) -> Reached {
        let word = |chunk: &[u8]| {
            chunk.iter().enumerate().fold(0, |word, (at, &byte)| word | u64::from(byte != 0) << at)
        };
        Reached { words: bytes.chunks(64).map(word).collect() }
    }

    /// How many points.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether a point is in the set.
    pub fn contains(&self, point: CoveragePoint) -> bool {
        self.words.get(point.get() / 64).is_some_and(|word| word >> (point.get() % 64) & 1 == 1)
    }

    /// Adds a point.
    pub fn insert(&mut self, point: CoveragePoint) {
        let word = point.get() / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (point.get() % 64);
    }

    /// Adds all points of another set. Returns how many of them are new.
    pub fn add(&mut self, other: &Reached) -> usize {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut new = 0;
        for (own, &more) in self.words.iter_mut().zip(&other.words) {
            new += (more & !*own).count_ones() as usize;
            *own |= more;
        }
        new
    }

    /// The points in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = CoveragePoint> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| CoveragePoint(at * 64 + bit))
        })
    }

    /// The points that are in exactly one of two sets.
    pub fn symmetric_difference(&self, other: &Reached) -> Reached {
        let longest = self.words.len().max(other.words.len());
        let word = |set: &Reached, at: usize| set.words.get(at).copied().unwrap_or(0);
        Reached { words: (0..longest).map(|at| word(self, at) ^ word(other, at)).collect() }
    }

    /// The points that are in both of two sets.
    pub fn common(&self, other: &Reached) -> Reached {
        Reached { words: self.words.iter().zip(&other.words).map(|(one, other)| one & other).collect() }
    }

    /// The points that are not in another set.
    pub fn without(&self, other: &Reached) -> Reached {
        let word = |at: usize| other.words.get(at).copied().unwrap_or(0);
        Reached { words: self.words.iter().enumerate().map(|(at, own)| own & !word(at)).collect() }
    }

    /// How many points are in exactly one of two sets.
    pub fn differences(&self, other: &Reached) -> usize {
        self.symmetric_difference(other).count()
    }
}

#[cfg(test)]
mod tests {
    use super::{CoveragePoint, Reached};

    #[test]
    fn sets_have_their_points() {
        let points = |set: &Reached| set.iter().map(CoveragePoint::get).collect::<Vec<_>>();
        let mut bytes = vec![0; 130];
        for at in [0, 63, 64, 129] {
            bytes[at] = 1;
        }
        let mut set = Reached::from_bytes(&bytes);
        assert_eq!((set.count(), points(&set)), (4, vec![0, 63, 64, 129]));
        let mut other = Reached::default();
        other.insert(CoveragePoint(200));
        other.insert(CoveragePoint(63));
        assert_eq!(set.differences(&other), 4);
        assert_eq!(points(&set.without(&other)), [0, 64, 129]);
        assert_eq!(points(&set.common(&other)), [63]);
        assert_eq!((set.add(&other), set.add(&other)), (1, 0));
        let has = |point: usize| set.contains(CoveragePoint(point));
        assert!(has(200) && !has(201) && !has(1));
    }
}
