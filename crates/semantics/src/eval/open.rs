//! Values that the standard leaves open and the model does not define: which operations have them, which values are possible, and
//! how they are chosen. Every choice is a function of the arguments: equal arguments get equal values.

use std::collections::BTreeMap;

use smt::{Op, OpKind, Sort, Symbol, Term};

use super::Evaluator;
use super::rule::{Rule, canonical_name};
use crate::data::Value;
use crate::value::bitvec::BitVec;
use crate::value::integer::Int;
use crate::value::rational::Rational;
use crate::value::string::Str;

/// How deeply the default value of a datatype may nest.
const MAX_DEFAULT_DEPTH: u32 = 8;

/// An operation whose value is open: an operator or selector with arguments, and the sort of the result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OpenPoint {
    operator: Operator,
    sort: Sort,
    args: Vec<Value>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Operator {
    /// An operator of a theory, whatever its rank or alias.
    Theory(String),
    Selector(Symbol, u32, u32),
}

/// Which values an open operation can have.
#[derive(Clone, Debug)]
pub(crate) enum Freedom {
    /// Any value of its sort.
    Any,
    /// One of these.
    Among(Vec<Value>),
}

/// How open values are chosen while terms are evaluated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    /// Values for single operations.
    pub(crate) points: BTreeMap<OpenPoint, Value>,
    /// A number for all other open operations, as solvers choose zero. `(mod x 0)` is `x` then.
    pub(crate) convention: Option<i64>,
    /// The open operations without a value that evaluation has met, and how they are restricted.
    pub(crate) met: BTreeMap<OpenPoint, Freedom>,
}

impl Evaluator<'_> {
    /// The open operation of an operator and arguments, and its possible values. `None` if it is not known to be free.
    pub(super) fn open_point(&mut self, op: Op, sort: Sort, args: &[Value]) -> Option<(OpenPoint, Freedom)> {
        if !args.iter().all(Value::is_canonical) {
            return None;
        }
        let arena = self.arena;
        let rule = self.rule(op);
        let (operator, freedom, args) = match (&arena.op(op).kind, rule) {
            (OpKind::Selector(..), Rule::Selector(constructor, field)) => {
                (Operator::Selector(arena.op(op).name, constructor, field), Freedom::Any, args.to_vec())
            }
            (OpKind::Theory(id), _) => {
                if arena.signatures().declarations[*id as usize].solver_defined {
                    return None;
                }
                let name = canonical_name(arena, op);
                let freedom = theory_freedom(name, args)?;
                (Operator::Theory(name.to_owned()), freedom, lifted(name, args))
            }
            _ => return None,
        };
        Some((OpenPoint { operator, sort, args }, freedom))
    }

    /// The value that was chosen for an open operation. Remembers the operation if there is none.
    pub(super) fn chosen_value(&mut self, op: Op, sort: Sort, args: &[Value]) -> Option<Value> {
        self.choices.as_ref()?;
        let (point, freedom) = self.open_point(op, sort, args)?;
        let convention = match (&self.choices, &freedom) {
            (Some(choices), _) if choices.points.contains_key(&point) => {
                return choices.points.get(&point).cloned();
            }
            (Some(Choices { convention: Some(number), .. }), Freedom::Any) => match &point.operator {
                Operator::Theory(name) if name == "mod" && *number == 0 => args.first().cloned(),
                _ => self.default_value(sort, *number, 0),
            },
            (Some(Choices { convention: Some(_), .. }), Freedom::Among(values)) => values.first().cloned(),
            _ => None,
        };
        if let (None, Some(choices)) = (&convention, &mut self.choices) {
            choices.met.insert(point, freedom);
        }
        convention
    }

    /// A value of a sort: this number if the sort has numbers, otherwise a simple one.
    pub(super) fn default_value(&self, sort: Sort, number: i64, depth: u32) -> Option<Value> {
        match sort {
            Sort::BOOL => return Some(Value::Bool(number != 0)),
            Sort::INT => return Some(Value::Int(Int::from(number))),
            Sort::REAL => return Some(Value::Real(Rational::from(number))),
            Sort::STRING => return Some(Value::Str(Str::empty())),
            _ => {}
        }
        if depth > MAX_DEFAULT_DEPTH {
            return None;
        }
        let arena = self.arena;
        if let Some(width) = arena.bitvec_width(sort) {
            let bits = Int::from(number);
            return BitVec::from_int(u32::try_from(width).ok()?, &bits, &self.limits.values)
                .ok()
                .map(Value::BitVec);
        }
        if let Some(values) = self.domain().values_up_to(sort, 1 << 8) {
            return values.into_iter().next();
        }
        if let Some(id) = arena.datatype_of(sort) {
            for (index, constructor) in arena.datatype(id).constructors.iter().enumerate() {
                let fields: Option<Vec<Value>> = constructor
                    .fields
                    .iter()
                    .map(|(_, field)| {
                        let simple = !arena.sort_node(*field).is_polymorphic;
                        simple.then(|| self.default_value(*field, number, depth + 1)).flatten()
                    })
                    .collect();
                if let Some(fields) = fields {
                    return Value::data(id, index as u32, fields).ok();
                }
            }
            return None;
        }
        let node = arena.sort_node(sort);
        match (arena.sort_head(sort), &node.args[..]) {
            ("Seq", [_]) => Value::seq(Vec::new()).ok(),
            ("Array", [_, element]) => {
                let default = self.default_value(*element, number, depth + 1)?;
                self.domain().array(sort, default, BTreeMap::new()).ok()
            }
            _ => None,
        }
    }

    /// The values to try for an open operation, and whether there are no others.
    pub(crate) fn possible_values(
        &mut self,
        point: &OpenPoint,
        freedom: &Freedom,
        terms: &[Term],
        most: u64,
    ) -> (Vec<Value>, bool) {
        if let Freedom::Among(values) = freedom {
            return (values.clone(), true);
        }
        if let Some(values) = self.domain().values_up_to(point.sort, most) {
            return (values, true);
        }
        let mut found: Vec<Value> =
            [0, 1, -1].into_iter().filter_map(|number| self.default_value(point.sort, number, 0)).collect();
        let mut more = self.known_values(point.sort);
        for &term in terms {
            more.extend(self.ground_values(point.sort, term));
        }
        let more: Vec<Value> = more.into_iter().filter(|value| !found.contains(value)).collect();
        found.extend(more);
        found.truncate(most as usize);
        (found, false)
    }
}

/// The possible values of an operator where its theory leaves it open. `None` if that is not known.
fn theory_freedom(name: &str, args: &[Value]) -> Option<Freedom> {
    match name {
        "/" | "div" | "mod" | "seq.nth" | "nullable.val" | "fp.to_ubv" | "fp.to_sbv" | "fp.to_real" => {
            Some(Freedom::Any)
        }
        // Either zero, by its sign.
        "fp.min" | "fp.max" => Some(Freedom::Among(args.to_vec())),
        "set.choose" | "bag.choose" => match args {
            [Value::Set(set)] if set.members.is_empty() => Some(Freedom::Any),
            [Value::Set(set)] => Some(Freedom::Among(set.members.iter().cloned().collect())),
            [Value::Bag(bag)] if bag.members.is_empty() => Some(Freedom::Any),
            [Value::Bag(bag)] => Some(Freedom::Among(bag.members.keys().cloned().collect())),
            _ => None,
        },
        _ => None,
    }
}

/// `(/ 1 0)` of integers is `(/ 1.0 0.0)`.
fn lifted(name: &str, args: &[Value]) -> Vec<Value> {
    let lift = |arg: &Value| match arg {
        Value::Int(number) if name == "/" => Value::Real(Rational::from(number.clone())),
        _ => arg.clone(),
    };
    args.iter().map(lift).collect()
}
