//! Generates expressions: the paper's GetReplacee (Algorithm 2), with nesting and new constants.

use super::TypeFuzzSettings;
use crate::kit::constants::Constants;
use crate::kit::draft::{Draft, Position, mark};
use crate::kit::operators::{ByResult, Instance};
use crate::kit::random::Random;
use smt::{Sort, Term};

/// The number of random tries before all candidates are listed.
const QUICK_TRIES: usize = 6;

/// One operator in this many is solver-specific. It is rare because the rest of the chain then suits only these solvers, and
/// fewer are left to contradict each other.
const SPECIFIC: u64 = 48;

/// Generates expressions.
pub(super) struct Generator {
    operators: ByResult,
    constants: Constants,
    nesting: u32,
    solver_specific: bool,
    more_arguments: bool,
}

/// Where an expression is needed.
struct Request<'a> {
    draft: &'a mut Draft,
    position: &'a Position,
    /// The replaced expression. It is never an argument of the new one, as in the paper.
    replaced: Option<Term>,
    random: &'a mut Random,
}

impl Generator {
    pub fn new(operators: ByResult, constants: Constants, settings: &TypeFuzzSettings) -> Self {
        Generator {
            operators,
            constants,
            nesting: settings.nesting.max(1),
            solver_specific: settings.solver_specific,
            more_arguments: settings.more_arguments,
        }
    }

    /// A new expression of a sort for a position: an operator with arguments.
    pub fn expression(
        &self,
        draft: &mut Draft,
        position: &Position,
        replaced: Option<Term>,
        sort: Sort,
        random: &mut Random,
    ) -> Option<Term> {
        self.application(&mut Request { draft, position, replaced, random }, sort, 1)
    }

    /// A value of a sort: one of the formula's or a new one.
    pub fn value(
        &self,
        draft: &mut Draft,
        position: &Position,
        sort: Sort,
        random: &mut Random,
    ) -> Option<Term> {
        self.literal(&mut Request { draft, position, replaced: None, random }, sort)
    }

    fn application(&self, request: &mut Request<'_>, sort: Sort, depth: u32) -> Option<Term> {
        let instance = self.operator(request, sort)?;
        if !request.position.admits(&instance.fact) {
            return None;
        }
        let mut args = Vec::with_capacity(instance.most);
        let count =
            if self.more_arguments { instance.draw_count(request.random) } else { instance.args.len() };
        for (sort, value) in instance.slots(count) {
            let arg = if value { self.literal(request, sort) } else { self.argument(request, sort, depth) };
            args.push(arg?);
        }
        instance.apply(&mut request.draft.arena, &args, request.random)
    }

    fn operator(&self, request: &mut Request<'_>, sort: Sort) -> Option<&Instance> {
        let groups = self.operators.of(sort)?;
        let random = &mut *request.random;
        let specific = self.solver_specific && random.chance(1, SPECIFIC);
        let group = match random.pick(if specific { &groups.specific } else { &groups.common }) {
            Some(group) => group,
            None => random.pick(&groups.common).or_else(|| random.pick(&groups.specific))?,
        };
        random.pick(&group.instances)
    }

    fn argument(&self, request: &mut Request<'_>, sort: Sort, depth: u32) -> Option<Term> {
        if depth < self.nesting
            && request.random.chance(1, 8)
            && let Some(term) = self.application(request, sort, depth + 1)
        {
            return Some(term);
        }
        if request.random.chance(1, 7)
            && let Some(term) = self.constants.pick(&mut request.draft.arena, sort, request.random)
        {
            return Some(term);
        }
        if let Some(term) = self.pooled(request, sort, 0) {
            return Some(term);
        }
        // No expression of the formula fits, so generate one.
        if depth < self.nesting
            && request.random.chance(2, 3)
            && let Some(term) = self.application(request, sort, depth + 1)
        {
            return Some(term);
        }
        self.constants.pick(&mut request.draft.arena, sort, request.random)
    }

    /// An expression of the formula that may occur at the position and has the wanted marks.
    fn pooled(&self, request: &mut Request<'_>, sort: Sort, marks: u32) -> Option<Term> {
        let Request { draft, position, replaced, random } = request;
        let count = draft.pool.of(sort).len();
        if count == 0 {
            return None;
        }
        let fits = |draft: &mut Draft, at: usize| {
            let term = draft.pool.of(sort)[at];
            let wanted = marks == 0 || draft.facts.of(&draft.arena, term).marks & marks == marks;
            (wanted && Some(term) != *replaced && draft.usable(position, term)).then_some(term)
        };
        for _ in 0..QUICK_TRIES {
            let at = random.index(count);
            if let Some(term) = fits(draft, at) {
                return Some(term);
            }
        }
        let choices: Vec<Term> = (0..count).filter_map(|at| fits(draft, at)).collect();
        random.pick(&choices).copied()
    }

    fn literal(&self, request: &mut Request<'_>, sort: Sort) -> Option<Term> {
        if request.random.chance(1, 2)
            && let Some(term) = self.constants.pick(&mut request.draft.arena, sort, request.random)
        {
            return Some(term);
        }
        let pooled = self.pooled(request, sort, mark::VALUE);
        pooled.or_else(|| self.constants.pick(&mut request.draft.arena, sort, request.random))
    }

    /// An expression of the formula that may occur at a position.
    pub fn pool_expression(
        &self,
        draft: &mut Draft,
        position: &Position,
        sort: Sort,
        random: &mut Random,
    ) -> Option<Term> {
        let request = &mut Request { draft, position, replaced: None, random };
        let pooled = self.pooled(request, sort, 0);
        pooled.or_else(|| self.constants.pick(&mut request.draft.arena, sort, request.random))
    }
}
