//! Wrong answers: solvers against each other, against what is known, and against their own models.

use super::models::Opinions;
use super::{Expected, Question, Witness};
use crate::signature;
use crate::verdict::{Bug, Class, Evidence};
use solver::{Answer, Observation, Outcome};
use std::collections::BTreeSet;

/// The answers of a run that can be held against it: those before the first one that is missing, and none if an error
/// may have changed what was asked.
fn usable(seen: &Observation) -> &[Answer] {
    let errors = seen.stdout.matches("(error").count();
    let trusted = match seen.outcome {
        Outcome::Answered => true,
        Outcome::InvalidModel { .. } | Outcome::InvalidProof { .. } => errors <= 1,
        Outcome::Timeout
        | Outcome::OutOfMemory
        | Outcome::OutputLimit
        | Outcome::Crash(_)
        | Outcome::Interrupted { .. } => errors == 0,
        Outcome::Refused { .. } | Outcome::Error { .. } => false,
    };
    let end = seen.answers.iter().position(|answer| *answer == Answer::Missing).unwrap_or(seen.answers.len());
    if trusted { &seen.answers[..end] } else { &[] }
}

/// The places of the witnesses that gave `answer` to the question at `index`.
fn sayers(witnesses: &[Witness<'_>], index: usize, answer: Answer) -> Vec<usize> {
    let says = |place: &usize| usable(witnesses[*place].observation).get(index) == Some(&answer);
    (0..witnesses.len()).filter(says).collect()
}

fn ids(witnesses: &[Witness<'_>], places: &[usize]) -> Vec<String> {
    places.iter().map(|&place| witnesses[place].id.to_owned()).collect()
}

fn names<'a>(witnesses: &[Witness<'a>], places: &[usize]) -> BTreeSet<&'a str> {
    places.iter().map(|&place| witnesses[place].name).collect()
}

/// Who says what, for the signature.
fn said(witnesses: &[Witness<'_>], sat: &[usize], unsat: &[usize]) -> Vec<String> {
    let word = |places: &[usize], word: &str| -> Vec<String> {
        ids(witnesses, places).into_iter().map(|id| format!("{id}:{word}")).collect()
    };
    let mut said = word(sat, "sat");
    said.extend(word(unsat, "unsat"));
    said.sort();
    said
}

/// The first question on which some say `sat` and others `unsat`.
pub(super) fn contradictions(
    question: &Question<'_>,
    witnesses: &[Witness<'_>],
    opinions: &mut Opinions,
    bugs: &mut Vec<Bug>,
) {
    let questions = witnesses.iter().map(|witness| usable(witness.observation).len()).max().unwrap_or(0);
    for index in 0..questions {
        let (sat, unsat) = (sayers(witnesses, index, Answer::Sat), sayers(witnesses, index, Answer::Unsat));
        if !sat.is_empty() && !unsat.is_empty() {
            // Models are asked for after the last question, so only there do they tell who is wrong.
            let last = witnesses.iter().all(|witness| witness.observation.answers.len() <= index + 1);
            let opinions = if last { Some(&*opinions) } else { None };
            bugs.push(contradiction(question, witnesses, index, &sat, &unsat, opinions));
            return;
        }
    }
}

fn contradiction(
    question: &Question<'_>,
    witnesses: &[Witness<'_>],
    index: usize,
    sat: &[usize],
    unsat: &[usize],
    opinions: Option<&Opinions>,
) -> Bug {
    let mut evidence = Vec::new();
    let (sat_ids, unsat_ids) = (ids(witnesses, sat), ids(witnesses, unsat));
    let (sat_names, unsat_names) = (names(witnesses, sat), names(witnesses, unsat));
    let one_solver = sat_names.union(&unsat_names).count() == 1;
    evidence.push(if one_solver {
        Evidence::SelfContradiction { sat: sat_ids.clone(), unsat: unsat_ids.clone() }
    } else {
        Evidence::Disagreement { sat: sat_ids.clone(), unsat: unsat_ids.clone() }
    });
    if sat_names.len() >= 2 && unsat_names.len() == 1 {
        evidence.push(Evidence::Majority { targets: sat_ids.clone(), answer: "sat" });
    } else if unsat_names.len() >= 2 && sat_names.len() == 1 {
        evidence.push(Evidence::Majority { targets: unsat_ids.clone(), answer: "unsat" });
    }
    let mut confirmed = false;
    let mut refuted = 0;
    if let Some(opinions) = opinions {
        for &place in sat {
            if opinions.confirms(place) {
                confirmed = true;
                evidence.push(Evidence::ModelConfirmed { target: witnesses[place].id.to_owned() });
            } else if let Some(explanation) = opinions.refutation(place) {
                refuted += 1;
                let (target, explanation) = (witnesses[place].id.to_owned(), explanation.to_owned());
                evidence.push(Evidence::ModelRefuted { target, explanation });
            }
        }
    }
    let known = opinions.and_then(|opinions| construction(question, witnesses, opinions));
    let known_answer = known.as_ref().map(|(answer, _)| *answer);
    evidence.extend(known.map(|(_, evidence)| evidence));
    let by_majority = evidence.iter().find_map(|one| match one {
        Evidence::Majority { answer, .. } => Some(*answer),
        _ => None,
    });
    let (class, suspects) = if confirmed || known_answer == Some(Answer::Sat) {
        (Class::WrongUnsat, unsat.to_vec())
    } else if refuted == sat.len() || known_answer == Some(Answer::Unsat) {
        (Class::WrongSat, sat.to_vec())
    } else {
        match by_majority {
            Some("sat") => (Class::WrongUnsat, unsat.to_vec()),
            Some(_) => (Class::WrongSat, sat.to_vec()),
            None => (Class::Contradiction, sat.iter().chain(unsat).copied().collect()),
        }
    };
    let place = if index == 0 { String::new() } else { format!(" at check {}", index + 1) };
    Bug {
        class,
        suspects,
        title: format!("{}, {}{place}", told(&sat_ids, "sat"), told(&unsat_ids, "unsat")),
        signature: signature::of_answers(
            class,
            &said(witnesses, sat, unsat),
            question.theories,
            question.script,
        ),
        evidence,
    }
}

/// `z3@5.4.0 and cvc5@1.4.2 say unsat`
fn told(ids: &[String], answer: &str) -> String {
    let verb = if ids.len() == 1 { "says" } else { "say" };
    format!("{} {verb} {answer}", ids.join(" and "))
}

/// The answer that is known by construction, with its evidence. Only a script with one question has one.
fn construction(
    question: &Question<'_>,
    witnesses: &[Witness<'_>],
    opinions: &Opinions,
) -> Option<(Answer, Evidence)> {
    if witnesses.iter().any(|witness| witness.observation.answers.len() > 1) {
        return None;
    }
    match question.expected {
        Expected::Sat { .. } if opinions.construction_fails() => None,
        Expected::Sat { .. } => {
            let reason = if opinions.construction_holds() {
                "the model that the case was made with makes every assertion true by our own evaluation"
            } else {
                "the case was made to have a model"
            };
            Some((Answer::Sat, Evidence::Construction { answer: "sat", reason: reason.to_owned() }))
        }
        Expected::Unsat { reason } => {
            Some((Answer::Unsat, Evidence::Construction { answer: "unsat", reason: reason.to_owned() }))
        }
        Expected::Unknown => None,
    }
}

/// Answers against what is known, where no solver contradicts another.
pub(super) fn unexpected(
    question: &Question<'_>,
    witnesses: &[Witness<'_>],
    opinions: &mut Opinions,
    bugs: &mut Vec<Bug>,
) {
    let Some((answer, evidence)) = construction(question, witnesses, opinions) else { return };
    let (sat, unsat) = (sayers(witnesses, 0, Answer::Sat), sayers(witnesses, 0, Answer::Unsat));
    let (class, wrong, word) = match answer {
        Answer::Sat => (Class::WrongUnsat, &unsat, "unsat"),
        _ => (Class::WrongSat, &sat, "sat"),
    };
    if wrong.is_empty() || (!sat.is_empty() && !unsat.is_empty()) {
        return;
    }
    // The case itself is wrong if a solver that agrees with it in nothing else has a model that holds.
    if answer == Answer::Unsat && sat.iter().any(|&place| opinions.confirms(place)) {
        return;
    }
    let mut all = vec![evidence];
    if answer == Answer::Unsat {
        all.extend(wrong.iter().filter_map(|&place| {
            let (target, explanation) =
                (witnesses[place].id.to_owned(), opinions.refutation(place)?.to_owned());
            Some(Evidence::ModelRefuted { target, explanation })
        }));
    }
    bugs.push(Bug {
        class,
        suspects: wrong.clone(),
        evidence: all,
        title: format!("{} against what is known", told(&ids(witnesses, wrong), word)),
        signature: signature::of_answers(
            class,
            &said(witnesses, &sat, &unsat),
            question.theories,
            question.script,
        ),
    });
}

/// Models that our evaluation refutes, of solvers that are not suspected of a wrong answer already.
pub(super) fn refuted_models(
    question: &Question<'_>,
    witnesses: &[Witness<'_>],
    opinions: &mut Opinions,
    bugs: &mut Vec<Bug>,
) {
    for (place, witness) in witnesses.iter().enumerate() {
        let Some(explanation) = opinions.refutation(place) else { continue };
        let told = |bug: &Bug| {
            bug.suspects.contains(&place) && matches!(bug.class, Class::WrongSat | Class::InvalidModel)
        };
        if bugs.iter().any(told) {
            continue;
        }
        let target = witness.id.to_owned();
        bugs.push(Bug {
            class: Class::InvalidModel,
            suspects: vec![place],
            title: format!("{target} gives a model that is none"),
            evidence: vec![Evidence::ModelRefuted { target, explanation: explanation.to_owned() }],
            signature: signature::of_answers(
                Class::InvalidModel,
                &[witness.id.to_owned()],
                question.theories,
                question.script,
            ),
        });
    }
}
