//! Which solver is wrong, by evaluation; where that cannot be decided, it is said.

use crate::predicate::{Basis, Established};
use case::text::collapsed;
use case::{Answer, Claim, Class};

/// Who is wrong, and how that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blame {
    /// The kind of bug.
    pub class: Class,
    /// The indexs of the solvers that are wrong; all that take part where it is not decided.
    pub suspects: Vec<usize>,
    /// Whether it is decided.
    pub decided: bool,
    /// How it is known, or why it is not.
    pub reason: String,
}

/// Who is wrong in what was established.
pub fn blame(established: &Established) -> Blame {
    let participants = &established.participants;
    let indexs = |wanted: &dyn Fn(&Claim) -> bool| -> Vec<usize> {
        (0..participants.len()).filter(|&index| wanted(&participants[index].claim)).collect()
    };
    let says = |answer: Answer| indexs(&|claim| *claim == Claim::Says(answer));
    let names = |indexs: &[usize]| -> String {
        let mut names: Vec<&str> =
            indexs.iter().map(|&index| participants[index].target.id.as_str()).collect();
        names.dedup();
        names.join(" and ")
    };
    let (sat, unsat) = (says(Answer::Sat), says(Answer::Unsat));
    let crashing = indexs(&|claim| matches!(claim, Claim::Crashes(_)));
    if !crashing.is_empty() {
        let reason = format!("{} crashes on this input", names(&crashing));
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
                (0..participants.len()).filter(|&index| participants[index].target.id == *by).collect();
            let class = if unsat.is_empty() { Class::InvalidModel } else { Class::WrongSat };
            let reason = match class {
                Class::WrongSat => format!(
                    "the model of {by} makes an assertion false by our own evaluation, and {} answers unsat",
                    names(&unsat)
                ),
                _ => format!("the model of {by} makes an assertion false by our own evaluation"),
            };
            Blame { class, suspects, decided: true, reason }
        }
        Basis::Core(found) => {
            let suspects = indexs(&|claim| *claim == Claim::WrongCore);
            let reason = format!(
                "{} returns the unsat core {}, and the model of {} makes every assertion of it true by our own evaluation",
                names(&suspects),
                collapsed(&found.core),
                found.from
            );
            Blame { class: Class::InvalidCore, suspects, decided: true, reason }
        }
        Basis::Itself => {
            let of_proof = indexs(&|claim| *claim == Claim::OwnProofCheck);
            let (class, what, suspects) = match of_proof.is_empty() {
                true => (Class::InvalidModel, "model", indexs(&|claim| *claim == Claim::OwnModelCheck)),
                false => (Class::InvalidProof, "proof", of_proof),
            };
            let reason = format!("{} rejects its own {what}", names(&suspects));
            Blame { class, suspects, decided: true, reason }
        }
        Basis::Times(times) => {
            let suspects = indexs(&|claim| matches!(claim, Claim::Slow(_)));
            let fast = indexs(&|claim| matches!(claim, Claim::Fast(_)));
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
                "{} answers sat and {} answers unsat; no model could be evaluated, so it is undecided which is wrong",
                names(&sat),
                names(&unsat)
            ),
            suspects: sat.iter().chain(&unsat).copied().collect(),
            decided: false,
        },
    }
}
