//! What names mean at a point of a script: declared functions, sorts, and local variables.

use crate::hash::FixedState;
use crate::op::Op;
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::Term;
use std::collections::HashMap;

/// A sort that the script declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SortDeclaration {
    /// `declare-sort` or a datatype, with the number of arguments.
    Constructor(usize),
    /// `define-sort`: parameters (as parameter sorts) and body.
    Abbreviation(Vec<Sort>, Sort),
    /// A sort parameter.
    Parameter(Sort),
}

#[derive(Clone, Copy, Default)]
struct Slot {
    /// The innermost local of this name, plus one.
    local: u32,
    /// The latest function of this name, plus one.
    function: u32,
    /// The term that the latest function of this name is, once it was made; only for constants.
    constant: Option<Term>,
}

/// A function declaration, linked to the one of the same name before it.
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

/// What a declaration changed, so that `pop` can take it back.
#[derive(Clone)]
enum Undo {
    Function(Symbol),
    Sort(Symbol, Option<SortDeclaration>),
}

/// The names in force.
#[derive(Clone, Default)]
pub struct Scope {
    slots: Vec<Slot>,
    functions: Vec<FunctionEntry>,
    locals: Vec<LocalEntry>,
    sorts: HashMap<Symbol, SortDeclaration, FixedState>,
    undo: Vec<Undo>,
    levels: Vec<usize>,
    /// `:global-declarations` is on: `pop` keeps declarations.
    pub global_declarations: bool,
    /// Numerals are reals: the logic has reals and no integers.
    pub numerals_are_reals: bool,
    /// The logic is higher-order: functions may be values.
    pub higher_order: bool,
}

impl Scope {
    fn slot(&mut self, name: Symbol) -> &mut Slot {
        if self.slots.len() <= name.index() {
            self.slots.resize(name.index() + 1, Slot::default());
        }
        &mut self.slots[name.index()]
    }

    // ----- locals

    /// Binds a local variable (a local term of this name), hiding whatever has its name.
    pub fn bind(&mut self, name: Symbol, local: Term) {
        let previous = self.slot(name).local;
        self.locals.push(LocalEntry { name, local, previous });
        self.slot(name).local = self.locals.len() as u32;
    }

    /// How many locals are bound.
    pub fn local_count(&self) -> usize {
        self.locals.len()
    }

    /// Unbinds the latest locals until `count` are left.
    pub fn unbind_to(&mut self, count: usize) {
        while self.locals.len() > count {
            let entry = self.locals.pop().expect("more than `count` are left");
            self.slot(entry.name).local = entry.previous;
        }
    }

    /// The local variable that `name` means here.
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
        self.note(Undo::Function(name));
    }

    /// The declared functions of this name, the latest first.
    pub fn functions(&self, name: Symbol) -> impl Iterator<Item = Op> + '_ {
        let mut next = self.slots.get(name.index()).map_or(0, |slot| slot.function);
        std::iter::from_fn(move || {
            let entry = self.functions.get((next as usize).checked_sub(1)?)?;
            next = entry.previous;
            Some(entry.op)
        })
    }

    /// The latest function of this name.
    #[inline]
    pub fn function(&self, name: Symbol) -> Option<Op> {
        match self.slots.get(name.index()) {
            Some(slot) if slot.function > 0 => Some(self.functions[slot.function as usize - 1].op),
            _ => None,
        }
    }

    /// The term that the constant `name` is, if it was remembered.
    #[inline]
    pub(crate) fn constant(&self, name: Symbol) -> Option<Term> {
        self.slots.get(name.index())?.constant
    }

    /// Remembers the term that the constant `name` is.
    pub(crate) fn remember_constant(&mut self, name: Symbol, term: Term) {
        if let Some(slot) = self.slots.get_mut(name.index())
            && slot.function > 0
        {
            slot.constant = Some(term);
        }
    }

    // ----- sorts

    /// Declares a sort.
    pub fn declare_sort(&mut self, name: Symbol, declaration: SortDeclaration) {
        let before = self.sorts.insert(name, declaration);
        self.note(Undo::Sort(name, before));
    }

    /// Gives a name the meaning it had before, without a trace for `pop`.
    pub(crate) fn restore_sort(&mut self, name: Symbol, before: Option<SortDeclaration>) {
        match before {
            Some(before) => self.sorts.insert(name, before),
            None => self.sorts.remove(&name),
        };
    }

    /// The sort that the script declared under this name.
    pub fn sort(&self, name: Symbol) -> Option<&SortDeclaration> {
        self.sorts.get(&name)
    }

    // ----- levels

    /// Opens `count` levels.
    pub fn push(&mut self, count: usize) {
        for _ in 0..count {
            self.levels.push(self.undo.len());
        }
    }

    /// How many levels are open.
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Closes `count` levels (at most those that are open), forgetting what they declared.
    pub fn pop(&mut self, count: usize) {
        for _ in 0..count {
            let Some(mark) = self.levels.pop() else { return };
            if !self.global_declarations {
                self.undo_to(mark);
            }
        }
    }

    /// Keeps what a declaration changed; outside all levels nothing is ever taken back.
    #[inline]
    fn note(&mut self, undo: Undo) {
        if !self.levels.is_empty() {
            self.undo.push(undo);
        }
    }

    fn undo_to(&mut self, mark: usize) {
        while self.undo.len() > mark {
            match self.undo.pop().expect("more than `mark` are left") {
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

    /// Forgets all declarations, as `(reset)` does.
    pub fn reset(&mut self) {
        *self = Scope::default();
    }
}
