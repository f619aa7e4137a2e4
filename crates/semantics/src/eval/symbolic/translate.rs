//! Translates terms into formulas over polynomials.

use std::collections::{BTreeMap, BTreeSet};

use smt::{Binder, OpKind, Sort, Term, View};

use super::cases::{Case, Combination, Leaf, MAX_CASES, Quotient, combinations, merged};
use super::formula::{FALSE, Formula, Kinds, Relation, TRUE};
use super::polynomial::{Polynomial, Variable};
use crate::data::{Cardinality, Function, Table, Value};
use crate::eval::open::{Freedom, OpenPoint};
use crate::eval::rule::{Fold, Rule, canonical_name};
use crate::eval::stack::{Dependence, Mark};
use crate::eval::{Evaluator, Meaning};
use crate::reason::Reason;
use crate::theory::Apply;
use crate::value::integer::Int;
use crate::value::rational::Rational;

/// The deepest term to translate: the walk over it is recursive.
const MAX_DEPTH: u32 = 150;
/// The most instances of a quantifier over small sorts.
const MAX_INSTANCES: u64 = 256;
/// The fewest values of a sort whose values are numbered by a variable, and the most values that get a number.
const LARGE_SORT: u64 = 1 << 14;
const MAX_CODES: usize = 1 << 10;
/// The most parts of a concatenation.
const MAX_PARTS: usize = 1_000;
/// The longest text whose positions become cases.
const MAX_TEXT: usize = 40;
/// The highest power to multiply out.
const MAX_POWER: u64 = 8;

/// What a term or a local variable means.
#[derive(Clone)]
enum Meant {
    Truth(Formula),
    Cases(Vec<Case>),
    /// It cannot be translated.
    Unknown,
}

/// A translation under way.
pub(super) struct Translation<'e, 'a> {
    evaluator: &'e mut Evaluator<'a>,
    kinds: Kinds,
    budget: u64,
    /// Local variables, the innermost last.
    bound: Vec<(Term, Meant)>,
    /// What is known under the current bindings. Each binding starts a new layer.
    known: Vec<BTreeMap<Term, Meant>>,
    /// Operations whose value is open, if they become variables.
    open: Option<OpenValues>,
    /// The numbers of values of large sorts.
    codes: BTreeMap<Value, usize>,
}

/// The variables of operations whose value is open.
#[derive(Default)]
struct OpenValues {
    values: BTreeMap<OpenPoint, Vec<Case>>,
    variables: BTreeSet<Variable>,
    /// The ranges of variables that number the values of a finite sort.
    ranges: Vec<Formula>,
}

impl<'e, 'a> Translation<'e, 'a> {
    pub(super) fn new(evaluator: &'e mut Evaluator<'a>, budget: u64) -> Translation<'e, 'a> {
        let known = vec![BTreeMap::new()];
        Translation {
            evaluator,
            kinds: Kinds::default(),
            budget,
            bound: Vec::new(),
            known,
            open: None,
            codes: BTreeMap::new(),
        }
    }

    /// Makes a variable of every operation whose value neither the standard nor the model defines.
    pub(super) fn with_open_values(mut self) -> Self {
        self.open = Some(OpenValues::default());
        self
    }

    /// The formula, quantified over the open values; the kinds of the variables; and the budget that is left.
    pub(super) fn close(mut self, formula: Formula) -> (Formula, Kinds, u64) {
        let open = self.open.take().unwrap_or_default();
        let whole = Formula::join(true, open.ranges.into_iter().chain([formula]));
        let whole = open.variables.into_iter().fold(whole, |whole, variable| whole.exists(variable));
        (whole, self.kinds, self.budget)
    }

    /// The kinds of the variables, and the budget that is left.
    pub(super) fn finish(self) -> (Kinds, u64) {
        (self.kinds, self.budget)
    }

    fn spend(&mut self, steps: usize) -> Option<()> {
        self.budget = self.budget.checked_sub(steps as u64)?;
        Some(())
    }

    /// Pays for joining formulas.
    fn spend_on(&mut self, parts: &[Formula]) -> Option<()> {
        self.spend(parts.iter().map(|part| part.size() as usize).sum())
    }

    /// The formula of a Boolean term. `None` if it cannot be translated.
    pub(super) fn truth(&mut self, term: Term, depth: u32) -> Option<Formula> {
        match self.known.last().and_then(|layer| layer.get(&term)) {
            Some(Meant::Truth(formula)) => return Some(formula.clone()),
            Some(Meant::Unknown) => return None,
            _ => {}
        }
        let found = self.new_truth(term, depth);
        self.remember(term, found.clone().map_or(Meant::Unknown, Meant::Truth));
        found
    }

    /// The cases of a term of any sort.
    fn cases(&mut self, term: Term, depth: u32) -> Option<Vec<Case>> {
        if self.sort(term) == Sort::BOOL {
            let formula = self.truth(term, depth)?;
            return Some(self.truth_cases(formula));
        }
        match self.known.last().and_then(|layer| layer.get(&term)) {
            Some(Meant::Cases(cases)) => return Some(cases.clone()),
            Some(_) => return None,
            None => {}
        }
        let found = self.new_cases(term, depth);
        self.remember(term, found.clone().map_or(Meant::Unknown, Meant::Cases));
        found
    }

    fn remember(&mut self, term: Term, meant: Meant) {
        if let Some(layer) = self.known.last_mut() {
            layer.insert(term, meant);
        }
    }

    fn sort(&self, term: Term) -> Sort {
        self.evaluator.arena.sort(term)
    }

    /// A formula as a value.
    fn truth_cases(&self, formula: Formula) -> Vec<Case> {
        let case = |guard, value| {
            let leaf = Leaf::Ground(Value::Bool(value));
            Case { guard, defined: BTreeSet::new(), leaf }
        };
        let otherwise = formula.not(&self.kinds);
        let all = [case(formula, true), case(otherwise, false)];
        all.into_iter().filter(|case| case.guard != FALSE).collect()
    }

    /// Evaluates in a scope with more local variables.
    fn with<T>(&mut self, new: Vec<(Term, Meant)>, inside: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.bound.len();
        self.bound.extend(new);
        self.known.push(BTreeMap::new());
        let found = inside(self);
        self.known.pop();
        self.bound.truncate(before);
        found
    }

    fn new_truth(&mut self, term: Term, depth: u32) -> Option<Formula> {
        self.spend(1)?;
        if depth > MAX_DEPTH {
            return None;
        }
        let arena = self.evaluator.arena;
        if arena.has_no_locals(term) && !arena.has_binder(term) {
            match self.evaluator.run(term) {
                Ok(value) => return value.as_bool().map(Formula::Constant),
                Err(reason) if !self.may_be_open(reason) => return None,
                Err(_) => {}
            }
        }
        match arena.view(term) {
            View::Annotated { body, .. } => self.truth(body, depth + 1),
            View::Let { names, values, body } => {
                let new = self.let_values(names, values, depth)?;
                self.with(new, |this| this.truth(body, depth + 1))
            }
            View::Binder { kind: Binder::Forall | Binder::Exists, variables, bodies } => {
                let exists = matches!(arena.view(term), View::Binder { kind: Binder::Exists, .. });
                self.quantifier(exists, variables, bodies[0], depth)
            }
            View::App(op, args) => match self.connective(term, op, args, depth) {
                Some(found) => found,
                None => self.value_truth(term, depth),
            },
            _ => self.value_truth(term, depth),
        }
    }

    /// Whether a term may have a value if open values become variables.
    fn may_be_open(&self, reason: Reason) -> bool {
        self.open.is_some() && matches!(reason, Reason::Open(..))
    }

    /// The values of a `let` as bindings.
    fn let_values(&mut self, names: &[Term], values: &[Term], depth: u32) -> Option<Vec<(Term, Meant)>> {
        let mut new = Vec::with_capacity(names.len());
        for (&name, &value) in names.iter().zip(values) {
            let meant = if self.sort(value) == Sort::BOOL {
                self.truth(value, depth + 1).map_or(Meant::Unknown, Meant::Truth)
            } else {
                self.cases(value, depth + 1).map_or(Meant::Unknown, Meant::Cases)
            };
            new.push((name, meant));
        }
        Some(new)
    }

    /// The formula of an operator that takes Booleans or compares. The outer `None`: it is another operator.
    fn connective(&mut self, term: Term, op: smt::Op, args: &[Term], depth: u32) -> Option<Option<Formula>> {
        let rule = self.evaluator.rule(op);
        let theory = matches!(self.evaluator.arena.op(op).kind, OpKind::Theory(_));
        let name = if theory { canonical_name(self.evaluator.arena, op) } else { "" };
        let boolean = args.first().is_some_and(|&arg| self.sort(arg) == Sort::BOOL);
        let numeric = args.iter().all(|&arg| matches!(self.sort(arg), Sort::INT | Sort::REAL));
        Some(match (rule, name) {
            (Rule::And, _) => self.junction(true, args, depth),
            (Rule::Or, _) => self.junction(false, args, depth),
            (Rule::Implies, _) => self.implication(args, depth),
            (Rule::Ite, _) if self.sort(term) == Sort::BOOL => self.choice(args, depth),
            (Rule::Equal, _) if boolean => self.chain(args, depth, true),
            (Rule::Distinct, _) if boolean && args.len() == 2 => self.chain(args, depth, false),
            (_, "xor") if args.len() == 2 => self.chain(args, depth, false),
            (_, "not") if args.len() == 1 => self.truth(args[0], depth + 1).map(|of| of.not(&self.kinds)),
            (Rule::Equal, _) => self.equalities(args, depth),
            (Rule::Distinct, _) => self.distinct(args, depth),
            (_, "<" | "<=" | ">" | ">=") if numeric && args.len() >= 2 => self.comparisons(name, args, depth),
            (_, "set.member") if args.len() == 2 => self.member(args[0], args[1], depth),
            (_, "is_int") if args.len() == 1 => self.is_int(args[0], depth),
            (_, "divisible") if args.len() == 1 => self.divisible(op, args[0], depth),
            _ => return None,
        })
    }

    fn junction(&mut self, conjunction: bool, args: &[Term], depth: u32) -> Option<Formula> {
        // A part that cannot be translated does not matter if another one decides.
        let (mut parts, mut failed) = (Vec::new(), false);
        for &arg in args {
            match self.truth(arg, depth + 1) {
                Some(Formula::Constant(value)) if value != conjunction => {
                    return Some(Formula::Constant(value));
                }
                Some(part) => parts.push(part),
                None => failed = true,
            }
        }
        self.spend_on(&parts)?;
        let joined = Formula::join(conjunction, parts);
        (!failed || joined == Formula::Constant(!conjunction)).then_some(joined)
    }

    fn implication(&mut self, args: &[Term], depth: u32) -> Option<Formula> {
        let (&last, premises) = args.split_last()?;
        let (mut parts, mut failed) = (Vec::new(), false);
        for (at, &arg) in premises.iter().chain([&last]).enumerate() {
            match self.truth(arg, depth + 1) {
                Some(part) if at < premises.len() => parts.push(part.not(&self.kinds)),
                Some(part) => parts.push(part),
                None => failed = true,
            }
        }
        self.spend_on(&parts)?;
        let joined = Formula::join(false, parts);
        (!failed || joined == TRUE).then_some(joined)
    }

    fn choice(&mut self, args: &[Term], depth: u32) -> Option<Formula> {
        let &[condition, then, otherwise] = args else { return None };
        let condition = self.truth(condition, depth + 1)?;
        if let Formula::Constant(value) = condition {
            return self.truth(if value { then } else { otherwise }, depth + 1);
        }
        let then = self.truth(then, depth + 1)?;
        let otherwise = self.truth(otherwise, depth + 1)?;
        let negated = condition.not(&self.kinds);
        self.spend((condition.size() + then.size() + otherwise.size()) as usize)?;
        Some(condition.and(then).or(negated.and(otherwise)))
    }

    /// Booleans that are all equal, or two that differ.
    fn chain(&mut self, args: &[Term], depth: u32, equal: bool) -> Option<Formula> {
        let mut formulas = Vec::new();
        for &arg in args {
            formulas.push(self.truth(arg, depth + 1)?);
        }
        self.spend(formulas.iter().map(Formula::size).sum::<u64>() as usize)?;
        let pairs = formulas.windows(2).map(|pair| pair[0].iff(&pair[1], &self.kinds));
        let same = Formula::join(true, pairs.collect::<Vec<_>>());
        Some(if equal { same } else { same.not(&self.kinds) })
    }

    /// A relation between two terms, for all combinations of their cases.
    fn relation(
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

    fn equality(&mut self, left: Term, right: Term, depth: u32) -> Option<Formula> {
        if left == right {
            return Some(TRUE);
        }
        if self.same_text(left, right) {
            return Some(TRUE);
        }
        self.relation(left, right, depth, Self::equal_leaves)
    }

    /// Whether two values are equal.
    fn equal_leaves(&mut self, left: &Leaf, right: &Leaf) -> Option<Formula> {
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

    fn equalities(&mut self, args: &[Term], depth: u32) -> Option<Formula> {
        let mut parts = Vec::new();
        for pair in args.windows(2) {
            parts.push(self.equality(pair[0], pair[1], depth)?);
        }
        Some(Formula::join(true, parts))
    }

    fn distinct(&mut self, args: &[Term], depth: u32) -> Option<Formula> {
        let mut parts = Vec::new();
        for (at, &left) in args.iter().enumerate() {
            for &right in &args[..at] {
                parts.push(self.equality(left, right, depth)?.not(&self.kinds));
            }
        }
        Some(Formula::join(true, parts))
    }

    fn comparisons(&mut self, name: &str, args: &[Term], depth: u32) -> Option<Formula> {
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
    fn member(&mut self, element: Term, set: Term, depth: u32) -> Option<Formula> {
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

    fn is_int(&mut self, arg: Term, depth: u32) -> Option<Formula> {
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

    fn divisible(&mut self, op: smt::Op, arg: Term, depth: u32) -> Option<Formula> {
        let divisor = Int::from(self.evaluator.context(op, None).index(0).ok()?);
        let mut parts = Vec::new();
        for combination in combinations(&[self.cases(arg, depth + 1)?])? {
            let number = combination.leaves[0].number()?;
            let whole = Formula::divides(&divisor, &number.numerator)?;
            parts.push(combination.formula(whole));
        }
        Some(Formula::join(false, parts))
    }

    /// The formula of a Boolean term that is a value of its own, such as a call.
    fn value_truth(&mut self, term: Term, depth: u32) -> Option<Formula> {
        if let Some((_, meant)) = self.bound.iter().rev().find(|(local, _)| *local == term) {
            return match meant {
                Meant::Truth(formula) => Some(formula.clone()),
                Meant::Cases(cases) => is_true(&cases.clone()),
                Meant::Unknown => None,
            };
        }
        let cases = self.new_cases(term, depth)?;
        is_true(&cases)
    }

    fn quantifier(&mut self, exists: bool, variables: &[Term], body: Term, depth: u32) -> Option<Formula> {
        let Some((&first, rest)) = variables.split_first() else { return self.truth(body, depth + 1) };
        if !self.evaluator.locals_of(body).contains(&first) {
            return self.quantifier(exists, rest, body, depth + 1);
        }
        let sort = self.sort(first);
        if matches!(sort, Sort::INT | Sort::REAL) {
            let variable = self.kinds.fresh(sort == Sort::INT);
            let number = Quotient::whole(Polynomial::variable(variable), sort == Sort::INT);
            let meant = Meant::Cases(vec![Case::always(Leaf::Number(number))]);
            let inner =
                self.with(vec![(first, meant)], |this| this.quantifier(exists, rest, body, depth + 1))?;
            return Some(match exists {
                true => inner.exists(variable),
                false => inner.not(&self.kinds).exists(variable).not(&self.kinds),
            });
        }
        let Some(values) = self.evaluator.domain().values_up_to(sort, MAX_INSTANCES) else {
            return self.large_sort(exists, first, rest, body, depth);
        };
        let (mut parts, mut failed) = (Vec::new(), false);
        for value in values {
            self.spend(1)?;
            let meant = Meant::Cases(vec![Case::always(Leaf::Ground(value))]);
            let part = self.with(vec![(first, meant)], |this| this.quantifier(exists, rest, body, depth + 1));
            match part {
                Some(Formula::Constant(value)) if value == exists => return Some(Formula::Constant(value)),
                Some(part) => parts.push(part),
                None => failed = true,
            }
        }
        self.spend_on(&parts)?;
        let joined = Formula::join(!exists, parts);
        (!failed || joined == Formula::Constant(exists)).then_some(joined)
    }

    /// A quantifier over a large sort. Only the equality of its values may matter, or only the length of strings.
    fn large_sort(
        &mut self,
        exists: bool,
        first: Term,
        rest: &[Term],
        body: Term,
        depth: u32,
    ) -> Option<Formula> {
        let sort = self.sort(first);
        // There must be more values than terms and variables can name.
        if matches!(self.evaluator.domain().size(sort), Cardinality::Finite(size) if size < LARGE_SORT)
            || matches!(self.evaluator.domain().size(sort), Cardinality::Unknown)
        {
            return None;
        }
        let variable = self.kinds.fresh(true);
        let (leaf, range) = if self.has_length(first, body) {
            let negative = Formula::sign(&self.kinds, Relation::Less, Polynomial::variable(variable))?;
            (Leaf::Text(variable), negative.not(&self.kinds))
        } else {
            (Leaf::Coded(variable), TRUE)
        };
        let meant = Meant::Cases(vec![Case::always(leaf)]);
        let inner = self.with(vec![(first, meant)], |this| this.quantifier(exists, rest, body, depth + 1))?;
        Some(match exists {
            true => range.and(inner).exists(variable),
            false => range.and(inner.not(&self.kinds)).exists(variable).not(&self.kinds),
        })
    }

    /// Whether a body takes the length of a variable.
    fn has_length(&self, variable: Term, body: Term) -> bool {
        let arena = self.evaluator.arena;
        let (mut seen, mut work) = (BTreeSet::new(), vec![body]);
        while let Some(term) = work.pop() {
            if arena.has_no_locals(term) || !seen.insert(term) {
                continue;
            }
            if let View::App(op, &[arg]) = arena.view(term)
                && arg == variable
                && matches!(arena.op_name(op), "str.len" | "seq.len")
            {
                return true;
            }
            work.extend(arena.children(term));
        }
        false
    }

    fn new_cases(&mut self, term: Term, depth: u32) -> Option<Vec<Case>> {
        self.spend(1)?;
        if depth > MAX_DEPTH {
            return None;
        }
        let arena = self.evaluator.arena;
        if arena.has_no_locals(term) && !arena.has_binder(term) {
            match self.evaluator.run(term) {
                Ok(value) => return Some(vec![Case::always(Leaf::Ground(value))]),
                Err(reason) if !self.may_be_open(reason) => return None,
                Err(_) => {}
            }
        }
        match arena.view(term) {
            View::Local(_) => self.local(term),
            View::Annotated { body, .. } => self.cases(body, depth + 1),
            View::Let { names, values, body } => {
                let new = self.let_values(names, values, depth)?;
                self.with(new, |this| this.cases(body, depth + 1))
            }
            View::App(op, args) => self.application(term, op, args, depth),
            _ => None,
        }
    }

    fn local(&mut self, term: Term) -> Option<Vec<Case>> {
        if let Some((_, meant)) = self.bound.iter().rev().find(|(local, _)| *local == term) {
            return match meant {
                Meant::Cases(cases) => Some(cases.clone()),
                Meant::Truth(formula) => Some(self.truth_cases(formula.clone())),
                Meant::Unknown => None,
            };
        }
        let (outcome, _) = self.evaluator.memory.local(term)?;
        outcome.clone().ok().map(|value| vec![Case::always(Leaf::Ground(value))])
    }

    fn application(&mut self, term: Term, op: smt::Op, args: &[Term], depth: u32) -> Option<Vec<Case>> {
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
                self.apply_to_cases(term, op, rule, &[folded, next.clone()], depth)
            });
        }
        self.apply_to_cases(term, op, rule, &values, depth)
    }

    fn apply_to_cases(
        &mut self,
        term: Term,
        op: smt::Op,
        rule: Rule,
        values: &[Vec<Case>],
        depth: u32,
    ) -> Option<Vec<Case>> {
        let mut found = Vec::new();
        for combination in combinations(values)? {
            self.spend(combination.guard.size() as usize)?;
            found.extend(self.apply(term, op, rule, &combination, depth)?);
        }
        merged(found)
    }

    /// Applies an operator to one combination of cases.
    fn apply(
        &mut self,
        term: Term,
        op: smt::Op,
        rule: Rule,
        combination: &Combination,
        depth: u32,
    ) -> Option<Vec<Case>> {
        let ground: Option<Vec<Value>> = combination
            .leaves
            .iter()
            .map(|leaf| match leaf {
                Leaf::Ground(value) => Some(value.clone()),
                _ => None,
            })
            .collect();
        if let Some(args) = ground {
            return self.apply_to_ground(op, term, combination, &args);
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
            return self.with_positions(term, op, combination);
        }
        self.arithmetic(term, op, name, combination, depth)
    }

    /// An operator on strings or sequences at positions that depend on variables. Positions below zero are all alike, and so
    /// are positions beyond the end.
    fn with_positions(&mut self, term: Term, op: smt::Op, combination: &Combination) -> Option<Vec<Case>> {
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
                cases.push(Case { guard, defined: BTreeSet::new(), leaf: number });
            }
            values.push(cases);
        }
        let mut found = Vec::new();
        for ground in combinations(&values)? {
            self.spend(1)?;
            let args: Option<Vec<Value>> = ground
                .leaves
                .iter()
                .map(|leaf| match leaf {
                    Leaf::Ground(value) => Some(value.clone()),
                    _ => None,
                })
                .collect();
            let value = self.evaluator.apply_to_values(op, term, &args?).ok()?;
            found.push(under(combination, ground.with(Leaf::Ground(value))));
        }
        merged(found)
    }

    /// Applies an operator to values. If the result is open, it becomes a variable.
    fn apply_to_ground(
        &mut self,
        op: smt::Op,
        term: Term,
        combination: &Combination,
        args: &[Value],
    ) -> Option<Vec<Case>> {
        match self.evaluator.apply_to_values(op, term, args) {
            Ok(value) => Some(vec![combination.with(Leaf::Ground(value))]),
            Err(reason) if self.may_be_open(reason) => {
                let cases = self.open_value(op, self.sort(term), args)?;
                Some(cases.into_iter().map(|case| under(combination, case)).collect())
            }
            Err(_) => None,
        }
    }

    /// The value of an open operation: a variable of its own, the same for the same arguments.
    fn open_value(&mut self, op: smt::Op, sort: Sort, args: &[Value]) -> Option<Vec<Case>> {
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
            cases.push(Case { guard, defined: BTreeSet::new(), leaf: Leaf::Ground(value) });
        }
        let range = Formula::join(false, cases.iter().map(|case| case.guard.clone()));
        Some((variable, cases, range))
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
                    Some(cases.into_iter().map(|case| under(combination, case)).collect())
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

    /// Applies an operator of arithmetic.
    fn arithmetic(
        &mut self,
        term: Term,
        op: smt::Op,
        name: &str,
        combination: &Combination,
        depth: u32,
    ) -> Option<Vec<Case>> {
        let numbers: Option<Vec<Quotient>> = combination.leaves.iter().map(Leaf::number).collect();
        let numbers = numbers?;
        let one = |number: Quotient| Some(vec![combination.with(Leaf::Number(number))]);
        match (name, &numbers[..]) {
            ("+", [first, rest @ ..]) => one(rest.iter().try_fold(first.clone(), |sum, x| sum.add(x))?),
            ("-", [only]) => one(only.neg()),
            ("-", [first, rest @ ..]) => {
                one(rest.iter().try_fold(first.clone(), |sum, x| sum.add(&x.neg()))?)
            }
            ("*", [first, rest @ ..]) => {
                one(rest.iter().try_fold(first.clone(), |product, x| product.mul(x))?)
            }
            ("to_real", [only]) => one(Quotient { integer: false, ..only.clone() }),
            ("abs", [only]) => {
                let sign = only.same_sign()?;
                let negative = Formula::sign(&self.kinds, Relation::Less, sign)?;
                let mut found = Vec::new();
                for (guard, number) in [(negative.not(&self.kinds), only.clone()), (negative, only.neg())] {
                    let case = Case { guard, defined: BTreeSet::new(), leaf: Leaf::Number(number) };
                    found.push(under(combination, case));
                }
                Some(found)
            }
            ("^", [base, exponent]) => {
                let power = exponent.as_constant()?.to_integer()?.to_u64()?;
                if power == 0 || power > MAX_POWER {
                    return None;
                }
                one((1..power).try_fold(base.clone(), |product, _| product.mul(base))?)
            }
            ("/", [dividend, divisor]) => self.quotient(term, op, combination, dividend, divisor, depth),
            ("to_int", [only]) if only.integer => one(only.clone()),
            ("to_int", [only]) => Some(vec![self.floor(combination, only)?]),
            ("div" | "mod", [dividend, divisor]) => {
                self.divide(term, op, combination, dividend, divisor, depth)
            }
            _ => None,
        }
    }

    /// `(/ a b)`, with a case for `b = 0`.
    fn quotient(
        &mut self,
        term: Term,
        op: smt::Op,
        combination: &Combination,
        dividend: &Quotient,
        divisor: &Quotient,
        depth: u32,
    ) -> Option<Vec<Case>> {
        let mut found = self.by_zero(term, op, combination, dividend, divisor, depth)?;
        let guard = Formula::sign(&self.kinds, Relation::Distinct, divisor.numerator.clone())?;
        if guard != FALSE {
            let leaf = Leaf::Number(dividend.div(divisor)?);
            found.push(under(combination, Case { guard, defined: BTreeSet::new(), leaf }));
        }
        merged(found)
    }

    /// The cases of a division where the divisor is zero: as the model defines it, or else a free choice.
    fn by_zero(
        &mut self,
        term: Term,
        op: smt::Op,
        combination: &Combination,
        dividend: &Quotient,
        divisor: &Quotient,
        depth: u32,
    ) -> Option<Vec<Case>> {
        let zero = Formula::sign(&self.kinds, Relation::Equal, divisor.numerator.clone())?;
        let guard = combination.guard.clone().and(zero);
        if guard == FALSE {
            return Some(Vec::new());
        }
        let whole = Combination { guard, defined: combination.defined.clone(), leaves: Vec::new() };
        let value = |number: Rational, integer: bool| match number.to_integer().filter(|_| integer) {
            Some(number) => Value::Int(number),
            None => Value::Real(number),
        };
        let zero = value(Rational::ZERO, divisor.integer);
        if let Some(number) = dividend.as_constant() {
            return self.apply_to_ground(op, term, &whole, &[value(number, dividend.integer), zero]);
        }
        let model = self.evaluator.model;
        if model.has_points(op) {
            return None;
        }
        let leaf = Leaf::Number(dividend.clone());
        let name = canonical_name(self.evaluator.arena, op);
        if let Some(defined) = model.open_definition(name) {
            let args = [leaf, Leaf::Ground(zero)];
            let bound = |arg: &Leaf| Meant::Cases(vec![Case::always(arg.clone())]);
            let new = defined.params.iter().copied().zip(args.iter().map(bound)).collect();
            let cases = self.with(new, |this| this.cases(defined.body, depth + 1))?;
            return Some(cases.into_iter().map(|case| under(&whole, case)).collect());
        }
        let number = self.evaluator.choices().and_then(|choices| choices.convention)?;
        if name == "mod" && number == 0 {
            return Some(vec![whole.with(leaf)]);
        }
        let number = Rational::from(number);
        Some(vec![whole.with(Leaf::Ground(value(number, self.sort(term) == Sort::INT)))])
    }

    /// The greatest integer that is not greater: a new variable `k` with `k <= number < k + 1`.
    fn floor(&mut self, combination: &Combination, number: &Quotient) -> Option<Case> {
        let variable = self.kinds.fresh(true);
        let floor = Quotient::whole(Polynomial::variable(variable), true);
        self.defining(combination, variable, floor, number, &Int::ONE)
    }

    /// A case that defines a variable by `value <= number < value + step`.
    fn defining(
        &mut self,
        combination: &Combination,
        variable: Variable,
        value: Quotient,
        number: &Quotient,
        step: &Int,
    ) -> Option<Case> {
        let step = Quotient::whole(Polynomial::constant(Rational::from(step.clone())), true);
        let (low, number) = (Leaf::Number(value.clone()), Leaf::Number(number.clone()));
        let high = Leaf::Number(value.add(&step)?);
        let bounds = low.compare(Relation::AtMost, &number, &self.kinds)?.and(number.compare(
            Relation::Less,
            &high,
            &self.kinds,
        )?);
        let mut defined = combination.defined.clone();
        defined.insert(variable);
        Some(Case { guard: combination.guard.clone().and(bounds), defined, leaf: low })
    }

    /// `(div a b)` or `(mod a b)`, where `b` is a number or `a` is zero.
    fn divide(
        &mut self,
        term: Term,
        op: smt::Op,
        combination: &Combination,
        dividend: &Quotient,
        divisor: &Quotient,
        depth: u32,
    ) -> Option<Vec<Case>> {
        if !dividend.integer || !divisor.integer {
            return None;
        }
        let Some(number) = divisor.as_constant().and_then(|number| number.to_integer()) else {
            // Zero divided by anything else is zero, and so is the remainder.
            dividend.as_constant().filter(Rational::is_zero)?;
            let mut found = self.by_zero(term, op, combination, dividend, divisor, depth)?;
            let guard = Formula::sign(&self.kinds, Relation::Distinct, divisor.numerator.clone())?;
            let leaf = Leaf::Ground(Value::Int(Int::ZERO));
            found.push(under(combination, Case { guard, defined: BTreeSet::new(), leaf }));
            return merged(found);
        };
        if number.is_zero() {
            return self.by_zero(term, op, combination, dividend, divisor, depth);
        }
        let remainder = canonical_name(self.evaluator.arena, op) == "mod";
        let variable = self.kinds.fresh(true);
        let quotient = Quotient::whole(Polynomial::variable(variable), true);
        let size = number.abs();
        let factor = Quotient::whole(Polynomial::constant(Rational::from(size.clone())), true);
        let multiple = quotient.mul(&factor)?;
        let case = self.defining(combination, variable, multiple.clone(), dividend, &size)?;
        let leaf = match (remainder, number.is_negative()) {
            (true, _) => dividend.add(&multiple.neg())?,
            (false, true) => quotient.neg(),
            (false, false) => quotient,
        };
        Some(vec![Case { leaf: Leaf::Number(leaf), ..case }])
    }
}

/// Where a Boolean value is true.
fn is_true(cases: &[Case]) -> Option<Formula> {
    let mut parts = Vec::new();
    for case in cases {
        let Leaf::Ground(Value::Bool(value)) = case.leaf else { return None };
        let whole =
            Combination { guard: case.guard.clone(), defined: case.defined.clone(), leaves: Vec::new() };
        parts.push(whole.formula(Formula::Constant(value)));
    }
    Some(Formula::join(false, parts))
}

/// A case under the condition of a combination.
fn under(combination: &Combination, case: Case) -> Case {
    Case {
        guard: combination.guard.clone().and(case.guard),
        defined: combination.defined.union(&case.defined).copied().collect(),
        leaf: case.leaf,
    }
}

impl Evaluator<'_> {
    /// Applies an operator or a function to values.
    fn apply_to_values(&mut self, op: smt::Op, term: Term, args: &[Value]) -> Result<Value, Reason> {
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
