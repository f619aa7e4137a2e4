//! Generates terms (line 3 of Algorithm 3): random operators, variables and constants up to a bound, then only variables and
//! constants.

use crate::kit::constants::Constants;
use crate::kit::draft::{Draft, Position, mark};
use crate::kit::operators::{ByResult, Instance, Permission};
use crate::kit::random::Random;
use crate::kit::related_sorts;
use smt::{FixedState, Sort, Term, View};
use std::collections::HashMap;

/// The number of redraws of an operator that takes only Booleans.
const ATOM_DRAWS: usize = 4;

/// Generates terms.
pub(super) struct Generator {
    pub(super) operators: ByResult,
    pub(super) constants: Constants,
    pub(super) variables: HashMap<Sort, Vec<Term>, FixedState>,
    pub(super) values: HashMap<Sort, Vec<Term>, FixedState>,
    /// The solvers whose own operators may occur, as bits.
    pub(super) solvers: u32,
    /// Whether to prefer relations, repeated parts, solver-specific operators and boundary values to what the paper draws.
    biased: bool,
}

/// Where a term is needed.
struct Request<'a> {
    draft: &'a mut Draft,
    position: &'a Position,
    random: &'a mut Random,
    /// The number of choices left before only variables and constants are used.
    left: u32,
    /// The parts generated so far.
    made: Vec<Term>,
}

impl Generator {
    /// A generator for a seed. Solver-specific operators may occur if `solvers` names the solver, or if it is empty. Without
    /// `biased`, all operators are equally likely, and constants come from the formula and its model.
    pub fn new(draft: &mut Draft, solvers: &[String], biased: bool) -> Generator {
        let sorts = related_sorts::of_seed(draft, true);
        let needs = draft.needs();
        let named = draft.facts.solver_set(solvers);
        let solvers = if named == 0 { needs.solvers } else { needs.solvers & named };
        let scope = draft.scope.clone();
        let permission = Permission::of(draft, &scope, true);
        let operators = ByResult::new(draft, &sorts, &permission);
        let constants = Constants::new(&mut draft.arena, &sorts);
        let mut generator = Generator {
            operators,
            constants,
            variables: HashMap::default(),
            values: HashMap::default(),
            solvers,
            biased,
        };
        for sort in draft.pool.sorts().to_vec() {
            for term in draft.pool.of(sort).to_vec() {
                if draft.facts.of(&draft.arena, term).marks & mark::VALUE != 0 {
                    generator.values.entry(sort).or_default().push(term);
                } else if matches!(draft.arena.view(term), View::App(_, [])) {
                    generator.variables.entry(sort).or_default().push(term);
                }
            }
        }
        generator
    }

    /// The variables of the seed, by sort, in a fixed order.
    pub fn variables(&self, draft: &Draft) -> Vec<Term> {
        let sorts = draft.pool.sorts().iter();
        sorts.filter_map(|sort| self.variables.get(sort)).flatten().copied().collect()
    }

    /// Adds a constant, such as a value of the model.
    pub fn add_value(&mut self, sort: Sort, term: Term) {
        let values = self.values.entry(sort).or_default();
        if !values.contains(&term) {
            values.push(term);
        }
    }

    /// A new term of a sort for a position, with at most `bound` choices besides leaves.
    pub fn term(
        &self,
        draft: &mut Draft,
        position: &Position,
        sort: Sort,
        bound: u32,
        random: &mut Random,
    ) -> Option<Term> {
        let term =
            self.grow(&mut Request { draft, position, random, left: bound, made: Vec::new() }, sort)?;
        // Constants and operators may use sorts that are declared later.
        draft.usable(position, term).then_some(term)
    }

    /// Recursion is bounded by the number of choices.
    fn grow(&self, request: &mut Request<'_>, sort: Sort) -> Option<Term> {
        if self.biased
            && let Some(term) = again(request, sort)
        {
            return Some(term);
        }
        let term = if request.left == 0 {
            self.leaf(request, sort)
        } else {
            request.left -= 1;
            // A variable or a value as a Boolean is less interesting than at other sorts.
            let applications = if sort == Sort::BOOL { 8 } else { 6 };
            match request.random.below(10) {
                draw if draw < applications => {
                    self.application(request, sort).or_else(|| self.leaf(request, sort))
                }
                draw if draw % 2 == 0 => self.variable(request, sort).or_else(|| self.leaf(request, sort)),
                _ => self.constant(request, sort).or_else(|| self.leaf(request, sort)),
            }
        };
        request.made.extend(term);
        term
    }

    fn application(&self, request: &mut Request<'_>, sort: Sort) -> Option<Term> {
        let instance = self.operator(request, sort)?;
        if !request.position.admits(&instance.fact) {
            return None;
        }
        let mut args = Vec::with_capacity(instance.most);
        let count = instance.draw_count(request.random);
        for (sort, value) in instance.slots(count) {
            args.push(if value { self.constant(request, sort) } else { self.grow(request, sort) }?);
        }
        instance.apply(&mut request.draft.arena, &args, request.random)
    }

    /// A random operator. Most Boolean ones should relate other sorts: nested connectives lead nowhere.
    fn operator(&self, request: &mut Request<'_>, sort: Sort) -> Option<&Instance> {
        let relation = self.biased && sort == Sort::BOOL && request.random.chance(3, 4);
        let mut drawn = self.drawn(request, sort);
        for _ in 0..ATOM_DRAWS {
            let relates = |instance: &Instance| instance.args.iter().any(|&arg| arg != Sort::BOOL);
            if !relation || drawn.is_some_and(relates) {
                break;
            }
            drawn = self.drawn(request, sort);
        }
        drawn
    }

    fn drawn(&self, request: &mut Request<'_>, sort: Sort) -> Option<&Instance> {
        let groups = self.operators.of(sort)?;
        let random = &mut *request.random;
        let (common, specific) = (groups.common.len(), groups.specific.len());
        let own = match self.biased {
            true => random.chance(1, 4),
            false => random.index(common + specific) >= common,
        };
        let group = match random.pick(if own { &groups.specific } else { &groups.common }) {
            Some(group) => group,
            None => random.pick(&groups.common).or_else(|| random.pick(&groups.specific))?,
        };
        let instance = random.pick(&group.instances)?;
        // An operator that none of the available solvers supports is useless.
        (instance.fact.solvers & self.solvers != 0).then_some(instance)
    }

    /// A variable of the seed, or a fresh one.
    fn variable(&self, request: &mut Request<'_>, sort: Sort) -> Option<Term> {
        let fresh = request.draft.declared_of(sort);
        let own = self.variables.get(&sort).map_or(&[][..], Vec::as_slice);
        let at = request.random.index(own.len() + fresh.len());
        let term = *own.get(at).or_else(|| fresh.get(at.wrapping_sub(own.len())))?;
        request.draft.usable(request.position, term).then_some(term)
    }

    fn constant(&self, request: &mut Request<'_>, sort: Sort) -> Option<Term> {
        if (!self.biased || request.random.chance(2, 3))
            && let Some(values) = self.values.get(&sort)
            && let Some(&term) = request.random.pick(values)
            && request.draft.usable(request.position, term)
        {
            return Some(term);
        }
        self.constants.pick(&mut request.draft.arena, sort, request.random)
    }

    fn leaf(&self, request: &mut Request<'_>, sort: Sort) -> Option<Term> {
        if request.random.chance(2, 3) {
            return self.variable(request, sort).or_else(|| self.constant(request, sort));
        }
        self.constant(request, sort).or_else(|| self.variable(request, sort))
    }
}

/// One time in five, repeats a part of the term. Simplifiers look for repeated terms.
fn again(request: &mut Request<'_>, sort: Sort) -> Option<Term> {
    if request.made.is_empty() || !request.random.chance(1, 5) {
        return None;
    }
    let made = request.made.iter().copied().filter(|&term| request.draft.arena.sort(term) == sort);
    let made: Vec<Term> = made.collect();
    request.random.pick(&made).copied()
}
