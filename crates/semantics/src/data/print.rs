//! Prints values as SMT-LIB terms.

use std::fmt::Write;

use smt::{Arena, Index, Sort};

use super::{Function, Table, Value};
use crate::value::integer::Int;

impl Value {
    /// The value as a term of this sort. Some symbolic functions have no such term and are described instead.
    pub fn text(&self, arena: &Arena, sort: Sort) -> String {
        let mut out = String::new();
        self.write(arena, sort, &mut out);
        out
    }

    /// Recursion is bounded by [`super::MAX_DEPTH`].
    fn write(&self, arena: &Arena, sort: Sort, out: &mut String) {
        let args = &arena.sort_node(sort).args;
        let arg = |at: usize| args.get(at).copied().unwrap_or(sort);
        let done = match self {
            Value::Bool(value) => write!(out, "{value}"),
            Value::Int(value) => write!(out, "{value}"),
            Value::Real(value) => write!(out, "{value}"),
            Value::Algebraic(value) => write!(out, "{value}"),
            Value::Str(value) => write!(out, "{value}"),
            Value::RegLan(value) => write!(out, "{value}"),
            Value::BitVec(value) => write!(out, "{value}"),
            Value::Float(value) => write!(out, "{value}"),
            Value::RoundingMode(value) => write!(out, "{value}"),
            Value::Char(code) => write!(out, "(_ Char {code})"),
            Value::Element(_, name) => {
                smt::print::name_into(arena.name(*name), out);
                Ok(())
            }
            Value::Theory(value) => {
                out.push_str(&(value.kind.print)(&value.parts.items, arena, sort));
                Ok(())
            }
            Value::Array(table) => {
                write_table(table, arena, sort, out);
                Ok(())
            }
            Value::Function(function) => {
                write_function(function, arena, out);
                Ok(())
            }
            Value::Data(data) => {
                let constructor = &arena.datatype(data.datatype).constructors[data.constructor as usize];
                let polymorphic = arena.sort_node(sort).args.iter().any(|_| true);
                let open = !data.fields.items.is_empty();
                if open {
                    out.push('(');
                }
                if polymorphic {
                    out.push_str("(as ");
                }
                smt::print::name_into(arena.name(constructor.name), out);
                if polymorphic {
                    let _ = write!(out, " {})", arena.sort_text(sort));
                }
                for (value, (_, field)) in data.fields.items.iter().zip(&constructor.fields) {
                    out.push(' ');
                    value.write(arena, field_sort(arena, sort, data.datatype, *field), out);
                }
                if open {
                    out.push(')');
                }
                Ok(())
            }
            Value::Seq(list) if arena.sort_head(sort) == "Nullable" => match &list.items[..] {
                [item, ..] => write!(out, "(nullable.some {})", item.text(arena, arg(0))),
                [] => write!(out, "(as nullable.null {})", arena.sort_text(sort)),
            },
            Value::Seq(list) => match &list.items[..] {
                [] => write!(out, "(as seq.empty {})", arena.sort_text(sort)),
                items => {
                    let units = items.len() > 1;
                    if units {
                        out.push_str("(seq.++");
                    }
                    for item in items {
                        out.push_str(if units { " (seq.unit " } else { "(seq.unit " });
                        item.write(arena, arg(0), out);
                        out.push(')');
                    }
                    if units {
                        out.push(')');
                    }
                    Ok(())
                }
            },
            Value::Tuple(list) => {
                out.push_str(if list.items.is_empty() { "tuple.unit" } else { "(tuple" });
                for (at, item) in list.items.iter().enumerate() {
                    out.push(' ');
                    item.write(arena, arg(at), out);
                }
                if !list.items.is_empty() {
                    out.push(')');
                }
                Ok(())
            }
            Value::Set(set) => {
                let singles = set
                    .members
                    .iter()
                    .map(|member| format!("(set.singleton {})", member.text(arena, arg(0))));
                write_union("set.union", "set.empty", singles.collect(), arena, sort, out);
                Ok(())
            }
            Value::Bag(bag) => {
                let one =
                    |(member, count): (&Value, &Int)| format!("(bag {} {count})", member.text(arena, arg(0)));
                let singles = bag.members.iter().map(one).collect();
                write_union("bag.union_disjoint", "bag.empty", singles, arena, sort, out);
                Ok(())
            }
        };
        debug_assert!(done.is_ok(), "writing to a string succeeds");
    }
}

/// The sort of a field in an instance of its datatype, if the field's sort is a parameter or not polymorphic.
pub(crate) fn field_sort(arena: &Arena, instance: Sort, datatype: smt::DatatypeId, field: Sort) -> Sort {
    let node = arena.sort_node(field);
    if !node.is_param {
        return if node.is_polymorphic && arena.datatype(datatype).sort == field { instance } else { field };
    }
    let at = arena.datatype(datatype).params.iter().position(|param| *param == node.head);
    at.and_then(|at| arena.sort_node(instance).args.get(at).copied()).unwrap_or(field)
}

fn write_union(union: &str, empty: &str, parts: Vec<String>, arena: &Arena, sort: Sort, out: &mut String) {
    match &parts[..] {
        [] => {
            let _ = write!(out, "(as {empty} {})", arena.sort_text(sort));
        }
        [only] => out.push_str(only),
        parts => {
            let _ = write!(out, "({union} {})", parts.join(" "));
        }
    }
}

fn write_table(table: &Table, arena: &Arena, sort: Sort, out: &mut String) {
    let args = &arena.sort_node(sort).args;
    let element = args.last().copied().unwrap_or(sort);
    for _ in table.entries() {
        out.push_str("(store ");
    }
    let _ = write!(out, "((as const {}) ", arena.sort_text(sort));
    table.default().write(arena, element, out);
    out.push(')');
    for (key, value) in table.entries() {
        let indices = match key {
            Value::Tuple(list) if table.arity() > 1 => &list.items[..],
            _ => std::slice::from_ref(key),
        };
        for (at, index) in indices.iter().enumerate() {
            out.push(' ');
            index.write(arena, args.get(at).copied().unwrap_or(sort), out);
        }
        out.push(' ');
        value.write(arena, element, out);
        out.push(')');
    }
}

fn write_function(function: &Function, arena: &Arena, out: &mut String) {
    match function {
        Function::Named { op, .. } => {
            let node = arena.op(*op);
            let indices = node.indices.iter().map(|index| match index {
                Index::Num(number) => number.to_string(),
                Index::Sym(symbol) => arena.name(*symbol).to_owned(),
            });
            let indices: Vec<String> = indices.collect();
            let name = arena.name(node.name);
            let _ = match indices.is_empty() {
                true => write!(out, "(_ as-array {name})"),
                false => write!(out, "(_ as-array (_ {name} {}))", indices.join(" ")),
            };
        }
        Function::Closure { params, body, .. } => {
            out.push_str("(lambda (");
            for (at, param) in params.iter().enumerate() {
                let space = if at > 0 { " " } else { "" };
                let _ = write!(
                    out,
                    "{space}({} {})",
                    arena.term_text(*param),
                    arena.sort_text(arena.sort(*param))
                );
            }
            let _ = write!(out, ") {})", arena.term_text(*body));
        }
        Function::Except { entries, .. } => {
            let _ = write!(out, "a function with {} exceptions", entries.len());
        }
        Function::Mapped { op, .. } => {
            let _ = write!(out, "an array mapped by {}", arena.op_name(*op));
        }
    }
}
