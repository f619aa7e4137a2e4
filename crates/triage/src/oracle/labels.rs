//! The `:status` of a script against the answers to it. A label is weak evidence: many scripts were changed after someone stated
//! their status. It never shows that a solver is wrong, but a reader of a finding wants to know it.

use super::answers::{answering, ids, names};
use super::models::Opinions;
use super::question::{Question, Witness};
use super::solver_defined::solver_defined_operators;
use crate::verdict::Bug;
use case::hash::fnv1a;
use case::{Answer, Class, Evidence, Expectation, Signature, WitnessIndex};

/// A label that some solvers contradict.
struct Contradicted {
    check: usize,
    stated: Answer,
    against: Vec<WitnessIndex>,
}

/// Adds the label to what is known of wrong answers and models. If there are none, reports the label.
pub(super) fn contradicted(
    question: &Question<'_>,
    witnesses: &[Witness<'_>],
    opinions: &Opinions,
    bugs: &mut Vec<Bug>,
) {
    let Expectation::Labelled { answers } = question.expectation else { return };
    let Some(label) = first_contradicted(answers, witnesses) else { return };
    let evidence =
        Evidence::Label { check: label.check, stated: label.stated, against: ids(witnesses, &label.against) };
    let doubted = |bug: &&mut Bug| bug.class.is_about_answers() || bug.class == Class::InvalidModel;
    let mut known = false;
    for bug in bugs.iter_mut().filter(doubted) {
        bug.evidence.push(evidence.clone());
        known = true;
    }
    // An operator that each solver defines for itself may have had another definition when the label was written.
    if !known && solver_defined_operators(question.script).is_empty() {
        bugs.push(wrong_label(question, witnesses, opinions, &label, evidence));
    }
}

fn first_contradicted(answers: &[Answer], witnesses: &[Witness<'_>]) -> Option<Contradicted> {
    answers.iter().enumerate().find_map(|(check, &stated)| {
        let other = match stated {
            Answer::Sat => Answer::Unsat,
            Answer::Unsat => Answer::Sat,
            Answer::Unknown | Answer::Missing => return None,
        };
        let against = answering(witnesses, check, other);
        (!against.is_empty()).then_some(Contradicted { check, stated, against })
    })
}

fn wrong_label(
    question: &Question<'_>,
    witnesses: &[Witness<'_>],
    opinions: &Opinions,
    label: &Contradicted,
    evidence: Evidence,
) -> Bug {
    let mut all = vec![evidence];
    // Models are requested after the last check.
    let last = witnesses.iter().all(|witness| witness.observation.answers.len() <= label.check + 1);
    let confirmed = label.against.iter().filter(|&&witness| last && opinions.confirms(witness));
    all.extend(
        confirmed.map(|witness| Evidence::ModelConfirmed { solver: witnesses[witness.get()].id.to_owned() }),
    );
    if names(witnesses, &label.against).len() > 1 {
        let answer = if label.stated == Answer::Sat { Answer::Unsat } else { Answer::Sat };
        all.push(Evidence::Majority { solvers: ids(witnesses, &label.against), answer });
    }
    // If only the label and one solver are there, either may be wrong.
    let suspects = if all.len() > 1 { Vec::new() } else { label.against.clone() };
    let script = format!("{:016x}", fnv1a(question.script));
    Bug {
        class: Class::WrongLabel,
        suspects,
        evidence: all,
        signature: Signature::Label { script, stated: label.stated },
    }
}
