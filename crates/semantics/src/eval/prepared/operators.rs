//! Operators with a specialized node.

use smt::Op;

use super::code::{BitVecNode, BoolNode, IntNode, NodeRef, ValueNode};
use super::prepare::{Builder, Repr};
use crate::eval::Evaluator;
use crate::eval::rule::{self, Rule};

impl Evaluator<'_> {
    /// Operators with a specialized node.
    pub(super) fn make_specialized(
        &mut self,
        builder: &Builder,
        repr: Repr,
        rule: Rule,
        op: Op,
        nodes: &[NodeRef],
        real: bool,
    ) -> Option<NodeRef> {
        match rule {
            Rule::And | Rule::Or | Rule::Implies => {
                let operands = self.operand_list(nodes, |node| matches!(node, NodeRef::Bool(_)))?;
                let truth = match rule {
                    Rule::Implies if operands.len == 0 => return None,
                    Rule::And => BoolNode::And(operands),
                    Rule::Or => BoolNode::Or(operands),
                    _ => BoolNode::Implies(operands),
                };
                Some(self.add_bool(builder, truth))
            }
            Rule::Ite => match *nodes {
                [NodeRef::Bool(c), NodeRef::Bool(a), NodeRef::Bool(b)] => {
                    Some(self.add_bool(builder, BoolNode::Ite(c, a, b)))
                }
                [NodeRef::Bool(c), NodeRef::Int(a), NodeRef::Int(b)] => {
                    Some(self.add_int(builder, IntNode::Ite(c, a, b)))
                }
                [NodeRef::Bool(c), NodeRef::BitVec(a, width), NodeRef::BitVec(b, other)]
                    if width == other =>
                {
                    Some(self.add_bitvec(builder, BitVecNode::Ite(c, a, b), width))
                }
                [NodeRef::Bool(c), NodeRef::Value(a), NodeRef::Value(b)] => {
                    Some(self.add_value(builder, ValueNode::Ite(c, a, b)))
                }
                _ => None,
            },
            Rule::Equal | Rule::Distinct => {
                let same = match *nodes {
                    [NodeRef::Bool(a), NodeRef::Bool(b)] => BoolNode::BoolEq(a, b),
                    [NodeRef::Int(a), NodeRef::Int(b)] => BoolNode::IntEq(a, b),
                    [NodeRef::BitVec(a, _), NodeRef::BitVec(b, _)] => BoolNode::BvEq(a, b),
                    [NodeRef::Value(a), NodeRef::Value(b)] => BoolNode::ValueEq(a, b),
                    _ => return None,
                };
                let node = self.add_bool(builder, same);
                match (rule, node) {
                    (Rule::Distinct, NodeRef::Bool(at)) => Some(self.add_bool(builder, BoolNode::Not(at))),
                    _ => Some(node),
                }
            }
            Rule::Times if repr == Repr::Int => {
                let operands = self.operand_list(nodes, |node| matches!(node, NodeRef::Int(_)))?;
                (operands.len > 0).then(|| self.add_int(builder, IntNode::Mul(operands)))
            }
            Rule::Times if real => {
                let operands = self.operand_list(nodes, |node| matches!(node, NodeRef::Value(_)))?;
                (operands.len > 0).then(|| self.add_value(builder, ValueNode::RealMul(operands)))
            }
            Rule::Tester(number) => match *nodes {
                [NodeRef::Value(a)] => Some(self.add_bool(builder, BoolNode::Tester(a, number))),
                _ => None,
            },
            Rule::Theory { .. } => {
                let name = rule::canonical_name(self.arena, op);
                if real && let Some(node) = self.make_real(builder, name, nodes) {
                    return Some(node);
                }
                if let ("to_real", &[NodeRef::Int(a)]) = (name, nodes) {
                    return Some(self.add_value(builder, ValueNode::ToReal(a)));
                }
                self.make_bool(builder, name, nodes)
                    .or_else(|| self.make_int(builder, repr, name, nodes))
                    .or_else(|| self.make_bitvec(builder, repr, name, op, nodes))
            }
            _ => None,
        }
    }

    fn make_bool(&mut self, builder: &Builder, name: &str, nodes: &[NodeRef]) -> Option<NodeRef> {
        let truth = match (name, nodes) {
            ("true", []) => BoolNode::Constant(true),
            ("false", []) => BoolNode::Constant(false),
            ("not", &[NodeRef::Bool(a)]) => BoolNode::Not(a),
            ("xor", &[NodeRef::Bool(a), NodeRef::Bool(b)]) => BoolNode::Xor(a, b),
            ("<=", &[NodeRef::Int(a), NodeRef::Int(b)]) | (">=", &[NodeRef::Int(b), NodeRef::Int(a)]) => {
                BoolNode::IntLe(a, b)
            }
            ("<", &[NodeRef::Int(a), NodeRef::Int(b)]) | (">", &[NodeRef::Int(b), NodeRef::Int(a)]) => {
                BoolNode::IntLt(a, b)
            }
            ("bvule", &[NodeRef::BitVec(a, _), NodeRef::BitVec(b, _)])
            | ("bvuge", &[NodeRef::BitVec(b, _), NodeRef::BitVec(a, _)]) => BoolNode::BvUle(a, b),
            ("bvult", &[NodeRef::BitVec(a, _), NodeRef::BitVec(b, _)])
            | ("bvugt", &[NodeRef::BitVec(b, _), NodeRef::BitVec(a, _)]) => BoolNode::BvUlt(a, b),
            ("bvsle", &[NodeRef::BitVec(a, width), NodeRef::BitVec(b, _)])
            | ("bvsge", &[NodeRef::BitVec(b, width), NodeRef::BitVec(a, _)]) => BoolNode::BvSle(a, b, width),
            ("bvslt", &[NodeRef::BitVec(a, width), NodeRef::BitVec(b, _)])
            | ("bvsgt", &[NodeRef::BitVec(b, width), NodeRef::BitVec(a, _)]) => BoolNode::BvSlt(a, b, width),
            _ => return None,
        };
        Some(self.add_bool(builder, truth))
    }

    /// Operators on reals.
    fn make_real(&mut self, builder: &Builder, name: &str, nodes: &[NodeRef]) -> Option<NodeRef> {
        let truth = match (name, nodes) {
            ("<=", &[NodeRef::Value(a), NodeRef::Value(b)])
            | (">=", &[NodeRef::Value(b), NodeRef::Value(a)]) => BoolNode::RealLe(a, b),
            ("<", &[NodeRef::Value(a), NodeRef::Value(b)])
            | (">", &[NodeRef::Value(b), NodeRef::Value(a)]) => BoolNode::RealLt(a, b),
            _ => {
                let value = match (name, nodes) {
                    ("+", [_, ..]) => ValueNode::RealAdd(
                        self.operand_list(nodes, |node| matches!(node, NodeRef::Value(_)))?,
                    ),
                    ("-", &[NodeRef::Value(a)]) => ValueNode::RealNeg(a),
                    ("-", &[NodeRef::Value(a), NodeRef::Value(b)]) => ValueNode::RealSub(a, b),
                    _ => return None,
                };
                return Some(self.add_value(builder, value));
            }
        };
        Some(self.add_bool(builder, truth))
    }

    fn make_int(&mut self, builder: &Builder, repr: Repr, name: &str, nodes: &[NodeRef]) -> Option<NodeRef> {
        if repr != Repr::Int {
            return None;
        }
        let int = match (name, nodes) {
            ("+", [_, ..]) => IntNode::Add(self.operand_list(nodes, |node| matches!(node, NodeRef::Int(_)))?),
            ("-", &[NodeRef::Int(a)]) => IntNode::Neg(a),
            ("-", &[NodeRef::Int(a), NodeRef::Int(b)]) => IntNode::Sub(a, b),
            ("div", &[NodeRef::Int(a), NodeRef::Int(b)]) => IntNode::Div(a, b),
            ("mod", &[NodeRef::Int(a), NodeRef::Int(b)]) => IntNode::Mod(a, b),
            ("abs", &[NodeRef::Int(a)]) => IntNode::Abs(a),
            ("ubv_to_int", &[NodeRef::BitVec(a, _)]) => IntNode::Unsigned(a),
            ("str.len", &[NodeRef::Value(a)]) => IntNode::Length(a),
            _ => return None,
        };
        Some(self.add_int(builder, int))
    }

    fn make_bitvec(
        &mut self,
        builder: &Builder,
        repr: Repr,
        name: &str,
        op: Op,
        nodes: &[NodeRef],
    ) -> Option<NodeRef> {
        let Repr::BitVec(width) = repr else { return None };
        let alike = |node: &NodeRef| matches!(node, NodeRef::BitVec(_, own) if *own == width);
        let index = |at: usize| match self.arena.op(op).indices.get(at) {
            Some(smt::Index::Num(number)) => u8::try_from(*number).ok(),
            _ => None,
        };
        let word = match (name, nodes) {
            ("bvand", [_, ..]) => BitVecNode::And(self.operand_list(nodes, alike)?),
            ("bvor", [_, ..]) => BitVecNode::Or(self.operand_list(nodes, alike)?),
            ("bvxor", [_, ..]) => BitVecNode::Xor(self.operand_list(nodes, alike)?),
            ("bvadd", [_, ..]) => BitVecNode::Add(self.operand_list(nodes, alike)?),
            ("bvmul", [_, ..]) => BitVecNode::Mul(self.operand_list(nodes, alike)?),
            ("bvnot", &[NodeRef::BitVec(a, _)]) => BitVecNode::Not(a),
            ("bvneg", &[NodeRef::BitVec(a, _)]) => BitVecNode::Neg(a),
            ("bvsub", &[NodeRef::BitVec(a, _), NodeRef::BitVec(b, _)]) => BitVecNode::Sub(a, b),
            ("bvudiv", &[NodeRef::BitVec(a, _), NodeRef::BitVec(b, _)]) => BitVecNode::Udiv(a, b),
            ("bvurem", &[NodeRef::BitVec(a, _), NodeRef::BitVec(b, _)]) => BitVecNode::Urem(a, b),
            ("bvshl", &[NodeRef::BitVec(a, _), NodeRef::BitVec(b, _)]) => BitVecNode::Shl(a, b),
            ("bvlshr", &[NodeRef::BitVec(a, _), NodeRef::BitVec(b, _)]) => BitVecNode::Lshr(a, b),
            ("bvashr", &[NodeRef::BitVec(a, _), NodeRef::BitVec(b, _)]) => BitVecNode::Ashr(a, b),
            ("bvcomp", &[NodeRef::BitVec(a, _), NodeRef::BitVec(b, _)]) if width == 1 => {
                BitVecNode::Comp(a, b)
            }
            ("concat", &[NodeRef::BitVec(a, high), NodeRef::BitVec(b, low)]) if high + low == width => {
                BitVecNode::Concat(a, b, low)
            }
            ("extract", &[NodeRef::BitVec(a, whole)]) => {
                let (high, low) = (index(0)?, index(1)?);
                if high >= whole || low > high || high - low + 1 != width {
                    return None;
                }
                BitVecNode::Extract(a, low)
            }
            ("zero_extend", &[NodeRef::BitVec(a, narrow)]) if narrow <= width => BitVecNode::ZeroExtend(a),
            ("sign_extend", &[NodeRef::BitVec(a, narrow)]) if narrow <= width => {
                BitVecNode::SignExtend(a, narrow)
            }
            _ => return None,
        };
        Some(self.add_bitvec(builder, word, width))
    }
}
