//! The pre-analysis (Algorithm 2): propagates the constraint of a root to every occurrence inside it, and weighs the choices
//! (section III-B).
//!
//! The constraints of a term's arguments follow from the term, the model, and the term's own constraint. Results are cached by
//! term and constraint: shared terms cost nothing, and after a mutation only the changed terms are analysed again.

use super::domain::Abstract;
use super::rules::{Rule, Site, resolve};
use crate::kit::draft::{Facts, ValuesOnly, mark};
use semantics::value::limits::Limits;
use semantics::{Evaluator, Value};
use smt::{Arena, FixedState, Sort, Term, View};
use std::collections::HashMap;

/// A constraint, as an index into the table of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Constraint(u32);

/// The constraint of an assertion: it must be true.
pub(crate) const TRUE: Constraint = Constraint(0);
const ANY: Constraint = Constraint(1);
const NOTHING: Constraint = Constraint(2);

/// With more pairs of term and constraint, arguments are no longer analysed.
const MOST_PAIRS: usize = 400_000;

/// What is known about a term under a constraint.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The weight of the term itself.
    own: f64,
    /// The weight of the term and everything inside it.
    total: f64,
    /// Where the constraints of the arguments begin in [`Analysis::inner`]; `None` if they are not analysed.
    inner: Option<u32>,
}

/// The analysis of one formula under one model.
pub(crate) struct Analysis {
    weighted: bool,
    /// Whether all sorts have sets of values, or only those of the paper.
    domains: bool,
    limits: Limits,
    constraints: Vec<Abstract>,
    numbers: HashMap<Abstract, u32, FixedState>,
    known: HashMap<(Term, Constraint), Known, FixedState>,
    inner: Vec<Constraint>,
    rules: Vec<Option<Rule>>,
    stack: Vec<(Term, Constraint, bool)>,
}

impl Analysis {
    /// An analysis that weighs terms by their constraints, or all the same. Without `domains`, a term keeps its value if its sort
    /// is none of the paper's.
    pub fn new(weighted: bool, domains: bool) -> Analysis {
        let mut analysis = Analysis {
            weighted,
            domains,
            limits: Limits::default(),
            constraints: Vec::new(),
            numbers: HashMap::default(),
            known: HashMap::default(),
            inner: Vec::new(),
            rules: Vec::new(),
            stack: Vec::new(),
        };
        for first in [Abstract::Bool(true), Abstract::Any, Abstract::Nothing] {
            analysis.intern(first);
        }
        analysis
    }

    fn intern(&mut self, constraint: Abstract) -> Constraint {
        if let Some(&number) = self.numbers.get(&constraint) {
            return Constraint(number);
        }
        let number = self.constraints.len() as u32;
        self.constraints.push(constraint.clone());
        self.numbers.insert(constraint, number);
        Constraint(number)
    }

    /// The set of values that a constraint allows.
    pub fn set(&self, constraint: Constraint) -> &Abstract {
        &self.constraints[constraint.0 as usize]
    }

    /// Whether a constraint allows a value.
    pub fn contains(&self, constraint: Constraint, value: &Value) -> bool {
        self.set(constraint).contains(value, &self.limits)
    }

    /// The weight of a term under a constraint, including everything inside it.
    pub fn weigh(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        facts: &mut Facts,
        term: Term,
        constraint: Constraint,
    ) -> f64 {
        let mut stack = std::mem::take(&mut self.stack);
        stack.push((term, constraint, false));
        while let Some((term, constraint, ready)) = stack.pop() {
            if self.known.contains_key(&(term, constraint)) && !ready {
                continue;
            }
            if ready {
                self.add_up(evaluator.arena(), term, constraint);
                continue;
            }
            let inner = self.constrain_arguments(evaluator, facts, term, constraint);
            let own = self.own_weight(evaluator.arena(), facts, term, constraint);
            self.known.insert((term, constraint), Known { own, total: own, inner });
            if let Some(start) = inner {
                stack.push((term, constraint, true));
                for (at, &child) in evaluator.arena().children(term).iter().enumerate() {
                    stack.push((child, self.inner[start as usize + at], false));
                }
            }
        }
        self.stack = stack;
        self.known[&(term, constraint)].total
    }

    fn add_up(&mut self, arena: &Arena, term: Term, constraint: Constraint) {
        let known = self.known[&(term, constraint)];
        let Some(start) = known.inner else { return };
        let inside: f64 = arena
            .children(term)
            .iter()
            .enumerate()
            .map(|(at, &child)| {
                self.known.get(&(child, self.inner[start as usize + at])).map_or(0.0, |k| k.total)
            })
            .sum();
        if let Some(known) = self.known.get_mut(&(term, constraint)) {
            known.total = known.own + inside;
        }
    }

    fn own_weight(&self, arena: &Arena, facts: &mut Facts, term: Term, constraint: Constraint) -> f64 {
        // An annotation stays, only its body may change. A named term must occur exactly once.
        let annotated = matches!(arena.view(term), View::Annotated { .. });
        if constraint == NOTHING || annotated || facts.of(arena, term).marks & mark::NAMED != 0 {
            return 0.0;
        }
        if self.weighted { self.set(constraint).score() } else { 1.0 }
    }

    /// The constraints of the arguments.
    fn constrain_arguments(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        facts: &mut Facts,
        term: Term,
        constraint: Constraint,
    ) -> Option<u32> {
        if self.known.len() > MOST_PAIRS {
            return None;
        }
        let arena = evaluator.arena();
        let start = self.inner.len() as u32;
        match arena.view(term) {
            View::App(_, []) => return None,
            View::Annotated { body: _, terms, .. } => {
                self.inner.push(constraint);
                self.inner.extend(terms.iter().map(|_| NOTHING));
            }
            View::App(op, args) => {
                let values_only = facts.values_only(arena, op);
                let pass = if constraint == ANY || constraint == NOTHING { Some(constraint) } else { None };
                let mut found = match pass {
                    Some(same) => vec![same; args.len()],
                    None => self.constrain(evaluator, term, constraint),
                };
                match values_only {
                    ValuesOnly::No => {}
                    ValuesOnly::All => found.fill(NOTHING),
                    ValuesOnly::Last => {
                        if let Some(last) = found.last_mut() {
                            *last = NOTHING;
                        }
                    }
                }
                self.inner.extend(found);
            }
            // Inside a binder, a term has many values.
            _ => return None,
        }
        Some(start)
    }

    /// Applies the rule of the operator.
    fn constrain(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        term: Term,
        constraint: Constraint,
    ) -> Vec<Constraint> {
        let arena = evaluator.arena();
        let View::App(op, args) = arena.view(term) else { return Vec::new() };
        let rule = self.rule(arena, op);
        let values: Vec<Option<Value>> = args.iter().map(|&arg| evaluator.evaluate(arg).ok()).collect();
        let wanted = self.set(constraint).clone();
        let limits = self.limits;
        let site = Site { arena, op, args, values: &values, wanted: &wanted, limits: &limits };
        let found = match rule {
            Rule::Complete(rule) => rule(&site),
            Rule::Current => vec![None; args.len()],
        };
        found
            .into_iter()
            .enumerate()
            .map(|(at, found)| {
                let found = found.filter(|_| self.domains || is_in_paper(arena.sort(args[at])));
                self.intern(found.unwrap_or_else(|| site.current(at)))
            })
            .collect()
    }

    fn rule(&mut self, arena: &Arena, op: smt::Op) -> Rule {
        if let Some(Some(rule)) = self.rules.get(op.index()) {
            return *rule;
        }
        let rule = resolve(arena, op);
        if self.rules.len() <= op.index() {
            self.rules.resize(op.index() + 1, None);
        }
        self.rules[op.index()] = Some(rule);
        rule
    }

    /// The weight of the term alone, for terms that [`Analysis::weigh`] has visited.
    pub fn own(&self, term: Term, constraint: Constraint) -> f64 {
        self.known.get(&(term, constraint)).map_or(0.0, |known| known.own)
    }

    /// The weight of a term and everything inside it, for terms that [`Analysis::weigh`] has visited.
    pub fn total(&self, term: Term, constraint: Constraint) -> f64 {
        self.known.get(&(term, constraint)).map_or(0.0, |known| known.total)
    }

    /// The constraint of an argument of a term that [`Analysis::weigh`] has visited; `None` if it was not analysed.
    pub fn inner(&self, term: Term, constraint: Constraint, at: usize) -> Option<Constraint> {
        let start = self.known.get(&(term, constraint))?.inner?;
        self.inner.get(start as usize + at).copied()
    }

    /// Whether the cache is so large that starting over is better.
    pub fn is_full(&self) -> bool {
        self.known.len() > MOST_PAIRS / 2
    }
}

/// Whether the paper has abstract values for a sort.
fn is_in_paper(sort: Sort) -> bool {
    matches!(sort, Sort::BOOL | Sort::INT | Sort::REAL | Sort::STRING)
}
