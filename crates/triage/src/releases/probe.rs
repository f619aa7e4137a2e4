//! Runs a script on one release.

use super::search::State;
use crate::cores::core_alone;
use crate::error::TriageError;
use crate::oracle::{Evaluated, ModelJudge, ModelOpinion, run_result};
use crate::predicate::{AskModel, Participant};
use crate::proofs::check_proof;
use crate::source::SolverSource;
use crate::statements::{Oracle, StatementVerdict, oracle_for};
use crate::text::{collapsed, first_line, shortened};
use case::{Answer, Claim, Outcome, RunResult};
use serde::{Deserialize, Serialize};
use solver::install::InstallError;
use solver::run::{Limits, Want};
use solver::{Observation, ProofChecker, ProofVerdict, RunError, RunRequest};

/// The most characters of a result to show.
const SHOWN: usize = 120;

/// What one release did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// The release, such as `z3@4.8.10`.
    pub release: String,
    /// Whether it shows the bug.
    pub state: State,
    /// The result of its run; `None` if it could not be run.
    pub result: Option<RunResult>,
    /// The CPU time, if the bug is about time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ms: Option<u64>,
    /// What decided besides the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<ProbeNote>,
}

/// What decided besides the result of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProbeNote {
    /// Our evaluation refutes the model.
    ModelRefuted,
    /// Our evaluation confirms the model.
    ModelConfirmed,
    /// Our evaluation cannot decide whether the model is right.
    ModelUndetermined,
    /// Another release returns a model that our evaluation confirms, so `unsat` is wrong.
    HasModel,
    /// The unsat core leaves no assertion out.
    CoreIsWhole,
    /// The unsat core is satisfiable.
    CoreSatisfiable,
    /// The unsat core is unsatisfiable.
    CoreUnsatisfiable,
    /// It is undecided whether the unsat core is satisfiable.
    CoreUndetermined,
    /// The checker rejects the proof.
    ProofRejected,
    /// The checker accepts the proof.
    ProofAccepted,
    /// The checker cannot tell whether the proof is right.
    ProofUndetermined,
    /// It gives other answers to the plain form of the script.
    ContradictsItself,
    /// It gives the same answers to the plain form of the script.
    SamePlainly,
    /// What it did with the plain form of the script, if that is inconclusive.
    Plainly(String),
    /// Its last statement.
    Stated(String),
    /// The release reads strings differently than the standard does.
    Misreads,
    /// The release is not available.
    Unavailable(String),
}

impl ProbeNote {
    fn text(&self) -> &str {
        match self {
            ProbeNote::ModelRefuted => "its model is wrong",
            ProbeNote::ModelConfirmed => "its model is right",
            ProbeNote::ModelUndetermined => "its model is undetermined",
            ProbeNote::HasModel => "but there is a model",
            ProbeNote::CoreIsWhole => "its core leaves nothing out",
            ProbeNote::CoreSatisfiable => "its core is satisfiable",
            ProbeNote::CoreUnsatisfiable => "its core is unsatisfiable",
            ProbeNote::CoreUndetermined => "its core is undetermined",
            ProbeNote::ProofRejected => "its proof is rejected",
            ProbeNote::ProofAccepted => "its proof is accepted",
            ProbeNote::ProofUndetermined => "its proof is undetermined",
            ProbeNote::ContradictsItself => "plainly the opposite",
            ProbeNote::SamePlainly => "plainly the same",
            ProbeNote::Plainly(result) | ProbeNote::Stated(result) => result,
            ProbeNote::Misreads => "it reads strings differently than the standard",
            ProbeNote::Unavailable(reason) => reason,
        }
    }
}

impl Probe {
    /// What the release did, in a few words.
    pub fn did(&self) -> String {
        if let Some(ProbeNote::Stated(result)) = &self.note {
            return shortened(result, SHOWN);
        }
        let result = self.result.as_ref().map(|result| shortened(&result.to_string(), SHOWN));
        let result = match (result, self.cpu_ms) {
            (Some(result), Some(cpu)) => {
                Some(format!("{result} after {:.2} s of CPU time", cpu as f64 / 1000.0))
            }
            (result, _) => result,
        };
        let note = self.note.as_ref().map(|note| note.text().to_owned());
        result.into_iter().chain(note).collect::<Vec<_>>().join(", ")
    }
}

/// Corrects the state of releases that answer `unsat` once a model of the script is known. Returns whether it changed any.
pub(super) fn correct_wrong_unsat(probes: &mut [Option<Probe>]) -> bool {
    let has_model = probes.iter().flatten().any(|probe| probe.note == Some(ProbeNote::ModelConfirmed));
    let says_unsat = |probe: &&mut Probe| {
        let answer = probe.result.as_ref().and_then(|result| result.answers.last());
        probe.state == State::Good && answer == Some(&Answer::Unsat)
    };
    let mut changed = false;
    for probe in probes.iter_mut().flatten().filter(says_unsat).filter(|_| has_model) {
        (probe.state, probe.note) = (State::Bad, Some(ProbeNote::HasModel));
        changed = true;
    }
    changed
}

/// Tests whether another release shows what a participant claims.
pub fn probe_release(
    participant: &Participant,
    spec: &str,
    script: &str,
    source: &dyn SolverSource,
    limits: Limits,
) -> Result<Probe, TriageError> {
    let target = match source.resolve(spec) {
        Ok(target) => target,
        Err(InstallError::Cancelled) => return Err(InstallError::Cancelled.into()),
        Err(error) => {
            let reason = first_line(&error.to_string()).to_owned();
            return Ok(Probe {
                release: spec.to_owned(),
                state: State::Unclear,
                result: None,
                cpu_ms: None,
                note: Some(ProbeNote::Unavailable(reason)),
            });
        }
    };
    let participant =
        Participant { target, claim: participant.claim.in_any_release(), ..participant.clone() };
    Ok(probe(&participant, script, limits)?)
}

/// Tests whether a participant shows what it claims.
pub fn probe(participant: &Participant, script: &str, limits: Limits) -> Result<Probe, RunError> {
    if participant.misreads(script) {
        let release = participant.target.id.clone();
        let note = Some(ProbeNote::Misreads);
        return Ok(Probe { release, state: State::Unclear, result: None, cpu_ms: None, note });
    }
    if participant.is_plain() {
        return probe_contradiction(participant, script, limits);
    }
    let want = participant.want(AskModel::AsEvidence);
    let request = RunRequest::new(script).options(&participant.options).limits(limits).want(want);
    let seen = participant.run_once(&request)?;
    let checks = seen.answers.len().max(1);
    let shows = (0..checks).any(|check| participant.shows(&seen, check));
    let slow = matches!(participant.claim, Claim::Slow(_));
    let (state, note) = match participant.claim {
        Claim::WrongModel if shows => state_of_model(script, &seen),
        Claim::Misstates(kind) if shows => {
            state_of_statement(participant, oracle_for(kind), script, &seen, limits)?
        }
        Claim::WrongCore if shows => state_of_core(participant, script, &seen, limits)?,
        Claim::RejectedProof(ref checker) if shows => state_of_proof(checker, script, &seen, limits)?,
        _ if shows => (State::Bad, None),
        _ => (state_without_bug(participant, &seen), None),
    };
    Ok(Probe {
        release: participant.target.id.clone(),
        state,
        result: Some(run_result(&seen)),
        cpu_ms: slow.then_some(seen.cpu.as_millis() as u64),
        note,
    })
}

/// Tests whether a solver contradicts itself on a script and its plain form. It is good if it decides both and agrees.
fn probe_contradiction(participant: &Participant, script: &str, limits: Limits) -> Result<Probe, RunError> {
    let run = |script: &str| {
        participant.run_once(&RunRequest::new(script).options(&participant.options).limits(limits))
    };
    let (seen, plain) = (run(script)?, run(&participant.script(script))?);
    let decided = |seen: &Observation| {
        seen.outcome == Outcome::Answered && seen.answers.iter().all(|answer| answer.is_decided())
    };
    let (state, note) = match (seen.outcome == Outcome::Answered, plain.outcome == Outcome::Answered) {
        (true, true) if seen.contradicts(&plain).is_some() => (State::Bad, ProbeNote::ContradictsItself),
        _ if decided(&seen) && seen.answers == plain.answers => (State::Good, ProbeNote::SamePlainly),
        _ => (State::Unclear, ProbeNote::Plainly(run_result(&plain).to_string())),
    };
    Ok(Probe {
        release: participant.target.id.clone(),
        state,
        result: Some(run_result(&seen)),
        cpu_ms: None,
        note: Some(note),
    })
}

fn state_of_model(script: &str, seen: &Observation) -> (State, Option<ProbeNote>) {
    match seen.model().map(|model| Evaluated::default().opinion(script, model)) {
        Some(ModelOpinion::Refuted { .. }) => (State::Bad, Some(ProbeNote::ModelRefuted)),
        Some(ModelOpinion::Confirmed) => (State::Good, Some(ProbeNote::ModelConfirmed)),
        _ => (State::Unclear, Some(ProbeNote::ModelUndetermined)),
    }
}

/// A release is also bad if it returns a model itself that shows that its statement is wrong.
fn state_of_statement(
    participant: &Participant,
    oracle: &dyn Oracle,
    script: &str,
    seen: &Observation,
    limits: Limits,
) -> Result<(State, Option<ProbeNote>), RunError> {
    let mut judge = Evaluated::default();
    let reading = oracle.reading(script, seen);
    let mut state = match reading.as_ref().map(|reading| reading.judge(&mut judge)) {
        Some(StatementVerdict::Wrong(_)) => State::Bad,
        Some(StatementVerdict::Right) => State::Good,
        Some(StatementVerdict::Undetermined) | None => State::Unclear,
    };
    if state != State::Bad
        && let Some(reading) = reading
        && let Some(doubt) = reading.doubt()
    {
        let request = RunRequest::new(&doubt).options(&participant.options).limits(limits);
        let run = participant.run_once(&request.want(Want { model: true, ..Want::default() }))?;
        let model = run.model().filter(|_| run.answer() == Some(Answer::Sat));
        if model.and_then(|model| reading.refuted_by(&mut judge, model)).is_some() {
            state = State::Bad;
        }
    }
    let last = oracle.pieces(seen).last().map(|piece| ProbeNote::Stated(collapsed(piece)));
    Ok((state, last))
}

/// No other solver takes part: a release is bad if it returns a model of its own core, and good if it calls the core unsatisfiable.
fn state_of_core(
    participant: &Participant,
    script: &str,
    seen: &Observation,
    limits: Limits,
) -> Result<(State, Option<ProbeNote>), RunError> {
    let Some(alone) = seen.core().and_then(|core| core_alone(script, core)) else {
        return Ok((State::Good, Some(ProbeNote::CoreIsWhole)));
    };
    let request = RunRequest::new(&alone).options(&participant.options).limits(limits);
    let run = participant.run_once(&request.want(Want { model: true, ..Want::default() }))?;
    let opinion = run.model().map(|model| Evaluated::default().opinion(&alone, model));
    Ok(match (run.answer(), opinion) {
        (Some(Answer::Sat), Some(ModelOpinion::Confirmed)) => (State::Bad, Some(ProbeNote::CoreSatisfiable)),
        (Some(Answer::Unsat), _) => (State::Good, Some(ProbeNote::CoreUnsatisfiable)),
        _ => (State::Unclear, Some(ProbeNote::CoreUndetermined)),
    })
}

/// The state of a release by what the checker says about its proof.
fn state_of_proof(
    checker: &str,
    script: &str,
    seen: &Observation,
    limits: Limits,
) -> Result<(State, Option<ProbeNote>), RunError> {
    let verdict = match ProofChecker::of_command(checker) {
        Ok(checker) => check_proof(&checker, script, seen, limits)?,
        Err(_) => None,
    };
    Ok(match verdict {
        Some(ProofVerdict::Rejected { .. }) => (State::Bad, Some(ProbeNote::ProofRejected)),
        Some(ProofVerdict::Accepted) => (State::Good, Some(ProbeNote::ProofAccepted)),
        Some(ProofVerdict::Undecided) | None => (State::Unclear, Some(ProbeNote::ProofUndetermined)),
    })
}

/// The state of a release that does not show the bug: good if it gives another answer, unclear if it rejects the script or gives up.
fn state_without_bug(participant: &Participant, seen: &Observation) -> State {
    let is_good = match participant.claim {
        Claim::Says(Answer::Sat) => seen.answers.contains(&Answer::Unsat),
        Claim::Says(Answer::Unsat) => seen.answers.contains(&Answer::Sat),
        Claim::WrongModel => seen.answers.iter().any(|answer| answer.is_decided()),
        // The model may well be right, and `unsat` another fault.
        Claim::OwnModelCheck => seen.answers.contains(&Answer::Sat),
        // It gives no proof that the checker could read.
        Claim::RejectedProof(_) => false,
        _ => true,
    };
    if seen.outcome == Outcome::Answered && is_good { State::Good } else { State::Unclear }
}
