//! Taking a term apart into nodes.

use std::collections::HashMap;

use smt::{Binder, FixedState, Op, Sort, Term, View};

use super::call::DEEPEST;
use super::code::{Any, Body, General, How, Int, Part, Quantified, Run, Truth, Unit, Use, Word};
use crate::data::Value;
use crate::definition::FunctionDefinition;
use crate::eval::rule::{self, Rule};
use crate::eval::{Evaluator, literal};

/// The most nodes of one term.
const MOST_NODES: u32 = 1 << 20;
/// How deep a term may nest.
const DEEPEST_TERM: u32 = DEEPEST / 2;
/// How many binders may nest.
const MOST_LEVELS: u16 = 16;

/// The kind of values that terms of a sort have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    Truth,
    Int,
    Word(u8),
    Value,
}

/// A term in preparation.
#[derive(Default)]
pub(super) struct Draft {
    /// What local variables stand for.
    locals: HashMap<Term, Part, FixedState>,
    /// Terms with local variables that are prepared, and the order in which they were.
    open: HashMap<Term, Part, FixedState>,
    trail: Vec<Term>,
    /// How many variables are in the frame.
    variables: u32,
    /// How many bindings of variables nest here.
    pub(super) level: u16,
    depth: u32,
    /// The height of the tallest operand so far.
    tallest: u32,
    size: u32,
}

impl Evaluator<'_> {
    /// Prepares a term without free variables.
    pub(super) fn prepare(&mut self, term: Term) -> Option<Part> {
        let mut draft = Draft::default();
        let part = self.draft(&mut draft, term)?;
        // What stands in other terms as well is kept there and here.
        Some(self.refer(&draft, part))
    }

    /// Prepares the definition of a symbol.
    #[cold]
    pub(super) fn prepare_definition(&mut self, op: Op, defined: &FunctionDefinition) -> Option<Body> {
        // A definition may ask for itself while it is evaluated, and is found unprepared then.
        self.set_unit(op, defined, None);
        if defined.recursive {
            return None;
        }
        let mut draft = Draft::default();
        if !defined.params.is_empty() {
            draft.level = 1;
            for &param in defined.params.iter() {
                self.bind_variable(&mut draft, param);
            }
        }
        let part = self.draft(&mut draft, defined.body)?;
        // The value of a constant is computed once for each model.
        let part = if draft.level == 0 || self.arena.has_no_locals(defined.body) {
            self.keep(part)
        } else {
            self.refer(&draft, part)
        };
        let constant = self.arena.has_no_locals(defined.body);
        let body = Body { part, constant, depth: self.note(part).height, size: draft.size + 1 };
        self.set_unit(op, defined, Some(body));
        Some(body)
    }

    fn set_unit(&mut self, op: Op, defined: &FunctionDefinition, prepared: Option<Body>) {
        let units = &mut self.memory.prepared.code.units;
        if units.len() <= op.index() {
            units.resize_with(op.index() + 1, || None);
        }
        let unit = Unit { params: defined.params.clone(), body: defined.body, prepared };
        units[op.index()] = Some(Box::new(unit));
    }

    /// Gives a local variable the next place in the frame.
    fn bind_variable(&mut self, draft: &mut Draft, variable: Term) {
        let any = Any::Param(draft.variables);
        draft.variables += 1;
        let lane = self.lane(self.arena.sort(variable));
        let part = self.add_any(lane, any, draft.level);
        draft.locals.insert(variable, part);
    }

    fn lane(&self, sort: Sort) -> Lane {
        match sort {
            Sort::BOOL => Lane::Truth,
            Sort::INT if !self.memory.prepared.code.wide => Lane::Int,
            sort => match self.arena.bitvec_width(sort) {
                Some(width @ 1..=64) => Lane::Word(width as u8),
                _ => Lane::Value,
            },
        }
    }

    /// The part of a term as an operand of another.
    fn operand(&mut self, draft: &mut Draft, term: Term) -> Option<Part> {
        let part = self.draft(draft, term)?;
        let part = self.refer(draft, part);
        draft.tallest = draft.tallest.max(self.note(part).height);
        Some(part)
    }

    /// The part of a term.
    fn draft(&mut self, draft: &mut Draft, term: Term) -> Option<Part> {
        if let View::Local(_) = self.arena.view(term) {
            return draft.locals.get(&term).copied();
        }
        let ground = self.arena.has_no_locals(term);
        let known = if ground { self.memory.prepared.code.ground.get(&term) } else { draft.open.get(&term) };
        if let Some(&part) = known {
            return Some(part);
        }
        draft.size += 1;
        if draft.depth >= DEEPEST_TERM || draft.size > MOST_NODES {
            return None;
        }
        draft.depth += 1;
        let tallest = std::mem::take(&mut draft.tallest);
        // A term without variables depends on no binding, wherever it stands.
        let level = draft.level;
        if ground {
            draft.level = 0;
        }
        let part = self.make(draft, term).or_else(|| self.leave_to_machine(draft, term));
        draft.level = level;
        draft.depth -= 1;
        let height = std::mem::replace(&mut draft.tallest, tallest) + 1;
        let part = part?;
        let note = self.note(part);
        note.height = note.height.max(height);
        if note.height > DEEPEST_TERM {
            return None;
        }
        if ground {
            self.memory.prepared.code.ground.insert(term, part);
        } else {
            draft.open.insert(term, part);
            draft.trail.push(term);
        }
        Some(part)
    }

    /// A term that mentions no variable that is bound around it can be evaluated by the machine.
    fn leave_to_machine(&mut self, draft: &mut Draft, term: Term) -> Option<Part> {
        if draft.size > MOST_NODES {
            return None;
        }
        let closed = self.is_closed(draft, term);
        let lane = self.lane(self.arena.sort(term));
        closed.then(|| self.add_any(lane, Any::Left(term), 0))
    }

    fn is_closed(&self, draft: &Draft, term: Term) -> bool {
        self.arena.has_no_locals(term)
            || draft.locals.is_empty()
            || self.locals_of(term).iter().all(|local| !draft.locals.contains_key(local))
    }

    fn make(&mut self, draft: &mut Draft, term: Term) -> Option<Part> {
        let arena = self.arena;
        let lane = self.lane(arena.sort(term));
        match arena.view(term) {
            View::Local(_) => None,
            View::Literal(..) => self.make_literal(draft, lane, term),
            View::Annotated { body, .. } => self.draft(draft, body),
            View::Let { names, values, body } => {
                let mut parts = Vec::with_capacity(values.len());
                for &value in values {
                    parts.push(self.draft(draft, value)?);
                }
                self.inside(draft, names, |this, draft| {
                    draft.locals.extend(names.iter().copied().zip(parts));
                    this.draft(draft, body)
                })
            }
            View::Binder { kind: kind @ (Binder::Forall | Binder::Exists), variables, bodies } => {
                self.make_quantifier(draft, term, kind == Binder::Exists, variables, bodies[0])
            }
            View::Binder { .. } | View::Match { .. } => None,
            View::App(op, args) => self.make_application(draft, lane, term, op, args),
        }
    }

    /// Prepares what stands where names are bound; the names are bound by what is called.
    fn inside(
        &mut self,
        draft: &mut Draft,
        names: &[Term],
        body: impl FnOnce(&mut Self, &mut Draft) -> Option<Part>,
    ) -> Option<Part> {
        let hidden: Vec<(Term, Option<Part>)> =
            names.iter().map(|&name| (name, draft.locals.get(&name).copied())).collect();
        // Terms that mention a name which gets another meaning are not the same inside.
        let before = hidden.iter().any(|(_, part)| part.is_some()).then(|| std::mem::take(&mut draft.open));
        let trail = draft.trail.len();
        let part = body(self, draft);
        for term in draft.trail.drain(trail..) {
            draft.open.remove(&term);
        }
        if let Some(before) = before {
            draft.open = before;
        }
        for (name, part) in hidden {
            match part {
                Some(part) => draft.locals.insert(name, part),
                None => draft.locals.remove(&name),
            };
        }
        part
    }

    fn make_quantifier(
        &mut self,
        draft: &mut Draft,
        term: Term,
        deciding: bool,
        variables: &[Term],
        body: Term,
    ) -> Option<Part> {
        let finite = |&variable: &Term| match self.arena.sort(variable) {
            Sort::INT | Sort::REAL | Sort::STRING => false,
            sort => self.arena.bitvec_width(sort).is_none_or(|width| width <= 16),
        };
        if !variables.iter().all(finite) || draft.level >= MOST_LEVELS {
            return None;
        }
        let closed = self.is_closed(draft, term);
        let (count, level, size) = (draft.variables, draft.level, draft.size);
        let body = self.inside(draft, variables, |this, draft| {
            draft.level += 1;
            for &variable in variables {
                this.bind_variable(draft, variable);
            }
            this.operand(draft, body)
        });
        (draft.variables, draft.level) = (count, level);
        let Part::Truth(body) = body? else { return None };
        let size = draft.size - size;
        let code = &mut self.memory.prepared.code;
        code.quantified.push(Quantified { term, deciding, body, closed, size });
        let place = code.quantified.len() as u32 - 1;
        Some(self.add_truth(draft, Truth::Quantified(place)))
    }

    fn make_literal(&mut self, draft: &Draft, lane: Lane, term: Term) -> Option<Part> {
        let value = literal::value(self.arena, term, &self.limits.values).ok()?;
        match (lane, &value) {
            (Lane::Int, Value::Int(number)) => {
                number.to_i64().map(|number| self.add_int(draft, Int::Constant(number)))
            }
            (Lane::Word(width), Value::BitVec(vector)) if vector.width() == u32::from(width) => {
                vector.to_u64().map(|word| self.add_word(draft, Word::Constant(word), width))
            }
            (Lane::Value, _) => Some(self.make_constant(draft, value)),
            _ => None,
        }
    }

    fn make_constant(&mut self, draft: &Draft, value: Value) -> Part {
        let code = &mut self.memory.prepared.code;
        code.literals.push(value);
        let place = code.literals.len() as u32 - 1;
        self.add_value(draft, General::Constant(place))
    }

    fn make_application(
        &mut self,
        draft: &mut Draft,
        lane: Lane,
        term: Term,
        op: Op,
        args: &[Term],
    ) -> Option<Part> {
        let rule = self.rule(op);
        let how = match rule {
            Rule::None => return None,
            Rule::Equal if args.iter().all(|&arg| arg == args[0]) => {
                return Some(self.add_truth(draft, Truth::Constant(true)));
            }
            Rule::Function => {
                // Written with its sort, a function is looked for in another way.
                if self.arena.op(op).ascription.is_some() {
                    return None;
                }
                if args.is_empty() {
                    return Some(self.add_any(lane, Any::Symbol(op), 0));
                }
                How::Call
            }
            // Operators without arguments are constants, in any model.
            Rule::Theory { rule, min_args: 0, .. } if args.is_empty() && lane == Lane::Value => {
                let value = rule(&self.context(op, Some(term)), &[]).ok()?;
                return Some(self.make_constant(draft, value));
            }
            Rule::Constructor(..) | Rule::AbstractValue if args.is_empty() && lane == Lane::Value => {
                let value = self.apply_rare(rule, op, term, &[]).ok()?;
                return Some(self.make_constant(draft, value));
            }
            rule => How::Rule(rule),
        };
        let mut parts = Vec::with_capacity(args.len());
        for &arg in args {
            parts.push(self.operand(draft, arg)?);
        }
        let real = args.iter().all(|&arg| self.arena.sort(arg) == Sort::REAL);
        if let Some(part) = self.make_known(draft, lane, rule, op, &parts, real) {
            return Some(part);
        }
        let how = match rule {
            Rule::Selector(constructor, field) => How::Field(constructor, field),
            Rule::HigherOrder(_) if rule::canonical_name(self.arena, op) == "select" => How::Select,
            // Only the nodes of their own know that one operand can decide them.
            Rule::And | Rule::Or | Rule::Implies | Rule::Ite => return None,
            _ => how,
        };
        let code = &mut self.memory.prepared.code;
        let start = code.parts.len() as u32;
        code.parts.extend(&parts);
        let args = Run { start, len: parts.len() as u32 };
        code.uses.push(Use { how, op, term, args });
        let place = code.uses.len() as u32 - 1;
        Some(self.add_any(lane, Any::Used(place), draft.level))
    }
}
