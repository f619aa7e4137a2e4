//! Symbolic functions: functions that are given by a rule and not by a table.

use std::collections::BTreeMap;

use smt::{Op, Term};

use super::Value;

/// A symbolic function. Equal rules are equal functions; different rules may be equal functions too.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Function {
    /// A function symbol or an operator, possibly partially applied.
    Named {
        /// The symbol.
        op: Op,
        /// The arguments it is already applied to.
        partial_args: Box<[Value]>,
    },
    /// A `lambda` with the values of its free variables.
    Closure {
        /// The parameters, as local terms.
        params: Box<[Term]>,
        /// The body.
        body: Term,
        /// The values of the body's free variables.
        captured: Box<[(Term, Value)]>,
        /// The arguments it is already applied to.
        partial_args: Box<[Value]>,
    },
    /// A function that differs from another at some keys.
    Except {
        /// The function at all other keys.
        base: Value,
        /// The values at keys, which are canonical.
        entries: BTreeMap<Value, Value>,
    },
    /// An operator applied pointwise to functions.
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
