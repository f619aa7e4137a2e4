//! Enumerates formulas by size, smallest first, so that findings need no reduction.
//!
//! Draws a universe, builds all terms of one size from smaller ones, and makes a case of each formula.

use super::language::Language;
use super::universe::Subject;
use crate::api::{Mutator, Strategy, Unsuitable};
use crate::kit::operators::Instance;
use crate::kit::random::Random;
use case::{Case, Expectation, Seed, Step};
use smt::{FixedState, Signatures, Sort, Term};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

/// The size of the largest terms: operators, constants and values.
const LARGEST: usize = 7;
/// The maximum number of terms of one size with the same operator. An evenly spaced sample is taken if there are more.
const MOST: usize = 60;
/// The maximum number of values per sort, besides the declared constants.
const VALUES: usize = 4;
/// A turn makes this many times the usual number of cases. They are small and quick to solve.
const TURN: u64 = 4;
/// The number of attempts at drawing a universe.
const ATTEMPTS: usize = 20;

/// The strategy `enumerate`.
pub struct Enumerate {
    signatures: Arc<Signatures>,
}

impl Enumerate {
    /// Enumerates formulas over these operators.
    pub fn new(signatures: Arc<Signatures>) -> Self {
        Enumerate { signatures }
    }
}

impl Strategy for Enumerate {
    fn name(&self) -> &'static str {
        "enumerate"
    }

    fn own_seed(&self) -> Option<Seed> {
        Some(Seed::new("enumerate", "; all"))
    }

    fn cases_per_turn(&self, budget: u64) -> u64 {
        budget.saturating_mul(TURN)
    }

    fn open(&self, _: &Seed, mut random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        let draw = |_| Language::draw(&self.signatures, &Subject::Any, &mut random);
        let language = (0..ATTEMPTS).find_map(draw);
        let language = language.ok_or_else(|| Unsuitable("no solver supports the drawn sorts".to_owned()))?;
        Ok(Box::new(Enumerator::new(language, random)))
    }
}

/// Enumerates the formulas of one universe.
struct Enumerator {
    language: Language,
    random: Random,
    /// The terms by size and sort. There are none of size zero.
    sizes: Vec<HashMap<Sort, Vec<Term>, FixedState>>,
    seen: HashSet<Term, FixedState>,
    waiting: VecDeque<Term>,
}

impl Enumerator {
    fn new(language: Language, random: Random) -> Enumerator {
        let mut enumerator = Enumerator {
            language,
            random,
            sizes: vec![HashMap::default()],
            seen: HashSet::default(),
            waiting: VecDeque::new(),
        };
        enumerator.add_leaves();
        enumerator
    }

    /// Adds the declared constants and a few values of each sort.
    fn add_leaves(&mut self) {
        let mut terms: HashMap<Sort, Vec<Term>, FixedState> = HashMap::default();
        for &sort in &self.language.rules.sorts {
            let declared = self.language.draft.pool.of(sort).to_vec();
            let mut values = self.language.constants.boundary(sort).to_vec();
            self.random.shuffle(&mut values);
            values.truncate(VALUES);
            terms.insert(sort, declared.into_iter().chain(values).collect());
        }
        self.add_size(terms);
    }

    /// Adds the terms of the next size. New formulas among them become cases, in random order, except for single constants.
    fn add_size(&mut self, mut terms: HashMap<Sort, Vec<Term>, FixedState>) {
        for sort in &self.language.rules.sorts {
            if let Some(list) = terms.get_mut(sort) {
                list.retain(|&term| self.seen.insert(term));
                if *sort == Sort::BOOL && self.sizes.len() > 1 {
                    let mut formulas = list.clone();
                    self.random.shuffle(&mut formulas);
                    self.waiting.extend(formulas);
                }
            }
        }
        self.sizes.push(terms);
    }

    /// Builds the terms of the next size.
    fn grow(&mut self) {
        let size = self.sizes.len();
        let mut made: HashMap<Sort, Vec<Term>, FixedState> = HashMap::default();
        for sort in self.language.rules.sorts.clone() {
            let instances: Vec<Instance> = self.language.rules.all(sort).cloned().collect();
            let terms = made.entry(sort).or_default();
            for instance in instances.iter().filter(|instance| !instance.args.is_empty()) {
                terms.extend(self.applications(instance, size - 1));
            }
        }
        self.add_size(made);
    }

    /// Applies an operator to arguments with a total size of `total`.
    fn applications(&mut self, instance: &Instance, total: usize) -> Vec<Term> {
        let mut shapes = Vec::new();
        let mut partial: Vec<Vec<usize>> = vec![Vec::new()];
        while let Some(sizes) = partial.pop() {
            let used: usize = sizes.iter().sum();
            let open = instance.args.len() - sizes.len();
            if open == 0 {
                if used == total {
                    shapes.push(sizes);
                }
                continue;
            }
            for size in 1..=total.saturating_sub(used + open - 1) {
                partial.push(sizes.iter().copied().chain([size]).collect());
            }
        }
        let mut found = Vec::new();
        for shape in &shapes {
            let choices: Vec<&[Term]> = shape
                .iter()
                .zip(&instance.args)
                .map(|(&size, sort)| self.sizes[size].get(sort).map_or(&[][..], Vec::as_slice))
                .collect();
            let count = choices.iter().fold(1usize, |count, list| count.saturating_mul(list.len()));
            // A step coprime to the lengths would be best; an odd one is good enough.
            let step = (count / (MOST / shapes.len()).max(1)).max(1) | 1;
            let mut chosen = Vec::new();
            for number in (0..count).step_by(step) {
                let mut rest = number;
                let pick = |list: &&[Term]| {
                    let term = list[rest % list.len()];
                    rest /= list.len();
                    term
                };
                chosen.push(choices.iter().map(pick).collect::<Vec<Term>>());
            }
            for args in chosen {
                found.extend(instance.apply(&mut self.language.draft.arena, &args, &mut self.random));
            }
        }
        found
    }

    fn case(&mut self, term: Term) -> Option<Case> {
        let draft = &mut self.language.draft;
        let mut needs = draft.needs();
        needs.absorb(&draft.facts.of(&draft.arena, term));
        if needs.solvers & self.language.required != self.language.required {
            return None;
        }
        if self.language.universe.is_narrow {
            needs.solvers &= self.language.required;
        }
        let mut text = String::new();
        if draft.has_logic {
            text.push_str("(set-logic ALL)\n");
        }
        text.push_str(&self.language.universe.declarations);
        text.push_str(&self.language.universe.declared_functions());
        text.push_str("(assert ");
        draft.arena.print_term(term, &mut text);
        text.push_str(")\n(check-sat)\n");
        let after = draft.abridged(term);
        let decision = draft.decision(needs);
        Some(Case {
            text,
            expectation: Expectation::Unknown,
            lineage: vec![Step { action: "enumerate".into(), before: String::new(), after }],
            solvers: decision.solvers,
            theories: decision.theories,
        })
    }
}

impl Mutator for Enumerator {
    fn next_case(&mut self) -> Option<Case> {
        loop {
            match self.waiting.pop_front() {
                Some(term) => {
                    if let Some(case) = self.case(term) {
                        return Some(case);
                    }
                }
                None if self.sizes.len() > LARGEST => return None,
                None => self.grow(),
            }
        }
    }
}
