//! Mutates a satisfiable seed: Algorithm 3, and the pool of Algorithm 1.

use super::DiverSettings;
use super::analysis::{Analysis, Constraint, TRUE};
use super::domain::Abstract;
use super::generate::Generator;
use crate::api::{Mutator, Questioner, Unsuitable};
use crate::kit::draft::{Draft, Facts, Position, State};
use crate::kit::evaluation::limits;
use crate::kit::random::Random;
use crate::kit::witness::Witness;
use case::{Case, Expectation, Seed, Step};
use semantics::{Evaluator, Memory, Value};
use smt::{FixedState, Op, Signatures, Sort, Term, parse_term};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The number of failed mutants before a seed counts as exhausted.
const MOST_FAILURES: usize = 24;
/// Below this depth, a mutant is evaluated only if its value satisfies the constraint.
const DEEP: usize = 64;

/// Counts of the terms that were tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Terms that replaced another one.
    pub tries: u64,
    /// Those with which the formula was still true under the model.
    pub satisfiable: u64,
    /// Mutants with fresh variables.
    pub complicated: u64,
    /// Values that satisfied the constraint and made the formula false: the constraint was wrong.
    pub contradictions: u64,
}

/// An occurrence of a term with its constraint.
#[derive(Clone, Debug)]
pub struct Label {
    /// The term.
    pub term: String,
    /// The values that it may take.
    pub constraint: Abstract,
    /// The probability of choosing it.
    pub probability: f64,
}

/// The result of one trial of Proposition 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trial {
    /// There is no new term, its value violates the constraint, or the formula has no certain value.
    Inconclusive,
    /// The value satisfies the constraint, and the formula is true.
    Holds,
    /// The value satisfies the constraint, and the formula is false.
    Fails {
        /// The term, the mutant and the constraint.
        what: String,
    },
}

/// Mutates a satisfiable seed with DIVER.
pub struct DiverMutator {
    signatures: Arc<Signatures>,
    pub(super) settings: DiverSettings,
    seed: Seed,
    pub(super) random: Random,
    pub(super) draft: Draft,
    pub(super) generator: Generator,
    pub(super) witness: Witness,
    memory: Memory,
    analysis: Analysis,
    /// The definitions of fresh constants, as `define-fun`s.
    pub(super) fresh: HashMap<Op, String, FixedState>,
    pub(super) fresh_count: u64,
    /// The seed and some of its mutants, to mutate further.
    pool: Vec<Known>,
    base: usize,
    made: usize,
    /// How many mutants were asked for.
    calls: u64,
    tally: Tally,
}

/// A formula of the pool.
struct Known {
    state: State,
    /// Which mutant it is; `None` for the seed.
    number: Option<u64>,
}

/// A chosen position with its constraint.
struct Target {
    position: Position,
    constraint: Constraint,
}

impl DiverMutator {
    /// Opens a seed with one of the learned models that our evaluation confirms.
    pub(super) fn open(
        signatures: &Arc<Signatures>,
        settings: &DiverSettings,
        seed: &Seed,
        mut random: Random,
    ) -> Result<DiverMutator, Unsuitable> {
        let (mut draft, script) = Draft::open_expanded(signatures, seed)?;
        draft.limit_growth(settings.growth);
        let witness = Witness::of_seed(&mut draft, &script, seed, &mut random)?;
        let mut solvers: Vec<String> = seed.learned.iter().map(|learned| learned.solver.clone()).collect();
        solvers.sort();
        solvers.dedup();
        let generator = Generator::new(&mut draft, &solvers, settings.biased);
        let mut mutator = DiverMutator {
            signatures: signatures.clone(),
            settings: settings.clone(),
            seed: seed.clone(),
            random,
            pool: vec![Known { state: draft.state(), number: None }],
            draft,
            generator,
            witness,
            memory: Memory::default(),
            analysis: Analysis::new(settings.weighted, settings.domains),
            fresh: HashMap::default(),
            fresh_count: 0,
            base: 0,
            made: 0,
            calls: 0,
            tally: Tally::default(),
        };
        mutator.add_model_values();
        Ok(mutator)
    }

    /// Starts over to free memory.
    fn reopen(&mut self) -> Option<()> {
        let random = Random::new(self.random.bits());
        let (tally, calls) = (self.tally, self.calls);
        *self =
            DiverMutator::open(&self.signatures.clone(), &self.settings.clone(), &self.seed.clone(), random)
                .ok()?;
        (self.tally, self.calls) = (tally, calls);
        Some(())
    }

    /// Makes the values of the model available to new terms.
    fn add_model_values(&mut self) {
        for variable in self.generator.variables(&self.draft) {
            let sort = self.draft.arena.sort(variable);
            if let Some(value) = self.value(variable)
                && let Some(term) = self.term_of(&value, sort)
            {
                self.generator.add_value(sort, term);
            }
        }
    }

    /// A value as a term; `None` if it has none.
    pub(super) fn term_of(&mut self, value: &Value, sort: Sort) -> Option<Term> {
        if matches!(value, Value::Algebraic(_) | Value::Function(_) | Value::Element(..)) {
            return None;
        }
        let text = value.text(&self.draft.arena, sort);
        let term = parse_term(&mut self.draft.arena, &mut self.draft.scope, &text).ok()?;
        (self.draft.arena.sort(term) == sort).then_some(term)
    }

    /// The counts so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Runs an action with the evaluator and the analysis, and keeps their caches.
    fn with<T>(&mut self, action: impl FnOnce(&mut Evaluator<'_>, &mut Facts, &mut Analysis) -> T) -> T {
        let memory = std::mem::take(&mut self.memory);
        let Witness { model, definitions, .. } = &self.witness;
        let mut evaluator =
            Evaluator::resume(&self.draft.arena, model, definitions, memory).with_limits(limits());
        let result = action(&mut evaluator, &mut self.draft.facts, &mut self.analysis);
        self.memory = evaluator.into_memory();
        result
    }

    /// The value of a term under the model.
    pub(super) fn value(&mut self, term: Term) -> Option<Value> {
        self.with(|evaluator, _, _| evaluator.evaluate(term).ok())
    }

    /// Whether a formula is true under the model.
    pub(super) fn is_true(&mut self, term: Term) -> bool {
        self.value(term) == Some(Value::Bool(true))
    }

    /// The weights of the assertions.
    fn weights(&mut self) -> Vec<f64> {
        let roots: Vec<Option<Term>> = (0..self.draft.roots().len())
            .map(|root| self.draft.is_assertion(root).then(|| self.draft.roots()[root].term))
            .collect();
        self.with(|evaluator, facts, analysis| {
            let weigh =
                |root: &Option<Term>| root.map_or(0.0, |term| analysis.weigh(evaluator, facts, term, TRUE));
            roots.iter().map(weigh).collect()
        })
    }

    /// Line 1 of Algorithm 3: chooses a position by weight. Half of the time all assertions are equally likely, so that small
    /// ones get a share, too.
    fn choose(&mut self) -> Option<Target> {
        let mut weights = self.weights();
        if self.settings.even && self.random.chance(1, 2) {
            weights.iter_mut().for_each(|weight| *weight = weight.signum());
        }
        let root = self.random.weighted(&weights)?;
        let slot = &self.draft.roots()[root];
        let mut position =
            Position { root, origin: slot.origin, nodes: vec![slot.term], ..Position::default() };
        let (mut term, mut constraint) = (slot.term, TRUE);
        loop {
            let children = self.draft.arena.children(term);
            let inner = |at: usize| self.analysis.inner(term, constraint, at);
            let weight = |at: usize| inner(at).map_or(0.0, |inner| self.analysis.total(children[at], inner));
            let mut weights = vec![self.analysis.own(term, constraint)];
            weights.extend((0..children.len()).map(weight));
            let chosen = self.random.weighted(&weights)?;
            if chosen == 0 {
                return Some(Target { position, constraint });
            }
            constraint = inner(chosen - 1)?;
            term = children[chosen - 1];
            position.path.push(chosen as u32 - 1);
            position.nodes.push(term);
        }
    }

    /// The number of choices in a new term.
    pub(super) fn bound(&self) -> u32 {
        self.settings.bound
    }

    /// A new term for a position.
    pub(super) fn new_term(&mut self, position: &Position, sort: Sort, bound: u32) -> Option<Term> {
        self.generator.term(&mut self.draft, position, sort, bound, &mut self.random)
    }

    /// GenMutant: chooses a position and tries terms there until one keeps the formula true.
    fn mutate(&mut self) -> bool {
        if self.settings.balance && self.random.chance(1, 4) {
            return self.balance();
        }
        let Some(target) = self.choose() else { return false };
        let old = target.position.term();
        let sort = self.draft.arena.sort(old);
        for _ in 0..self.settings.tries {
            let made = self.new_term(&target.position, sort, self.settings.bound);
            self.tally.tries += 1;
            let Some(new) = made.filter(|&new| new != old) else { continue };
            if self.accept(&target, new) {
                self.tally.satisfiable += 1;
                return true;
            }
        }
        false
    }

    /// Accepts a mutation if the formula stays true.
    fn accept(&mut self, target: &Target, new: Term) -> bool {
        let value = self.value(new);
        let covered = value.as_ref().is_some_and(|value| self.analysis.contains(target.constraint, value));
        if !covered && target.position.path.len() > DEEP {
            return false;
        }
        let root = self.draft.rebuilt(&target.position, new);
        match self.value(root) {
            Some(Value::Bool(true)) => {}
            other => {
                self.tally.contradictions += u64::from(covered && other.is_some());
                return false;
            }
        }
        let step = Step {
            action: "replace".into(),
            before: self.draft.abridged(target.position.term()),
            after: self.draft.abridged(new),
        };
        if self.settings.complicate && self.random.chance(1, 2) {
            let (fresh, numbers_only) = (self.settings.fresh, self.settings.numbers_only);
            if let Some((root, additions)) = self.complicate(&target.position, root, new, fresh, numbers_only)
            {
                let step = Step { action: "complicate".into(), ..step.clone() };
                if self.draft.commit_with(target.position.root, root, &additions, step) {
                    self.tally.complicated += 1;
                    return true;
                }
            }
        }
        let additions = self.additions();
        self.draft.commit_with(target.position.root, root, &additions, step)
    }

    /// The constraint of a position in an assertion.
    pub(super) fn constraint_at(&mut self, root: Term, path: &[u32]) -> Option<Abstract> {
        self.with(|evaluator, facts, analysis| {
            analysis.weigh(evaluator, facts, root, TRUE);
            let (mut term, mut constraint) = (root, TRUE);
            for &step in path {
                constraint = analysis.inner(term, constraint, step as usize)?;
                term = evaluator.arena().children(term)[step as usize];
            }
            Some(analysis.set(constraint).clone())
        })
    }

    /// Up to `most` occurrences in the assertions, with their constraints and probabilities.
    pub fn labels(&mut self, most: usize) -> Vec<Label> {
        let total: f64 = self.weights().iter().sum();
        let mut labels = Vec::new();
        let roots = (0..self.draft.roots().len()).filter(|&root| self.draft.is_assertion(root));
        let mut pending: Vec<(Term, Constraint)> =
            roots.map(|root| (self.draft.roots()[root].term, TRUE)).collect();
        pending.reverse();
        while let Some((term, constraint)) = pending.pop() {
            if labels.len() >= most {
                break;
            }
            labels.push(Label {
                term: self.draft.arena.term_text(term),
                constraint: self.analysis.set(constraint).clone(),
                probability: self.analysis.own(term, constraint) / total,
            });
            for (at, &child) in self.draft.arena.children(term).iter().enumerate().rev() {
                if let Some(inner) = self.analysis.inner(term, constraint, at) {
                    pending.push((child, inner));
                }
            }
        }
        labels
    }

    /// Tries Proposition 1: if the value of a new term satisfies the constraint of its position, the formula stays true.
    pub fn trial(&mut self) -> Trial {
        let Some(target) = self.choose() else { return Trial::Inconclusive };
        let sort = self.draft.arena.sort(target.position.term());
        let Some(new) = self.new_term(&target.position, sort, self.settings.bound) else {
            return Trial::Inconclusive;
        };
        let Some(value) = self.value(new) else { return Trial::Inconclusive };
        if !self.analysis.contains(target.constraint, &value) {
            return Trial::Inconclusive;
        }
        let root = self.draft.rebuilt(&target.position, new);
        match self.value(root) {
            Some(Value::Bool(false)) => {}
            Some(_) => return Trial::Holds,
            // A part without a value can leave the whole undetermined.
            None => return Trial::Inconclusive,
        }
        let text = |term: Term| self.draft.arena.term_text(term);
        let set = self.analysis.set(target.constraint);
        let what = format!(
            "{} -> {} = {value:?} within {set:?}, in {}",
            text(target.position.term()),
            text(new),
            text(self.draft.roots()[target.position.root].term)
        );
        Trial::Fails { what }
    }

    /// The next satisfiable mutant.
    pub fn next_mutant(&mut self) -> Option<Case> {
        self.calls += 1;
        for _ in 0..MOST_FAILURES {
            self.take_base()?;
            let steps = self.steps();
            let done = (0..steps).filter(|_| self.mutate()).count();
            if done > 0 {
                self.made += 1;
                self.remember();
                return Some(self.case());
            }
        }
        None
    }

    /// The number of mutations of the next mutant: each further one is half as likely, because a change can hide what another
    /// shows.
    fn steps(&mut self) -> u64 {
        let mut steps = 1;
        while steps < self.settings.steps && self.random.chance(1, 2) {
            steps += 1;
        }
        steps
    }

    /// Returns to the current base formula. After enough mutants another formula becomes the base: the seed half of the time,
    /// which reaches everything nearby, otherwise one of the pool, which reaches further.
    fn take_base(&mut self) -> Option<()> {
        if self.draft.has_grown() || self.analysis.is_full() {
            self.reopen()?;
        }
        if self.is_done_with_base() {
            self.made = 0;
            if self.settings.removes && self.pool.len() > 1 {
                self.pool.swap_remove(self.base);
            }
            let takes_seed = self.settings.seed_first && self.random.chance(1, 2);
            self.base = if takes_seed { 0 } else { self.random.index(self.pool.len()) };
        }
        self.draft.restore(&self.pool[self.base].state);
        Some(())
    }

    fn is_done_with_base(&self) -> bool {
        self.made >= self.settings.mutants.max(1)
    }

    /// Adds the mutant to the pool. The first formula there, at the start the seed, is never replaced.
    fn remember(&mut self) {
        let known = Known { state: self.draft.state(), number: Some(self.calls - 1) };
        let most = self.settings.pool.max(1);
        if self.pool.len() <= most {
            self.pool.push(known);
            return;
        }
        let at = 1 + self.random.index(most);
        // The base stays while it is in use.
        if at != self.base {
            self.pool[at] = known;
        }
    }

    /// Removes mutants from the pool. The base stays while it is in use.
    fn forget(&mut self, numbers: &BTreeSet<u64>) {
        let base = self.pool[self.base].number;
        let stays = |known: &Known| {
            known.number == base || known.number.is_none_or(|number| !numbers.contains(&number))
        };
        self.pool.retain(stays);
        self.base = self.pool.iter().position(|known| known.number == base).unwrap_or_default();
    }

    fn case(&mut self) -> Case {
        let mut case = self.draft.case();
        let declared = self.draft.declared();
        let fresh = declared.iter().filter_map(|op| self.fresh.get(op)).map(String::as_str);
        case.expectation = Expectation::Sat { model: self.witness.text(fresh) };
        case
    }
}

impl Mutator for DiverMutator {
    fn next_case(&mut self) -> Option<Case> {
        self.next_mutant()
    }

    /// Line 21 of Algorithm 1: a mutant that shows a bug does not join the pool. Which ones do is asked when the next formula is
    /// taken, since by then they have run.
    fn next_case_with(&mut self, questioner: &mut dyn Questioner) -> Option<Case> {
        if self.settings.forgets
            && self.is_done_with_base()
            && let Some(learned) = questioner.buggy_cases(self.calls)
        {
            self.forget(&learned.text.split_whitespace().filter_map(|number| number.parse().ok()).collect());
        }
        self.next_mutant()
    }
}
