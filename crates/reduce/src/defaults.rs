//! The simplest values of each sort.

use crate::state::Typed;
use smt::{Arena, Sort, Term, View};

/// The simplest values of a sort, simplest first. Empty if the sort has no literal values.
pub fn defaults(typed: &mut Typed, sort: Sort) -> Vec<Term> {
    let texts = texts(&typed.arena, sort, 0);
    let read = |text: &String| {
        let term = smt::parse_term(&mut typed.arena, &mut typed.scope, text).ok()?;
        (typed.arena.sort(term) == sort).then_some(term)
    };
    texts.iter().filter_map(read).collect()
}

/// Sorts nested deeper than this have no default, which bounds the recursion.
const MAX_DEPTH: usize = 4;

fn texts(arena: &Arena, sort: Sort, depth: usize) -> Vec<String> {
    let one = |text: &str| vec![text.to_owned()];
    match sort {
        Sort::BOOL => return ["true", "false"].map(str::to_owned).to_vec(),
        Sort::INT => return ["0", "1"].map(str::to_owned).to_vec(),
        Sort::REAL => return ["0.0", "1.0"].map(str::to_owned).to_vec(),
        Sort::STRING => return one("\"\""),
        Sort::REGLAN => return ["re.none", "re.all"].map(str::to_owned).to_vec(),
        Sort::ROUNDING_MODE => return one("RNE"),
        _ => {}
    }
    if let Some(width) = arena.bitvec_width(sort) {
        return bits(width);
    }
    if let Some((exponent, significand)) = arena.float_format(sort) {
        return vec![format!("(_ +zero {exponent} {significand})")];
    }
    if depth > MAX_DEPTH {
        return Vec::new();
    }
    let text = arena.sort_text(sort);
    let node = arena.sort_node(sort);
    match arena.sort_head(sort) {
        "Array" => {
            let inner = node.args.last().map_or_else(Vec::new, |&element| texts(arena, element, depth + 1));
            inner.first().map(|value| format!("((as const {text}) {value})")).into_iter().collect()
        }
        "Seq" => vec![format!("(as seq.empty {text})")],
        "Set" => vec![format!("(as set.empty {text})")],
        "Bag" => vec![format!("(as bag.empty {text})")],
        _ => datatype(arena, sort, depth),
    }
}

fn bits(width: u64) -> Vec<String> {
    match usize::try_from(width) {
        Ok(width) if width <= 1 << 16 => {
            let zeros = |digits: usize| "0".repeat(digits);
            if width.is_multiple_of(4) {
                let digits = width / 4;
                vec![format!("#x{}", zeros(digits)), format!("#x{}1", zeros(digits - 1))]
            } else {
                vec![format!("#b{}", zeros(width)), format!("#b{}1", zeros(width - 1))]
            }
        }
        _ => vec![format!("(_ bv0 {width})")],
    }
}

/// The constructor with the fewest fields whose fields all have defaults.
fn datatype(arena: &Arena, sort: Sort, depth: usize) -> Vec<String> {
    let Some(id) = arena.datatype_of(sort) else { return Vec::new() };
    let datatype = arena.datatype(id);
    let mut constructors: Vec<_> = datatype.constructors.iter().collect();
    constructors.sort_by_key(|constructor| constructor.fields.len());
    let write = |constructor: &&smt::Constructor| {
        let mut name = smt::print::name_text(arena.name(constructor.name));
        if !datatype.params.is_empty() {
            name = format!("(as {name} {})", arena.sort_text(sort));
        }
        let fields: Option<Vec<String>> = constructor
            .fields
            .iter()
            .map(|(_, field)| texts(arena, *field, depth + 1).into_iter().next())
            .collect();
        match fields?.as_slice() {
            [] => Some(name),
            fields => Some(format!("({name} {})", fields.join(" "))),
        }
    };
    constructors.iter().find_map(write).into_iter().collect()
}

/// Whether a term looks like a default value.
pub fn is_simplest(arena: &Arena, term: Term) -> bool {
    match arena.view(term) {
        View::Literal(_, text) => {
            let text = arena.name(text).trim_start_matches("#x").trim_start_matches("#b");
            text.is_empty() || text.bytes().all(|byte| byte == b'0' || byte == b'.')
        }
        View::App(op, []) => matches!(arena.op_name(op), "true" | "false" | "RNE" | "re.none"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_have_default_values() {
        let script = "(declare-datatypes ((L 1)) ((par (A) ((nil) (cons (h A) (t (L A)))))))
            (declare-datatypes ((P 0)) (((pair (x Int) (y Bool)))))
            (declare-sort U 0)
            (declare-const a (Array Int (_ BitVec 8)))(declare-const b (L Int))(declare-const c P)
            (declare-const d (_ FloatingPoint 8 24))(declare-const e (Seq Int))(declare-const f U)
            (declare-const g (_ BitVec 3))";
        let mut typed = Typed::read(script, None).unwrap();
        let expected = [
            Some("((as const (Array Int (_ BitVec 8))) #x00)"),
            Some("(as nil (L Int))"),
            Some("(pair 0 true)"),
            Some("(_ +zero 8 24)"),
            Some("(as seq.empty (Seq Int))"),
            None,
            Some("#b000"),
        ];
        for ((_, op), expected) in typed.constants().into_iter().zip(expected) {
            let sort = typed.rank(op).1;
            let found = defaults(&mut typed, sort).first().map(|&term| typed.arena.term_text(term));
            assert_eq!(found.as_deref(), expected);
        }
    }
}
