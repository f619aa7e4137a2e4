//! A small cache of warm processes, by what they were started with.

/// At most `size` values by key; the least recently used one is evicted.
pub(super) struct Pool<K, V> {
    /// The most recently used entry comes last.
    entries: Vec<(K, V)>,
    size: usize,
}

impl<K: PartialEq, V> Pool<K, V> {
    pub fn new(size: usize) -> Pool<K, V> {
        Pool { entries: Vec::new(), size }
    }

    /// Removes and returns the value under `key`.
    pub fn take(&mut self, key: &K) -> Option<V> {
        let index = self.entries.iter().rposition(|(known, _)| known == key)?;
        Some(self.entries.remove(index).1)
    }

    /// The most recently inserted value.
    pub fn last(&self) -> Option<&V> {
        self.entries.last().map(|(_, value)| value)
    }

    /// Inserts a value.
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
    fn the_least_recently_used_is_evicted() {
        let mut pool = Pool::new(2);
        pool.put("a", 1);
        pool.put("b", 2);
        let a = pool.take(&"a").unwrap();
        pool.put("a", a);
        pool.put("c", 3);
        assert_eq!((pool.take(&"b"), pool.take(&"a"), pool.take(&"c")), (None, Some(1), Some(3)));
    }
}
