//! Abstract values: sets of values that a term may take without making the formula false under the current model.
//!
//! A set may be too small, but never too large. Every set that the analysis computes contains the current value of the term.

mod bits;
mod floats;
mod interval;
mod language;

pub use bits::Bits;
pub use floats::Floats;
pub use interval::{Interval, number};
pub use language::{Language, accepts};

use semantics::Value;
use semantics::data::equal;
use semantics::value::limits::Limits;
use semantics::value::string::Str;

/// A set of values of one sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Abstract {
    /// Every value.
    Any,
    /// Nothing is known, so no mutant is covered.
    Nothing,
    /// One Boolean.
    Bool(bool),
    /// Integers or reals between two bounds.
    Range(Interval),
    /// Every value except these.
    Except(Box<[Value]>),
    /// Only this value.
    Is(Value),
    /// The strings of a regular language.
    Language(Language),
    /// Bit-vectors with unsigned and signed bounds and some known bits.
    Bits(Bits),
    /// Floating-point numbers between two bounds, with or without NaN.
    Floats(Floats),
    /// The regular languages that contain a string (`true`) or do not.
    Holds(Str, bool),
    /// Datatype values of one constructor, with constraints on its fields.
    Made {
        /// The index of the constructor.
        constructor: u32,
        /// The fields.
        fields: Box<[Abstract]>,
    },
    /// Datatype values of any other constructor.
    MadeOtherwise(u32),
    /// Arrays with a constraint on one element.
    Element {
        /// The index of the element.
        index: Value,
        /// The constraint on the element.
        at: Box<Abstract>,
    },
}

/// The minimum score of a term that can be mutated.
const LEAST_SCORE: f64 = 0.001;
/// An interval with this many integers counts as unbounded.
pub(crate) const WIDE: u32 = 1000;

impl Abstract {
    /// Only this value, in the normal form of its sort.
    pub fn exact(value: &Value) -> Abstract {
        match value {
            Value::Bool(value) => Abstract::Bool(*value),
            _ => match number(value) {
                Some(number) => Abstract::Range(Interval::point(number)),
                None => Abstract::Is(value.clone()),
            },
        }
    }

    /// Every value except these.
    pub fn except(values: Vec<Value>) -> Abstract {
        match &values[..] {
            [] => Abstract::Any,
            [Value::Bool(value)] => Abstract::Bool(!value),
            [Value::Bool(_), ..] => Abstract::Nothing,
            _ => {
                let mut values = values;
                values.sort();
                values.dedup();
                Abstract::Except(values.into())
            }
        }
    }

    /// An interval; every value if it is unbounded.
    pub fn range(interval: Interval) -> Abstract {
        if interval.is_unbounded() { Abstract::Any } else { Abstract::Range(interval) }
    }

    /// Whether the constraint nests deeper than `levels`. Sets are compared and dropped recursively, so their depth must not grow
    /// with that of a formula.
    pub fn is_deeper_than(&self, levels: u32) -> bool {
        match (self, levels) {
            (Abstract::Made { .. } | Abstract::Element { .. }, 0) => true,
            (Abstract::Made { fields, .. }, _) => fields.iter().any(|field| field.is_deeper_than(levels - 1)),
            (Abstract::Element { at, .. }, _) => at.is_deeper_than(levels - 1),
            _ => false,
        }
    }

    /// Whether a value is certainly in the set.
    pub fn contains(&self, value: &Value, limits: &Limits) -> bool {
        match self {
            Abstract::Any => true,
            Abstract::Nothing => false,
            Abstract::Bool(wanted) => value.as_bool() == Some(*wanted),
            Abstract::Range(interval) => number(value).is_some_and(|number| interval.contains(&number)),
            Abstract::Except(values) => values.iter().all(|other| equal(value, other, limits) == Ok(false)),
            Abstract::Is(wanted) => value == wanted || equal(value, wanted, limits) == Ok(true),
            Abstract::Language(language) => match value {
                Value::Str(text) => language.contains(text, limits),
                _ => false,
            },
            Abstract::Bits(bits) => match value {
                Value::BitVec(vector) => bits.contains(vector),
                _ => false,
            },
            Abstract::Floats(floats) => match value {
                Value::Float(float) => floats.contains(float),
                _ => false,
            },
            Abstract::Holds(text, wanted) => match value {
                Value::RegLan(regex) => accepts(regex, text, limits) == Some(*wanted),
                _ => false,
            },
            Abstract::Made { constructor, fields } => match value {
                Value::Data(data) => {
                    data.constructor == *constructor
                        && data
                            .fields
                            .items
                            .iter()
                            .zip(fields)
                            .all(|(value, field)| field.contains(value, limits))
                }
                _ => false,
            },
            Abstract::MadeOtherwise(constructor) => match value {
                Value::Data(data) => data.constructor != *constructor,
                _ => false,
            },
            Abstract::Element { index, at } => match value {
                Value::Array(table) => {
                    let value = table.entries().get(index).unwrap_or(table.default());
                    index.is_canonical() && at.contains(value, limits)
                }
                _ => false,
            },
        }
    }

    /// How weak the constraint is, from `LEAST_SCORE` to 1: the paper's score, extended to all sorts.
    pub fn score(&self) -> f64 {
        match self {
            Abstract::Nothing => 0.0,
            Abstract::Any | Abstract::MadeOtherwise(_) => 1.0,
            Abstract::Bool(_) | Abstract::Holds(..) => 0.5,
            Abstract::Range(interval) => interval.score(),
            Abstract::Except(values) => match values.first() {
                Some(Value::BitVec(vector)) if vector.width() < 10 => {
                    let rest = (1u64 << vector.width()).saturating_sub(values.len() as u64);
                    (rest as f64 / f64::from(WIDE)).max(LEAST_SCORE)
                }
                _ => 1.0,
            },
            Abstract::Is(_) => LEAST_SCORE,
            Abstract::Language(language) => {
                if language.is_unbounded() {
                    1.0
                } else {
                    LEAST_SCORE
                }
            }
            Abstract::Bits(bits) => bits.score(),
            Abstract::Floats(floats) => floats.score(),
            Abstract::Made { fields, .. } => {
                fields.iter().map(Abstract::score).fold(1.0, f64::min).max(LEAST_SCORE)
            }
            Abstract::Element { at, .. } => at.score(),
        }
    }
}
