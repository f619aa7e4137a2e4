//! Shows a finding as plainly as possible: without the options that it does not need, by a model that is wrong rather than by a check
//! that says so, and by a wrong answer rather than by an unsat core that has all assertions.

use crate::error::TriageError;
use crate::predicate::Established;
use crate::source::SolverSource;
use crate::subject::Subject;
use case::{Answer, Claim, Predicate};
use solver::run::Limits;

/// The subject with the plainest predicate that its script shows, and what runs have established about it.
pub fn plainest(
    subject: &Subject,
    limits: Limits,
    source: &dyn SolverSource,
) -> Result<(Subject, Established), TriageError> {
    for predicate in plainer(&subject.predicate) {
        let plain = Subject { predicate, ..subject.clone() };
        match plain.establish(&plain.clauses(source)?, limits) {
            Ok(established) => return without_options(plain, established, limits, source),
            Err(TriageError::NotShown { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    let established = subject.establish(&subject.clauses(source)?, limits)?;
    without_options(subject.clone(), established, limits, source)
}

/// Plainer predicates, the plainest first: all without options, an invalid model that evaluation refutes, and a wrong `unsat`.
fn plainer(predicate: &Predicate) -> Vec<Predicate> {
    let mut claimed = predicate.clone();
    for clause in &mut claimed.clauses {
        clause.claim = match clause.claim.clone() {
            Claim::OwnModelCheck => Claim::WrongModel,
            Claim::WrongCore => Claim::Says(Answer::Unsat),
            Claim::SatisfiesCore => Claim::Says(Answer::Sat),
            claim => claim,
        };
    }
    let mut plainer = Vec::new();
    if claimed != *predicate {
        plainer.extend(no_options(&claimed));
        plainer.push(claimed);
    }
    plainer.extend(no_options(predicate));
    plainer
}

/// The predicate without any options; `None` if it has none.
fn no_options(predicate: &Predicate) -> Option<Predicate> {
    let mut plain = predicate.clone();
    plain.clauses.iter_mut().for_each(|clause| clause.options.clear());
    (plain != *predicate).then_some(plain)
}

/// Removes options one by one as long as the script shows the same.
fn without_options(
    mut subject: Subject,
    mut established: Established,
    limits: Limits,
    source: &dyn SolverSource,
) -> Result<(Subject, Established), TriageError> {
    for clause in 0..subject.predicate.clauses.len() {
        let mut option = 0;
        while option < subject.predicate.clauses[clause].options.len() {
            let mut fewer = subject.clone();
            fewer.predicate.clauses[clause].options.remove(option);
            match fewer.establish(&fewer.clauses(source)?, limits) {
                Ok(found) => (subject, established) = (fewer, found),
                Err(TriageError::NotShown { .. }) => option += 1,
                Err(error) => return Err(error),
            }
        }
    }
    Ok((subject, established))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plainer_predicates_need_no_options_and_no_check() {
        let table: [(&str, &[&str]); 5] = [
            ("z3 says unsat, cvc5 says sat", &[]),
            ("z3 model_validate=true crashes", &["z3 crashes"]),
            ("z3 finds its model wrong", &["z3 gives a wrong model"]),
            ("z3 gives a wrong core, cvc5 satisfies it", &["z3 says unsat, cvc5 says sat"]),
            (
                "z3 -a finds its model wrong",
                &["z3 gives a wrong model", "z3 -a gives a wrong model", "z3 finds its model wrong"],
            ),
        ];
        for (predicate, expected) in table {
            let found: Vec<String> =
                plainer(&Predicate::parse(predicate).unwrap()).iter().map(Predicate::to_string).collect();
            assert_eq!(found, expected, "{predicate}");
        }
    }
}
