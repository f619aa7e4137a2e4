//! Values of every sort. Cloning is cheap: large values are shared.

mod equal;
mod function;
mod print;
mod table;
mod theory_value;

pub use equal::equal;
pub use function::Function;
pub(crate) use table::find;
pub use table::{Cardinality, Table};
pub use theory_value::{TheoryValue, ValueKind};

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use smt::{DatatypeId, Sort, Symbol};

use crate::value::bitvec::BitVec;
use crate::value::float::{Float, RoundingMode};
use crate::value::integer::Int;
use crate::value::limits::Undetermined;
use crate::value::rational::Rational;
use crate::value::real::Real;
use crate::value::regex::Regex;
use crate::value::string::Str;

/// The deepest nesting of a value: values are compared, ordered and dropped recursively.
pub(crate) const MAX_DEPTH: u32 = 1000;

/// A value of some sort.
///
/// `==` and the order compare representations; sorted tables use them. [`equal`] decides SMT-LIB's `=`. For
/// [canonical](Value::is_canonical) values both agree.
///
/// ```
/// use elenchus_semantics::Value;
/// use elenchus_semantics::data::equal;
/// use elenchus_semantics::value::integer::Int;
/// use elenchus_semantics::value::limits::Limits;
/// use elenchus_semantics::smt::{self, Arena, Scope};
///
/// let mut arena = Arena::default();
/// let sort = smt::parse_sort(&mut arena, &mut Scope::default(), "(Seq Int)").expect("a sort");
/// let one_two = Value::seq(vec![Value::Int(Int::from(1)), Value::Int(Int::from(2))])?;
/// assert_eq!(one_two.text(&arena, sort), "(seq.++ (seq.unit 1) (seq.unit 2))");
/// assert!(!equal(&one_two, &Value::seq(Vec::new())?, &Limits::default())?);
/// # Ok::<(), elenchus_semantics::value::limits::Undetermined>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value {
    /// `true` or `false`
    Bool(bool),
    /// An integer.
    Int(Int),
    /// A rational number, of sort Real.
    Real(Rational),
    /// A real algebraic number, of sort Real.
    Algebraic(Arc<Real>),
    /// A string.
    Str(Str),
    /// A regular language.
    RegLan(Regex),
    /// A bit-vector.
    BitVec(BitVec),
    /// A floating-point number.
    Float(Arc<Float>),
    /// A rounding mode.
    RoundingMode(RoundingMode),
    /// A character of Z3's sort `Unicode`, by its code point.
    Char(u32),
    /// An array or a function, as a table.
    Array(Arc<Table>),
    /// A symbolic function or array.
    Function(Arc<Function>),
    /// A value of a datatype.
    Data(Arc<Data>),
    /// A sequence.
    Seq(Arc<List>),
    /// A tuple.
    Tuple(Arc<List>),
    /// A finite set of canonical values.
    Set(Arc<Collection<BTreeSet<Value>>>),
    /// A finite bag of canonical values, each with its multiplicity.
    Bag(Arc<Collection<BTreeMap<Value, Int>>>),
    /// An element of an uninterpreted sort. Different names are different elements.
    Element(Sort, Symbol),
    /// A value of a sort that a theory adds, such as a finite field.
    Theory(Arc<TheoryValue>),
}

/// A constructor applied to fields.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Data {
    /// The datatype.
    pub datatype: DatatypeId,
    /// The constructor's number.
    pub constructor: u32,
    /// The fields.
    pub fields: List,
}

/// A list of values, with its depth and whether it is canonical.
#[derive(Debug)]
pub struct List {
    /// The values.
    pub items: Box<[Value]>,
    depth: u32,
    canonical: bool,
}

/// A collection of canonical values, with its nesting depth.
#[derive(Debug)]
pub struct Collection<T> {
    /// The members.
    pub members: T,
    depth: u32,
}

/// The nesting depth of a value with these parts.
fn depth_over<'a>(values: impl Iterator<Item = &'a Value>) -> Result<u32, Undetermined> {
    let depth = values.map(Value::depth).max().unwrap_or(0) + 1;
    if depth > MAX_DEPTH { Err(Undetermined::TooLarge("a value nested too deeply")) } else { Ok(depth) }
}

impl List {
    /// A list of values, unless it nests too deeply.
    pub(crate) fn new(items: Vec<Value>) -> Result<List, Undetermined> {
        let depth = depth_over(items.iter())?;
        let canonical = items.iter().all(Value::is_canonical);
        Ok(List { items: items.into(), depth, canonical })
    }
}

impl PartialEq for List {
    fn eq(&self, other: &List) -> bool {
        self.items == other.items
    }
}

impl Eq for List {}

impl PartialOrd for List {
    fn partial_cmp(&self, other: &List) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for List {
    fn cmp(&self, other: &List) -> Ordering {
        self.items.cmp(&other.items)
    }
}

impl Hash for List {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.items.hash(state);
    }
}

/// Fails unless all members of a set or bag are canonical.
fn check_canonical<'a>(mut values: impl Iterator<Item = &'a Value>) -> Result<(), Undetermined> {
    if values.all(Value::is_canonical) {
        Ok(())
    } else {
        Err(Undetermined::TooLarge("a set or bag of values that are hard to compare"))
    }
}

impl Value {
    /// A real number. Rational numbers become [`Value::Real`].
    pub fn real(value: Real) -> Value {
        match value {
            Real::Rational(value) => Value::Real(value),
            Real::Algebraic(_) => Value::Algebraic(Arc::new(value)),
        }
    }

    /// A floating-point number.
    pub fn float(value: Float) -> Value {
        Value::Float(Arc::new(value))
    }

    /// A sequence of values.
    pub fn seq(items: Vec<Value>) -> Result<Value, Undetermined> {
        List::new(items).map(|list| Value::Seq(Arc::new(list)))
    }

    /// A tuple of values.
    pub fn tuple(items: Vec<Value>) -> Result<Value, Undetermined> {
        List::new(items).map(|list| Value::Tuple(Arc::new(list)))
    }

    /// A constructor applied to fields.
    pub fn data(datatype: DatatypeId, constructor: u32, fields: Vec<Value>) -> Result<Value, Undetermined> {
        let fields = List::new(fields)?;
        Ok(Value::Data(Arc::new(Data { datatype, constructor, fields })))
    }

    /// A finite set.
    pub fn set(members: BTreeSet<Value>) -> Result<Value, Undetermined> {
        check_canonical(members.iter())?;
        let depth = depth_over(members.iter())?;
        Ok(Value::Set(Arc::new(Collection { members, depth })))
    }

    /// A finite bag. Members with a multiplicity below one are dropped.
    pub fn bag(mut members: BTreeMap<Value, Int>) -> Result<Value, Undetermined> {
        members.retain(|_, count| count.signum() > 0);
        check_canonical(members.keys())?;
        let depth = depth_over(members.keys())?;
        Ok(Value::Bag(Arc::new(Collection { members, depth })))
    }

    /// The key of a table for these arguments: the only argument itself, or a tuple.
    pub fn key(args: &[Value]) -> Result<Value, Undetermined> {
        match args {
            [only] => Ok(only.clone()),
            _ => Value::tuple(args.to_vec()),
        }
    }

    /// The nesting depth of the value.
    pub(crate) fn depth(&self) -> u32 {
        match self {
            Value::Array(table) => table.depth(),
            Value::Function(function) => function.depth(),
            Value::Data(data) => data.fields.depth,
            Value::Seq(list) | Value::Tuple(list) => list.depth,
            Value::Set(set) => set.depth,
            Value::Bag(bag) => bag.depth,
            Value::Theory(value) => value.parts.depth,
            _ => 0,
        }
    }

    /// Whether equal values always have the same representation, so that `==` is SMT-LIB's `=`.
    pub fn is_canonical(&self) -> bool {
        match self {
            Value::RegLan(_) | Value::Function(_) => false,
            Value::Array(table) => table.is_canonical(),
            Value::Data(data) => data.fields.canonical,
            Value::Seq(list) | Value::Tuple(list) => list.canonical,
            Value::Theory(value) => value.parts.canonical,
            _ => true,
        }
    }

    /// The Boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The real number, if it is one.
    pub fn as_real(&self) -> Option<Real> {
        match self {
            Value::Real(value) => Some(Real::Rational(value.clone())),
            Value::Algebraic(value) => Some((**value).clone()),
            _ => None,
        }
    }

    /// The members of a finite set. An array of Booleans that is false almost everywhere is the same set, so `==`, the order and hashes
    /// must not tell the two apart.
    fn members(&self) -> Option<impl Iterator<Item = &Value>> {
        let (set, table) = match self {
            Value::Set(set) => (Some(set.members.iter()), None),
            Value::Array(table) if table.is_set() => (None, Some(table.entries().keys())),
            _ => return None,
        };
        Some(set.into_iter().flatten().chain(table.into_iter().flatten()))
    }

    fn rank(&self) -> u8 {
        match self {
            Value::Bool(_) => 0,
            Value::Int(_) => 1,
            Value::Real(_) | Value::Algebraic(_) => 2,
            Value::Str(_) => 3,
            Value::RegLan(_) => 4,
            Value::BitVec(_) => 5,
            Value::Float(_) => 6,
            Value::RoundingMode(_) => 7,
            Value::Char(_) => 8,
            Value::Array(table) if table.is_set() => 14,
            Value::Array(_) => 9,
            Value::Function(_) => 10,
            Value::Data(_) => 11,
            Value::Seq(_) => 12,
            Value::Tuple(_) => 13,
            Value::Set(_) => 14,
            Value::Bag(_) => 15,
            Value::Element(..) => 16,
            Value::Theory(_) => 17,
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::BitVec(a), Value::BitVec(b)) => a == b,
            (Value::Real(a), Value::Real(b)) => a == b,
            _ => self.cmp(other).is_eq(),
        }
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Real(a), Value::Real(b)) => a.cmp(b),
            (Value::Real(a), Value::Algebraic(b)) => Real::Rational(a.clone()).cmp(b),
            (Value::Algebraic(a), Value::Real(b)) => (**a).cmp(&Real::Rational(b.clone())),
            (Value::Algebraic(a), Value::Algebraic(b)) => a.cmp(b),
            (Value::Str(a), Value::Str(b)) => a.cmp(b),
            (Value::RegLan(a), Value::RegLan(b)) => a.cmp(b),
            (Value::BitVec(a), Value::BitVec(b)) => a.cmp(b),
            (Value::Float(a), Value::Float(b)) => a.cmp(b),
            (Value::RoundingMode(a), Value::RoundingMode(b)) => a.cmp(b),
            (Value::Char(a), Value::Char(b)) => a.cmp(b),
            (Value::Array(_) | Value::Set(_), Value::Array(_) | Value::Set(_)) => {
                match (self.members(), other.members(), self, other) {
                    (Some(a), Some(b), ..) => a.cmp(b),
                    (None, None, Value::Array(a), Value::Array(b)) => a.cmp(b),
                    _ => self.rank().cmp(&other.rank()),
                }
            }
            (Value::Function(a), Value::Function(b)) => a.cmp(b),
            (Value::Data(a), Value::Data(b)) => a.cmp(b),
            (Value::Seq(a), Value::Seq(b)) | (Value::Tuple(a), Value::Tuple(b)) => a.cmp(b),
            (Value::Bag(a), Value::Bag(b)) => a.members.cmp(&b.members),
            (Value::Element(a, b), Value::Element(c, d)) => (a, b).cmp(&(c, d)),
            (Value::Theory(a), Value::Theory(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rank().hash(state);
        if let Some(members) = self.members() {
            return members.for_each(|member| member.hash(state));
        }
        match self {
            Value::Bool(value) => value.hash(state),
            Value::Int(value) => value.hash(state),
            // A rational number has the same hash in both representations.
            Value::Real(value) => Real::Rational(value.clone()).hash(state),
            Value::Algebraic(value) => value.hash(state),
            Value::Str(value) => value.hash(state),
            Value::RegLan(value) => value.hash(state),
            Value::BitVec(value) => value.hash(state),
            Value::Float(value) => value.hash(state),
            Value::RoundingMode(value) => value.hash(state),
            Value::Char(value) => value.hash(state),
            Value::Array(value) => value.hash(state),
            Value::Function(value) => value.hash(state),
            Value::Data(value) => value.hash(state),
            Value::Seq(list) | Value::Tuple(list) => list.hash(state),
            Value::Set(_) => {}
            Value::Bag(bag) => bag.members.hash(state),
            Value::Element(sort, name) => (sort, name).hash(state),
            Value::Theory(value) => value.hash(state),
        }
    }
}
