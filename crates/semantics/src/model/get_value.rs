//! Answers to `get-value` that follow a model: `((/ x 0) 7.0)`.

use smt::lexer::elements;
use smt::{Arena, Scope, Sort, Term, View};

use super::Model;
use crate::definition::NO_DEFINITIONS;
use crate::eval::Evaluator;

/// A term and the value that the solver gives it.
pub(super) struct Answer {
    term: Term,
    value: Term,
}

/// Reads `(TERM VALUE)`.
pub(super) fn read(arena: &mut Arena, scope: &mut Scope, text: &str) -> Option<Answer> {
    let (term, value) = split_pair(text)?;
    let term = smt::parse_term(arena, scope, term).ok()?;
    let term = arena.expand_lets(term);
    let sort = arena.sort(term);
    let value = match of_sort(arena, scope, value, sort) {
        Some(value) => value,
        // Z3 omits the sorts of polymorphic constructors.
        None => {
            let value = super::ascribe::ascribe(arena, value, sort)?;
            of_sort(arena, scope, &value, sort)?
        }
    };
    Some(Answer { term, value })
}

fn of_sort(arena: &mut Arena, scope: &mut Scope, text: &str, sort: Sort) -> Option<Term> {
    let value = smt::parse_term(arena, scope, text).ok()?;
    match (sort, arena.sort(value)) {
        (Sort::REAL, Sort::INT) => Some(arena.to_real(value)),
        (expected, found) => (expected == found).then_some(value),
    }
}

/// Adds answers to a model that is otherwise complete. Skips terms with undetermined arguments.
pub(super) fn add_answers(arena: &Arena, model: &mut Model, answers: &[Answer]) {
    for answer in answers {
        let View::App(op, args) = arena.view(answer.term) else { continue };
        let mut evaluator = Evaluator::new(arena, model, &NO_DEFINITIONS);
        let args: Result<Vec<_>, _> = args.iter().map(|&arg| evaluator.evaluate(arg)).collect();
        let value = evaluator.evaluate(answer.value);
        if let (Ok(args), Ok(value)) = (args, value) {
            model.set_point(op, arena.sort(answer.term), &args, value);
        }
    }
}

/// Splits `(TERM VALUE)`.
fn split_pair(text: &str) -> Option<(&str, &str)> {
    match elements(text)?[..] {
        [term, value] => Some((term, value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::split_pair;

    #[test]
    fn pairs_are_split() {
        let table: [(&str, Option<(&str, &str)>); 6] = [
            ("((/ x 0) (- 2.0))", Some(("(/ x 0)", "(- 2.0)"))),
            ("((f \")(\") \"\")", Some(("(f \")(\")", "\"\""))),
            ("((f |a b|) |c d|)", Some(("(f |a b|)", "|c d|"))),
            ("((f x))", None),
            ("((f x) 1 2)", None),
            ("((f x) 1", None),
        ];
        for (text, expected) in table {
            assert_eq!(split_pair(text), expected, "{text}");
        }
    }
}
