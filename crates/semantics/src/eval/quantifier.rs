//! Quantifiers: decided by trying all values of small domains, or by a counterexample or witness.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use smt::{Binder, Sort, Term, View};

use super::Evaluator;
use crate::data::{Cardinality, Value};
use crate::reason::{Outcome, Reason};
use crate::theory::combinations;
use crate::value::bitvec::BitVec;
use crate::value::integer::Int;
use crate::value::rational::Rational;

/// The most values to try for a variable of a large sort.
const MAX_CANDIDATES: usize = 24;

/// The cost of listing one value of a sort, in steps.
const VALUE_COST: u64 = 4;

/// Values in the model, by sort.
#[derive(Default)]
pub(super) struct Candidates {
    gathered: bool,
    by_sort: BTreeMap<Sort, BTreeSet<Value>>,
}

impl Evaluator<'_> {
    /// The value of a quantifier.
    pub(super) fn quantifier(
        &mut self,
        term: Term,
        kind: Binder,
        variables: &[Term],
        body: Term,
    ) -> Outcome<Value> {
        let deciding = kind == Binder::Exists;
        if self.is_large(variables)
            && let Some(truth) = self.decide_symbolically(term)
        {
            return Ok(Value::Bool(truth));
        }
        match self.instances(term, variables, body, deciding)? {
            Some(_) => Ok(Value::Bool(deciding)),
            None => Ok(Value::Bool(!deciding)),
        }
    }

    /// Whether there are too many values to try them all.
    fn is_large(&self, variables: &[Term]) -> bool {
        let sorts: Vec<Sort> = variables.iter().map(|&variable| self.arena.sort(variable)).collect();
        match self.domain().product_size(&sorts) {
            Cardinality::Finite(size) => size > self.limits.domain,
            Cardinality::Infinite => true,
            Cardinality::Unknown => sorts.iter().any(|sort| matches!(*sort, Sort::INT | Sort::REAL)),
        }
    }

    /// Values of the variables for which the body has the deciding truth value; empty if all values do, `None` if none do.
    pub(crate) fn instances(
        &mut self,
        term: Term,
        variables: &[Term],
        body: Term,
        deciding: bool,
    ) -> Outcome<Option<Vec<Value>>> {
        // If the body does not depend on the variables, no instance is needed.
        let any = vec![Err(Reason::Any); variables.len()];
        if let Ok(Value::Bool(truth)) = self.with_bindings(variables, any, |evaluator| evaluator.run(body)) {
            return Ok((truth == deciding).then(Vec::new));
        }
        let mentioned = self.locals_of(body);
        let unmentioned: Vec<Term> =
            variables.iter().copied().filter(|variable| !mentioned.contains(variable)).collect();
        let (lists, complete) = self.lists(variables, &unmentioned, body);
        let mut undetermined = None;
        let mut tried = 0;
        let mut at = vec![0usize; lists.len()];
        let mut exhausted = lists.iter().any(|list| list.is_empty());
        let most = if complete { self.limits.domain } else { self.limits.instances };
        while !exhausted && tried < most {
            tried += 1;
            let values: Vec<Value> = lists.iter().zip(&at).map(|(list, &at)| list[at].clone()).collect();
            let outcomes = values.iter().cloned().map(Ok).collect();
            match self.with_bindings(variables, outcomes, |evaluator| evaluator.run(body)) {
                Ok(Value::Bool(truth)) if truth == deciding => return Ok(Some(values)),
                Ok(_) => {}
                Err(reason) => undetermined = Some(reason),
            }
            if self.steps == 0 {
                return Err(Reason::TooLarge("step limit reached"));
            }
            exhausted = !advance(&mut at, &lists);
        }
        match undetermined {
            None if complete && exhausted => Ok(None),
            Some(reason) if complete && exhausted => Err(reason),
            _ => Err(Reason::Quantifier(term)),
        }
    }

    /// The values to try for each variable, and whether they are exhaustive.
    fn lists(&mut self, variables: &[Term], unmentioned: &[Term], body: Term) -> (Vec<Arc<[Value]>>, bool) {
        let mut complete = true;
        let mut lists = Vec::new();
        let mut most = self.limits.domain;
        if let [variable] = variables
            && let Some(list) = self.critical_values(*variable, body)
        {
            return (vec![list.into()], true);
        }
        for &variable in variables {
            let sort = self.arena.sort(variable);
            // One value stands for all of a variable that the body does not mention.
            if unmentioned.contains(&variable)
                && let Some(value) = self.default_value(sort, 0, 0)
            {
                lists.push([value].into());
                continue;
            }
            let all = self.values_up_to(sort, most);
            let list = all.unwrap_or_else(|| {
                complete = false;
                self.candidates_of(sort, body).into()
            });
            most /= list.len().max(1) as u64;
            lists.push(list);
        }
        (lists, complete)
    }

    /// All values of a sort, if there are at most `most`. They are listed once for each model, which takes steps like any other work.
    pub(super) fn values_up_to(&mut self, sort: Sort, most: u64) -> Option<Arc<[Value]>> {
        if let Some(values) = self.memory.sort_values.get(&sort) {
            return (values.len() as u64 <= most).then(|| values.clone());
        }
        let values: Arc<[Value]> = self.domain().values_up_to(sort, most)?.into();
        self.steps = self.steps.saturating_sub(VALUE_COST * values.len() as u64);
        self.memory.sort_values.insert(sort, values.clone());
        Some(values)
    }

    /// Promising values of a sort: from the model, from ground terms of the body, and next to those.
    fn candidates_of(&mut self, sort: Sort, body: Term) -> Vec<Value> {
        self.gather();
        let mut found = BTreeSet::new();
        for term in self.ground_terms(sort, body) {
            if let Ok(value) = self.run(term) {
                found.insert(value);
            }
        }
        found.extend(self.candidates.by_sort.get(&sort).into_iter().flatten().take(MAX_CANDIDATES).cloned());
        let near: Vec<Value> = found.iter().flat_map(neighbours).collect();
        found.extend(near);
        found.extend(simple_values(self.arena.bitvec_width(sort), sort));
        found.retain(Value::is_canonical);
        found.into_iter().take(2 * MAX_CANDIDATES).collect()
    }

    /// Values of a sort that occur in the model.
    pub(super) fn known_values(&mut self, sort: Sort) -> BTreeSet<Value> {
        self.gather();
        let known = self.candidates.by_sort.get(&sort).into_iter().flatten();
        known.filter(|value| value.is_canonical()).cloned().collect()
    }

    /// The values of ground terms of a sort inside a body.
    pub(super) fn ground_values(&mut self, sort: Sort, body: Term) -> Vec<Value> {
        self.start();
        let terms = self.ground_terms(sort, body);
        terms.into_iter().filter_map(|term| self.run(term).ok()).filter(Value::is_canonical).collect()
    }

    /// The ground terms of a sort inside a body.
    fn ground_terms(&mut self, sort: Sort, body: Term) -> Vec<Term> {
        let mut seen = BTreeSet::from([body]);
        let mut work = vec![body];
        let mut found = Vec::new();
        while let Some(term) = work.pop() {
            if self.arena.sort(term) == sort && self.arena.has_no_locals(term) {
                found.push(term);
                if found.len() >= MAX_CANDIDATES {
                    break;
                }
            }
            let skipped = matches!(self.arena.view(term), View::Annotated { .. });
            let children = self.arena.children(term);
            let children = if skipped { &children[..1] } else { children };
            work.extend(children.iter().filter(|&&child| seen.insert(child)));
        }
        self.steps = self.steps.saturating_sub(seen.len() as u64);
        found
    }

    /// Collects the values of the model's symbols, once.
    fn gather(&mut self) {
        if std::mem::replace(&mut self.candidates.gathered, true) {
            return;
        }
        let model = self.model;
        for op in model.symbols() {
            let smt::OpKind::Function { args, result } = &self.arena.op(op).kind else { continue };
            let value = match model.definition(op) {
                Some(defined) if args.is_empty() => self.run(defined.body).ok(),
                Some(defined) => {
                    let mut key_sorts = args.to_vec();
                    key_sorts.push(*result);
                    if let Some((default, entries)) = self.entries_of(&defined.params, defined.body) {
                        self.candidates.add_table(&key_sorts, &default, &entries);
                    }
                    continue;
                }
                None => model.value(op).cloned(),
            };
            if let Some(value) = value {
                if let Value::Array(table) = &value {
                    let sorts = self.arena.sort_node(*result).args.to_vec();
                    self.candidates.add_table(&sorts, table.default(), table.entries());
                }
                self.candidates.by_sort.entry(*result).or_default().insert(value);
            }
        }
        for (sort, elements) in &model.universes {
            self.candidates.by_sort.entry(*sort).or_default().extend(elements.iter().cloned());
        }
        for (sort, elements) in &model.elements {
            self.candidates.by_sort.entry(*sort).or_default().extend(elements.iter().cloned());
        }
    }

    /// `(set.comprehension ((x S)) condition element)` over a small sort.
    pub(super) fn comprehension(
        &mut self,
        term: Term,
        variables: &[Term],
        bodies: &[Term],
    ) -> Outcome<Value> {
        let &[condition, element] = bodies else { return Err(Reason::BadArguments(Some(term))) };
        let (lists, complete) = self.lists(variables, &[], condition);
        let count = lists.iter().fold(1u64, |product, list| product.saturating_mul(list.len() as u64));
        if !complete || count > self.limits.instances {
            return Err(Reason::Quantifier(term));
        }
        let mut members = BTreeSet::new();
        for values in combinations(&lists) {
            let outcomes = values.into_iter().map(Ok).collect();
            let member =
                self.with_bindings(variables, outcomes, |evaluator| match evaluator.run(condition)? {
                    Value::Bool(true) => evaluator.run(element).map(Some),
                    _ => Ok(None),
                })?;
            members.extend(member);
        }
        Ok(Value::set(members)?)
    }
}

impl Candidates {
    /// Adds the keys and values of a table. `sorts` lists its index sorts, then its element sort.
    fn add_table(&mut self, sorts: &[Sort], default: &Value, entries: &BTreeMap<Value, Value>) {
        let Some((&element, indices)) = sorts.split_last() else { return };
        for (key, value) in entries.iter().take(MAX_CANDIDATES) {
            match key {
                Value::Tuple(list) if indices.len() > 1 => {
                    for (&sort, part) in indices.iter().zip(&list.items) {
                        self.by_sort.entry(sort).or_default().insert(part.clone());
                    }
                }
                key => {
                    if let [sort] = indices {
                        self.by_sort.entry(*sort).or_default().insert(key.clone());
                    }
                }
            }
            self.by_sort.entry(element).or_default().insert(value.clone());
        }
        self.by_sort.entry(element).or_default().insert(default.clone());
    }
}

/// The values next to a number.
fn neighbours(value: &Value) -> Vec<Value> {
    match value {
        Value::Int(number) => vec![Value::Int(number.add(&Int::ONE)), Value::Int(number.sub(&Int::ONE))],
        Value::Real(number) => {
            let one = Rational::ONE;
            let limits = crate::value::limits::Limits::default();
            [number.add(&one, &limits), number.sub(&one, &limits)]
                .into_iter()
                .flatten()
                .map(Value::Real)
                .collect()
        }
        Value::BitVec(vector) => {
            let one = BitVec::from_u64(vector.width(), 1);
            vec![Value::BitVec(vector.add(&one)), Value::BitVec(vector.sub(&one))]
        }
        _ => Vec::new(),
    }
}

/// A few values of common sorts.
fn simple_values(width: Option<u64>, sort: Sort) -> Vec<Value> {
    match (sort, width) {
        (Sort::INT, _) => [-1, 0, 1, 2].into_iter().map(|number| Value::Int(Int::from(number))).collect(),
        (Sort::REAL, _) => {
            [-1, 0, 1, 2].into_iter().map(|number| Value::Real(Rational::from(number))).collect()
        }
        (Sort::STRING, _) => ["", "a", "0"].into_iter().map(|text| Value::Str(text.into())).collect(),
        (_, Some(width)) if width <= 4096 => {
            let width = width as u32;
            let all = [
                BitVec::zero(width),
                BitVec::from_u64(width, 1),
                BitVec::ones(width),
                BitVec::min_signed(width),
            ];
            all.into_iter().map(Value::BitVec).collect()
        }
        _ => Vec::new(),
    }
}

/// Advances to the next combination; the last list changes fastest. Returns false after the last one.
fn advance(positions: &mut [usize], lists: &[Arc<[Value]>]) -> bool {
    for (position, list) in positions.iter_mut().zip(lists).rev() {
        *position += 1;
        if *position < list.len() {
            return true;
        }
        *position = 0;
    }
    false
}
