//! Removes one operation from a script and keeps the rest, for controlled comparisons.

use super::operations::COMMANDS;
use smt::rewrite::rebuild;
use smt::{
    Arena, Binder, Command, DeclarationForm, Op, OpKind, Plain, Script, Signatures, Sort, Term, View,
    parse_script,
};
use std::sync::Arc;

/// The script without an operation; `None` if it cannot be removed.
///
/// The first argument of the same sort replaces an application of an operator; if there is none, a new constant does. New
/// constants replace the variables of a quantifier. A command is dropped, together with the option that it needs.
pub fn without(signatures: &Arc<Signatures>, text: &str, operation: &str) -> Option<String> {
    let mut arena = Arena::new(signatures.clone());
    let script = parse_script(&mut arena, text).ok()?;
    let script = if COMMANDS.contains(&operation) {
        without_command(&arena, script, operation)
    } else {
        without_operator(&mut arena, script, operation)
    };
    let text = arena.script_text(&script);
    parse_script(&mut Arena::new(signatures.clone()), &text).ok()?;
    Some(text)
}

fn without_command(arena: &Arena, script: Script, operation: &str) -> Script {
    let option = operation.strip_prefix("get-").map(|what| match what {
        "unsat-core" | "model" | "proof" => format!(":produce-{what}s"),
        _ => format!(":produce-{what}"),
    });
    let stays = |command: &Command| match command {
        // Without `push` there is nothing to `pop`.
        Command::Push(_) => operation != "push",
        Command::Pop(_) => operation != "push" && operation != "pop",
        Command::Plain(plain) => *plain == Plain::CheckSat || plain.name() != operation,
        Command::SetOption(name, _) => option.as_deref() != Some(arena.name(*name)),
        _ => true,
    };
    Script::new(script.commands.into_iter().filter(stays).collect())
}

fn without_operator(arena: &mut Arena, script: Script, operation: &str) -> Script {
    let mut fresh: Vec<Op> = Vec::new();
    // All at once, so that a term becomes the same constant everywhere.
    let terms: Vec<Term> = script.commands.iter().flat_map(Command::terms).collect();
    let mut changed =
        rebuild(arena, &terms, |arena, term| replacement(arena, term, operation, &mut fresh)).into_iter();
    let mut replaced = |command: &Command| command.map_terms(|term| changed.next().unwrap_or(term));
    let mut commands: Vec<Command> = script.commands.iter().map(&mut replaced).collect();
    let first = commands.iter().position(|command| !command.terms().is_empty()).unwrap_or(commands.len());
    let declared = fresh.into_iter().map(|op| Command::Declare(DeclarationForm::Const, op));
    commands.splice(first..first, declared);
    Script::new(commands)
}

/// The replacement of a term that applies the operation.
fn replacement(arena: &mut Arena, term: Term, operation: &str, fresh: &mut Vec<Op>) -> Option<Term> {
    let mut constant = |arena: &mut Arena, sort: Sort| -> Term {
        let name = arena.fresh_symbol("w");
        let op = arena.function(name, &[], sort);
        fresh.push(op);
        arena.app_unchecked(op, &[], sort)
    };
    match arena.view(term) {
        View::App(op, args)
            if matches!(arena.op(op).kind, OpKind::Theory(_)) && arena.op_name(op) == operation =>
        {
            let sort = arena.sort(term);
            if let Some(&same) = args.iter().find(|&&arg| arena.sort(arg) == sort) {
                Some(same)
            } else if sort == Sort::REGLAN {
                // Regular languages are written, not declared.
                arena.apply("re.all", &[]).ok()
            } else {
                Some(constant(arena, sort))
            }
        }
        View::Binder { kind, variables, bodies }
            if matches!((kind, operation), (Binder::Forall, "forall") | (Binder::Exists, "exists")) =>
        {
            let (variables, body) = (variables.to_vec(), *bodies.first()?);
            let mut pairs: Vec<(Term, Term)> = Vec::new();
            for variable in variables {
                let sort = arena.sort(variable);
                pairs.push((variable, constant(arena, sort)));
            }
            Some(arena.substitute(body, &pairs))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_operation_is_removed() {
        let prelude = "(set-option :produce-unsat-cores true)\n(set-logic ALL)\n(declare-const x Int)\n(declare-const s String)\n";
        // The operation, the script, and the script without it.
        let table = [
            ("mod", "(assert (= (mod (mod x 3) (+ x 2)) 1))", "(assert (= x 1))"),
            (
                "str.len",
                "(assert (= (str.len s) x))(assert (< (str.len s) 3))",
                "(declare-const W0 Int)(assert (= W0 x))(assert (< W0 3))",
            ),
            ("<", "(assert (< x 3))", "(declare-const W0 Bool)(assert W0)"),
            (
                "str.to_re",
                "(assert (str.in_re s (re.* (str.to_re s))))",
                "(assert (str.in_re s (re.* re.all)))",
            ),
            ("forall", "(assert (forall ((y Int)) (< y x)))", "(declare-const W0 Int)(assert (< W0 x))"),
            ("exists", "(assert (forall ((y Int)) (< y x)))", "(assert (forall ((y Int)) (< y x)))"),
            ("pop", "(push 1)(assert true)(check-sat)(pop 1)", "(push 1)(assert true)(check-sat)"),
            ("push", "(push 1)(assert true)(check-sat)(pop 1)", "(assert true)(check-sat)"),
        ];
        // The numbers of new constants do not matter here.
        let plain = |text: &str| {
            let parts = text.split("w!").enumerate().map(|(at, part)| match at {
                0 => part.to_owned(),
                _ => format!("W0{}", part.trim_start_matches(|digit: char| digit.is_ascii_digit())),
            });
            parts.collect::<String>().replace('\n', "")
        };
        for (operation, before, after) in table {
            let found = without(&Signatures::standard(), &format!("{prelude}{before}"), operation).unwrap();
            assert_eq!(plain(&found), plain(&format!("{prelude}{after}")), "{operation}");
        }
        let core = format!("{prelude}(assert false)(check-sat)(get-unsat-core)");
        let found = without(&Signatures::standard(), &core, "get-unsat-core").unwrap();
        assert!(!found.contains("core") && found.contains("(check-sat)"), "{found}");
    }
}
