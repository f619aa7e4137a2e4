//! Extracts the Boolean expressions of a formula, for monitors to watch.
//!
//! An expression under a `let` or a quantifier means nothing outside of it. Fresh constants replace the bound names, or the
//! quantifier is copied around the expression.

use super::domains::domains;
use super::holes::{can_be_declared, constant};
use super::settings::{Domains, Quantified, ValFuzzSettings};
use smt::rewrite::{FreeLocals, Substitution};
use smt::{Arena, Binder, FixedState, Op, Scope, Sort, Term, View};
use std::collections::{HashMap, HashSet};

/// An expression that a monitor watches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Monitor {
    /// The expression over the names of the meta-formula.
    pub expression: Term,
    /// The same with every `let` expanded, as the mutant evaluates it.
    pub expanded: Term,
}

/// A part of the formula, as it is written outside its context.
#[derive(Clone, Copy)]
struct Part {
    meta: Term,
    expanded: Term,
    /// Whether it contains a Boolean expression that is not just a name.
    compound: bool,
}

/// A quantified variable that keeps its quantifier.
#[derive(Clone, Copy)]
struct Copied {
    variable: Term,
    kind: Binder,
    /// The index of its quantifier. The variables of one quantifier are copied together.
    binder: usize,
}

enum Step {
    Enter(Term),
    Build(Term),
    BindLet(Term),
    Leave(Vec<Term>),
    LeaveCopied(Binder, Vec<Term>),
}

/// Extracts expressions from formulas.
pub(super) struct Extraction<'a> {
    arena: &'a mut Arena,
    scope: &'a mut Scope,
    settings: &'a ValFuzzSettings,
    prefixes: [&'a str; 2],
    meanings: HashMap<Term, Vec<Part>, FixedState>,
    copied: Vec<Copied>,
    binders: usize,
    steps: Vec<Step>,
    results: Vec<Part>,
    seen: HashSet<Term, FixedState>,
    free: FreeLocals,
    /// The monitors, inner expressions first.
    pub monitors: Vec<Monitor>,
    /// Monitors of the domains of expressions.
    pub domains: Vec<Monitor>,
    /// The fresh constants, in order.
    pub locals: Vec<(Op, Term)>,
    /// The fresh constants for quantified variables.
    pub variables: Vec<Term>,
    /// The values of the fresh constants for `let`s.
    pub equations: Vec<(Term, Term)>,
    counts: [usize; 2],
}

const LET: usize = 0;
const VARIABLE: usize = 1;

impl<'a> Extraction<'a> {
    /// An empty extraction. Fresh constants get one prefix for `let`s and one for variables.
    pub fn new(
        arena: &'a mut Arena,
        scope: &'a mut Scope,
        settings: &'a ValFuzzSettings,
        prefixes: [&'a str; 2],
    ) -> Self {
        Extraction {
            arena,
            scope,
            settings,
            prefixes,
            meanings: HashMap::default(),
            copied: Vec::new(),
            binders: 0,
            steps: Vec::new(),
            results: Vec::new(),
            seen: HashSet::default(),
            free: FreeLocals::default(),
            monitors: Vec::new(),
            domains: Vec::new(),
            locals: Vec::new(),
            variables: Vec::new(),
            equations: Vec::new(),
            counts: [0, 0],
        }
    }

    /// Extracts the expressions of a term under these parameters of a definition.
    pub fn take(&mut self, term: Term, params: &[Term]) {
        for &param in params {
            self.skolemise(param);
        }
        self.steps.push(Step::Leave(params.to_vec()));
        self.steps.push(Step::Enter(term));
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Enter(term) => self.enter(term),
                Step::Build(term) => self.build(term),
                Step::BindLet(term) => self.bind_let(term),
                Step::Leave(names) => self.leave(&names),
                Step::LeaveCopied(kind, names) => {
                    self.leave(&names);
                    self.copied.truncate(self.copied.len() - names.len());
                    if let Some(body) = self.results.last_mut() {
                        body.meta = self.arena.quantifier(kind, &names, body.meta);
                        body.expanded = self.arena.quantifier(kind, &names, body.expanded);
                    }
                }
            }
        }
        self.results.clear();
    }

    fn leave(&mut self, names: &[Term]) {
        for name in names {
            self.meanings.get_mut(name).map(Vec::pop);
        }
    }

    fn enter(&mut self, term: Term) {
        match self.arena.view(term) {
            View::Literal(..) | View::App(_, []) => {
                self.results.push(Part { meta: term, expanded: term, compound: false });
            }
            View::Local(_) => {
                let meaning = self.meanings.get(&term).and_then(|all| all.last().copied());
                self.results.push(meaning.unwrap_or(Part { meta: term, expanded: term, compound: false }));
            }
            View::App(_, args) => {
                self.steps.push(Step::Build(term));
                self.steps.extend(args.iter().rev().map(|&arg| Step::Enter(arg)));
            }
            View::Let { values, .. } => {
                self.steps.push(Step::BindLet(term));
                self.steps.extend(values.iter().rev().map(|&value| Step::Enter(value)));
            }
            View::Binder { kind: kind @ (Binder::Forall | Binder::Exists), variables, bodies } => {
                let (variables, body) = (variables.to_vec(), bodies[0]);
                self.quantifier(kind, variables, body);
            }
            View::Annotated { body, .. } => self.steps.push(Step::Enter(body)),
            View::Binder { .. } | View::Match { .. } => self.whole(term),
        }
    }

    fn quantifier(&mut self, kind: Binder, variables: Vec<Term>, body: Term) {
        let how = match kind {
            Binder::Forall => self.settings.universal,
            _ => self.settings.existential,
        };
        let hidden = |variable: &Term| self.copied.iter().any(|copied| copied.variable == *variable);
        let declarable =
            variables.iter().all(|&variable| can_be_declared(self.arena, self.arena.sort(variable)));
        // A name that is bound twice cannot be copied twice.
        let copy = !declarable || (how == Quantified::Copied && !variables.iter().any(hidden));
        for &variable in &variables {
            if copy {
                let part = Part { meta: variable, expanded: variable, compound: false };
                self.meanings.entry(variable).or_default().push(part);
                self.copied.push(Copied { variable, kind, binder: self.binders });
            } else {
                self.skolemise(variable);
            }
        }
        self.binders += 1;
        self.steps.push(if copy { Step::LeaveCopied(kind, variables) } else { Step::Leave(variables) });
        self.steps.push(Step::Enter(body));
    }

    fn skolemise(&mut self, variable: Term) {
        let sort = self.arena.sort(variable);
        let term = if can_be_declared(self.arena, sort) {
            let fresh = self.fresh(VARIABLE, sort);
            self.variables.push(fresh);
            fresh
        } else {
            variable
        };
        self.meanings.entry(variable).or_default().push(Part { meta: term, expanded: term, compound: false });
    }

    fn fresh(&mut self, kind: usize, sort: Sort) -> Term {
        self.counts[kind] += 1;
        let (op, term) = constant(self.arena, self.prefixes[kind], self.counts[kind], sort);
        self.locals.push((op, term));
        term
    }

    fn bind_let(&mut self, term: Term) {
        let View::Let { names, body, .. } = self.arena.view(term) else { return };
        let (names, body) = (names.to_vec(), body);
        let values = self.results.split_off(self.results.len() - names.len());
        for (&name, value) in names.iter().zip(values) {
            let sort = self.arena.sort(name);
            let meta = if can_be_declared(self.arena, sort) {
                let fresh = self.fresh(LET, sort);
                let closed = self.free.of(self.arena, value.meta).is_empty();
                if self.settings.bound_lets && closed {
                    self.equations.push((fresh, value.meta));
                }
                fresh
            } else {
                value.meta
            };
            let part = Part { meta, expanded: value.expanded, compound: false };
            self.meanings.entry(name).or_default().push(part);
        }
        self.steps.push(Step::Leave(names));
        self.steps.push(Step::Enter(body));
    }

    /// A binder or a `match` is one expression; nothing inside it is extracted.
    fn whole(&mut self, term: Term) {
        let free = self.free.of(self.arena, term);
        let meaning = |local: &Term| {
            let part = self.meanings.get(local).and_then(|all| all.last())?;
            Some((*local, part.meta, part.expanded))
        };
        let meanings: Vec<(Term, Term, Term)> = free.iter().filter_map(meaning).collect();
        let pairs: Vec<(Term, Term)> = meanings.iter().map(|&(local, meta, _)| (local, meta)).collect();
        let meta = Substitution::new(self.arena, &pairs).apply(term);
        let pairs: Vec<(Term, Term)> = meanings.iter().map(|&(local, _, whole)| (local, whole)).collect();
        let expanded = Substitution::new(self.arena, &pairs).apply(term);
        self.results.push(Part { meta, expanded, compound: false });
    }

    fn build(&mut self, term: Term) {
        let count = self.arena.children(term).len();
        let parts = self.results.split_off(self.results.len() - count);
        let metas: Vec<Term> = parts.iter().map(|part| part.meta).collect();
        let wholes: Vec<Term> = parts.iter().map(|part| part.expanded).collect();
        let meta = self.arena.with_children(term, &metas);
        let expanded = self.arena.with_children(term, &wholes);
        let inner = parts.iter().any(|part| part.compound);
        let boolean = self.arena.sort(term) == Sort::BOOL;
        if boolean && !(self.settings.leaves && inner) {
            self.monitor(meta, expanded, false);
        }
        if !boolean && self.settings.domains == Domains::Expressions {
            let watched = domains(self.arena, self.scope, meta);
            let whole = domains(self.arena, self.scope, expanded);
            for (meta, expanded) in watched.into_iter().zip(whole) {
                self.monitor(meta, expanded, true);
            }
        }
        self.results.push(Part { meta, expanded, compound: inner || boolean });
    }

    fn monitor(&mut self, meta: Term, expanded: Term, domain: bool) {
        let expression = self.quantified(meta);
        let expanded = self.quantified(expanded);
        let closed = self.free.of(self.arena, expression).is_empty();
        if closed && self.seen.insert(expression) {
            let list = if domain { &mut self.domains } else { &mut self.monitors };
            list.push(Monitor { expression, expanded });
        }
    }

    /// The expression under copies of the quantifiers that bind its variables.
    fn quantified(&mut self, term: Term) -> Term {
        if self.copied.is_empty() {
            return term;
        }
        let free = self.free.of(self.arena, term);
        let mut result = term;
        let mut at = self.copied.len();
        while at > 0 {
            let binder = self.copied[at - 1].binder;
            let start = self.copied.iter().position(|one| one.binder == binder).unwrap_or(at - 1);
            let group = &self.copied[start..at];
            let kind = group[0].kind;
            let variables: Vec<Term> =
                group.iter().map(|one| one.variable).filter(|variable| free.contains(variable)).collect();
            if !variables.is_empty() {
                result = self.arena.quantifier(kind, &variables, result);
            }
            at = start;
        }
        result
    }
}
