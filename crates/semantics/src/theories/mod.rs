//! The built-in theories, one file each, and the registry of all theories.

pub(crate) mod arithmetic;
mod arrays;
mod bags;
mod bitvectors;
mod characters;
pub(crate) mod core;
mod finite_fields;
mod floats;
mod regexes;
pub(crate) mod relations;
mod sequences;
mod sets;
mod strings;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use smt::{Arena, Sort};

use crate::data::Value;
use crate::theory::{HigherOrderRule, Rule, Sorts, Theory};

/// The theories that are part of the program. A new one is a file beside this one and a line here.
static BUILT_IN: &[&Theory] = &[
    &core::THEORY,
    &arithmetic::THEORY,
    &arrays::THEORY,
    &bags::THEORY,
    &bitvectors::THEORY,
    &characters::THEORY,
    &finite_fields::THEORY,
    &floats::THEORY,
    &regexes::THEORY,
    &relations::THEORY,
    &sequences::THEORY,
    &sets::THEORY,
    &strings::THEORY,
];

/// How a theory evaluates an operator.
#[derive(Clone, Copy)]
pub(crate) enum TheoryRule {
    /// A function of at least `min_args` values.
    Plain { rule: Rule, min_args: u8 },
    /// A function that calls functions.
    HigherOrder(HigherOrderRule),
}

/// All rules and sorts, by name.
#[derive(Default)]
struct Tables {
    rules: BTreeMap<&'static str, TheoryRule>,
    sorts: Sorts,
}

impl Tables {
    /// Adds a theory. Fails if an operator or a sort already has a meaning.
    fn add(&mut self, theory: &'static Theory) -> Result<(), RegisterError> {
        let plain =
            theory.rules.iter().map(|&(name, min_args, rule)| (name, TheoryRule::Plain { rule, min_args }));
        let higher_order =
            theory.higher_order.iter().map(|&(name, rule)| (name, TheoryRule::HigherOrder(rule)));
        for (name, rule) in plain.chain(higher_order) {
            if self.rules.insert(name, rule).is_some() {
                return Err(RegisterError::Duplicate { theory: theory.name, name });
            }
        }
        for sort in theory.sorts {
            if self.sorts.insert(sort.name, sort).is_some() {
                return Err(RegisterError::Duplicate { theory: theory.name, name: sort.name });
            }
        }
        Ok(())
    }

    fn build(added: &[&'static Theory]) -> Result<Tables, RegisterError> {
        let mut tables = Tables::default();
        for theory in BUILT_IN.iter().chain(added) {
            tables.add(theory)?;
        }
        Ok(tables)
    }
}

/// Theories that the program has registered.
static REGISTERED: Mutex<Vec<&'static Theory>> = Mutex::new(Vec::new());

/// Built on the first evaluation and never changed afterwards, so that reading it needs no lock.
static TABLES: OnceLock<Tables> = OnceLock::new();

/// Why a theory was not registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegisterError {
    /// A term was evaluated before.
    TooLate,
    /// Another theory has a rule for an operator, or describes a sort, of this theory.
    Duplicate {
        /// The theory that was not registered.
        theory: &'static str,
        /// The operator or sort.
        name: &'static str,
    },
}

impl fmt::Display for RegisterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegisterError::TooLate => {
                f.write_str("a term was evaluated before the theory was registered; register theories first")
            }
            RegisterError::Duplicate { theory, name } => {
                write!(f, "theory `{theory}` redefines `{name}` of another theory")
            }
        }
    }
}

impl std::error::Error for RegisterError {}

/// Adds a theory for the whole program. Call it before the first evaluation; registering a theory again has no effect.
pub fn register(theory: &'static Theory) -> Result<(), RegisterError> {
    let mut registered = registered();
    if registered.iter().any(|known| std::ptr::eq(*known, theory)) {
        return Ok(());
    }
    let mut all = registered.clone();
    all.push(theory);
    Tables::build(&all)?;
    if TABLES.get().is_some() {
        return Err(RegisterError::TooLate);
    }
    *registered = all;
    Ok(())
}

fn registered() -> MutexGuard<'static, Vec<&'static Theory>> {
    REGISTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn tables() -> &'static Tables {
    TABLES.get_or_init(|| {
        let registered = registered();
        Tables::build(&registered).unwrap_or_else(|error| panic!("inconsistent theories: {error}"))
    })
}

/// The rule of an operator.
pub(crate) fn rule(name: &str) -> Option<TheoryRule> {
    tables().rules.get(name).copied()
}

/// The sorts of all theories.
pub(crate) fn sorts() -> &'static Sorts {
    &tables().sorts
}

/// The value that a theory gives a constant of its sort: a literal, or `NAME` in `(as NAME SORT)`.
pub(crate) fn constant(arena: &Arena, sort: Sort, text: &str) -> Option<Value> {
    sorts().get(arena.sort_head(sort)).and_then(|semantics| (semantics.constant)(arena, sort, text))
}
