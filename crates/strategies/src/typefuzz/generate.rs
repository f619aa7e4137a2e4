//! Algorithm 2's GetReplacee, and what lies beyond it: nesting and constants.

use super::TypeFuzzSettings;
use crate::constants::Constants;
use crate::draft::{Draft, Place, mark};
use crate::operators::{ByResult, Instance};
use crate::random::Random;
use smt::{Sort, Term};

/// How many expressions are tried before the choices are looked through one by one.
const QUICK_TRIES: usize = 6;

/// One operator in so many is taken from those that only some solvers know. Rarely, since the rest of the chain is then for
/// these solvers alone, and fewer are left to contradict each other.
const SPECIFIC: u64 = 48;

/// Makes expressions.
pub(super) struct Generator {
    operators: ByResult,
    constants: Constants,
    nesting: u32,
    solver_specific: bool,
}

/// What an expression is made for.
struct Request<'a> {
    draft: &'a mut Draft,
    place: &'a Place,
    /// What stands there now, which is no argument (as in the paper).
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
        }
    }

    /// A new expression of a sort for a place: an operator and arguments.
    pub fn expression(
        &self,
        draft: &mut Draft,
        place: &Place,
        replaced: Option<Term>,
        sort: Sort,
        random: &mut Random,
    ) -> Option<Term> {
        self.application(&mut Request { draft, place, replaced, random }, sort, 1)
    }

    /// A value of a sort: one of the formula's, or a new one.
    pub fn value(&self, draft: &mut Draft, place: &Place, sort: Sort, random: &mut Random) -> Option<Term> {
        self.literal(&mut Request { draft, place, replaced: None, random }, sort)
    }

    fn application(&self, request: &mut Request<'_>, sort: Sort, depth: u32) -> Option<Term> {
        let instance = self.operator(request, sort)?;
        if !instance.fact.fits(request.place) {
            return None;
        }
        let mut args = Vec::with_capacity(instance.most);
        for (sort, value) in instance.slots(request.random) {
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
        if let Some(term) = self.own(request, sort, 0) {
            return Some(term);
        }
        // No expression of the formula fits: one has to be made.
        if depth < self.nesting
            && request.random.chance(2, 3)
            && let Some(term) = self.application(request, sort, depth + 1)
        {
            return Some(term);
        }
        self.constants.pick(&mut request.draft.arena, sort, request.random)
    }

    /// One of the formula's own expressions that may stand at the place and has the wanted marks.
    fn own(&self, request: &mut Request<'_>, sort: Sort, marks: u32) -> Option<Term> {
        let Request { draft, place, replaced, random } = request;
        let count = draft.pool.of(sort).len();
        if count == 0 {
            return None;
        }
        let fits = |draft: &mut Draft, at: usize| {
            let term = draft.pool.of(sort)[at];
            let wanted = marks == 0 || draft.facts.of(&draft.arena, term).marks & marks == marks;
            (wanted && Some(term) != *replaced && draft.usable(place, term)).then_some(term)
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
        let own = self.own(request, sort, mark::VALUE);
        own.or_else(|| self.constants.pick(&mut request.draft.arena, sort, request.random))
    }

    /// An expression of the formula that may stand at a place.
    pub fn own_expression(
        &self,
        draft: &mut Draft,
        place: &Place,
        sort: Sort,
        random: &mut Random,
    ) -> Option<Term> {
        let request = &mut Request { draft, place, replaced: None, random };
        let own = self.own(request, sort, 0);
        own.or_else(|| self.constants.pick(&mut request.draft.arena, sort, request.random))
    }
}
