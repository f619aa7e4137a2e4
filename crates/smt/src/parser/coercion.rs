//! Conversions that some solvers insert beyond the standard: a real where an integer is required is rounded down, and a Boolean
//! where a number is required is 1 or 0. The parser makes them explicit, so they are printed, and evaluated, as what they mean.
//!
//! Only the parser converts, and only after everything else failed: strategies must not build such terms by accident.

use super::state::Parser;
use crate::op::Op;
use crate::signature::SortPattern;
use crate::sort::Sort;
use crate::term::{Literal, Term};
use crate::typing::Head;

/// The most arguments of which any subset is converted. Of more, all or none are.
const MAX_SUBSETS: usize = 6;

impl Parser<'_, '_> {
    /// Applies a theory operator with converted arguments; `None` if that does not help either.
    pub(super) fn apply_converted(&mut self, head: Head, args: &[Term]) -> Option<Term> {
        self.convert_reals(head, args).or_else(|| self.convert_booleans(head, args))
    }

    /// Applies a declared function with reals rounded down where it takes integers.
    pub(super) fn apply_rounded(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        let (rank, _) = self.arena.rank_of(&self.arena.ops.node(op).kind.clone());
        let fits = rank.len() == args.len();
        let rounds =
            |parser: &Self, sort: Sort, arg: Term| sort == Sort::INT && parser.arena.sort(arg) == Sort::REAL;
        if !fits || !rank.iter().zip(args).any(|(&sort, &arg)| rounds(self, sort, arg)) {
            return None;
        }
        let converted: Vec<Term> = rank
            .iter()
            .zip(args)
            .map(|(&sort, &arg)| if rounds(self, sort, arg) { self.round(arg) } else { Some(arg) })
            .collect::<Option<_>>()?;
        self.arena.apply_op(op, &converted).ok()
    }

    /// Rounds the indices and elements of arrays of integers.
    fn convert_reals(&mut self, head: Head, args: &[Term]) -> Option<Term> {
        let on_arrays = args.first().is_some_and(|&arg| self.arena.sorts.is_functional(self.arena.sort(arg)));
        if !on_arrays || args.len() > MAX_SUBSETS {
            return None;
        }
        let subsets = self.subsets(args, Sort::REAL);
        subsets.into_iter().find_map(|subset| {
            let converted = self.convert(args, subset, |parser, arg| parser.round(arg))?;
            self.arena.apply_head(head, &converted).ok()
        })
    }

    /// Reads Booleans as 1 and 0: in arithmetic, and beside numbers in equalities and `ite`.
    fn convert_booleans(&mut self, head: Head, args: &[Term]) -> Option<Term> {
        if !args.iter().any(|&arg| self.arena.sort(arg) == Sort::BOOL) || !self.takes_booleans(head) {
            return None;
        }
        let subsets = self.subsets(args, Sort::BOOL);
        subsets.into_iter().find_map(|subset| {
            let converted = self.convert(args, subset, |parser, arg| parser.bool_to_int(arg))?;
            self.arena.apply_head(head, &converted).ok()
        })
    }

    /// Whether a solver reads Booleans as numbers in the arguments of the operator.
    fn takes_booleans(&self, head: Head) -> bool {
        let signatures = &self.arena.signatures;
        signatures.ranks(head.name).iter().any(|&id| {
            let rank = &signatures.declarations[id as usize];
            let fits = |arg: &SortPattern| match arg {
                SortPattern::Ground(sort) => [Sort::INT, Sort::REAL, Sort::BOOL].contains(sort),
                SortPattern::Variable(_) => true,
                SortPattern::Constructed { .. } => false,
            };
            let converts = !signatures.theories[rank.theory].booleans_as_numbers.is_empty();
            converts && !rank.qualified && rank.args.iter().all(fits)
        })
    }

    /// The sets of arguments with a sort to convert: all of them, then, if there are few arguments, any subset.
    fn subsets(&self, args: &[Term], sort: Sort) -> Vec<u64> {
        let all = args.iter().take(64).enumerate().filter(|&(_, &arg)| self.arena.sort(arg) == sort);
        let all = all.fold(0u64, |set, (at, _)| set | 1 << at);
        let few = if args.len() <= MAX_SUBSETS { 1u64 << args.len() } else { 1 };
        std::iter::once(all).chain(1..few).filter(|subset| *subset != 0 && subset & !all == 0).collect()
    }

    fn convert(
        &mut self,
        args: &[Term],
        subset: u64,
        conversion: impl Fn(&mut Self, Term) -> Option<Term>,
    ) -> Option<Vec<Term>> {
        let chosen = |at: usize| at < 64 && subset >> at & 1 == 1;
        args.iter()
            .enumerate()
            .map(|(at, &arg)| if chosen(at) { conversion(self, arg) } else { Some(arg) })
            .collect()
    }

    fn round(&mut self, real: Term) -> Option<Term> {
        self.arena.apply("to_int", &[real]).ok()
    }

    fn bool_to_int(&mut self, condition: Term) -> Option<Term> {
        let [one, zero] = match self.scope.numerals_are_reals {
            true => ["1.0", "0.0"].map(|text| self.arena.literal(Literal::Decimal, text, Sort::REAL)),
            false => ["1", "0"].map(|text| self.arena.literal(Literal::Numeral, text, Sort::INT)),
        };
        self.arena.apply("ite", &[condition, one, zero]).ok()
    }
}
