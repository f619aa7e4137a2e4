//! The machine: evaluates terms on an explicit stack, so that deep terms cannot overflow the call stack.

use smt::{Binder, Pattern, Term, View};

use super::rule::{Fold, Rule};
use super::stack::{Dependence, Frame, Mark};
use super::{Evaluator, Meaning, literal};
use crate::data::{Function, Value, equal};
use crate::reason::{Outcome, Reason};
use crate::theories::{arithmetic, core};
use crate::theory::{self, Apply, Context};

impl Evaluator<'_> {
    /// The value of a term under the current bindings.
    pub(super) fn run(&mut self, term: Term) -> Outcome<Value> {
        if self.nesting >= self.limits.nesting {
            return Err(Reason::TooLarge("binders nested too deeply"));
        }
        self.nesting += 1;
        let (frames, values) = (self.memory.frames.len(), self.memory.values.len());
        let bindings = self.memory.bindings();
        let (calls, pending) = (self.calls, self.pending_calls.len());
        self.memory.frames.push(Frame::Visit(term));
        let mut result = Ok(());
        while self.memory.frames.len() > frames {
            if self.steps == 0 {
                result = Err(Reason::TooLarge("step limit reached"));
                break;
            }
            self.steps -= 1;
            if let Some(frame) = self.memory.frames.pop() {
                self.step(frame);
            }
        }
        self.nesting -= 1;
        self.calls = calls;
        self.pending_calls.truncate(pending);
        let outcome = match result {
            Ok(()) => self.pop().0,
            Err(reason) => Err(reason),
        };
        self.memory.frames.truncate(frames);
        self.memory.values.truncate(values);
        self.memory.marks.truncate(values);
        self.memory.unbind_to(bindings);
        outcome
    }

    #[inline]
    fn push(&mut self, outcome: Outcome<Value>, dependence: Dependence) {
        let (value, reason) = match outcome {
            Ok(value) => (value, None),
            Err(reason) => (Value::Bool(false), Some(reason)),
        };
        self.memory.values.push(value);
        self.memory.marks.push(Mark { dependence, reason });
    }

    #[inline]
    fn pop(&mut self) -> (Outcome<Value>, Dependence) {
        let (Some(value), Some(mark)) = (self.memory.values.pop(), self.memory.marks.pop()) else {
            return (Err(Reason::BadArguments(None)), Dependence::NONE);
        };
        (mark.reason.map_or(Ok(value), Err), mark.dependence)
    }

    /// Pushes the value of a term and remembers it.
    #[inline]
    fn finish(&mut self, term: Term, outcome: Outcome<Value>, dependence: Dependence) {
        self.memory.keep(term, outcome.clone(), dependence);
        self.push(outcome, dependence);
    }

    fn step(&mut self, frame: Frame) {
        match frame {
            Frame::Visit(term) => self.visit(term),
            Frame::Apply(term) => self.apply(term),
            Frame::Junction { term, next, reason, dependence } => {
                self.junction(term, next, reason, dependence)
            }
            Frame::Branch(term) => self.branch(term),
            Frame::Chosen { term, condition } => {
                let (outcome, dependence) = self.pop();
                self.finish(term, outcome, dependence.max(condition));
            }
            Frame::Both { term, reason, condition } => {
                let (otherwise, right) = self.pop();
                let (then, left) = self.pop();
                let outcome = match (then, otherwise) {
                    (Ok(a), Ok(b)) if equal(&a, &b, &self.limits.values) == Ok(true) => Ok(a),
                    _ => Err(reason),
                };
                self.finish(term, outcome, left.max(right).max(condition));
            }
            Frame::Let(term) => {
                let View::Let { names, body, .. } = self.arena.view(term) else { return };
                self.enter(term, names, body, Dependence::NONE);
            }
            Frame::Match(term) => self.match_term(term),
            Frame::Leave { term, bindings, first, outer, chosen } => {
                let (outcome, dependence) = self.pop();
                self.memory.unbind_to(bindings as usize);
                let dependence = if dependence.is_before(first) { dependence } else { outer };
                self.finish(term, outcome, dependence.max(chosen));
            }
            Frame::Return { term, bindings, arguments, cached } => {
                let (outcome, _) = self.pop();
                self.memory.unbind_to(bindings as usize);
                self.calls -= 1;
                if cached && let Some(key) = self.pending_calls.pop() {
                    self.memory.calls.insert(key, outcome.clone());
                }
                self.finish(term, outcome, arguments);
            }
        }
    }

    #[inline]
    fn visit(&mut self, term: Term) {
        if let Some((outcome, dependence)) = self.memory.recall(term) {
            let outcome = outcome.clone();
            return self.push(outcome, dependence);
        }
        let arena = self.arena;
        match arena.view(term) {
            View::App(op, args) => match self.rule(op) {
                Rule::And | Rule::Or | Rule::Implies => match args {
                    [] => {
                        let empty = Value::Bool(matches!(self.rule(op), Rule::And));
                        self.finish(term, Ok(empty), Dependence::NONE);
                    }
                    [first, ..] => {
                        let frame =
                            Frame::Junction { term, next: 1, reason: None, dependence: Dependence::NONE };
                        self.memory.frames.extend([frame, Frame::Visit(*first)]);
                    }
                },
                Rule::Ite if args.len() == 3 => {
                    self.memory.frames.extend([Frame::Branch(term), Frame::Visit(args[0])]);
                }
                // A term equals itself, even if its value is undetermined.
                Rule::Equal if args.iter().all(|&arg| arg == args[0]) => {
                    self.finish(term, Ok(Value::Bool(true)), Dependence::NONE);
                }
                _ if args.is_empty() => self.apply(term),
                _ => {
                    self.memory.frames.push(Frame::Apply(term));
                    self.memory.frames.extend(args.iter().rev().map(|&arg| Frame::Visit(arg)));
                }
            },
            View::Literal(..) => {
                let outcome = literal::value(arena, term, &self.limits.values);
                self.memory.keep_for_all_models(term, outcome.clone());
                self.push(outcome, Dependence::NONE);
            }
            View::Local(_) => match self.memory.local(term) {
                Some((outcome, dependence)) => {
                    let outcome = outcome.clone();
                    self.push(outcome, dependence);
                }
                None => self.push(Err(Reason::Free(term)), Dependence::NONE),
            },
            View::Let { values, .. } => {
                self.memory.frames.push(Frame::Let(term));
                self.memory.frames.extend(values.iter().rev().map(|&value| Frame::Visit(value)));
            }
            View::Annotated { body, .. } => self.memory.frames.push(Frame::Visit(body)),
            View::Match { scrutinee, .. } => {
                self.memory.frames.extend([Frame::Match(term), Frame::Visit(scrutinee)]);
            }
            View::Binder { kind, variables, bodies } => {
                let outer = self.memory.here();
                let outcome = match kind {
                    Binder::Forall | Binder::Exists => self.quantifier(term, kind, variables, bodies[0]),
                    Binder::Lambda => self.closure(term, variables, bodies[0]),
                    Binder::Choice | Binder::Witness => Err(Reason::Choice(term)),
                    Binder::Comprehension => self.comprehension(term, variables, bodies),
                };
                self.finish(term, outcome, outer);
            }
        }
    }

    /// Binds names to the values on top of the stack and continues with a body. Which body was chosen depends on `chosen`.
    fn enter(&mut self, term: Term, names: &[Term], body: Term, chosen: Dependence) {
        let base = self.memory.values.len() - names.len();
        let outer = self.memory.here();
        let bindings = self.memory.bindings() as u32;
        let first = self.bind_top(names, base);
        self.memory
            .frames
            .extend([Frame::Leave { term, bindings, first, outer, chosen }, Frame::Visit(body)]);
    }

    /// Pops the values from `base` on and binds names to them.
    fn bind_top(&mut self, names: &[Term], base: usize) -> u32 {
        let values = self.memory.values.split_off(base);
        let marks = self.memory.marks.split_off(base);
        let outcomes = values.into_iter().zip(marks).map(|(value, mark)| mark.reason.map_or(Ok(value), Err));
        self.memory.bind(names, outcomes)
    }

    /// An argument of `and`, `or` or `=>` is evaluated. A deciding argument ends the evaluation; an undetermined one is skipped.
    fn junction(&mut self, term: Term, next: u32, mut reason: Option<Reason>, mut dependence: Dependence) {
        let arena = self.arena;
        let View::App(op, args) = arena.view(term) else { return };
        let rule = self.rule(op);
        let (outcome, own) = self.pop();
        let last = next as usize >= args.len();
        // `(=> a b c)` is `(or (not a) (not b) c)`.
        let deciding = match rule {
            Rule::And => false,
            Rule::Implies => last,
            _ => true,
        };
        match outcome {
            Ok(Value::Bool(value)) if value == deciding => {
                return self.finish(term, Ok(Value::Bool(!matches!(rule, Rule::And))), own);
            }
            Ok(Value::Bool(_)) => {}
            Ok(_) => reason = Some(Reason::BadArguments(Some(term))),
            Err(why) => reason = reason.or(Some(why)),
        }
        dependence = dependence.max(own);
        if last {
            let outcome = reason.map_or(Ok(Value::Bool(matches!(rule, Rule::And))), Err);
            return self.finish(term, outcome, dependence);
        }
        let frame = Frame::Junction { term, next: next + 1, reason, dependence };
        self.memory.frames.extend([frame, Frame::Visit(args[next as usize])]);
    }

    fn branch(&mut self, term: Term) {
        let arena = self.arena;
        let (outcome, condition) = self.pop();
        let [_, then, otherwise] = *arena.children(term) else { return };
        match outcome {
            Ok(Value::Bool(value)) => {
                let chosen = if value { then } else { otherwise };
                self.memory.frames.extend([Frame::Chosen { term, condition }, Frame::Visit(chosen)]);
            }
            Ok(_) => self.finish(term, Err(Reason::BadArguments(Some(term))), condition),
            Err(reason) => {
                let both = Frame::Both { term, reason, condition };
                self.memory.frames.extend([both, Frame::Visit(otherwise), Frame::Visit(then)]);
            }
        }
    }

    fn match_term(&mut self, term: Term) {
        let arena = self.arena;
        let View::Match { patterns, bodies, .. } = arena.view(term) else { return };
        let (outcome, scrutinee) = self.pop();
        let value = match outcome {
            Ok(value) => value,
            Err(reason) => return self.finish(term, Err(reason), scrutinee),
        };
        for (pattern, &body) in patterns.iter().zip(bodies) {
            match pattern {
                Pattern::Variable(variable) => {
                    self.push(Ok(value), scrutinee);
                    return self.enter(term, &[*variable], body, scrutinee);
                }
                Pattern::Constructor(op, variables) => {
                    let (Rule::Constructor(_, number), Value::Data(data)) = (self.rule(*op), &value) else {
                        return self.finish(term, Err(Reason::BadArguments(Some(term))), scrutinee);
                    };
                    if data.constructor != number {
                        continue;
                    }
                    for field in &data.fields.items {
                        self.push(Ok(field.clone()), scrutinee);
                    }
                    return self.enter(term, variables, body, scrutinee);
                }
            }
        }
        self.finish(term, Err(Reason::Open("a `match` without a case for the value", Some(term))), scrutinee);
    }

    /// Applies an operator to the values on top of the stack.
    fn apply(&mut self, term: Term) {
        let arena = self.arena;
        let View::App(op, args) = arena.view(term) else { return };
        let base = self.memory.values.len() - args.len();
        let mut dependence = Dependence::NONE;
        let mut reason = None;
        for mark in &self.memory.marks[base..] {
            dependence = dependence.max(mark.dependence);
            reason = reason.or(mark.reason);
        }
        let rule = self.rule(op);
        if matches!(rule, Rule::Function) {
            return self.call(term, args.len(), dependence);
        }
        let outcome = match reason {
            None => self.apply_rule(rule, op, term, base),
            Some(reason) => self.apply_partial(rule, args, base).ok_or(reason),
        };
        self.memory.values.truncate(base);
        self.memory.marks.truncate(base);
        self.finish(term, outcome, dependence);
    }

    pub(super) fn apply_rule(&mut self, rule: Rule, op: smt::Op, term: Term, base: usize) -> Outcome<Value> {
        let outcome = match rule {
            Rule::Theory { rule, min_args, fold } => {
                let cx = self.context(op, Some(term));
                let args = &self.memory.values[base..];
                match (args.len(), fold) {
                    (1, _) if min_args == 2 => Ok(args[0].clone()),
                    (given, _) if given < min_args as usize => Err(Reason::NoRule(op)),
                    (0..=2, _) | (_, Fold::None) => rule(&cx, args),
                    (_, Fold::Left) => return self.fold_left(rule, op, term, base),
                    (_, Fold::Chain) => chain(&cx, rule, args),
                }
            }
            Rule::Equal | Rule::Distinct | Rule::Times => {
                let cx = self.context(op, Some(term));
                let args = &self.memory.values[base..];
                match rule {
                    Rule::Equal => core::equal_all(&cx, args),
                    Rule::Distinct => core::distinct(&cx, args),
                    _ => arithmetic::times(&cx, args),
                }
            }
            _ => {
                let args = self.memory.values[base..].to_vec();
                self.apply_general(rule, op, term, &args)
            }
        };
        match outcome {
            Err(Reason::Open(..)) => {
                let args = self.memory.values[base..].to_vec();
                self.open_value(op, self.arena.sort(term), &args)
                    .unwrap_or(outcome)
                    .map_err(|reason| reason.at(term))
            }
            outcome => outcome.map_err(|reason| reason.at(term)),
        }
    }

    /// `(f a b c)` as `(f (f a b) c)`. The standard may leave each step open.
    fn fold_left(&mut self, rule: theory::Rule, op: smt::Op, term: Term, base: usize) -> Outcome<Value> {
        let mut result = self.memory.values[base].clone();
        for at in base + 1..self.memory.values.len() {
            let pair = [result, self.memory.values[at].clone()];
            let cx = self.context(op, Some(term));
            let outcome = rule(&cx, &pair);
            result = match outcome {
                Err(Reason::Open(..)) => self.open_value(op, self.arena.sort(term), &pair).unwrap_or(outcome),
                outcome => outcome,
            }
            .map_err(|reason| reason.at(term))?;
        }
        Ok(result)
    }

    /// Some arguments are undetermined. The result, if the others decide it.
    fn apply_partial(&self, rule: Rule, args: &[Term], base: usize) -> Option<Value> {
        let known = |at: usize| self.memory.marks[base + at].reason.is_none();
        let value = |at: usize| &self.memory.values[base + at];
        let limits = &self.limits.values;
        match rule {
            Rule::Equal | Rule::Distinct => {
                let decisive = matches!(rule, Rule::Distinct);
                let pairs = (0..args.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
                let decided = |(a, b): (usize, usize)| {
                    (decisive && args[a] == args[b])
                        || (known(a) && known(b) && equal(value(a), value(b), limits) == Ok(decisive))
                };
                pairs.take(1000).any(decided).then_some(Value::Bool(false))
            }
            Rule::Times => {
                (0..args.len()).filter(|&at| known(at)).map(value).find_map(|factor| match factor {
                    Value::Int(number) if number.is_zero() => Some(factor.clone()),
                    Value::Real(number) if number.is_zero() => Some(factor.clone()),
                    _ => None,
                })
            }
            _ => None,
        }
    }

    /// Calls a declared function with the values on top of the stack, some of which may be undetermined.
    fn call(&mut self, term: Term, count: usize, dependence: Dependence) {
        let arena = self.arena;
        let View::App(op, _) = arena.view(term) else { return };
        let base = self.memory.values.len() - count;
        let outcome = match self.meaning(op) {
            Meaning::Value(value) if count == 0 => {
                // Not remembered: this lookup is as fast as the memory's.
                let value = value.clone();
                return self.push(Ok(value), Dependence::NONE);
            }
            Meaning::Value(value) => {
                let value = value.clone();
                match self.memory.marks[base..].iter().find_map(|mark| mark.reason) {
                    Some(reason) => Err(reason),
                    None => {
                        let args = self.memory.values[base..].to_vec();
                        self.apply_value(&value, &args)
                    }
                }
            }
            Meaning::Definition { params, body, recursive } if params.len() == count => {
                let (params, body, recursive) = (params.clone(), *body, *recursive);
                let complete = self.memory.marks[base..].iter().all(|mark| mark.reason.is_none());
                let cached = recursive && complete && count > 0;
                if cached {
                    let key = (op, self.memory.values[base..].into());
                    if let Some(known) = self.memory.calls.get(&key) {
                        let known = known.clone();
                        self.memory.values.truncate(base);
                        self.memory.marks.truncate(base);
                        return self.finish(term, known, dependence);
                    }
                    self.pending_calls.push(key);
                }
                if self.calls < self.limits.calls {
                    self.calls += 1;
                    let bindings = self.memory.bindings() as u32;
                    self.bind_top(&params, base);
                    let back = Frame::Return { term, bindings, arguments: dependence, cached };
                    self.memory.frames.extend([back, Frame::Visit(body)]);
                    return;
                }
                if cached {
                    self.pending_calls.pop();
                }
                Err(Reason::TooLarge("recursion limit reached"))
            }
            Meaning::Definition { .. } => Err(Reason::BadArguments(Some(term))),
            Meaning::Missing | Meaning::Unreadable => self.point_call(op, term, base),
        };
        self.memory.values.truncate(base);
        self.memory.marks.truncate(base);
        self.finish(term, outcome.map_err(|reason| reason.at(term)), dependence);
    }

    /// The value of a function without a definition, at a point that a `get-value` answer gives.
    fn point_call(&mut self, op: smt::Op, term: Term, base: usize) -> Outcome<Value> {
        if let Some(reason) = self.memory.marks[base..].iter().find_map(|mark| mark.reason) {
            return Err(reason);
        }
        self.point_value(op, self.arena.sort(term), &self.memory.values[base..])
    }

    /// A `lambda` as a value: a table if it has the form of one, else a closure.
    fn closure(&mut self, term: Term, params: &[Term], body: Term) -> Outcome<Value> {
        if let Some(table) = self.tabulate(params, body, self.arena.sort(term)) {
            return Ok(table);
        }
        let mut captured = Vec::new();
        for local in self.locals_of(body) {
            if params.contains(&local) {
                continue;
            }
            if let Some((outcome, _)) = self.memory.local(local) {
                captured.push((local, outcome.clone()?));
            }
        }
        captured.sort_by_key(|(local, _)| *local);
        let sort = self.arena.sort(term);
        if let Some(table) = self.tabulate_all(params, body, sort) {
            return Ok(table);
        }
        let (params, captured) = (params.into(), captured.into());
        let function = Function::Closure { params, body, captured, partial_args: Box::default() };
        if function.depth() > crate::data::MAX_DEPTH {
            return Err(Reason::TooLarge("a value nested too deeply"));
        }
        Ok(Value::Function(std::sync::Arc::new(function)))
    }
}

/// Whether a relation holds between all neighbours. One pair that violates it outweighs undetermined ones.
fn chain(cx: &Context, rule: theory::Rule, args: &[Value]) -> Outcome<Value> {
    let mut result = Ok(Value::Bool(true));
    for pair in args.windows(2) {
        match rule(cx, pair) {
            Ok(Value::Bool(true)) => {}
            Ok(value) => return Ok(value),
            Err(reason) => result = Err(reason),
        }
    }
    result
}
