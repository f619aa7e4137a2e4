//! Imports scripts as seeds: well-typed, without duplicates, named by their content.

use super::error::CorpusError;
use super::script::CorpusScript;
use crate::seeds::{Pool, Unusable};
use case::hash::fnv1a;
use case::parallel::in_parallel;
use case::table::counted;
use serde_json::{Value, json};
use smt::ErrorKind;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind as IoErrorKind, Write};
use std::path::{Path, PathBuf};

/// Why a script was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOut {
    /// The file cannot be a seed: it is not text, empty or too large.
    NotASeed,
    /// Our parser rejects it.
    Malformed,
    /// Our type checker rejects it: sorts do not match, or a name is not declared.
    IllTyped,
    /// It asks nothing.
    NoCheck,
    /// It is the same as another script, up to names and layout.
    Duplicate,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LeftOut::NotASeed => "not text, empty or too large",
            LeftOut::Malformed => "malformed",
            LeftOut::IllTyped => "ill-typed",
            LeftOut::NoCheck => "without a check",
            LeftOut::Duplicate => "the same as another, up to names and layout",
        })
    }
}

/// What became of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Imported {
    /// It was written to this file.
    Written(PathBuf),
    /// It was left out.
    LeftOut(LeftOut),
}

/// An import into a folder.
pub struct Import {
    folder: PathBuf,
    /// The normal forms that the folder has.
    forms: BTreeSet<u64>,
    /// How many scripts were written.
    pub written: usize,
    /// How many scripts were left out, by reason.
    pub left_out: BTreeMap<LeftOut, usize>,
}

/// Imports the scripts of files and folders into a folder. `progress` receives how many are done, and how many
/// there are.
pub fn import(
    sources: &[PathBuf],
    folder: &Path,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Import, CorpusError> {
    let pool = Pool::read(sources);
    let mut import = Import::into_folder(folder)?;
    let duplicates = pool.unusable.iter().filter(|(_, why)| *why == Unusable::Duplicate).count();
    import.reject(duplicates, LeftOut::Duplicate);
    import.reject(pool.unusable.len() - duplicates, LeftOut::NotASeed);
    let (mut done, mut failed) = (0, None);
    in_parallel(
        &pool.seeds,
        |seed| CorpusScript::new(&seed.text),
        |_, script| {
            done += 1;
            progress(done, pool.seeds.len());
            if failed.is_none() {
                failed = import.add(script).err();
            }
        },
    );
    failed.map_or(Ok(import), Err)
}

impl Import {
    /// The counts as JSON.
    pub fn json(&self) -> Value {
        let left_out = self.left_out.iter().map(|(why, count)| json!({ "why": why, "files": count }));
        json!({ "imported": self.written, "left_out": left_out.collect::<Vec<_>>() })
    }

    /// The counts as lines.
    pub fn text(&self) -> Vec<String> {
        let written = format!("Imported {} into {}", counted(self.written, "seed"), self.folder.display());
        let left_out = self.left_out.iter().map(|(why, count)| format!("Left out {count}: {why}"));
        std::iter::once(written).chain(left_out).collect()
    }

    /// Starts an import into a folder, which is made if necessary. What it has already counts as known.
    pub fn into_folder(folder: &Path) -> Result<Import, CorpusError> {
        fs::create_dir_all(folder).map_err(CorpusError::write(folder))?;
        let known = Pool::read(&[folder.to_owned()]).seeds;
        let forms =
            known.iter().filter_map(|seed| Some(CorpusScript::new(&seed.text).result.ok()?.normal_hash));
        let forms = forms.collect();
        Ok(Import { folder: folder.to_owned(), forms, written: 0, left_out: BTreeMap::new() })
    }

    /// Counts files that cannot be seeds.
    pub fn reject(&mut self, count: usize, why: LeftOut) {
        if count > 0 {
            *self.left_out.entry(why).or_default() += count;
        }
    }

    /// Imports a script.
    pub fn add(&mut self, script: CorpusScript) -> Result<Imported, CorpusError> {
        let seed = match script.result {
            Err(ErrorKind::Syntax) => Err(LeftOut::Malformed),
            Err(ErrorKind::Undeclared | ErrorKind::Sort) => Err(LeftOut::IllTyped),
            Ok(script) if script.checks == 0 => Err(LeftOut::NoCheck),
            Ok(script) if !self.forms.insert(script.normal_hash) => Err(LeftOut::Duplicate),
            Ok(script) => Ok(script.seed),
        };
        match seed {
            Ok(seed) => {
                let file = self.write(&seed)?;
                self.written += 1;
                Ok(Imported::Written(file))
            }
            Err(why) => {
                self.reject(1, why);
                Ok(Imported::LeftOut(why))
            }
        }
    }

    /// Writes a seed under a new name.
    fn write(&self, seed: &str) -> Result<PathBuf, CorpusError> {
        let hash = fnv1a(seed);
        let mut number = 1;
        loop {
            let more = if number == 1 { String::new() } else { format!("-{number}") };
            let path = self.folder.join(format!("{hash:016x}{more}.smt2"));
            let mut file = match OpenOptions::new().write(true).create_new(true).open(&path) {
                Err(error) if error.kind() == IoErrorKind::AlreadyExists => {
                    number += 1;
                    continue;
                }
                file => file.map_err(CorpusError::write(&path))?,
            };
            file.write_all(seed.as_bytes()).map_err(CorpusError::write(&path))?;
            return Ok(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_written_once_and_never_over_others() {
        let folder = tempfile::tempdir().unwrap();
        let good = "(declare-const x Int)(assert (> x 1))(check-sat)";
        let table = [
            (good, None),
            ("(declare-const z Int) ; the same\n(assert (> z 1)) (check-sat)", Some(LeftOut::Duplicate)),
            ("(assert (> 2 1))(check-sat)(exit)", None),
            ("(assert (> 2 1))", Some(LeftOut::NoCheck)),
            ("(assert (bvult #b1 true))(check-sat)", Some(LeftOut::IllTyped)),
            ("(assert (> 2 1)", Some(LeftOut::Malformed)),
        ];
        let mut import = Import::into_folder(folder.path()).unwrap();
        for (text, expected) in table {
            let found = match import.add(CorpusScript::new(text)).unwrap() {
                Imported::Written(_) => None,
                Imported::LeftOut(why) => Some(why),
            };
            assert_eq!(found, expected, "{text}");
        }
        assert_eq!((import.written, import.left_out.values().sum::<usize>()), (2, 4));
        // A second import finds everything there.
        let mut again = Import::into_folder(folder.path()).unwrap();
        assert_eq!(again.add(CorpusScript::new(good)).unwrap(), Imported::LeftOut(LeftOut::Duplicate));
        // A file under the same name keeps its content.
        let other = tempfile::tempdir().unwrap();
        let seed = CorpusScript::new(good).result.unwrap().seed;
        let taken = other.path().join(format!("{:016x}.smt2", fnv1a(&seed)));
        fs::write(&taken, "(exit)").unwrap();
        let mut import = Import::into_folder(other.path()).unwrap();
        let Imported::Written(file) = import.add(CorpusScript::new(good)).unwrap() else {
            panic!("left out")
        };
        assert!(file != taken && fs::read_to_string(&taken).unwrap() == "(exit)");
        assert_eq!(fs::read_to_string(file).unwrap(), seed);
    }
}
