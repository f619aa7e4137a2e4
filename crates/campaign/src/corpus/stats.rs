//! What a corpus holds.

use super::script::CorpusScript;
use case::files::read_text;
use case::parallel::in_parallel;
use case::table::{align, counted, row};
use serde_json::{Value, json};
use smt::Signatures;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// How many of the most frequent are shown to people.
const SHOWN: usize = 12;

/// What a corpus holds. Scripts are added one by one.
#[derive(Clone, Debug, Default)]
pub struct CorpusStats {
    bytes: Vec<usize>,
    errors: BTreeMap<String, usize>,
    unreadable: usize,
    logics: BTreeMap<String, usize>,
    theories: BTreeMap<String, usize>,
    statuses: BTreeMap<String, usize>,
    operators: BTreeMap<String, usize>,
    incremental: usize,
    /// The files of each normal form.
    forms: BTreeMap<u64, Vec<String>>,
}

/// The sizes of scripts, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Sizes {
    /// The smallest.
    pub min: usize,
    /// The middle one.
    pub median: usize,
    /// The largest.
    pub max: usize,
}

impl CorpusStats {
    /// What scripts hold. `progress` receives how many were read, and how many there are.
    pub fn of_files(files: &[PathBuf], progress: &mut dyn FnMut(usize, usize)) -> CorpusStats {
        let mut stats = CorpusStats::default();
        let mut done = 0;
        in_parallel(
            files,
            |file| read_text(file).map(|text| CorpusScript::new(&text)),
            |file, script| {
                done += 1;
                progress(done, files.len());
                match script {
                    Ok(script) => stats.add(&file.display().to_string(), script),
                    Err(_) => stats.add_unreadable(),
                }
            },
        );
        stats
    }

    /// Adds a script.
    pub fn add(&mut self, name: &str, script: CorpusScript) {
        self.bytes.push(script.bytes);
        match script.result {
            Err(kind) => *self.errors.entry(format!("{kind:?}").to_lowercase()).or_default() += 1,
            Ok(script) => {
                let status = script.status.unwrap_or_else(|| "none".to_owned());
                *self.logics.entry(script.logic).or_default() += 1;
                *self.statuses.entry(status).or_default() += 1;
                script.theories.into_iter().for_each(|name| *self.theories.entry(name).or_default() += 1);
                script.operators.into_iter().for_each(|name| *self.operators.entry(name).or_default() += 1);
                self.incremental += usize::from(script.checks > 1);
                self.forms.entry(script.normal_hash).or_default().push(name.to_owned());
            }
        }
    }

    /// Adds a file that cannot be read.
    pub fn add_unreadable(&mut self) {
        self.unreadable += 1;
    }

    /// How many files there are.
    pub fn files(&self) -> usize {
        self.bytes.len() + self.unreadable
    }

    fn well_typed(&self) -> usize {
        self.bytes.len() - self.errors.values().sum::<usize>()
    }

    /// The sizes; `None` if there are no files.
    pub fn sizes(&self) -> Option<Sizes> {
        let mut sorted = self.bytes.clone();
        sorted.sort_unstable();
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        Some(Sizes { min, median: sorted[sorted.len() / 2], max })
    }

    /// The groups of files that are the same up to names and layout.
    fn duplicates(&self) -> Vec<&Vec<String>> {
        self.forms.values().filter(|files| files.len() > 1).collect()
    }

    /// The operators of the table that no script uses.
    fn unused(&self) -> BTreeSet<String> {
        let signatures = Signatures::standard();
        let names = signatures.declarations.iter().filter(|declaration| !declaration.removed);
        let names = names.map(|declaration| signatures.name(declaration.name).to_owned());
        names.filter(|name| !self.operators.contains_key(name)).collect()
    }

    /// The statistics for programs.
    pub fn json(&self) -> Value {
        json!({
            "files": self.files(),
            "bytes": self.bytes.iter().sum::<usize>(),
            "well_typed": self.well_typed(),
            "errors": self.errors,
            "unreadable": self.unreadable,
            "sizes": self.sizes(),
            "incremental": self.incremental,
            "logics": self.logics,
            "theories": self.theories,
            "statuses": self.statuses,
            "operators": self.operators,
            "unused_operators": self.unused(),
            "duplicates": self.duplicates(),
        })
    }

    /// The statistics for people.
    pub fn text(&self) -> Vec<String> {
        let bytes: usize = self.bytes.iter().sum();
        let mut lines = vec![format!(
            "{}, {:.1} MB: {} well-typed, {} with errors{}",
            counted(self.files(), "file"),
            bytes as f64 / 1e6,
            self.well_typed(),
            self.errors.values().sum::<usize>(),
            if self.unreadable > 0 { format!(", {} unreadable", self.unreadable) } else { String::new() }
        )];
        let (unused, duplicates) = (self.unused(), self.duplicates());
        let spare: usize = duplicates.iter().map(|files| files.len() - 1).sum();
        let size = self.sizes().map(|Sizes { min, median, max }| {
            format!("smallest {min} B, median {median} B, largest {max} B")
        });
        let rows = [
            ("errors", frequent(&self.errors)),
            ("size", size.unwrap_or_default()),
            ("logics", frequent(&self.logics)),
            ("theories", frequent(&self.theories)),
            ("status", frequent(&self.statuses)),
            ("several checks", self.incremental.to_string()),
            ("duplicates", format!("{spare} (same up to names and layout as another)")),
            ("operators", format!("{} used: {}", self.operators.len(), frequent(&self.operators))),
            ("not used", format!("{}: {}", unused.len(), some(&unused))),
        ];
        let rows: Vec<Vec<String>> =
            rows.iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| row([name, text])).collect();
        lines.extend(align(&rows).into_iter().map(|line| format!("  {line}")));
        lines
    }
}

/// The most frequent, with their numbers.
fn frequent(counts: &BTreeMap<String, usize>) -> String {
    let mut sorted: Vec<(&String, &usize)> = counts.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let mut words: Vec<String> =
        sorted.iter().take(SHOWN).map(|(name, count)| format!("{name} {count}")).collect();
    if sorted.len() > SHOWN {
        words.push(format!("{} more", sorted.len() - SHOWN));
    }
    words.join(", ")
}

/// The first few names.
fn some(names: &BTreeSet<String>) -> String {
    let mut words: Vec<String> = names.iter().take(SHOWN).cloned().collect();
    if names.len() > SHOWN {
        words.push(format!("{} more", names.len() - SHOWN));
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_counted_by_what_they_use() {
        let mut stats = CorpusStats::default();
        let scripts = [
            "(declare-const x Int)(assert (> x 1))(check-sat)",
            "(declare-const y Int) (assert (> y 1)) (check-sat)",
            "(set-info :status unsat)(set-logic QF_BV)(assert (bvult #b0 #b0))(check-sat)(check-sat)",
            "(assert 1)",
        ];
        scripts.iter().enumerate().for_each(|(at, text)| stats.add(&at.to_string(), CorpusScript::new(text)));
        stats.add_unreadable();
        let json = stats.json();
        assert_eq!(
            (&json["files"], &json["well_typed"], &json["unreadable"]),
            (&5.into(), &3.into(), &1.into())
        );
        assert_eq!(json["errors"], json!({"sort": 1}));
        assert_eq!(json["logics"], json!({"QF_BV": 1, "QF_IDL": 2}));
        assert_eq!(json["statuses"], json!({"none": 2, "unsat": 1}));
        assert_eq!(json["duplicates"], json!([["0", "1"]]));
        assert_eq!(json["operators"], json!({">": 2, "bvult": 1}));
        assert_eq!(json["incremental"], 1);
        assert_eq!(stats.sizes(), Some(Sizes { min: 10, median: 50, max: 87 }));
        let unused = json["unused_operators"].as_array().unwrap();
        assert!(unused.contains(&json!("bvadd")) && !unused.contains(&json!("bvult")));
        assert!(stats.text()[0].starts_with("5 files, 0.0 MB: 3 well-typed, 1 with errors, 1 unreadable"));
    }
}
