//! Models: what the symbols of a script stand for.

mod ascribe;
mod constants;
mod get_value;
mod op_map;
mod preprocess;
mod read;
mod roots;

pub use read::{ReadError, StringDialect};

use std::collections::BTreeMap;

use smt::{Op, Sort};

use crate::data::Value;
use crate::definition::FunctionDefinition;
use crate::theory::Universes;
use op_map::OpMap;

/// Values by the arguments that they were told for.
type Points = BTreeMap<Box<[Value]>, Value>;

/// What symbols stand for. Definitions are evaluated when they are asked for.
#[derive(Clone, Debug, Default)]
pub struct Model {
    values: OpMap<Value>,
    definitions: OpMap<FunctionDefinition>,
    open: BTreeMap<String, FunctionDefinition>,
    unreadable: BTreeMap<Op, String>,
    points: BTreeMap<(Op, Sort), Points>,
    pub(crate) universes: Universes,
    /// Some elements of uninterpreted sorts, where a model does not say that they are all.
    pub(crate) elements: BTreeMap<Sort, Vec<Value>>,
}

impl Model {
    /// A model that says nothing.
    pub fn new() -> Model {
        Model::default()
    }

    /// Gives a constant or a function a value. A function's value is a table or a function.
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

    /// Says what an operator or selector gives where the standard leaves it open, by the operator's name.
    pub fn set_open(&mut self, name: &str, defined: FunctionDefinition) {
        self.open.insert(name.to_owned(), defined);
    }

    /// Says what a function or operator gives for some arguments, where the model does not say it otherwise. The sort is that
    /// of the result: `(seq.nth s 0)` is another point for each sort of elements, though empty sequences look alike.
    pub fn set_point(&mut self, op: Op, sort: Sort, args: &[Value], value: Value) {
        self.points.entry((op, sort)).or_default().insert(args.into(), value);
    }

    /// What a function or operator gives for some arguments, if that was told apart from the model.
    pub fn point(&self, op: Op, sort: Sort, args: &[Value]) -> Option<&Value> {
        self.points.get(&(op, sort))?.get(args)
    }

    /// States all elements of an uninterpreted sort.
    pub fn set_universe(&mut self, sort: Sort, elements: Vec<Value>) {
        self.universes.insert(sort, elements.into());
    }

    /// Names some elements of an uninterpreted sort; there may be others.
    pub fn add_elements(&mut self, sort: Sort, elements: Vec<Value>) {
        self.elements.entry(sort).or_default().extend(elements);
    }

    /// The value that a symbol was given directly.
    #[inline]
    pub fn value(&self, op: Op) -> Option<&Value> {
        self.values.get(op)
    }

    /// The definition that a symbol was given.
    #[inline]
    pub fn definition(&self, op: Op) -> Option<&FunctionDefinition> {
        self.definitions.get(op)
    }

    /// What an operator gives where the standard leaves it open.
    pub fn open_definition(&self, name: &str) -> Option<&FunctionDefinition> {
        self.open.get(name)
    }

    /// All elements of an uninterpreted sort, if the model states them.
    pub fn universe(&self, sort: Sort) -> Option<&[Value]> {
        self.universes.get(&sort).map(|elements| &elements[..])
    }

    /// Whether the model has a definition of a symbol that could not be read.
    pub fn is_unreadable(&self, op: Op) -> bool {
        self.unreadable.contains_key(&op)
    }

    /// The symbols whose definitions could not be read, and what was wrong with each.
    pub fn unreadable(&self) -> impl Iterator<Item = (Op, &str)> {
        self.unreadable.iter().map(|(op, why)| (*op, why.as_str()))
    }

    /// All symbols that have a value or a definition.
    pub fn symbols(&self) -> impl Iterator<Item = Op> + '_ {
        self.values.keys().chain(self.definitions.keys())
    }
}
