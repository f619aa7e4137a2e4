//! Formulas from scratch: a probabilistic grammar over the whole signature table.
//!
//! Draws a universe of sorts and names, gives probabilities to the operators that fit it (new ones every few formulas), and
//! samples scripts: assertions, quantifiers, definitions, `push` and `pop`, and requests for models, cores, assumptions and
//! proofs.

mod enumerate;
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

use crate::api::{Mutator, Strategy, Unsuitable};
use crate::kit::random::Random;
use case::{Case, Seed};
use language::Language;
use script::Wanted;
use smt::Signatures;
use std::sync::Arc;
use universe::Subject;

/// The number of formulas per universe.
const FORMULAS: usize = 24;
/// The number of formulas that share one set of probabilities.
const GROUP: usize = 4;
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
}

impl Grammar {
    /// Samples formulas over these operators.
    pub fn new(signatures: Arc<Signatures>, settings: GrammarSettings) -> Self {
        Grammar { signatures, settings }
    }

    /// An endless sequence of formulas.
    pub fn formulas(&self, random: Random) -> Box<dyn Mutator> {
        let (signatures, settings) = (self.signatures.clone(), self.settings.clone());
        Box::new(Sampler { signatures, settings, random, language: None, made: 0 })
    }
}

impl Strategy for Grammar {
    fn name(&self) -> &'static str {
        "grammar"
    }

    fn own_seed(&self) -> Option<Seed> {
        let GrammarSettings { operations, solver } = &self.settings;
        Some(Seed::new(
            "grammar",
            format!("; {} {}", solver.as_deref().unwrap_or("all"), operations.join(" ")),
        ))
    }

    fn open(&self, _: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        Ok(self.formulas(random))
    }
}

/// Samples formulas.
struct Sampler {
    signatures: Arc<Signatures>,
    settings: GrammarSettings,
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
                    Subject::Any
                } else {
                    Subject::Operators { names, solver: solver.as_deref() }
                };
                self.made = 0;
                none.insert(Language::draw(&self.signatures, &subject, &mut self.random)?)
            }
        };
        let wanted = if names.is_empty() {
            if self.made.is_multiple_of(GROUP) {
                language.rules.swarm(&mut self.random);
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
