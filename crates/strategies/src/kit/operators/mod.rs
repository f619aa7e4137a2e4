//! Operators by result sort and by argument sorts: the signature files, seen through the sorts of one seed.

mod by_arguments;
mod by_result;
pub(crate) mod rank;
mod special;

pub(crate) use by_arguments::ByArguments;
pub(crate) use by_result::ByResult;

use crate::kit::draft::{Draft, Fact, Facts, ValuesOnly};
use crate::kit::random::Random;
use smt::signature::{Associativity, Bindings, Declaration};
use smt::{Arena, Head, Op, Scope, Sort, Term, View};

/// An operator at fixed sorts.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    head: InstanceHead,
    /// The sorts of its arguments, as few as it allows.
    pub args: Box<[Sort]>,
    /// The sort of the result.
    pub result: Sort,
    /// The maximum number of arguments; those beyond `args` have the last sort.
    pub most: usize,
    /// Which arguments must be values.
    pub values_only: ValuesOnly,
    /// The facts that it adds to a term.
    pub fact: Fact,
}

#[derive(Clone, Debug)]
enum InstanceHead {
    /// An operator with known indices.
    Ready(Op),
    /// A rank whose indices are drawn at every use.
    Drawn(u32, Box<Bindings>),
}

/// The maximum number of arguments generated for a variadic operator.
const MOST_ARGUMENTS: usize = 3;

impl Instance {
    /// A number of arguments: mostly the fewest.
    pub fn draw_count(&self, random: &mut Random) -> usize {
        let mut count = self.args.len();
        while count < self.most && random.chance(1, 4) {
            count += 1;
        }
        count
    }

    /// The sorts of so many arguments, and whether each must be a value.
    pub fn slots(&self, count: usize) -> impl Iterator<Item = (Sort, bool)> + '_ {
        (0..count).map(move |at| {
            let value = match self.values_only {
                ValuesOnly::No => false,
                ValuesOnly::All => true,
                ValuesOnly::Last => at + 1 == count,
            };
            (self.args[at.min(self.args.len() - 1)], value)
        })
    }

    /// Whether a term of this sort may be an argument.
    pub fn takes(&self, sort: Sort) -> bool {
        let nested = match self.values_only {
            ValuesOnly::No => self.args.len(),
            ValuesOnly::All => 0,
            ValuesOnly::Last => self.args.len().saturating_sub(1),
        };
        self.args[..nested].contains(&sort)
    }

    /// The operator's name.
    pub fn name<'a>(&self, arena: &'a Arena) -> &'a str {
        match &self.head {
            InstanceHead::Ready(op) => arena.op_name(*op),
            InstanceHead::Drawn(id, _) => arena.name(arena.signatures().declarations[*id as usize].name),
        }
    }

    /// Its rank in the signature table; `None` for an operator of the script.
    pub fn declaration<'a>(&self, arena: &'a Arena) -> Option<&'a Declaration> {
        let id = match &self.head {
            InstanceHead::Drawn(id, _) => *id,
            InstanceHead::Ready(op) => match arena.op(*op).kind {
                smt::OpKind::Theory(id) => id,
                _ => return None,
            },
        };
        Some(&arena.signatures().declarations[id as usize])
    }

    /// The declared function that it is; `None` if it is not one.
    pub fn function(&self) -> Option<Op> {
        match &self.head {
            InstanceHead::Ready(op) => Some(*op),
            InstanceHead::Drawn(..) => None,
        }
    }

    /// Applies the operator to arguments of the right sorts; `None` if no indices fit.
    pub fn apply(&self, arena: &mut Arena, args: &[Term], random: &mut Random) -> Option<Term> {
        match &self.head {
            InstanceHead::Ready(op) => Some(arena.app_unchecked(*op, args, self.result)),
            InstanceHead::Drawn(id, bindings) => {
                let signatures = arena.signatures().clone();
                let declaration = &signatures.declarations[*id as usize];
                let indices = rank::draw_indices(arena, declaration, bindings, self.result, random)?;
                let head = Head { name: declaration.name, indices: &indices, ascription: None };
                let term = arena.apply_head(head, args).ok()?;
                (arena.sort(term) == self.result).then_some(term)
            }
        }
    }
}

/// Arguments to resolve an operator with.
pub(crate) fn placeholders(arena: &mut Arena, sorts: &[Sort]) -> Vec<Term> {
    let name = arena.symbol("argument");
    sorts.iter().map(|&sort| arena.local(name, sort)).collect()
}

/// Which operators the mutants of a seed may contain.
#[derive(Clone, Copy)]
pub(crate) struct Permission<'a> {
    /// The names that the script declares, which hide theory operators.
    pub scope: &'a Scope,
    /// Whether the script names a logic.
    pub has_logic: bool,
    /// The theories of the seed, as bits.
    pub theories: u64,
    /// The solvers that support the seed, as bits.
    pub solvers: u32,
    /// Whether mutants may contain operators that not all solvers support.
    pub solver_specific: bool,
    /// Whether functions and datatypes of the script are operators of mutants.
    pub declared: bool,
}

impl<'a> Permission<'a> {
    /// What the seed of a draft allows.
    pub fn of(draft: &Draft, scope: &'a Scope, solver_specific: bool) -> Permission<'a> {
        let needs = draft.needs();
        let (theories, solvers) = (needs.theories, needs.solvers);
        let has_logic = draft.has_logic;
        Permission { scope, has_logic, theories, solvers, solver_specific, declared: true }
    }

    /// Whether a mutant may contain an operator.
    pub fn allows(&self, facts: &Facts, arena: &Arena, declaration: &Declaration) -> bool {
        let signatures = arena.signatures();
        if declaration.removed || self.scope.function(declaration.name).is_some() {
            return false;
        }
        if self.has_logic && !declaration.without_logic.is_empty() {
            return false;
        }
        let theory = &signatures.theories[declaration.theory];
        // Separation logic takes terms of any sort, but makes sense only with a declared heap.
        let foreign = self.theories & crate::kit::draft::facts::theory_bit(declaration.theory) == 0;
        if theory.name == "SeparationLogic" && foreign {
            return false;
        }
        let mut known = u32::MAX;
        if let Some(solvers) = signatures.solvers_of(declaration) {
            if !self.solver_specific && foreign {
                return false;
            }
            known = facts.solver_set(solvers);
        }
        known &= !facts.solver_set(&declaration.experimental);
        known & self.solvers != 0
    }
}

/// An instance of a rank at the given sorts; `None` if another rank takes precedence.
pub(crate) fn instantiate(
    arena: &mut Arena,
    facts: &mut Facts,
    id: u32,
    bindings: Bindings,
    args: &[Sort],
    result: Sort,
) -> Option<Instance> {
    let signatures = arena.signatures().clone();
    let declaration = &signatures.declarations[id as usize];
    // Whether any indices fit is tested once, with a separate generator.
    let indices = rank::draw_indices(arena, declaration, &bindings, result, &mut Random::new(0))?;
    let holes = placeholders(arena, args);
    let ascription = declaration.qualified.then_some(result);
    let head = Head { name: declaration.name, indices: &indices, ascription };
    let term = arena.apply_head(head, &holes).ok()?;
    let View::App(op, _) = arena.view(term) else { return None };
    if arena.sort(term) != result || arena.op(op).kind != smt::OpKind::Theory(id) {
        return None;
    }
    let fixed = rank::free_indices(declaration, &bindings).is_empty();
    let head = if fixed { InstanceHead::Ready(op) } else { InstanceHead::Drawn(id, Box::new(bindings)) };
    let most = most_arguments(declaration, args, result);
    let values_only = facts.values_only(arena, op);
    let fact = facts.of_operator(arena, op);
    Some(Instance { head, args: args.into(), result, most, values_only, fact })
}

fn most_arguments(declaration: &Declaration, args: &[Sort], result: Sort) -> usize {
    let more = match declaration.associativity {
        Associativity::None => return args.len(),
        // The result of one step is an argument of the next.
        Associativity::Left => args.first() == Some(&result) && args.get(1) == args.first(),
        Associativity::Right => args.get(1) == Some(&result),
        Associativity::Chainable | Associativity::Pairwise => args.first() == args.get(1),
        Associativity::Variadic | Associativity::Repeat => true,
    };
    if !more {
        return args.len();
    }
    declaration.at_most.unwrap_or(MOST_ARGUMENTS).min(MOST_ARGUMENTS).max(args.len())
}
