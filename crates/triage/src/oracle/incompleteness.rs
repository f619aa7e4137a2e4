//! Incompleteness: a solver gives up on a script although it answered one from which the answer follows. This is a candidate for a
//! person to check, not a bug: a solver may always answer `unknown`.

use super::question::{Question, Witness};
use super::signatures::solver_signature;
use crate::verdict::Bug;
use case::{Answer, Class, Evidence, Expectation, Outcome, WitnessIndex};

/// Words in the `:reason-unknown` of a solver that reached a limit or does not support the script.
const LIMITS: [&str; 8] =
    ["time", "resource", "memout", "memory", "cancel", "interrupt", "limit", "unsupported"];

/// Whether a solver that gives this `:reason-unknown` reached a limit, or does not support the script.
pub fn is_limit(reason: &str) -> bool {
    let reason = reason.to_lowercase();
    LIMITS.iter().any(|word| reason.contains(word))
}

/// The candidates: witnesses that answered the premise as expected and say `unknown` now.
pub(super) fn gave_up(question: &Question<'_>, witnesses: &[Witness<'_>]) -> Vec<Bug> {
    let (answer, sat) = match question.expectation {
        Expectation::Sat { .. } => (Answer::Sat, true),
        Expectation::Unsat { .. } => (Answer::Unsat, false),
        Expectation::Unknown | Expectation::Labelled { .. } => return Vec::new(),
    };
    let answered = |name: &str| {
        // Several releases may have one name; all of them must have answered.
        let mut own = question.premise.iter().filter(|learned| learned.solver == name).peekable();
        own.peek().is_some() && own.all(|learned| learned.sat == Some(sat))
    };
    let bug = |(index, witness): (WitnessIndex, &Witness<'_>)| {
        let seen = witness.observation;
        let gives_up = seen.outcome == Outcome::Answered && seen.answers == [Answer::Unknown];
        let (solver, reason) = (witness.id.to_owned(), String::new());
        (gives_up && answered(witness.name)).then(|| Bug {
            class: Class::Incompleteness,
            suspects: vec![index],
            evidence: vec![Evidence::GaveUp { solver, answer, reason }],
            signature: solver_signature(Class::Incompleteness, witness.name, question),
        })
    };
    WitnessIndex::all(witnesses.len()).zip(witnesses).filter_map(bug).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_not_incompleteness() {
        let table = [
            ("", false),
            ("incomplete", false),
            ("(incomplete (theory arithmetic))", false),
            ("smt tactic failed to show goal to be sat/unsat (incomplete quantifiers)", false),
            ("canceled", true),
            ("timeout", true),
            ("max. resource limit exceeded", true),
            ("memout", true),
            ("RESOURCEOUT", true),
            ("interrupted from keyboard", true),
        ];
        for (reason, expected) in table {
            assert_eq!(is_limit(reason), expected, "{reason}");
        }
    }
}
