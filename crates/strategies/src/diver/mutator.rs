//! A satisfiable seed under work: Algorithm 3, and the pool of Algorithm 1.

use super::DiverSettings;
use super::analysis::{Analysis, Constraint, TRUE};
use super::domain::Abstract;
use super::generate::Generator;
use super::witness::{Witness, limits, not_one_question};
use crate::draft::{Draft, Facts, Place, State};
use crate::random::Random;
use crate::strategy::{Mutator, Seed, Unfit};
use case::{Case, Expectation, Step};
use semantics::{Evaluator, Memory, Value};
use smt::{FixedState, Op, Signatures, Sort, Term, parse_term};
use std::collections::HashMap;
use std::sync::Arc;

/// How many formulas the pool holds beside the seed.
const POOL: usize = 32;
/// How many places are given up before a seed counts as exhausted.
const MOST_FAILURES: usize = 24;
/// Mutants of terms that lie deeper are looked at only if the constraint covers their value.
const DEEP: usize = 64;

/// How many terms were tried, and how many of them made the formula true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Terms that were put in the place of another.
    pub tries: u64,
    /// Those after which the formula was still true under the model.
    pub satisfiable: u64,
    /// Mutants that got fresh variables.
    pub complicated: u64,
    /// Values within the constraint after which the formula was false: the constraint was wrong.
    pub contradictions: u64,
}

/// An occurrence of a term with its constraint.
#[derive(Clone, Debug)]
pub struct Label {
    /// The term.
    pub term: String,
    /// The values that it may take.
    pub constraint: Abstract,
    /// How likely it is to be chosen.
    pub probability: f64,
}

/// What a trial of Proposition 1 came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trial {
    /// No term was made, its value is not in the constraint, or the formula has none that can be relied on.
    Silent,
    /// The value is in the constraint, and the formula is true.
    Holds,
    /// The value is in the constraint, and the formula is false.
    Fails {
        /// The term, the mutant and the constraint.
        what: String,
    },
}

/// A satisfiable seed under work by DIVER.
pub struct DiverMutator {
    signatures: Arc<Signatures>,
    pub(super) settings: DiverSettings,
    seed: Seed,
    pub(super) random: Random,
    pub(super) draft: Draft,
    generator: Generator,
    pub(super) witness: Witness,
    memory: Memory,
    analysis: Analysis,
    /// What fresh constants stand for, as `define-fun`s.
    pub(super) fresh: HashMap<Op, String, FixedState>,
    pub(super) fresh_count: u64,
    /// The seed and mutants of it, to be mutated further.
    pool: Vec<State>,
    base: usize,
    made: usize,
    tally: Tally,
}

/// A place that was chosen, with its constraint.
struct Target {
    place: Place,
    constraint: Constraint,
}

impl DiverMutator {
    /// Opens a seed of which models were learned, with one of those that our evaluation confirms.
    pub(super) fn open(
        signatures: &Arc<Signatures>,
        settings: &DiverSettings,
        seed: &Seed,
        mut random: Random,
    ) -> Result<DiverMutator, Unfit> {
        let (mut draft, script) = Draft::open_expanded(signatures, seed)?;
        if let Some(reason) = not_one_question(&script) {
            return Err(Unfit(reason.to_owned()));
        }
        let mut confirmed = Vec::new();
        let mut reason = "no solver gave a model of it".to_owned();
        let models =
            seed.learned.iter().filter(|learned| learned.sat == Some(true) && !learned.text.is_empty());
        for learned in models {
            match Witness::confirmed(&mut draft, &script, &learned.text) {
                Ok(witness) => confirmed.push(witness),
                Err(why) => reason = why,
            }
        }
        if confirmed.is_empty() {
            return Err(Unfit(reason));
        }
        let witness = confirmed.swap_remove(random.index(confirmed.len()));
        let mut solvers: Vec<String> = seed.learned.iter().map(|learned| learned.solver.clone()).collect();
        solvers.sort();
        solvers.dedup();
        let generator = Generator::new(&mut draft, &solvers);
        let mut mutator = DiverMutator {
            signatures: signatures.clone(),
            settings: settings.clone(),
            seed: seed.clone(),
            random,
            pool: vec![draft.state()],
            draft,
            generator,
            witness,
            memory: Memory::default(),
            analysis: Analysis::new(settings.weighted),
            fresh: HashMap::default(),
            fresh_count: 0,
            base: 0,
            made: 0,
            tally: Tally::default(),
        };
        mutator.add_model_values();
        Ok(mutator)
    }

    /// Everything anew, when memory asks for it.
    fn reopen(&mut self) -> Option<()> {
        let random = Random::new(self.random.bits());
        let tally = self.tally;
        *self =
            DiverMutator::open(&self.signatures.clone(), &self.settings.clone(), &self.seed.clone(), random)
                .ok()?;
        self.tally = tally;
        Some(())
    }

    /// The values of the model are constants that new terms may have.
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

    /// A value as a term, if there is one.
    pub(super) fn term_of(&mut self, value: &Value, sort: Sort) -> Option<Term> {
        if matches!(value, Value::Algebraic(_) | Value::Function(_) | Value::Element(..)) {
            return None;
        }
        let text = value.text(&self.draft.arena, sort);
        let term = parse_term(&mut self.draft.arena, &mut self.draft.scope, &text).ok()?;
        (self.draft.arena.sort(term) == sort).then_some(term)
    }

    /// What was tried so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Does something with the evaluator and the analysis, which keep what they find out.
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

    /// Line 1 of Algorithm 3: a place, with a probability by its weight. Half of the time any assertion is as likely as any other, so
    /// that small ones have their turn beside large ones.
    fn choose(&mut self) -> Option<Target> {
        let mut weights = self.weights();
        if self.settings.even && self.random.chance(1, 2) {
            weights.iter_mut().for_each(|weight| *weight = weight.signum());
        }
        let root = self.random.weighted(&weights)?;
        let slot = &self.draft.roots()[root];
        let mut place = Place { root, origin: slot.origin, nodes: vec![slot.term], ..Place::default() };
        let (mut term, mut constraint) = (slot.term, TRUE);
        loop {
            let children = self.draft.arena.children(term);
            let inner = |at: usize| self.analysis.inner(term, constraint, at);
            let weight = |at: usize| inner(at).map_or(0.0, |inner| self.analysis.total(children[at], inner));
            let mut weights = vec![self.analysis.own(term, constraint)];
            weights.extend((0..children.len()).map(weight));
            let chosen = self.random.weighted(&weights)?;
            if chosen == 0 {
                return Some(Target { place, constraint });
            }
            constraint = inner(chosen - 1)?;
            term = children[chosen - 1];
            place.path.push(chosen as u32 - 1);
            place.nodes.push(term);
        }
    }

    /// The choices of a new term.
    pub(super) fn bound(&self) -> u32 {
        self.settings.bound
    }

    /// A new term for a place.
    pub(super) fn new_term(&mut self, place: &Place, sort: Sort, bound: u32) -> Option<Term> {
        self.generator.term(&mut self.draft, place, sort, bound, &mut self.random)
    }

    /// GenMutant: chooses a place and tries terms there until one keeps the formula true.
    fn mutate(&mut self) -> bool {
        if self.settings.balance && self.random.chance(1, 4) {
            return self.balance();
        }
        let Some(target) = self.choose() else { return false };
        let old = target.place.term();
        let sort = self.draft.arena.sort(old);
        for _ in 0..self.settings.tries {
            let made = self.new_term(&target.place, sort, self.settings.bound);
            self.tally.tries += 1;
            let Some(new) = made.filter(|&new| new != old) else { continue };
            if self.accept(&target, new) {
                self.tally.satisfiable += 1;
                return true;
            }
        }
        false
    }

    /// Takes a mutant into the script if the formula is true with it.
    fn accept(&mut self, target: &Target, new: Term) -> bool {
        let value = self.value(new);
        let covered = value.as_ref().is_some_and(|value| self.analysis.contains(target.constraint, value));
        if !covered && target.place.path.len() > DEEP {
            return false;
        }
        let root = self.draft.rebuilt(&target.place, new);
        match self.value(root) {
            Some(Value::Bool(true)) => {}
            other => {
                self.tally.contradictions += u64::from(covered && other.is_some());
                return false;
            }
        }
        let step = Step {
            action: "replace".into(),
            before: self.draft.shown(target.place.term()),
            after: self.draft.shown(new),
        };
        if self.settings.complicate && self.random.chance(1, 2) {
            let (fresh, numbers_only) = (self.settings.fresh, self.settings.numbers_only);
            if let Some((root, additions)) = self.complicate(&target.place, root, new, fresh, numbers_only) {
                let step = Step { action: "complicate".into(), ..step.clone() };
                if self.draft.commit_with(target.place.root, root, &additions, step) {
                    self.tally.complicated += 1;
                    return true;
                }
            }
        }
        let additions = self.additions();
        self.draft.commit_with(target.place.root, root, &additions, step)
    }

    /// The constraint of a place inside a formula that has to be true.
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

    /// All occurrences of terms in the assertions with their constraints and probabilities, up to `most` of them.
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

    /// One trial of Proposition 1: a new term at a random place; if its value is in the constraint, the formula is true.
    pub fn trial(&mut self) -> Trial {
        let Some(target) = self.choose() else { return Trial::Silent };
        let sort = self.draft.arena.sort(target.place.term());
        let Some(new) = self.new_term(&target.place, sort, self.settings.bound) else {
            return Trial::Silent;
        };
        let Some(value) = self.value(new) else { return Trial::Silent };
        if !self.analysis.contains(target.constraint, &value) {
            return Trial::Silent;
        }
        let root = self.draft.rebuilt(&target.place, new);
        match self.value(root) {
            Some(Value::Bool(false)) => {}
            Some(_) => return Trial::Holds,
            // Parts without a value can keep ours from being sure of the whole.
            None => return Trial::Silent,
        }
        let text = |term: Term| self.draft.arena.term_text(term);
        let set = self.analysis.set(target.constraint);
        let what = format!(
            "{} -> {} = {value:?} within {set:?}, in {}",
            text(target.place.term()),
            text(new),
            text(self.draft.roots()[target.place.root].term)
        );
        Trial::Fails { what }
    }

    /// The next satisfiable mutant.
    pub fn next_mutant(&mut self) -> Option<Case> {
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

    /// How many mutations the next mutant has: one more is half as likely. Much that a single change shows is hidden by the next.
    fn steps(&mut self) -> u64 {
        let mut steps = 1;
        while steps < self.settings.steps && self.random.chance(1, 2) {
            steps += 1;
        }
        steps
    }

    /// Goes back to the formula whose turn it is; after enough mutants of it another one has its turn, which is half of the time
    /// the seed: from there all that is near is reached, from the rest of the pool what lies further away.
    fn take_base(&mut self) -> Option<()> {
        if self.draft.has_grown() || self.analysis.is_full() {
            self.reopen()?;
        }
        if self.made >= self.settings.mutants.max(1) {
            self.made = 0;
            self.base = if self.random.chance(1, 2) { 0 } else { self.random.index(self.pool.len()) };
        }
        self.draft.restore(&self.pool[self.base]);
        Some(())
    }

    /// Puts the mutant into the pool; the seed stays there for ever.
    fn remember(&mut self) {
        let state = self.draft.state();
        if self.pool.len() <= POOL {
            self.pool.push(state);
            return;
        }
        let at = 1 + self.random.index(POOL);
        // The formula whose turn it is stays until its turn is over.
        if at != self.base {
            self.pool[at] = state;
        }
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
}
