//! Abstract values: sets of values that a term may take without making the formula false under the model in hand.
//!
//! A set here may be smaller than the largest that would do, never larger. Every set that the analysis makes holds the value
//! that the term has now.

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
    /// Nothing is known: no mutant is covered.
    Nothing,
    /// One truth value.
    Bool(bool),
    /// Integers or reals between two ends.
    Range(Interval),
    /// Every value but these.
    Except(Box<[Value]>),
    /// This value alone.
    Is(Value),
    /// The strings of a regular language.
    Language(Language),
    /// Bit-vectors between unsigned and signed ends, with some bits known.
    Bits(Bits),
    /// Floating-point numbers between two ends, perhaps with NaN.
    Floats(Floats),
    /// The regular languages that hold a string (`true`), or those that do not.
    Holds(Str, bool),
    /// Values of a datatype made by one constructor, with what its fields may be.
    Made {
        /// The constructor's number.
        constructor: u32,
        /// The fields.
        fields: Box<[Abstract]>,
    },
    /// Values of a datatype that another constructor made.
    MadeOtherwise(u32),
    /// Arrays by what they hold at one index.
    Element {
        /// The index, as a key of a table.
        index: Value,
        /// What may stand there.
        at: Box<Abstract>,
    },
}

/// The least score of a term that may be mutated at all.
const LEAST_SCORE: f64 = 0.001;
/// An interval with so many integers counts as endless.
pub(crate) const WIDE: u32 = 1000;

impl Abstract {
    /// This value alone, in the form that its sort has.
    pub fn exact(value: &Value) -> Abstract {
        match value {
            Value::Bool(value) => Abstract::Bool(*value),
            _ => match number(value) {
                Some(number) => Abstract::Range(Interval::point(number)),
                None => Abstract::Is(value.clone()),
            },
        }
    }

    /// Every value but these.
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

    /// An interval; without ends it is every value.
    pub fn range(interval: Interval) -> Abstract {
        if interval.is_endless() { Abstract::Any } else { Abstract::Range(interval) }
    }

    /// Whether parts of parts constrain more than so many levels down. Sets are compared and dropped recursively, so they must
    /// not grow with the depth of a formula.
    pub fn is_deeper_than(&self, levels: u32) -> bool {
        match (self, levels) {
            (Abstract::Made { .. } | Abstract::Element { .. }, 0) => true,
            (Abstract::Made { fields, .. }, _) => fields.iter().any(|field| field.is_deeper_than(levels - 1)),
            (Abstract::Element { at, .. }, _) => at.is_deeper_than(levels - 1),
            _ => false,
        }
    }

    /// Whether a value is in the set, for sure.
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

    /// How weak the constraint is, from [`LEAST_SCORE`] to 1: the paper's score, continued to the other sorts.
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
                if language.is_endless() {
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
