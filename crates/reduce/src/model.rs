//! The known model: whether it satisfies a candidate, and the values of terms under it.

use crate::state::Typed;
use semantics::{Evaluator, Model, Verdict, validate};
use smt::lexer::{Kind, Lexer};
use smt::{Arena, Script, Term, View};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Whether a model satisfies every assertion of a script, by our evaluator.
pub fn satisfies(arena: &Arena, script: &Script, model: &Model) -> bool {
    // A bug in our evaluator must not end the reduction. It confirms nothing.
    let judged = catch_unwind(AssertUnwindSafe(|| validate(arena, script, model)));
    matches!(judged, Ok(Verdict::Valid))
}

/// Whether an assertion is false under every model, by our evaluator.
pub fn is_trivially_false(arena: &Arena, script: &Script) -> bool {
    let judged = catch_unwind(AssertUnwindSafe(|| validate(arena, script, &Model::new())));
    matches!(judged, Ok(Verdict::Invalid { .. }))
}

/// The values of closed terms under the known model, as terms. Omits terms that are values already.
pub fn values(typed: &mut Typed, terms: &[Term]) -> BTreeMap<Term, Term> {
    let Some(model) = &typed.model else { return BTreeMap::new() };
    let question = semantics::validate::questions(&typed.script).pop().unwrap_or_default();
    let mut texts = Vec::new();
    {
        let mut evaluator = Evaluator::new(&typed.arena, model, &question.definitions);
        for &term in terms {
            let wanted = !matches!(typed.arena.view(term), View::Literal(..) | View::Local(_));
            if !wanted || !typed.arena.has_no_locals(term) {
                continue;
            }
            let sort = typed.arena.sort(term);
            let value = catch_unwind(AssertUnwindSafe(|| evaluator.evaluate(term)));
            if let Ok(Ok(value)) = value
                && value.is_canonical()
            {
                texts.push((term, value.text(&typed.arena, sort)));
            }
        }
    }
    let mut values = BTreeMap::new();
    for (term, text) in texts {
        let sort = typed.arena.sort(term);
        if let Ok(value) = smt::parse_term(&mut typed.arena, &mut typed.scope, &text)
            && typed.arena.sort(value) == sort
            && value != term
        {
            values.insert(term, value);
        }
    }
    values
}

/// Renames symbols token by token, in a script or in its model.
pub fn rename(text: &str, names: &BTreeMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lexer = Lexer::new(text);
    let mut copied = 0;
    while let Ok(token) = lexer.next_token() {
        if token.kind == Kind::End {
            break;
        }
        let word = lexer.text(token);
        let new = match token.kind {
            Kind::Symbol => names.get(word),
            Kind::Quoted => names.get(&word[1..word.len() - 1]),
            _ => None,
        };
        if let Some(new) = new {
            out.push_str(&text[copied..token.span.start as usize]);
            out.push_str(new);
            copied = token.span.end as usize;
        }
    }
    out.push_str(&text[copied..]);
    out
}

/// Adds a definition to a model.
pub fn extend(model: &str, definition: &str) -> String {
    let trimmed = model.trim_end();
    match trimmed.strip_suffix(')') {
        // A model that is not a bare list of definitions ends with the parenthesis around all of it.
        Some(inner) if trimmed.starts_with('(') && !trimmed.starts_with("(define-") => {
            format!("{inner}\n{definition})")
        }
        _ => format!("{model}\n{definition}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renaming_works_on_tokens() {
        let names =
            BTreeMap::from([("x".to_owned(), "a".to_owned()), ("odd name".to_owned(), "b".to_owned())]);
        assert_eq!(rename("(= x (f |odd name| xx \"x\" |x|))", &names), "(= a (f b xx \"x\" a))");
    }

    #[test]
    fn definitions_are_added_inside_the_parentheses() {
        let one = "(define-fun y () Int 1)";
        for (model, expected) in [
            ("(\n(define-fun x () Int 0)\n)\n", "(\n(define-fun x () Int 0)\n\n(define-fun y () Int 1))"),
            ("(model )", "(model \n(define-fun y () Int 1))"),
            ("(define-fun x () Int 0)", "(define-fun x () Int 0)\n(define-fun y () Int 1)"),
        ] {
            assert_eq!(extend(model, one), expected);
        }
    }

    #[test]
    fn trivially_false_scripts_are_recognised() {
        let table = [
            ("(assert (= 1 2))", true),
            ("(declare-const x Int)(assert (> x 0))(assert (= (str.len \"a\") 2))", true),
            ("(declare-const p Bool)(assert (and p false))", true),
            ("(declare-const x Int)(assert (> x 0))", false),
            ("(assert (= (div 1 0) 7))", false),
            ("(declare-const p Bool)(assert (and p (not p)))", false),
            ("(assert true)", false),
        ];
        for (text, expected) in table {
            let typed = Typed::read(text, None).unwrap();
            assert_eq!(is_trivially_false(&typed.arena, &typed.script), expected, "{text}");
        }
    }

    #[test]
    fn values_of_closed_terms() {
        let script = "(declare-const x Int)(assert (> (+ x 2) 4))(check-sat)";
        let mut typed = Typed::read(script, Some("((define-fun x () Int 3))")).unwrap();
        let root = typed.script.assertions().next().unwrap();
        let sum = typed.arena.children(root)[0];
        let found = values(&mut typed, &[root, sum]);
        let texts: Vec<String> = found.values().map(|&value| typed.arena.term_text(value)).collect();
        assert_eq!(texts, ["5", "true"]);
        assert!(satisfies(&typed.arena, &typed.script, typed.model.as_ref().unwrap()));
    }
}
