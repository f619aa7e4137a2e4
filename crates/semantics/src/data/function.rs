//! Functions that are known by a rule.

use std::collections::BTreeMap;

use smt::{Op, Term};

use super::Value;

/// A function that is known by a rule: equal rules are equal functions, different ones may be as well.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Function {
    /// A function symbol or an operator, with the first arguments already given.
    Named {
        /// The symbol.
        op: Op,
        /// The arguments that it has.
        partial_args: Box<[Value]>,
    },
    /// A `lambda`, with the values of the variables that are free in it.
    Closure {
        /// The parameters, as local terms.
        params: Box<[Term]>,
        /// The body.
        body: Term,
        /// What the body's other local variables stand for.
        captured: Box<[(Term, Value)]>,
        /// The arguments that it has.
        partial_args: Box<[Value]>,
    },
    /// A function with exceptions.
    Except {
        /// The value elsewhere.
        base: Value,
        /// The exceptions; keys are plain.
        entries: BTreeMap<Value, Value>,
    },
    /// An operator applied to the values that other functions give for the same arguments.
    Mapped {
        /// The operator.
        op: Op,
        /// The functions.
        functions: Box<[Value]>,
    },
}

impl Function {
    pub(crate) fn depth(&self) -> u32 {
        let deepest = |values: &[Value]| values.iter().map(Value::depth).max().unwrap_or(0);
        1 + match self {
            Function::Named { partial_args, .. } => deepest(partial_args),
            Function::Closure { captured, partial_args, .. } => {
                captured.iter().map(|(_, value)| value.depth()).max().unwrap_or(0).max(deepest(partial_args))
            }
            Function::Except { base, entries } => {
                entries.values().map(Value::depth).max().unwrap_or(0).max(base.depth())
            }
            Function::Mapped { functions, .. } => deepest(functions),
        }
    }
}
