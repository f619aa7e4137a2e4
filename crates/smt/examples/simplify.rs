//! Simplifies the Boolean structure of a script: `simplify FILE`.
//!
//! Shows how to rewrite terms: each node gets its children already simplified, and returns what replaces it.

use elenchus_smt::rewrite::rebuild;
use elenchus_smt::{Arena, Script, Term, View, layout, parse_script};
use std::process::ExitCode;

/// The term that replaces a node, if a rule applies to it.
fn simplified(arena: &mut Arena, node: Term) -> Option<Term> {
    let View::App(op, args) = arena.view(node) else { return None };
    let is =
        |term: Term, name: &str| matches!(arena.view(term), View::App(op, []) if arena.op_name(op) == name);
    match (arena.op_name(op), args) {
        ("not", &[inner]) => match arena.view(inner) {
            View::App(op, &[innermost]) if arena.op_name(op) == "not" => Some(innermost),
            _ if is(inner, "true") => arena.apply("false", &[]).ok(),
            _ if is(inner, "false") => arena.apply("true", &[]).ok(),
            _ => None,
        },
        ("and", &[a, b]) if a == b || is(b, "true") => Some(a),
        ("and", &[a, b]) if is(a, "true") || is(b, "false") => Some(b),
        ("or", &[a, b]) if a == b || is(b, "false") => Some(a),
        ("or", &[a, b]) if is(a, "false") || is(b, "true") => Some(b),
        ("=", &[a, b]) if a == b => arena.apply("true", &[]).ok(),
        ("ite", &[condition, _, _]) if is(condition, "true") => Some(args[1]),
        ("ite", &[condition, _, _]) if is(condition, "false") => Some(args[2]),
        ("ite", &[_, a, b]) if a == b => Some(a),
        _ => None,
    }
}

fn simplify(source: &str) -> Result<String, String> {
    let mut arena = Arena::default();
    let script = parse_script(&mut arena, source)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
    let commands = script.commands.iter();
    let commands =
        commands.map(|command| command.map_terms(|term| rebuild(&mut arena, &[term], simplified)[0]));
    let script = Script::new(commands.collect());
    layout::pretty(&arena.script_text(&script)).map_err(|error| error.to_string())
}

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("usage: simplify FILE");
        return ExitCode::from(2);
    };
    match std::fs::read_to_string(&file).map_err(|error| error.to_string()).and_then(|text| simplify(&text)) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{file}: {message}");
            ExitCode::FAILURE
        }
    }
}
