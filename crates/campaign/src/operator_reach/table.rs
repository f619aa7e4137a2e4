//! The operators of the signature table by number, and which of them a solver knows.

use super::bits::Bits;
use smt::signature::{Declaration, IndexExpr, SortPattern};
use smt::{Arena, FixedState, Index, Signatures, Sort, Symbol};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The names of all operators, numbered in alphabetical order.
#[derive(Clone, Debug)]
pub struct OperatorTable {
    names: Arc<[String]>,
    numbers: Arc<HashMap<Box<[u8]>, u16, FixedState>>,
}

impl OperatorTable {
    /// The operators of the signatures.
    pub fn new(signatures: &Signatures) -> OperatorTable {
        let names: BTreeSet<&str> =
            signatures.declarations.iter().map(|declaration| signatures.name(declaration.name)).collect();
        // A name without a number is not counted.
        let names: Arc<[String]> = names.into_iter().take(u16::MAX.into()).map(str::to_owned).collect();
        let numbers = names.iter().zip(0..).map(|(name, at)| (name.as_bytes().into(), at)).collect();
        OperatorTable { names, numbers: Arc::new(numbers) }
    }

    /// How many operators there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name of an operator.
    pub fn name(&self, operator: usize) -> &str {
        &self.names[operator]
    }

    /// The operator with this name.
    pub fn get(&self, name: &[u8]) -> Option<u16> {
        self.numbers.get(name).copied()
    }

    /// What a solver knows if it supports these theories; all theories if the list is empty.
    pub(super) fn known(&self, signatures: &Arc<Signatures>, solver: &str, theories: &[String]) -> Known {
        let mut arena = Arena::new(signatures.clone());
        let is_listed = |list: &[String]| list.iter().any(|name| name == solver);
        let is_known = |declaration: &&Declaration| {
            let theory = &signatures.theories[declaration.theory].name;
            !declaration.removed
                && signatures.solvers_of(declaration).is_none_or(is_listed)
                && !is_listed(&declaration.experimental)
                && (theories.is_empty() || theories.contains(theory))
        };
        let ranks: Vec<&Declaration> = signatures.declarations.iter().filter(is_known).collect();
        let number = |rank: &Declaration| self.get(signatures.name(rank.name).as_bytes());
        let (mut arguments, mut results) = (Slots::default(), Slots::default());
        let mut operators = Bits::new(self.len());
        for &rank in &ranks {
            let Some(operator) = number(rank) else { continue };
            operators.set(operator.into());
            results.add(&rank.result, operator);
            // Where only values may stand, no operator is inside.
            let last =
                rank.args.len() - usize::from(is_listed(&rank.last_value_only) && !rank.args.is_empty());
            let nested = if is_listed(&rank.values_only) { 0 } else { last };
            rank.args[..nested].iter().for_each(|pattern| arguments.add(pattern, operator));
        }
        let mut pairs = Bits::new(self.len() * self.len());
        for (argument, outer) in &arguments.0 {
            for (result, inner) in &results.0 {
                if unifies(&mut arena, argument, result) {
                    for (&outer, &inner) in
                        outer.iter().flat_map(|outer| inner.iter().map(move |inner| (outer, inner)))
                    {
                        pairs.set(usize::from(outer) * self.len() + usize::from(inner));
                    }
                }
            }
        }
        Known { operators, pairs }
    }
}

/// The operators that a solver knows, and the well-sorted pairs of them.
pub(super) struct Known {
    pub operators: Bits,
    pairs: Bits,
}

impl Known {
    /// The pairs of which both operators are in the set.
    pub fn pairs_among(&self, operators: &Bits, row: usize) -> Bits {
        let missing: Vec<usize> = self.operators.minus(operators).ones().collect();
        let mut without = Bits::new(row * row);
        for at in missing {
            (0..row).for_each(|other| {
                without.set(at * row + other);
                without.set(other * row + at);
            });
        }
        self.pairs.minus(&without)
    }
}

/// The operators that share an argument sort or a result sort. There are far fewer sorts than operators.
#[derive(Default)]
struct Slots<'a>(Vec<(&'a SortPattern, BTreeSet<u16>)>);

impl<'a> Slots<'a> {
    fn add(&mut self, pattern: &'a SortPattern, operator: u16) {
        match self.0.iter_mut().find(|(known, _)| *known == pattern) {
            Some((_, operators)) => {
                operators.insert(operator);
            }
            None => self.0.push((pattern, BTreeSet::from([operator]))),
        }
    }
}

/// Whether some sort matches both patterns. Indices that are not fixed count as equal, and so do variables that occur twice.
fn unifies(arena: &mut Arena, one: &SortPattern, other: &SortPattern) -> bool {
    match (one, other) {
        // Regular languages are no elements of other sorts, and cannot be compared.
        (SortPattern::Variable(_), sort) | (sort, SortPattern::Variable(_)) => {
            *sort != SortPattern::Ground(Sort::REGLAN)
        }
        (SortPattern::Ground(one), SortPattern::Ground(other)) => one == other,
        (one, other) => {
            let (one_head, one_indices, one_args) = parts(arena, one);
            let (other_head, other_indices, other_args) = parts(arena, other);
            one_head == other_head
                && one_indices.len() == other_indices.len()
                && one_args.len() == other_args.len()
                && one_indices.iter().zip(&other_indices).all(|pair| match pair {
                    (Some(one), Some(other)) => one == other,
                    _ => true,
                })
                && one_args.iter().zip(&other_args).all(|(one, other)| unifies(arena, one, other))
        }
    }
}

/// The constructor of a pattern that is not a variable, its indices as far as they are fixed, and its arguments.
fn parts(arena: &Arena, pattern: &SortPattern) -> (Option<Symbol>, Vec<Option<Index>>, Vec<SortPattern>) {
    match pattern {
        SortPattern::Variable(_) => (None, Vec::new(), Vec::new()),
        SortPattern::Ground(sort) => {
            let node = arena.sort_node(*sort);
            let args = node.args.iter().map(|&arg| SortPattern::Ground(arg)).collect();
            (Some(node.head), node.indices.iter().copied().map(Some).collect(), args)
        }
        SortPattern::Constructed { head, indices, args } => {
            let fixed = |index: &IndexExpr| match index {
                IndexExpr::Fixed(index) => Some(*index),
                _ => None,
            };
            (Some(*head), indices.iter().map(fixed).collect(), args.clone())
        }
    }
}
