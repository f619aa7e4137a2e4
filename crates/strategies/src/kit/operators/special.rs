//! Operators that are not in signature files: the functions of the script, and those of its datatypes.

use super::Instance;
use super::InstanceHead;
use crate::kit::draft::{Draft, ValuesOnly};
use smt::{Op, OpKind, Sort, View, parse_term};

/// The functions of the script, and the constructors, selectors and testers over the given sorts.
pub(super) fn instances(draft: &mut Draft, sorts: &[Sort]) -> Vec<Instance> {
    let mut found = Vec::new();
    for op in draft.functions.clone() {
        let OpKind::Function { args, result } = &draft.arena.op(op).kind else { continue };
        let (args, result) = (args.to_vec(), *result);
        let monomorphic = |sort: &Sort| !draft.arena.sort_node(*sort).is_polymorphic;
        if args.iter().chain([&result]).all(monomorphic) && args.iter().all(|sort| sorts.contains(sort)) {
            found.push(instance(draft, op, &args, result));
        }
    }
    for &sort in sorts {
        datatype(draft, sort, sorts, &mut found);
    }
    found
}

fn instance(draft: &mut Draft, op: Op, args: &[Sort], result: Sort) -> Instance {
    let fact = draft.facts.of_operator(&draft.arena, op);
    Instance {
        head: InstanceHead::Ready(op),
        args: args.into(),
        result,
        most: args.len(),
        values_only: ValuesOnly::No,
        fact,
    }
}

/// The operators of a sort's datatype.
fn datatype(draft: &mut Draft, sort: Sort, sorts: &[Sort], found: &mut Vec<Instance>) {
    let Some(id) = draft.arena.datatype_of(sort) else { return };
    let datatype = draft.arena.datatype(id).clone();
    let sort_text = draft.arena.sort_text(sort);
    for constructor in &datatype.constructors {
        let mut name = String::new();
        smt::print::name_into(draft.arena.name(constructor.name), &mut name);
        let fields: Vec<Sort> =
            constructor.fields.iter().map(|&(_, field)| draft.arena.field_sort(sort, field)).collect();
        if fields.iter().all(|field| sorts.contains(field)) {
            let head =
                if datatype.params.is_empty() { name.clone() } else { format!("(as {name} {sort_text})") };
            found.extend(resolve(draft, &head, &fields, sort));
        }
        if datatype.constructors.len() > 1 {
            found.extend(resolve(draft, &format!("(_ is {name})"), &[sort], Sort::BOOL));
        }
        for (&(selector, _), &field) in constructor.fields.iter().zip(&fields) {
            let mut name = String::new();
            smt::print::name_into(draft.arena.name(selector), &mut name);
            found.extend(resolve(draft, &name, &[sort], field));
        }
    }
}

/// Parses an application, to resolve its head in the scope of the script.
fn resolve(draft: &mut Draft, head: &str, args: &[Sort], result: Sort) -> Option<Instance> {
    let locals = draft.scope.local_count();
    let mut text = String::from(head);
    for (at, &sort) in args.iter().enumerate() {
        let name = format!("argument-{at}");
        let symbol = draft.arena.symbol(&name);
        let local = draft.arena.local(symbol, sort);
        draft.scope.bind(symbol, local);
        text.push(' ');
        text.push_str(&name);
    }
    if !args.is_empty() {
        text = format!("({text})");
    }
    // The parser unbinds all locals at the end.
    let term = parse_term(&mut draft.arena, &mut draft.scope, &text).ok();
    draft.scope.unbind_to(locals);
    let term = term?;
    let View::App(op, _) = draft.arena.view(term) else { return None };
    (draft.arena.sort(term) == result).then(|| instance(draft, op, args, result))
}
