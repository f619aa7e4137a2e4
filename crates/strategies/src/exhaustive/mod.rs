//! Exhaustive enumeration: a small grammar for each theory, and all of its formulas up to a size, the smallest first.
//!
//! Formulas are numbered, and a turn makes those with its numbers. So a campaign that is resumed goes on where it stopped, any number
//! of workers share the formulas, and at the end all of them have been asked.

mod grammar;

use crate::api::{Mutator, Setting, Strategy, TechniqueSettings, Unsuitable, Variant};
use crate::kit::random::Random;
use case::{Case, Expectation, Seed, Step};
use grammar::Grammar;
use smt::{Arena, Signatures, parse_script};
use std::sync::Arc;

/// The cases of a turn.
const CHUNK: u64 = 32;

/// The settings of exhaustive enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExhaustiveSettings {
    /// The size of the largest formulas: operators, constants and values.
    pub size: usize,
    /// The theory whose formulas are enumerated; empty for all.
    theory: String,
}

impl Default for ExhaustiveSettings {
    fn default() -> Self {
        ExhaustiveSettings { size: 7, theory: String::new() }
    }
}

/// A variant that enumerates the formulas of one theory.
const fn of(name: &'static str) -> Variant {
    Variant { name, section: "", summary: "only this theory" }
}

impl TechniqueSettings for ExhaustiveSettings {
    const VARIANTS: &'static [Variant] = &[
        of("core"),
        of("uf"),
        of("ints"),
        of("reals"),
        of("quantified"),
        of("bitvectors"),
        of("arrays"),
        of("datatypes"),
        of("strings"),
        of("regexes"),
        of("floats"),
        of("sequences"),
    ];

    fn variant(&self, name: &str) -> Option<Self> {
        let known = Self::VARIANTS.iter().any(|variant| variant.name == name);
        known.then(|| ExhaustiveSettings { theory: name.to_owned(), ..self.clone() })
    }

    fn settings(&mut self) -> Vec<Setting<'_>> {
        vec![Setting::new(
            "size",
            "",
            "operators, constants and values of the largest formulas",
            &mut self.size,
        )]
    }
}

/// The strategy `exhaustive`.
pub struct Exhaustive {
    name: String,
    signatures: Arc<Signatures>,
    size: usize,
    grammars: Arc<Vec<Grammar>>,
}

impl Exhaustive {
    /// Enumerates formulas.
    pub fn new(signatures: Arc<Signatures>, settings: &ExhaustiveSettings) -> Self {
        let mut grammars = Grammar::all(settings.size);
        grammars.retain(|grammar| settings.theory.is_empty() || grammar.name == settings.theory);
        let name = "exhaustive".to_owned();
        Exhaustive { name, signatures, size: settings.size, grammars: Arc::new(grammars) }
    }

    /// The same with the name that states its settings.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Exhaustive { name: name.to_owned(), ..self }
    }
}

impl Strategy for Exhaustive {
    fn name(&self) -> &str {
        &self.name
    }

    fn own_seed(&self) -> Option<Seed> {
        Some(Seed::new("exhaustive", "; all"))
    }

    fn cases_per_turn(&self, _: u64) -> u64 {
        CHUNK
    }

    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        self.open_round(seed, random, 0)
    }

    fn open_round(&self, _: &Seed, _: Random, round: u64) -> Result<Box<dyn Mutator>, Unsuitable> {
        let next = u128::from(round) * u128::from(CHUNK);
        let (signatures, grammars) = (self.signatures.clone(), self.grammars.clone());
        Ok(Box::new(Formulas { signatures, grammars, size: self.size, next }))
    }
}

/// The formulas from a number on.
struct Formulas {
    signatures: Arc<Signatures>,
    grammars: Arc<Vec<Grammar>>,
    size: usize,
    next: u128,
}

impl Formulas {
    /// The formula with a number, over all grammars: by size, then by grammar.
    fn formula(&self, mut number: u128) -> Option<(&Grammar, usize, String)> {
        for size in 1..=self.size {
            for grammar in self.grammars.iter() {
                let count = grammar.formulas(size);
                if number < count {
                    return Some((grammar, size, grammar.formula(size, number)));
                }
                number -= count;
            }
        }
        None
    }
}

impl Mutator for Formulas {
    fn next_case(&mut self) -> Option<Case> {
        let (grammar, size, formula) = self.formula(self.next)?;
        let text = format!("{}(assert {formula})\n(check-sat)\n", grammar.declarations);
        let mut arena = Arena::new(self.signatures.clone());
        let script = parse_script(&mut arena, &text).ok()?;
        let features = arena.features(&script);
        let step = Step {
            action: "enumerate".into(),
            before: format!("number {} of {}, size {size}", self.next, grammar.name),
            after: formula,
        };
        let text = arena.script_text(&script);
        self.next += 1;
        Some(Case {
            text,
            expectation: Expectation::Unknown,
            lineage: vec![step],
            solvers: features.solvers,
            theories: features.theories,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_follow_each_other_until_all_formulas_are_made() {
        let settings = ExhaustiveSettings { size: 3, theory: "core".to_owned() };
        let strategy = Exhaustive::new(Signatures::standard(), &settings);
        let seed = strategy.own_seed().unwrap();
        let turn = |round: u64| {
            let mut mutator = strategy.open_round(&seed, Random::new(round), round).unwrap();
            (0..CHUNK).map_while(|_| mutator.next_case()).map(|case| case.text).collect::<Vec<String>>()
        };
        let turns = [turn(0), turn(1), turn(2)];
        assert_eq!(turns.each_ref().map(Vec::len), [32, 22, 0]);
        let all: std::collections::BTreeSet<&String> = turns.iter().flatten().collect();
        assert_eq!(all.len(), 54);
        assert!(turns[0][0].ends_with("(assert p)\n(check-sat)\n"), "{}", turns[0][0]);
    }

    #[test]
    fn every_grammar_is_a_variant() {
        let names: Vec<String> = Grammar::all(1).into_iter().map(|grammar| grammar.name).collect();
        let variants: Vec<&str> = ExhaustiveSettings::VARIANTS.iter().map(|variant| variant.name).collect();
        assert_eq!(names, variants);
    }
}
