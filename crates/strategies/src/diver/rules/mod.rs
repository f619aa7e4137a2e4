//! The rules of the pre-analysis, one file a theory: from what a term may be to what each of its arguments may be while the
//! others keep their values.

mod arithmetic;
mod bitvectors;
mod core;
mod floats;
mod languages;
mod strings;
mod structures;

pub(super) use arithmetic::value_of;

use super::domain::{Abstract, number};
use semantics::Value;
use semantics::value::limits::Limits;
use semantics::value::real::Real;
use smt::signature::Declaration;
use smt::{Arena, Index, Op, OpKind, Signatures, Sort, Term};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A term whose arguments are constrained.
pub(crate) struct Site<'a> {
    /// The terms.
    pub arena: &'a Arena,
    /// The operator.
    pub op: Op,
    /// Its arguments.
    pub args: &'a [Term],
    /// Their values under the model; none where that is not determined.
    pub values: &'a [Option<Value>],
    /// What the term may be: neither everything nor nothing.
    pub wanted: &'a Abstract,
    /// How much an operation may cost.
    pub limits: &'a Limits,
}

/// Constrains each argument. An argument for which it has nothing better keeps its value.
type Complete = fn(&Site<'_>) -> Vec<Option<Abstract>>;

/// How an operator constrains its arguments.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    /// By a rule of its own.
    Complete(Complete),
    /// Each argument keeps its value: what else would do is hard to say.
    Current,
}

type Rules = &'static [(&'static str, Complete)];

const COMPLETE: &[Rules] = &[
    core::RULES,
    arithmetic::RULES,
    strings::RULES,
    languages::RULES,
    bitvectors::RULES,
    floats::RULES,
    structures::RULES,
];
/// The operators of the theories with a domain whose arguments keep their values.
const CURRENT: &[&[&str]] = &[
    core::CURRENT,
    arithmetic::CURRENT,
    strings::CURRENT,
    languages::CURRENT,
    bitvectors::CURRENT,
    floats::CURRENT,
    structures::CURRENT,
];

fn table() -> &'static BTreeMap<&'static str, Rule> {
    static TABLE: OnceLock<BTreeMap<&'static str, Rule>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = BTreeMap::new();
        for &(name, rule) in COMPLETE.iter().copied().flatten() {
            let known = table.insert(name, Rule::Complete(rule));
            debug_assert!(known.is_none(), "two rules for {name}");
        }
        for &name in CURRENT.iter().copied().flatten() {
            let known = table.insert(name, Rule::Current);
            debug_assert!(known.is_none(), "two rules for {name}");
        }
        table
    })
}

/// The name of a rank, or of the operator that it is another spelling of.
fn rule_name<'a>(signatures: &'a Signatures, declaration: &Declaration) -> &'a str {
    signatures.name(declaration.alias.unwrap_or(declaration.name))
}

/// The stated rule of a rank, if it has one.
pub(crate) fn stated(signatures: &Signatures, declaration: &Declaration) -> Option<Rule> {
    table().get(rule_name(signatures, declaration)).copied()
}

/// The rule of an operator. One of a theory without a domain keeps the values of its arguments.
pub(crate) fn resolve(arena: &Arena, op: Op) -> Rule {
    match &arena.op(op).kind {
        OpKind::Theory(id) => {
            let signatures = arena.signatures();
            stated(signatures, &signatures.declarations[*id as usize]).unwrap_or(Rule::Current)
        }
        OpKind::Constructor(..) => Rule::Complete(structures::constructor),
        OpKind::Selector(..) => Rule::Complete(structures::selector),
        OpKind::Tester(..) => Rule::Complete(structures::tester),
        _ => Rule::Current,
    }
}

impl Site<'_> {
    /// The value of an argument.
    fn value(&self, at: usize) -> Option<&Value> {
        self.values.get(at)?.as_ref()
    }

    /// What an argument may be when the rule says nothing: its own value.
    pub fn current(&self, at: usize) -> Abstract {
        self.value(at).map_or(Abstract::Nothing, Abstract::exact)
    }

    /// The number that an argument is.
    fn number(&self, at: usize) -> Option<Real> {
        number(self.value(at)?)
    }

    /// The sort of an argument.
    fn sort(&self, at: usize) -> Sort {
        self.arena.sort(self.args[at])
    }

    /// An index of the operator.
    fn index(&self, at: usize) -> Option<u64> {
        match self.arena.op(self.op).indices.get(at) {
            Some(Index::Num(number)) => Some(*number),
            _ => None,
        }
    }

    /// The truth value that is wanted.
    fn wanted_bool(&self) -> Option<bool> {
        match self.wanted {
            Abstract::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// One constraint for each argument, asked for from the first to the last.
    fn each(&self, rule: impl FnMut(usize) -> Option<Abstract>) -> Vec<Option<Abstract>> {
        (0..self.args.len()).map(rule).collect()
    }

    /// A constraint for the first argument alone.
    fn first(&self, rule: impl FnOnce() -> Option<Abstract>) -> Vec<Option<Abstract>> {
        let mut all = self.none();
        if let Some(first) = all.first_mut() {
            *first = rule();
        }
        all
    }

    /// No better constraint for any argument.
    fn none(&self) -> Vec<Option<Abstract>> {
        vec![None; self.args.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The theories for which each operator has to say how it constrains its arguments.
    const THEORIES: [&str; 8] = [
        "Core",
        "Ints",
        "Reals",
        "Reals_Ints",
        "Strings",
        "FixedSizeBitVectors",
        "FloatingPoint",
        "ArraysEx",
    ];

    #[test]
    fn every_operator_has_a_rule() {
        let signatures = Signatures::standard();
        let constants = ["NUMERAL", "DECIMAL", "STRING"];
        let mut missing = Vec::new();
        for declaration in &signatures.declarations {
            let theory = signatures.theories[declaration.theory].name.as_str();
            let name = rule_name(&signatures, declaration);
            // What solvers add to these theories takes or gives their sorts.
            let added = ["Extensions", "Cvc5", "Z3", "Legacy"].contains(&theory)
                && ["str.", "re.", "bv", "fp.", "int.", "to_"].iter().any(|begin| name.starts_with(begin));
            let evaluated = declaration.unevaluated.is_none() && !constants.contains(&name);
            let asked = (THEORIES.contains(&theory) || added) && evaluated && !declaration.args.is_empty();
            if asked && stated(&signatures, declaration).is_none() {
                missing.push(signatures.describe(declaration));
            }
        }
        assert!(missing.is_empty(), "no rule for\n{}", missing.join("\n"));
    }

    #[test]
    fn every_rule_is_of_an_operator() {
        let signatures = Signatures::standard();
        let known = |name: &str| {
            signatures.declarations.iter().any(|declaration| rule_name(&signatures, declaration) == name)
        };
        let unknown: Vec<&str> = table().keys().copied().filter(|name| !known(name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
