//! Which solver is wrong, by evaluation; where that cannot be decided, it is said.

use crate::predicate::{Basis, Claim, Established};
use crate::verdict::Class;
use solver::Answer;

/// Who is wrong, and how that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blame {
    /// The kind of bug.
    pub class: Class,
    /// The places of the solvers that are wrong; all that take part where it is not decided.
    pub suspects: Vec<usize>,
    /// Whether it is decided.
    pub decided: bool,
    /// How it is known, or why it is not.
    pub reason: String,
}

/// Who is wrong in what was established.
pub fn blame(established: &Established) -> Blame {
    let participants = &established.participants;
    let places = |wanted: &dyn Fn(&Claim) -> bool| -> Vec<usize> {
        (0..participants.len()).filter(|&place| wanted(&participants[place].claim)).collect()
    };
    let says = |answer: Answer| places(&|claim| *claim == Claim::Says(answer));
    let names = |places: &[usize]| -> String {
        let mut names: Vec<&str> =
            places.iter().map(|&place| participants[place].target.id.as_str()).collect();
        names.dedup();
        names.join(" and ")
    };
    let (sat, unsat) = (says(Answer::Sat), says(Answer::Unsat));
    let crashing = places(&|claim| matches!(claim, Claim::Crashes(_)));
    if !crashing.is_empty() {
        let reason = format!("{} dies on it", names(&crashing));
        return Blame { class: Class::Crash, suspects: crashing, decided: true, reason };
    }
    match &established.basis {
        Basis::Model { from, .. } => Blame {
            class: Class::WrongUnsat,
            reason: format!("the model of {from} makes every assertion true by our own evaluation"),
            suspects: unsat,
            decided: true,
        },
        Basis::RefutedModel { by, .. } => {
            let suspects: Vec<usize> =
                (0..participants.len()).filter(|&place| participants[place].target.id == *by).collect();
            let class = if unsat.is_empty() { Class::InvalidModel } else { Class::WrongSat };
            let reason = match class {
                Class::WrongSat => format!(
                    "the model of {by} makes an assertion false by our own evaluation, and {} says unsat",
                    names(&unsat)
                ),
                _ => format!("the model of {by} makes an assertion false by our own evaluation"),
            };
            Blame { class, suspects, decided: true, reason }
        }
        Basis::Core(found) => {
            let suspects = places(&|claim| *claim == Claim::WrongCore);
            let reason = format!(
                "{} calls {} a core, and the model of {} makes every assertion of it true by our own evaluation",
                names(&suspects),
                found.core.split_whitespace().collect::<Vec<_>>().join(" "),
                found.from
            );
            Blame { class: Class::InvalidCore, suspects, decided: true, reason }
        }
        Basis::Itself => {
            let of_proof = places(&|claim| *claim == Claim::OwnProofCheck);
            let (class, what, suspects) = match of_proof.is_empty() {
                true => (Class::InvalidModel, "model", places(&|claim| *claim == Claim::OwnModelCheck)),
                false => (Class::InvalidProof, "proof", of_proof),
            };
            let reason = format!("{} finds its own {what} wrong", names(&suspects));
            Blame { class, suspects, decided: true, reason }
        }
        Basis::Times(times) => {
            let suspects = places(&|claim| matches!(claim, Claim::Slow(_)));
            let fast = places(&|claim| matches!(claim, Claim::Fast(_)));
            let reason = format!(
                "{} takes {:.2} s of CPU time, {} at most {:.2} s",
                names(&suspects),
                times.slow.as_secs_f64(),
                names(&fast),
                times.fast.as_secs_f64()
            );
            Blame { class: Class::Performance, suspects, decided: true, reason }
        }
        Basis::Answers => Blame {
            class: Class::Contradiction,
            reason: format!(
                "{} says sat and {} says unsat, and no model could be evaluated, so it is not decided who is wrong",
                names(&sat),
                names(&unsat)
            ),
            suspects: sat.iter().chain(&unsat).copied().collect(),
            decided: false,
        },
    }
}
