//! TypeFuzz: generative type-aware mutation.
//!
//! Replaces an expression of the formula by a new one of the same sort: an operator applied to expressions of the formula. The
//! mutant is the next formula to mutate.

mod generate;
mod quantify;

use crate::api::{
    ALL_TURNS, CONTINUED_TURNS, Mutator, Setting, Strategy, TechniqueSettings, Unsuitable, Variant,
};
use crate::kit::constants::{Constants, near};
use crate::kit::draft::{Draft, Position, USUAL_GROWTH, mark};
use crate::kit::operators::{ByResult, Permission};
use crate::kit::random::Random;
use crate::kit::related_sorts;
use case::{Case, Seed};
use generate::Generator;
use smt::{Signatures, Term};
use std::sync::Arc;

/// What TypeFuzz does beyond the paper, and the length of its chains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeFuzzSettings {
    /// The number of mutations before a chain returns to the seed.
    pub chain: usize,
    /// Whether to use new constants: boundary values, neighbours of the formula's constants, and random values.
    pub constants: bool,
    /// Whether to add assertions.
    pub assertions: bool,
    /// The maximum nesting of new operators; one in the paper.
    pub nesting: u32,
    /// Whether to use operators that only some solvers support. The case then names these solvers.
    pub solver_specific: bool,
    /// Whether to add, remove and flip quantifiers.
    pub quantifiers: bool,
    /// Whether new expressions may become arguments of later ones. The paper takes arguments from the seed only.
    pub growing_pool: bool,
    /// Whether expressions that the chain has made are replaced, too. The paper draws expressions of the seed only.
    pub replaces_new: bool,
    /// Whether variadic and associative operators get up to three arguments, or as many as their rank has.
    pub more_arguments: bool,
    /// Whether functions and datatypes of the script are operators, too. The paper has only those of its configuration file.
    pub declared: bool,
    /// Whether half of the mutations copy an expression of the seed over another one: the productions of Definition 1 without
    /// operators, which Algorithm 2 leaves out.
    pub copies: bool,
    /// The minimum number of attempts at a mutation. There are as many as the formula has expressions.
    pub least_attempts: u64,
    /// The maximum number of attempts at a mutation.
    pub most_attempts: u64,
    /// Whether a chain keeps its formula after failed attempts, as in Algorithm 1. Otherwise it restarts from the seed.
    pub persists: bool,
    /// How many times the size of its seed a mutant may have; 0 for any size.
    pub growth: u64,
    /// The number of turns on a seed that continue each other.
    pub turns: u64,
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
            growing_pool: true,
            replaces_new: true,
            more_arguments: true,
            declared: true,
            copies: false,
            least_attempts: 40,
            most_attempts: 400,
            persists: false,
            growth: USUAL_GROWTH,
            turns: CONTINUED_TURNS,
        }
    }
}

impl TypeFuzzSettings {
    /// The algorithms and constants of the paper.
    pub fn as_published() -> Self {
        TypeFuzzSettings {
            chain: 20,
            constants: false,
            assertions: false,
            nesting: 1,
            solver_specific: false,
            quantifiers: false,
            growing_pool: false,
            replaces_new: false,
            more_arguments: false,
            declared: false,
            copies: false,
            least_attempts: 1,
            most_attempts: 1_000_000,
            persists: true,
            growth: 0,
            turns: ALL_TURNS,
        }
    }
}

impl TechniqueSettings for TypeFuzzSettings {
    const VARIANTS: &'static [Variant] = &[Variant {
        name: "published",
        section: "3.3",
        summary: "the algorithms and constants of the paper",
    }];

    fn variant(&self, name: &str) -> Option<Self> {
        (name == "published").then(TypeFuzzSettings::as_published)
    }

    fn settings(&mut self) -> Vec<Setting<'_>> {
        let TypeFuzzSettings {
            chain,
            constants,
            assertions,
            nesting,
            solver_specific,
            quantifiers,
            growing_pool,
            replaces_new,
            more_arguments,
            declared,
            copies,
            least_attempts,
            most_attempts,
            persists,
            growth,
            turns,
        } = self;
        vec![
            Setting::new(
                "chain",
                "3.3",
                "mutations of a seed, each of the last mutant (n; 10 to 100 in the paper)",
                chain,
            ),
            Setting::new(
                "constants",
                "",
                "use boundary values, neighbours of constants, and random values",
                constants,
            ),
            Setting::new("assertions", "", "add assertions", assertions),
            Setting::new("nesting", "3.3", "most new operators inside each other", nesting),
            Setting::new(
                "solver-specific",
                "",
                "use operators that only some solvers support",
                solver_specific,
            ),
            Setting::new("quantifiers", "", "add, remove and flip quantifiers", quantifiers),
            Setting::new(
                "growing-pool",
                "3.3",
                "use new expressions as arguments, not only those of the seed",
                growing_pool,
            ),
            Setting::new(
                "replaces-new",
                "3.3",
                "replace new expressions, too, not only those of the seed",
                replaces_new,
            ),
            Setting::new(
                "more-arguments",
                "3.3",
                "give associative operators up to three arguments",
                more_arguments,
            ),
            Setting::new(
                "declared",
                "3.3",
                "use functions and datatypes of the script as operators",
                declared,
            ),
            Setting::new("copies", "3.1", "copy an expression of the seed half of the time", copies),
            Setting::new(
                "least-attempts",
                "3.3",
                "attempts at a mutation of a small formula; otherwise one for each expression",
                least_attempts,
            ),
            Setting::new("most-attempts", "3.3", "attempts at a mutation of a large formula", most_attempts),
            Setting::new(
                "persists",
                "3.3",
                "go on with the same formula after failed attempts, not with the seed",
                persists,
            ),
            Setting::new(
                "growth",
                "",
                "how many times the size of its seed a mutant may have; 0 for any size",
                growth,
            ),
            Setting::new("turns", "3.3", "turns on a seed that continue each other", turns),
        ]
    }
}

/// The strategy `typefuzz`.
pub struct TypeFuzz {
    name: String,
    signatures: Arc<Signatures>,
    settings: TypeFuzzSettings,
}

impl TypeFuzz {
    /// TypeFuzz over these operators.
    pub fn new(signatures: Arc<Signatures>, settings: TypeFuzzSettings) -> Self {
        TypeFuzz { name: "typefuzz".to_owned(), signatures, settings }
    }

    /// The same with the name that states its settings.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        TypeFuzz { name: name.to_owned(), ..self }
    }
}

impl Strategy for TypeFuzz {
    fn name(&self) -> &str {
        &self.name
    }

    fn continued_turns(&self) -> u64 {
        self.settings.turns.max(1)
    }

    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        let (draft, generator) = open(&self.signatures, &self.settings, seed)?;
        Ok(Box::new(TypeFuzzMutator {
            signatures: self.signatures.clone(),
            settings: self.settings.clone(),
            seed: seed.clone(),
            random,
            draft,
            generator,
            failed: 0,
            position: Position::default(),
            inner: Position::default(),
        }))
    }
}

fn open(
    signatures: &Arc<Signatures>,
    settings: &TypeFuzzSettings,
    seed: &Seed,
) -> Result<(Draft, Generator), Unsuitable> {
    let mut draft = Draft::open(signatures, seed)?;
    draft.limit_growth(settings.growth);
    let sorts = related_sorts::of_seed(&mut draft, settings.constants);
    let scope = draft.scope.clone();
    let permission = Permission {
        declared: settings.declared,
        ..Permission::of(&draft, &scope, settings.solver_specific)
    };
    let operators = ByResult::new(&mut draft, &sorts, &permission);
    let constants =
        if settings.constants { Constants::new(&mut draft.arena, &sorts) } else { Constants::default() };
    let generator = Generator::new(operators, constants, settings);
    Ok((draft, generator))
}

/// Mutates a seed with TypeFuzz.
struct TypeFuzzMutator {
    signatures: Arc<Signatures>,
    settings: TypeFuzzSettings,
    seed: Seed,
    random: Random,
    draft: Draft,
    generator: Generator,
    /// The iterations of the present chain without a mutation.
    failed: usize,
    position: Position,
    inner: Position,
}

/// The maximum number of assertions that a chain adds.
const MOST_ASSERTIONS: usize = 3;

impl Mutator for TypeFuzzMutator {
    fn next_case(&mut self) -> Option<Case> {
        if self.settings.persists {
            return self.next_of_chain();
        }
        if self.draft.steps() >= self.settings.chain.max(1) {
            self.restart()?;
        }
        if self.try_mutations() {
            return Some(self.draft.case());
        }
        // The chain may be at a dead end where the seed is not.
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
    /// The loop of Algorithm 1: an iteration without a mutation counts, and the next one tries the same formula again. `None` if
    /// a whole chain fails.
    fn next_of_chain(&mut self) -> Option<Case> {
        for _ in 0..2 {
            while self.draft.steps() + self.failed < self.settings.chain.max(1) {
                if self.try_mutations() {
                    return Some(self.draft.case());
                }
                self.failed += 1;
            }
            self.restart()?;
        }
        None
    }

    fn restart(&mut self) -> Option<()> {
        self.failed = 0;
        if self.draft.restart() {
            (self.draft, self.generator) = open(&self.signatures, &self.settings, &self.seed).ok()?;
        }
        Some(())
    }

    /// Algorithm 2: as many attempts as there are expressions, within bounds.
    fn try_mutations(&mut self) -> bool {
        let size: u64 = self.draft.roots().iter().map(|root| u64::from(root.fact.size)).sum();
        let attempts = size.max(self.settings.least_attempts).min(self.settings.most_attempts);
        (0..attempts).any(|_| self.mutate())
    }

    /// Attempts one mutation.
    fn mutate(&mut self) -> bool {
        if self.settings.assertions && self.random.chance(1, 24) {
            return self.add_assertion();
        }
        if !self.draft.choose(&mut self.random, &mut self.position) {
            return false;
        }
        if self.settings.quantifiers {
            let quantified = self.draft.needs().marks & mark::QUANTIFIER != 0;
            if self.random.chance(if quantified { 4 } else { 1 }, 50) {
                return self.requantify();
            }
        }
        let term = self.position.term();
        let sort = self.draft.arena.sort(term);
        if !self.settings.replaces_new && !self.draft.pool.of(sort).contains(&term) {
            return false;
        }
        if self.settings.copies && self.random.chance(1, 2) {
            return self.copy(term);
        }
        let fact = self.draft.facts.of(&self.draft.arena, term);
        let is_value = fact.marks & mark::VALUE != 0;
        if self.position.values_only || (self.settings.constants && is_value && self.random.chance(1, 5)) {
            return self.change_constant();
        }
        let random = &mut self.random;
        let Some(new) = self.generator.expression(&mut self.draft, &self.position, Some(term), sort, random)
        else {
            return false;
        };
        if !self.draft.replace(&self.position, new, "replace") {
            return false;
        }
        if self.settings.growing_pool {
            self.draft.pool.add_new(sort, new);
        }
        true
    }

    /// Replaces an expression by another one of the seed.
    fn copy(&mut self, term: Term) -> bool {
        let sort = self.draft.arena.sort(term);
        let Some(&other) = self.random.pick(self.draft.pool.of(sort)) else { return false };
        let fits = other != term && !self.position.values_only && self.draft.usable(&self.position, other);
        fits && self.draft.replace(&self.position, other, "copy")
    }

    /// Replaces a value by another value.
    fn change_constant(&mut self) -> bool {
        let term = self.position.term();
        let neighbour = if self.settings.constants && self.random.chance(1, 2) {
            near(&mut self.draft.arena, term, &mut self.random)
        } else {
            None
        };
        let new = match neighbour {
            Some(new) => Some(new),
            None => {
                let sort = self.draft.arena.sort(term);
                self.generator.value(&mut self.draft, &self.position, sort, &mut self.random)
            }
        };
        match new {
            Some(new) if new != term => self.draft.replace(&self.position, new, "constant"),
            _ => false,
        }
    }

    /// Adds an assertion next to an existing one.
    fn add_assertion(&mut self) -> bool {
        let added = self.draft.added_assertions();
        let slots = self.draft.assertion_slots();
        if slots == 0 || added >= MOST_ASSERTIONS {
            return false;
        }
        let at = self.random.index(slots);
        let Some(position) = self.draft.assertion_slot(at) else { return false };
        let random = &mut self.random;
        let made = self.generator.expression(&mut self.draft, &position, None, smt::Sort::BOOL, random);
        match made {
            Some(term) => self.draft.add_assertion(at, term),
            None => false,
        }
    }
}
