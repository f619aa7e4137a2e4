//! Functions that are values: calling them, and reading tables off their bodies.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use smt::{Arena, Op, OpKind, Sort, Term, View};

use super::rule::Rule;
use super::{Evaluator, Meaning};
use crate::data::{Function, MAX_DEPTH, Table, Value, find};
use crate::reason::{Outcome, Reason};
use crate::theories::{self, arithmetic, core};
use crate::theory::Apply;

/// A function over at most this many keys becomes a table, by calling it for each.
const MAX_KEYS: u64 = 64;

impl Apply for Evaluator<'_> {
    fn apply_value(&mut self, function: &Value, args: &[Value]) -> Outcome<Value> {
        match function {
            Value::Array(table) => {
                let arity = table.arity() as usize;
                if args.len() < arity {
                    return Err(Reason::TooLarge("a table applied to too few arguments"));
                }
                let value = table.get(&Value::key(&args[..arity])?, &self.limits.values)?.clone();
                self.apply_rest(value, &args[arity..])
            }
            Value::Set(set) => match args {
                [member] => Ok(Value::Bool(set.members.contains(member))),
                _ => Err(Reason::BadArguments(None)),
            },
            Value::Function(function) => match &**function {
                Function::Named { op, partial_args } => {
                    let all: Vec<Value> = partial_args.iter().chain(args).cloned().collect();
                    let arity = arity_of(self.arena, *op).unwrap_or(all.len());
                    if all.len() < arity {
                        let function = Function::Named { op: *op, partial_args: all.into() };
                        return Ok(Value::Function(Arc::new(function)));
                    }
                    let value = self.apply_op(*op, &all[..arity])?;
                    self.apply_rest(value, &all[arity..])
                }
                Function::Closure { params, body, captured, partial_args } => {
                    let all: Vec<Value> = partial_args.iter().chain(args).cloned().collect();
                    if all.len() < params.len() {
                        let mut function = (**function).clone();
                        if let Function::Closure { partial_args, .. } = &mut function {
                            *partial_args = all.into();
                        }
                        return Ok(Value::Function(Arc::new(function)));
                    }
                    let (own, rest) = all.split_at(params.len());
                    let locals: Vec<Term> =
                        captured.iter().map(|(local, _)| *local).chain(params.to_vec()).collect();
                    let values =
                        captured.iter().map(|(_, value)| value).chain(own).cloned().map(Ok).collect();
                    let value = self.with_bindings(&locals, values, |evaluator| evaluator.run(*body))?;
                    self.apply_rest(value, rest)
                }
                Function::Except { base, entries } => {
                    let key = Value::key(args)?;
                    match find(entries, &key, &self.limits.values)? {
                        Some(value) => Ok(value.clone()),
                        None => self.apply_value(base, args),
                    }
                }
                Function::Mapped { op, functions } => {
                    let values: Outcome<Vec<Value>> =
                        functions.iter().map(|function| self.apply_value(function, args)).collect();
                    self.apply_op(*op, &values?)
                }
            },
            _ => Err(Reason::BadArguments(None)),
        }
    }
}

impl Evaluator<'_> {
    /// Applies any rule. The fast paths of the machine and of prepared terms handle the frequent ones.
    pub(super) fn apply_general(&mut self, rule: Rule, op: Op, term: Term, args: &[Value]) -> Outcome<Value> {
        let cx = self.context(op, Some(term));
        match rule {
            Rule::Equal => core::equal_all(&cx, args),
            Rule::Distinct => core::distinct(&cx, args),
            Rule::Times => arithmetic::times(&cx, args),
            Rule::HigherOrder(rule) => rule(self, args),
            Rule::Constructor(datatype, number) => Ok(Value::data(datatype, number, args.to_vec())?),
            Rule::Selector(number, field) => match args {
                [Value::Data(data)] if data.constructor == number => {
                    data.fields.items.get(field as usize).cloned().ok_or(Reason::BadArguments(None))
                }
                [Value::Data(_)] => Err(Reason::Open("a selector applied to another constructor", None)),
                _ => Err(Reason::BadArguments(None)),
            },
            Rule::Tester(number) => match args {
                [Value::Data(data)] => Ok(Value::Bool(data.constructor == number)),
                _ => Err(Reason::BadArguments(None)),
            },
            Rule::Updater(number, field) => match args {
                [Value::Data(data), value] if data.constructor == number => {
                    let mut fields = data.fields.items.to_vec();
                    *fields.get_mut(field as usize).ok_or(Reason::BadArguments(None))? = value.clone();
                    Ok(Value::data(data.datatype, number, fields)?)
                }
                [data @ Value::Data(_), _] => Ok(data.clone()),
                _ => Err(Reason::BadArguments(None)),
            },
            Rule::Apply => match args {
                [function, rest @ ..] => self.apply_value(function, rest),
                [] => Err(Reason::BadArguments(None)),
            },
            Rule::FunctionValue(function) => Ok(self.function_value(function, self.arena.sort(term))),
            Rule::Map(function) => self.map_arrays(function, term, args),
            Rule::AbstractValue => Ok(self.abstract_value(op, self.arena.sort(term))),
            Rule::And | Rule::Or | Rule::Implies | Rule::Ite => strict_connective(rule, args),
            Rule::None => Err(Reason::NoRule(op)),
            Rule::Theory { rule, .. } => rule(&cx, args),
            Rule::Function => self.apply_op(op, args),
        }
    }

    /// An abstract value: one that the sort's theory knows, or an element of an uninterpreted sort.
    fn abstract_value(&self, op: Op, sort: Sort) -> Value {
        let name = self.arena.op(op).name;
        theories::constant(self.arena, sort, self.arena.name(name)).unwrap_or(Value::Element(sort, name))
    }

    fn apply_rest(&mut self, value: Value, rest: &[Value]) -> Outcome<Value> {
        if rest.is_empty() { Ok(value) } else { self.apply_value(&value, rest) }
    }

    /// Applies a function symbol or an operator to values.
    pub(super) fn apply_op(&mut self, op: Op, args: &[Value]) -> Outcome<Value> {
        match self.rule(op) {
            Rule::Function => match self.meaning(op) {
                Meaning::Value(value) if args.is_empty() => Ok(value.clone()),
                Meaning::Value(value) => {
                    let value = value.clone();
                    self.apply_value(&value, args)
                }
                Meaning::Definition { params, body, .. } if params.len() == args.len() => {
                    let (params, body) = (params.clone(), *body);
                    let values = args.iter().cloned().map(Ok).collect();
                    self.with_bindings(&params, values, |evaluator| evaluator.run(body))
                }
                Meaning::Definition { .. } => Err(Reason::BadArguments(None)),
                Meaning::Missing | Meaning::Unreadable => match &self.arena.op(op).kind {
                    OpKind::Function { result, .. } => self.point_value(op, *result, args),
                    _ => Err(Reason::Missing(op, None)),
                },
            },
            Rule::Theory { rule, min_args, .. } if args.len() >= min_args as usize => {
                let cx = self.context(op, None);
                rule(&cx, args)
            }
            rule @ (Rule::And | Rule::Or | Rule::Implies | Rule::Ite) => strict_connective(rule, args),
            Rule::Equal => {
                let cx = self.context(op, None);
                core::equal_all(&cx, args)
            }
            Rule::Distinct => {
                let cx = self.context(op, None);
                core::distinct(&cx, args)
            }
            Rule::Times => {
                let cx = self.context(op, None);
                arithmetic::times(&cx, args)
            }
            Rule::Constructor(datatype, number) => Ok(Value::data(datatype, number, args.to_vec())?),
            _ => Err(Reason::NoRule(op)),
        }
    }

    /// A function symbol as a value: its table if its definition has the form of one.
    fn function_value(&mut self, op: Op, sort: Sort) -> Value {
        if matches!(self.rule(op), Rule::Function) {
            match self.meaning(op) {
                Meaning::Value(value) => return value.clone(),
                Meaning::Definition { params, body, .. } => {
                    let (params, body) = (params.clone(), *body);
                    if let Some(table) = self.tabulate(&params, body, sort) {
                        return table;
                    }
                }
                Meaning::Missing | Meaning::Unreadable => {}
            }
        }
        Value::Function(Arc::new(Function::Named { op, partial_args: Box::default() }))
    }

    /// `((_ map f) a b)`: a table if all arguments are tables, else a symbolic function.
    fn map_arrays(&mut self, function: Op, term: Term, args: &[Value]) -> Outcome<Value> {
        let tables: Option<Vec<&Arc<Table>>> = args
            .iter()
            .map(|arg| match arg {
                Value::Array(table) => Some(table),
                _ => None,
            })
            .collect();
        let Some(tables) = tables else {
            if args.iter().any(|arg| arg.depth() >= MAX_DEPTH) {
                return Err(Reason::TooLarge("a value nested too deeply"));
            }
            let functions = args.into();
            return Ok(Value::Function(Arc::new(Function::Mapped { op: function, functions })));
        };
        let keys: BTreeSet<&Value> = tables.iter().flat_map(|table| table.entries().keys()).collect();
        let mut entries = BTreeMap::new();
        for key in keys {
            let at: Vec<Value> = tables
                .iter()
                .map(|table| table.entries().get(key).unwrap_or(table.default()).clone())
                .collect();
            entries.insert(key.clone(), self.apply_op(function, &at)?);
        }
        let defaults: Vec<Value> = tables.iter().map(|table| table.default().clone()).collect();
        let default = self.apply_op(function, &defaults)?;
        self.table(self.arena.sort(term), default, entries)
    }

    /// A table of this sort.
    pub(super) fn table(
        &self,
        sort: Sort,
        default: Value,
        entries: BTreeMap<Value, Value>,
    ) -> Outcome<Value> {
        Ok(self.domain().array(sort, default, entries)?)
    }

    /// Reads a table off a body that tests for single arguments: `(ite (= x 1) 5 (ite (= x 2) 6 7))`.
    pub(super) fn tabulate(&mut self, params: &[Term], body: Term, sort: Sort) -> Option<Value> {
        let (default, entries) = self.entries_of(params, body)?;
        self.table(sort, default, entries).ok()
    }

    /// Tabulates a body over a small index sort by evaluating it for every key.
    pub(super) fn tabulate_all(&mut self, params: &[Term], body: Term, sort: Sort) -> Option<Value> {
        let keys = self.domain().keys(sort, MAX_KEYS)?;
        let mut entries = BTreeMap::new();
        for key in keys {
            let args = match &key {
                Value::Tuple(list) if params.len() > 1 => list.items.to_vec(),
                _ => vec![key.clone()],
            };
            if args.len() != params.len() {
                return None;
            }
            let outcomes = args.into_iter().map(Ok).collect();
            let value = self.with_bindings(params, outcomes, |evaluator| evaluator.run(body)).ok()?;
            entries.insert(key, value);
        }
        let default = entries.values().next()?.clone();
        self.table(sort, default, entries).ok()
    }

    /// The default and the entries of a body that has the form of a table.
    pub(super) fn entries_of(
        &mut self,
        params: &[Term],
        body: Term,
    ) -> Option<(Value, BTreeMap<Value, Value>)> {
        let arena = self.arena;
        let mut entries = BTreeMap::new();
        let mut rest = body;
        while let View::App(op, &[condition, then, otherwise]) = arena.view(rest)
            && matches!(self.rule(op), Rule::Ite)
        {
            let keys = self.keys_of(params, condition)?;
            let value = self.ground(then)?;
            for key in keys {
                entries.entry(key).or_insert_with(|| value.clone());
            }
            rest = otherwise;
        }
        Some((self.ground(rest)?, entries))
    }

    /// The value of a term, if it is ground and determined.
    fn ground(&mut self, term: Term) -> Option<Value> {
        if !self.arena.has_no_locals(term) {
            return None;
        }
        self.run(term).ok()
    }

    /// The keys for which a condition holds, if it lists them one by one.
    fn keys_of(&mut self, params: &[Term], condition: Term) -> Option<Vec<Value>> {
        let arena = self.arena;
        if let View::App(op, args) = arena.view(condition)
            && matches!(self.rule(op), Rule::Or)
        {
            let keys: Option<Vec<Vec<Value>>> =
                args.iter().map(|&arg| self.key_of(params, arg).map(|key| vec![key])).collect();
            return keys.map(|keys| keys.into_iter().flatten().collect());
        }
        self.key_of(params, condition).map(|key| vec![key])
    }

    fn key_of(&mut self, params: &[Term], condition: Term) -> Option<Value> {
        let arena = self.arena;
        let parts: Vec<Term> = match arena.view(condition) {
            View::App(op, args) if matches!(self.rule(op), Rule::And) => args.to_vec(),
            _ => vec![condition],
        };
        let mut key: Vec<Option<Value>> = vec![None; params.len()];
        for part in parts {
            let (param, value) = match arena.view(part) {
                View::Local(_) => (part, Value::Bool(true)),
                View::App(op, &[only]) if arena.op_name(op) == "not" => (only, Value::Bool(false)),
                View::App(op, &[left, right]) if matches!(self.rule(op), Rule::Equal) => {
                    if params.contains(&left) {
                        (left, self.ground(right)?)
                    } else {
                        (right, self.ground(left)?)
                    }
                }
                _ => return None,
            };
            let at = params.iter().position(|&known| known == param)?;
            if key[at].is_some() {
                return None;
            }
            key[at] = Some(value);
        }
        let key: Option<Vec<Value>> = key.into_iter().collect();
        let key = Value::key(&key?).ok()?;
        key.is_canonical().then_some(key)
    }

    /// All local variables in a term, bound or free.
    pub(super) fn locals_of(&self, term: Term) -> Vec<Term> {
        let mut seen = BTreeSet::from([term]);
        let mut work = vec![term];
        let mut locals = Vec::new();
        while let Some(term) = work.pop() {
            if self.arena.has_no_locals(term) {
                continue;
            }
            if let View::Local(_) = self.arena.view(term) {
                locals.push(term);
            }
            for &child in self.arena.children(term) {
                if seen.insert(child) {
                    work.push(child);
                }
            }
        }
        locals
    }
}

/// The number of arguments of a declared function or constructor. `None` for a theory's operator, which takes what it gets.
fn arity_of(arena: &Arena, op: Op) -> Option<usize> {
    match &arena.op(op).kind {
        OpKind::Function { args, .. } => Some(args.len()),
        OpKind::Constructor(id, number) => {
            Some(arena.datatype(*id).constructors[*number as usize].fields.len())
        }
        _ => None,
    }
}

/// A connective applied to values.
fn strict_connective(rule: Rule, args: &[Value]) -> Outcome<Value> {
    let truths: Option<Vec<bool>> = args.iter().map(Value::as_bool).collect();
    match (rule, args, truths) {
        (Rule::Ite, [Value::Bool(condition), then, otherwise], _) => {
            Ok(if *condition { then } else { otherwise }.clone())
        }
        (Rule::And, _, Some(truths)) => Ok(Value::Bool(truths.iter().all(|&truth| truth))),
        (Rule::Or, _, Some(truths)) => Ok(Value::Bool(truths.iter().any(|&truth| truth))),
        (Rule::Implies, _, Some(truths)) => match truths.split_last() {
            Some((&last, premises)) => Ok(Value::Bool(last || premises.iter().any(|&truth| !truth))),
            None => Err(Reason::BadArguments(None)),
        },
        _ => Err(Reason::BadArguments(None)),
    }
}
