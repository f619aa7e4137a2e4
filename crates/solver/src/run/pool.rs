//! A few warm processes, kept apart by what they were started with.

/// At most `size` values, each under its key. The one that was not used for the longest time gives way.
pub(super) struct Pool<K, V> {
    /// The last used one comes last.
    entries: Vec<(K, V)>,
    size: usize,
}

impl<K: PartialEq, V> Pool<K, V> {
    pub fn new(size: usize) -> Pool<K, V> {
        Pool { entries: Vec::new(), size }
    }

    /// Takes out the value under `key`.
    pub fn take(&mut self, key: &K) -> Option<V> {
        let place = self.entries.iter().rposition(|(known, _)| known == key)?;
        Some(self.entries.remove(place).1)
    }

    /// The value that was put in, or back, last.
    pub fn last(&self) -> Option<&V> {
        self.entries.last().map(|(_, value)| value)
    }

    /// Puts a value in, or back.
    pub fn put(&mut self, key: K, value: V) {
        if self.entries.len() >= self.size {
            self.entries.remove(0);
        }
        self.entries.push((key, value));
    }
}

#[cfg(test)]
mod tests {
    use super::Pool;

    #[test]
    fn the_least_used_gives_way() {
        let mut pool = Pool::new(2);
        pool.put("a", 1);
        pool.put("b", 2);
        let a = pool.take(&"a").unwrap();
        pool.put("a", a);
        pool.put("c", 3);
        assert_eq!((pool.take(&"b"), pool.take(&"a"), pool.take(&"c")), (None, Some(1), Some(3)));
    }
}
