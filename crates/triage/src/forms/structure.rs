//! The same assertions, arranged in another way.

use smt::rewrite::Definitions;
use smt::{Arena, Command, DefinitionForm, Script, Term};

/// The script with its assertions in reverse order.
pub(super) fn reordered(arena: &Arena, script: &Script) -> String {
    let mut assertions: Vec<Term> = script.assertions().collect();
    let swap = |command: &Command| match command {
        Command::Assert(_) => assertions.pop().map_or_else(|| command.clone(), Command::Assert),
        _ => command.clone(),
    };
    arena.script_text(&Script::new(script.commands.iter().map(swap).collect()))
}

/// The script without `let` and without definitions that are not recursive.
pub(super) fn expanded(arena: &mut Arena, script: &Script) -> String {
    let definitions = Definitions::of(arena, script);
    let kept = script.commands.iter().filter(|command| {
        !matches!(command, Command::Define(DefinitionForm::Fun | DefinitionForm::Const, _))
    });
    let mut expand = |term: Term| {
        let inlined = definitions.inline(arena, term);
        arena.expand_lets(inlined)
    };
    let commands = kept.map(|command| command.map_terms(&mut expand)).collect();
    arena.script_text(&Script::new(commands))
}

/// The script with `let` for the subterms that an assertion repeats.
pub(super) fn shared(arena: &mut Arena, script: &Script) -> String {
    let mut share = |command: &Command| match command {
        Command::Assert(term) => Command::Assert(arena.introduce_lets(*term)),
        _ => command.clone(),
    };
    let commands = script.commands.iter().map(&mut share).collect();
    arena.script_text(&Script::new(commands))
}

/// The script with a definition for each assertion.
pub(super) fn defined(arena: &Arena, script: &Script) -> String {
    let printed = arena.script_text(script);
    let mut stem = String::from("asserted");
    while printed.contains(&stem) {
        stem.push('_');
    }
    let mut text = String::new();
    for (number, command) in script.commands.iter().enumerate() {
        match command {
            Command::Assert(term) => {
                let (name, body) = (format!("{stem}{number}"), arena.term_text(*term));
                text.push_str(&format!("(define-fun {name} () Bool {body})\n(assert {name})\n"));
            }
            _ => {
                arena.print_command(command, &mut text);
                text.push('\n');
            }
        }
    }
    text
}

/// The script without its logic, or with the logic `ALL`.
pub(super) fn other_logic(arena: &Arena, script: &Script) -> String {
    let is_logic = |command: &&Command| matches!(command, Command::SetLogic(_));
    let commands: Vec<Command> = script.commands.iter().filter(|one| !is_logic(one)).cloned().collect();
    let had_logic = commands.len() < script.commands.len();
    let text = arena.script_text(&Script::new(commands));
    if had_logic { text } else { format!("(set-logic ALL)\n{text}") }
}
