//! New terms (line 3 of Algorithm 3): operators, variables and constants at random until a bound is reached, then variables
//! and constants alone.

use crate::constants::Constants;
use crate::draft::{Draft, Place, mark};
use crate::operators::{ByResult, Instance, Permission};
use crate::random::Random;
use crate::related;
use smt::{FixedState, Sort, Term, View};
use std::collections::HashMap;

/// How often an operator is drawn again that gives a truth value from truth values alone.
const ATOM_DRAWS: usize = 4;

/// Makes terms.
pub(super) struct Generator {
    operators: ByResult,
    constants: Constants,
    variables: HashMap<Sort, Vec<Term>, FixedState>,
    values: HashMap<Sort, Vec<Term>, FixedState>,
    /// The solvers for which operators of their own may come in, as bits.
    solvers: u32,
}

/// What a term is made for.
struct Request<'a> {
    draft: &'a mut Draft,
    place: &'a Place,
    random: &'a mut Random,
    /// How many choices are left before only variables and constants are taken.
    left: u32,
    /// The parts that the term has so far.
    made: Vec<Term>,
}

impl Generator {
    /// A generator for a seed. Operators of one solver come in if that solver is among those that are named; all may if none is.
    pub fn new(draft: &mut Draft, solvers: &[String]) -> Generator {
        let sorts = related::sorts(draft, true);
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

    /// A new term of a sort for a place, with at most `bound` choices of anything but leaves.
    pub fn term(
        &self,
        draft: &mut Draft,
        place: &Place,
        sort: Sort,
        bound: u32,
        random: &mut Random,
    ) -> Option<Term> {
        let term = self.grow(&mut Request { draft, place, random, left: bound, made: Vec::new() }, sort)?;
        // Constants and operators may speak of sorts that are declared only later.
        draft.usable(place, term).then_some(term)
    }

    /// Recursion is bounded by the number of choices.
    fn grow(&self, request: &mut Request<'_>, sort: Sort) -> Option<Term> {
        if let Some(term) = again(request, sort) {
            return Some(term);
        }
        let term = if request.left == 0 {
            self.leaf(request, sort)
        } else {
            request.left -= 1;
            // A name or a value says less in the place of a truth value than anywhere else.
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
        if !instance.fact.fits(request.place) {
            return None;
        }
        let mut args = Vec::with_capacity(instance.most);
        for (sort, value) in instance.slots(request.random) {
            args.push(if value { self.constant(request, sort) } else { self.grow(request, sort) }?);
        }
        instance.apply(&mut request.draft.arena, &args, request.random)
    }

    /// An operator. Of those that give a truth value, most are to relate other things: connectives of connectives come to nothing.
    fn operator(&self, request: &mut Request<'_>, sort: Sort) -> Option<&Instance> {
        let relation = sort == Sort::BOOL && request.random.chance(3, 4);
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
        let own = random.chance(1, 4);
        let group = match random.pick(if own { &groups.specific } else { &groups.common }) {
            Some(group) => group,
            None => random.pick(&groups.common).or_else(|| random.pick(&groups.specific))?,
        };
        let instance = random.pick(&group.instances)?;
        // An operator that none of the solvers in hand knows is of no use.
        (instance.fact.solvers & self.solvers != 0).then_some(instance)
    }

    /// A variable of the seed or one that mutations brought in.
    fn variable(&self, request: &mut Request<'_>, sort: Sort) -> Option<Term> {
        let fresh = request.draft.declared_of(sort);
        let own = self.variables.get(&sort).map_or(&[][..], Vec::as_slice);
        let at = request.random.index(own.len() + fresh.len());
        let term = *own.get(at).or_else(|| fresh.get(at.wrapping_sub(own.len())))?;
        request.draft.usable(request.place, term).then_some(term)
    }

    fn constant(&self, request: &mut Request<'_>, sort: Sort) -> Option<Term> {
        if request.random.chance(2, 3)
            && let Some(values) = self.values.get(&sort)
            && let Some(&term) = request.random.pick(values)
            && request.draft.usable(request.place, term)
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

/// One time in five, a part of the term that is there already, whatever it is: simplifications look for what occurs twice.
fn again(request: &mut Request<'_>, sort: Sort) -> Option<Term> {
    if request.made.is_empty() || !request.random.chance(1, 5) {
        return None;
    }
    let made = request.made.iter().copied().filter(|&term| request.draft.arena.sort(term) == sort);
    let made: Vec<Term> = made.collect();
    request.random.pick(&made).copied()
}
