//! The abstract domains of Table I and the relations of Table III, for the sorts of all theories.

use crate::kit::constants::boundary;
use smt::print::name_into;
use smt::{Arena, DatatypeId, Head, Index, Literal, Scope, Sort, Symbol, Term, parse_term};

/// The assertions that an expression is in one part of its sort (Table I).
pub(super) fn domains(arena: &mut Arena, scope: &mut Scope, term: Term) -> Vec<Term> {
    let sort = arena.sort(term);
    let mut found = Vec::new();
    match sort {
        Sort::BOOL => {
            for name in ["true", "false"] {
                let value = arena.apply(name, &[]).ok();
                found.extend(value.and_then(|value| equal(arena, term, value)));
            }
        }
        Sort::INT | Sort::REAL => {
            let zero = zero(arena, sort);
            for name in ["=", "<", ">"] {
                found.extend(arena.apply(name, &[term, zero]).ok());
            }
        }
        Sort::STRING => {
            let empty = arena.literal(Literal::String, "", sort);
            is_and_is_not(arena, term, empty, &mut found);
        }
        Sort::ROUNDING_MODE => {
            for mode in boundary(arena, sort) {
                found.extend(equal(arena, term, mode));
            }
        }
        _ => structured(arena, scope, term, sort, &mut found),
    }
    found
}

/// Domains of sorts with widths, elements or constructors.
fn structured(arena: &mut Arena, scope: &mut Scope, term: Term, sort: Sort, found: &mut Vec<Term>) {
    if let Some((exponent, significand)) = arena.float_format(sort) {
        floats(arena, term, &[Index::Num(exponent), Index::Num(significand)], found);
        return;
    }
    if arena.bitvec_width(sort).is_some() {
        // All zeros, then positive, negative, and the extremes of both.
        let edges = boundary(arena, sort);
        let Some(&zero) = edges.first() else { return };
        found.extend(equal(arena, term, zero));
        for name in ["bvsgt", "bvslt"] {
            found.extend(arena.apply(name, &[term, zero]).ok());
        }
        let rest: Vec<Term> = edges.iter().skip(2).take(3).copied().collect();
        for edge in rest {
            found.extend(equal(arena, term, edge));
        }
        found.dedup();
        return;
    }
    if let Some(id) = arena.datatype_of(sort) {
        testers(arena, scope, term, id, found);
        return;
    }
    let simplest = if arena.sort_head(sort) == "Array" { constant_array(arena, sort) } else { None };
    if let Some(simplest) = simplest.or_else(|| boundary(arena, sort).first().copied()) {
        is_and_is_not(arena, term, simplest, found);
    }
}

/// A tester for each constructor, parsed in the scope of the script, which decides their names.
fn testers(arena: &mut Arena, scope: &mut Scope, term: Term, id: DatatypeId, found: &mut Vec<Term>) {
    let constructors: Vec<Symbol> = arena.datatype(id).constructors.iter().map(|one| one.name).collect();
    let name = arena.fresh_symbol("datum");
    let (sort, mark) = (arena.sort(term), scope.local_count());
    let local = arena.local(name, sort);
    scope.bind(name, local);
    for constructor in constructors {
        let mut text = String::from("((_ is ");
        name_into(arena.name(constructor), &mut text);
        text.push_str(") ");
        name_into(arena.name(name), &mut text);
        text.push(')');
        if let Ok(tester) = parse_term(arena, scope, &text) {
            found.push(arena.substitute(tester, &[(local, term)]));
        }
    }
    scope.unbind_to(mark);
}

/// The seven classes of floating-point numbers.
fn floats(arena: &mut Arena, term: Term, format: &[Index], found: &mut Vec<Term>) {
    let mut special = |name: &str| {
        let name = arena.symbol(name);
        arena.apply_head(Head { name, indices: format, ascription: None }, &[]).ok()
    };
    let specials = (special("-oo"), special("-zero"), special("+zero"), special("+oo"));
    let (Some(least), Some(minus), Some(plus), Some(greatest)) = specials else { return };
    found.extend(arena.apply("fp.isNaN", &[term]).ok());
    found.extend(equal(arena, term, least));
    found.extend(between(arena, least, term, minus));
    found.extend(equal(arena, term, minus));
    found.extend(equal(arena, term, plus));
    found.extend(between(arena, plus, term, greatest));
    found.extend(equal(arena, term, greatest));
}

fn between(arena: &mut Arena, low: Term, term: Term, high: Term) -> Option<Term> {
    let above = arena.apply("fp.lt", &[low, term]).ok()?;
    let below = arena.apply("fp.lt", &[term, high]).ok()?;
    arena.apply("and", &[above, below]).ok()
}

/// The array with the simplest element at every index.
fn constant_array(arena: &mut Arena, sort: Sort) -> Option<Term> {
    let element = *arena.sort_node(sort).args.last()?;
    let value = match element {
        Sort::INT | Sort::REAL => zero(arena, element),
        _ => *boundary(arena, element).first()?,
    };
    let name = arena.symbol("const");
    arena.apply_head(Head { name, indices: &[], ascription: Some(sort) }, &[value]).ok()
}

fn is_and_is_not(arena: &mut Arena, term: Term, value: Term, found: &mut Vec<Term>) {
    if let Some(equal) = equal(arena, term, value) {
        found.push(equal);
        found.extend(arena.apply("not", &[equal]).ok());
    }
}

fn equal(arena: &mut Arena, term: Term, value: Term) -> Option<Term> {
    arena.apply("=", &[term, value]).ok()
}

/// Zero as a literal of the sort.
fn zero(arena: &mut Arena, sort: Sort) -> Term {
    match sort {
        Sort::REAL => arena.literal(Literal::Decimal, "0.0", sort),
        _ => arena.literal(Literal::Numeral, "0", sort),
    }
}

/// The assertions that compare two holes (Table III): equality and the orders of the sort. An integer is compared with a real as a
/// real. With `all_orders`, also those of sorts for which the table has only equality, or nothing.
pub(super) fn relations(arena: &mut Arena, one: Term, other: Term, all_orders: bool) -> Vec<Term> {
    let (one, other) = match (arena.sort(one), arena.sort(other)) {
        (Sort::INT, Sort::REAL) => (arena.apply("to_real", &[one]).unwrap_or(one), other),
        (Sort::REAL, Sort::INT) => (one, arena.apply("to_real", &[other]).unwrap_or(other)),
        _ => (one, other),
    };
    let sort = arena.sort(one);
    let mut found = Vec::new();
    if arena.sort(other) != sort {
        return found;
    }
    if let Some(equal) = equal(arena, one, other) {
        found.push(equal);
        found.extend(arena.apply("not", &[equal]).ok());
    }
    let orders: &[&str] = match sort {
        Sort::INT | Sort::REAL => &[">", "<", ">=", "<="],
        _ if arena.float_format(sort).is_some() => &["fp.gt", "fp.lt", "fp.geq", "fp.leq"],
        _ if all_orders && arena.bitvec_width(sort).is_some() => &["bvult", "bvslt"],
        _ if all_orders && arena.sort_head(sort) == "Seq" => &["seq.prefixof", "seq.contains"],
        _ => &[],
    };
    for name in orders {
        found.extend(arena.apply(name, &[one, other]).ok());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::holes::constant;
    use super::*;
    use smt::parse_sort;

    fn texts(arena: &Arena, terms: &[Term]) -> Vec<String> {
        terms.iter().map(|&term| arena.term_text(term)).collect()
    }

    #[test]
    fn table_one_has_every_sort() {
        let table: &[(&str, &[&str])] = &[
            ("Bool", &["(= s1 true)", "(= s1 false)"]),
            ("Int", &["(= s1 0)", "(< s1 0)", "(> s1 0)"]),
            ("Real", &["(= s1 0.0)", "(< s1 0.0)", "(> s1 0.0)"]),
            ("String", &["(= s1 \"\")", "(not (= s1 \"\"))"]),
            (
                "(_ FloatingPoint 5 11)",
                &[
                    "(fp.isNaN s1)",
                    "(= s1 (_ -oo 5 11))",
                    "(and (fp.lt (_ -oo 5 11) s1) (fp.lt s1 (_ -zero 5 11)))",
                    "(= s1 (_ -zero 5 11))",
                    "(= s1 (_ +zero 5 11))",
                    "(and (fp.lt (_ +zero 5 11) s1) (fp.lt s1 (_ +oo 5 11)))",
                    "(= s1 (_ +oo 5 11))",
                ],
            ),
            (
                "(_ BitVec 4)",
                &["(= s1 #x0)", "(bvsgt s1 #x0)", "(bvslt s1 #x0)", "(= s1 #xf)", "(= s1 #x8)", "(= s1 #x7)"],
            ),
            ("RoundingMode", &["(= s1 RNE)", "(= s1 RNA)", "(= s1 RTP)", "(= s1 RTN)", "(= s1 RTZ)"]),
            ("(Seq Int)", &["(= s1 (as seq.empty (Seq Int)))", "(not (= s1 (as seq.empty (Seq Int))))"]),
            (
                "(Array Int Real)",
                &[
                    "(= s1 ((as const (Array Int Real)) 0.0))",
                    "(not (= s1 ((as const (Array Int Real)) 0.0)))",
                ],
            ),
        ];
        let mut arena = Arena::default();
        for (sort, expected) in table {
            let sort = parse_sort(&mut arena, &mut Scope::default(), sort).unwrap();
            let (_, term) = constant(&mut arena, "s", 1, sort);
            let found = domains(&mut arena, &mut Scope::default(), term);
            assert_eq!(texts(&arena, &found), *expected);
        }
    }

    #[test]
    fn table_three_has_every_sort() {
        let table: &[(&str, &[&str])] = &[
            ("Bool", &["=", "not"]),
            ("String", &["=", "not"]),
            ("(_ BitVec 8)", &["=", "not", "bvult", "bvslt"]),
            ("Int", &["=", "not", ">", "<", ">=", "<="]),
            ("Real", &["=", "not", ">", "<", ">=", "<="]),
            ("Float32", &["=", "not", "fp.gt", "fp.lt", "fp.geq", "fp.leq"]),
            ("(Seq Int)", &["=", "not", "seq.prefixof", "seq.contains"]),
            ("(Array Int Int)", &["=", "not"]),
            ("RoundingMode", &["=", "not"]),
        ];
        let mut arena = Arena::default();
        for (sort, expected) in table {
            let sort = parse_sort(&mut arena, &mut Scope::default(), sort).unwrap();
            let (one, other) = (constant(&mut arena, "h", 1, sort).1, constant(&mut arena, "h", 2, sort).1);
            // The paper compares these two sorts by equality, or not at all.
            let few = matches!(expected[2..], ["bvult", ..] | ["seq.prefixof", ..]);
            for (all_orders, expected) in
                [(true, *expected), (false, if few { &expected[..2] } else { expected })]
            {
                let found = relations(&mut arena, one, other, all_orders);
                let heads: Vec<String> = texts(&arena, &found)
                    .iter()
                    .map(|text| text.trim_start_matches('(').split(' ').next().unwrap().to_owned())
                    .collect();
                assert_eq!(heads, expected, "{}", arena.sort_text(sort));
            }
        }
        let (one, other) =
            (constant(&mut arena, "h", 1, Sort::INT).1, constant(&mut arena, "h", 2, Sort::REAL).1);
        let found = relations(&mut arena, one, other, false);
        assert_eq!(
            texts(&arena, &found[..3]),
            ["(= (to_real h1) h2)", "(not (= (to_real h1) h2))", "(> (to_real h1) h2)"]
        );
        let text = constant(&mut arena, "h", 3, Sort::STRING).1;
        assert!(relations(&mut arena, one, text, true).is_empty());
    }
}
