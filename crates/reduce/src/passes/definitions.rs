//! Inlines definitions, or turns them into declarations.

use crate::search::{Candidate, Halt, Offer, Search};
use crate::state::Typed;
use smt::rewrite::Definitions;
use smt::{Command, DeclarationForm, Script};

/// Expansions with more nodes than this are skipped.
const MAX_NODES: u64 = 200_000;

/// Expands every `let`.
pub fn lets(search: &mut Search<'_>) -> Result<(), Halt> {
    search.take_first(&mut |state, index| {
        let (0, Some(typed)) = (index, &mut state.typed) else { return Offer::End };
        let commands = typed.script.commands.clone();
        let expanded: Vec<Command> =
            commands.iter().map(|command| command.map_terms(|term| typed.arena.expand_lets(term))).collect();
        offer(typed, Script::new(expanded))
    })?;
    Ok(())
}

/// Inlines all definitions, or one at a time, or turns one into a declaration.
pub fn inline(search: &mut Search<'_>) -> Result<(), Halt> {
    loop {
        let found = search.take_first(&mut |state, index| {
            let Some(typed) = &mut state.typed else { return Offer::End };
            let defined: Vec<usize> = (0..typed.script.commands.len())
                .filter(|&command| matches!(typed.script.commands[command], Command::Define(..)))
                .collect();
            if defined.is_empty() {
                return Offer::End;
            }
            if index == 0 {
                let script = typed.script.clone();
                return inlined(typed, script);
            }
            let Some(&command) = defined.get((index - 1) / 2) else { return Offer::End };
            if index % 2 == 1 {
                let mut only = typed.script.clone();
                only.commands.retain(|other| {
                    !matches!(other, Command::Define(..)) || *other == typed.script.commands[command]
                });
                inlined(typed, only)
            } else {
                declared(typed, command)
            }
        })?;
        if found.is_none() {
            return Ok(());
        }
    }
}

/// Inlines the definitions of `from` into the current script.
fn inlined(typed: &mut Typed, from: Script) -> Offer {
    let definitions = Definitions::of(&mut typed.arena, &from);
    let commands = typed.script.commands.clone();
    let changed: Vec<Command> = commands
        .iter()
        .map(|command| command.map_terms(|term| definitions.inline(&mut typed.arena, term)))
        .collect();
    let script = super::commands::prune_unused(typed, &Script::new(changed));
    offer(typed, script)
}

/// Turns the definitions of one command into declarations, which drops their bodies.
fn declared(typed: &mut Typed, index: usize) -> Offer {
    let Command::Define(_, definitions) = &typed.script.commands[index] else { return Offer::Skip };
    let declarations: Vec<Command> = definitions
        .iter()
        .map(|definition| {
            let form =
                if definition.params.is_empty() { DeclarationForm::Const } else { DeclarationForm::Fun };
            Command::Declare(form, definition.op)
        })
        .collect();
    let mut script = typed.script.clone();
    script.commands.splice(index..=index, declarations);
    Offer::Try(Candidate::discarding_model(Script::new(script.commands)))
}

/// Offers an equivalent script, unless it is enormous when printed.
fn offer(typed: &Typed, script: Script) -> Offer {
    if typed.nodes(&script) > MAX_NODES {
        return Offer::Skip;
    }
    Offer::Try(Candidate::preserving_model(script))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Body;

    fn text(typed: &Typed, offer: Offer) -> Option<String> {
        match offer {
            Offer::Try(Candidate { body: Body::Script(script), .. }) => {
                Some(typed.arena.script_text(&script))
            }
            _ => None,
        }
    }

    #[test]
    fn definitions_are_inlined_or_declared() {
        let source = "(declare-const x Int)(define-fun f ((n Int)) Int (+ n x))(assert (> (f 1) 0))";
        let mut typed = Typed::read(source, None).unwrap();
        let script = typed.script.clone();
        let offer = inlined(&mut typed, script);
        assert_eq!(text(&typed, offer).as_deref(), Some("(declare-const x Int)\n(assert (> (+ 1 x) 0))\n"));
        let offer = declared(&mut typed, 1);
        assert_eq!(
            text(&typed, offer).as_deref(),
            Some("(declare-const x Int)\n(declare-fun f (Int) Int)\n(assert (> (f 1) 0))\n")
        );
        assert!(text(&typed, declared(&mut Typed::read(source, None).unwrap(), 0)).is_none());
    }

    #[test]
    fn enormous_expansions_are_skipped() {
        let mut source = "(declare-const x Int)(define-fun f0 () Int x)".to_owned();
        for level in 1..40 {
            let below = level - 1;
            source.push_str(&format!("(define-fun f{level} () Int (+ f{below} f{below}))"));
        }
        source.push_str("(assert (> f39 0))");
        let mut typed = Typed::read(&source, None).unwrap();
        let script = typed.script.clone();
        assert!(matches!(inlined(&mut typed, script), Offer::Skip));
    }
}
