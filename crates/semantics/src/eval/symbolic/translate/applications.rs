//! Applications of operators and functions to cases.

use smt::{OpKind, Term};

use super::{Call, Meant, Translation};
use crate::data::{Function, Table, Value};
use crate::eval::rule::{Fold, Rule, canonical_name};
use crate::eval::stack::{Dependence, Mark};
use crate::eval::symbolic::cases::{Case, Combination, Leaf, MAX_CASES, Quotient, combinations, merged};
use crate::eval::symbolic::formula::{FALSE, Formula, Relation};
use crate::eval::symbolic::polynomial::Polynomial;
use crate::eval::{Evaluator, Meaning};
use crate::reason::Reason;
use crate::theory::Apply;
use crate::value::integer::Int;

/// The longest text whose positions become cases.
const MAX_TEXT: usize = 40;

impl Translation<'_, '_> {
    pub(super) fn application(&mut self, call: Call, args: &[Term]) -> Option<Vec<Case>> {
        let Call { op, depth, .. } = call;
        let rule = self.evaluator.rule(op);
        if let (Rule::Ite, &[condition, then, otherwise]) = (rule, args) {
            let condition = self.truth(condition, depth + 1)?;
            let mut found = Vec::new();
            for (guard, branch) in [(condition.clone(), then), (condition.not(&self.kinds), otherwise)] {
                if guard != FALSE {
                    for case in self.cases(branch, depth + 1)? {
                        found.push(Case { guard: guard.clone().and(case.guard.clone()), ..case });
                    }
                }
            }
            self.spend(found.len())?;
            return merged(found);
        }
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.cases(arg, depth + 1)?);
        }
        if matches!(rule, Rule::Function)
            && let Meaning::Definition { params, body, .. } = self.evaluator.meaning(op)
            && params.len() == values.len()
        {
            let (params, body) = (params.clone(), *body);
            let new = params.iter().copied().zip(values.into_iter().map(Meant::Cases)).collect();
            return self.with(new, |this| this.cases(body, depth + 1));
        }
        if let (Rule::Theory { fold: Fold::Left, .. }, [first, rest @ ..]) = (rule, &values[..])
            && rest.len() > 1
        {
            // The standard may leave each step open.
            return rest.iter().try_fold(first.clone(), |folded, next| {
                self.apply_to_cases(call, rule, &[folded, next.clone()])
            });
        }
        self.apply_to_cases(call, rule, &values)
    }

    fn apply_to_cases(&mut self, call: Call, rule: Rule, values: &[Vec<Case>]) -> Option<Vec<Case>> {
        let mut found = Vec::new();
        for combination in combinations(values)? {
            self.spend(combination.guard.size() as usize)?;
            found.extend(self.apply(call, rule, &combination)?);
        }
        merged(found)
    }

    /// Applies an operator to one combination of cases.
    fn apply(&mut self, call: Call, rule: Rule, combination: &Combination) -> Option<Vec<Case>> {
        let Call { op, depth, .. } = call;
        if let Some(args) = combination.values() {
            return self.apply_to_ground(call, combination, &args);
        }
        if matches!(rule, Rule::Function) {
            let Meaning::Value(value) = self.evaluator.meaning(op) else { return None };
            let value = value.clone();
            return self.lookup(&value, combination, &combination.leaves, depth);
        }
        let name = match self.evaluator.arena.op(op).kind {
            OpKind::Theory(_) => canonical_name(self.evaluator.arena, op),
            OpKind::Apply => "@",
            _ => return None,
        };
        if matches!(name, "select" | "@")
            && let [Leaf::Ground(array), indices @ ..] = &combination.leaves[..]
        {
            return self.lookup(array, combination, indices, depth);
        }
        if let ("str.len" | "seq.len", [Leaf::Text(length)]) = (name, &combination.leaves[..]) {
            let length = Quotient::whole(Polynomial::variable(*length), true);
            return Some(vec![combination.with(Leaf::Number(length))]);
        }
        if matches!(name, "str.at" | "str.substr" | "str.indexof" | "seq.at" | "seq.extract" | "seq.indexof")
        {
            return self.with_positions(call, combination);
        }
        self.arithmetic(call, name, combination)
    }

    /// An operator on strings or sequences at positions that depend on variables. Positions below zero are all alike, and so
    /// are positions beyond the end.
    fn with_positions(&mut self, call: Call, combination: &Combination) -> Option<Vec<Case>> {
        let mut end = 0;
        for leaf in &combination.leaves {
            match leaf {
                Leaf::Ground(Value::Str(text)) => end = end.max(text.codes().len()),
                Leaf::Ground(Value::Seq(list)) => end = end.max(list.items.len()),
                Leaf::Ground(Value::Int(_)) | Leaf::Number(_) => {}
                _ => return None,
            }
        }
        if end > MAX_TEXT {
            return None;
        }
        let mut values = Vec::new();
        for leaf in &combination.leaves {
            if matches!(leaf, Leaf::Ground(_)) {
                values.push(vec![Case::always(leaf.clone())]);
                continue;
            }
            let mut cases = Vec::new();
            for position in -1..=end as i64 + 1 {
                let number = Leaf::Ground(Value::Int(Int::from(position)));
                let guard = if position < 0 {
                    leaf.compare(Relation::AtMost, &number, &self.kinds)?
                } else if position > end as i64 {
                    number.compare(Relation::AtMost, leaf, &self.kinds)?
                } else {
                    leaf.compare(Relation::Equal, &number, &self.kinds)?
                };
                cases.push(Case::when(guard, number));
            }
            values.push(cases);
        }
        let mut found = Vec::new();
        for ground in combinations(&values)? {
            self.spend(1)?;
            let value = self.evaluator.apply_to_values(call, &ground.values()?).ok()?;
            found.push(combination.under(ground.with(Leaf::Ground(value))));
        }
        merged(found)
    }

    /// Applies an operator to values. If the result is open, it becomes a variable.
    pub(super) fn apply_to_ground(
        &mut self,
        call: Call,
        combination: &Combination,
        args: &[Value],
    ) -> Option<Vec<Case>> {
        match self.evaluator.apply_to_values(call, args) {
            Ok(value) => Some(vec![combination.with(Leaf::Ground(value))]),
            Err(reason) if self.may_be_open(reason) => {
                let cases = self.open_value(call.op, self.sort(call.term), args)?;
                Some(cases.into_iter().map(|case| combination.under(case)).collect())
            }
            Err(_) => None,
        }
    }

    /// Reads a table, or calls a closure.
    fn lookup(
        &mut self,
        function: &Value,
        combination: &Combination,
        args: &[Leaf],
        depth: u32,
    ) -> Option<Vec<Case>> {
        match function {
            Value::Array(table) => self.read_table(table, combination, args),
            Value::Function(function) => match &**function {
                Function::Closure { params, body, captured, partial_args }
                    if partial_args.is_empty() && params.len() == args.len() =>
                {
                    let bound = |leaf: &Leaf| Meant::Cases(vec![Case::always(leaf.clone())]);
                    let mut new: Vec<(Term, Meant)> = captured
                        .iter()
                        .map(|(local, value)| (*local, bound(&Leaf::Ground(value.clone()))))
                        .collect();
                    new.extend(params.iter().copied().zip(args.iter().map(bound)));
                    let body = *body;
                    let cases = self.with(new, |this| this.cases(body, depth + 1))?;
                    Some(cases.into_iter().map(|case| combination.under(case)).collect())
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn read_table(&mut self, table: &Table, combination: &Combination, args: &[Leaf]) -> Option<Vec<Case>> {
        if table.arity() as usize != args.len() || table.entries().len() > MAX_CASES {
            return None;
        }
        let mut found = Vec::new();
        let mut others = combination.guard.clone();
        for (key, value) in table.entries() {
            self.spend(1)?;
            let parts: Vec<&Value> = match key {
                Value::Tuple(list) if args.len() > 1 => list.items.iter().collect(),
                key => vec![key],
            };
            let mut hits = Vec::new();
            for (arg, part) in args.iter().zip(parts) {
                hits.push(self.equal_leaves(arg, &Leaf::Ground(part.clone()))?);
            }
            let hit = Formula::join(true, hits);
            let guard = combination.guard.clone().and(hit.clone());
            let leaf = Leaf::Ground(value.clone());
            found.push(Case { guard, defined: combination.defined.clone(), leaf });
            others = others.and(hit.not(&self.kinds));
        }
        let leaf = Leaf::Ground(table.default().clone());
        found.push(Case { guard: others, defined: combination.defined.clone(), leaf });
        merged(found)
    }
}

impl Evaluator<'_> {
    /// Applies an operator or a function to values.
    fn apply_to_values(&mut self, call: Call, args: &[Value]) -> Result<Value, Reason> {
        let Call { term, op, .. } = call;
        let rule = self.rule(op);
        if matches!(rule, Rule::Function) {
            return self.apply_op(op, args);
        }
        if matches!(rule, Rule::Apply)
            && let [function, rest @ ..] = args
        {
            return self.apply_value(function, rest);
        }
        let base = self.memory.values.len();
        self.memory.values.extend(args.iter().cloned());
        self.memory.marks.extend(args.iter().map(|_| Mark { dependence: Dependence::NONE, reason: None }));
        let outcome = self.apply_rule(rule, op, term, base);
        self.memory.values.truncate(base);
        self.memory.marks.truncate(base);
        outcome
    }
}
