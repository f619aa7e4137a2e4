//! Applying theory operators: which rank matches the arguments, and the sort of the result.

use super::identifier::Head;
use super::mismatch::Mismatch;
use crate::arena::Arena;
use crate::op::{OpKind, OpNode};
use crate::rank_cache::{self, RankMatch};
use crate::reserved;
use crate::sort::{Index, MAX_SORT_DEPTH, MAX_SORT_SIZE, Sort};
use crate::term::{Literal, Term, View};

impl Arena {
    /// Applies a theory operator to arguments: finds the matching rank and checks the sorts. Converts integers to reals where
    /// no other rank matches, as solvers do in mixed arithmetic.
    pub fn apply(&mut self, name: &str, args: &[Term]) -> Result<Term, Mismatch> {
        let name = self.symbols.intern(name);
        self.apply_head(Head::plain(name), args)
    }

    /// Like [`Arena::apply`], for an identifier with indices or a sort.
    pub fn apply_head(&mut self, head: Head, args: &[Term]) -> Result<Term, Mismatch> {
        match self.find_rank(head, args) {
            Some(rank) if rank.to_real != 0 => {
                let convert = |at: usize| at >= 32 || rank.to_real >> at & 1 == 1;
                let converted: Vec<Term> = args
                    .iter()
                    .enumerate()
                    .map(|(at, &arg)| if convert(at) { self.to_real(arg) } else { arg })
                    .collect();
                Ok(self.app_unchecked(rank.op, &converted, rank.sort))
            }
            Some(rank) => Ok(self.app_unchecked(rank.op, args, rank.sort)),
            None => match self.apply_special(head, args) {
                Some(result) => result,
                None => Err(self.no_rank(head, args)),
            },
        }
    }

    /// Finds the rank of a theory operator that matches the arguments.
    fn find_rank(&mut self, head: Head, args: &[Term]) -> Option<RankMatch> {
        let cacheable =
            head.indices.is_empty() && head.ascription.is_none() && args.len() <= rank_cache::MAX_ARGS;
        let key = cacheable.then(|| rank_cache::Key::new(head.name, args.iter().map(|&arg| self.sort(arg))));
        if let Some(key) = &key
            && let Some(known) = self.ranks.get(key)
        {
            return known;
        }
        let sorts: Vec<Sort> = args.iter().map(|&arg| self.sort(arg)).collect();
        let rank = self.match_rank(head, &sorts).or_else(|| self.match_with_reals(head, &sorts));
        if let Some(key) = key {
            self.ranks.insert(key, rank);
        }
        rank
    }

    /// Finds a rank after converting integers to reals: all of them, or (if there are few arguments) any subset of them.
    fn match_with_reals(&mut self, head: Head, sorts: &[Sort]) -> Option<RankMatch> {
        let integers: u32 = sorts
            .iter()
            .take(32)
            .enumerate()
            .filter(|(_, sort)| **sort == Sort::INT)
            .fold(0, |set, (at, _)| set | 1 << at);
        if integers == 0 {
            return None;
        }
        let subsets = if sorts.len() <= rank_cache::MAX_ARGS { 1 << sorts.len() } else { 1 };
        std::iter::once(integers).chain(1..subsets).filter(|subset| subset & !integers == 0).find_map(
            |subset| {
                let converted: Vec<Sort> = sorts
                    .iter()
                    .enumerate()
                    .map(|(at, &sort)| {
                        if sort == Sort::INT && (at >= 32 || subset >> at & 1 == 1) {
                            Sort::REAL
                        } else {
                            sort
                        }
                    })
                    .collect();
                self.match_rank(head, &converted).map(|rank| RankMatch { to_real: subset, ..rank })
            },
        )
    }

    /// Finds the first rank of a theory operator that takes arguments of exactly these sorts.
    pub(crate) fn match_rank(&mut self, head: Head, sorts: &[Sort]) -> Option<RankMatch> {
        let signatures = self.signatures.clone();
        for &id in signatures.ranks(head.name) {
            let declaration = &signatures.declarations[id as usize];
            let Some(sort) = declaration.apply(&mut self.sorts, head.indices, head.ascription, sorts) else {
                continue;
            };
            if self.check_sort(sort).is_err() {
                continue;
            }
            let op = self.ops.intern(OpNode {
                name: head.name,
                indices: head.indices.into(),
                ascription: head.ascription,
                kind: OpKind::Theory(id),
            });
            return Some(RankMatch { op, sort, to_real: 0 });
        }
        None
    }

    /// Converts an integer term to a real one; returns other terms unchanged.
    pub fn to_real(&mut self, term: Term) -> Term {
        if self.sort(term) != Sort::INT {
            return term;
        }
        if let View::Literal(Literal::Numeral, text) = self.view(term) {
            let text = format!("{}.0", self.name(text));
            return self.literal(Literal::Decimal, &text, Sort::REAL);
        }
        match self.match_rank(Head::plain(reserved::TO_REAL), &[Sort::INT]) {
            Some(rank) => self.app_unchecked(rank.op, &[term], rank.sort),
            None => term,
        }
    }

    /// Rejects sorts that are malformed, such as a bit-vector without bits, or too large.
    pub(crate) fn check_sort(&self, sort: Sort) -> Result<(), Mismatch> {
        let node = self.sorts.node(sort);
        if node.size > MAX_SORT_SIZE || node.depth > MAX_SORT_DEPTH {
            return Err(Mismatch::new(format!(
                "sort is too large: the limit is {MAX_SORT_SIZE} constructors and {MAX_SORT_DEPTH} levels"
            )));
        }
        let bad = match node.head {
            reserved::BITVEC => {
                matches!(*node.indices, [Index::Num(0)]).then_some("a bit-vector sort needs at least one bit")
            }
            reserved::FLOATING_POINT => match *node.indices {
                [Index::Num(exponent), Index::Num(significand)] if exponent >= 2 && significand >= 2 => None,
                _ => Some("a floating-point sort needs at least 2 exponent bits and 2 significand bits"),
            },
            _ => None,
        };
        match bad {
            Some(message) => Err(Mismatch::new(message)),
            None => Ok(()),
        }
    }
}
