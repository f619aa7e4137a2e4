//! Properties that no input may break. Each function panics where one is broken, which is how a fuzzer notices.

use smt::lexer::{Kind, Lexer};
use smt::{Arena, Command, Script, Signatures, Sizes, Term, layout, lexer, logic, parse_script, sexpr};
use std::cell::RefCell;

thread_local! {
    /// An arena over the standard signatures with nothing in it: copying it is cheaper than making one.
    static EMPTY: RefCell<Arena> = RefCell::new(Arena::default());
}

fn empty_arena() -> Arena {
    EMPTY.with_borrow(Arena::clone)
}

/// Whatever the text is, it is read or refused with errors that can be shown.
pub fn reads_without_panic(source: &str) {
    let mut arena = empty_arena();
    match parse_script(&mut arena, source) {
        Ok(script) => drop(arena.script_text(&script)),
        Err(errors) => {
            assert!(!errors.is_empty(), "a script was refused without a reason");
            for error in errors {
                assert!(
                    error.render("fuzzed", source).contains(&error.message),
                    "an error hides its message"
                );
            }
        }
    }
    if let Err(error) = sexpr::read_all(source) {
        error.render("fuzzed", source);
    }
    let pieces = lexer::top_level(source).count();
    assert!(pieces <= source.len(), "more expressions than characters");
    if let Err(error) = Signatures::empty().load(source) {
        error.render("fuzzed", source);
    }
    if let Err(error) = layout::pretty(source) {
        error.render("fuzzed", source);
    }
}

/// A script that is read is the same after printing, after laying out, and after `let` was taken out and put back.
pub fn round_trips(source: &str) {
    let mut arena = empty_arena();
    let Ok(script) = parse_script(&mut arena, source) else { return };
    let features = arena.features(&script);
    assert!(!logic::smallest(&features, arena.signatures()).is_empty(), "no logic fits");
    same_after_printing(&mut arena, &script);
    let laid_out = layout::pretty(source).expect("a script that is read can be laid out");
    assert_eq!(tokens(&laid_out), tokens(source), "laid out:\n{laid_out}");
    if let Err(errors) = parse_script(&mut arena, &laid_out) {
        panic!("laid out:\n{laid_out}\n{}", errors[0].render("laid out", &laid_out));
    }
    // What is named must stand exactly once, so nothing around it is taken out.
    if source.contains(":named") {
        return;
    }

    let expanded = change_terms(&mut arena, &script, |arena, term| {
        let expanded = arena.expand_lets(term);
        assert!(!arena.has_let(expanded), "a `let` is left");
        assert_eq!(arena.sort(expanded), arena.sort(term), "expanding changed a sort");
        expanded
    });
    let shared = change_terms(&mut arena, &expanded, |arena, term| {
        let shared = arena.introduce_lets(term);
        assert_eq!(arena.sort(shared), arena.sort(term), "sharing changed a sort");
        let back = arena.expand_lets(shared);
        assert_eq!(back, term, "{} is not {}", arena.term_text(back), arena.term_text(term));
        shared
    });
    same_after_printing(&mut arena, &shared);
    // Written out without `let`, what is shared again and again may have no end.
    let mut sizes = Sizes::default();
    let written: u64 = expanded
        .commands
        .iter()
        .flat_map(Command::terms)
        .map(|term| sizes.of(&arena, term))
        .fold(0, u64::saturating_add);
    if written < 100_000 {
        same_after_printing(&mut arena, &expanded);
    }
}

/// The tokens of a text that can be read, comments among them.
fn tokens(source: &str) -> Vec<&str> {
    let mut lexer = Lexer::new(source);
    let mut all = Vec::new();
    while let Ok(token) = lexer.next_with_comments()
        && token.kind != Kind::End
    {
        all.push(lexer.text(token).trim_end());
    }
    all
}

fn same_after_printing(arena: &mut Arena, script: &Script) {
    let printed = arena.script_text(script);
    let again = parse_script(arena, &printed)
        .unwrap_or_else(|errors| panic!("printed:\n{printed}\n{}", errors[0].render("printed", &printed)));
    assert_eq!(again.commands, script.commands, "printed:\n{printed}");
    assert_eq!(arena.script_text(&again), printed, "printing twice differs");
}

/// The script with the bodies of assertions and queries changed. Definitions stay, since their parameters are bound outside.
fn change_terms(
    arena: &mut Arena,
    script: &Script,
    mut change: impl FnMut(&mut Arena, Term) -> Term,
) -> Script {
    let commands = script.commands.iter().map(|command| match command {
        Command::Define(..) => command.clone(),
        _ => command.map_terms(|term| change(arena, term)),
    });
    Script::new(commands.collect())
}
