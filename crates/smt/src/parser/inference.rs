//! Inferring the sorts of constants that need `(as c SORT)` but are written without it, such as `set.empty` or `nil`. Such a
//! constant is *open* until the term around it determines its sort. It may be an argument, a case of `match`, or the body of a
//! definition; what the parser returns has no open constants.

use super::frame::Frame;
use super::state::Parser;
use crate::error::{Error, Span};
use crate::op::{OpKind, OpNode};
use crate::reserved;
use crate::signature::Bindings;
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::{Term, View};
use crate::typing::{Head, ParamBinding};

/// The most sorts to try for one constant.
const MAX_CANDIDATES: usize = 64;

impl Parser<'_, '_> {
    /// Resolves a constant that has no sort of its own. `error` is what is wrong with it otherwise.
    pub(super) fn open_constant(&mut self, name: Symbol, error: Error) -> Result<Term, Error> {
        let inferable = matches!(
            self.frames.last(),
            None | Some(Frame::Apply { .. } | Frame::ApplyComplex { .. } | Frame::Match { .. })
        );
        let Some((kind, sort)) = self.open_theory_constant(name).or_else(|| self.open_constructor(name))
        else {
            return Err(error);
        };
        if !inferable {
            let only = self.only_instance(sort);
            return only.and_then(|sort| self.with_sort(name, sort)).ok_or(error);
        }
        let op =
            self.arena.ops.intern(OpNode { name, indices: Box::default(), ascription: Some(sort), kind });
        let term = self.arena.app_unchecked(op, &[], sort);
        if !self.open.contains(&term) {
            self.open.push(term);
        }
        Ok(term)
    }

    fn open_theory_constant(&mut self, name: Symbol) -> Option<(OpKind, Sort)> {
        let signatures = self.arena.signatures.clone();
        let id = signatures.ranks(name).iter().copied().find(|&id| {
            let rank = &signatures.declarations[id as usize];
            rank.qualified && rank.args.is_empty() && rank.sort_variables == 1
        })?;
        let mut bindings = Bindings::default();
        bindings.sorts[0] = Some(self.arena.sorts.param(reserved::EMPTY));
        let sort = bindings.build(&mut self.arena.sorts, &signatures.declarations[id as usize].result)?;
        Some((OpKind::Theory(id), sort))
    }

    fn open_constructor(&mut self, name: Symbol) -> Option<(OpKind, Sort)> {
        self.scope.functions(name).find_map(|op| {
            let kind = &self.arena.ops.node(op).kind;
            let OpKind::Constructor(id, at) = *kind else { return None };
            let datatype = self.arena.datatypes.get(id);
            let open = datatype.constructors[at as usize].fields.is_empty() && !datatype.params.is_empty();
            open.then(|| (kind.clone(), datatype.sort))
        })
    }

    /// Whether some constant among these terms is open.
    #[inline]
    pub(super) fn has_open(&self, terms: &[Term]) -> bool {
        !self.open.is_empty() && terms.iter().any(|term| self.open.contains(term))
    }

    /// Applies something to arguments with an open constant: finds the sort with which `apply` succeeds. `expected` has the
    /// argument sorts that are known.
    pub(super) fn apply_open(
        &mut self,
        args: &[Term],
        expected: &[Sort],
        span: Span,
        apply: impl Fn(&mut Self, &[Term]) -> Result<Term, Error>,
    ) -> Result<Term, Error> {
        let open = args.iter().copied().find(|arg| self.open.contains(arg)).expect("checked by the caller");
        let closed = args.iter().copied().filter(|arg| !self.open.contains(arg));
        let sorts: Vec<Sort> =
            expected.iter().copied().chain(closed.map(|arg| self.arena.sort(arg))).collect();
        for sort in self.candidates(self.arena.sort(open), &sorts) {
            let Some(constant) = self.close(open, sort) else { continue };
            let args: Vec<Term> = args.iter().map(|&arg| if arg == open { constant } else { arg }).collect();
            if !self.has_open(&args)
                && let Ok(term) = apply(self, &args)
            {
                return Ok(term);
            }
        }
        Err(self.not_inferred(open, span))
    }

    /// Gives an open term the sort that is required where it stands; returns other terms unchanged.
    pub(super) fn close_as(&mut self, term: Term, sort: Sort, span: Span) -> Result<Term, Error> {
        if !self.has_open(&[term]) {
            return Ok(term);
        }
        let pattern = self.arena.sort(term);
        let fits = ParamBinding::default().unify(&self.arena.sorts, pattern, sort);
        fits.then(|| self.close(term, sort)).flatten().ok_or_else(|| self.not_inferred(term, span))
    }

    /// The constant with its sort.
    fn close(&mut self, open: Term, sort: Sort) -> Option<Term> {
        let View::App(op, _) = self.arena.view(open) else { return None };
        self.with_sort(self.arena.ops.node(op).name, sort)
    }

    /// `(as name SORT)`
    fn with_sort(&mut self, name: Symbol, sort: Sort) -> Option<Term> {
        let head = Head { name, indices: &[], ascription: Some(sort) };
        self.resolve(head, &[], Span::default()).ok()
    }

    /// The instance of a parametric datatype, if the script mentions only one. Some solvers know only the instances that they
    /// have met, so that a constructor is unambiguous if there is one.
    pub(super) fn only_instance(&self, sort: Sort) -> Option<Sort> {
        let table = &self.arena.sorts;
        let mut known = self
            .scope
            .instances()
            .iter()
            .copied()
            .filter(|&instance| ParamBinding::default().unify(table, sort, instance));
        known.next().filter(|_| known.next().is_none())
    }

    fn not_inferred(&self, open: Term, span: Span) -> Error {
        let View::App(op, _) = self.arena.view(open) else { unreachable!("an open term is a constant") };
        let name = self.arena.name(self.arena.ops.node(op).name);
        Error::sort(span, format!("cannot infer the sort of `{name}`")).expected(format!("(as {name} SORT)"))
    }

    /// The sorts that match `pattern`: those that occur in `known`, then `pattern` with a sort from `known` as its parameter.
    fn candidates(&mut self, pattern: Sort, known: &[Sort]) -> Vec<Sort> {
        let mut parts = known.to_vec();
        let mut at = 0;
        while at < parts.len() && parts.len() < MAX_CANDIDATES {
            let args = &self.arena.sorts.node(parts[at]).args;
            let new: Vec<Sort> = args.iter().copied().filter(|arg| !parts.contains(arg)).collect();
            parts.extend(new);
            at += 1;
        }
        parts.retain(|&part| !self.arena.sorts.node(part).is_polymorphic);
        let table = &self.arena.sorts;
        let mut candidates: Vec<Sort> = parts
            .iter()
            .copied()
            .filter(|&part| ParamBinding::default().unify(table, pattern, part))
            .collect();
        if let [_] = *self.arena.sorts.node(pattern).args {
            for part in parts {
                candidates.push(self.arena.sorts.instantiate(pattern, &|_| Some(part)));
            }
        }
        candidates.extend(self.only_instance(pattern));
        candidates
    }
}
