//! Capture-avoiding substitution of local variables, and the expansion of `let`, which is the same thing.

use super::free::{FreeLocals, FreeNames};
use crate::arena::Arena;
use crate::hash::FixedState;
use crate::symbol::Symbol;
use crate::term::{Pattern, Term, View};
use std::collections::HashMap;

/// A substitution of terms for local variables, applied to any number of terms of one arena.
pub struct Substitution<'a> {
    arena: &'a mut Arena,
    /// What names mean at the place that is being rewritten; the latest entry of a name counts.
    meanings: Vec<Meaning>,
    latest: HashMap<Symbol, u32, FixedState>,
    /// Results, by term and scope.
    memo: HashMap<(Term, u32), Term, FixedState>,
    scope: u32,
    scopes: u32,
    expand_lets: bool,
    /// How many meanings in force mention each name: a binder of such a name has to be renamed.
    mentioned: HashMap<Symbol, u32, FixedState>,
    free: FreeNames,
    locals: FreeLocals,
    steps: Vec<Step>,
    results: Vec<Term>,
    /// Patterns of the cases of `match` that are done.
    patterns: Vec<Pattern>,
}

/// What a local variable stands for.
struct Meaning {
    local: Term,
    value: Term,
    name: Symbol,
    previous: Option<u32>,
    mentions: bool,
}

enum Step {
    Enter(Term),
    /// The children's results are ready: rebuild.
    Rebuild(Term),
    /// The values of an expanded `let` are ready: its names get their meanings, the body comes next.
    OpenLet(Term),
    /// The scope ends and the body's result is the result.
    CloseLet {
        memo: (Term, u32),
        marks: Marks,
    },
    /// A quantifier or a kept `let`: open the scope, rewrite the bodies, close and rebuild.
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

/// Where to return to when a scope ends.
#[derive(Clone, Copy)]
struct Marks {
    meanings: usize,
    scope: u32,
}

impl<'a> Substitution<'a> {
    /// A substitution; each pair is a local variable and the term that takes its place.
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
            meanings: Vec::new(),
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
        self.results.pop().expect("a term gives a result")
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
                let result = *self.results.last().expect("the body gave a result");
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
                let meaning = self.latest.get(&name).map(|&at| &self.meanings[at as usize]);
                let result =
                    meaning.filter(|meaning| meaning.local == term).map_or(term, |meaning| meaning.value);
                self.results.push(result);
            }
            View::Let { values, .. } if self.expand_lets => {
                self.steps.push(Step::OpenLet(term));
                self.steps.extend(values.iter().rev().map(|&value| Step::Enter(value)));
            }
            View::Let { values, .. } => {
                // The values belong to the scope outside.
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
        // Without quantifiers nothing can be captured, and nothing needs to be known of the values.
        let guard = self.arena.has_binder(body);
        for (name, value) in names.into_iter().zip(values) {
            self.bind(name, value, guard);
        }
        self.steps.push(Step::CloseLet { memo, marks });
        self.steps.push(Step::Enter(body));
    }

    /// Opens the scope of a quantifier, or of a `let` that is kept (whose values are on the stack of results).
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

    /// Binds variables to themselves, or to fresh ones where a term that is put into the bodies would be captured.
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

    /// Whether a binder of `name` over these bodies would capture something that is put into them.
    fn captures(&mut self, name: Symbol, bodies: &[Term]) -> bool {
        // Mostly nothing in force mentions the name, which is quickly seen.
        if self.mentioned.get(&name).is_none_or(|&count| count == 0) {
            return false;
        }
        bodies.iter().any(|&body| {
            self.locals.of(self.arena, body).iter().any(|&local| {
                let View::Local(used) = self.arena.view(local) else { return false };
                let Some(&at) = self.latest.get(&used).filter(|_| used != name) else { return false };
                let meaning = &self.meanings[at as usize];
                meaning.local == local && self.free.of(self.arena, meaning.value).binary_search(&name).is_ok()
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
        let at = self.meanings.len() as u32;
        let previous = self.latest.insert(name, at);
        if mentions {
            for &mentioned in self.free.of(self.arena, value).iter() {
                *self.mentioned.entry(mentioned).or_insert(0) += 1;
            }
        }
        self.meanings.push(Meaning { local, value, name, previous, mentions });
    }

    fn open(&mut self) -> Marks {
        let marks = Marks { meanings: self.meanings.len(), scope: self.scope };
        self.scope = self.scopes;
        self.scopes += 1;
        marks
    }

    fn close(&mut self, marks: Marks) {
        while self.meanings.len() > marks.meanings {
            let meaning = self.meanings.pop().expect("more than the mark are left");
            match meaning.previous {
                Some(previous) => self.latest.insert(meaning.name, previous),
                None => self.latest.remove(&meaning.name),
            };
            if meaning.mentions {
                for mentioned in self.free.of(self.arena, meaning.value).iter() {
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
    /// Puts terms in the place of free local variables. Bound variables are renamed where they would capture something.
    pub fn substitute(&mut self, term: Term, pairs: &[(Term, Term)]) -> Term {
        Substitution::new(self, pairs).apply(term)
    }

    /// Replaces every `let` by what it stands for. The result shares what the names named. A part that `:named` names may then
    /// stand twice or not at all, so scripts that name terms are to be left as they are.
    pub fn expand_lets(&mut self, term: Term) -> Term {
        if !self.has_let(term) {
            return term;
        }
        Substitution::empty(self, true).apply(term)
    }

    /// A symbol that nothing in this arena has used so far, made from `base`.
    pub fn fresh_symbol(&mut self, base: &str) -> Symbol {
        let stem = base.split_once('!').map_or(base, |(stem, _)| stem);
        let mut number = self.symbols.len();
        loop {
            let name = format!("{stem}!{number}");
            if self.symbols.get(&name).is_none() {
                return self.symbols.intern(&name);
            }
            number += 1;
        }
    }
}
