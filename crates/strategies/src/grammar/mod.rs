//! Formulas from scratch: a probabilistic grammar over the whole signature table.
//!
//! Draws a few operators, each of the table with the same chance, and a universe of sorts and names for them. Gives probabilities
//! to the operators that fit it (new ones every few formulas), and samples scripts: small assertions around the drawn operators,
//! quantifiers, definitions, `push` and `pop`, and requests for models, cores, assumptions and proofs.

mod dense;
mod enumerate;
mod focus;
mod hidden_model;
mod language;
mod operations;
mod rules;
mod script;
mod terms;
mod universe;
mod without;

pub use enumerate::Enumerate;
pub use operations::{COMMANDS, operations, operations_of};
pub use without::without;

use crate::api::{Mutator, RejectedBy, Strategy, Unsuitable};
use crate::kit::random::Random;
use case::{Case, Seed};
use language::Language;
use script::Wanted;
use smt::Signatures;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use universe::Subject;

/// The number of formulas per universe.
const FORMULAS: usize = 6;
/// The number of formulas that share one set of probabilities.
const GROUP: usize = 3;
/// A turn makes this many times the usual number of cases. They are small and quick to solve, and share the cost of the universe.
const TURN: u64 = 2;
/// How a line of the own seed starts that names a rejected operator: one that some solvers reject, and one that all do.
const RARELY: &str = "; rarely ";
const NEVER: &str = "; never ";
/// The number of attempts at a formula.
const ATTEMPTS: usize = 20;

/// Restrictions on the formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GrammarSettings {
    /// The operations that formulas may use, by name (see [`operations`]); all if empty. Declared constants, values, `=` and, for
    /// regular languages, `str.in_re` are always allowed.
    pub operations: Vec<String>,
    /// The solver that the formulas are for.
    pub solver: Option<String>,
}

/// The strategy `grammar`.
pub struct Grammar {
    signatures: Arc<Signatures>,
    settings: GrammarSettings,
    /// Operators that solvers of the campaign reject.
    rejected: Mutex<BTreeMap<String, RejectedBy>>,
}

impl Grammar {
    /// Samples formulas over these operators.
    pub fn new(signatures: Arc<Signatures>, settings: GrammarSettings) -> Self {
        Grammar { signatures, settings, rejected: Mutex::default() }
    }

    /// An endless sequence of formulas.
    pub fn formulas(&self, random: Random) -> Box<dyn Mutator> {
        self.formulas_without(Avoided::default(), random)
    }

    /// Like [`Grammar::formulas`], without some operators.
    fn formulas_without(&self, avoided: Avoided, random: Random) -> Box<dyn Mutator> {
        let (signatures, settings) = (self.signatures.clone(), self.settings.clone());
        Box::new(Sampler { signatures, settings, avoided, random, language: None, made: 0 })
    }
}

impl Strategy for Grammar {
    fn name(&self) -> &'static str {
        "grammar"
    }

    fn own_seed(&self) -> Option<Seed> {
        let GrammarSettings { operations, solver } = &self.settings;
        let mut text = format!("; {} {}", solver.as_deref().unwrap_or("all"), operations.join(" "));
        for (name, by) in self.rejected.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let prefix = if *by == RejectedBy::All { NEVER } else { RARELY };
            text.extend(["\n", prefix, name]);
        }
        Some(Seed::new("grammar", text))
    }

    fn cases_per_turn(&self, budget: u64) -> u64 {
        budget.saturating_mul(TURN)
    }

    fn operator_rejected(&self, name: &str, by: RejectedBy) {
        self.rejected.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), by);
    }

    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        let named = |prefix: &str| {
            let lines = seed.text.split('\n').filter_map(|line| line.strip_prefix(prefix));
            lines.map(str::to_owned).collect::<Vec<String>>()
        };
        let never = named(NEVER);
        let mostly = [never.clone(), named(RARELY)].concat();
        Ok(self.formulas_without(Avoided { never, mostly }, random))
    }
}

/// The operators that formulas do without.
#[derive(Default)]
struct Avoided {
    /// Those that no solver knows.
    never: Vec<String>,
    /// Those that some solver does not know.
    mostly: Vec<String>,
}

/// Samples formulas.
struct Sampler {
    signatures: Arc<Signatures>,
    settings: GrammarSettings,
    avoided: Avoided,
    random: Random,
    language: Option<Language>,
    /// The number of formulas made from the current language.
    made: usize,
}

impl Mutator for Sampler {
    fn next_case(&mut self) -> Option<Case> {
        (0..ATTEMPTS).find_map(|_| self.sample())
    }
}

impl Sampler {
    fn sample(&mut self) -> Option<Case> {
        if self.made >= FORMULAS {
            self.language = None;
        }
        let GrammarSettings { operations: names, solver } = &self.settings;
        let language = match &mut self.language {
            Some(language) => language,
            none => {
                let subject = if names.is_empty() {
                    let Avoided { never, mostly } = &self.avoided;
                    Subject::Focus { avoided: if self.random.chance(3, 4) { mostly } else { never } }
                } else {
                    Subject::Operators { names, solver: solver.as_deref() }
                };
                self.made = 0;
                none.insert(Language::draw(&self.signatures, &subject, &mut self.random)?)
            }
        };
        let wanted = if names.is_empty() {
            if self.made.is_multiple_of(GROUP) {
                if self.random.chance(3, 4) {
                    language.rules.level();
                } else {
                    language.rules.swarm(&mut self.random);
                }
            }
            Wanted::at_random(&mut self.random)
        } else {
            language.restrict(names);
            Wanted::only(names)
        };
        self.made += 1;
        language.formula(&wanted, names, &mut self.random)
    }
}
