//! Quantifier elimination: the result has the solutions of the quantified formula.
//!
//! Our evaluation can rarely decide a quantified formula. But whatever satisfies the formula inside `exists` must satisfy the result.

use super::apply::goals_formula;
use super::parts::{Parts, symbols};
use super::{Description, Fact, Needs, Oracle, Stated, Under};
use case::hash::choice;
use case::text::collapsed;
use case::{Answer, Statement};
use smt::print::name_text;
use smt::{Arena, Binder, Command, Op, OpKind, Sort, Term, View, parse_term};
use solver::run::PieceKind;
use solver::{Observation, Profile};

/// The sorts of variables that solvers can eliminate.
const SORTS: [&str; 4] = ["Int", "Real", "Bool", "BitVec"];
/// How many subterms of the assertions are asked about.
const SUBTERMS: usize = 10;

pub(super) struct Elimination;

impl Oracle for Elimination {
    fn description(&self) -> &'static Description {
        &Description {
            kind: Statement::Elimination,
            about: "a formula without its quantifier has the same solutions",
            needs: Needs::Nothing,
            asks_the_case: false,
            doubted: 1,
            goes_on: false,
            commands: &["get-qe", "apply"],
            responses: PieceKind::Applied,
        }
    }

    /// Asks to eliminate constants from some formulas in the assertions, and one from all assertions, which takes longest.
    fn question(&self, case: &str, _: Option<Answer>, solver: &Profile) -> Option<String> {
        let prelude = solver.ask.statement(Statement::Elimination)?.join("\n");
        let command = solver.ask.elimination.as_ref()?;
        let parts = Parts::of_case(case).filter(|parts| parts.is_whole && parts.is_easy())?;
        let constants: Vec<Op> = symbols(&parts.arena, &parts.assertions)
            .into_iter()
            .filter(|&op| variable(&parts.arena, op).is_some())
            .collect();
        let hash = choice(case, "variable");
        let of_all = constants[hash.checked_rem(constants.len() as u64)? as usize];
        let formulas = parts.closed_subterms(usize::MAX);
        let formulas = formulas.into_iter().filter(|&term| parts.arena.sort(term) == Sort::BOOL);
        let pairs: Vec<(Op, Term)> = formulas
            .flat_map(|term| {
                let used = symbols(&parts.arena, &[term]);
                constants.iter().filter(move |op| used.contains(op)).map(move |&op| (op, term))
            })
            .collect();
        let first = hash.checked_rem(pairs.len() as u64).unwrap_or_default() as usize;
        let apart = pairs.len().div_ceil(SUBTERMS).max(1);
        let chosen = pairs.iter().cycle().skip(first).take(pairs.len()).step_by(apart);
        let mut asked: Vec<(Op, String)> =
            chosen.map(|&(op, term)| (op, parts.arena.term_text(term))).collect();
        let last = (of_all, parts.conjunction());
        asked.retain(|one| *one != last);
        asked.push(last);
        // The logic of the case may have no quantifiers.
        let declarations = parts.declarations.replacen("(set-logic QF_", "(set-logic ", 1);
        let mut text = format!("{prelude}\n{declarations}");
        for (op, formula) in asked {
            let formula = format!("(exists ({}) {formula})", variable(&parts.arena, op)?);
            text.push_str(&command.replace("{formula}", &formula));
            text.push('\n');
        }
        Some(text)
    }

    fn read(&self, parts: &mut Parts, _: &Observation, pieces: &[&str]) -> Option<Stated> {
        let asked = asked_formulas(parts);
        let mut facts = Vec::new();
        let mut read = 0;
        for (number, ((formula, command), piece)) in asked.into_iter().zip(pieces).enumerate() {
            let result = match command {
                Asking::ByCommand => Some((*piece).to_owned()),
                Asking::ByTactic => goals_formula(piece),
            };
            let View::Binder { kind: Binder::Exists, bodies: [body], .. } = parts.arena.view(formula) else {
                continue;
            };
            let Some(result) = result else { continue };
            let (formula, body) = (parts.arena.term_text(formula), parts.arena.term_text(*body));
            let said =
                format!("eliminates the quantifier of {}: {}", collapsed(&formula), collapsed(&result));
            let fact = |formula: String| Fact { number, said: said.clone(), formula, under: Under::Every };
            facts.push(fact(format!("(= {formula} {result})")));
            // In our questions, the variable has the name of a constant, so that the body says something by itself.
            if parse_term(&mut parts.arena, &mut parts.scope, &body).is_ok() {
                facts.push(fact(format!("(=> {body} {result})")));
            }
            read += 1;
        }
        let stated = Stated::new(parts, facts, Vec::new());
        Some(if read == pieces.len() { stated } else { stated.incomplete() })
    }
}

/// A constant as a variable; `None` if it is none, or of a sort that solvers do not eliminate.
fn variable(arena: &Arena, op: Op) -> Option<String> {
    let OpKind::Function { args, result } = &arena.op(op).kind else { return None };
    let is_simple = args.is_empty() && SORTS.contains(&arena.sort_head(*result));
    is_simple.then(|| format!("({} {})", name_text(arena.op_name(op)), arena.sort_text(*result)))
}

/// How a script asks.
enum Asking {
    ByCommand,
    ByTactic,
}

/// The formulas whose quantifiers a script asks to eliminate: those of `get-qe`, and the last assertion before each `apply`.
fn asked_formulas(parts: &Parts) -> Vec<(Term, Asking)> {
    let (mut found, mut last) = (Vec::new(), None);
    for command in &parts.script.commands {
        match command {
            Command::Assert(term) => last = Some(*term),
            Command::WithTerm(name, term, _) if parts.arena.name(*name) == "get-qe" => {
                found.push((*term, Asking::ByCommand));
            }
            Command::Other(text) if parts.arena.name(*text).starts_with("(apply ") => {
                found.extend(last.map(|term| (term, Asking::ByTactic)));
            }
            _ => {}
        }
    }
    found
}
