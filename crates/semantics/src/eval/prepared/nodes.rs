//! Adds nodes, and memoizes those that have several users.

use super::code::{
    BitVecNode, BoolNode, IntNode, Memoized, NodeId, NodeInfo, NodeRef, Operands, Source, ValueNode,
};
use super::prepare::{Builder, Repr};
use crate::data::Value;
use crate::eval::Evaluator;

impl Evaluator<'_> {
    /// The operands as a list, if all satisfy a condition.
    pub(super) fn operand_list(
        &mut self,
        nodes: &[NodeRef],
        fits: impl Fn(&NodeRef) -> bool,
    ) -> Option<Operands> {
        if !nodes.iter().all(fits) {
            return None;
        }
        let lists = &mut self.memory.prepared.code.lists;
        let start = lists.len() as u32;
        lists.extend(nodes.iter().map(|node| match *node {
            NodeRef::Bool(id) | NodeRef::Int(id) | NodeRef::BitVec(id, _) | NodeRef::Value(id) => id,
        }));
        Some(Operands { start, len: nodes.len() as u32 })
    }

    pub(super) fn add_source(&mut self, repr: Repr, source: Source, level: u16) -> NodeRef {
        let code = &mut self.memory.prepared.code;
        let (node, infos) = match repr {
            Repr::Bool => {
                code.bools.push(BoolNode::From(source));
                (NodeRef::Bool(code.bools.len() as NodeId - 1), &mut code.infos[0])
            }
            Repr::Int => {
                code.ints.push(IntNode::From(source));
                (NodeRef::Int(code.ints.len() as NodeId - 1), &mut code.infos[1])
            }
            Repr::BitVec(width) => {
                code.bitvecs.push((BitVecNode::From(source), width));
                (NodeRef::BitVec(code.bitvecs.len() as NodeId - 1, width), &mut code.infos[2])
            }
            Repr::Value => {
                code.values.push(ValueNode::From(source));
                (NodeRef::Value(code.values.len() as NodeId - 1), &mut code.infos[3])
            }
        };
        infos.push(NodeInfo { used: false, level, height: 1 });
        node
    }

    pub(super) fn add_bool(&mut self, builder: &Builder, truth: BoolNode) -> NodeRef {
        let code = &mut self.memory.prepared.code;
        code.bools.push(truth);
        code.infos[0].push(NodeInfo { used: false, level: builder.level, height: 1 });
        NodeRef::Bool(code.bools.len() as NodeId - 1)
    }

    pub(super) fn add_int(&mut self, builder: &Builder, int: IntNode) -> NodeRef {
        let code = &mut self.memory.prepared.code;
        code.ints.push(int);
        code.infos[1].push(NodeInfo { used: false, level: builder.level, height: 1 });
        NodeRef::Int(code.ints.len() as NodeId - 1)
    }

    pub(super) fn add_bitvec(&mut self, builder: &Builder, word: BitVecNode, width: u8) -> NodeRef {
        let code = &mut self.memory.prepared.code;
        code.bitvecs.push((word, width));
        code.infos[2].push(NodeInfo { used: false, level: builder.level, height: 1 });
        NodeRef::BitVec(code.bitvecs.len() as NodeId - 1, width)
    }

    pub(super) fn add_value(&mut self, builder: &Builder, value: ValueNode) -> NodeRef {
        let code = &mut self.memory.prepared.code;
        code.values.push(value);
        code.infos[3].push(NodeInfo { used: false, level: builder.level, height: 1 });
        NodeRef::Value(code.values.len() as NodeId - 1)
    }

    /// Uses a node as an operand. Its value is memoized from the second user on, or if the user is evaluated more often than the node.
    pub(super) fn add_user(&mut self, builder: &Builder, node: NodeRef) -> NodeRef {
        let info = self.info(node);
        let again = std::mem::replace(&mut info.used, true);
        if again || info.level < builder.level { self.memoize(node) } else { node }
    }

    pub(super) fn info(&mut self, node: NodeRef) -> &mut NodeInfo {
        let infos = &mut self.memory.prepared.code.infos;
        match node {
            NodeRef::Bool(id) => &mut infos[0][id as usize],
            NodeRef::Int(id) => &mut infos[1][id as usize],
            NodeRef::BitVec(id, _) => &mut infos[2][id as usize],
            NodeRef::Value(id) => &mut infos[3][id as usize],
        }
    }

    /// Memoizes the value of a node, unless that is no faster.
    pub(super) fn memoize(&mut self, node: NodeRef) -> NodeRef {
        let code = &mut self.memory.prepared.code;
        let fast = match node {
            NodeRef::Bool(id) => match code.bools[id as usize] {
                BoolNode::Constant(_) => true,
                BoolNode::From(source) => is_lookup(&source),
                _ => false,
            },
            NodeRef::Int(id) => match code.ints[id as usize] {
                IntNode::Constant(_) => true,
                IntNode::From(source) => is_lookup(&source),
                _ => false,
            },
            NodeRef::BitVec(id, _) => match code.bitvecs[id as usize].0 {
                BitVecNode::Constant(_) => true,
                BitVecNode::From(source) => is_lookup(&source),
                _ => false,
            },
            NodeRef::Value(id) => match code.values[id as usize] {
                ValueNode::Constant(_) => true,
                ValueNode::From(source) => is_lookup(&source),
                _ => false,
            },
        };
        if fast {
            return node;
        }
        let memo = if matches!(node, NodeRef::Value(_)) {
            code.memo_values.push((0, Value::Bool(false)));
            code.memo_values.len() - 1
        } else {
            code.memo_words.push((0, 0));
            code.memo_words.len() - 1
        };
        let [bools, ints, words, values] = &mut code.infos;
        match node {
            NodeRef::Bool(id) => insert_memo(&mut code.bools, bools, id, memo, BoolNode::From),
            NodeRef::Int(id) => insert_memo(&mut code.ints, ints, id, memo, IntNode::From),
            NodeRef::BitVec(id, width) => {
                insert_memo(&mut code.bitvecs, words, id, memo, |source| (BitVecNode::From(source), width))
            }
            NodeRef::Value(id) => insert_memo(&mut code.values, values, id, memo, ValueNode::From),
        }
        node
    }
}

/// Whether a node only looks a value up.
fn is_lookup(source: &Source) -> bool {
    matches!(source, Source::Symbol(_) | Source::Param(_) | Source::Memoized(_))
}

/// Moves a node to the end, and puts a memoizing node in its place.
fn insert_memo<N: Copy>(
    nodes: &mut Vec<N>,
    infos: &mut Vec<NodeInfo>,
    id: NodeId,
    memo: usize,
    memoized: impl FnOnce(Source) -> N,
) {
    let (node, info) = (nodes[id as usize], infos[id as usize]);
    let inner = nodes.len() as NodeId;
    nodes.push(node);
    infos.push(info);
    nodes[id as usize] = memoized(Source::Memoized(Memoized { inner, memo: memo as u32, level: info.level }));
}
