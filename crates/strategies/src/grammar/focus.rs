//! Draws the operators that a universe is made for: by name, so that a rare operator comes up as often as a common one.
//!
//! Each comes as a pair with an operator that one of its arguments can be, so that pairs from different theories meet.

use super::universe::{DEEPEST, Drawing, NOT_GENERATED};
use crate::kit::ground::draw;
use crate::kit::operators::rank::build;
use crate::kit::random::Random;
use smt::signature::{Declaration, SortPattern};
use smt::{Arena, Sort, Symbol};
use std::collections::BTreeMap;

/// The number of pairs in the focus of a universe.
const PAIRS: usize = 2;
/// The number of attempts at drawing sorts for an operator.
const ATTEMPTS: usize = 24;
/// The number of bits that a short number has at most: those of a character, the longest that an operator requires.
const FEW_BITS: u64 = 18;

/// An operator, and one to use as its argument.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub outer: String,
    pub inner: Option<String>,
}

impl Drawing<'_> {
    /// Draws the first operator of the focus, and returns the solver whose own operators may occur with it.
    pub fn begin_focus(&mut self, random: &mut Random) -> Option<String> {
        let signatures = self.signatures;
        let solvers = |rank: &Declaration| match signatures.solvers_of(rank) {
            Some(names) => names.iter().filter(|name| !rank.experimental.contains(name)).cloned().collect(),
            None => Vec::new(),
        };
        let exists = |rank: &Declaration| {
            let theory = &signatures.theories[rank.theory].name;
            let name = signatures.name(rank.name);
            let supported = signatures.solvers_of(rank).is_none() || !solvers(rank).is_empty();
            !rank.removed
                && supported
                && !NOT_GENERATED.contains(&theory.as_str())
                && !self.avoided.iter().any(|avoided| avoided == name)
        };
        let (name, ranks) = self.random_name(exists, random)?;
        self.focus.push(Pair { outer: signatures.name(name).to_owned(), inner: None });
        let rank = &signatures.declarations[*random.pick(&ranks)? as usize];
        match random.pick(&solvers(rank)) {
            Some(solver) => Some(solver.clone()),
            // Short floating-point numbers are answered sooner, but not all solvers support them.
            None if has_floats(rank) && random.chance(3, 4) => {
                let solver = self.random_solver(random);
                solver.filter(|solver| self.supports_any_format(solver))
            }
            None if random.chance(1, 2) => self.random_solver(random),
            None => None,
        }
    }

    /// Draws the rest of the focus and the sorts for it.
    pub fn focus_on_pairs(&mut self, arena: &mut Arena, elements: &[Sort], random: &mut Random) {
        let first = self.focus.pop().and_then(|pair| self.ranks_named(&pair.outer));
        // Where only the common formats can be used, floating-point numbers are long.
        let short_floats = self.only.as_ref().is_some_and(|only| self.supports_any_format(only));
        let floats_first = first.iter().flat_map(|(_, ranks)| ranks).any(|&rank| has_floats(self.rank(rank)));
        let long_numbers = random.chance(1, 8) || floats_first && !short_floats;
        let unevaluated = random.chance(1, 8);
        let choice = Choice { floats: short_floats || long_numbers, long_numbers, unevaluated };
        let mut outer = first;
        for _ in 0..PAIRS {
            let fits = |rank: &Declaration| self.is_generated(rank) && choice.allows(rank);
            let chosen = outer.take().or_else(|| self.random_name(fits, random));
            let Some((name, ranks)) = chosen else { return };
            let Some(&rank) = random.pick(&ranks) else { continue };
            let Some(args) = self.add_instance(arena, rank, None, &choice, elements, random) else {
                continue;
            };
            let argument = random.pick(&args).copied();
            let inner = argument.and_then(|sort| self.add_inner(arena, sort, &choice, elements, random));
            self.focus.push(Pair { outer: self.signatures.name(name).to_owned(), inner });
        }
    }

    fn rank(&self, id: u32) -> &Declaration {
        &self.signatures.declarations[id as usize]
    }

    /// Whether an operator of the focus exists only in scripts without a logic.
    pub fn needs_no_logic(&self) -> bool {
        let names = || self.focus.iter().flat_map(|pair| [Some(&pair.outer), pair.inner.as_ref()]).flatten();
        let is_meant = |rank: &Declaration| names().any(|name| name == self.signatures.name(rank.name));
        self.signatures
            .declarations
            .iter()
            .any(|rank| !rank.removed && !rank.without_logic.is_empty() && is_meant(rank))
    }

    /// An operator with this result sort, whose own arguments get sorts too.
    fn add_inner(
        &mut self,
        arena: &mut Arena,
        sort: Sort,
        choice: &Choice,
        elements: &[Sort],
        random: &mut Random,
    ) -> Option<String> {
        let head = arena.sort_node(sort).head;
        let fits = |rank: &Declaration| {
            let may_be = match &rank.result {
                SortPattern::Variable(_) => sort != Sort::REGLAN,
                SortPattern::Ground(result) => *result == sort,
                SortPattern::Constructed { head: own, .. } => *own == head,
            };
            may_be && !rank.args.is_empty() && self.is_generated(rank) && choice.allows(rank)
        };
        let (name, ranks) = self.random_name(fits, random)?;
        let rank = *random.pick(&ranks)?;
        self.add_instance(arena, rank, Some(sort), choice, elements, random)?;
        Some(self.signatures.name(name).to_owned())
    }

    /// Draws sorts for a rank, adds them, and returns those of the arguments.
    fn add_instance(
        &mut self,
        arena: &mut Arena,
        rank: u32,
        wanted: Option<Sort>,
        choice: &Choice,
        elements: &[Sort],
        random: &mut Random,
    ) -> Option<Vec<Sort>> {
        let declaration = &self.signatures.declarations[rank as usize];
        for _ in 0..ATTEMPTS {
            let Some((bindings, result)) = draw::draw(arena, declaration, wanted, elements, random) else {
                continue;
            };
            let args: Option<Vec<Sort>> =
                declaration.args.iter().map(|pattern| build(arena, &bindings, pattern)).collect();
            let Some(args) = args else { continue };
            let sorts: Vec<Sort> = args.iter().copied().chain([result]).collect();
            if sorts
                .iter()
                .all(|&sort| self.is_usable(arena, sort, DEEPEST) && choice.allows_sort(arena, sort))
            {
                sorts.into_iter().for_each(|sort| self.add(arena, sort));
                return Some(args);
            }
        }
        None
    }

    /// A random name that some rank with a property has, and all ranks of that name with the property.
    fn random_name(
        &self,
        has_property: impl Fn(&Declaration) -> bool,
        random: &mut Random,
    ) -> Option<(Symbol, Vec<u32>)> {
        let mut names: BTreeMap<Symbol, Vec<u32>> = BTreeMap::new();
        for (id, rank) in self.signatures.declarations.iter().enumerate() {
            if has_property(rank) {
                names.entry(rank.name).or_default().push(id as u32);
            }
        }
        let names: Vec<(Symbol, Vec<u32>)> = names.into_iter().collect();
        random.pick(&names).cloned()
    }

    fn ranks_named(&self, name: &str) -> Option<(Symbol, Vec<u32>)> {
        let fits = |rank: &Declaration| self.signatures.name(rank.name) == name && self.is_generated(rank);
        self.random_name(fits, &mut Random::new(0))
    }
}

/// Whether an argument or the result is a floating-point number.
fn has_floats(rank: &Declaration) -> bool {
    let is_float = |pattern: &SortPattern| matches!(pattern, SortPattern::Constructed { head, .. } if *head == smt::reserved::FLOATING_POINT);
    rank.args.iter().chain([&rank.result]).any(is_float)
}

/// What the operators of one universe may be, besides the first.
struct Choice {
    /// Whether there are floating-point numbers.
    floats: bool,
    /// Whether numbers may have many bits. Solvers answer questions about them slowly.
    long_numbers: bool,
    /// Whether there are operators whose values we do not know. Nothing but another solver can tell whether they are right.
    unevaluated: bool,
}

impl Choice {
    fn allows(&self, rank: &Declaration) -> bool {
        (self.floats || !has_floats(rank)) && (self.unevaluated || rank.unevaluated.is_none())
    }

    fn allows_sort(&self, arena: &Arena, sort: Sort) -> bool {
        let bits = match (arena.bitvec_width(sort), arena.float_format(sort)) {
            (Some(width), _) => width,
            (_, Some((exponent, significand))) => exponent + significand,
            _ => 0,
        };
        self.long_numbers || bits <= FEW_BITS
    }
}
