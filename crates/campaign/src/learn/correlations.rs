//! What was learned: for each operation and option, in how many formulas with the operation the option made a difference that was
//! due to the operation.

use super::effects::Seen;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

/// Raised whenever files are written differently.
const FORMAT: u32 = 2;

/// An option correlates with an operation if it made a difference that was due to the operation to this share of the formulas with it,
const SHARE: f64 = 0.1;
/// and to so many of them.
const LEAST: u32 = 3;
/// The share of all formulas from which on an option is relevant to every formula.
const ALWAYS: f64 = 0.5;
/// After so many formulas, with so large a share of them, that is settled.
const ENOUGH: u64 = 12;
const NEARLY_ALL: f64 = 0.8;
/// As if an option had made no difference to so many formulas more, when its weight is taken.
const DOUBT: f64 = 2.0;
/// The least weight of an option that is general, or was never tried.
const SMALL: f64 = 0.1;
/// How likely an option is to do anything to the first formula.
const FIRST: f64 = 0.03;

/// How often an option made a difference, and how it showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Effects {
    /// The answer was another one.
    #[serde(skip_serializing_if = "is_zero")]
    pub answer: u32,
    /// Other functions were run.
    #[serde(skip_serializing_if = "is_zero")]
    pub coverage: u32,
    /// The time differed.
    #[serde(skip_serializing_if = "is_zero")]
    pub time: u32,
    /// The formula was refused: no difference, a conflict.
    #[serde(skip_serializing_if = "is_zero")]
    pub conflict: u32,
    /// How many functions were run that are not run without it, over all formulas.
    #[serde(skip_serializing_if = "is_zero")]
    pub reach: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Effects {
    /// How many formulas it made a difference to. Each is counted under one heading.
    pub fn total(&self) -> u32 {
        self.answer + self.coverage + self.time
    }

    fn add(&mut self, other: &Effects) {
        self.answer += other.answer;
        self.coverage += other.coverage;
        self.time += other.time;
        self.conflict += other.conflict;
        self.reach += other.reach;
    }

    /// How much a difference is worth: more if it opens much code, if less than in proportion, since much of that is soon known.
    fn worth(&self) -> f64 {
        (1.0 + f64::from(self.reach) / f64::from(self.total().max(1))).sqrt()
    }
}

/// What was learned about one release of one solver.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correlations {
    format: u32,
    /// The release, such as `z3@5.4.0`.
    pub solver: String,
    /// How many formulas were tried, each under every option.
    pub formulas: u64,
    /// How many runs that took.
    pub runs: u64,
    /// The options that were tried.
    pub options: BTreeSet<String>,
    /// In how many formulas each operation occurred and could be left out.
    pub operations: BTreeMap<String, u32>,
    /// The options that were found to make a difference to nearly all formulas, and were tried on no more of them.
    #[serde(default)]
    pub settled: BTreeSet<String>,
    /// The effects of each option over all formulas.
    pub overall: BTreeMap<String, Effects>,
    /// The effects that were due to an operation, by operation and option; what is not there had none.
    pub pairs: BTreeMap<String, BTreeMap<String, Effects>>,
}

/// Why a file of correlations cannot be used.
#[derive(Debug)]
pub enum CorrelationsError {
    /// It cannot be read or written.
    Io(PathBuf, std::io::Error),
    /// It holds something else.
    Invalid(PathBuf, String),
    /// It is about another release.
    Other {
        /// The release it is about.
        found: String,
        /// The release that was wanted.
        wanted: String,
    },
}

impl fmt::Display for CorrelationsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CorrelationsError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            CorrelationsError::Invalid(path, why) => {
                write!(f, "{} holds no correlations that this version reads: {why}", path.display())
            }
            CorrelationsError::Other { found, wanted } => {
                write!(f, "the correlations are about {found}, not about {wanted}")
            }
        }
    }
}

impl std::error::Error for CorrelationsError {}

impl Correlations {
    /// Nothing learned yet.
    pub fn new(solver: &str) -> Correlations {
        Correlations { format: FORMAT, solver: solver.to_owned(), ..Correlations::default() }
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Correlations, CorrelationsError> {
        let text =
            std::fs::read_to_string(path).map_err(|error| CorrelationsError::Io(path.to_owned(), error))?;
        let invalid = |why: String| CorrelationsError::Invalid(path.to_owned(), why);
        let read: Correlations = serde_json::from_str(&text).map_err(|error| invalid(error.to_string()))?;
        if read.format != FORMAT {
            return Err(invalid(format!("its format is {}", read.format)));
        }
        Ok(read)
    }

    /// Writes a file, aside first, so that there is a whole one at any time.
    pub fn write(&self, path: &Path) -> Result<(), CorrelationsError> {
        let failed = |error| CorrelationsError::Io(path.to_owned(), error);
        let text = serde_json::to_string(self).map_err(|error| failed(std::io::Error::other(error)))?;
        let aside = path.with_extension("part");
        std::fs::write(&aside, text).and_then(|()| std::fs::rename(&aside, path)).map_err(failed)
    }

    /// Takes in what was learned about the same release elsewhere.
    pub fn merge(&mut self, other: &Correlations) -> Result<(), CorrelationsError> {
        if self.solver != other.solver {
            let (found, wanted) = (other.solver.clone(), self.solver.clone());
            return Err(CorrelationsError::Other { found, wanted });
        }
        self.formulas += other.formulas;
        self.runs += other.runs;
        self.options.extend(other.options.iter().cloned());
        self.settled.extend(other.settled.iter().cloned());
        for (name, count) in &other.operations {
            *self.operations.entry(name.clone()).or_default() += count;
        }
        for (option, effects) in &other.overall {
            self.overall.entry(option.clone()).or_default().add(effects);
        }
        for (operation, options) in &other.pairs {
            let own = self.pairs.entry(operation.clone()).or_default();
            for (option, effects) in options {
                own.entry(option.clone()).or_default().add(effects);
            }
        }
        Ok(())
    }

    /// Notes what the options did to a formula.
    pub fn note(&mut self, seen: &Seen) {
        self.formulas += 1;
        for (option, effect) in &seen.effects {
            let overall = self.overall.entry(option.clone()).or_default();
            overall.add(effect);
            if self.formulas >= ENOUGH && f64::from(overall.total()) >= NEARLY_ALL * self.formulas as f64 {
                self.settled.insert(option.clone());
            }
        }
        for (operation, due) in &seen.due {
            *self.operations.entry(operation.clone()).or_default() += 1;
            let own = self.pairs.entry(operation.clone()).or_default();
            for option in due {
                if let Some(effect) = seen.effects.get(option) {
                    own.entry(option.clone()).or_default().add(effect);
                }
            }
        }
    }

    /// In how many formulas an option made a difference that was due to an operation.
    pub fn due(&self, operation: &str, option: &str) -> u32 {
        self.pairs.get(operation).and_then(|options| options.get(option)).map_or(0, Effects::total)
    }

    /// The probability that an option makes a difference that is due to an operation; nothing if none was tried.
    pub fn probability(&self, operation: &str, option: &str) -> Option<f64> {
        let tried = *self.operations.get(operation).filter(|tried| **tried > 0)?;
        Some(f64::from(self.due(operation, option)) / f64::from(tried))
    }

    /// The same for all other operations together.
    pub fn elsewhere(&self, operation: &str, option: &str) -> f64 {
        let others = self.operations.iter().filter(|(name, _)| *name != operation);
        let (mut due, mut tried) = (0, 0);
        for (name, count) in others {
            due += self.due(name, option);
            tried += count;
        }
        if tried == 0 { 0.0 } else { f64::from(due) / f64::from(tried) }
    }

    /// Whether an option correlates with an operation.
    pub fn correlate(&self, operation: &str, option: &str) -> bool {
        let share = self.probability(operation, option).unwrap_or(0.0);
        share >= SHARE && self.due(operation, option) >= LEAST
    }

    /// Whether an option makes a difference to most formulas, whatever their operations.
    pub fn is_general(&self, option: &str) -> bool {
        let total = self.overall.get(option).map_or(0, Effects::total);
        self.settled.contains(option)
            || self.formulas > 0 && f64::from(total) / self.formulas as f64 >= ALWAYS
    }

    /// Whether it is settled that an option makes a difference to nearly all formulas, so that it need not be tried any more.
    pub fn is_settled(&self, option: &str) -> bool {
        self.settled.contains(option)
    }

    /// How likely an option is to do anything to the next formula, by all formulas so far.
    pub fn chance(&self, option: &str) -> f64 {
        let overall = self.overall.get(option).copied().unwrap_or_default();
        let did = f64::from(overall.total() + overall.conflict);
        // As if it had done something to a small part of one formula before the first.
        ((did + FIRST) / (self.formulas as f64 + 1.0)).min(1.0)
    }

    /// How much an option promises for a formula with these operations: the probability that it makes a difference which is due to one
    /// of them, times what such a difference is worth. What rests on few formulas counts less. A general option does the same to every formula,
    /// so that little of it is new, and of one that was never tried nothing is known: both have a small weight. `still` says how much of that
    /// is still to be had, for an operation or for the option in itself.
    pub fn weight(
        &self,
        operations: &BTreeSet<String>,
        option: &str,
        still: impl Fn(Option<&str>) -> f64,
    ) -> f64 {
        let overall = self.overall.get(option).copied().unwrap_or_default();
        let small = !self.options.contains(option) || self.is_general(option);
        let least = if small { SMALL * overall.worth() * still(None) } else { 0.0 };
        let of = |operation: &String| {
            let effects = self.pairs.get(operation)?.get(option)?;
            let tried = f64::from(*self.operations.get(operation)?) + DOUBT;
            Some(f64::from(effects.total()) / tried * effects.worth() * still(Some(operation)))
        };
        operations.iter().filter_map(of).fold(least, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    /// A formula with operations, and the effect of an option that is due to one of them.
    fn seen(operations: &[&str], effect: Option<(&str, &str)>) -> Seen {
        let mut seen = Seen { effects: BTreeMap::new(), due: BTreeMap::new() };
        for name in operations {
            seen.due.insert((*name).to_owned(), Vec::new());
        }
        if let Some((operation, option)) = effect {
            seen.effects.insert(option.to_owned(), Effects { coverage: 1, ..Effects::default() });
            seen.due.insert(operation.to_owned(), vec![option.to_owned()]);
        }
        seen
    }

    /// Figure 4 of the paper, from ten formulas with each operation and more with the one that goes with all of them.
    fn example() -> Correlations {
        let mut learned = Correlations::new("z3@1");
        learned.options = set(&["elim_rem", "core.minimize", "blast_equality"]);
        for _ in 0..10 {
            for _ in 0..3 {
                learned.note(&seen(&["+", "<"], None));
            }
            learned.note(&seen(&["push", "<"], None));
            learned.note(&seen(&["get-unsat-core"], Some(("get-unsat-core", "core.minimize"))));
            learned.note(&seen(&["rem", "<"], Some(("rem", "elim_rem"))));
        }
        learned
    }

    #[test]
    fn the_example_of_the_paper() {
        let learned = example();
        let weight = |operations: &[&str], option: &str| learned.weight(&set(operations), option, |_| 1.0);
        let relevant = |operations: &[&str]| -> Vec<&String> {
            learned.options.iter().filter(|option| weight(operations, option) > 0.0).collect()
        };
        assert_eq!(relevant(&["<", "push", "get-unsat-core"]), ["core.minimize"]);
        assert_eq!(relevant(&["rem"]), ["elim_rem"]);
        assert_eq!(relevant(&["push"]), Vec::<&String>::new());
        assert_eq!(learned.probability("rem", "elim_rem"), Some(1.0));
        // It stood beside the operation that it was due to, and is not blamed for that.
        assert_eq!(learned.probability("<", "elim_rem"), Some(0.0));
        assert_eq!(learned.elsewhere("rem", "elim_rem"), 0.0);
        assert_eq!(learned.probability("never", "elim_rem"), None);
        // Ten formulas, and two for doubt.
        assert!((weight(&["rem", "push"], "elim_rem") - 10.0 / 12.0).abs() < 1e-9);
        assert_eq!(weight(&["push"], "an.option.never.tried"), SMALL);
    }

    #[test]
    fn files_are_written_read_and_merged_by_release() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("z3.json");
        let learned = example();
        learned.write(&file).unwrap();
        let mut again = Correlations::read(&file).unwrap();
        assert_eq!(again, learned);
        again.merge(&learned).unwrap();
        assert_eq!((again.formulas, again.operations["rem"]), (120, 20));
        assert_eq!(again.probability("rem", "elim_rem"), Some(1.0));
        assert!(again.merge(&Correlations::new("z3@2")).is_err());
        std::fs::write(&file, "{}").unwrap();
        assert!(Correlations::read(&file).is_err());
    }
}
