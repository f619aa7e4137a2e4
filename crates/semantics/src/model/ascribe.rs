//! Z3 prints constructors of polymorphic datatypes without their sorts: `(cons 5 nil)`. If the sort of the whole value is known,
//! they can be added: `(cons 5 (as nil (List Int)))`.

use std::collections::HashMap;

use smt::sexpr::{Sexpr, read_all};
use smt::{Arena, Sort};

/// The longest result: `let` is expanded.
const MAX_TEXT: usize = 1 << 20;

type Bindings<'s> = HashMap<&'s str, &'s Sexpr>;

/// The text of a value of this sort with sorts at its constructors. `None` if it cannot be read.
pub(super) fn ascribe(arena: &mut Arena, text: &str, sort: Sort) -> Option<String> {
    let all = read_all(text).ok()?;
    let [body] = &all[..] else { return None };
    let mut out = String::new();
    write(arena, body, Some(sort), &Bindings::new(), &mut out)?;
    Some(out)
}

/// The s-expression reader bounds the depth of the recursion.
fn write(
    arena: &mut Arena,
    term: &Sexpr,
    sort: Option<Sort>,
    bound: &Bindings,
    out: &mut String,
) -> Option<()> {
    if out.len() > MAX_TEXT {
        return None;
    }
    let items = match term {
        Sexpr::Atom(_, text, _) => {
            if let Some(value) = bound.get(text.as_str()) {
                return write(arena, value, sort, bound, out);
            }
            match sort.filter(|&sort| constructor(arena, sort, text).is_some()) {
                Some(sort) => out.push_str(&format!("(as {text} {})", arena.sort_text(sort))),
                None => out.push_str(text),
            }
            return Some(());
        }
        Sexpr::List(items, _) => items,
    };
    if let [head, Sexpr::List(bindings, _), body] = &items[..]
        && head.atom() == Some("let")
    {
        // Z3 uses each name for one binding only, so there is no shadowing.
        let mut inner = bound.clone();
        for binding in bindings {
            if let [Sexpr::Atom(_, name, _), value] = binding.list()? {
                inner.insert(name, value);
            }
        }
        return write(arena, body, sort, &inner, out);
    }
    let head = items.first().and_then(Sexpr::atom).unwrap_or("").to_owned();
    let expected: Vec<Option<Sort>> = match (sort, head.as_str()) {
        (Some(sort), "ite") => vec![Some(Sort::BOOL), Some(sort), Some(sort)],
        (Some(sort), "store") => {
            let args = arena.sort_node(sort).args.to_vec();
            std::iter::once(Some(sort)).chain(args.into_iter().map(Some)).collect()
        }
        (Some(sort), head) => match constructor(arena, sort, head) {
            Some(fields) => fields.into_iter().map(|field| Some(arena.field_sort(sort, field))).collect(),
            None => Vec::new(),
        },
        (None, _) => Vec::new(),
    };
    out.push('(');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(' ');
            write(arena, item, expected.get(at - 1).copied().flatten(), bound, out)?;
        } else {
            write(arena, item, None, &Bindings::new(), out)?;
        }
    }
    out.push(')');
    Some(())
}

/// The declared sorts of the fields of a constructor of this datatype.
fn constructor(arena: &Arena, sort: Sort, name: &str) -> Option<Vec<Sort>> {
    let datatype = arena.datatype(arena.datatype_of(sort)?);
    let found = datatype
        .constructors
        .iter()
        .find(|constructor| arena.name(constructor.name) == name.trim_matches('|'))?;
    Some(found.fields.iter().map(|(_, sort)| *sort).collect())
}
