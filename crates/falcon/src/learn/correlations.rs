//! The result of learning: for each operation and option, in how many formulas with the operation the option made a difference
//! that is due to the operation.

use super::effects::{Effects, Seen};
use case::Hinted;
use case::files::replaced;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The version of the file format.
const FORMAT: u32 = 2;

/// An option correlates with an operation if it makes a difference due to the operation in at least this share of the
/// formulas with the operation,
const SHARE: f64 = 0.1;
/// and in at least this many of them.
const LEAST: u32 = 3;
/// An option is general if it makes a difference to at least this share of all formulas.
const GENERAL: f64 = 0.5;
/// An option is settled after this many formulas if it makes a difference to at least this share of them.
const ENOUGH: u64 = 12;
const NEARLY_ALL: f64 = 0.8;
/// Weights assume this many further formulas without a difference.
const DOUBT: f64 = 2.0;
/// The smallest weight of an option that is general or was never tried.
const SMALL: f64 = 0.1;
/// The prior probability that an option has any effect on a formula.
const PRIOR: f64 = 0.03;

/// What comes with the program: solvers by their profile name, and what was learned about their newest release.
const BUILT_IN: [(&str, &str); 2] = [
    ("z3", include_str!("../../correlations/z3.json")),
    ("cvc5", include_str!("../../correlations/cvc5.json")),
];

/// What was learned about one release of a solver.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correlations {
    format: u32,
    /// The release, such as `z3@5.4.0`.
    pub solver: String,
    /// How many formulas were tried.
    pub formulas: u64,
    /// How many runs that took.
    pub runs: u64,
    /// The options that were tried.
    pub options: BTreeSet<String>,
    /// In how many formulas each operation occurred and could be removed.
    pub operations: BTreeMap<String, u32>,
    /// The options that make a difference to nearly all formulas and are not tried any more.
    #[serde(default)]
    pub settled: BTreeSet<String>,
    /// The effects of each option over all formulas.
    pub overall: BTreeMap<String, Effects>,
    /// The effects due to an operation, by operation and option; absent if there were none.
    pub pairs: BTreeMap<String, BTreeMap<String, Effects>>,
}

/// Why a correlations file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CorrelationsError {
    /// The file cannot be read or written.
    #[error("cannot access `{}`: {_1}", _0.display())]
    Io(PathBuf, std::io::Error),
    /// The file does not hold correlations.
    #[error("`{}` is not a correlations file of this version: {_1}", _0.display())]
    Invalid(PathBuf, String),
    /// The file is about another release.
    #[error("the correlations are for {found}, not for {wanted}")]
    Other {
        /// The release in the file.
        found: String,
        /// The requested release.
        wanted: String,
    },
    /// The file is about a solver that is not selected.
    #[error("`{}` is about {found}, which is not among the selected solvers ({})", file.display(), selected.join(", "))]
    NotSelected {
        /// The file.
        file: PathBuf,
        /// The release in the file.
        found: String,
        /// The selected solvers.
        selected: Vec<String>,
    },
}

impl Hinted for CorrelationsError {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            CorrelationsError::Io(..) => "check the path and its permissions",
            CorrelationsError::Invalid(..) => "learn again into a new file: elenchus learn --out FILE",
            CorrelationsError::Other { .. } => {
                "correlations hold for one release; use a separate file for the other"
            }
            CorrelationsError::NotSelected { .. } => {
                "learn about the release that you fuzz: elenchus learn --solver SOLVER"
            }
        };
        Some(hint.to_owned())
    }
}

impl Correlations {
    /// Empty correlations of a solver.
    pub fn new(solver: &str) -> Correlations {
        Correlations { format: FORMAT, solver: solver.to_owned(), ..Correlations::default() }
    }

    /// What comes with the program about a solver, by its profile name. It was learned about one release; in others it is about the
    /// options that they share.
    pub fn built_in(solver: &str) -> Option<Correlations> {
        let (_, text) = BUILT_IN.iter().find(|(name, _)| *name == solver)?;
        // A test reads them, so they cannot be malformed here.
        serde_json::from_str(text).ok()
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Correlations, CorrelationsError> {
        let text =
            std::fs::read_to_string(path).map_err(|error| CorrelationsError::Io(path.to_owned(), error))?;
        let invalid = |why: String| CorrelationsError::Invalid(path.to_owned(), why);
        let read: Correlations = serde_json::from_str(&text).map_err(|error| invalid(error.to_string()))?;
        if read.format != FORMAT {
            return Err(invalid(format!("its format version is {}, expected {FORMAT}", read.format)));
        }
        Ok(read)
    }

    /// Reads the file of a release, or starts with nothing if there is no such file.
    pub fn open(path: &Path, solver: &str) -> Result<Correlations, CorrelationsError> {
        if !path.exists() {
            return Ok(Correlations::new(solver));
        }
        let learned = Correlations::read(path)?;
        if learned.solver != solver {
            return Err(CorrelationsError::Other { found: learned.solver, wanted: solver.to_owned() });
        }
        Ok(learned)
    }

    /// Reads and merges files about one release; `None` if there are no files.
    pub fn read_all(paths: &[PathBuf]) -> Result<Option<Correlations>, CorrelationsError> {
        let mut all: Option<Correlations> = None;
        for path in paths {
            let read = Correlations::read(path)?;
            match &mut all {
                Some(all) => all.merge(&read)?,
                none => *none = Some(read),
            }
        }
        Ok(all)
    }

    /// Reads files about several releases: what they say about each of `solvers`.
    pub fn read_for(
        solvers: &[String],
        paths: &[PathBuf],
    ) -> Result<Vec<Option<Correlations>>, CorrelationsError> {
        let mut found: Vec<Option<Correlations>> = solvers.iter().map(|_| None).collect();
        for path in paths {
            let read = Correlations::read(path)?;
            let Some(solver) = solvers.iter().position(|solver| *solver == read.solver) else {
                let (file, found, selected) = (path.clone(), read.solver, solvers.to_vec());
                return Err(CorrelationsError::NotSelected { file, found, selected });
            };
            match &mut found[solver] {
                Some(known) => known.merge(&read)?,
                none => *none = Some(read),
            }
        }
        Ok(found)
    }

    /// Writes a file. The file is replaced atomically, so it is complete at any time.
    pub fn write(&self, path: &Path) -> Result<(), CorrelationsError> {
        let failed = |error| CorrelationsError::Io(path.to_owned(), error);
        let text = serde_json::to_string(self).map_err(|error| failed(std::io::Error::other(error)))?;
        replaced(path, &text).map_err(failed)
    }

    /// Adds what was learned about the same release elsewhere.
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

    /// Adds the effects of the options on a formula.
    pub fn add(&mut self, seen: &Seen) {
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

    /// In how many formulas an option made a difference due to an operation.
    pub fn due(&self, operation: &str, option: &str) -> u32 {
        self.pairs.get(operation).and_then(|options| options.get(option)).map_or(0, Effects::total)
    }

    /// The probability that an option makes a difference due to an operation; `None` if the operation was never tried.
    pub fn probability(&self, operation: &str, option: &str) -> Option<f64> {
        let tried = *self.operations.get(operation).filter(|tried| **tried > 0)?;
        Some(f64::from(self.due(operation, option)) / f64::from(tried))
    }

    /// The same probability over all other operations.
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
            || self.formulas > 0 && f64::from(total) / self.formulas as f64 >= GENERAL
    }

    /// Whether an option is known to make a difference to nearly all formulas, so that trying it again teaches nothing.
    pub fn is_settled(&self, option: &str) -> bool {
        self.settled.contains(option)
    }

    /// The probability that an option has any effect on the next formula.
    pub fn chance(&self, option: &str) -> f64 {
        let overall = self.overall.get(option).copied().unwrap_or_default();
        let affected = f64::from(overall.total() + overall.conflict);
        ((affected + PRIOR) / (self.formulas as f64 + 1.0)).min(1.0)
    }

    /// The weight of an option for a formula with these operations: the probability of a difference due to one of them, times
    /// the value of such a difference. Fewer formulas mean a lower weight. General options do the same to every formula, and
    /// nothing is known about untried ones, so both get a small weight. `reward` is the expected share of new code that is
    /// left, for an operation or for the option overall.
    pub fn weight(
        &self,
        operations: &BTreeSet<String>,
        option: &str,
        reward: impl Fn(Option<&str>) -> f64,
    ) -> f64 {
        let overall = self.overall.get(option).copied().unwrap_or_default();
        let small = !self.options.contains(option) || self.is_general(option);
        let least = if small { SMALL * overall.worth() * reward(None) } else { 0.0 };
        let of = |operation: &String| {
            let effects = self.pairs.get(operation)?.get(option)?;
            let tried = f64::from(*self.operations.get(operation)?) + DOUBT;
            Some(f64::from(effects.total()) / tried * effects.worth() * reward(Some(operation)))
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

    /// A formula with operations, and the effect of an option due to one of them.
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

    /// Figure 4 of the paper: ten formulas with each operation, and more with the one that occurs in most.
    fn example() -> Correlations {
        let mut learned = Correlations::new("z3@1");
        learned.options = set(&["elim_rem", "core.minimize", "blast_equality"]);
        for _ in 0..10 {
            for _ in 0..3 {
                learned.add(&seen(&["+", "<"], None));
            }
            learned.add(&seen(&["push", "<"], None));
            learned.add(&seen(&["get-unsat-core"], Some(("get-unsat-core", "core.minimize"))));
            learned.add(&seen(&["rem", "<"], Some(("rem", "elim_rem"))));
        }
        learned
    }

    #[test]
    fn what_comes_with_the_program_is_readable() {
        for (name, _) in BUILT_IN {
            let learned = Correlations::built_in(name).unwrap();
            assert_eq!(learned.format, FORMAT);
            assert!(learned.solver.starts_with(&format!("{name}@")), "{}", learned.solver);
            assert!(learned.formulas > 0 && !learned.pairs.is_empty(), "{name}");
        }
        assert!(Correlations::built_in("yices").is_none());
    }

    #[test]
    fn weights_follow_figure_4_of_the_paper() {
        let learned = example();
        let weight = |operations: &[&str], option: &str| learned.weight(&set(operations), option, |_| 1.0);
        let relevant = |operations: &[&str]| -> Vec<&String> {
            learned.options.iter().filter(|option| weight(operations, option) > 0.0).collect()
        };
        assert_eq!(relevant(&["<", "push", "get-unsat-core"]), ["core.minimize"]);
        assert_eq!(relevant(&["rem"]), ["elim_rem"]);
        assert_eq!(relevant(&["push"]), Vec::<&String>::new());
        assert_eq!(learned.probability("rem", "elim_rem"), Some(1.0));
        // `<` occurred in the same formulas but is not responsible.
        assert_eq!(learned.probability("<", "elim_rem"), Some(0.0));
        assert_eq!(learned.elsewhere("rem", "elim_rem"), 0.0);
        assert_eq!(learned.probability("never", "elim_rem"), None);
        // Ten formulas plus two for doubt.
        assert!((weight(&["rem", "push"], "elim_rem") - 10.0 / 12.0).abs() < 1e-9);
        assert_eq!(weight(&["push"], "an.option.never.tried"), SMALL);
    }

    #[test]
    fn files_of_one_release_round_trip_and_merge() {
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
