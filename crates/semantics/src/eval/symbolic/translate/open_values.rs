//! Values that neither the standard nor the model defines become variables.

use std::collections::{BTreeMap, BTreeSet};

use smt::{Op, Sort};

use super::Translation;
use crate::data::Value;
use crate::eval::open::{Freedom, OpenPoint};
use crate::eval::symbolic::cases::{Case, Leaf, MAX_CASES, Quotient};
use crate::eval::symbolic::formula::{Formula, Relation, TRUE};
use crate::eval::symbolic::polynomial::{Polynomial, Variable};
use crate::value::integer::Int;

/// The variables of operations whose value is open.
#[derive(Default)]
pub(super) struct OpenValues {
    values: BTreeMap<OpenPoint, Vec<Case>>,
    pub(super) variables: BTreeSet<Variable>,
    /// The ranges of variables that number the values of a finite sort.
    pub(super) ranges: Vec<Formula>,
}

impl Translation<'_, '_> {
    /// The value of an open operation: a variable of its own, the same for the same arguments.
    pub(super) fn open_value(&mut self, op: Op, sort: Sort, args: &[Value]) -> Option<Vec<Case>> {
        let (point, freedom) = self.evaluator.open_point(op, sort, args)?;
        if let Some(cases) = self.open.as_ref()?.values.get(&point) {
            return Some(cases.clone());
        }
        let numeric = matches!(sort, Sort::INT | Sort::REAL);
        let (variable, cases, range) = match freedom {
            Freedom::Any if numeric => {
                let variable = self.kinds.fresh(sort == Sort::INT);
                let number = Quotient::whole(Polynomial::variable(variable), sort == Sort::INT);
                (variable, vec![Case::always(Leaf::Number(number))], TRUE)
            }
            Freedom::Any => {
                let values = self.evaluator.domain().values_up_to(sort, MAX_CASES as u64)?;
                self.numbered(values)?
            }
            Freedom::Among(values) => self.numbered(values)?,
        };
        let open = self.open.as_mut()?;
        open.variables.insert(variable);
        open.ranges.push(range);
        open.values.insert(point, cases.clone());
        Some(cases)
    }

    /// One of several values, chosen by a variable; and the range of the variable.
    fn numbered(&mut self, values: Vec<Value>) -> Option<(Variable, Vec<Case>, Formula)> {
        if values.is_empty() || values.len() > MAX_CASES {
            return None;
        }
        let variable = self.kinds.fresh(true);
        let number = Leaf::Number(Quotient::whole(Polynomial::variable(variable), true));
        let mut cases = Vec::with_capacity(values.len());
        for (index, value) in values.into_iter().enumerate() {
            let index = Leaf::Ground(Value::Int(Int::from(index)));
            let guard = number.compare(Relation::Equal, &index, &self.kinds)?;
            cases.push(Case::when(guard, Leaf::Ground(value)));
        }
        let range = Formula::join(false, cases.iter().map(|case| case.guard.clone()));
        Some((variable, cases, range))
    }
}
