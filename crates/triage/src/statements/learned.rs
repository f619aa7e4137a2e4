//! Learned literals: whatever a solver says that it has learned follows from the assertions.

use super::parts::Parts;
use super::{Description, Fact, Needs, Oracle, Stated, Under};
use case::text::collapsed;
use case::{Answer, Statement};
use smt::lexer::elements;
use solver::run::PieceKind;
use solver::{Observation, Profile};

pub(super) struct Learned;

impl Oracle for Learned {
    fn description(&self) -> &'static Description {
        &Description {
            kind: Statement::Learned,
            about: "a learned literal follows from the assertions",
            needs: Needs::Nothing,
            asks_the_case: true,
            doubted: 1,
            goes_on: false,
            commands: &["get-learned-literals"],
            responses: PieceKind::Literals,
        }
    }

    fn question(&self, case: &str, _: Option<Answer>, solver: &Profile) -> Option<String> {
        let prelude = solver.ask.statement(Statement::Learned)?.join("\n");
        let parts = Parts::of_case(case).filter(|parts| parts.is_whole && parts.is_easy())?;
        let asked = format!("(check-sat)\n{}\n", solver.ask.learned_literals.join("\n"));
        (!parts.assertions.is_empty()).then(|| parts.asserting(&prelude, &asked))
    }

    fn read(&self, parts: &mut Parts, seen: &Observation, pieces: &[&str]) -> Option<Stated> {
        // One check, so that all assertions hold for it.
        if seen.answers.len() != 1 || !parts.is_whole {
            return None;
        }
        let asserted = parts.conjunction();
        let mut facts = Vec::new();
        let mut is_complete = true;
        for (number, piece) in pieces.iter().enumerate() {
            for literal in elements(piece)? {
                // A name of the solver's own.
                if literal.contains('@') {
                    is_complete = false;
                    continue;
                }
                facts.push(Fact {
                    number,
                    said: format!("says that {} follows from the assertions", collapsed(literal)),
                    formula: format!("(=> {asserted} {literal})"),
                    under: Under::Every,
                });
            }
        }
        let stated = Stated::new(parts, facts, Vec::new());
        Some(if is_complete { stated } else { stated.incomplete() })
    }
}
