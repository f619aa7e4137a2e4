//! Claims that a script is satisfiable. Each needs a model that our own evaluation confirms for the script's text.

use crate::kit::evaluation::{limits, not_one_question};
use case::Expectation;
use semantics::model::StringDialect;
use semantics::validate::{judge, questions};
use semantics::{Memory, Model, Verdict};
use smt::sexpr::{Sexpr, read_all};
use smt::{Arena, Scope, Signatures, parse_in_scope};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The expectation of a script, given a model that a solver printed for a script with more names. The names in `without` are
/// removed from the model.
pub(super) fn claim(
    signatures: &Arc<Signatures>,
    text: &str,
    model: &str,
    without: &BTreeSet<String>,
) -> Expectation {
    let claimed = restricted(model, without).filter(|model| confirms(signatures, text, model));
    claimed.map_or(Expectation::Unknown, |model| Expectation::Sat { model })
}

/// The model without the definitions of some names.
fn restricted(model: &str, without: &BTreeSet<String>) -> Option<String> {
    let all = read_all(model).ok()?;
    let items = match &all[..] {
        [Sexpr::List(items, _)] => items,
        _ => return None,
    };
    let mut text = String::from("(\n");
    for item in items {
        let Some(parts) = item.list() else { continue };
        let name = parts.get(1).and_then(Sexpr::atom).unwrap_or_default();
        if !without.contains(name) {
            let span = item.span();
            text.push_str(&model[span.start as usize..span.end as usize]);
            text.push('\n');
        }
    }
    text.push(')');
    Some(text)
}

fn confirms(signatures: &Arc<Signatures>, text: &str, model: &str) -> bool {
    let mut arena = Arena::new(signatures.clone());
    let mut scope = Scope::default();
    let Ok(script) = parse_in_scope(&mut arena, &mut scope, text) else { return false };
    if not_one_question(&script).is_some() {
        return false;
    }
    let Ok(model) = Model::read(&mut arena, &scope, model, StringDialect::Standard) else { return false };
    let Some(question) = questions(&script).pop() else { return false };
    matches!(judge(&arena, &question, &model, limits(), Memory::default()).0, Verdict::Valid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_need_a_confirmed_model() {
        let script = "(declare-fun x () Int)\n(assert (> x 2))\n(check-sat)\n";
        let without = BTreeSet::from(["h1".to_owned()]);
        let kept = "(\n(define-fun x () Int 3)\n)".to_owned();
        let table = [
            ("((define-fun x () Int 3) (define-fun h1 () Int 2))", Expectation::Sat { model: kept }),
            ("((define-fun x () Int 2))", Expectation::Unknown),
            ("((define-fun h1 () Int 2))", Expectation::Unknown),
            ("unknown", Expectation::Unknown),
        ];
        for (model, expected) in table {
            assert_eq!(claim(&Signatures::standard(), script, model, &without), expected, "{model}");
        }
    }
}
