//! Decides which solver is wrong, by our own evaluation.

use crate::predicate::{Basis, Established, Participant};
use case::text::collapsed;
use case::{Answer, Claim, Class, Outcome, ParticipantIndex};

/// Which solvers are wrong, and how that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blame {
    /// The kind of bug.
    pub class: Class,
    /// The solvers that are wrong; all that contradict each other if it is undecided.
    pub suspects: Vec<ParticipantIndex>,
    /// Whether it is decided which solvers are wrong.
    pub decided: bool,
    /// How it is known, or why it is undecided.
    pub reason: String,
    /// Whether only the solver's own check says so.
    pub own_check: bool,
}

impl Blame {
    /// The solver to blame first.
    pub fn first_suspect(&self) -> ParticipantIndex {
        self.suspects.first().copied().unwrap_or(ParticipantIndex(0))
    }
}

/// Decides which solvers are wrong.
pub fn blame(established: &Established) -> Blame {
    let which = |wanted: &dyn Fn(&Participant) -> bool| -> Vec<ParticipantIndex> {
        let indices = ParticipantIndex::all(established.participants.len());
        indices.filter(|&index| wanted(established.participant(index))).collect()
    };
    let claiming = |wanted: &dyn Fn(&Claim) -> bool| which(&|participant| wanted(&participant.claim));
    let says = |answer: Answer| claiming(&|claim| claim.answer() == Some(answer));
    let names = |indices: &[ParticipantIndex]| -> String {
        let mut names: Vec<String> =
            indices.iter().map(|&index| established.participant(index).name()).collect();
        names.dedup();
        names.join(" and ")
    };
    let (sat, unsat) = (says(Answer::Sat), says(Answer::Unsat));
    let crashing = claiming(&|claim| matches!(claim, Claim::Crashes(_)));
    if !crashing.is_empty() {
        let reason = format!("{} crashes on this input", names(&crashing));
        return Blame { class: Class::Crash, suspects: crashing, decided: true, reason, own_check: false };
    }
    let unknown = says(Answer::Unknown);
    if !unknown.is_empty() && (sat.is_empty() || unsat.is_empty()) {
        let others: Vec<ParticipantIndex> = sat.iter().chain(&unsat).copied().collect();
        let answer = if unsat.is_empty() { Answer::Sat } else { Answer::Unsat };
        let mut reason = format!("{} says unknown", names(&unknown));
        if !others.is_empty() {
            reason.push_str(&format!(", and {} says {}", names(&others), answer.word()));
        }
        let class = Class::Incompleteness;
        return Blame { class, suspects: unknown, decided: true, reason, own_check: false };
    }
    match &established.basis {
        Basis::Model { from, .. } => Blame {
            class: Class::WrongUnsat,
            reason: match established.basis.holds_always() {
                true => "every assertion is true by our own evaluation, whatever the model".to_owned(),
                false => format!("the model of {from} makes every assertion true by our own evaluation"),
            },
            suspects: unsat,
            decided: true,
            own_check: false,
        },
        Basis::RefutedModel { by, always, .. } => {
            // A solver that contradicts itself takes part twice.
            let gave = |participant: &Participant| participant.claim.answer() != Some(Answer::Unsat);
            let suspects = which(&|participant| participant.target.id == *by && gave(participant));
            let class = if unsat.is_empty() && !always { Class::InvalidModel } else { Class::WrongSat };
            let reason = match class {
                Class::WrongSat if *always => {
                    format!(
                        "{by} answers sat, and an assertion is false by our own evaluation, whatever the model"
                    )
                }
                Class::WrongSat => format!(
                    "the model of {by} makes an assertion false by our own evaluation, and {} answers unsat",
                    names(&unsat)
                ),
                _ => format!("the model of {by} makes an assertion false by our own evaluation"),
            };
            Blame { class, suspects, decided: true, reason, own_check: false }
        }
        Basis::Core(found) => {
            let suspects = claiming(&|claim| *claim == Claim::WrongCore);
            let reason = format!(
                "{} returns the unsat core {}, and the model of {} makes every assertion of it true by our own evaluation",
                names(&suspects),
                collapsed(&found.core),
                found.from
            );
            Blame { class: Class::InvalidCore, suspects, decided: true, reason, own_check: false }
        }
        Basis::Misstatement(wrong) => {
            let suspects = claiming(&|claim| matches!(claim, Claim::Misstates(_)));
            let reason = format!("{} {}, which is wrong by our own evaluation", names(&suspects), wrong.said);
            Blame { class: wrong.kind.class(), suspects, decided: true, reason, own_check: false }
        }
        Basis::RejectedProof(rejection) => {
            let suspects = claiming(&|claim| matches!(claim, Claim::RejectedProof(_)));
            let reason = format!(
                "`{}` rejects the proof of {}: {}",
                rejection.checker,
                names(&suspects),
                rejection.message
            );
            Blame { class: Class::InvalidProof, suspects, decided: true, reason, own_check: false }
        }
        Basis::Itself => {
            let proof = claiming(&|claim| *claim == Claim::OwnProofCheck);
            let (class, what, suspects) = match proof.is_empty() {
                true => (Class::InvalidModel, "model", claiming(&|claim| *claim == Claim::OwnModelCheck)),
                false => (Class::InvalidProof, "proof", proof),
            };
            let reason = format!("{} rejects its own {what}", names(&suspects));
            Blame { class, suspects, decided: true, reason, own_check: true }
        }
        Basis::Times(times) => {
            let suspects = claiming(&|claim| matches!(claim, Claim::Slow(_)));
            let fast = claiming(&|claim| matches!(claim, Claim::Fast(_)));
            let mut runs = established.participants.iter().zip(&established.seen);
            let unanswered = runs.any(|(participant, run)| {
                matches!(participant.claim, Claim::Slow(_)) && run.outcome == Outcome::Timeout
            });
            let takes = if unanswered { "gives no answer within" } else { "takes" };
            let reason = format!(
                "{} {takes} {:.2} s of CPU time, {} at most {:.2} s",
                names(&suspects),
                times.slow.as_secs_f64(),
                names(&fast),
                times.fast.as_secs_f64()
            );
            Blame { class: Class::Performance, suspects, decided: true, reason, own_check: false }
        }
        Basis::Answers => {
            let mut suspects: Vec<ParticipantIndex> = sat.iter().chain(&unsat).copied().collect();
            // The script itself shows more than its plain form.
            suspects.sort_by_key(|&suspect| established.participant(suspect).is_plain());
            let id = |&index: &ParticipantIndex| established.participant(index).target.id.as_str();
            let itself = sat.iter().chain(&unsat).all(|one| Some(id(one)) == suspects.first().map(id))
                && !sat.is_empty()
                && !unsat.is_empty();
            let undecided = match itself {
                true => {
                    "it contradicts itself, and no model that could be evaluated shows which answer is wrong"
                }
                false => "no model could be evaluated, so it is undecided which is wrong",
            };
            let (sat, unsat) = (names(&sat), names(&unsat));
            let reason = format!("{sat} answers sat and {unsat} answers unsat; {undecided}");
            Blame { class: Class::Contradiction, suspects, decided: itself, reason, own_check: false }
        }
    }
}
