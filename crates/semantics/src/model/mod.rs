//! Models: interpretations of a script's symbols.

mod ascribe;
mod constants;
mod get_value;
mod op_map;
mod preprocess;
mod read;
mod roots;
mod universes;

pub use preprocess::StringDialect;
pub use read::ReadError;

use std::collections::{BTreeMap, BTreeSet};

use smt::{Arena, Op, Sort};

use crate::data::Value;
use crate::definition::FunctionDefinition;
use crate::theory::Universes;
use op_map::OpMap;

/// Values by arguments.
type Points = BTreeMap<Box<[Value]>, Value>;

/// An interpretation of symbols. Definitions are evaluated on demand.
///
/// ```
/// use elenchus_semantics::value::integer::Int;
/// use elenchus_semantics::{Evaluator, Model, NO_DEFINITIONS, Value};
/// use elenchus_semantics::smt::{self, Arena, Scope};
///
/// let mut arena = Arena::default();
/// let mut scope = Scope::default();
/// let declarations = "(declare-const x Int) (declare-fun f (Int) Int)";
/// smt::parse_in_scope(&mut arena, &mut scope, declarations).expect("well-typed declarations");
/// let term = smt::parse_term(&mut arena, &mut scope, "(f (+ x 1))").expect("a well-typed term");
///
/// // Read from a solver's output, then changed.
/// let text = "((define-fun f ((n Int)) Int (ite (= n 3) 10 0)))";
/// let mut model = Model::read(&mut arena, &scope, text, Default::default())?;
/// let x = arena.find_symbol("x").and_then(|name| scope.function(name)).expect("`x` is declared");
/// model.set_value(x, Value::Int(Int::from(2)));
///
/// let value = Evaluator::new(&arena, &model, &NO_DEFINITIONS).evaluate(term);
/// assert_eq!(value, Ok(Value::Int(Int::from(10))));
/// # Ok::<(), elenchus_semantics::model::ReadError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Model {
    values: OpMap<Value>,
    definitions: OpMap<FunctionDefinition>,
    open: BTreeMap<String, FunctionDefinition>,
    unreadable: BTreeMap<Op, String>,
    points: BTreeMap<(Op, Sort), Points>,
    pub(crate) universes: Universes,
    /// Known elements of uninterpreted sorts that may have others.
    pub(crate) elements: BTreeMap<Sort, Vec<Value>>,
}

impl Model {
    /// An empty model.
    pub fn new() -> Model {
        Model::default()
    }

    /// Sets the value of a constant or a function. The value of a function is [`Value::Array`] or [`Value::Function`].
    pub fn set_value(&mut self, op: Op, value: Value) {
        self.definitions.remove(op);
        self.unreadable.remove(&op);
        self.values.insert(op, value);
    }

    /// Defines a function by a body.
    pub fn set_definition(&mut self, op: Op, defined: FunctionDefinition) {
        self.values.remove(op);
        self.unreadable.remove(&op);
        self.definitions.insert(op, defined);
    }

    /// Defines an operator or selector where the standard leaves it open.
    pub(crate) fn set_open(&mut self, name: &str, defined: FunctionDefinition) {
        self.open.insert(name.to_owned(), defined);
    }

    /// Sets the value of a function or operator for some arguments, where the model does not define it otherwise.
    ///
    /// `sort` is that of the result: `(seq.nth s 0)` is a different point for each element sort, although all empty sequences are
    /// equal values.
    pub(crate) fn set_point(&mut self, op: Op, sort: Sort, args: &[Value], value: Value) {
        self.points.entry((op, sort)).or_default().insert(args.into(), value);
    }

    /// The value that [`Model::set_point`] gave a function or operator for some arguments.
    pub(crate) fn point(&self, op: Op, sort: Sort, args: &[Value]) -> Option<&Value> {
        self.points.get(&(op, sort))?.get(args)
    }

    /// Whether [`Model::set_point`] gave a function or operator a value for some arguments.
    pub(crate) fn has_points(&self, op: Op) -> bool {
        self.points.keys().any(|(own, _)| *own == op)
    }

    /// Sets the elements of an uninterpreted sort: these and no others.
    pub fn set_universe(&mut self, sort: Sort, elements: Vec<Value>) {
        self.universes.insert(sort, elements.into());
    }

    /// Adds elements of an uninterpreted sort, which may have others.
    pub(crate) fn add_elements(&mut self, sort: Sort, elements: Vec<Value>) {
        self.elements.entry(sort).or_default().extend(elements);
    }

    /// The value of a symbol, if it has one and not a definition.
    #[inline]
    pub fn value(&self, op: Op) -> Option<&Value> {
        self.values.get(op)
    }

    /// The definition of a symbol.
    #[inline]
    pub fn definition(&self, op: Op) -> Option<&FunctionDefinition> {
        self.definitions.get(op)
    }

    /// The definition of an operator where the standard leaves it open.
    pub(crate) fn open_definition(&self, name: &str) -> Option<&FunctionDefinition> {
        self.open.get(name)
    }

    /// Forgets the values of operators where they are open, for the operators with these names.
    pub fn forget_open(&mut self, arena: &Arena, names: &BTreeSet<String>) {
        self.open.retain(|name, _| !names.contains(name));
        self.points.retain(|(op, _), _| !names.contains(arena.op_name(*op)));
    }

    /// All elements of an uninterpreted sort, if the model lists them.
    pub fn universe(&self, sort: Sort) -> Option<&[Value]> {
        self.universes.get(&sort).map(|elements| &elements[..])
    }

    /// Whether the model's definition of a symbol is unreadable.
    pub(crate) fn is_unreadable(&self, op: Op) -> bool {
        self.unreadable.contains_key(&op)
    }

    /// The symbols with unreadable definitions, and the errors.
    pub fn unreadable(&self) -> impl Iterator<Item = (Op, &str)> {
        self.unreadable.iter().map(|(op, why)| (*op, why.as_str()))
    }

    /// All symbols with a value or a definition.
    pub fn symbols(&self) -> impl Iterator<Item = Op> + '_ {
        self.values.keys().chain(self.definitions.keys())
    }
}
