//! Replacements of a term: simpler terms of the same sort.

use crate::defaults::{defaults, is_simplest};
use crate::state::Typed;
use smt::rewrite::FreeLocals;
use smt::{Binder, Head, Literal, Sort, Term, View};

/// How many sub-terms to visit in search of one with the right sort.
const MAX_VISITED: usize = 40;
/// How many sub-terms to offer as replacements.
const MAX_OFFERED: usize = 8;

/// Terms of the same sort that are simpler than `term`, largest change first.
pub fn simpler(typed: &mut Typed, term: Term) -> Vec<Term> {
    let sort = typed.arena.sort(term);
    let mut found = Vec::new();
    if matches!(typed.arena.view(term), View::Local(_)) {
        found.extend(defaults(typed, sort));
        return found;
    }
    if !is_simplest(&typed.arena, term) {
        found.extend(defaults(typed, sort));
    }
    found.extend(parts(typed, term));
    found.extend(variables(typed, sort));
    found.extend(fewer_arguments(typed, term));
    found.extend(without_binding(typed, term));
    found.extend(smaller_literals(typed, term));
    found.extend(without_negation(typed, term));
    found.extend(flattened(typed, term));
    let mut seen = Vec::with_capacity(found.len());
    for new in found {
        if new != term && !seen.contains(&new) {
            seen.push(new);
        }
    }
    seen
}

/// Sub-terms that have the sort of the term and mention no variable bound inside it, nearest first.
///
/// Equally near ones come largest first, since those are the most likely to show the bug, or
/// [smallest first](Typed::smallest_first).
pub fn parts(typed: &mut Typed, term: Term) -> Vec<Term> {
    let arena = &typed.arena;
    let sort = arena.sort(term);
    let mut free = FreeLocals::default();
    let mut sizes = smt::Sizes::default();
    let visible = free.of(arena, term);
    let mut found = Vec::new();
    let mut level: Vec<Term> = arena.children(term).to_vec();
    let mut visited = 0;
    while !level.is_empty() {
        level.sort_by_cached_key(|&part| std::cmp::Reverse(sizes.of(arena, part)));
        if typed.smallest_first {
            level.reverse();
        }
        let mut below = Vec::new();
        for part in level {
            visited += 1;
            if visited > MAX_VISITED || found.len() >= MAX_OFFERED {
                return found;
            }
            let closed =
                arena.has_no_locals(part) || free.of(arena, part).iter().all(|local| visible.contains(local));
            if closed && arena.sort(part) == sort && !found.contains(&part) {
                found.push(part);
            }
            below.extend(arena.children(part));
        }
        level = below;
    }
    found
}

/// The first declared constants of a sort.
fn variables(typed: &mut Typed, sort: Sort) -> Vec<Term> {
    let of_sort: Vec<_> =
        typed.constants().into_iter().filter(|(_, op)| typed.rank(*op).1 == sort).take(2).collect();
    of_sort.into_iter().map(|(_, op)| typed.arena.app_unchecked(op, &[], sort)).collect()
}

/// The same operator with fewer arguments: half of them, and so on down to all but one.
pub fn fewer_arguments(typed: &mut Typed, term: Term) -> Vec<Term> {
    let View::App(op, args) = typed.arena.view(term) else { return Vec::new() };
    let (args, sort) = (args.to_vec(), typed.arena.sort(term));
    let node = typed.arena.op(op).clone();
    if args.len() < 2 || !matches!(node.kind, smt::OpKind::Theory(_)) {
        return Vec::new();
    }
    let head = Head { name: node.name, indices: &node.indices, ascription: node.ascription };
    let mut made = Vec::new();
    for args in without_chunks(&args) {
        if let Ok(new) = typed.arena.apply_head(head, &args)
            && typed.arena.sort(new) == sort
        {
            made.push(new);
        }
    }
    made
}

/// Flattens nested applications of one operator: `(- (- x y) z)` becomes `(- x y z)`.
fn flattened(typed: &mut Typed, term: Term) -> Vec<Term> {
    let View::App(op, args) = typed.arena.view(term) else { return Vec::new() };
    let (args, sort) = (args.to_vec(), typed.arena.sort(term));
    let node = typed.arena.op(op).clone();
    let mut made = Vec::new();
    for (index, &inner) in args.iter().enumerate() {
        if let View::App(other, parts) = typed.arena.view(inner)
            && other == op
            && parts.len() > 1
        {
            let all: Vec<Term> =
                args[..index].iter().chain(parts).chain(&args[index + 1..]).copied().collect();
            let head = Head { name: node.name, indices: &node.indices, ascription: node.ascription };
            if let Ok(new) = typed.arena.apply_head(head, &all)
                && typed.arena.sort(new) == sort
            {
                made.push(new);
            }
        }
    }
    made
}

/// Relations and their negations.
const NEGATED: [(&str, &str); 6] =
    [("=", "distinct"), ("distinct", "="), ("<", ">="), (">=", "<"), ("<=", ">"), (">", "<=")];

/// Pushes a negation into a relation, or through a quantifier.
fn without_negation(typed: &mut Typed, term: Term) -> Option<Term> {
    let inner = negated(typed, term)?;
    if let Some(opposite) = opposite(typed, inner) {
        return Some(opposite);
    }
    let View::Binder { kind, variables, bodies } = typed.arena.view(inner) else { return None };
    let kind = match kind {
        Binder::Forall => Binder::Exists,
        Binder::Exists => Binder::Forall,
        _ => return None,
    };
    let (variables, body) = (variables.to_vec(), bodies[0]);
    let body = negated(typed, body).or_else(|| opposite(typed, body))?;
    Some(typed.arena.quantifier(kind, &variables, body))
}

/// The operand of a negation.
fn negated(typed: &Typed, term: Term) -> Option<Term> {
    match typed.arena.view(term) {
        View::App(op, [inner]) if typed.arena.op_name(op) == "not" => Some(*inner),
        _ => None,
    }
}

/// The negation of a relation between two terms.
fn opposite(typed: &mut Typed, term: Term) -> Option<Term> {
    let View::App(op, args) = typed.arena.view(term) else { return None };
    let args: [Term; 2] = args.try_into().ok()?;
    let (_, name) = NEGATED.iter().find(|(name, _)| *name == typed.arena.op_name(op))?;
    typed.arena.apply(name, &args).ok()
}

/// Removes all or part of a binder, `let`, `match` or annotation.
fn without_binding(typed: &mut Typed, term: Term) -> Vec<Term> {
    match typed.arena.view(term) {
        View::Annotated { body, attributes, terms } => {
            let mut found = vec![body];
            if !terms.is_empty() {
                let named = attributes.iter().filter(|attribute| {
                    !matches!(attribute.value, smt::AttributeValue::Term | smt::AttributeValue::Terms(_))
                });
                let plain: Vec<_> = named.cloned().collect();
                if !plain.is_empty() {
                    found.push(typed.arena.annotated(body, plain, &[]));
                }
            }
            found
        }
        View::Let { names, values, body } => {
            let (names, values) = (names.to_vec(), values.to_vec());
            let mut found = Vec::new();
            let pairs: Vec<(Term, Term)> = names.iter().copied().zip(values.iter().copied()).collect();
            found.push(typed.arena.substitute(body, &pairs));
            if names.len() > 1 {
                for index in 0..names.len() {
                    let rest = |list: &[Term]| -> Vec<Term> {
                        let kept = list.iter().enumerate().filter(|(at, _)| *at != index);
                        kept.map(|(_, &term)| term).collect()
                    };
                    let inner = typed.arena.substitute(body, &[pairs[index]]);
                    // The value may mention an outer variable with the name of one still bound here.
                    let captured = FreeLocals::default()
                        .of(&typed.arena, values[index])
                        .iter()
                        .any(|local| names.contains(local));
                    if !captured {
                        found.push(typed.arena.let_term(&rest(&names), &rest(&values), inner));
                    }
                }
            }
            found
        }
        View::Binder { kind: kind @ (Binder::Forall | Binder::Exists), variables, bodies } => {
            let (variables, body) = (variables.to_vec(), bodies[0]);
            quantifier(typed, kind, &variables, body)
        }
        View::Match { bodies, patterns, .. } => {
            let found: Vec<(Vec<Term>, Term)> = patterns
                .iter()
                .zip(bodies)
                .map(|(pattern, &body)| match pattern {
                    smt::Pattern::Constructor(_, variables) => (variables.to_vec(), body),
                    smt::Pattern::Variable(variable) => (vec![*variable], body),
                })
                .collect();
            found.into_iter().filter_map(|(variables, body)| instance(typed, &variables, body)).collect()
        }
        _ => Vec::new(),
    }
}

/// A quantified formula with fewer variables. Replaces a variable by a simple value or a declared constant.
fn quantifier(typed: &mut Typed, kind: Binder, variables: &[Term], body: Term) -> Vec<Term> {
    let mut found: Vec<Term> = instance(typed, variables, body).into_iter().collect();
    for (index, &variable) in variables.iter().enumerate() {
        let rest: Vec<Term> =
            variables.iter().enumerate().filter(|(at, _)| *at != index).map(|(_, &term)| term).collect();
        let sort = typed.arena.sort(variable);
        let mut values = defaults(typed, sort);
        values.extend(self::variables(typed, sort));
        let used = FreeLocals::default().of(&typed.arena, body).contains(&variable);
        // An unused variable needs no value.
        let bodies: Vec<Term> = if used {
            values.into_iter().map(|value| typed.arena.substitute(body, &[(variable, value)])).collect()
        } else {
            vec![body]
        };
        for body in bodies {
            found.push(if rest.is_empty() { body } else { typed.arena.quantifier(kind, &rest, body) });
        }
    }
    found
}

/// Replaces variables in a body by simple values.
fn instance(typed: &mut Typed, variables: &[Term], body: Term) -> Option<Term> {
    let mut pairs = Vec::with_capacity(variables.len());
    for &variable in variables {
        let sort = typed.arena.sort(variable);
        let mut values = defaults(typed, sort);
        values.extend(self::variables(typed, sort));
        pairs.push((variable, *values.first()?));
    }
    Some(typed.arena.substitute(body, &pairs))
}

/// Numbers closer to zero, and shorter strings.
fn smaller_literals(typed: &mut Typed, term: Term) -> Vec<Term> {
    let View::Literal(literal, symbol) = typed.arena.view(term) else { return Vec::new() };
    let text = typed.arena.name(symbol).to_owned();
    let sort = typed.arena.sort(term);
    let texts: Vec<String> = match literal {
        Literal::Numeral => smaller_numbers(&text),
        Literal::Decimal => match text.split_once('.') {
            Some((whole, fraction)) => {
                let mut all = vec![format!("{whole}.0")];
                if fraction.len() > 1 {
                    all.push(format!("{whole}.{}", &fraction[..1]));
                }
                all.extend(smaller_numbers(whole).into_iter().map(|whole| format!("{whole}.0")));
                all
            }
            None => Vec::new(),
        },
        Literal::Hex | Literal::Binary => {
            let (mark, digits) = text.split_at(2.min(text.len()));
            let mut all = Vec::new();
            for (at, digit) in digits.bytes().enumerate() {
                if digit != b'0' {
                    all.push(format!("{mark}{}0{}", &digits[..at], &digits[at + 1..]));
                    if digit != b'1' {
                        all.push(format!("{mark}{}1{}", &digits[..at], &digits[at + 1..]));
                    }
                }
            }
            all
        }
        Literal::String => shorter_strings(&text),
        Literal::BvDecimal => {
            let digits = text.trim_start_matches("bv");
            smaller_numbers(digits).into_iter().map(|number| format!("bv{number}")).collect()
        }
        Literal::Char | Literal::Field => Vec::new(),
    };
    texts.into_iter().map(|text| typed.arena.literal(literal, &text, sort)).collect()
}

fn smaller_numbers(digits: &str) -> Vec<String> {
    match digits.parse::<u128>() {
        Ok(number) => {
            let mut smaller = vec![0, 1, 2, number / 2, number.saturating_sub(1)];
            smaller.retain(|new| *new < number);
            smaller.dedup();
            smaller.iter().map(u128::to_string).collect()
        }
        Err(_) => vec!["0".into(), "1".into(), digits[..digits.len() / 2].to_owned()],
    }
}

/// A list without each of its chunks: halves first, then quarters, and so on down to single items.
fn without_chunks<T: Copy>(items: &[T]) -> Vec<Vec<T>> {
    let mut shorter = Vec::new();
    let mut size = items.len() / 2;
    while size >= 1 {
        for start in (0..items.len()).step_by(size) {
            let end = (start + size).min(items.len());
            shorter.push(items[..start].iter().chain(&items[end..]).copied().collect());
        }
        size /= 2;
    }
    shorter
}

fn shorter_strings(text: &str) -> Vec<String> {
    // A doubled quote or an escape sequence is one character.
    let mut pieces: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' if rest.starts_with("\"\"") => 2,
            '\\' if rest.starts_with("\\u{") => rest.find('}').map_or(1, |end| end + 1),
            '\\' if rest.starts_with("\\u") && rest.len() >= 6 && rest.is_char_boundary(6) => 6,
            first => first.len_utf8(),
        };
        let (piece, later) = rest.split_at(length);
        pieces.push(piece);
        rest = later;
    }
    let mut all: Vec<String> = without_chunks(&pieces).iter().map(|kept| kept.concat()).collect();
    all.extend(pieces.iter().filter(|piece| piece.len() > 1).map(|piece| text.replace(piece, "a")));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacements_are_simpler_terms_of_the_same_sort() {
        let table = [
            ("(and p q (not p))", "true false (not p) p q (and q (not p)) (and p (not p)) (and p q)"),
            (
                "(+ x (str.len (str.++ s t)) 12)",
                "0 1 (str.len (str.++ s t)) x 12 (+ (str.len (str.++ s t)) 12) (+ x 12) (+ x (str.len (str.++ s t)))",
            ),
            ("12", "0 1 x 2 6 11"),
            ("\"ab\"", "\"\" s t \"b\" \"a\""),
            ("(forall ((y Int)) (> y x))", "true false p q (> 0 x) (> 1 x) (> x x)"),
            ("(let ((y (+ x x))) (= y x))", "true false p q (= (+ x x) x)"),
            ("#b01", "#b00"),
            ("(- (- x 1) 2)", "0 1 (- x 1) 2 x (- 2) (- (- x 1)) (- x 1 2)"),
            ("(not (< x 1))", "true false (< x 1) p q (>= x 1)"),
            (
                "(not (exists ((y Int)) (= y x)))",
                "true false (exists ((y Int)) (= y x)) p q (forall ((y Int)) (distinct y x))",
            ),
        ];
        let declarations = "(declare-const x Int)(declare-const p Bool)(declare-const q Bool)\
            (declare-const s String)(declare-const t String)";
        for (source, expected) in table {
            let mut typed = Typed::read(declarations, None).unwrap();
            let term = smt::parse_term(&mut typed.arena, &mut typed.scope, source).unwrap();
            let found = simpler(&mut typed, term);
            let texts: Vec<String> = found.iter().map(|&new| typed.arena.term_text(new)).collect();
            assert_eq!(texts.join(" "), expected, "{source}");
        }
    }
}
