//! Printing: what a solver prints of a term has the value of the term, so that a script which a solver writes asks the same question.

use super::parts::Parts;
use super::simplify::{equal_terms, terms_question};
use super::{Description, Needs, Oracle, Stated};
use case::{Answer, Statement};
use solver::run::PieceKind;
use solver::{Observation, Profile};

/// The terms of one script.
const MOST: usize = 10;

pub(super) struct Printing;

impl Oracle for Printing {
    fn description(&self) -> &'static Description {
        &Description {
            kind: Statement::Printing,
            about: "a printed term has the value of the term",
            needs: Needs::Nothing,
            asks_the_case: false,
            doubted: 16,
            goes_on: false,
            commands: &["display"],
            responses: PieceKind::Displayed,
        }
    }

    fn question(&self, case: &str, _: Option<Answer>, solver: &Profile) -> Option<String> {
        let parts = Parts::of_case(case)?;
        // The largest contain the others.
        let mut terms = parts.closed_subterms(usize::MAX);
        let terms = terms.split_off(terms.len().saturating_sub(MOST));
        terms_question(&parts, solver.ask.statement(Statement::Printing)?, "display", terms)
    }

    fn read(&self, parts: &mut Parts, _: &Observation, pieces: &[&str]) -> Option<Stated> {
        equal_terms(parts, "display", ("prints", "as"), pieces)
    }
}
