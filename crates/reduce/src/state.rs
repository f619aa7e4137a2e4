//! The current script: its text, its terms if it parses, and the known model if there is one.

use crate::cost::Cost;
use semantics::Model;
use semantics::model::StringDialect;
use smt::{Arena, Command, Op, Scope, Script, Signatures, Term, parse_in_scope};

/// A script with everything that passes need.
pub struct State {
    /// The text.
    pub text: String,
    /// Its cost.
    pub cost: Cost,
    /// Its terms; `None` if it does not parse.
    pub typed: Option<Typed>,
    /// The known model, as `define-fun`s.
    pub model: Option<String>,
}

/// A script as terms.
pub struct Typed {
    /// The arena that holds them.
    pub arena: Arena,
    /// The symbols in scope after the last command.
    pub scope: Scope,
    /// The commands.
    pub script: Script,
    /// The known model.
    pub model: Option<Model>,
    /// Among equally deep sub-terms, try the smallest first as a replacement, instead of the largest.
    pub smallest_first: bool,
}

impl State {
    /// Reads a script. Drops a model that does not parse.
    pub fn read(text: String, model: Option<String>) -> State {
        let typed = Typed::read(&text, model.as_deref());
        let model = model.filter(|_| typed.as_ref().is_some_and(|typed| typed.model.is_some()));
        State { cost: Cost::of(&text), text, typed, model }
    }
}

impl Typed {
    /// Parses a script and its model.
    pub fn read(text: &str, model: Option<&str>) -> Option<Typed> {
        let mut arena = Arena::new(Signatures::standard());
        let mut scope = Scope::default();
        let script = parse_in_scope(&mut arena, &mut scope, text).ok()?;
        let read = |model: &str| Model::read(&mut arena, &scope, model, StringDialect::Standard).ok();
        let model = model.and_then(read);
        Some(Typed { arena, scope, script, model, smallest_first: false })
    }

    /// The root terms of the script, each with the index of its command.
    pub fn roots(&self) -> Vec<(usize, Term)> {
        let commands = self.script.commands.iter().enumerate();
        commands
            .flat_map(|(index, command)| command.terms().into_iter().map(move |term| (index, term)))
            .collect()
    }

    /// The total number of nodes of a script, written out as a tree.
    pub fn nodes(&self, script: &Script) -> u64 {
        let mut sizes = smt::Sizes::default();
        let terms = script.commands.iter().flat_map(Command::terms);
        terms.fold(0, |sum, term| sum.saturating_add(sizes.of(&self.arena, term)))
    }

    /// The number of `check-sat` commands of any kind.
    pub fn checks(&self) -> usize {
        self.script.commands.iter().filter(|command| command.is_check()).count()
    }

    /// The declared constants, each with the index of its command.
    pub fn constants(&self) -> Vec<(usize, Op)> {
        let declared = |(index, command): (usize, &Command)| match command {
            Command::Declare(_, op) => Some((index, *op)),
            _ => None,
        };
        let constant = |(_, op): &(usize, Op)| self.rank(*op).0.is_empty();
        self.script.commands.iter().enumerate().filter_map(declared).filter(constant).collect()
    }

    /// The argument sorts and the result sort of a declared function.
    pub fn rank(&self, op: Op) -> (Vec<smt::Sort>, smt::Sort) {
        match &self.arena.op(op).kind {
            smt::OpKind::Function { args, result } => (args.to_vec(), *result),
            _ => (Vec::new(), smt::Sort::BOOL),
        }
    }
}
