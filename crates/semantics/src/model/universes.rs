//! Completes a model that does not list the elements of an uninterpreted sort: the elements that it mentions are a possible
//! universe, and a single element is if it mentions none.

use std::collections::{BTreeMap, BTreeSet};

use smt::{Arena, OpKind, Sort, Term, View};

use super::Model;
use crate::data::{Function, Value};
use crate::theories;

/// The most values and terms of a model to look at.
const MAX_WORK: usize = 100_000;

impl Model {
    /// The model with a universe for every uninterpreted sort that these terms quantify over. `None` if it lacks none, or is too
    /// large.
    pub(crate) fn with_universes(&self, arena: &Arena, terms: &[Term]) -> Option<Model> {
        let mut found = Mentioned { arena, by_sort: BTreeMap::new(), seen: BTreeSet::new(), left: MAX_WORK };
        for sort in quantified_sorts(arena, terms)? {
            if is_uninterpreted(arena, sort) && self.universe(sort).is_none() {
                found.by_sort.insert(sort, self.elements.get(&sort).into_iter().flatten().cloned().collect());
            }
        }
        if found.by_sort.is_empty() {
            return None;
        }
        for op in self.symbols() {
            match (self.value(op), self.definition(op)) {
                (Some(value), _) => found.value(value)?,
                (None, Some(defined)) => found.term(defined.body)?,
                (None, None) => {}
            }
        }
        for defined in self.open.values() {
            found.term(defined.body)?;
        }
        for (args, value) in self.points.values().flatten() {
            args.iter().try_for_each(|arg| found.value(arg))?;
            found.value(value)?;
        }
        let mut completed = self.clone();
        for (sort, mut elements) in found.by_sort {
            if elements.is_empty() {
                elements.insert(Value::Element(sort, arena.sort_node(sort).head));
            }
            completed.set_universe(sort, elements.into_iter().collect());
        }
        Some(completed)
    }
}

fn is_uninterpreted(arena: &Arena, sort: Sort) -> bool {
    let built_in =
        [Sort::BOOL, Sort::INT, Sort::REAL, Sort::STRING, Sort::REGLAN, Sort::ROUNDING_MODE].contains(&sort);
    let node = arena.sort_node(sort);
    !built_in
        && node.args.is_empty()
        && node.indices.is_empty()
        && !node.is_polymorphic
        && arena.datatype_of(sort).is_none()
        && !theories::sorts().contains_key(arena.sort_head(sort))
}

/// The sorts of quantified variables. `None` if the terms are too large.
fn quantified_sorts(arena: &Arena, terms: &[Term]) -> Option<BTreeSet<Sort>> {
    let mut sorts = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut work = terms.to_vec();
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        if seen.len() > MAX_WORK {
            return None;
        }
        if let View::Binder { variables, .. } = arena.view(term) {
            sorts.extend(variables.iter().map(|&variable| arena.sort(variable)));
        }
        work.extend(arena.children(term));
    }
    Some(sorts)
}

/// The elements that a model mentions, of sorts whose universe is open.
struct Mentioned<'a> {
    arena: &'a Arena,
    by_sort: BTreeMap<Sort, BTreeSet<Value>>,
    seen: BTreeSet<Term>,
    left: usize,
}

impl Mentioned<'_> {
    fn spend(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    fn term(&mut self, term: Term) -> Option<()> {
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            self.spend()?;
            if let View::App(op, []) = self.arena.view(term)
                && matches!(self.arena.op(op).kind, OpKind::Opaque)
                && let Some(elements) = self.by_sort.get_mut(&self.arena.sort(term))
            {
                elements.insert(Value::Element(self.arena.sort(term), self.arena.op(op).name));
            }
            work.extend(self.arena.children(term));
        }
        Some(())
    }

    fn value(&mut self, value: &Value) -> Option<()> {
        let mut work = vec![value];
        while let Some(value) = work.pop() {
            self.spend()?;
            match value {
                Value::Element(sort, _) => {
                    if let Some(elements) = self.by_sort.get_mut(sort) {
                        elements.insert(value.clone());
                    }
                }
                Value::Array(table) => {
                    work.push(table.default());
                    work.extend(table.entries().iter().flat_map(|(key, value)| [key, value]));
                }
                Value::Data(data) => work.extend(data.fields.items.iter()),
                Value::Seq(list) | Value::Tuple(list) => work.extend(list.items.iter()),
                Value::Set(set) => work.extend(set.members.iter()),
                Value::Bag(bag) => work.extend(bag.members.keys()),
                Value::Function(function) => match &**function {
                    Function::Except { base, entries } => {
                        work.push(base);
                        work.extend(entries.iter().flat_map(|(key, value)| [key, value]));
                    }
                    // The symbols that a rule uses are looked at one by one, but its own terms are not.
                    _ => return None,
                },
                Value::Theory(_) => return None,
                _ => {}
            }
        }
        Some(())
    }
}
