//! Grammars for the formulas that a solver searches for: what can be said with the terms of a script.
//!
//! Without a grammar, a solver combines all operators of the logic, and most of what it tries has nothing to do with the script. A grammar
//! of the script's own terms has answers that are near, so they are found soon, and they have the operators of the script.

use super::parts::{Parts, symbols};
use smt::{Arena, Index, Sort, Term};
use std::collections::BTreeMap;

/// The sorts whose terms are compared.
const SORTS: usize = 2;
/// The terms of each of them.
const TERMS: usize = 5;
/// The formulas of the script that count as they are.
const FORMULAS: usize = 3;

/// The grammar, as `get-abduct` and `get-interpolant` take it, over the symbols of these assertions. `name` begins the names of its own
/// symbols, and `hash` chooses the terms. `None` if there are no two terms of a sort, and no formula.
pub(super) fn grammar(parts: &Parts, assertions: &[Term], name: &str, hash: u64) -> Option<String> {
    let arena = &parts.arena;
    let known = symbols(arena, assertions);
    let mut of_sort: BTreeMap<Sort, Vec<Term>> = BTreeMap::new();
    for term in parts.constants().into_iter().chain(parts.closed_subterms(usize::MAX)) {
        if symbols(arena, &[term]).is_subset(&known) {
            of_sort.entry(arena.sort(term)).or_default().push(term);
        }
    }
    let formulas = some_of(&of_sort.remove(&Sort::BOOL).unwrap_or_default(), FORMULAS, hash);
    of_sort.retain(|&sort, terms| terms.len() > 1 && is_compared(arena, sort));
    let sorts: Vec<(Sort, Vec<Term>)> = of_sort.into_iter().collect();
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
        let mut terms = texts(&some_of(terms, TERMS, hash >> 32));
        if let Some((least, operator)) = sum_of(arena, *sort) {
            terms.extend([least, format!("({operator} {symbol} {symbol})")]);
        }
        rules.push_str(&format!(" ({symbol} {sort_text} ({}))", terms.join(" ")));
        let compared = ["="].into_iter().chain(order_of(arena, *sort));
        atoms.extend(compared.map(|operator| format!("({operator} {symbol} {symbol})")));
    }
    let atoms = atoms.join(" ");
    let formula = format!("({name} Bool ({atoms} (not {name}) (and {name} {name}) (or {name} {name})))");
    Some(format!("({symbols}) ({formula}{rules})"))
}

/// Whether solvers decide equations of a sort: they refuse those of regular expressions and functions.
pub(super) fn is_compared(arena: &Arena, sort: Sort) -> bool {
    !matches!(arena.sort_head(sort), "RegLan" | "->")
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

/// A literal of a sort and an operator that makes further terms, so that there is more to find than the terms of the script say.
fn sum_of(arena: &Arena, sort: Sort) -> Option<(String, &'static str)> {
    let node = arena.sort_node(sort);
    Some(match (arena.sort_head(sort), &node.indices[..]) {
        ("Int", _) => ("1".to_owned(), "+"),
        ("Real", _) => ("1.0".to_owned(), "+"),
        ("BitVec", [Index::Num(width)]) => (format!("(_ bv1 {width})"), "bvadd"),
        ("String", _) => ("\"a\"".to_owned(), "str.++"),
        _ => return None,
    })
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
                    "((g Bool) (g-0 Int)) ((g Bool ((< (+ x y) 3) (= g-0 g-0) (<= g-0 g-0) (not g) (and g g) (or g g))) (g-0 Int (x y (+ x y) 1 (+ g-0 g-0))))",
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
            assert_eq!(grammar(&parts, &parts.assertions, "g", 0).as_deref(), expected, "{assertions}");
        }
    }

    #[test]
    fn other_terms_are_chosen_for_other_numbers() {
        let sum: Vec<String> = (0..9).map(|index| format!("x{index}")).collect();
        let declared: String = sum.iter().map(|name| format!("(declare-const {name} Int)")).collect();
        let script = format!("{declared}(assert (= 0 (+ {})))(check-sat)", sum.join(" "));
        let parts = Parts::of_case(&script).unwrap();
        let chosen = |number: u64| grammar(&parts, &parts.assertions, "g", number << 32).unwrap();
        assert_ne!(chosen(1), chosen(2));
        assert_eq!(chosen(1), chosen(11));
    }
}
