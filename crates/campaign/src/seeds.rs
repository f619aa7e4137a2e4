//! The seeds of a campaign: built in, or read from files and folders, of which some may be anything but scripts.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use strategies::Seed;

/// The seeds that come with the program: name and text.
const BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/seeds.rs"));

/// Larger files are no seeds: every mutant would be as large.
const LARGEST: u64 = 4 << 20;

/// Why a file is not used as a seed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unusable {
    /// It cannot be read.
    Unreadable(String),
    /// It is empty, or nothing but white space.
    Empty,
    /// It is no text.
    Binary,
    /// It is larger than a seed may be.
    TooLarge,
    /// It is neither a file nor a folder.
    Special,
    /// It holds the same text as another one.
    Duplicate,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Unreadable(reason) => write!(f, "cannot be read: {reason}"),
            Unusable::Empty => f.write_str("is empty"),
            Unusable::Binary => f.write_str("is not text"),
            Unusable::TooLarge => write!(f, "is larger than {} MiB", LARGEST >> 20),
            Unusable::Special => f.write_str("is neither a file nor a folder"),
            Unusable::Duplicate => f.write_str("repeats another seed"),
        }
    }
}

/// The seeds of a campaign, in the order of their hashes: the same on every machine, whatever the files are called.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// The seeds.
    pub seeds: Vec<Seed>,
    /// What was found and cannot be used, with the reason.
    pub unusable: Vec<(PathBuf, Unusable)>,
}

impl Pool {
    /// The built-in seeds.
    pub fn built_in() -> Pool {
        let mut pool = Pool::default();
        for (name, text) in BUILT_IN {
            pool.seeds.push(Seed::new(*name, *text));
        }
        pool.in_order()
    }

    /// The seeds in files and folders. In folders, files whose names end in `.smt2` are taken; a file that is named
    /// itself is taken whatever its name.
    pub fn read(paths: &[PathBuf]) -> Pool {
        let mut pool = Pool::default();
        let mut visited = BTreeSet::new();
        for path in paths {
            pool.visit(path, true, &mut visited);
        }
        pool.in_order()
    }

    fn visit(&mut self, path: &Path, named: bool, visited: &mut BTreeSet<PathBuf>) {
        let mut waiting = vec![(path.to_owned(), named)];
        while let Some((path, named)) = waiting.pop() {
            let data = match fs::metadata(&path) {
                Ok(data) => data,
                Err(error) => {
                    self.unusable.push((path, Unusable::Unreadable(error.to_string())));
                    continue;
                }
            };
            if data.is_dir() {
                // A link can lead back to where it stands.
                let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
                if !visited.insert(real) {
                    continue;
                }
                match fs::read_dir(&path) {
                    Ok(entries) => {
                        waiting.extend(entries.filter_map(|entry| Some((entry.ok()?.path(), false))));
                    }
                    Err(error) => self.unusable.push((path, Unusable::Unreadable(error.to_string()))),
                }
            } else if named || path.extension().is_some_and(|extension| extension == "smt2") {
                match read_seed(&path, &data) {
                    Ok(seed) => self.seeds.push(seed),
                    Err(why) => self.unusable.push((path, why)),
                }
            }
        }
    }

    fn in_order(mut self) -> Pool {
        self.seeds.sort_by(|a, b| (a.hash, &a.name).cmp(&(b.hash, &b.name)));
        let mut kept: Vec<Seed> = Vec::with_capacity(self.seeds.len());
        for seed in self.seeds {
            if kept.last().is_some_and(|last| last.hash == seed.hash) {
                self.unusable.push((seed.name.into(), Unusable::Duplicate));
            } else {
                kept.push(seed);
            }
        }
        self.unusable.sort();
        Pool { seeds: kept, unusable: self.unusable }
    }

    /// A number that changes when any seed does, of these or of those with the given hashes.
    pub fn fingerprint_with(&self, others: impl Iterator<Item = u64>) -> u64 {
        let hashes = self.seeds.iter().map(|seed| seed.hash).chain(others);
        hashes.fold(self.seeds.len() as u64, |all, hash| {
            (all ^ hash).wrapping_mul(0x0100_0000_01b3).rotate_left(7)
        })
    }
}

fn read_seed(path: &Path, data: &fs::Metadata) -> Result<Seed, Unusable> {
    if !data.is_file() {
        return Err(Unusable::Special);
    }
    if data.len() > LARGEST {
        return Err(Unusable::TooLarge);
    }
    let bytes = fs::read(path).map_err(|error| Unusable::Unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| Unusable::Binary)?;
    if text.contains('\0') {
        return Err(Unusable::Binary);
    }
    if text.trim().is_empty() {
        return Err(Unusable::Empty);
    }
    Ok(Seed::new(path.display().to_string(), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_file_has_its_own_message() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("good.smt2"), "(check-sat)").unwrap();
        fs::write(at("same.smt2"), "(check-sat)").unwrap();
        fs::write(at("other.txt"), "(check-sat) ; not a seed by its name").unwrap();
        fs::write(at("empty.smt2"), " \n").unwrap();
        fs::write(at("binary.smt2"), [0u8, 159, 146, 150]).unwrap();
        fs::create_dir(at("folder.smt2")).unwrap();
        fs::write(at("folder.smt2").join("inner.smt2"), "(exit)").unwrap();
        std::os::unix::fs::symlink(folder.path(), at("loop")).unwrap();
        std::os::unix::fs::symlink(at("nowhere"), at("dangling.smt2")).unwrap();
        let pool = Pool::read(&[folder.path().to_owned(), at("absent.smt2")]);
        assert_eq!(pool.seeds.len(), 2);
        let why: Vec<String> = pool
            .unusable
            .iter()
            .map(|(path, why)| format!("{} {why}", path.file_name().unwrap().to_string_lossy()))
            .collect();
        let expected =
            ["absent.smt2 cannot be read", "binary.smt2 is not text", "dangling.smt2 cannot be read"];
        for (found, expected) in why.iter().zip(expected) {
            assert!(found.starts_with(expected), "{found}");
        }
        assert_eq!(why[3..], ["empty.smt2 is empty", "same.smt2 repeats another seed"]);
    }

    #[test]
    fn the_order_does_not_depend_on_the_names() {
        let pool = Pool::built_in();
        assert!(pool.seeds.len() > 100 && pool.unusable.is_empty());
        assert!(pool.seeds.windows(2).all(|pair| pair[0].hash < pair[1].hash));
        let none = std::iter::empty;
        assert_ne!(pool.fingerprint_with(none()), Pool::default().fingerprint_with(none()));
        assert_ne!(pool.fingerprint_with(none()), pool.fingerprint_with(std::iter::once(1)));
    }
}
