//! Scripts about proofs: one that asks for a proof, and the problem that the proof is about.
//!
//! A solver's own check of its proofs shares the code that made them. A checker that is another program does not.

use crate::cores::before_the_check;
use case::Answer;
use smt::lexer::elements;
use solver::run::{Limits, PieceKind, RunSettings, Script};
use solver::{Observation, Outcome, ProofChecker, ProofVerdict, RunError};
use std::time::Duration;

/// A checker gets at least this long: it may be slower than the solver.
const LEAST_TIME: Duration = Duration::from_secs(5);

/// The script that asks for a proof, with these commands in front. `None` for scripts without exactly one plain check.
pub fn proof_question(script: &str, commands: &[String]) -> Option<String> {
    let (before, check) = before_the_check(script)?;
    if check.name != "check-sat" {
        return None;
    }
    let before = before.iter().map(|command| command.text).filter(|text| !is_about_proofs(text));
    let lines = commands.iter().map(String::as_str).chain(before).chain(["(check-sat)", "(get-proof)"]);
    Some(lines.fold(String::new(), |text, line| text + line + "\n"))
}

/// The problem of a script that asks for a proof, as a checker reads it.
fn problem(script: &str) -> String {
    let commands = Script::split(script).commands;
    let kept = commands.iter().map(|command| command.text).filter(|text| !is_about_proofs(text));
    kept.fold(String::new(), |text, line| text + line + "\n")
}

/// Whether a command sets an option for proofs, or asks for one.
fn is_about_proofs(command: &str) -> bool {
    match elements(command).as_deref() {
        Some(["set-option", keyword, _]) => keyword.contains("proof"),
        Some(["get-proof"]) => true,
        _ => false,
    }
}

/// A proof that a checker rejects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The command of the checker.
    pub checker: String,
    /// What it says.
    pub message: String,
}

/// The proof that a run gave for its `unsat`.
pub(crate) fn proof_of(seen: &Observation) -> Option<&str> {
    let proves = seen.outcome == Outcome::Answered && seen.answers == [Answer::Unsat];
    seen.piece(PieceKind::Proof).filter(|_| proves)
}

impl Rejection {
    /// The verdict of a checker, if it is a rejection.
    pub fn of(checker: &ProofChecker, verdict: ProofVerdict) -> Option<Rejection> {
        match verdict {
            ProofVerdict::Rejected { message } => {
                Some(Rejection { checker: checker.command.clone(), message })
            }
            ProofVerdict::Accepted | ProofVerdict::Undecided => None,
        }
    }
}

/// What a checker says about the proof that a run of a script gave. `None` if there is no proof.
pub fn check_proof(
    checker: &ProofChecker,
    script: &str,
    seen: &Observation,
    limits: Limits,
) -> Result<Option<ProofVerdict>, RunError> {
    let Some(proof) = proof_of(seen) else { return Ok(None) };
    let limits = Limits { wall: limits.wall.max(LEAST_TIME), ..limits };
    checker.check(&problem(script), proof, &limits, &RunSettings::default()).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_asks_for_the_proof_of_one_check() {
        let commands = ["(set-option :produce-proofs true)".to_owned()];
        let table = [
            (
                "(set-option :produce-proofs false)(set-logic QF_LIA)(declare-const x Int)(assert (< x x))(check-sat)(get-model)",
                Some(
                    "(set-option :produce-proofs true)\n(set-logic QF_LIA)\n(declare-const x Int)\n(assert (< x x))\n\
                     (check-sat)\n(get-proof)\n",
                ),
            ),
            ("(assert false)(check-sat)(check-sat)", None),
            ("(assert false)(check-sat-assuming ())", None),
            ("(push 1)(assert false)(check-sat)", None),
        ];
        for (script, expected) in table {
            assert_eq!(proof_question(script, &commands).as_deref(), expected, "{script}");
        }
    }

    #[test]
    fn a_checker_reads_the_problem_alone() {
        let commands = ["(set-option :produce-proofs true)", "(set-option :proof-format-mode alethe)"];
        let question = proof_question("(assert false)(check-sat)", &commands.map(str::to_owned)).unwrap();
        assert_eq!(problem(&question), "(assert false)\n(check-sat)\n");
    }
}
