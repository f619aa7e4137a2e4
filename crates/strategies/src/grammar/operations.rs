//! The operations of formulas, by name: operators, quantifiers, and commands that change how a solver works.

use smt::{Arena, Binder, Command, OpKind, Plain, Signatures, View, parse_script};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The commands that count as operations.
pub const COMMANDS: [&str; 6] =
    ["push", "pop", "get-model", "get-unsat-core", "get-unsat-assumptions", "get-proof"];

/// All operations that formulas for a solver can have, or for every solver if none is given: the operators that are generated,
/// `forall`, `exists`, and the commands. `theories` are those that the solver supports; empty for all.
pub fn operations(signatures: &Signatures, solver: Option<&str>, theories: &[String]) -> Vec<String> {
    let mut names = BTreeSet::new();
    for declaration in &signatures.declarations {
        let theory = &signatures.theories[declaration.theory].name;
        let known = match (solver, signatures.solvers_of(declaration)) {
            (Some(solver), Some(list)) => list.iter().any(|name| name == solver),
            (Some(_), None) => true,
            (None, list) => list.is_none(),
        };
        let experimental =
            solver.is_some_and(|solver| declaration.experimental.iter().any(|name| name == solver));
        let generated = !declaration.removed && theory != "SeparationLogic" && !declaration.args.is_empty();
        if known && generated && !experimental && (theories.is_empty() || theories.contains(theory)) {
            names.insert(signatures.name(declaration.name).to_owned());
        }
    }
    names.extend(["forall", "exists"].map(str::to_owned));
    names.extend(COMMANDS.map(str::to_owned));
    names.into_iter().collect()
}

/// The operations of a script; empty if it cannot be parsed.
pub fn operations_of(signatures: &Arc<Signatures>, text: &str) -> BTreeSet<String> {
    let mut arena = Arena::new(signatures.clone());
    let mut names = BTreeSet::new();
    let Ok(script) = parse_script(&mut arena, text) else { return names };
    let mut roots = Vec::new();
    for command in &script.commands {
        roots.extend(command.terms());
        let name = match command {
            Command::Push(_) => "push",
            Command::Pop(_) => "pop",
            Command::Plain(Plain::CheckSat) => continue,
            Command::Plain(plain) => plain.name(),
            _ => continue,
        };
        names.insert(name.to_owned());
    }
    for term in smt::rewrite::post_order(&arena, &roots) {
        match arena.view(term) {
            View::App(op, _) if matches!(arena.op(op).kind, OpKind::Theory(_)) => {
                names.insert(arena.op_name(op).to_owned());
            }
            View::Binder { kind: Binder::Forall, .. } => {
                names.insert("forall".to_owned());
            }
            View::Binder { kind: Binder::Exists, .. } => {
                names.insert("exists".to_owned());
            }
            _ => {}
        }
    }
    names
}
