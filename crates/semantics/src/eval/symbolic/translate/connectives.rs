//! Connectives: operators that take Booleans, and which translation other operators with a Boolean result have.

use smt::{Op, OpKind, Sort, Term};

use super::Translation;
use crate::eval::rule::{Rule, canonical_name};
use crate::eval::symbolic::formula::{Formula, TRUE};

impl Translation<'_, '_> {
    /// The formula of an operator that takes Booleans or compares. The outer `None`: it is another operator.
    pub(super) fn connective(
        &mut self,
        term: Term,
        op: Op,
        args: &[Term],
        depth: u32,
    ) -> Option<Option<Formula>> {
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
}
