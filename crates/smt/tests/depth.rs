//! Deep terms do not overflow the stack: a million nested applications, a hundred thousand nested `let`s.

use elenchus_smt::{Arena, Sizes, parse_script};

/// Parses, prints, parses again, and applies every kind of traversal.
fn exercise(source: &str) {
    let mut arena = Arena::default();
    let script = parse_script(&mut arena, source).unwrap();
    let printed = arena.script_text(&script);
    let again = parse_script(&mut arena, &printed).unwrap();
    assert_eq!(script.commands, again.commands);
    let root = script.assertions().next().unwrap();
    let expanded = arena.expand_lets(root);
    assert!(!arena.has_let(expanded));
    let named = arena.introduce_lets(expanded);
    assert_eq!(arena.expand_lets(named), expanded);
    let mut sizes = Sizes::default();
    let size = sizes.of(&arena, root);
    let path = sizes.nth(&arena, root, size - 1).unwrap();
    let leaf = arena.at(root, &path).unwrap();
    assert_eq!(arena.replace_at(root, &path, leaf), root);
    let features = arena.features(&script);
    assert!(!features.quantifiers);
    elenchus_smt::layout::pretty(source).unwrap();
}

#[test]
fn a_million_nested_applications() {
    let depth = 1_000_000;
    let source = format!("(declare-const p Bool)(assert {}p{})", "(not ".repeat(depth), ")".repeat(depth));
    exercise(&source);
}

#[test]
fn a_hundred_thousand_nested_lets() {
    let depth = 100_000;
    let mut source = String::from("(declare-const x0 Int)(assert ");
    for at in 0..depth {
        source.push_str(&format!("(let ((x{} (+ x{at} x{at}))) ", at + 1));
    }
    source.push_str(&format!("(= x{depth} 0){})", ")".repeat(depth)));
    exercise(&source);
}

#[test]
fn deeply_nested_quantifiers_and_sorts() {
    let depth = 20_000;
    let source = format!("(assert {}true{})", "(forall ((x Int)) ".repeat(depth), ")".repeat(depth));
    let mut arena = Arena::default();
    let script = parse_script(&mut arena, &source).unwrap();
    let root = script.assertions().next().unwrap();
    assert_eq!(arena.expand_lets(root), root);
    let sort = format!("(declare-const x {}Int{})", "(Seq ".repeat(depth), ")".repeat(depth));
    assert!(parse_script(&mut arena, &sort).is_err());
    let value = format!("(simplify {}1{})", "(seq.unit ".repeat(depth), ")".repeat(depth));
    assert!(parse_script(&mut arena, &value).is_err());
}

/// The size of these sorts doubles with every definition.
#[test]
fn sorts_of_exponential_size_are_rejected() {
    let mut source = String::from("(define-sort S0 () Int)");
    for at in 0..60 {
        source.push_str(&format!("(define-sort S{} () (Array S{at} S{at}))", at + 1));
    }
    assert!(parse_script(&mut Arena::default(), &source).is_err());
}
