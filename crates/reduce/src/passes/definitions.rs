//! Definitions: put in the place of their uses, or turned into plain declarations.

use crate::search::{Body, Candidate, Fate, Halt, Offer, Search};
use crate::state::Typed;
use smt::rewrite::Definitions;
use smt::{Command, DeclarationForm, Script, Sizes};

/// Terms that grow beyond this many nodes by expansion are left as they are.
const LARGEST: u64 = 200_000;

/// Expands every `let`, where the script does not grow.
pub fn lets(search: &mut Search<'_>) -> Result<(), Halt> {
    search.first(&mut |state, number| {
        let (0, Some(typed)) = (number, &mut state.typed) else { return Offer::End };
        let commands = typed.script.commands.clone();
        let expanded: Vec<Command> =
            commands.iter().map(|command| command.map_terms(|term| typed.arena.expand_lets(term))).collect();
        offer(typed, Script::new(expanded))
    })?;
    Ok(())
}

/// Puts definitions in the place of their uses: all of them, or one after the other; or declares what was defined.
pub fn inline(search: &mut Search<'_>) -> Result<(), Halt> {
    loop {
        let found = search.first(&mut |state, number| {
            let Some(typed) = &mut state.typed else { return Offer::End };
            let defined: Vec<usize> = (0..typed.script.commands.len())
                .filter(|&place| matches!(typed.script.commands[place], Command::Define(..)))
                .collect();
            if defined.is_empty() {
                return Offer::End;
            }
            if number == 0 {
                let script = typed.script.clone();
                return inlined(typed, script);
            }
            let Some(&place) = defined.get((number - 1) / 2) else { return Offer::End };
            if number % 2 == 1 {
                let mut only = typed.script.clone();
                only.commands.retain(|command| {
                    !matches!(command, Command::Define(..)) || *command == typed.script.commands[place]
                });
                inlined(typed, only)
            } else {
                declared(typed, place)
            }
        })?;
        if found.is_none() {
            return Ok(());
        }
    }
}

/// The script in hand with the definitions of `with` put in the place of their uses.
fn inlined(typed: &mut Typed, with: Script) -> Offer {
    let definitions = Definitions::of(&mut typed.arena, &with);
    let commands = typed.script.commands.clone();
    let changed: Vec<Command> = commands
        .iter()
        .map(|command| command.map_terms(|term| definitions.inline(&mut typed.arena, term)))
        .collect();
    let script = super::commands::used_only(typed, &Script::new(changed));
    offer(typed, script)
}

/// Definitions become declarations: nothing is said any more of what they stand for.
fn declared(typed: &mut Typed, place: usize) -> Offer {
    let Command::Define(_, definitions) = &typed.script.commands[place] else { return Offer::Skip };
    let declarations: Vec<Command> = definitions
        .iter()
        .map(|definition| {
            let form =
                if definition.params.is_empty() { DeclarationForm::Const } else { DeclarationForm::Fun };
            Command::Declare(form, definition.op)
        })
        .collect();
    let mut script = typed.script.clone();
    script.commands.splice(place..=place, declarations);
    Offer::Try(Candidate { body: Body::Script(Script::new(script.commands)), fate: Fate::Lost })
}

/// Offers a script that means the same, unless it is astronomically long when it is written out.
fn offer(typed: &Typed, script: Script) -> Offer {
    let mut sizes = Sizes::default();
    let total = script
        .commands
        .iter()
        .flat_map(Command::terms)
        .fold(0u64, |sum, term| sum.saturating_add(sizes.of(&typed.arena, term)));
    if total > LARGEST {
        return Offer::Skip;
    }
    Offer::Try(Candidate { body: Body::Script(script), fate: Fate::Kept })
}
