//! Wrong answers: solvers against each other, against what is known, and against their own models.

use super::models::Opinions;
use super::question::{Question, Witness};
use super::signatures::answers_signature;
use super::solver_defined::solver_defined_operators;
use crate::verdict::Bug;
use case::{Answer, Class, Conflict, Evidence, Expectation, Outcome, WitnessIndex};
use solver::Observation;
use std::collections::BTreeSet;

/// The answers of a run that count: those before the first missing one. None count if an error may have changed the question.
pub(crate) fn usable(seen: &Observation) -> &[Answer] {
    let errors = seen.stdout.matches("(error").count();
    let trusted = match seen.outcome {
        Outcome::Answered => true,
        Outcome::InvalidModel { .. } | Outcome::InvalidProof { .. } => errors <= 1,
        Outcome::Timeout
        | Outcome::OutOfMemory
        | Outcome::OutputLimit
        | Outcome::Crash(_)
        | Outcome::Interrupted { .. } => errors == 0,
        Outcome::Refused { .. } | Outcome::Error { .. } => has_answers_before_errors(&seen.stdout),
    };
    let end = seen.answers.iter().position(|answer| *answer == Answer::Missing).unwrap_or(seen.answers.len());
    if trusted { &seen.answers[..end] } else { &[] }
}

/// Whether the solver's own check rejects its result, and no other error may have changed the question before.
pub(crate) fn rejects_own_result(seen: &Observation) -> bool {
    let (Outcome::InvalidModel { message } | Outcome::InvalidProof { message }) = &seen.outcome else {
        return false;
    };
    let lines: Vec<&str> = seen.stdout.lines().collect();
    let end = lines.iter().rposition(|line| is_answer(line)).unwrap_or(lines.len());
    !lines[..end].iter().any(|line| line.contains("(error") && !line.contains(message))
}

fn is_answer(line: &str) -> bool {
    matches!(line.trim(), "sat" | "unsat" | "unknown")
}

/// Whether all errors come after the last answer, as if the solver refuses only `(get-model)`.
fn has_answers_before_errors(stdout: &str) -> bool {
    let mut rest = stdout.lines().skip_while(|line| !line.contains("(error")).peekable();
    rest.peek().is_some() && !rest.any(is_answer)
}

/// The witnesses that gave `answer` to the check number `check`.
pub(super) fn answering(witnesses: &[Witness<'_>], check: usize, answer: Answer) -> Vec<WitnessIndex> {
    let gave =
        |witness: &WitnessIndex| usable(witnesses[witness.get()].observation).get(check) == Some(&answer);
    WitnessIndex::all(witnesses.len()).filter(gave).collect()
}

pub(super) fn ids(witnesses: &[Witness<'_>], some: &[WitnessIndex]) -> Vec<String> {
    some.iter().map(|witness| witnesses[witness.get()].id.to_owned()).collect()
}

pub(super) fn names<'a>(witnesses: &[Witness<'a>], some: &[WitnessIndex]) -> BTreeSet<&'a str> {
    some.iter().map(|witness| witnesses[witness.get()].name).collect()
}

/// Who answers what, for the signature.
fn said(
    witnesses: &[Witness<'_>],
    sat: &[WitnessIndex],
    unsat: &[WitnessIndex],
) -> BTreeSet<(String, Option<Answer>)> {
    let with = |some: &[WitnessIndex], answer: Answer| -> Vec<(String, Option<Answer>)> {
        ids(witnesses, some).into_iter().map(|id| (id, Some(answer))).collect()
    };
    with(sat, Answer::Sat).into_iter().chain(with(unsat, Answer::Unsat)).collect()
}

/// The bug of the first check on which solvers contradict each other.
pub(super) fn contradictions(
    question: &Question<'_>,
    witnesses: &[Witness<'_>],
    opinions: &Opinions,
    bugs: &mut Vec<Bug>,
) {
    let checks = witnesses.iter().map(|witness| usable(witness.observation).len()).max().unwrap_or(0);
    for check in 0..checks {
        let sat = answering(witnesses, check, Answer::Sat);
        let unsat = answering(witnesses, check, Answer::Unsat);
        if !sat.is_empty() && !unsat.is_empty() {
            // Models are requested after the last check, so only there do they decide who is wrong.
            let last = witnesses.iter().all(|witness| witness.observation.answers.len() <= check + 1);
            bugs.extend(contradiction(question, witnesses, check, (&sat, &unsat), last.then_some(opinions)));
            return;
        }
    }
}

fn contradiction(
    question: &Question<'_>,
    witnesses: &[Witness<'_>],
    check: usize,
    (sat, unsat): (&[WitnessIndex], &[WitnessIndex]),
    opinions: Option<&Opinions>,
) -> Option<Bug> {
    let mut evidence = Vec::new();
    let (sat_ids, unsat_ids) = (ids(witnesses, sat), ids(witnesses, unsat));
    let (sat_names, unsat_names) = (names(witnesses, sat), names(witnesses, unsat));
    let one_solver = sat_names.union(&unsat_names).count() == 1;
    let conflict = Conflict { check, sat: sat_ids.clone(), unsat: unsat_ids.clone() };
    evidence.push(match one_solver {
        true => Evidence::SelfContradiction(conflict),
        false => Evidence::Disagreement(conflict),
    });
    let majority = match (sat_names.len(), unsat_names.len()) {
        (2.., 1) => Some((sat_ids, Answer::Sat)),
        (1, 2..) => Some((unsat_ids, Answer::Unsat)),
        _ => None,
    };
    let by_majority = majority.as_ref().map(|(_, answer)| *answer);
    evidence.extend(majority.map(|(solvers, answer)| Evidence::Majority { solvers, answer }));
    let mut confirmed = false;
    let mut refuted = 0;
    if let Some(opinions) = opinions {
        for &witness in sat {
            let solver = witnesses[witness.get()].id.to_owned();
            if opinions.confirms(witness) {
                confirmed = true;
                evidence.push(Evidence::ModelConfirmed { solver });
            } else if let Some(explanation) = opinions.refutation(witness) {
                refuted += 1;
                evidence.push(Evidence::ModelRefuted { solver, explanation: explanation.to_owned() });
            }
        }
    }
    let known = opinions.and_then(|opinions| construction(question, witnesses, opinions));
    let known_answer = known.as_ref().map(|(answer, _)| *answer);
    evidence.extend(known.map(|(_, evidence)| evidence));
    let (class, suspects) = if confirmed || known_answer == Some(Answer::Sat) {
        (Class::WrongUnsat, unsat.to_vec())
    } else if refuted == sat.len() || known_answer == Some(Answer::Unsat) {
        (Class::WrongSat, sat.to_vec())
    } else if !solver_defined_operators(question.script).is_empty() {
        // Both answers may be right, each by its solver's own definition.
        return None;
    } else {
        match by_majority {
            Some(Answer::Sat) => (Class::WrongUnsat, unsat.to_vec()),
            Some(_) => (Class::WrongSat, sat.to_vec()),
            None => (Class::Contradiction, sat.iter().chain(unsat).copied().collect()),
        }
    };
    let signature = answers_signature(class, said(witnesses, sat, unsat), question);
    Some(Bug { class, suspects, evidence, signature })
}

/// The answer that is known by construction, with its evidence. Only a script with one check has one.
fn construction(
    question: &Question<'_>,
    witnesses: &[Witness<'_>],
    opinions: &Opinions,
) -> Option<(Answer, Evidence)> {
    if witnesses.iter().any(|witness| witness.observation.answers.len() > 1) {
        return None;
    }
    let (answer, wrong, reason) = match question.expectation {
        Expectation::Sat { .. } if opinions.construction_fails() => return None,
        Expectation::Sat { .. } if opinions.construction_holds() => (
            Answer::Sat,
            Answer::Unsat,
            "the model that the case was built with makes every assertion true by our own evaluation",
        ),
        Expectation::Sat { .. } => (Answer::Sat, Answer::Unsat, "the case was built to have a model"),
        Expectation::Unsat { reason } => (Answer::Unsat, Answer::Sat, reason.as_str()),
        Expectation::Unknown | Expectation::Labelled { .. } => return None,
    };
    let against = ids(witnesses, &answering(witnesses, 0, wrong));
    Some((answer, Evidence::Construction { answer, reason: reason.to_owned(), against }))
}

/// Answers against what is known, where no solver contradicts another.
pub(super) fn unexpected(
    question: &Question<'_>,
    witnesses: &[Witness<'_>],
    opinions: &Opinions,
    bugs: &mut Vec<Bug>,
) {
    let Some((answer, evidence)) = construction(question, witnesses, opinions) else { return };
    let (sat, unsat) = (answering(witnesses, 0, Answer::Sat), answering(witnesses, 0, Answer::Unsat));
    let (class, wrong) = match answer {
        Answer::Sat => (Class::WrongUnsat, &unsat),
        _ => (Class::WrongSat, &sat),
    };
    if wrong.is_empty() || (!sat.is_empty() && !unsat.is_empty()) {
        return;
    }
    // A confirmed model shows that the case itself claims too much.
    if answer == Answer::Unsat && sat.iter().any(|&witness| opinions.confirms(witness)) {
        return;
    }
    let mut all = vec![evidence];
    if answer == Answer::Unsat {
        all.extend(wrong.iter().filter_map(|&witness| {
            let explanation = opinions.refutation(witness)?.to_owned();
            Some(Evidence::ModelRefuted { solver: witnesses[witness.get()].id.to_owned(), explanation })
        }));
    }
    let signature = answers_signature(class, said(witnesses, &sat, &unsat), question);
    bugs.push(Bug { class, suspects: wrong.clone(), evidence: all, signature });
}

/// Models that our evaluation refutes, of solvers that are not suspected of a wrong answer already.
pub(super) fn refuted_models(
    question: &Question<'_>,
    witnesses: &[Witness<'_>],
    opinions: &Opinions,
    bugs: &mut Vec<Bug>,
) {
    for witness in WitnessIndex::all(witnesses.len()) {
        let Some(explanation) = opinions.refutation(witness) else { continue };
        let covers = |bug: &Bug| {
            bug.suspects.contains(&witness) && matches!(bug.class, Class::WrongSat | Class::InvalidModel)
        };
        if bugs.iter().any(covers) {
            continue;
        }
        let solver = witnesses[witness.get()].id.to_owned();
        let said = BTreeSet::from([(solver.clone(), None)]);
        bugs.push(Bug {
            class: Class::InvalidModel,
            suspects: vec![witness],
            evidence: vec![Evidence::ModelRefuted { solver, explanation: explanation.to_owned() }],
            signature: answers_signature(Class::InvalidModel, said, question),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_after_the_last_answer_changes_no_question() {
        let table = [
            ("sat\n(error \"no model\")\n", true),
            ("sat\nunsat\n(error \"no core\")\n", true),
            ("(error \"unknown option\")\nsat\n", false),
            ("sat\n(error \"unknown function\")\nsat\n", false),
            // The error may be on standard error, anywhere between the answers.
            ("sat\n", false),
        ];
        for (stdout, expected) in table {
            assert_eq!(has_answers_before_errors(stdout), expected, "{stdout}");
        }
    }
}
