//! The script in hand: its text, its terms where our parser takes it, and the model that satisfies it where one is known.

use crate::cost::Cost;
use semantics::Model;
use semantics::model::StringDialect;
use smt::{Arena, Command, Op, Scope, Script, Signatures, Term, parse_in_scope};

/// A script with everything that passes need to know of it.
pub struct State {
    /// The text.
    pub text: String,
    /// Its cost.
    pub cost: Cost,
    /// Its terms; nothing if our parser does not take it.
    pub typed: Option<Typed>,
    /// The model in hand, as `define-fun`s.
    pub model: Option<String>,
}

/// A script as terms.
pub struct Typed {
    /// The arena that holds them.
    pub arena: Arena,
    /// The names in force at the end.
    pub scope: Scope,
    /// The commands.
    pub script: Script,
    /// The model in hand.
    pub model: Option<Model>,
    /// Which of the parts of a term that are equally deep in it is tried in its place first: the smallest or the largest.
    pub smallest_first: bool,
}

impl State {
    /// Reads a script. A model that cannot be read is none.
    pub fn read(text: String, model: Option<String>) -> State {
        let typed = Typed::read(&text, model.as_deref());
        let model = model.filter(|_| typed.as_ref().is_some_and(|typed| typed.model.is_some()));
        State { cost: Cost::of(&text), text, typed, model }
    }
}

impl Typed {
    /// Reads a script and its model.
    pub fn read(text: &str, model: Option<&str>) -> Option<Typed> {
        let mut arena = Arena::new(Signatures::standard());
        let mut scope = Scope::default();
        let script = parse_in_scope(&mut arena, &mut scope, text).ok()?;
        let read = |model: &str| Model::read(&mut arena, &scope, model, StringDialect::Standard).ok();
        let model = model.and_then(read);
        Some(Typed { arena, scope, script, model, smallest_first: false })
    }

    /// The roots of all terms of the script, each with the place of its command.
    pub fn roots(&self) -> Vec<(usize, Term)> {
        let commands = self.script.commands.iter().enumerate();
        commands
            .flat_map(|(place, command)| command.terms().into_iter().map(move |term| (place, term)))
            .collect()
    }

    /// How many questions the script asks.
    pub fn checks(&self) -> usize {
        self.script.commands.iter().filter(|command| command.is_check()).count()
    }

    /// The declared constants: the place of the command and the operator.
    pub fn constants(&self) -> Vec<(usize, Op)> {
        let declared = |(place, command): (usize, &Command)| match command {
            Command::Declare(_, op) => Some((place, *op)),
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
