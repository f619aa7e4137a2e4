//! The model in hand: does a candidate keep it, and what is a term's value under it?

use crate::state::Typed;
use semantics::{Evaluator, Model, Verdict, validate};
use smt::lexer::{Kind, Lexer};
use smt::{Arena, Script, Term, View};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Whether a model makes every assertion of a script true by our own evaluation.
pub fn satisfies(arena: &Arena, script: &Script, model: &Model) -> bool {
    // A mistake of ours in one theory must not end a reduction: it confirms nothing.
    let judged = catch_unwind(AssertUnwindSafe(|| validate(arena, script, model)));
    matches!(judged, Ok(Verdict::Valid))
}

/// Whether an assertion of a script is false by our own evaluation without any model, so that none can satisfy it.
pub fn refutes_itself(arena: &Arena, script: &Script) -> bool {
    let judged = catch_unwind(AssertUnwindSafe(|| validate(arena, script, &Model::new())));
    matches!(judged, Ok(Verdict::Invalid { .. }))
}

/// The values of closed terms under the model in hand, as terms; those that are as simple as can be already are left out.
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

/// The text with names replaced, token by token: a script and its model are renamed alike.
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

/// A model with one more definition.
pub fn extend(model: &str, definition: &str) -> String {
    let trimmed = model.trim_end();
    match trimmed.strip_suffix(')') {
        // The closing parenthesis is that of the whole model if it stands at the outermost level.
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
    fn names_are_replaced_as_tokens() {
        let names =
            BTreeMap::from([("x".to_owned(), "a".to_owned()), ("odd name".to_owned(), "b".to_owned())]);
        assert_eq!(rename("(= x (f |odd name| xx \"x\" |x|))", &names), "(= a (f b xx \"x\" a))");
    }

    #[test]
    fn a_model_grows_inside_its_parentheses() {
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
    fn what_is_false_without_a_model_has_none() {
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
            assert_eq!(refutes_itself(&typed.arena, &typed.script), expected, "{text}");
        }
    }

    #[test]
    fn closed_terms_have_values() {
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
