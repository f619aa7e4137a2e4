//! Capture-avoiding substitution of local variables. Expanding `let` is a special case.

use super::free::{FreeLocals, FreeNames};
use crate::arena::Arena;
use crate::hash::FixedState;
use crate::symbol::Symbol;
use crate::term::{Pattern, Term, View};
use std::collections::HashMap;

/// The number of the first fresh symbol. It does not depend on the number of operators, so that a new operator renames nothing.
const FIRST_FRESH: usize = 466;

/// A substitution of terms for local variables, applicable to any number of terms of one arena.
pub struct Substitution<'a> {
    arena: &'a mut Arena,
    /// The bindings in scope; the latest binding of a name wins.
    bindings: Vec<Binding>,
    latest: HashMap<Symbol, u32, FixedState>,
    /// The results by term and scope.
    memo: HashMap<(Term, u32), Term, FixedState>,
    scope: u32,
    scopes: u32,
    expand_lets: bool,
    /// The number of bound values that mention each name: a binder of such a name must be renamed.
    mentioned: HashMap<Symbol, u32, FixedState>,
    free: FreeNames,
    locals: FreeLocals,
    steps: Vec<Step>,
    results: Vec<Term>,
    /// The patterns of the finished `match` cases.
    patterns: Vec<Pattern>,
}

/// The value of a local variable.
struct Binding {
    local: Term,
    value: Term,
    name: Symbol,
    previous: Option<u32>,
    mentions: bool,
}

enum Step {
    Enter(Term),
    /// The children are done: rebuild the term.
    Rebuild(Term),
    /// The values of an expanded `let` are done: bind its variables and continue with the body.
    OpenLet(Term),
    /// End the scope; the result of the body is the result.
    CloseLet {
        memo: (Term, u32),
        marks: Marks,
    },
    /// A binder, or a `let` that is not expanded: open the scope, rewrite the bodies, close the scope and rebuild.
    OpenBinder(Term),
    CloseBinder {
        term: Term,
        memo: (Term, u32),
        marks: Marks,
        names: Vec<Term>,
    },
    /// One case of a `match`.
    OpenCase(Term, usize),
    CloseCase {
        marks: Marks,
    },
    RebuildMatch {
        term: Term,
        memo: (Term, u32),
        first_pattern: usize,
    },
}

/// The state to restore when a scope ends.
#[derive(Clone, Copy)]
struct Marks {
    bindings: usize,
    scope: u32,
}

impl<'a> Substitution<'a> {
    /// Creates a substitution from pairs of a local variable and the term that replaces it.
    pub fn new(arena: &'a mut Arena, pairs: &[(Term, Term)]) -> Self {
        let mut substitution = Substitution::empty(arena, false);
        for &(local, value) in pairs {
            substitution.bind(local, value, true);
        }
        substitution
    }

    fn empty(arena: &'a mut Arena, expand_lets: bool) -> Self {
        Substitution {
            arena,
            bindings: Vec::new(),
            latest: HashMap::default(),
            memo: HashMap::default(),
            scope: 0,
            scopes: 1,
            expand_lets,
            mentioned: HashMap::default(),
            free: FreeNames::default(),
            locals: FreeLocals::default(),
            steps: Vec::new(),
            results: Vec::new(),
            patterns: Vec::new(),
        }
    }

    /// Applies the substitution to a term.
    pub fn apply(&mut self, term: Term) -> Term {
        self.steps.push(Step::Enter(term));
        while let Some(step) = self.steps.pop() {
            self.step(step);
        }
        self.results.pop().expect("a term has a result")
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Enter(term) => self.enter(term),
            Step::Rebuild(term) => {
                let count = self.arena.children(term).len();
                let at = self.results.len() - count;
                let same = self.arena.children(term) == &self.results[at..];
                let result = if same { term } else { self.arena.with_children(term, &self.results[at..]) };
                self.results.truncate(at);
                self.finish((term, self.scope), result);
            }
            Step::OpenLet(term) => self.open_let(term),
            Step::CloseLet { memo, marks } => {
                self.close(marks);
                let result = *self.results.last().expect("the body has a result");
                self.memo.insert(memo, result);
            }
            Step::OpenBinder(term) => self.open_binder(term),
            Step::CloseBinder { term, memo, marks, names } => {
                self.close(marks);
                let at = self.results.len() - self.arena.children(term).len();
                let result = self.arena.rebind(term, &names, &self.results[at..]);
                self.results.truncate(at);
                self.finish(memo, result);
            }
            Step::OpenCase(term, at) => self.open_case(term, at),
            Step::CloseCase { marks } => self.close(marks),
            Step::RebuildMatch { term, memo, first_pattern } => {
                let at = self.results.len() - self.arena.children(term).len();
                let children: Vec<Term> = self.results.split_off(at);
                let patterns = self.patterns.split_off(first_pattern);
                let result = self.arena.match_term(children[0], patterns, &children[1..]);
                self.finish(memo, result);
            }
        }
    }

    fn finish(&mut self, memo: (Term, u32), result: Term) {
        self.memo.insert(memo, result);
        self.results.push(result);
    }

    fn enter(&mut self, term: Term) {
        let untouched = self.arena.has_no_locals(term) && !(self.expand_lets && self.arena.has_let(term));
        if untouched {
            self.results.push(term);
            return;
        }
        if let Some(&known) = self.memo.get(&(term, self.scope)) {
            self.results.push(known);
            return;
        }
        match self.arena.view(term) {
            View::Local(name) => {
                let binding = self.latest.get(&name).map(|&at| &self.bindings[at as usize]);
                let result =
                    binding.filter(|binding| binding.local == term).map_or(term, |binding| binding.value);
                self.results.push(result);
            }
            View::Let { values, .. } if self.expand_lets => {
                self.steps.push(Step::OpenLet(term));
                self.steps.extend(values.iter().rev().map(|&value| Step::Enter(value)));
            }
            View::Let { values, .. } => {
                // The values belong to the enclosing scope.
                self.steps.push(Step::OpenBinder(term));
                self.steps.extend(values.iter().rev().map(|&value| Step::Enter(value)));
            }
            View::Binder { .. } => self.steps.push(Step::OpenBinder(term)),
            View::Match { scrutinee, patterns, .. } => {
                let count = patterns.len();
                let memo = (term, self.scope);
                self.steps.push(Step::RebuildMatch { term, memo, first_pattern: self.patterns.len() });
                self.steps.extend((0..count).rev().map(|at| Step::OpenCase(term, at)));
                self.steps.push(Step::Enter(scrutinee));
            }
            _ => {
                self.steps.push(Step::Rebuild(term));
                self.steps.extend(self.arena.children(term).iter().rev().map(|&child| Step::Enter(child)));
            }
        }
    }

    fn open_let(&mut self, term: Term) {
        let View::Let { names, values, body } = self.arena.view(term) else { return };
        let (names, count) = (names.to_vec(), values.len());
        let memo = (term, self.scope);
        let marks = self.open();
        let at = self.results.len() - count;
        let values = self.results.split_off(at);
        // Without binders nothing can be captured, so the free names of the values do not matter.
        let guard = self.arena.has_binder(body);
        for (name, value) in names.into_iter().zip(values) {
            self.bind(name, value, guard);
        }
        self.steps.push(Step::CloseLet { memo, marks });
        self.steps.push(Step::Enter(body));
    }

    /// Opens the scope of a binder, or of a `let` that is kept (whose values are on the result stack).
    fn open_binder(&mut self, term: Term) {
        let names = self.arena.bound_names(term).to_vec();
        let bodies: Vec<Term> = match self.arena.view(term) {
            View::Let { body, .. } => vec![body],
            View::Binder { bodies, .. } => bodies.to_vec(),
            _ => Vec::new(),
        };
        let memo = (term, self.scope);
        let marks = self.open();
        let names = self.bind_variables(&names, &bodies);
        self.steps.push(Step::CloseBinder { term, memo, marks, names });
        self.steps.extend(bodies.into_iter().rev().map(Step::Enter));
    }

    fn open_case(&mut self, term: Term, at: usize) {
        let View::Match { patterns, bodies, .. } = self.arena.view(term) else { return };
        let (pattern, body) = (patterns[at].clone(), bodies[at]);
        let marks = self.open();
        let names = self.bind_variables(pattern.variables(), &[body]);
        self.patterns.push(match pattern {
            Pattern::Constructor(op, _) => Pattern::Constructor(op, names.into()),
            Pattern::Variable(_) => Pattern::Variable(names[0]),
        });
        self.steps.push(Step::CloseCase { marks });
        self.steps.push(Step::Enter(body));
    }

    /// Binds variables to themselves, or to fresh ones where they would capture a name in a substituted term.
    fn bind_variables(&mut self, variables: &[Term], bodies: &[Term]) -> Vec<Term> {
        let mut chosen = Vec::with_capacity(variables.len());
        for &variable in variables {
            let View::Local(name) = self.arena.view(variable) else { continue };
            let new = if self.captures(name, bodies) { self.fresh(name, variable) } else { variable };
            chosen.push(new);
        }
        for (&variable, &new) in variables.iter().zip(&chosen) {
            self.bind(variable, new, new != variable);
        }
        chosen
    }

    /// Whether a binder of `name` over these bodies would capture a name in a substituted term.
    fn captures(&mut self, name: Symbol, bodies: &[Term]) -> bool {
        // Fast path: usually no bound value mentions the name.
        if self.mentioned.get(&name).is_none_or(|&count| count == 0) {
            return false;
        }
        bodies.iter().any(|&body| {
            self.locals.of(self.arena, body).iter().any(|&local| {
                let View::Local(used) = self.arena.view(local) else { return false };
                let Some(&at) = self.latest.get(&used).filter(|_| used != name) else { return false };
                let binding = &self.bindings[at as usize];
                binding.local == local && self.free.of(self.arena, binding.value).binary_search(&name).is_ok()
            })
        })
    }

    fn fresh(&mut self, name: Symbol, variable: Term) -> Term {
        let base = self.arena.name(name).to_owned();
        let fresh = self.arena.fresh_symbol(&base);
        let sort = self.arena.sort(variable);
        self.arena.local(fresh, sort)
    }

    fn bind(&mut self, local: Term, value: Term, mentions: bool) {
        let View::Local(name) = self.arena.view(local) else { return };
        let at = self.bindings.len() as u32;
        let previous = self.latest.insert(name, at);
        if mentions {
            for &mentioned in self.free.of(self.arena, value).iter() {
                *self.mentioned.entry(mentioned).or_insert(0) += 1;
            }
        }
        self.bindings.push(Binding { local, value, name, previous, mentions });
    }

    fn open(&mut self) -> Marks {
        let marks = Marks { bindings: self.bindings.len(), scope: self.scope };
        self.scope = self.scopes;
        self.scopes += 1;
        marks
    }

    fn close(&mut self, marks: Marks) {
        while self.bindings.len() > marks.bindings {
            let binding = self.bindings.pop().expect("more bindings than the mark");
            match binding.previous {
                Some(previous) => self.latest.insert(binding.name, previous),
                None => self.latest.remove(&binding.name),
            };
            if binding.mentions {
                for mentioned in self.free.of(self.arena, binding.value).iter() {
                    if let Some(count) = self.mentioned.get_mut(mentioned) {
                        *count -= 1;
                    }
                }
            }
        }
        self.scope = marks.scope;
    }
}

impl Arena {
    /// Replaces free local variables by terms. Bound variables are renamed where they would capture a free one.
    pub fn substitute(&mut self, term: Term, pairs: &[(Term, Term)]) -> Term {
        Substitution::new(self, pairs).apply(term)
    }

    /// Expands every `let`. The result shares the values. A subterm with `:named` may then occur twice or not at all, so do not
    /// use this on scripts that name terms.
    pub fn expand_lets(&mut self, term: Term) -> Term {
        if !self.has_let(term) {
            return term;
        }
        Substitution::empty(self, true).apply(term)
    }

    /// Makes a symbol that this arena has not used before, derived from `base`.
    pub fn fresh_symbol(&mut self, base: &str) -> Symbol {
        let stem = base.split_once('!').map_or(base, |(stem, _)| stem);
        let mut number = FIRST_FRESH + self.symbols.len() - self.signatures.symbols.len();
        loop {
            let name = format!("{stem}!{number}");
            if self.symbols.get(&name).is_none() {
                return self.symbols.intern(&name);
            }
            number += 1;
        }
    }
}
