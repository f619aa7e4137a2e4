//! What a script asks: the assertions and definitions in scope at each `check-sat`.

use smt::{Command, Op, Plain, Script, Term};

use crate::definition::{Definitions, collect_definitions};

/// The assertions and definitions in scope at a `check-sat`.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Asserted and assumed terms, in order.
    pub assertions: Vec<Term>,
    /// The functions that the script defines.
    pub definitions: Definitions,
}

/// The question of each `check-sat` of a script. A script without a `check-sat` asks one question at its end.
pub fn questions(script: &Script) -> Vec<Question> {
    let mut found = Vec::new();
    let mut stack = AssertionStack::default();
    for command in &script.commands {
        match command {
            Command::Plain(Plain::Exit) => break,
            Command::CheckSatAssuming(assumed) => {
                let mut question = stack.now.clone();
                question.assertions.extend_from_slice(assumed);
                found.push(question);
            }
            command if command.is_check() => found.push(stack.now.clone()),
            command => stack.execute(command),
        }
    }
    if found.is_empty() {
        found.push(stack.now);
    }
    found
}

/// The definitions in scope at the end of a script.
pub fn definitions_at_end(script: &Script) -> Definitions {
    let mut stack = AssertionStack::default();
    script.commands.iter().for_each(|command| stack.execute(command));
    stack.now.definitions
}

/// The state of a script between two commands.
#[derive(Default)]
struct AssertionStack {
    now: Question,
    /// The declared functions, in order.
    declared: Vec<Op>,
    levels: Vec<Level>,
}

/// What a `push` remembers.
struct Level {
    assertions: usize,
    declared: usize,
    definitions: Definitions,
}

impl AssertionStack {
    fn execute(&mut self, command: &Command) {
        match command {
            Command::Assert(term) => self.now.assertions.push(*term),
            Command::Declare(_, op) => {
                // A popped definition of the same name may still be there.
                self.now.definitions.remove(op);
                self.declared.push(*op);
            }
            Command::Define(..) => collect_definitions(command, &mut self.now.definitions),
            Command::Push(count) => (0..*count).for_each(|_| {
                self.levels.push(Level {
                    assertions: self.now.assertions.len(),
                    declared: self.declared.len(),
                    definitions: self.now.definitions.clone(),
                });
            }),
            Command::Pop(count) => (0..*count).for_each(|_| self.pop()),
            Command::Plain(Plain::ResetAssertions) => {
                self.now.assertions.clear();
                self.levels.clear();
            }
            Command::Plain(Plain::Reset) => *self = AssertionStack::default(),
            _ => {}
        }
    }

    /// Definitions stay, because `:global-declarations` may be set; without it, no later term uses them before they are declared or
    /// defined again.
    fn pop(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        self.now.assertions.truncate(level.assertions);
        self.declared.truncate(level.declared);
        for op in &self.declared {
            self.now.definitions.remove(op);
        }
        self.now.definitions.extend(level.definitions);
    }
}
