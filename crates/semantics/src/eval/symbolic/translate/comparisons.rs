//! Equality, order and other relations between values.

use smt::{Op, OpKind, Sort, Term, View};

use super::Translation;
use crate::data::Value;
use crate::eval::rule::canonical_name;
use crate::eval::symbolic::cases::{Combination, Leaf, combinations};
use crate::eval::symbolic::formula::{Formula, Relation, TRUE};
use crate::eval::symbolic::polynomial::Polynomial;
use crate::value::integer::Int;
use crate::value::rational::Rational;

/// The most values of large sorts that get a number.
const MAX_CODES: usize = 1 << 10;
/// The most parts of a concatenation.
const MAX_PARTS: usize = 1_000;

impl Translation<'_, '_> {
    /// A relation between two terms, for all combinations of their cases.
    pub(super) fn relation(
        &mut self,
        left: Term,
        right: Term,
        depth: u32,
        holds: impl Fn(&mut Self, &Leaf, &Leaf) -> Option<Formula>,
    ) -> Option<Formula> {
        let values = [self.cases(left, depth + 1)?, self.cases(right, depth + 1)?];
        let mut parts = Vec::new();
        for combination in combinations(&values)? {
            self.spend(1)?;
            let formula = holds(self, &combination.leaves[0], &combination.leaves[1])?;
            parts.push(combination.formula(formula));
        }
        self.spend_on(&parts)?;
        Some(Formula::join(false, parts))
    }

    pub(super) fn equality(&mut self, left: Term, right: Term, depth: u32) -> Option<Formula> {
        if left == right {
            return Some(TRUE);
        }
        if self.same_text(left, right) {
            return Some(TRUE);
        }
        self.relation(left, right, depth, Self::equal_leaves)
    }

    /// Whether two values are equal.
    pub(super) fn equal_leaves(&mut self, left: &Leaf, right: &Leaf) -> Option<Formula> {
        let code = |this: &mut Self, leaf: &Leaf| match leaf {
            Leaf::Coded(variable) => Some(Polynomial::variable(*variable)),
            Leaf::Ground(value) if value.is_canonical() => {
                let next = this.codes.len();
                let number = *this.codes.entry(value.clone()).or_insert(next);
                (number < MAX_CODES).then(|| Polynomial::constant(Rational::from(Int::from(number))))
            }
            _ => None,
        };
        if matches!(left, Leaf::Coded(_)) || matches!(right, Leaf::Coded(_)) {
            let difference = code(self, left)?.sub(&code(self, right)?)?;
            return Formula::sign(&self.kinds, Relation::Equal, difference);
        }
        left.equal(right, &self.kinds, &self.evaluator.limits.values)
    }

    /// Whether two concatenations have the same parts.
    fn same_text(&self, left: Term, right: Term) -> bool {
        let arena = self.evaluator.arena;
        let parts = |term: Term| {
            let (mut work, mut parts) = (vec![term], Vec::new());
            while let Some(term) = work.pop() {
                match arena.view(term) {
                    View::App(op, args)
                        if matches!(arena.op(op).kind, OpKind::Theory(_))
                            && matches!(canonical_name(arena, op), "str.++" | "seq.++") =>
                    {
                        work.extend(args.iter().rev());
                    }
                    _ => parts.push(term),
                }
                if parts.len() + work.len() > MAX_PARTS {
                    return None;
                }
            }
            Some(parts)
        };
        let text = arena.sort(left) == Sort::STRING || arena.sort_head(arena.sort(left)) == "Seq";
        text && parts(left).is_some_and(|left| parts(right) == Some(left))
    }

    pub(super) fn equalities(&mut self, args: &[Term], depth: u32) -> Option<Formula> {
        let mut parts = Vec::new();
        for pair in args.windows(2) {
            parts.push(self.equality(pair[0], pair[1], depth)?);
        }
        Some(Formula::join(true, parts))
    }

    pub(super) fn distinct(&mut self, args: &[Term], depth: u32) -> Option<Formula> {
        let mut parts = Vec::new();
        for (at, &left) in args.iter().enumerate() {
            for &right in &args[..at] {
                parts.push(self.equality(left, right, depth)?.not(&self.kinds));
            }
        }
        Some(Formula::join(true, parts))
    }

    pub(super) fn comparisons(&mut self, name: &str, args: &[Term], depth: u32) -> Option<Formula> {
        let relation = if name.len() == 1 { Relation::Less } else { Relation::AtMost };
        let ascending = name.starts_with('<');
        let mut parts = Vec::new();
        for pair in args.windows(2) {
            let (less, more) = if ascending { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
            parts.push(self.relation(less, more, depth, |this, a, b| a.compare(relation, b, &this.kinds))?);
        }
        Some(Formula::join(true, parts))
    }

    /// Whether a value is in a set that is known.
    pub(super) fn member(&mut self, element: Term, set: Term, depth: u32) -> Option<Formula> {
        self.relation(element, set, depth, |this, element, set| {
            let Leaf::Ground(Value::Set(set)) = set else { return None };
            let mut parts = Vec::new();
            for member in &set.members {
                this.spend(1)?;
                parts.push(this.equal_leaves(element, &Leaf::Ground(member.clone()))?);
            }
            Some(Formula::join(false, parts))
        })
    }

    pub(super) fn is_int(&mut self, arg: Term, depth: u32) -> Option<Formula> {
        let mut parts = Vec::new();
        for combination in combinations(&[self.cases(arg, depth + 1)?])? {
            let number = combination.leaves[0].number()?;
            let floor = self.floor(&combination, &number)?;
            let whole = Leaf::Number(number).compare(Relation::Equal, &floor.leaf, &self.kinds)?;
            let floor = Combination { guard: floor.guard, defined: floor.defined, leaves: Vec::new() };
            parts.push(floor.formula(whole));
        }
        Some(Formula::join(false, parts))
    }

    pub(super) fn divisible(&mut self, op: Op, arg: Term, depth: u32) -> Option<Formula> {
        let divisor = Int::from(self.evaluator.context(op, None).index(0).ok()?);
        let mut parts = Vec::new();
        for combination in combinations(&[self.cases(arg, depth + 1)?])? {
            let number = combination.leaves[0].number()?;
            let whole = Formula::divides(&divisor, &number.numerator)?;
            parts.push(combination.formula(whole));
        }
        Some(Formula::join(false, parts))
    }
}
