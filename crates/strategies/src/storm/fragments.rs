//! The parts of a seed, and formulas that combine them, by their value under a model.

use crate::kit::draft::Draft;
use crate::kit::evaluation::limits;
use crate::kit::random::Random;
use crate::kit::witness::Witness;
use semantics::{Evaluator, Value};
use smt::rewrite::FreeLocals;
use smt::{Arena, Sort, Term, View};
use std::collections::BTreeSet;

/// A formula with a known value.
#[derive(Clone, Copy)]
pub(super) struct Fragment {
    pub term: Term,
    pub value: bool,
    /// The nesting of connectives that combined it.
    depth: u32,
}

/// The parts of a seed, and formulas that combine them.
pub(super) struct Fragments {
    /// The true ones and the false ones.
    parts: [Vec<Fragment>; 2],
    combined: [Vec<Fragment>; 2],
}

/// Which formulas to draw from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Parts,
    Combined,
    Both,
}

impl Fragments {
    /// The Boolean parts of assertions whose value under a model is known. `all` says whether all Boolean subterms count, or only
    /// those below `and` and `or`.
    pub fn of(draft: &Draft, witness: &Witness, assertions: &[Term], all: bool) -> Fragments {
        let arena = &draft.arena;
        let mut free = FreeLocals::default();
        let mut seen: BTreeSet<Term> = BTreeSet::new();
        let mut waiting: Vec<Term> = assertions.to_vec();
        let mut evaluator = Evaluator::new(arena, &witness.model, &witness.definitions).with_limits(limits());
        let mut found = Fragments { parts: Default::default(), combined: Default::default() };
        while let Some(term) = waiting.pop() {
            if !seen.insert(term) {
                continue;
            }
            if all || is_connective(arena, term) {
                waiting.extend(arena.children(term));
            }
            let is_constant = matches!(arena.term_text(term).as_str(), "true" | "false");
            if arena.sort(term) == Sort::BOOL
                && !is_constant
                && free.of(arena, term).is_empty()
                && let Ok(Value::Bool(value)) = evaluator.evaluate(term)
            {
                found.parts[usize::from(value)].push(Fragment { term, value, depth: 0 });
            }
        }
        found
    }

    /// Whether there is nothing to combine.
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(Vec::is_empty)
    }

    /// A random formula, true or false with the same probability where both exist.
    pub fn draw(&self, source: Source, random: &mut Random) -> Option<Fragment> {
        let value = random.index(2);
        let choose = |value: usize, random: &mut Random| {
            let (parts, combined) = (&self.parts[value], &self.combined[value]);
            let (parts, combined) = match source {
                Source::Parts => (parts.as_slice(), &[][..]),
                Source::Combined => (&[][..], combined.as_slice()),
                Source::Both => (parts.as_slice(), combined.as_slice()),
            };
            let count = parts.len() + combined.len();
            (count > 0)
                .then(|| random.index(count))
                .map(|at| parts.get(at).or_else(|| combined.get(at - parts.len())).copied())
        };
        choose(value, random).or_else(|| choose(1 - value, random)).flatten()
    }

    /// Combines random formulas by a random connective. The result joins the combined formulas unless it is nested too deeply.
    pub fn combine(&mut self, arena: &mut Arena, connectives: &[&str], deepest: u32, random: &mut Random) {
        let Some(&connective) = random.pick(connectives) else { return };
        let count = match connective {
            "not" => 1,
            "ite" => 3,
            _ => 2,
        };
        let drawn: Option<Vec<Fragment>> = (0..count).map(|_| self.draw(Source::Both, random)).collect();
        let Some(drawn) = drawn else { return };
        let depth = drawn.iter().map(|one| one.depth).max().unwrap_or_default() + 1;
        if depth > deepest {
            return;
        }
        let values: Vec<bool> = drawn.iter().map(|one| one.value).collect();
        let terms: Vec<Term> = drawn.iter().map(|one| one.term).collect();
        if let (Some(value), Ok(term)) = (value_of(connective, &values), arena.apply(connective, &terms)) {
            self.combined[usize::from(value)].push(Fragment { term, value, depth });
        }
    }
}

fn is_connective(arena: &Arena, term: Term) -> bool {
    match arena.view(term) {
        View::App(op, _) => matches!(arena.op_name(op), "and" | "or"),
        _ => false,
    }
}

/// The value of a connective.
fn value_of(connective: &str, values: &[bool]) -> Option<bool> {
    Some(match (connective, values) {
        ("not", [one]) => !one,
        ("and", [one, two]) => *one && *two,
        ("or", [one, two]) => *one || *two,
        ("=>", [one, two]) => !*one || *two,
        ("xor" | "distinct", [one, two]) => one != two,
        ("=", [one, two]) => one == two,
        ("ite", [condition, one, two]) => *(if *condition { one } else { two }),
        _ => return None,
    })
}
