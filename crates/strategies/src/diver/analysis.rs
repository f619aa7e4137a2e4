//! The pre-analysis (Algorithm 2): from the model and the root's constraint to a constraint for every occurrence, and from
//! that the weights of the choice (section III-B).
//!
//! What a term's arguments may be follows from the term, the model and what the term itself may be. So the results are kept
//! by term and constraint: shared terms cost nothing, and after a mutation only what changed is looked at again.

use super::domain::Abstract;
use super::rules::{Rule, Site, resolve};
use crate::draft::{Facts, ValuesOnly, mark};
use semantics::value::limits::Limits;
use semantics::{Evaluator, Value};
use smt::{Arena, FixedState, Term, View};
use std::collections::HashMap;

/// A constraint, by its place in the table of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Constraint(u32);

/// The constraint of a formula: it has to be true.
pub(crate) const TRUE: Constraint = Constraint(0);
const ANY: Constraint = Constraint(1);
const NOTHING: Constraint = Constraint(2);

/// Beyond so many pairs of term and constraint, arguments are not looked at any more.
const MOST_PAIRS: usize = 400_000;

/// What is known of a term under a constraint.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The weight of the term itself.
    own: f64,
    /// The weight with all that is inside.
    total: f64,
    /// Where the constraints of the arguments begin in [`Analysis::inner`]; nothing if they are not looked at.
    inner: Option<u32>,
}

/// The analysis of one formula under one model.
pub(crate) struct Analysis {
    weighted: bool,
    limits: Limits,
    constraints: Vec<Abstract>,
    numbers: HashMap<Abstract, u32, FixedState>,
    known: HashMap<(Term, Constraint), Known, FixedState>,
    inner: Vec<Constraint>,
    rules: Vec<Option<Rule>>,
    stack: Vec<(Term, Constraint, bool)>,
}

impl Analysis {
    /// An analysis that weighs terms by their constraints, or all alike.
    pub fn new(weighted: bool) -> Analysis {
        let mut analysis = Analysis {
            weighted,
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

    /// The set that a constraint stands for.
    pub fn set(&self, constraint: Constraint) -> &Abstract {
        &self.constraints[constraint.0 as usize]
    }

    /// Whether a value is in the set of a constraint.
    pub fn contains(&self, constraint: Constraint, value: &Value) -> bool {
        self.set(constraint).contains(value, &self.limits)
    }

    /// The weight of a term under a constraint, with all that is inside of it.
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
            let inner = self.look_inside(evaluator, facts, term, constraint);
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
        // An annotation stays; what it is about may change. A term with a name stands exactly once.
        let annotated = matches!(arena.view(term), View::Annotated { .. });
        if constraint == NOTHING || annotated || facts.of(arena, term).marks & mark::NAMED != 0 {
            return 0.0;
        }
        if self.weighted { self.set(constraint).score() } else { 1.0 }
    }

    /// The constraints of the arguments.
    fn look_inside(
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
            // Inside of a binder a term has many values.
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
            .map(|(at, found)| self.intern(found.unwrap_or_else(|| site.current(at))))
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

    /// The weight of the term itself, without what is inside. Only for what [`Analysis::weigh`] has met.
    pub fn own(&self, term: Term, constraint: Constraint) -> f64 {
        self.known.get(&(term, constraint)).map_or(0.0, |known| known.own)
    }

    /// The weight of a term with what is inside. Only for what [`Analysis::weigh`] has met.
    pub fn total(&self, term: Term, constraint: Constraint) -> f64 {
        self.known.get(&(term, constraint)).map_or(0.0, |known| known.total)
    }

    /// The constraint of an argument of a term that [`Analysis::weigh`] has met; nothing where it did not look.
    pub fn inner(&self, term: Term, constraint: Constraint, at: usize) -> Option<Constraint> {
        let start = self.known.get(&(term, constraint))?.inner?;
        self.inner.get(start as usize + at).copied()
    }

    /// Whether so much is kept that starting anew is better.
    pub fn is_full(&self) -> bool {
        self.known.len() > MOST_PAIRS / 2
    }
}
