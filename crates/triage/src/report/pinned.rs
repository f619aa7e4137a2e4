//! The script with the model in place of the declarations, so that any solver only has to compute.

use smt::sexpr::{Sexpr, read_all};
use std::collections::BTreeMap;

/// Replaces declarations by the definitions of the model. `None` if the script or the model is not a list of s-expressions, or if
/// the model defines no declared symbol.
pub fn with_model(script: &str, model: &str) -> Option<String> {
    let items = read_all(model).ok()?;
    let mut definitions: BTreeMap<String, &str> = BTreeMap::new();
    collect(&items, model, &mut definitions);
    let mut out = String::new();
    let mut put_in = 0;
    for command in read_all(script).ok()? {
        let span = command.span();
        let text = &script[span.start as usize..span.end as usize];
        let words = command.list().unwrap_or_default();
        let head = words.first().and_then(Sexpr::atom);
        let name = words.get(1).and_then(Sexpr::atom);
        match (head, name.and_then(|name| definitions.get(name))) {
            (Some("declare-fun" | "declare-const"), Some(definition)) => {
                put_in += 1;
                out.push_str(definition);
            }
            _ => out.push_str(text),
        }
        out.push('\n');
    }
    (put_in > 0).then_some(out)
}

fn collect<'a>(items: &[Sexpr], text: &'a str, definitions: &mut BTreeMap<String, &'a str>) {
    for item in items {
        let Some(list) = item.list() else { continue };
        match (list.first().and_then(Sexpr::atom), list.get(1).and_then(Sexpr::atom)) {
            (Some("define-fun"), Some(name)) => {
                let span = item.span();
                definitions.insert(name.to_owned(), &text[span.start as usize..span.end as usize]);
            }
            // The model is in parentheses, after the word `model` in older releases.
            _ => collect(list, text, definitions),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::with_model;

    #[test]
    fn declarations_become_definitions() {
        let script = "(declare-fun x () Int)(declare-const y Int)(assert (< x y))(check-sat)";
        let model = "(model (define-fun x () Int (- 1))\n (define-fun z () Int 2))";
        let expected = "(define-fun x () Int (- 1))\n(declare-const y Int)\n(assert (< x y))\n(check-sat)\n";
        assert_eq!(with_model(script, model).as_deref(), Some(expected));
        assert_eq!(with_model(script, "()"), None);
        assert_eq!(with_model("(assert", model), None);
    }
}
