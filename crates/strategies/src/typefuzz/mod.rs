//! TypeFuzz: generative type-aware mutation. An expression of the formula gives way to a new one of its sort, made of an
//! operator and of expressions that the formula has already; the mutant is the next formula to mutate.

mod generate;
mod quantify;

use crate::constants::{Constants, near};
use crate::draft::{Draft, Place, mark};
use crate::operators::{ByResult, Permission};
use crate::random::Random;
use crate::related;
use crate::strategy::{Mutator, Seed, Strategy, Unfit};
use case::Case;
use generate::Generator;
use smt::Signatures;
use std::sync::Arc;

/// What TypeFuzz does beyond the paper, and how long its chains are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeFuzzSettings {
    /// How many mutations are made, each on the result of the one before, until the seed is taken up again.
    pub chain: usize,
    /// Constants that the formula does not have: boundary values, neighbours of its own, and values at random.
    pub constants: bool,
    /// New assertions.
    pub assertions: bool,
    /// How deeply new operators may nest; the paper has one level.
    pub nesting: u32,
    /// Operators that only some solvers know; the case then names the solvers to ask.
    pub solver_specific: bool,
    /// Quantifiers are put around formulas, taken away and turned over.
    pub quantifiers: bool,
}

impl Default for TypeFuzzSettings {
    fn default() -> Self {
        TypeFuzzSettings {
            chain: 20,
            constants: true,
            assertions: true,
            nesting: 3,
            solver_specific: true,
            quantifiers: true,
        }
    }
}

impl TypeFuzzSettings {
    /// The algorithms of the paper and nothing else.
    pub fn as_published() -> Self {
        TypeFuzzSettings {
            chain: 20,
            constants: false,
            assertions: false,
            nesting: 1,
            solver_specific: false,
            quantifiers: false,
        }
    }
}

/// The strategy `typefuzz`.
pub struct TypeFuzz {
    signatures: Arc<Signatures>,
    settings: TypeFuzzSettings,
}

impl TypeFuzz {
    /// TypeFuzz over these operators.
    pub fn new(signatures: Arc<Signatures>, settings: TypeFuzzSettings) -> Self {
        TypeFuzz { signatures, settings }
    }
}

impl Strategy for TypeFuzz {
    fn name(&self) -> &str {
        "typefuzz"
    }

    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unfit> {
        let (draft, generator) = open(&self.signatures, &self.settings, seed)?;
        Ok(Box::new(TypeFuzzMutator {
            signatures: self.signatures.clone(),
            settings: self.settings.clone(),
            seed: seed.clone(),
            random,
            draft,
            generator,
            place: Place::default(),
            inner: Place::default(),
        }))
    }
}

fn open(
    signatures: &Arc<Signatures>,
    settings: &TypeFuzzSettings,
    seed: &Seed,
) -> Result<(Draft, Generator), Unfit> {
    let mut draft = Draft::open(signatures, seed)?;
    let sorts = related::sorts(&mut draft, settings.constants);
    let scope = draft.scope.clone();
    let permission = Permission::of(&draft, &scope, settings.solver_specific);
    let operators = ByResult::new(&mut draft, &sorts, &permission);
    let constants =
        if settings.constants { Constants::new(&mut draft.arena, &sorts) } else { Constants::default() };
    let generator = Generator::new(operators, constants, settings);
    Ok((draft, generator))
}

/// A seed under work by TypeFuzz.
struct TypeFuzzMutator {
    signatures: Arc<Signatures>,
    settings: TypeFuzzSettings,
    seed: Seed,
    random: Random,
    draft: Draft,
    generator: Generator,
    place: Place,
    inner: Place,
}

/// Fewer attempts than this are never made before a formula is given up.
const LEAST_ATTEMPTS: u64 = 40;
/// More attempts than this are never made.
const MOST_ATTEMPTS: u64 = 400;
/// The most assertions that a chain adds.
const MOST_ASSERTIONS: usize = 3;

impl Mutator for TypeFuzzMutator {
    fn next_case(&mut self) -> Option<Case> {
        if self.draft.steps() >= self.settings.chain.max(1) {
            self.restart()?;
        }
        if self.try_mutations() {
            return Some(self.draft.case());
        }
        // The chain may have come to a dead end; the seed itself may still have another way.
        if self.draft.steps() > 0 {
            self.restart()?;
            if self.try_mutations() {
                return Some(self.draft.case());
            }
        }
        None
    }
}

impl TypeFuzzMutator {
    fn restart(&mut self) -> Option<()> {
        if self.draft.restart() {
            (self.draft, self.generator) = open(&self.signatures, &self.settings, &self.seed).ok()?;
        }
        Some(())
    }

    /// Algorithm 2: as many attempts as there are expressions, within reason.
    fn try_mutations(&mut self) -> bool {
        let size: u64 = self.draft.roots().iter().map(|root| u64::from(root.fact.size)).sum();
        (0..size.clamp(LEAST_ATTEMPTS, MOST_ATTEMPTS)).any(|_| self.mutate())
    }

    /// One attempt at a mutation.
    fn mutate(&mut self) -> bool {
        if self.settings.assertions && self.random.chance(1, 24) {
            return self.assert_more();
        }
        if !self.draft.choose(&mut self.random, &mut self.place) {
            return false;
        }
        if self.settings.quantifiers {
            let quantified = self.draft.needs().marks & mark::QUANTIFIER != 0;
            if self.random.chance(if quantified { 4 } else { 1 }, 50) {
                return self.requantify();
            }
        }
        let term = self.place.term();
        let sort = self.draft.arena.sort(term);
        let fact = self.draft.facts.of(&self.draft.arena, term);
        let is_value = fact.marks & mark::VALUE != 0;
        if self.place.values_only || (self.settings.constants && is_value && self.random.chance(1, 5)) {
            return self.change_constant();
        }
        let random = &mut self.random;
        let Some(new) = self.generator.expression(&mut self.draft, &self.place, Some(term), sort, random)
        else {
            return false;
        };
        if !self.draft.replace(&self.place, new, "replace") {
            return false;
        }
        self.draft.pool.add_new(sort, new);
        true
    }

    /// Another value takes the place of a value.
    fn change_constant(&mut self) -> bool {
        let term = self.place.term();
        let neighbour = if self.settings.constants && self.random.chance(1, 2) {
            near(&mut self.draft.arena, term, &mut self.random)
        } else {
            None
        };
        let new = match neighbour {
            Some(new) => Some(new),
            None => {
                let sort = self.draft.arena.sort(term);
                self.generator.value(&mut self.draft, &self.place, sort, &mut self.random)
            }
        };
        match new {
            Some(new) if new != term => self.draft.replace(&self.place, new, "constant"),
            _ => false,
        }
    }

    /// A new assertion beside an old one.
    fn assert_more(&mut self) -> bool {
        let added = self.draft.added_assertions();
        let places = self.draft.assertion_places();
        if places == 0 || added >= MOST_ASSERTIONS {
            return false;
        }
        let at = self.random.index(places);
        let Some(place) = self.draft.assertion_place(at) else { return false };
        let random = &mut self.random;
        let made = self.generator.expression(&mut self.draft, &place, None, smt::Sort::BOOL, random);
        match made {
            Some(term) => self.draft.add_assertion(at, term),
            None => false,
        }
    }
}
