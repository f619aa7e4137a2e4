//! Grammars for the formulas that a solver searches for: what can be said with the terms of a script.
//!
//! Without a grammar, a solver combines all operators of the logic, and most of what it tries has nothing to do with the script. A grammar
//! of the script's own terms has answers that are near, so they are found soon, and they have the operators of the script.

use super::parts::Parts;
use smt::{Arena, Sort, Term};
use std::collections::BTreeMap;

/// The sorts whose terms are compared.
const SORTS: usize = 2;
/// The terms of each of them.
const TERMS: usize = 5;
/// The formulas of the script that count as they are.
const FORMULAS: usize = 3;

/// The grammar, as `get-abduct` and `get-interpolant` take it. `name` begins the names of its symbols, and `hash` chooses the terms. `None`
/// if the script has no two terms of a sort, and no formula.
pub(super) fn grammar(parts: &Parts, name: &str, hash: u64) -> Option<String> {
    let arena = &parts.arena;
    let mut of_sort: BTreeMap<Sort, Vec<Term>> = BTreeMap::new();
    for term in parts.constants().into_iter().chain(parts.closed_subterms(usize::MAX)) {
        of_sort.entry(arena.sort(term)).or_default().push(term);
    }
    let formulas = some_of(&of_sort.remove(&Sort::BOOL).unwrap_or_default(), FORMULAS, hash);
    let sorts: Vec<(Sort, Vec<Term>)> = of_sort.into_iter().filter(|(_, terms)| terms.len() > 1).collect();
    let sorts = some_of(&sorts, SORTS, hash >> 16);
    if formulas.is_empty() && sorts.is_empty() {
        return None;
    }
    let texts = |terms: &[Term]| -> Vec<String> { terms.iter().map(|&term| arena.term_text(term)).collect() };
    let mut atoms = texts(&formulas);
    let (mut symbols, mut rules) = (format!("({name} Bool)"), String::new());
    for (number, (sort, terms)) in sorts.iter().enumerate() {
        let symbol = format!("{name}-{number}");
        let sort_text = arena.sort_text(*sort);
        symbols.push_str(&format!(" ({symbol} {sort_text})"));
        let terms = texts(&some_of(terms, TERMS, hash >> 32)).join(" ");
        rules.push_str(&format!(" ({symbol} {sort_text} ({terms}))"));
        let compared = ["="].into_iter().chain(order_of(arena, *sort));
        atoms.extend(compared.map(|operator| format!("({operator} {symbol} {symbol})")));
    }
    let atoms = atoms.join(" ");
    let formula = format!("({name} Bool ({atoms} (not {name}) (and {name} {name}) (or {name} {name})))");
    Some(format!("({symbols}) ({formula}{rules})"))
}

/// The order of a sort, if it has one that solvers decide well.
fn order_of(arena: &Arena, sort: Sort) -> Option<&'static str> {
    match arena.sort_head(sort) {
        "Int" | "Real" => Some("<="),
        "BitVec" => Some("bvult"),
        "FloatingPoint" => Some("fp.leq"),
        "String" => Some("str.<="),
        _ => None,
    }
}

/// Up to `most` of these, from a place that `hash` chooses.
fn some_of<T: Clone>(all: &[T], most: usize, hash: u64) -> Vec<T> {
    let first = hash.checked_rem(all.len() as u64).unwrap_or_default() as usize;
    all.iter().cycle().skip(first).take(most.min(all.len())).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grammar_has_terms_of_the_script() {
        let declared = "(declare-const x Int)(declare-const y Int)(declare-const s String)";
        // The assertions, and the grammar.
        let table = [
            (
                "(assert (< (+ x y) 3))",
                Some(
                    "((g Bool) (g-0 Int)) ((g Bool ((< (+ x y) 3) (= g-0 g-0) (<= g-0 g-0) (not g) (and g g) (or g g))) (g-0 Int (x y (+ x y))))",
                ),
            ),
            // Terms of a sort are compared if there are two of them.
            (
                "(assert (= (str.len s) 3))",
                Some("((g Bool)) ((g Bool ((= (str.len s) 3) (not g) (and g g) (or g g))))"),
            ),
            ("(assert true)", None),
        ];
        for (assertions, expected) in table {
            let parts = Parts::of_case(&format!("{declared}{assertions}(check-sat)")).unwrap();
            assert_eq!(grammar(&parts, "g", 0).as_deref(), expected, "{assertions}");
        }
    }

    #[test]
    fn other_terms_are_chosen_for_other_numbers() {
        let sum: Vec<String> = (0..9).map(|index| format!("x{index}")).collect();
        let declared: String = sum.iter().map(|name| format!("(declare-const {name} Int)")).collect();
        let script = format!("{declared}(assert (= 0 (+ {})))(check-sat)", sum.join(" "));
        let parts = Parts::of_case(&script).unwrap();
        let chosen = |number: u64| grammar(&parts, "g", number << 32).unwrap();
        assert_ne!(chosen(1), chosen(2));
        assert_eq!(chosen(1), chosen(11));
    }
}
