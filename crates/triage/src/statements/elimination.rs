//! Quantifier elimination: the result has the solutions of the quantified formula.
//!
//! Our evaluation can rarely decide a quantified formula. But whatever satisfies the formula inside `exists` must satisfy the result.

use super::apply::goals_formula;
use super::parts::Parts;
use super::{Description, Fact, Needs, Oracle, Stated, Under};
use case::Statement;
use case::hash::choice;
use case::text::collapsed;
use smt::print::name_text;
use smt::{Binder, Command, OpKind, Term, View};
use solver::run::PieceKind;
use solver::{Observation, Profile};

/// The sorts of variables that solvers can eliminate.
const SORTS: [&str; 4] = ["Int", "Real", "Bool", "BitVec"];

pub(super) struct Elimination;

impl Oracle for Elimination {
    fn description(&self) -> &'static Description {
        &Description {
            kind: Statement::Elimination,
            about: "a formula without its quantifier has the same solutions",
            needs: Needs::Nothing,
            asks_the_case: false,
            doubted: 1,
            commands: &["get-qe", "apply"],
            responses: PieceKind::Applied,
        }
    }

    /// Asks to eliminate one of the constants.
    fn question(&self, case: &str, solver: &Profile) -> Option<String> {
        let prelude = solver.ask.statement(Statement::Elimination)?.join("\n");
        let command = solver.ask.elimination.as_ref()?;
        let parts = Parts::read(case).filter(|parts| parts.is_whole && parts.is_easy())?;
        let arena = &parts.arena;
        let constant = |one: &Command| {
            let Command::Declare(_, op) = one else { return None };
            let OpKind::Function { args, result } = &arena.op(*op).kind else { return None };
            let is_simple = args.is_empty() && SORTS.contains(&arena.sort_head(*result));
            is_simple.then(|| format!("({} {})", name_text(arena.op_name(*op)), arena.sort_text(*result)))
        };
        let constants: Vec<String> = parts.script.commands.iter().filter_map(constant).collect();
        let chosen = choice(case, "variable").checked_rem(constants.len() as u64)?;
        let variable = &constants[chosen as usize];
        let formula = format!("(exists ({variable}) {})", parts.conjunction());
        let asked = command.replace("{formula}", &formula);
        // The logic of the case may have no quantifiers.
        let declarations = parts.declarations.replacen("(set-logic QF_", "(set-logic ", 1);
        Some(format!("{prelude}\n{declarations}{asked}\n"))
    }

    fn read(&self, parts: &mut Parts, _: &Observation, pieces: &[&str]) -> Option<Stated> {
        let [piece] = pieces else { return None };
        let (formula, result) = match parts.assertions.as_slice() {
            [] => (eliminated(parts)?, (*piece).to_owned()),
            [formula] => (*formula, goals_formula(piece)?),
            _ => return None,
        };
        let View::Binder { kind: Binder::Exists, bodies: [body], .. } = parts.arena.view(formula) else {
            return None;
        };
        let (formula, body) = (parts.arena.term_text(formula), parts.arena.term_text(*body));
        let said = format!("eliminates the quantifier of {}: {}", collapsed(&formula), collapsed(&result));
        let fact = |formula: String| Fact { number: 0, said: said.clone(), formula, under: Under::Every };
        // The variable has the name of a constant, so that the second formula can be read.
        let facts = vec![fact(format!("(= {formula} {result})")), fact(format!("(=> {body} {result})"))];
        Some(Stated::new(parts, facts, Vec::new()))
    }
}

/// The formula of the only `get-qe`.
fn eliminated(parts: &Parts) -> Option<Term> {
    let formula = |command: &Command| match command {
        Command::WithTerm(name, term, _) if parts.arena.name(*name) == "get-qe" => Some(*term),
        _ => None,
    };
    parts.script.commands.iter().find_map(formula)
}
