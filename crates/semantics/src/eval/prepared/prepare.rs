//! Translates a term into nodes.

use std::collections::HashMap;

use smt::{Binder, FixedState, Op, Sort, Term, View};

use super::call::MAX_DEPTH;
use super::code::{
    Application, BitVecNode, BoolNode, Dispatch, IntNode, NodeRef, Operands, PreparedBody,
    PreparedDefinition, Quantified, Source, ValueNode,
};
use crate::data::Value;
use crate::definition::FunctionDefinition;
use crate::eval::rule::{self, Rule};
use crate::eval::{Evaluator, literal};

/// The most nodes of one term.
const MAX_NODES: u32 = 1 << 20;
/// The deepest nesting of a term.
const MAX_TERM_DEPTH: u32 = MAX_DEPTH / 2;
/// The most nested binders.
const MAX_LEVELS: u16 = 16;

/// How values of a sort are represented.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Repr {
    Bool,
    Int,
    BitVec(u8),
    Value,
}

/// The state of preparing a term.
#[derive(Default)]
pub(super) struct Builder {
    /// The nodes of local variables.
    locals: HashMap<Term, NodeRef, FixedState>,
    /// The nodes of terms with local variables, and the order in which they were added.
    open: HashMap<Term, NodeRef, FixedState>,
    trail: Vec<Term>,
    /// The number of variables in the frame.
    variables: u32,
    /// The number of enclosing bindings.
    pub(super) level: u16,
    depth: u32,
    /// The height of the tallest operand so far.
    tallest: u32,
    size: u32,
}

impl Evaluator<'_> {
    /// Prepares a term without free variables.
    pub(super) fn prepare(&mut self, term: Term) -> Option<NodeRef> {
        let mut builder = Builder::default();
        let node = self.prepare_term(&mut builder, term)?;
        // Other terms may share the node; then its value is memoized.
        Some(self.add_user(&builder, node))
    }

    /// Prepares the definition of a symbol.
    #[cold]
    pub(super) fn prepare_definition(
        &mut self,
        op: Op,
        defined: &FunctionDefinition,
    ) -> Option<PreparedBody> {
        // A definition that refers to itself finds itself unprepared.
        self.set_definition(op, defined, None);
        if defined.recursive {
            return None;
        }
        let mut builder = Builder::default();
        if !defined.params.is_empty() {
            builder.level = 1;
            for &param in defined.params.iter() {
                self.bind_variable(&mut builder, param);
            }
        }
        let node = self.prepare_term(&mut builder, defined.body)?;
        // A constant is evaluated once per model.
        let node = if builder.level == 0 || self.arena.has_no_locals(defined.body) {
            self.memoize(node)
        } else {
            self.add_user(&builder, node)
        };
        let constant = self.arena.has_no_locals(defined.body);
        let body = PreparedBody { node, constant, depth: self.info(node).height, size: builder.size + 1 };
        self.set_definition(op, defined, Some(body));
        Some(body)
    }

    fn set_definition(&mut self, op: Op, defined: &FunctionDefinition, prepared: Option<PreparedBody>) {
        let definitions = &mut self.memory.prepared.code.definitions;
        if definitions.len() <= op.index() {
            definitions.resize_with(op.index() + 1, || None);
        }
        let prepared = PreparedDefinition { params: defined.params.clone(), body: defined.body, prepared };
        definitions[op.index()] = Some(Box::new(prepared));
    }

    /// Assigns a local variable the next index in the frame.
    fn bind_variable(&mut self, builder: &mut Builder, variable: Term) {
        let source = Source::Param(builder.variables);
        builder.variables += 1;
        let repr = self.repr(self.arena.sort(variable));
        let node = self.add_source(repr, source, builder.level);
        builder.locals.insert(variable, node);
    }

    fn repr(&self, sort: Sort) -> Repr {
        match sort {
            Sort::BOOL => Repr::Bool,
            Sort::INT if !self.memory.prepared.code.wide => Repr::Int,
            sort => match self.arena.bitvec_width(sort) {
                Some(width @ 1..=64) => Repr::BitVec(width as u8),
                _ => Repr::Value,
            },
        }
    }

    /// The node of a term as an operand of another.
    fn operand(&mut self, builder: &mut Builder, term: Term) -> Option<NodeRef> {
        let node = self.prepare_term(builder, term)?;
        let node = self.add_user(builder, node);
        builder.tallest = builder.tallest.max(self.info(node).height);
        Some(node)
    }

    /// The node of a term.
    fn prepare_term(&mut self, builder: &mut Builder, term: Term) -> Option<NodeRef> {
        if let View::Local(_) = self.arena.view(term) {
            return builder.locals.get(&term).copied();
        }
        let ground = self.arena.has_no_locals(term);
        let known =
            if ground { self.memory.prepared.code.ground.get(&term) } else { builder.open.get(&term) };
        if let Some(&node) = known {
            return Some(node);
        }
        builder.size += 1;
        if builder.depth >= MAX_TERM_DEPTH || builder.size > MAX_NODES {
            return None;
        }
        builder.depth += 1;
        let tallest = std::mem::take(&mut builder.tallest);
        // A ground term depends on no binding.
        let level = builder.level;
        if ground {
            builder.level = 0;
        }
        let node = self.make(builder, term).or_else(|| self.leave_to_machine(builder, term));
        builder.level = level;
        builder.depth -= 1;
        let height = std::mem::replace(&mut builder.tallest, tallest) + 1;
        let node = node?;
        let info = self.info(node);
        info.height = info.height.max(height);
        if info.height > MAX_TERM_DEPTH {
            return None;
        }
        if ground {
            self.memory.prepared.code.ground.insert(term, node);
        } else {
            builder.open.insert(term, node);
            builder.trail.push(term);
        }
        Some(node)
    }

    /// Leaves a term to the machine, if it mentions no variable that is bound around it.
    fn leave_to_machine(&mut self, builder: &mut Builder, term: Term) -> Option<NodeRef> {
        if builder.size > MAX_NODES {
            return None;
        }
        let closed = self.is_closed(builder, term);
        let repr = self.repr(self.arena.sort(term));
        closed.then(|| self.add_source(repr, Source::Machine(term), 0))
    }

    fn is_closed(&self, builder: &Builder, term: Term) -> bool {
        self.arena.has_no_locals(term)
            || builder.locals.is_empty()
            || self.locals_of(term).iter().all(|local| !builder.locals.contains_key(local))
    }

    fn make(&mut self, builder: &mut Builder, term: Term) -> Option<NodeRef> {
        let arena = self.arena;
        let repr = self.repr(arena.sort(term));
        match arena.view(term) {
            View::Local(_) => None,
            View::Literal(..) => self.make_literal(builder, repr, term),
            View::Annotated { body, .. } => self.prepare_term(builder, body),
            View::Let { names, values, body } => {
                let mut nodes = Vec::with_capacity(values.len());
                for &value in values {
                    nodes.push(self.prepare_term(builder, value)?);
                }
                self.with_names(builder, names, |this, builder| {
                    builder.locals.extend(names.iter().copied().zip(nodes));
                    this.prepare_term(builder, body)
                })
            }
            View::Binder { kind: kind @ (Binder::Forall | Binder::Exists), variables, bodies } => {
                self.make_quantifier(builder, term, kind == Binder::Exists, variables, bodies[0])
            }
            View::Binder { .. } | View::Match { .. } => None,
            View::App(op, args) => self.make_application(builder, repr, term, op, args),
        }
    }

    /// Prepares a body in which `names` get new meanings. The callback binds them.
    fn with_names(
        &mut self,
        builder: &mut Builder,
        names: &[Term],
        body: impl FnOnce(&mut Self, &mut Builder) -> Option<NodeRef>,
    ) -> Option<NodeRef> {
        let hidden: Vec<(Term, Option<NodeRef>)> =
            names.iter().map(|&name| (name, builder.locals.get(&name).copied())).collect();
        // The nodes of terms that mention a rebound name are not valid inside.
        let before = hidden.iter().any(|(_, node)| node.is_some()).then(|| std::mem::take(&mut builder.open));
        let trail = builder.trail.len();
        let node = body(self, builder);
        for term in builder.trail.drain(trail..) {
            builder.open.remove(&term);
        }
        if let Some(before) = before {
            builder.open = before;
        }
        for (name, node) in hidden {
            match node {
                Some(node) => builder.locals.insert(name, node),
                None => builder.locals.remove(&name),
            };
        }
        node
    }

    fn make_quantifier(
        &mut self,
        builder: &mut Builder,
        term: Term,
        deciding: bool,
        variables: &[Term],
        body: Term,
    ) -> Option<NodeRef> {
        let finite = |&variable: &Term| match self.arena.sort(variable) {
            Sort::INT | Sort::REAL | Sort::STRING => false,
            sort => self.arena.bitvec_width(sort).is_none_or(|width| width <= 16),
        };
        if !variables.iter().all(finite) || builder.level >= MAX_LEVELS {
            return None;
        }
        let closed = self.is_closed(builder, term);
        let (count, level, size) = (builder.variables, builder.level, builder.size);
        let body = self.with_names(builder, variables, |this, builder| {
            builder.level += 1;
            for &variable in variables {
                this.bind_variable(builder, variable);
            }
            this.operand(builder, body)
        });
        (builder.variables, builder.level) = (count, level);
        let NodeRef::Bool(body) = body? else { return None };
        let size = builder.size - size;
        let code = &mut self.memory.prepared.code;
        code.quantified.push(Quantified { term, deciding, body, closed, size });
        let index = code.quantified.len() as u32 - 1;
        Some(self.add_bool(builder, BoolNode::Quantified(index)))
    }

    fn make_literal(&mut self, builder: &Builder, repr: Repr, term: Term) -> Option<NodeRef> {
        let value = literal::value(self.arena, term, &self.limits.values).ok()?;
        match (repr, &value) {
            (Repr::Int, Value::Int(number)) => {
                number.to_i64().map(|number| self.add_int(builder, IntNode::Constant(number)))
            }
            (Repr::BitVec(width), Value::BitVec(vector)) if vector.width() == u32::from(width) => {
                vector.to_u64().map(|word| self.add_bitvec(builder, BitVecNode::Constant(word), width))
            }
            (Repr::Value, _) => Some(self.make_constant(builder, value)),
            _ => None,
        }
    }

    fn make_constant(&mut self, builder: &Builder, value: Value) -> NodeRef {
        let code = &mut self.memory.prepared.code;
        code.literals.push(value);
        let index = code.literals.len() as u32 - 1;
        self.add_value(builder, ValueNode::Constant(index))
    }

    fn make_application(
        &mut self,
        builder: &mut Builder,
        repr: Repr,
        term: Term,
        op: Op,
        args: &[Term],
    ) -> Option<NodeRef> {
        let rule = self.rule(op);
        let dispatch = match rule {
            Rule::None => return None,
            Rule::Equal if args.iter().all(|&arg| arg == args[0]) => {
                return Some(self.add_bool(builder, BoolNode::Constant(true)));
            }
            Rule::Function => {
                // `(as f S)` needs the machine's lookup.
                if self.arena.op(op).ascription.is_some() {
                    return None;
                }
                if args.is_empty() {
                    return Some(self.add_source(repr, Source::Symbol(op), 0));
                }
                Dispatch::Call
            }
            // Operators without arguments are constants in any model.
            Rule::Theory { rule, min_args: 0, .. } if args.is_empty() && repr == Repr::Value => {
                let value = rule(&self.context(op, Some(term)), &[]).ok()?;
                return Some(self.make_constant(builder, value));
            }
            Rule::Constructor(..) | Rule::AbstractValue if args.is_empty() && repr == Repr::Value => {
                let value = self.apply_general(rule, op, term, &[]).ok()?;
                return Some(self.make_constant(builder, value));
            }
            rule => Dispatch::Rule(rule),
        };
        let mut nodes = Vec::with_capacity(args.len());
        for &arg in args {
            nodes.push(self.operand(builder, arg)?);
        }
        let real = args.iter().all(|&arg| self.arena.sort(arg) == Sort::REAL);
        if let Some(node) = self.make_specialized(builder, repr, rule, op, &nodes, real) {
            return Some(node);
        }
        let dispatch = match rule {
            Rule::Selector(constructor, field) => Dispatch::Field(constructor, field),
            Rule::HigherOrder(_) if rule::canonical_name(self.arena, op) == "select" => Dispatch::Select,
            // Without a specialized node all operands would be evaluated.
            Rule::And | Rule::Or | Rule::Implies | Rule::Ite => return None,
            _ => dispatch,
        };
        let code = &mut self.memory.prepared.code;
        let start = code.nodes.len() as u32;
        code.nodes.extend(&nodes);
        let args = Operands { start, len: nodes.len() as u32 };
        code.applications.push(Application { dispatch, op, term, args });
        let index = code.applications.len() as u32 - 1;
        Some(self.add_source(repr, Source::Application(index), builder.level))
    }
}
