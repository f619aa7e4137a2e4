//! The seeds of a campaign: the built-in ones, or those in files and folders.

use solver::run::without_file_access;
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use strategies::Seed;

/// The built-in seeds: name and text.
const BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/seeds.rs"));

/// Larger files are not used: every mutant would be as large.
const LARGEST: u64 = 4 << 20;

/// Why a file is not used as a seed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unusable {
    /// It cannot be read.
    Unreadable(String),
    /// It is empty or only white space.
    Empty,
    /// It is not text.
    Binary,
    /// It is too large.
    TooLarge,
    /// It is neither a file nor a folder.
    Special,
    /// It has the same text as another seed.
    Duplicate,
    /// It may make a solver open a file, and not by a command that can be left out.
    OpensFile,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Unreadable(reason) => write!(f, "cannot be read: {reason}"),
            Unusable::Empty => f.write_str("is empty"),
            Unusable::Binary => f.write_str("is not text"),
            Unusable::TooLarge => write!(f, "is larger than {} MiB", LARGEST >> 20),
            Unusable::Special => f.write_str("is neither a file nor a folder"),
            Unusable::Duplicate => f.write_str("duplicates another seed"),
            Unusable::OpensFile => f.write_str("may make a solver open a file"),
        }
    }
}

/// The seeds of a campaign, sorted by hash: the same order on every machine, whatever the names of the files.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// The seeds.
    pub seeds: Vec<Seed>,
    /// Files that cannot be used, with the reason.
    pub unusable: Vec<(PathBuf, Unusable)>,
}

impl Pool {
    /// The built-in seeds.
    pub fn built_in() -> Pool {
        let mut pool = Pool::default();
        for (name, text) in BUILT_IN {
            pool.seeds.push(Seed::new(*name, *text));
        }
        pool.sorted()
    }

    /// The seeds in files and folders. In a folder only files with names in `.smt2` count; a file that is given itself counts
    /// whatever its name.
    pub fn read(paths: &[PathBuf]) -> Pool {
        let mut pool = Pool::default();
        let mut visited = BTreeSet::new();
        for path in paths {
            pool.visit(path, &mut visited);
        }
        pool.sorted()
    }

    fn visit(&mut self, path: &Path, visited: &mut BTreeSet<PathBuf>) {
        // Paths, and whether the user named them.
        let mut queue = vec![(path.to_owned(), true)];
        while let Some((path, named)) = queue.pop() {
            let data = match fs::metadata(&path) {
                Ok(data) => data,
                Err(error) => {
                    self.unusable.push((path, Unusable::Unreadable(error.to_string())));
                    continue;
                }
            };
            if data.is_dir() {
                // A link can lead back to a parent folder.
                let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
                if !visited.insert(real) {
                    continue;
                }
                match fs::read_dir(&path) {
                    Ok(entries) => {
                        queue.extend(entries.filter_map(|entry| Some((entry.ok()?.path(), false))));
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

    fn sorted(mut self) -> Pool {
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

    /// A number that changes with any of the seeds, these and those with the given hashes.
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
    match without_file_access(&text) {
        Some(text) => Ok(Seed::new(path.display().to_string(), text.into_owned())),
        None => Err(Unusable::OpensFile),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unusable_file_has_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("good.smt2"), "(check-sat)").unwrap();
        fs::write(path("same.smt2"), "(check-sat)").unwrap();
        fs::write(path("other.txt"), "(check-sat) ; not a seed by its name").unwrap();
        fs::write(path("empty.smt2"), " \n").unwrap();
        fs::write(path("binary.smt2"), [0u8, 159, 146, 150]).unwrap();
        fs::create_dir(path("folder.smt2")).unwrap();
        fs::write(path("folder.smt2").join("inner.smt2"), "(exit)").unwrap();
        std::os::unix::fs::symlink(folder.path(), path("loop")).unwrap();
        std::os::unix::fs::symlink(path("nowhere"), path("dangling.smt2")).unwrap();
        let pool = Pool::read(&[folder.path().to_owned(), path("absent.smt2")]);
        assert_eq!(pool.seeds.len(), 2);
        let reasons: Vec<String> = pool
            .unusable
            .iter()
            .map(|(path, why)| format!("{} {why}", path.file_name().unwrap().to_string_lossy()))
            .collect();
        let expected =
            ["absent.smt2 cannot be read", "binary.smt2 is not text", "dangling.smt2 cannot be read"];
        for (found, expected) in reasons.iter().zip(expected) {
            assert!(found.starts_with(expected), "{found}");
        }
        assert_eq!(reasons[3..], ["empty.smt2 is empty", "same.smt2 duplicates another seed"]);
    }

    #[test]
    fn seeds_do_not_open_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a.smt2"), "(set-option :regular-output-channel \"/x\")(echo \"y\")").unwrap();
        fs::write(path("b.smt2"), "(check-sat-using (using-params sat :drat.file x))").unwrap();
        let pool = Pool::read(&[folder.path().to_owned()]);
        assert_eq!(pool.seeds.len(), 1);
        assert_eq!(pool.seeds[0].text.trim(), "(echo \"y\")");
        assert_eq!(pool.unusable, [(path("b.smt2"), Unusable::OpensFile)]);
    }

    #[test]
    fn the_order_is_that_of_the_hashes() {
        let pool = Pool::built_in();
        assert!(pool.seeds.len() > 100 && pool.unusable.is_empty());
        assert!(pool.seeds.windows(2).all(|pair| pair[0].hash < pair[1].hash));
        let none = std::iter::empty;
        assert_ne!(pool.fingerprint_with(none()), Pool::default().fingerprint_with(none()));
        assert_ne!(pool.fingerprint_with(none()), pool.fingerprint_with(std::iter::once(1)));
    }
}
