//! HistFuzz: takes formulas that once broke a solver apart into skeletons and atoms, and recombines them, guided by which kinds
//! of atoms occurred together.
//!
//! Everything that can be computed in advance is mined once into a [`Library`]. An instance is then assembled from text, which
//! takes microseconds.

mod extract;
mod format;
mod index;
mod lenient;
mod library;
mod mine;
mod names;
mod populate;
mod rules;
mod settings;
mod skeleton;
pub mod stats;
mod write;

#[cfg(test)]
mod tests;

pub use format::FormatError;
pub use library::{Atom, Counted, Declaration, Library, MinedFormula, Needs, OptionSet, Origins, Rank};
pub use mine::{Miner, Source};
pub use rules::{Rule, RuleSettings, frequent_sets, rules};
pub use settings::{FromSeed, HistFuzzSettings, Variant};
pub use skeleton::{Part, Skeleton};

use crate::api::{Mutator, Strategy, Unsuitable};
use crate::kit::random::Random;
use case::{Case, Expectation, Seed, Step};
use index::{Chosen, Index};
use populate::Populator;
use settings::{MOST_WEIGHT, USUAL_WEIGHT, Weights, seed_text};
use smt::Signatures;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The library that comes with the program, mined from formulas of bug reports; `history/README.md` names their sources.
const BUILT_IN: &str = include_str!("../../history/library.txt");

/// The built-in library.
pub fn built_in() -> Arc<Library> {
    static LIBRARY: OnceLock<Arc<Library>> = OnceLock::new();
    // A test reads the file, so it cannot be malformed here.
    LIBRARY.get_or_init(|| Arc::new(Library::read(BUILT_IN).unwrap_or_default())).clone()
}

/// The library that HistFuzz works from, and how it uses it.
#[derive(Clone, Debug)]
pub struct History {
    /// The library.
    pub library: Arc<Library>,
    /// The file that the library was read from; empty for the built-in one.
    pub file: String,
    /// The settings.
    pub settings: HistFuzzSettings,
}

impl History {
    /// The built-in library with the default settings.
    pub fn built_in() -> History {
        History { library: built_in(), file: String::new(), settings: HistFuzzSettings::default() }
    }
}

/// The strategy `histfuzz`.
pub struct HistFuzz {
    name: String,
    index: Arc<Index>,
    settings: HistFuzzSettings,
    chosen: Arc<Chosen>,
    /// The file of the library; empty for the built-in one.
    file: String,
    weights: Mutex<Weights>,
}

impl HistFuzz {
    /// The strategy's name.
    pub const NAME: &'static str = "histfuzz";

    /// HistFuzz over these operators and this history.
    pub fn new(signatures: &Arc<Signatures>, history: History) -> HistFuzz {
        let History { library, file, settings } = history;
        let settings = settings.for_library(library.origins.formulas);
        let index = Arc::new(Index::new(signatures, library));
        let chosen = Arc::new(Chosen::new(&index, &settings));
        let name = HistFuzz::NAME.to_owned();
        HistFuzz { name, index, settings, chosen, file, weights: Mutex::default() }
    }

    /// The same with the name that states its settings.
    #[must_use]
    pub fn named(self, name: &str) -> HistFuzz {
        HistFuzz { name: name.to_owned(), ..self }
    }

    fn weights(&self) -> std::sync::MutexGuard<'_, Weights> {
        self.weights.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Strategy for HistFuzz {
    fn name(&self) -> &str {
        &self.name
    }

    fn own_seed(&self) -> Option<Seed> {
        let text = seed_text(&self.settings, self.index.fingerprint, &self.file, &self.weights());
        Some(Seed::new("history", text))
    }

    /// Raises the weight of the atoms of a case that showed a new bug, and lowers it if the bug is known.
    fn found_bug(&self, case: &Case, is_new: bool) {
        if !self.settings.weighted {
            return;
        }
        let mut weights = self.weights();
        for step in case.lineage.iter().filter(|step| step.action == ATOM) {
            let Ok(atom) = step.before.parse() else { continue };
            let weight = weights.entry(atom).or_insert(USUAL_WEIGHT);
            *weight = if is_new { (*weight * 2).min(MOST_WEIGHT) } else { (*weight - *weight / 4).max(1) };
        }
    }

    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        let (settings, weights) = match FromSeed::read(&seed.text) {
            Some(own) if own.library != self.index.fingerprint => {
                return Err(Unsuitable(format!(
                    "the case was made from another library: {}",
                    if own.file.is_empty() { "the built-in one of another version" } else { &own.file }
                )));
            }
            Some(own) => (own.settings, own.weights),
            None => (self.settings.clone(), Weights::new()),
        };
        let same = HistFuzzSettings { weighted: self.settings.weighted, ..settings.clone() } == self.settings;
        let chosen = if same { self.chosen.clone() } else { Arc::new(Chosen::new(&self.index, &settings)) };
        if chosen.skeletons.is_empty() {
            let what = match settings.variant {
                Variant::Normal => "skeletons of normal formulas: mine it with --normal",
                _ => "skeletons: mine it from formulas that parse",
            };
            return Err(Unsuitable(format!("the library has no {what}")));
        }
        let preferring = settings.preferring && !settings.solvers.is_empty();
        Ok(Box::new(Instances { index: self.index.clone(), chosen, settings, weights, preferring, random }))
    }
}

/// The action of a step that names an atom.
const ATOM: &str = "atom";

/// Makes instances.
struct Instances {
    index: Arc<Index>,
    chosen: Arc<Chosen>,
    settings: HistFuzzSettings,
    weights: Weights,
    preferring: bool,
    random: Random,
}

impl Mutator for Instances {
    fn next_case(&mut self) -> Option<Case> {
        let library = &self.index.library;
        let preferences = (self.preferring, self.settings.biased);
        let mut populator =
            Populator::new(&self.index, &self.chosen, &self.weights, preferences, &mut self.random);
        populator.fill();
        let instance = populator.instance;
        let options = if self.settings.options && self.random.chance(1, 8) {
            let offered: Vec<u32> = instance
                .atoms
                .iter()
                .flat_map(|&atom| library.atoms[atom as usize].options.iter().copied())
                .collect();
            self.random.pick(&offered).copied()
        } else {
            None
        };
        let script = write::write(&self.index, &instance, options, &mut self.random);
        let mut lineage = Vec::with_capacity(instance.skeletons.len() + instance.atoms.len());
        lineage.extend(instance.skeletons.iter().map(|&skeleton| Step {
            action: "skeleton".into(),
            before: String::new(),
            after: self.chosen.texts[skeleton as usize].clone(),
        }));
        lineage.extend(instance.atoms.iter().map(|&atom| Step {
            action: ATOM.into(),
            before: atom.to_string(),
            after: library.atoms[atom as usize].text.clone(),
        }));
        Some(Case {
            text: script.text,
            expectation: Expectation::Unknown,
            lineage,
            solvers: script.decision.solvers,
            theories: script.decision.theories,
        })
    }
}
