//! OpFuzz: type-aware operator mutation.
//!
//! Replaces an operator by another one with the same argument sorts and the same result sort. The arguments stay.

use crate::api::{CONTINUED_TURNS, Mutator, Strategy, Unsuitable};
use crate::kit::chain::{self, Chain};
use crate::kit::draft::{Draft, Position, mark};
use crate::kit::operators::{ByArguments, Permission};
use crate::kit::random::Random;
use crate::kit::related_sorts;
use case::{Case, Seed};
use smt::{Binder, Signatures, Sort, Term, View};
use std::sync::Arc;

/// The strategy `opfuzz`.
pub struct OpFuzz {
    signatures: Arc<Signatures>,
}

impl OpFuzz {
    /// OpFuzz over these operators.
    pub fn new(signatures: Arc<Signatures>) -> Self {
        OpFuzz { signatures }
    }
}

impl Strategy for OpFuzz {
    fn name(&self) -> &str {
        "opfuzz"
    }

    fn continued_turns(&self) -> u64 {
        CONTINUED_TURNS
    }

    fn open(&self, seed: &Seed, mut random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        let (draft, operators) = open(&self.signatures, seed)?;
        Ok(Box::new(OpFuzzMutator {
            signatures: self.signatures.clone(),
            seed: seed.clone(),
            head_start: chain::head_start(&mut random),
            random,
            draft,
            operators,
            position: Position::default(),
            sorts: Vec::new(),
            args: Vec::new(),
        }))
    }
}

fn open(signatures: &Arc<Signatures>, seed: &Seed) -> Result<(Draft, ByArguments), Unsuitable> {
    let mut draft = Draft::open(signatures, seed)?;
    let sorts = related_sorts::of_seed(&mut draft, false);
    let scope = draft.scope.clone();
    let permission = Permission::of(&draft, &scope, false);
    let operators = ByArguments::new(&mut draft, &sorts, &permission);
    Ok((draft, operators))
}

/// Mutates a seed with OpFuzz.
struct OpFuzzMutator {
    signatures: Arc<Signatures>,
    seed: Seed,
    random: Random,
    /// The number of mutations before the first case.
    head_start: usize,
    draft: Draft,
    operators: ByArguments,
    position: Position,
    sorts: Vec<Sort>,
    args: Vec<Term>,
}

impl Mutator for OpFuzzMutator {
    fn next_case(&mut self) -> Option<Case> {
        let head_start = std::mem::take(&mut self.head_start);
        chain::advance(self, head_start)?;
        Some(self.draft.case())
    }
}

impl Chain for OpFuzzMutator {
    fn mutate(&mut self) -> bool {
        if !self.draft.choose(&mut self.random, &mut self.position) || self.position.values_only {
            return false;
        }
        let term = self.position.term();
        match self.draft.arena.view(term) {
            View::App(_, args) => {
                self.args.clear();
                self.args.extend_from_slice(args);
                self.change_operator(term)
            }
            View::Binder { kind: kind @ (Binder::Forall | Binder::Exists), variables, bodies } => {
                let (variables, body) = (variables.to_vec(), bodies[0]);
                let other = if kind == Binder::Forall { Binder::Exists } else { Binder::Forall };
                let new = self.draft.arena.quantifier(other, &variables, body);
                self.draft.replace(&self.position, new, "operator")
            }
            _ => false,
        }
    }

    fn steps(&self) -> usize {
        self.draft.steps()
    }

    fn restart(&mut self) -> Option<()> {
        if self.draft.restart() {
            (self.draft, self.operators) = open(&self.signatures, &self.seed).ok()?;
        }
        Some(())
    }
}

impl OpFuzzMutator {
    fn change_operator(&mut self, term: Term) -> bool {
        let draft = &mut self.draft;
        let result = draft.arena.sort(term);
        if self.args.is_empty() && draft.facts.of(&draft.arena, term).marks & mark::VALUE == 0 {
            return false;
        }
        self.sorts.clear();
        self.sorts.extend(self.args.iter().map(|&arg| draft.arena.sort(arg)));
        self.sorts.push(result);
        let choices = self.operators.of(draft, &self.sorts);
        let Some(choice) = self.random.pick(&choices) else { return false };
        if !self.position.admits(&choice.fact) {
            return false;
        }
        match choice.apply(&mut draft.arena, &self.args, &mut self.random) {
            Some(new) if new != term => draft.replace(&self.position, new, "operator"),
            _ => false,
        }
    }
}
