//! Makes weaker and stronger formulas of one seed.

use super::ApproximateSettings;
use super::order::{Direction, places, shorten};
use super::rules::Maker;
use crate::api::{Mutator, Unsuitable};
use crate::kit::draft::{Draft, Position, mark};
use crate::kit::evaluation::{limits, not_one_question};
use crate::kit::random::Random;
use crate::kit::witness::Witness;
use case::{Case, Expectation, Seed};
use semantics::{Evaluator, Memory, Value};
use smt::{Command, Script, Signatures, Sort};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The number of attempts at a step.
const TRIES: usize = 12;
/// The number of attempts at a case.
const ATTEMPTS: usize = 6;
/// One step in this many adds or removes an assertion.
const WHOLE: u64 = 8;

/// What is known of the seed.
enum Known {
    /// This model satisfies it.
    Sat(Box<Witness>),
    /// It is unsatisfiable, by these solvers.
    Unsat(Vec<String>),
    /// Nothing, or solvers contradict each other.
    Nothing,
}

/// Makes weaker and stronger formulas of one seed.
pub(super) struct ApproximateMutator {
    signatures: Arc<Signatures>,
    settings: ApproximateSettings,
    seed: Seed,
    random: Random,
    draft: Draft,
    known: Known,
    /// The names that the script declares.
    declared: BTreeSet<String>,
    memory: Memory,
    position: Position,
    /// Whether the formulas of this chain become weaker or stronger.
    direction: Direction,
    /// The number of cases that are left of this chain.
    left: usize,
}

impl ApproximateMutator {
    pub fn open(
        signatures: &Arc<Signatures>,
        settings: &ApproximateSettings,
        seed: &Seed,
        mut random: Random,
    ) -> Result<ApproximateMutator, Unsuitable> {
        let (mut draft, script) = Draft::open_expanded(signatures, seed)?;
        if let Some(reason) = not_one_question(&script) {
            return Err(Unsuitable(reason.to_owned()));
        }
        let says = |sat: bool| seed.learned.iter().filter(move |learned| learned.sat == Some(sat));
        let (sat, unsat) = (says(true).next().is_some(), says(false).next().is_some());
        let known = match (sat, unsat) {
            (true, false) => Witness::of_seed(&mut draft, &script, seed, &mut random)
                .map_or(Known::Nothing, |witness| Known::Sat(Box::new(witness))),
            (false, true) => {
                let solvers: BTreeSet<String> = says(false).map(|learned| learned.solver.clone()).collect();
                Known::Unsat(solvers.into_iter().collect())
            }
            _ => Known::Nothing,
        };
        Ok(ApproximateMutator {
            signatures: signatures.clone(),
            settings: settings.clone(),
            seed: seed.clone(),
            random,
            declared: declared(&draft, &script),
            draft,
            known,
            memory: Memory::default(),
            position: Position::default(),
            direction: Direction::Up,
            left: 0,
        })
    }

    /// Starts over from the seed.
    fn begin_chain(&mut self) -> Option<()> {
        if self.draft.restart() {
            let random = Random::new(self.random.bits());
            let (signatures, settings) = (self.signatures.clone(), self.settings.clone());
            *self = ApproximateMutator::open(&signatures, &settings, &self.seed.clone(), random).ok()?;
        }
        let other = self.random.chance(self.settings.other, 100);
        self.direction = match &self.known {
            Known::Sat(_) if !other => Direction::Up,
            Known::Unsat(_) if !other => Direction::Down,
            Known::Sat(_) => Direction::Down,
            Known::Unsat(_) => Direction::Up,
            Known::Nothing if self.random.chance(1, 2) => Direction::Up,
            Known::Nothing => Direction::Down,
        };
        self.left = self.settings.chain.max(1);
        Some(())
    }

    /// The answer that follows from that of the seed.
    fn expectation(&self) -> Expectation {
        match (&self.known, self.direction) {
            (Known::Sat(witness), Direction::Up) => {
                Expectation::Sat { model: witness.text(std::iter::empty()) }
            }
            (Known::Unsat(solvers), Direction::Down) => Expectation::Unsat {
                reason: format!("it implies the seed, which is unsat by {}", solvers.join(" and ")),
            },
            _ => Expectation::Unknown,
        }
    }

    /// Makes the formula weaker or stronger.
    fn step(&mut self) -> bool {
        if self.random.chance(1, WHOLE) {
            return match self.direction {
                Direction::Up => {
                    let root = self.random.index(self.draft.roots().len());
                    self.draft.remove_assertion(root)
                }
                Direction::Down => self.add_assertion(),
            };
        }
        if !self.draft.choose(&mut self.random, &mut self.position)
            || !self.draft.is_assertion(self.position.root)
        {
            return false;
        }
        let places = places(&self.draft.arena, &self.position, self.direction);
        let deepest = places.len() - 1;
        // Most terms are deep down; formulas get a share, too.
        let depth = if self.random.chance(1, 2) { deepest } else { self.random.index(places.len()) };
        let values_only = depth == deepest && self.position.values_only;
        shorten(&self.draft.arena, &mut self.position, depth);
        let old = self.position.term();
        if values_only || self.draft.facts.of(&self.draft.arena, old).marks & mark::NAMED != 0 {
            return false;
        }
        let mut maker = Maker {
            draft: &mut self.draft,
            position: &self.position,
            random: &mut self.random,
            declared: &self.declared,
        };
        let Some(new) = maker.make(places[depth]) else { return false };
        let action = if self.direction == Direction::Up { "weaken" } else { "strengthen" };
        let before = self.draft.state();
        if new == old || !self.draft.replace(&self.position, new, action) {
            return false;
        }
        if self.is_confirmed(self.position.root) {
            return true;
        }
        self.draft.restore(&before);
        false
    }

    fn add_assertion(&mut self) -> bool {
        let at = self.random.index(self.draft.assertion_slots());
        let Some(position) = self.draft.assertion_slot(at) else { return false };
        let Some(&term) = self.random.pick(self.draft.pool.of(Sort::BOOL)) else { return false };
        self.draft.usable(&position, term) && self.draft.add_assertion(at, term)
    }

    /// Whether a changed assertion is true under the model, if it has to be.
    fn is_confirmed(&mut self, root: usize) -> bool {
        let (Known::Sat(witness), Direction::Up) = (&self.known, self.direction) else { return true };
        let memory = std::mem::take(&mut self.memory);
        let mut evaluator =
            Evaluator::resume(&self.draft.arena, &witness.model, &witness.definitions, memory)
                .with_limits(limits());
        let value = evaluator.evaluate(self.draft.roots()[root].term);
        self.memory = evaluator.into_memory();
        value == Ok(Value::Bool(true))
    }
}

/// The names of the functions and constants of a script.
fn declared(draft: &Draft, script: &Script) -> BTreeSet<String> {
    let name = |op| draft.arena.op_name(op).to_owned();
    let mut names = BTreeSet::new();
    for command in &script.commands {
        match command {
            Command::Declare(_, op) => names.extend([name(*op)]),
            Command::Define(_, definitions) => {
                names.extend(definitions.iter().map(|definition| name(definition.op)));
            }
            _ => {}
        }
    }
    names
}

impl Mutator for ApproximateMutator {
    fn next_case(&mut self) -> Option<Case> {
        for _ in 0..ATTEMPTS {
            if self.left == 0 {
                self.begin_chain()?;
            }
            self.left -= 1;
            let steps = 1 + self.random.index(self.settings.steps.max(1));
            let mut is_changed = false;
            for _ in 0..steps {
                is_changed |= (0..TRIES).any(|_| self.step());
            }
            if is_changed {
                let expectation = self.expectation();
                return Some(Case { expectation, ..self.draft.case() });
            }
            self.left = 0;
        }
        None
    }
}
