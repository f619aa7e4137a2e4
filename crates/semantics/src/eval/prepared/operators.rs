//! Operators that have a node of their own.

use smt::Op;

use super::code::{General, Int, Part, Truth, Word};
use super::prepare::{Draft, Lane};
use crate::eval::Evaluator;
use crate::eval::rule::{self, Rule};

impl Evaluator<'_> {
    /// Operators that have a node of their own.
    pub(super) fn make_known(
        &mut self,
        draft: &Draft,
        lane: Lane,
        rule: Rule,
        op: Op,
        parts: &[Part],
        real: bool,
    ) -> Option<Part> {
        match rule {
            Rule::And | Rule::Or | Rule::Implies => {
                let run = self.run_of(parts, |part| matches!(part, Part::Truth(_)))?;
                let truth = match rule {
                    Rule::Implies if run.len == 0 => return None,
                    Rule::And => Truth::And(run),
                    Rule::Or => Truth::Or(run),
                    _ => Truth::Implies(run),
                };
                Some(self.add_truth(draft, truth))
            }
            Rule::Ite => match *parts {
                [Part::Truth(c), Part::Truth(a), Part::Truth(b)] => {
                    Some(self.add_truth(draft, Truth::Ite(c, a, b)))
                }
                [Part::Truth(c), Part::Int(a), Part::Int(b)] => Some(self.add_int(draft, Int::Ite(c, a, b))),
                [Part::Truth(c), Part::Word(a, width), Part::Word(b, other)] if width == other => {
                    Some(self.add_word(draft, Word::Ite(c, a, b), width))
                }
                [Part::Truth(c), Part::Value(a), Part::Value(b)] => {
                    Some(self.add_value(draft, General::Ite(c, a, b)))
                }
                _ => None,
            },
            Rule::Equal | Rule::Distinct => {
                let same = match *parts {
                    [Part::Truth(a), Part::Truth(b)] => Truth::TruthsAgree(a, b),
                    [Part::Int(a), Part::Int(b)] => Truth::IntsAgree(a, b),
                    [Part::Word(a, _), Part::Word(b, _)] => Truth::WordsAgree(a, b),
                    [Part::Value(a), Part::Value(b)] => Truth::ValuesAgree(a, b),
                    _ => return None,
                };
                let part = self.add_truth(draft, same);
                match (rule, part) {
                    (Rule::Distinct, Part::Truth(at)) => Some(self.add_truth(draft, Truth::Not(at))),
                    _ => Some(part),
                }
            }
            Rule::Times if lane == Lane::Int => {
                let run = self.run_of(parts, |part| matches!(part, Part::Int(_)))?;
                (run.len > 0).then(|| self.add_int(draft, Int::Mul(run)))
            }
            Rule::Times if real => {
                let run = self.run_of(parts, |part| matches!(part, Part::Value(_)))?;
                (run.len > 0).then(|| self.add_value(draft, General::RealMul(run)))
            }
            Rule::Tester(number) => match *parts {
                [Part::Value(a)] => Some(self.add_truth(draft, Truth::Tester(a, number))),
                _ => None,
            },
            Rule::Theory { .. } => {
                let name = rule::canonical_name(self.arena, op);
                if real && let Some(part) = self.make_real(draft, name, parts) {
                    return Some(part);
                }
                if let ("to_real", &[Part::Int(a)]) = (name, parts) {
                    return Some(self.add_value(draft, General::ToReal(a)));
                }
                self.make_truth(draft, name, parts)
                    .or_else(|| self.make_int(draft, lane, name, parts))
                    .or_else(|| self.make_word(draft, lane, name, op, parts))
            }
            _ => None,
        }
    }

    fn make_truth(&mut self, draft: &Draft, name: &str, parts: &[Part]) -> Option<Part> {
        let truth = match (name, parts) {
            ("true", []) => Truth::Constant(true),
            ("false", []) => Truth::Constant(false),
            ("not", &[Part::Truth(a)]) => Truth::Not(a),
            ("xor", &[Part::Truth(a), Part::Truth(b)]) => Truth::Xor(a, b),
            ("<=", &[Part::Int(a), Part::Int(b)]) | (">=", &[Part::Int(b), Part::Int(a)]) => {
                Truth::IntAtMost(a, b)
            }
            ("<", &[Part::Int(a), Part::Int(b)]) | (">", &[Part::Int(b), Part::Int(a)]) => {
                Truth::IntBelow(a, b)
            }
            ("bvule", &[Part::Word(a, _), Part::Word(b, _)])
            | ("bvuge", &[Part::Word(b, _), Part::Word(a, _)]) => Truth::WordAtMost(a, b),
            ("bvult", &[Part::Word(a, _), Part::Word(b, _)])
            | ("bvugt", &[Part::Word(b, _), Part::Word(a, _)]) => Truth::WordBelow(a, b),
            ("bvsle", &[Part::Word(a, width), Part::Word(b, _)])
            | ("bvsge", &[Part::Word(b, width), Part::Word(a, _)]) => Truth::SignedAtMost(a, b, width),
            ("bvslt", &[Part::Word(a, width), Part::Word(b, _)])
            | ("bvsgt", &[Part::Word(b, width), Part::Word(a, _)]) => Truth::SignedBelow(a, b, width),
            _ => return None,
        };
        Some(self.add_truth(draft, truth))
    }

    /// Operators on numbers of sort Real.
    fn make_real(&mut self, draft: &Draft, name: &str, parts: &[Part]) -> Option<Part> {
        let truth = match (name, parts) {
            ("<=", &[Part::Value(a), Part::Value(b)]) | (">=", &[Part::Value(b), Part::Value(a)]) => {
                Truth::RealAtMost(a, b)
            }
            ("<", &[Part::Value(a), Part::Value(b)]) | (">", &[Part::Value(b), Part::Value(a)]) => {
                Truth::RealBelow(a, b)
            }
            _ => {
                let value = match (name, parts) {
                    ("+", [_, ..]) => {
                        General::RealAdd(self.run_of(parts, |part| matches!(part, Part::Value(_)))?)
                    }
                    ("-", &[Part::Value(a)]) => General::RealNeg(a),
                    ("-", &[Part::Value(a), Part::Value(b)]) => General::RealSub(a, b),
                    _ => return None,
                };
                return Some(self.add_value(draft, value));
            }
        };
        Some(self.add_truth(draft, truth))
    }

    fn make_int(&mut self, draft: &Draft, lane: Lane, name: &str, parts: &[Part]) -> Option<Part> {
        if lane != Lane::Int {
            return None;
        }
        let int = match (name, parts) {
            ("+", [_, ..]) => Int::Add(self.run_of(parts, |part| matches!(part, Part::Int(_)))?),
            ("-", &[Part::Int(a)]) => Int::Neg(a),
            ("-", &[Part::Int(a), Part::Int(b)]) => Int::Sub(a, b),
            ("div", &[Part::Int(a), Part::Int(b)]) => Int::Div(a, b),
            ("mod", &[Part::Int(a), Part::Int(b)]) => Int::Mod(a, b),
            ("abs", &[Part::Int(a)]) => Int::Abs(a),
            ("ubv_to_int", &[Part::Word(a, _)]) => Int::Unsigned(a),
            ("str.len", &[Part::Value(a)]) => Int::Length(a),
            _ => return None,
        };
        Some(self.add_int(draft, int))
    }

    fn make_word(&mut self, draft: &Draft, lane: Lane, name: &str, op: Op, parts: &[Part]) -> Option<Part> {
        let Lane::Word(width) = lane else { return None };
        let alike = |part: &Part| matches!(part, Part::Word(_, own) if *own == width);
        let index = |at: usize| match self.arena.op(op).indices.get(at) {
            Some(smt::Index::Num(number)) => u8::try_from(*number).ok(),
            _ => None,
        };
        let word = match (name, parts) {
            ("bvand", [_, ..]) => Word::And(self.run_of(parts, alike)?),
            ("bvor", [_, ..]) => Word::Or(self.run_of(parts, alike)?),
            ("bvxor", [_, ..]) => Word::Xor(self.run_of(parts, alike)?),
            ("bvadd", [_, ..]) => Word::Add(self.run_of(parts, alike)?),
            ("bvmul", [_, ..]) => Word::Mul(self.run_of(parts, alike)?),
            ("bvnot", &[Part::Word(a, _)]) => Word::Not(a),
            ("bvneg", &[Part::Word(a, _)]) => Word::Neg(a),
            ("bvsub", &[Part::Word(a, _), Part::Word(b, _)]) => Word::Sub(a, b),
            ("bvudiv", &[Part::Word(a, _), Part::Word(b, _)]) => Word::UnsignedDiv(a, b),
            ("bvurem", &[Part::Word(a, _), Part::Word(b, _)]) => Word::UnsignedRem(a, b),
            ("bvshl", &[Part::Word(a, _), Part::Word(b, _)]) => Word::ShiftLeft(a, b),
            ("bvlshr", &[Part::Word(a, _), Part::Word(b, _)]) => Word::ShiftRight(a, b),
            ("bvashr", &[Part::Word(a, _), Part::Word(b, _)]) => Word::ShiftRightSigned(a, b),
            ("bvcomp", &[Part::Word(a, _), Part::Word(b, _)]) if width == 1 => Word::Same(a, b),
            ("concat", &[Part::Word(a, high), Part::Word(b, low)]) if high + low == width => {
                Word::Concat(a, b, low)
            }
            ("extract", &[Part::Word(a, whole)]) => {
                let (high, low) = (index(0)?, index(1)?);
                if high >= whole || low > high || high - low + 1 != width {
                    return None;
                }
                Word::Extract(a, low)
            }
            ("zero_extend", &[Part::Word(a, narrow)]) if narrow <= width => Word::ZeroExtend(a),
            ("sign_extend", &[Part::Word(a, narrow)]) if narrow <= width => Word::SignExtend(a, narrow),
            _ => return None,
        };
        Some(self.add_word(draft, word, width))
    }
}
