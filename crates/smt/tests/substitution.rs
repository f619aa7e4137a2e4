//! Substitution on random terms, compared with a second implementation on de Bruijn terms, where nothing can be captured.

use elenchus_smt::rewrite::FreeLocals;
use elenchus_smt::{Arena, Binder, Sort, Term, View};
use proptest::prelude::*;

/// A recipe for a random term; the numbers select variables.
#[derive(Clone, Debug)]
enum Recipe {
    Variable(u8),
    Constant(u8),
    Plus(Box<Recipe>, Box<Recipe>),
    Let(u8, Box<Recipe>, Box<Recipe>),
    Choice(u8, Box<Recipe>),
    Quantified(u8, Box<Recipe>),
}

const NAMES: [&str; 4] = ["x", "y", "z", "c"];

fn recipe() -> impl Strategy<Value = Recipe> {
    let leaf = prop_oneof![(0..4u8).prop_map(Recipe::Variable), (0..4u8).prop_map(Recipe::Constant)];
    leaf.prop_recursive(6, 40, 2, |inner| {
        let boxed = inner.prop_map(Box::new).boxed();
        prop_oneof![
            (boxed.clone(), boxed.clone()).prop_map(|(a, b)| Recipe::Plus(a, b)),
            (0..4u8, boxed.clone(), boxed.clone()).prop_map(|(n, a, b)| Recipe::Let(n, a, b)),
            (0..4u8, boxed.clone()).prop_map(|(n, a)| Recipe::Choice(n, a)),
            (0..4u8, boxed).prop_map(|(n, a)| Recipe::Quantified(n, a)),
        ]
    })
}

fn local(arena: &mut Arena, name: u8) -> Term {
    let name = arena.symbol(NAMES[name as usize]);
    arena.local(name, Sort::INT)
}

/// A declared constant, which may have the name of a variable.
fn constant(arena: &mut Arena, name: u8) -> Term {
    let name = arena.symbol(NAMES[name as usize]);
    let op = arena.function(name, &[], Sort::INT);
    arena.apply_op(op, &[]).unwrap()
}

/// Builds an integer term from a recipe. Constants occur only where no binder would capture their name.
fn build(arena: &mut Arena, recipe: &Recipe, bound: &mut Vec<u8>) -> Term {
    match recipe {
        Recipe::Variable(name) => local(arena, *name),
        Recipe::Constant(name) if bound.contains(name) => local(arena, *name),
        Recipe::Constant(name) => constant(arena, *name),
        Recipe::Plus(a, b) => {
            let args = [build(arena, a, bound), build(arena, b, bound)];
            arena.apply("+", &args).unwrap()
        }
        Recipe::Let(name, value, body) => {
            let value = build(arena, value, bound);
            bound.push(*name);
            let body = build(arena, body, bound);
            bound.pop();
            let name = local(arena, *name);
            arena.let_term(&[name], &[value], body)
        }
        Recipe::Choice(name, body) | Recipe::Quantified(name, body) => {
            bound.push(*name);
            let body = build(arena, body, bound);
            bound.pop();
            let variable = local(arena, *name);
            let formula = arena.apply("=", &[variable, body]).unwrap();
            if matches!(recipe, Recipe::Choice(..)) {
                return arena.binder(Binder::Choice, &[variable], &[formula], Sort::INT);
            }
            let quantified = arena.quantifier(Binder::Forall, &[variable], formula);
            let zero = arena.literal(elenchus_smt::Literal::Numeral, "0", Sort::INT);
            arena.apply("ite", &[quantified, zero, zero]).unwrap()
        }
    }
}

/// Prints a term with de Bruijn indices for bound variables, `let` expanded on request, and free variables replaced.
fn de_bruijn(
    arena: &Arena,
    term: Term,
    scope: &mut Vec<(Term, Option<String>)>,
    replace: &[(Term, String)],
    expand: bool,
) -> String {
    match arena.view(term) {
        View::Local(_) => {
            if let Some(at) = scope.iter().rev().position(|(name, _)| *name == term) {
                let entry = &scope[scope.len() - 1 - at];
                return match &entry.1 {
                    Some(value) => value.clone(),
                    None => format!(
                        "#{}",
                        scope[scope.len() - 1 - at..].iter().filter(|(_, value)| value.is_none()).count()
                    ),
                };
            }
            match replace.iter().find(|(name, _)| *name == term) {
                Some((_, value)) => value.clone(),
                None => format!("free {}", arena.term_text(term)),
            }
        }
        View::Let { names, values, body } => {
            let value = de_bruijn(arena, values[0], scope, replace, expand);
            if expand {
                // Only closed values can be moved under binders as text, and the test uses only those.
                scope.push((names[0], Some(value)));
                let body = de_bruijn(arena, body, scope, replace, expand);
                scope.pop();
                return body;
            }
            scope.push((names[0], None));
            let body = de_bruijn(arena, body, scope, replace, expand);
            scope.pop();
            format!("(let {value} {body})")
        }
        View::Binder { variables, bodies, kind } => {
            scope.push((variables[0], None));
            let body = de_bruijn(arena, bodies[0], scope, replace, expand);
            scope.pop();
            format!("({kind:?} {body})")
        }
        View::App(op, args) => {
            let args: Vec<String> =
                args.iter().map(|&arg| de_bruijn(arena, arg, scope, replace, expand)).collect();
            format!("({} {})", arena.op_name(op), args.join(" "))
        }
        _ => arena.term_text(term),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn substitution_captures_nothing_and_preserves_sorts(term in recipe(), value in recipe(), name in 0..4u8) {
        let mut arena = Arena::default();
        let term = build(&mut arena, &term, &mut Vec::new());
        let value = build(&mut arena, &value, &mut Vec::new());
        let variable = local(&mut arena, name);
        let result = arena.substitute(term, &[(variable, value)]);
        prop_assert_eq!(arena.sort(result), arena.sort(term));
        let value_text = de_bruijn(&arena, value, &mut Vec::new(), &[], false);
        let expected = de_bruijn(&arena, term, &mut Vec::new(), &[(variable, value_text)], false);
        let actual = de_bruijn(&arena, result, &mut Vec::new(), &[], false);
        prop_assert_eq!(actual, expected);
        let mut free = FreeLocals::default();
        let before = free.of(&arena, term);
        let mut wanted: Vec<Term> = before.iter().copied().filter(|&other| other != variable).collect();
        if before.contains(&variable) {
            wanted.extend(free.of(&arena, value).iter());
        }
        wanted.sort_unstable();
        wanted.dedup();
        prop_assert_eq!(free.of(&arena, result).to_vec(), wanted);
        // No binder may capture a declared constant with the name of its variable.
        for node in elenchus_smt::rewrite::post_order(&arena, &[result]) {
            if let View::Binder { variables, bodies, .. } = arena.view(node) {
                let View::Local(bound) = arena.view(variables[0]) else { unreachable!() };
                let inside = elenchus_smt::rewrite::post_order(&arena, bodies);
                let captured = inside.iter().any(|&part| matches!(arena.view(part), View::App(op, []) if arena.op(op).name == bound));
                prop_assert!(!captured, "{}", arena.term_text(result));
            }
        }
    }

    #[test]
    fn expanding_lets_preserves_the_term(term in recipe()) {
        let mut arena = Arena::default();
        let term = build(&mut arena, &term, &mut Vec::new());
        let expanded = arena.expand_lets(term);
        prop_assert!(!arena.has_let(expanded));
        prop_assert_eq!(arena.sort(expanded), arena.sort(term));
        let mut free = FreeLocals::default();
        let subset = free.of(&arena, expanded).iter().all(|local| free.of(&arena, term).contains(local));
        prop_assert!(subset);
        let named = arena.introduce_lets(expanded);
        prop_assert_eq!(arena.expand_lets(named), expanded);
        if !arena.has_binder(term) {
            let read = de_bruijn(&arena, term, &mut Vec::new(), &[], true);
            prop_assert_eq!(de_bruijn(&arena, expanded, &mut Vec::new(), &[], false), read);
        }
    }
}
