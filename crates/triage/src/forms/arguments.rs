//! Arguments in another order.

use smt::rewrite::rebuild;
use smt::{Arena, Script, Term, View};

/// The operators whose arguments may be in any order.
const COMMUTATIVE: &[&str] = &[
    "and",
    "or",
    "xor",
    "=",
    "distinct",
    "+",
    "*",
    "bvadd",
    "bvmul",
    "bvand",
    "bvor",
    "bvxor",
    "bvcomp",
    "fp.eq",
    "re.union",
    "re.inter",
    "set.union",
    "set.inter",
];

/// The script with the arguments of commutative operators in reverse order.
pub(super) fn commuted(arena: &mut Arena, script: &Script) -> String {
    let change = |arena: &mut Arena, term: Term| {
        let View::App(op, arguments) = arena.view(term) else { return None };
        let mut arguments = arguments.to_vec();
        if arguments.len() < 2 || !COMMUTATIVE.contains(&arena.op_name(op)) {
            return None;
        }
        arguments.reverse();
        Some(arena.with_children(term, &arguments))
    };
    let mut map = |term: Term| rebuild(arena, &[term], change)[0];
    let commands = script.commands.iter().map(|command| command.map_terms(&mut map)).collect();
    arena.script_text(&Script::new(commands))
}
