//! A solver with its claim.

use super::slow::{is_fast, is_slow};
use crate::oracle::{largest_escape, old_escapes, rejects_own_result, usable};
use crate::proofs::proof_of;
use crate::statements::oracle_for;
use case::{Answer, Claim, Clause, Outcome, ParticipantIndex};
use reduce::Need;
use solver::run::{Limits, RunSettings, Want, plain_script};
use solver::{Observation, RunError, RunMode, RunRequest, Target, runner};
use std::borrow::Cow;

/// A solver with its claim.
#[derive(Clone, Debug)]
pub struct Participant {
    /// The solver.
    pub target: Target,
    /// Options for its command line.
    pub options: Vec<String>,
    /// What it must go on doing.
    pub claim: Claim,
    /// The limits of a run on a candidate.
    pub limits: Limits,
}

/// When a participant is asked for a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskModel {
    /// If its claim is about its model.
    IfClaimed,
    /// Also if it is claimed to answer `sat`: the model is evidence.
    AsEvidence,
    /// Always.
    Always,
}

impl Participant {
    /// The solver of a clause.
    pub fn new(clause: &Clause, target: &Target, limits: Limits) -> Participant {
        let Clause { options, claim, .. } = clause.clone();
        Participant { target: target.clone(), options, claim, limits }
    }

    /// What a run must ask for besides answers.
    pub fn want(&self, model: AskModel) -> Want {
        let model = match model {
            AskModel::IfClaimed => false,
            AskModel::AsEvidence => self.says_sat(),
            AskModel::Always => true,
        };
        Want {
            model: model || self.claim == Claim::WrongModel,
            check_models: self.claim == Claim::OwnModelCheck,
            check_proofs: self.claim == Claim::OwnProofCheck,
            ..Want::default()
        }
    }

    /// Runs the plain executable in a fresh process.
    pub fn run_once(&self, request: &RunRequest<'_>) -> Result<Observation, RunError> {
        runner(&self.target, RunMode::OneShot, &RunSettings::default())?.run(request)
    }

    /// Whether it is claimed to answer `sat`.
    pub(super) fn says_sat(&self) -> bool {
        self.claim.answer() == Some(Answer::Sat)
    }

    /// Whether the claim is about the plain form of the script.
    pub fn is_plain(&self) -> bool {
        matches!(self.claim, Claim::SaysPlainly(_))
    }

    /// The script that it runs: the given one, or its plain form.
    pub fn script<'s>(&self, script: &'s str) -> Cow<'s, str> {
        if self.is_plain() { Cow::Owned(plain_script(script)) } else { Cow::Borrowed(script) }
    }

    /// The solver as reports name it, and whether it ran the plain form.
    pub fn name(&self) -> String {
        let plainly = if self.is_plain() { " plainly" } else { "" };
        format!("{}{plainly}", self.target.id)
    }

    /// Whether its claim is about an answer, and it reads a string of the script differently than the standard does.
    pub fn misreads(&self, script: &str) -> bool {
        let about_answers =
            !self.claim.needs_no_witness() && !matches!(self.claim, Claim::Slow(_) | Claim::Fast(_));
        if !about_answers || old_escapes(script) {
            return about_answers;
        }
        let escape = largest_escape(script);
        escape > 0 && escape > self.target.profile.at(&self.target.version).max_escape
    }

    /// Whether it is claimed to be slow.
    pub(super) fn is_slow(&self) -> bool {
        matches!(self.claim, Claim::Slow(_))
    }

    /// Whether a run shows the claim. A claim about an answer is compared with the check number `check`.
    pub fn shows(&self, seen: &Observation, check: usize) -> bool {
        match (&self.claim, &seen.outcome) {
            // What a solver says about its model does not change its answer.
            (
                Claim::Says(answer) | Claim::SaysPlainly(answer),
                Outcome::Answered
                | Outcome::InvalidModel { .. }
                | Outcome::InvalidProof { .. }
                | Outcome::Refused { .. }
                | Outcome::Error { .. },
            ) => usable(seen).get(check) == Some(answer),
            (Claim::Crashes(pattern), Outcome::Crash(crash)) => pattern.matches(crash),
            (Claim::WrongModel, Outcome::Answered) => {
                seen.answer() == Some(Answer::Sat) && seen.model().is_some()
            }
            (Claim::OwnModelCheck, Outcome::InvalidModel { .. })
            | (Claim::OwnProofCheck, Outcome::InvalidProof { .. }) => rejects_own_result(seen),
            (Claim::RejectedProof(_), Outcome::Answered) => proof_of(seen).is_some(),
            (Claim::WrongCore, Outcome::Answered) => {
                seen.answer() == Some(Answer::Unsat) && seen.core().is_some()
            }
            (Claim::Misstates(kind), Outcome::Answered) => !oracle_for(*kind).pieces(seen).is_empty(),
            (Claim::Slow(bar), _) => is_slow(seen, *bar),
            (Claim::Fast(bar), _) => is_fast(seen, *bar),
            _ => false,
        }
    }
}

/// Whether a participant is claimed to be slow.
pub fn is_about_time(participants: &[Participant]) -> bool {
    participants.iter().any(Participant::is_slow)
}

/// The participants with this claim.
pub(super) fn claiming(participants: &[Participant], claim: &Claim) -> Vec<ParticipantIndex> {
    let claims = |index: &ParticipantIndex| participants[index.get()].claim == *claim;
    ParticipantIndex::all(participants.len()).filter(claims).collect()
}

/// Whether old releases read the script differently, so that answers to it prove nothing.
pub(super) fn is_ambiguous(participants: &[Participant], script: &str) -> bool {
    participants.iter().any(|participant| participant.misreads(script))
}

/// The order in which participants are asked. Suspects come first, since they reject most candidates.
pub(super) fn order(participants: &[Participant], need: Need) -> Vec<ParticipantIndex> {
    let at = |index: &ParticipantIndex| &participants[index.get()];
    // The core or statement is known only after the solver that returns it was asked.
    let asked =
        |index: &ParticipantIndex| !matches!(at(index).claim, Claim::SatisfiesCore | Claim::RefutesStatement);
    let mut order: Vec<ParticipantIndex> = ParticipantIndex::all(participants.len()).filter(asked).collect();
    // The slow solver is asked only after the others turned out to be fast.
    order.sort_by_key(|index| at(index).says_sat() || at(index).is_slow());
    if need == Need::ModelKnown {
        // The known model proves `sat`.
        order.retain(|index| !at(index).says_sat());
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use case::Predicate;
    use solver::Profile;

    fn participants(predicate: &str) -> Vec<Participant> {
        let participant = |clause: &Clause| {
            let target = Target::executable(&clause.spec, "solver", Profile::built_in("z3").unwrap());
            Participant::new(clause, &target, Limits::default())
        };
        Predicate::parse(predicate).unwrap().clauses.iter().map(participant).collect()
    }

    #[test]
    fn suspects_are_asked_first() {
        let table: [(&str, Need, &[usize]); 6] = [
            ("a says sat, b says unsat", Need::Everything, &[1, 0]),
            ("a says sat, b says unsat", Need::ModelKnown, &[1]),
            ("a says sat plainly, a says unsat", Need::Everything, &[1, 0]),
            ("a is slow, b is fast", Need::Everything, &[1, 0]),
            ("a satisfies it, b gives a wrong core", Need::Everything, &[1]),
            ("a crashes, b crashes", Need::Everything, &[0, 1]),
        ];
        for (predicate, need, expected) in table {
            let found: Vec<usize> =
                order(&participants(predicate), need).into_iter().map(ParticipantIndex::get).collect();
            assert_eq!(found, expected, "{predicate}");
        }
    }

    #[test]
    fn only_answers_depend_on_old_escapes() {
        let script = r#"(assert (= "\x41" "A"))(check-sat)"#;
        let table = [
            ("a says sat, b says unsat", true),
            ("a gives a wrong model", true),
            ("a crashes", false),
            ("a finds its model wrong", false),
            ("a is slow, b is fast", false),
        ];
        for (predicate, expected) in table {
            assert_eq!(is_ambiguous(&participants(predicate), script), expected, "{predicate}");
            assert!(!is_ambiguous(&participants(predicate), "(check-sat)"), "{predicate}");
        }
    }

    #[test]
    fn releases_from_before_the_standard_misread_escapes() {
        let script = r#"(assert (= "\u{1F600}" "A"))(check-sat)"#;
        let incomplete = r#"(assert (= "\u{" "A"))(check-sat)"#;
        let mut participant = participants("a says sat").remove(0);
        for (version, misreads) in
            [("4.8.7", [true, true]), ("4.8.10", [true, false]), ("5.4.0", [false, false])]
        {
            participant.target.version = version.to_owned();
            assert_eq!(
                [script, incomplete].map(|script| participant.misreads(script)),
                misreads,
                "{version}"
            );
        }
    }

    #[test]
    fn runs_ask_for_what_the_claim_needs() {
        let table = [
            ("a says sat", AskModel::IfClaimed, (false, false, false)),
            ("a says sat", AskModel::AsEvidence, (true, false, false)),
            ("a says unsat", AskModel::AsEvidence, (false, false, false)),
            ("a says unsat", AskModel::Always, (true, false, false)),
            ("a gives a wrong model", AskModel::IfClaimed, (true, false, false)),
            ("a finds its model wrong", AskModel::IfClaimed, (false, true, false)),
            ("a finds its proof wrong", AskModel::IfClaimed, (false, false, true)),
        ];
        for (predicate, model, expected) in table {
            let want = participants(predicate)[0].want(model);
            assert_eq!((want.model, want.check_models, want.check_proofs), expected, "{predicate}");
        }
    }
}
