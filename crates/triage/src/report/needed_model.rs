//! The part of a model that a script needs.

use smt::sexpr::{Sexpr, read_all};
use std::collections::BTreeSet;

/// The definitions of a model that the script needs. A reduced script has fewer symbols than the case that the model was made for.
/// A model with anything but definitions stays as it is.
pub fn needed_model(script: &str, model: &str) -> String {
    needed(script, model).unwrap_or_else(|| model.to_owned())
}

fn needed(script: &str, model: &str) -> Option<String> {
    let (script, items) = (read_all(script).ok()?, read_all(model).ok()?);
    let [Sexpr::List(definitions, _)] = items.as_slice() else { return None };
    let mut names = BTreeSet::new();
    add_atoms(&script, &mut names);
    let mut left: Vec<(&str, &Sexpr)> = Vec::new();
    for definition in definitions {
        let [head, name, ..] = definition.list()? else { return None };
        left.push((name.atom().filter(|_| head.atom() == Some("define-fun"))?, definition));
    }
    // A definition may use others, whatever their order.
    let mut kept: BTreeSet<u32> = BTreeSet::new();
    loop {
        let (used, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|(name, _)| names.contains(name));
        if used.is_empty() {
            break;
        }
        for (_, definition) in used {
            kept.insert(definition.span().start);
            add_atoms(std::slice::from_ref(definition), &mut names);
        }
        left = others;
    }
    let texts = definitions.iter().map(Sexpr::span).filter(|span| kept.contains(&span.start));
    let texts: Vec<&str> = texts.map(|span| &model[span.start as usize..span.end as usize]).collect();
    Some(format!("({})", texts.join("\n")))
}

fn add_atoms<'a>(items: &'a [Sexpr], names: &mut BTreeSet<&'a str>) {
    let mut stack: Vec<&Sexpr> = items.iter().collect();
    while let Some(item) = stack.pop() {
        match (item.atom(), item.list()) {
            (Some(atom), _) => drop(names.insert(atom)),
            (None, list) => stack.extend(list.unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::needed_model;

    #[test]
    fn a_model_is_shown_without_what_the_script_does_not_use() {
        let script = "(declare-const x Int)(assert (< (f x) 5))(check-sat)";
        let table = [
            ("((define-fun x () Int 2)(define-fun y () Int 3))", "((define-fun x () Int 2))"),
            (
                "((define-fun g ((a Int)) Int a) (define-fun f ((a Int)) Int (g a)) (define-fun h () Int 1))",
                "((define-fun g ((a Int)) Int a)\n(define-fun f ((a Int)) Int (g a)))",
            ),
            (
                "((declare-fun u () U)(define-fun y () Int 3))",
                "((declare-fun u () U)(define-fun y () Int 3))",
            ),
            ("((define-fun", "((define-fun"),
        ];
        for (model, expected) in table {
            assert_eq!(needed_model(script, model), expected);
        }
    }
}
