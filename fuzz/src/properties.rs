//! Properties that must hold for every input. Each function panics if one does not, which the fuzzer reports.

use smt::lexer::{Kind, Lexer};
use smt::{Arena, Command, Script, Signatures, Sizes, Term, layout, lexer, logic, parse_script, sexpr};
use std::cell::RefCell;

thread_local! {
    /// An empty arena over the standard signatures: cloning it is cheaper than creating one.
    static EMPTY: RefCell<Arena> = RefCell::new(Arena::default());
}

fn empty_arena() -> Arena {
    EMPTY.with_borrow(Arena::clone)
}

/// Parses any text, or rejects it with errors that can be rendered.
pub fn parse_without_panic(source: &str) {
    let mut arena = empty_arena();
    match parse_script(&mut arena, source) {
        Ok(script) => drop(arena.script_text(&script)),
        Err(errors) => {
            assert!(!errors.is_empty(), "a script was rejected without an error");
            for error in errors {
                assert!(
                    error.render("fuzzed", source).contains(&error.message),
                    "a rendered error lacks its message"
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

/// Checks that a script is the same after printing, after laying it out, and after expanding and introducing `let`.
pub fn round_trip(source: &str) {
    let mut arena = empty_arena();
    let Ok(script) = parse_script(&mut arena, source) else { return };
    let features = arena.features(&script);
    assert!(!logic::smallest(&features, arena.signatures()).is_empty(), "no logic covers the script");
    same_after_printing(&mut arena, &script);
    let laid_out = layout::pretty(source).expect("a valid script can be laid out");
    assert_eq!(tokens(&laid_out), tokens(source), "laid out:\n{laid_out}");
    if let Err(errors) = parse_script(&mut arena, &laid_out) {
        panic!("laid out:\n{laid_out}\n{}", errors[0].render("laid out", &laid_out));
    }
    // A named term must occur exactly once, so `let` around it cannot be expanded.
    if source.contains(":named") {
        return;
    }

    let expanded = map_terms(&mut arena, &script, |arena, term| {
        let expanded = arena.expand_lets(term);
        assert!(!arena.has_let(expanded), "a `let` remains");
        assert_eq!(arena.sort(expanded), arena.sort(term), "expanding changed a sort");
        expanded
    });
    let shared = map_terms(&mut arena, &expanded, |arena, term| {
        let shared = arena.introduce_lets(term);
        assert_eq!(arena.sort(shared), arena.sort(term), "sharing changed a sort");
        let back = arena.expand_lets(shared);
        assert_eq!(back, term, "{} is not {}", arena.term_text(back), arena.term_text(term));
        shared
    });
    same_after_printing(&mut arena, &shared);
    // Without `let`, terms with much sharing can be exponentially long.
    let mut sizes = Sizes::default();
    let size: u64 = expanded
        .commands
        .iter()
        .flat_map(Command::terms)
        .map(|term| sizes.of(&arena, term))
        .fold(0, u64::saturating_add);
    if size < 100_000 {
        same_after_printing(&mut arena, &expanded);
    }
}

/// The tokens of a valid text, including comments.
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

/// Maps the terms of assertions and queries. Definitions are kept, since their parameters are bound outside the body.
fn map_terms(arena: &mut Arena, script: &Script, mut change: impl FnMut(&mut Arena, Term) -> Term) -> Script {
    let commands = script.commands.iter().map(|command| match command {
        Command::Define(..) => command.clone(),
        _ => command.map_terms(|term| change(arena, term)),
    });
    Script::new(commands.collect())
}
