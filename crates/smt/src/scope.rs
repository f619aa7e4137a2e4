//! Scopes: the functions, sorts and local variables that are visible at a point of a script.

use crate::hash::FixedState;
use crate::op::Op;
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::Term;
use std::collections::HashMap;

/// A sort declared by a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SortDeclaration {
    /// `declare-sort` or a datatype, with the number of sort arguments.
    Constructor(usize),
    /// `define-sort`: parameters (as parameter sorts) and body.
    Abbreviation(Vec<Sort>, Sort),
    /// A sort parameter.
    Parameter(Sort),
}

#[derive(Clone, Copy, Default)]
struct Slot {
    /// The innermost local with this name, plus one; zero if there is none.
    local: u32,
    /// The latest function with this name, plus one; zero if there is none.
    function: u32,
    /// The term of the latest function with this name, if it is a constant that was used before.
    constant: Option<Term>,
}

/// A function declaration, linked to the previous one with the same name.
#[derive(Clone, Copy)]
struct FunctionEntry {
    op: Op,
    previous: u32,
}

#[derive(Clone, Copy)]
struct LocalEntry {
    name: Symbol,
    local: Term,
    previous: u32,
}

/// The change made by a declaration, so that `pop` can revert it.
#[derive(Clone)]
enum Undo {
    Function(Symbol),
    Sort(Symbol, Option<SortDeclaration>),
}

/// The names that are visible at a point of a script, with the levels of `push` and `pop`.
///
/// ```
/// use elenchus_smt::{Arena, Scope, Sort, parse_in_scope, parse_term};
///
/// let mut arena = Arena::default();
/// let mut scope = Scope::default();
/// parse_in_scope(&mut arena, &mut scope, "(declare-fun f (Int) Int)").unwrap();
/// let term = parse_term(&mut arena, &mut scope, "(f (f 0))").unwrap();
/// assert_eq!(arena.sort(term), Sort::INT);
///
/// scope.push(1);
/// parse_in_scope(&mut arena, &mut scope, "(declare-const x Int)").unwrap();
/// assert!(parse_term(&mut arena, &mut scope, "(f x)").is_ok());
/// scope.pop(1);
/// let error = parse_term(&mut arena, &mut scope, "(f x)").unwrap_err();
/// assert_eq!(error.message, "unknown constant `x`");
/// ```
#[derive(Clone, Default)]
pub struct Scope {
    slots: Vec<Slot>,
    functions: Vec<FunctionEntry>,
    locals: Vec<LocalEntry>,
    sorts: HashMap<Symbol, SortDeclaration, FixedState>,
    /// The instances of parametric sorts that the script mentions, such as `(List Int)`.
    instances: Vec<Sort>,
    undo: Vec<Undo>,
    levels: Vec<usize>,
    /// Whether `:global-declarations` is set, so that `pop` keeps declarations.
    pub(crate) global_declarations: bool,
    /// Whether numerals have sort `Real`, as in a logic with reals but no integers.
    pub(crate) numerals_are_reals: bool,
    /// Whether the script has set a logic. Without one, some solvers predefine more.
    pub(crate) has_logic: bool,
    /// Whether the logic is higher-order, so that functions may be values.
    pub(crate) higher_order: bool,
}

impl Scope {
    fn slot(&mut self, name: Symbol) -> &mut Slot {
        if self.slots.len() <= name.index() {
            self.slots.resize(name.index() + 1, Slot::default());
        }
        &mut self.slots[name.index()]
    }

    // ----- locals

    /// Binds a local variable (a local term with this name), shadowing other meanings of the name.
    pub fn bind(&mut self, name: Symbol, local: Term) {
        let previous = self.slot(name).local;
        self.locals.push(LocalEntry { name, local, previous });
        self.slot(name).local = self.locals.len() as u32;
    }

    /// The number of bound locals.
    pub fn local_count(&self) -> usize {
        self.locals.len()
    }

    /// Unbinds the latest locals until `count` remain.
    pub fn unbind_to(&mut self, count: usize) {
        while self.locals.len() > count {
            let entry = self.locals.pop().expect("more than `count` remain");
            self.slot(entry.name).local = entry.previous;
        }
    }

    /// The local variable bound to `name`.
    #[inline]
    pub fn local(&self, name: Symbol) -> Option<Term> {
        match self.slots.get(name.index()) {
            Some(slot) if slot.local > 0 => Some(self.locals[slot.local as usize - 1].local),
            _ => None,
        }
    }

    // ----- functions

    /// Declares a function, constant, constructor or selector.
    pub fn declare(&mut self, name: Symbol, op: Op) {
        let previous = self.slot(name).function;
        self.functions.push(FunctionEntry { op, previous });
        let latest = self.functions.len() as u32;
        let slot = self.slot(name);
        slot.function = latest;
        slot.constant = None;
        self.record(Undo::Function(name));
    }

    /// The functions declared as `name`, latest first.
    pub(crate) fn functions(&self, name: Symbol) -> impl Iterator<Item = Op> + '_ {
        let mut next = self.slots.get(name.index()).map_or(0, |slot| slot.function);
        std::iter::from_fn(move || {
            let entry = self.functions.get((next as usize).checked_sub(1)?)?;
            next = entry.previous;
            Some(entry.op)
        })
    }

    /// The latest function declared as `name`.
    #[inline]
    pub fn function(&self, name: Symbol) -> Option<Op> {
        match self.slots.get(name.index()) {
            Some(slot) if slot.function > 0 => Some(self.functions[slot.function as usize - 1].op),
            _ => None,
        }
    }

    /// Whether several functions are declared as `name`.
    #[inline]
    pub(crate) fn is_overloaded(&self, name: Symbol) -> bool {
        match self.slots.get(name.index()) {
            Some(slot) if slot.function > 0 => self.functions[slot.function as usize - 1].previous > 0,
            _ => false,
        }
    }

    /// The term of the constant `name`, if it was remembered.
    #[inline]
    pub(crate) fn constant(&self, name: Symbol) -> Option<Term> {
        self.slots.get(name.index())?.constant
    }

    /// Remembers the term of the constant `name`.
    pub(crate) fn remember_constant(&mut self, name: Symbol, term: Term) {
        if let Some(slot) = self.slots.get_mut(name.index())
            && slot.function > 0
        {
            slot.constant = Some(term);
        }
    }

    // ----- sorts

    /// Declares a sort.
    pub(crate) fn declare_sort(&mut self, name: Symbol, declaration: SortDeclaration) {
        let before = self.sorts.insert(name, declaration);
        self.record(Undo::Sort(name, before));
    }

    /// Restores an earlier meaning of a name; `pop` does not revert this.
    pub(crate) fn restore_sort(&mut self, name: Symbol, before: Option<SortDeclaration>) {
        match before {
            Some(before) => self.sorts.insert(name, before),
            None => self.sorts.remove(&name),
        };
    }

    /// Whether the script declares a sort as `name`.
    pub fn has_sort(&self, name: Symbol) -> bool {
        self.sorts.contains_key(&name)
    }

    /// The sort declared as `name`.
    pub(crate) fn sort(&self, name: Symbol) -> Option<&SortDeclaration> {
        self.sorts.get(&name)
    }

    /// Records that the script mentions an instance of a parametric sort.
    pub(crate) fn mention(&mut self, instance: Sort) {
        if !self.instances.contains(&instance) {
            self.instances.push(instance);
        }
    }

    /// The instances of parametric sorts that the script mentions.
    pub(crate) fn instances(&self) -> &[Sort] {
        &self.instances
    }

    // ----- levels

    /// Opens `count` assertion levels.
    pub fn push(&mut self, count: usize) {
        for _ in 0..count {
            self.levels.push(self.undo.len());
        }
    }

    /// The number of open levels.
    pub(crate) fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Closes `count` levels, or all of them if there are fewer, and drops their declarations.
    pub fn pop(&mut self, count: usize) {
        for _ in 0..count {
            let Some(mark) = self.levels.pop() else { return };
            if !self.global_declarations {
                self.undo_to(mark);
            }
        }
    }

    /// Records a change. Outside all levels, changes are never reverted.
    #[inline]
    fn record(&mut self, undo: Undo) {
        if !self.levels.is_empty() {
            self.undo.push(undo);
        }
    }

    fn undo_to(&mut self, mark: usize) {
        while self.undo.len() > mark {
            match self.undo.pop().expect("more than `mark` remain") {
                Undo::Function(name) => {
                    let top = self.slot(name).function as usize;
                    let previous = self.functions[top - 1].previous;
                    let slot = self.slot(name);
                    slot.function = previous;
                    slot.constant = None;
                }
                Undo::Sort(name, Some(before)) => {
                    self.sorts.insert(name, before);
                }
                Undo::Sort(name, None) => {
                    self.sorts.remove(&name);
                }
            }
        }
    }

    /// Drops all declarations, like `(reset)`.
    pub(crate) fn reset(&mut self) {
        *self = Scope::default();
    }
}
