//! Formulas from scratch: a probabilistic grammar over the whole signature table. A universe of sorts and names is drawn, the
//! operators that fit it get probabilities (another group of them for every few formulas), and scripts are sampled: assertions,
//! quantifiers, definitions, levels of assertions, and the commands that ask for models, cores, assumptions and proofs.

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

use crate::random::Random;
use crate::strategy::{Mutator, Seed, Strategy, Unfit};
use case::Case;
use language::Language;
use script::Wanted;
use smt::Signatures;
use std::sync::Arc;
use universe::Subject;

/// How many formulas are sampled from one universe.
const FORMULAS: usize = 24;
/// How many formulas share one group of probabilities.
const GROUP: usize = 4;
/// How many universes are drawn before it is given up.
const ATTEMPTS: usize = 20;

/// What the formulas are restricted to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GrammarSettings {
    /// The operations that formulas may use, by name (see [`operations`]); all if empty. Beside them stand only declared
    /// constants, values, and what ties a term to a truth value: `=` and, for languages, `str.in_re`.
    pub operations: Vec<String>,
    /// The one solver that the formulas are for.
    pub solver: Option<String>,
}

/// The strategy `grammar`.
pub struct Grammar {
    signatures: Arc<Signatures>,
    settings: GrammarSettings,
}

impl Grammar {
    /// Formulas over these operators.
    pub fn new(signatures: Arc<Signatures>, settings: GrammarSettings) -> Self {
        Grammar { signatures, settings }
    }

    /// Formulas without end.
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

    fn open(&self, _: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unfit> {
        Ok(self.formulas(random))
    }
}

/// A grammar under way.
struct Sampler {
    signatures: Arc<Signatures>,
    settings: GrammarSettings,
    random: Random,
    language: Option<Language>,
    /// How many formulas the language was sampled for.
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
