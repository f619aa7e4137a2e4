//! The rules of the pre-analysis, one file per theory: from the constraint of a term to the constraint of each argument, while
//! the other arguments keep their values.

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

/// An application whose arguments are constrained.
pub(crate) struct Site<'a> {
    /// The terms.
    pub arena: &'a Arena,
    /// The operator.
    pub op: Op,
    /// Its arguments.
    pub args: &'a [Term],
    /// Their values under the model; `None` if undetermined.
    pub values: &'a [Option<Value>],
    /// The constraint of the application: neither everything nor nothing.
    pub wanted: &'a Abstract,
    /// Limits on the cost of one operation.
    pub limits: &'a Limits,
}

/// Constrains each argument; `None` for arguments that keep their value.
type Complete = fn(&Site<'_>) -> Vec<Option<Abstract>>;

/// How an operator constrains its arguments.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    /// By its own rule.
    Complete(Complete),
    /// Each argument keeps its value, because anything else is hard to state.
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
/// Operators without a rule, in theories that have a domain. Their arguments keep their values.
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

/// The name of a rank, or of the operator that it is an alias of.
fn rule_name<'a>(signatures: &'a Signatures, declaration: &Declaration) -> &'a str {
    signatures.name(declaration.alias.unwrap_or(declaration.name))
}

/// The rule of a rank; `None` if it has none.
pub(crate) fn stated(signatures: &Signatures, declaration: &Declaration) -> Option<Rule> {
    table().get(rule_name(signatures, declaration)).copied()
}

/// The rule of an operator. In a theory without a domain, arguments keep their values.
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

    /// The constraint of an argument without a rule: its current value.
    pub fn current(&self, at: usize) -> Abstract {
        self.value(at).map_or(Abstract::Nothing, Abstract::exact)
    }

    /// The value of an argument as a number.
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

    /// The wanted Boolean.
    fn wanted_bool(&self) -> Option<bool> {
        match self.wanted {
            Abstract::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Computes a constraint for each argument, from first to last.
    fn each(&self, rule: impl FnMut(usize) -> Option<Abstract>) -> Vec<Option<Abstract>> {
        (0..self.args.len()).map(rule).collect()
    }

    /// A constraint for the first argument only.
    fn first(&self, rule: impl FnOnce() -> Option<Abstract>) -> Vec<Option<Abstract>> {
        let mut all = self.none();
        if let Some(first) = all.first_mut() {
            *first = rule();
        }
        all
    }

    /// No constraint for any argument.
    fn none(&self) -> Vec<Option<Abstract>> {
        vec![None; self.args.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The theories in which every operator must have a rule or be listed as keeping its values.
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
            // Solver-specific operators belong here if they take or return the sorts of these theories.
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
    fn every_rule_belongs_to_an_operator() {
        let signatures = Signatures::standard();
        let known = |name: &str| {
            signatures.declarations.iter().any(|declaration| rule_name(&signatures, declaration) == name)
        };
        let unknown: Vec<&str> = table().keys().copied().filter(|name| !known(name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
