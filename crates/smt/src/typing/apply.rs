//! Applying theory operators: which rank matches the arguments, and the sort of the result.

use super::identifier::Head;
use super::mismatch::Mismatch;
use crate::arena::Arena;
use crate::op::{OpKind, OpNode};
use crate::rank_cache::{self, Fit};
use crate::reserved;
use crate::sort::{Index, MAX_SORT_DEPTH, MAX_SORT_SIZE, Sort};
use crate::term::{Literal, Term, View};

impl Arena {
    /// Applies an operator of a theory to arguments: finds the rank, checks the sorts, makes integers reals where only that
    /// fits (as solvers do in mixed arithmetic).
    pub fn apply(&mut self, name: &str, args: &[Term]) -> Result<Term, Mismatch> {
        let name = self.symbols.intern(name);
        self.apply_head(Head::plain(name), args)
    }

    /// As [`Arena::apply`], for an identifier with indices or a sort.
    pub fn apply_head(&mut self, head: Head, args: &[Term]) -> Result<Term, Mismatch> {
        match self.fit(head, args) {
            Some(fit) if fit.lift != 0 => {
                let lift = |at: usize| at >= 32 || fit.lift >> at & 1 == 1;
                let lifted: Vec<Term> = args
                    .iter()
                    .enumerate()
                    .map(|(at, &arg)| if lift(at) { self.to_real(arg) } else { arg })
                    .collect();
                Ok(self.app_unchecked(fit.op, &lifted, fit.sort))
            }
            Some(fit) => Ok(self.app_unchecked(fit.op, args, fit.sort)),
            None => match self.apply_special(head, args) {
                Some(result) => result,
                None => Err(self.no_rank(head, args)),
            },
        }
    }

    /// The rank of a theory operator that fits the arguments.
    fn fit(&mut self, head: Head, args: &[Term]) -> Option<Fit> {
        let cacheable =
            head.indices.is_empty() && head.ascription.is_none() && args.len() <= rank_cache::MAX_ARGS;
        let key = cacheable.then(|| rank_cache::Key::new(head.name, args.iter().map(|&arg| self.sort(arg))));
        if let Some(key) = &key
            && let Some(known) = self.ranks.get(key)
        {
            return known;
        }
        let sorts: Vec<Sort> = args.iter().map(|&arg| self.sort(arg)).collect();
        let fit = self.fit_sorts(head, &sorts).or_else(|| self.fit_lifted(head, &sorts));
        if let Some(key) = key {
            self.ranks.insert(key, fit);
        }
        fit
    }

    /// Tries again with integers made reals: all of them, or else (where there are few) any part of them.
    fn fit_lifted(&mut self, head: Head, sorts: &[Sort]) -> Option<Fit> {
        let integers: u32 = sorts
            .iter()
            .take(32)
            .enumerate()
            .filter(|(_, sort)| **sort == Sort::INT)
            .fold(0, |set, (at, _)| set | 1 << at);
        if integers == 0 {
            return None;
        }
        let parts = if sorts.len() <= rank_cache::MAX_ARGS { 1 << sorts.len() } else { 1 };
        std::iter::once(integers).chain(1..parts).filter(|part| part & !integers == 0).find_map(|part| {
            let lifted: Vec<Sort> =
                sorts
                    .iter()
                    .enumerate()
                    .map(|(at, &sort)| {
                        if sort == Sort::INT && (at >= 32 || part >> at & 1 == 1) { Sort::REAL } else { sort }
                    })
                    .collect();
            self.fit_sorts(head, &lifted).map(|fit| Fit { lift: part, ..fit })
        })
    }

    /// The first rank of a theory operator that takes arguments of exactly these sorts.
    pub(crate) fn fit_sorts(&mut self, head: Head, sorts: &[Sort]) -> Option<Fit> {
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
            return Some(Fit { op, sort, lift: 0 });
        }
        None
    }

    /// Makes an integer term a real one; other terms stay as they are.
    pub fn to_real(&mut self, term: Term) -> Term {
        if self.sort(term) != Sort::INT {
            return term;
        }
        if let View::Literal(Literal::Numeral, text) = self.view(term) {
            let text = format!("{}.0", self.name(text));
            return self.literal(Literal::Decimal, &text, Sort::REAL);
        }
        match self.fit_sorts(Head::plain(reserved::TO_REAL), &[Sort::INT]) {
            Some(fit) => self.app_unchecked(fit.op, &[term], fit.sort),
            None => term,
        }
    }

    /// Refuses sorts that are malformed (a bit-vector without bits) or beyond all reason.
    pub(crate) fn check_sort(&self, sort: Sort) -> Result<(), Mismatch> {
        let node = self.sorts.node(sort);
        if node.size > MAX_SORT_SIZE || node.depth > MAX_SORT_DEPTH {
            return Err(Mismatch::new(format!(
                "the sort is too large: at most {MAX_SORT_SIZE} constructors and {MAX_SORT_DEPTH} levels are taken"
            )));
        }
        let bad = match node.head {
            reserved::BITVEC => {
                matches!(*node.indices, [Index::Num(0)]).then_some("a bit-vector has at least one bit")
            }
            reserved::FLOATING_POINT => match *node.indices {
                [Index::Num(exponent), Index::Num(significand)] if exponent >= 2 && significand >= 2 => None,
                _ => Some("a floating-point sort has at least 2 bits of exponent and 2 of significand"),
            },
            _ => None,
        };
        match bad {
            Some(message) => Err(Mismatch::new(message)),
            None => Ok(()),
        }
    }
}
