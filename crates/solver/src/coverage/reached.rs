//! A set of places that were reached.

/// A set of places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    words: Vec<u64>,
}

impl Reached {
    /// The places whose bytes are not zero.
    pub fn from_bytes(bytes: &[u8]) -> Reached {
        let word = |chunk: &[u8]| {
            chunk.iter().enumerate().fold(0, |word, (at, &byte)| word | u64::from(byte != 0) << at)
        };
        Reached { words: bytes.chunks(64).map(word).collect() }
    }

    /// How many places.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether a place is among them.
    pub fn contains(&self, place: usize) -> bool {
        self.words.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    /// Adds a place.
    pub fn insert(&mut self, place: usize) {
        let word = place / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (place % 64);
    }

    /// Adds all places of another set; answers how many of them are new.
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

    /// The places in rising order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        })
    }

    /// The places that are in one of two sets only.
    pub fn apart(&self, other: &Reached) -> Reached {
        let longest = self.words.len().max(other.words.len());
        let word = |set: &Reached, at: usize| set.words.get(at).copied().unwrap_or(0);
        Reached { words: (0..longest).map(|at| word(self, at) ^ word(other, at)).collect() }
    }

    /// The places that are in both of two sets.
    pub fn common(&self, other: &Reached) -> Reached {
        Reached { words: self.words.iter().zip(&other.words).map(|(one, other)| one & other).collect() }
    }

    /// The places that are not in another set.
    pub fn without(&self, other: &Reached) -> Reached {
        let word = |at: usize| other.words.get(at).copied().unwrap_or(0);
        Reached { words: self.words.iter().enumerate().map(|(at, own)| own & !word(at)).collect() }
    }

    /// How many places are in one of two sets only.
    pub fn differences(&self, other: &Reached) -> usize {
        self.apart(other).count()
    }
}

#[cfg(test)]
mod tests {
    use super::Reached;

    #[test]
    fn sets_are_sets() {
        let mut bytes = vec![0; 130];
        for at in [0, 63, 64, 129] {
            bytes[at] = 1;
        }
        let mut set = Reached::from_bytes(&bytes);
        assert_eq!((set.count(), set.iter().collect::<Vec<_>>()), (4, vec![0, 63, 64, 129]));
        let mut other = Reached::default();
        other.insert(200);
        other.insert(63);
        assert_eq!(set.differences(&other), 4);
        assert_eq!(set.without(&other).iter().collect::<Vec<_>>(), [0, 64, 129]);
        assert_eq!(set.common(&other).iter().collect::<Vec<_>>(), [63]);
        assert_eq!((set.add(&other), set.add(&other)), (1, 0));
        assert!(set.contains(200) && !set.contains(201) && !set.contains(1));
    }
}
