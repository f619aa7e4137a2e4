//! Operators that no signature file has: the functions of the script and what its datatypes bring.

use super::Instance;
use super::InstanceHead;
use crate::work::{ValuesOnly, Work};
use smt::{Op, OpKind, Sort, View, parse_term};

/// The functions of the script and the constructors, selectors and testers for the given sorts.
pub(super) fn instances(work: &mut Work, sorts: &[Sort]) -> Vec<Instance> {
    let mut found = Vec::new();
    for op in work.functions.clone() {
        let OpKind::Function { args, result } = &work.arena.op(op).kind else { continue };
        let (args, result) = (args.to_vec(), *result);
        let monomorphic = |sort: &Sort| !work.arena.sort_node(*sort).is_polymorphic;
        if args.iter().chain([&result]).all(monomorphic) && args.iter().all(|sort| sorts.contains(sort)) {
            found.push(instance(work, op, &args, result));
        }
    }
    for &sort in sorts {
        datatype(work, sort, sorts, &mut found);
    }
    found
}

fn instance(work: &mut Work, op: Op, args: &[Sort], result: Sort) -> Instance {
    let fact = work.facts.of_operator(&work.arena, op);
    Instance {
        head: InstanceHead::Ready(op),
        args: args.into(),
        result,
        most: args.len(),
        values_only: ValuesOnly::No,
        fact,
    }
}

/// The operators of the datatype that a sort is an instance of.
fn datatype(work: &mut Work, sort: Sort, sorts: &[Sort], found: &mut Vec<Instance>) {
    let Some(id) = work.arena.datatype_of(sort) else { return };
    let datatype = work.arena.datatype(id).clone();
    let sort_text = work.arena.sort_text(sort);
    for constructor in &datatype.constructors {
        let mut name = String::new();
        smt::print::name_into(work.arena.name(constructor.name), &mut name);
        let fields: Vec<Sort> =
            constructor.fields.iter().map(|&(_, field)| work.arena.field_sort(sort, field)).collect();
        if fields.iter().all(|field| sorts.contains(field)) {
            let head =
                if datatype.params.is_empty() { name.clone() } else { format!("(as {name} {sort_text})") };
            found.extend(resolve(work, &head, &fields, sort));
        }
        if datatype.constructors.len() > 1 {
            found.extend(resolve(work, &format!("(_ is {name})"), &[sort], Sort::BOOL));
        }
        for (&(selector, _), &field) in constructor.fields.iter().zip(&fields) {
            let mut name = String::new();
            smt::print::name_into(work.arena.name(selector), &mut name);
            found.extend(resolve(work, &name, &[sort], field));
        }
    }
}

/// Reads an application as the parser would, to learn what its head means here.
fn resolve(work: &mut Work, head: &str, args: &[Sort], result: Sort) -> Option<Instance> {
    let locals = work.scope.local_count();
    let mut text = String::from(head);
    for (at, &sort) in args.iter().enumerate() {
        let name = format!("argument-{at}");
        let symbol = work.arena.symbol(&name);
        let local = work.arena.local(symbol, sort);
        work.scope.bind(symbol, local);
        text.push(' ');
        text.push_str(&name);
    }
    if !args.is_empty() {
        text = format!("({text})");
    }
    // The reader forgets all locals at the end, so that none have to be unbound here.
    let term = parse_term(&mut work.arena, &mut work.scope, &text).ok();
    work.scope.unbind_to(locals);
    let term = term?;
    let View::App(op, _) = work.arena.view(term) else { return None };
    (work.arena.sort(term) == result).then(|| instance(work, op, args, result))
}
