//! Evidence that a person can check by hand: the model, and the values of all subterms under it.

use crate::text::shortened;
use semantics::model::StringDialect;
use semantics::{Evaluator, Model};
use smt::{Arena, Scope, Signatures, Term, parse_in_scope};
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The deepest level of subterms that is shown.
const LEVELS: usize = 6;
/// The most lines for one assertion.
const LINES: usize = 30;
/// Longer terms and values are shortened, in characters.
const LONGEST: usize = 160;

/// Every assertion with the values of its subterms, one indented line each; `None` if the script or the model cannot be read.
pub fn model_values(script: &str, model: &str) -> Option<String> {
    // A panic in the evaluator must not prevent the report.
    catch_unwind(AssertUnwindSafe(|| values(script, model))).ok().flatten()
}

fn values(script: &str, model: &str) -> Option<String> {
    let mut arena = Arena::new(Signatures::standard());
    let mut scope = Scope::default();
    let parsed = parse_in_scope(&mut arena, &mut scope, script).ok()?;
    let model = Model::read(&mut arena, &scope, model, StringDialect::Standard).ok()?;
    let question = semantics::validate::questions(&parsed).pop()?;
    let mut evaluator = Evaluator::new(&arena, &model, &question.definitions);
    let shown = |text: &str| shortened(text, LONGEST);
    let mut out = String::new();
    for &assertion in &question.assertions {
        let mut lines = 0;
        let mut stack: Vec<(Term, usize)> = vec![(assertion, 0)];
        while let Some((term, level)) = stack.pop() {
            let value = match evaluator.evaluate(term) {
                Ok(value) => value.text(&arena, arena.sort(term)),
                // Under a binder, a term has no single value.
                Err(_) if level > 0 => continue,
                Err(reason) => format!("undetermined ({})", reason.text(&arena)),
            };
            let text = arena.term_text(term);
            if lines >= LINES {
                break;
            }
            if text != value {
                lines += 1;
                let _ = writeln!(out, "{}{} = {}", "  ".repeat(level), shown(&text), shown(&value));
            }
            if level < LEVELS && arena.has_no_locals(term) {
                stack.extend(arena.children(term).iter().rev().map(|&child| (child, level + 1)));
            }
        }
    }
    Some(out)
}

/// A model with a line for each definition.
pub fn readable_model(model: &str) -> String {
    smt::layout::pretty(model).map_or_else(|_| model.trim().to_owned(), |text| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::model_values;

    #[test]
    fn subterms_are_shown_with_their_values() {
        let script = "(declare-const x Int)(assert (< (* x x) 5))(assert (distinct x 0))(check-sat)";
        let expected =
            "(< (* x x) 5) = true\n  (* x x) = 4\n    x = 2\n    x = 2\n(distinct x 0) = true\n  x = 2\n";
        assert_eq!(model_values(script, "((define-fun x () Int 2))").as_deref(), Some(expected));
        assert_eq!(model_values("(assert", "()"), None);
    }
}
