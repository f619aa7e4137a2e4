//! The first run: whether the whole script shows the claims, and on what evidence.

use super::parallel::run_parallel;
use super::participant::{AskModel, Participant, claiming, is_about_time, is_ambiguous};
use super::slow::in_cpu_time;
use super::tester::{CoreModel, SatModel, SolverTester};
use super::times::{Times, set_bars};
use crate::oracle::{Evaluated, ModelJudge, ModelOpinion, run_result};
use crate::proofs::Rejection;
use case::{Answer, Claim, Clause, CrashPattern, Misstatement, Outcome, ParticipantIndex};
use reduce::{Need, Tester};
use solver::run::Limits;
use solver::{Observation, ProofChecker, RunError, RunMode, RunRequest, Target};
use std::time::Duration;

/// The model of a script without constants.
pub const NO_MODEL: &str = "()";

/// Whether a model has no values.
pub fn is_empty_model(model: &str) -> bool {
    model.chars().filter(|character| !character.is_whitespace()).eq(NO_MODEL.chars())
}

/// The evidence for a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Our evaluation confirms a model, so `unsat` is wrong.
    Model {
        /// The model as printed.
        model: String,
        /// The solver that returned it.
        from: String,
    },
    /// Our evaluation refutes a model, so the solver that returned it is wrong.
    RefutedModel {
        /// The solver.
        by: String,
        /// Which assertion is false under the model, and why.
        explanation: String,
        /// Whether an assertion is false whatever the model, as in a script without constants. Then `sat` itself is wrong.
        always: bool,
    },
    /// Our evaluation confirms a model of an unsat core, so the core is wrong.
    Core(CoreModel),
    /// By our evaluation, a statement of a solver is wrong.
    Misstatement(Misstatement),
    /// A checker rejects a proof.
    RejectedProof(Rejection),
    /// A crash, or a solver whose own check rejects its result.
    Itself,
    /// One solver takes far longer than the others.
    Times(Times),
    /// The answers contradict each other, and nothing decides which is wrong.
    Answers,
}

impl Basis {
    /// Whether every assertion is true whatever the model, as in a script without constants. Then the model has no values.
    pub fn holds_always(&self) -> bool {
        matches!(self, Basis::Model { model, .. } if is_empty_model(model))
    }

    /// What candidates must show of the models of solvers that answer `sat`.
    pub fn sat_model(&self) -> SatModel {
        match self {
            Basis::RefutedModel { .. } => SatModel::Refuted,
            _ => SatModel::Any,
        }
    }
}

/// What runs of a whole script have established.
#[derive(Clone, Debug)]
pub struct Established {
    /// The solvers. Their limits for candidates depend on how long they took.
    pub participants: Vec<Participant>,
    /// The run of each participant.
    pub seen: Vec<Observation>,
    /// The evidence.
    pub basis: Basis,
}

impl Established {
    /// The participant with this index.
    pub fn participant(&self, index: ParticipantIndex) -> &Participant {
        &self.participants[index.get()]
    }

    /// The run of the participant with this index.
    pub fn run(&self, index: ParticipantIndex) -> &Observation {
        &self.seen[index.get()]
    }
}

/// What solvers did with a script that does not show the claims.
#[derive(Clone, Debug)]
pub struct NotShown {
    /// The solvers and what they did.
    pub seen: Vec<(String, String)>,
}

/// The time limit for candidates, given the time of the whole script.
pub fn test_limit(first: Duration, limit: Duration) -> Duration {
    (first * 2 + Duration::from_millis(250)).min(limit)
}

/// Runs a whole script on the plain executables.
pub fn establish(
    script: &str,
    clauses: &[(Clause, Target)],
    limits: Limits,
) -> Result<Result<Established, NotShown>, RunError> {
    let mut participants: Vec<Participant> =
        clauses.iter().map(|(clause, target)| Participant::new(clause, target, limits)).collect();
    let run = |participant: &Participant| {
        let want = participant.want(AskModel::AsEvidence);
        let limits = match participant.claim {
            Claim::Slow(_) => in_cpu_time(limits),
            _ => limits,
        };
        let script = participant.script(script);
        let request = RunRequest::new(&script).options(&participant.options).limits(limits).want(want);
        participant.run_once(&request)
    };
    let seen: Vec<Result<Observation, RunError>> = if is_about_time(&participants) {
        // In parallel, the solvers would slow each other down.
        participants.iter().map(run).collect()
    } else {
        run_parallel(participants.iter().map(|participant| || run(participant)))
    };
    let seen: Vec<Observation> = seen.into_iter().collect::<Result<_, _>>()?;
    for (participant, run) in participants.iter_mut().zip(&seen) {
        if let (Claim::Crashes(CrashPattern::Any), Outcome::Crash(crash)) = (&participant.claim, &run.outcome)
        {
            // From now on, only this crash counts.
            participant.claim = Claim::Crashes(CrashPattern::Like(crash.clone()));
        }
        // The others run at the same time, so the clock says too much; but it may also wait without computing.
        let took = run.cpu.clamp(run.wall / 2, run.wall);
        participant.limits.wall = test_limit(took, limits.wall);
    }
    if is_about_time(&participants) {
        return timed(script, participants, seen, limits);
    }
    let mut basis = basis(script, &participants, &seen);
    let mut cold: Vec<Participant> = participants.clone();
    cold.iter_mut().for_each(|participant| participant.limits.wall = limits.wall);
    let mut tester = SolverTester::fresh(&cold, basis.sat_model())?;
    // A model that is only evidence must not be what shows the bug, so these solvers run again without asking for one.
    let sat_model = basis.sat_model();
    let known = |index: ParticipantIndex| {
        let again = sat_model == SatModel::Any && participants[index.get()].says_sat();
        (!again).then(|| seen[index.get()].clone())
    };
    match tester.test_knowing(script, Need::Everything, &known) {
        Ok(Some(_)) => {
            let givers = ParticipantIndex::all(participants.len()).zip(&participants).zip(&seen);
            for ((giver, participant), run) in givers {
                if let Claim::Misstates(kind) = participant.claim
                    && let Ok(Some(wrong)) = tester.misstatement(kind, giver, script, run)
                {
                    basis = Basis::Misstatement(wrong);
                }
                if let Ok(Some(rejection)) = tester.rejection(giver, script, run) {
                    basis = Basis::RejectedProof(rejection);
                }
            }
            for giver in claiming(&participants, &Claim::WrongCore) {
                if let Ok(Some(model)) = tester.core_model(giver, script, &seen[giver.get()]) {
                    basis = Basis::Core(model);
                }
            }
            Ok(Ok(Established { participants, seen, basis }))
        }
        _ => {
            let did = |(participant, run): (&Participant, &Observation)| {
                (participant.name(), run_result(run).to_string())
            };
            let mut seen: Vec<(String, String)> = participants.iter().zip(&seen).map(did).collect();
            if !claiming(&cold, &Claim::WrongCore).is_empty() {
                let why = "the script must set :produce-unsat-cores, name its assertions, and ask for the core itself";
                seen.push(("note".to_owned(), why.to_owned()));
            }
            for participant in &cold {
                if let Claim::RejectedProof(checker) = &participant.claim
                    && let Err(error) = ProofChecker::of_command(checker)
                {
                    seen.push(("note".to_owned(), error.to_string()));
                }
            }
            if is_ambiguous(&cold, script) {
                let why = "the script has strings with escapes that old releases read differently";
                seen.push(("note".to_owned(), why.to_owned()));
            }
            Ok(Err(NotShown { seen }))
        }
    }
}

/// Establishes that one solver is far slower than the others, by the first run and two more.
fn timed(
    script: &str,
    mut participants: Vec<Participant>,
    seen: Vec<Observation>,
    limits: Limits,
) -> Result<Result<Established, NotShown>, RunError> {
    let runs = |(participant, run): (&Participant, &Observation)| participant.shows(run, 0);
    let bars = participants
        .iter()
        .zip(&seen)
        .all(runs)
        .then(|| set_bars(&mut participants, &seen, limits))
        .flatten();
    if let Some(times) = bars
        && let Ok(Some(_)) =
            SolverTester::new(&participants, RunMode::OneShot, SatModel::Any)?.test(script, Need::Everything)
    {
        return Ok(Ok(Established { participants, seen, basis: Basis::Times(times) }));
    }
    let took =
        |run: &Observation| format!("{} after {:.2} s of CPU time", run_result(run), run.cpu.as_secs_f64());
    let did =
        participants.iter().zip(&seen).map(|(participant, run)| (participant.target.id.clone(), took(run)));
    Ok(Err(NotShown { seen: did.collect() }))
}

/// The evidence in the runs of the whole script.
fn basis(script: &str, participants: &[Participant], seen: &[Observation]) -> Basis {
    let mut judge = Evaluated::default();
    if participants.iter().any(|participant| participant.claim.needs_no_witness()) {
        return Basis::Itself;
    }
    let mut refuted = None;
    for (participant, run) in participants.iter().zip(seen) {
        // A model belongs to the last check, and says nothing about the answers to earlier ones.
        let about_model = participant.claim == Claim::WrongModel || run.answers.len() == 1;
        let model = run.model().filter(|_| run.answer() == Some(Answer::Sat) && about_model);
        match model.map(|model| (model, judge.opinion(script, model))) {
            Some((model, ModelOpinion::Confirmed)) if participant.says_sat() => {
                return Basis::Model { model: model.to_owned(), from: participant.target.id.clone() };
            }
            Some((_, ModelOpinion::Refuted { explanation })) if refuted.is_none() => {
                let always = matches!(judge.opinion(script, NO_MODEL), ModelOpinion::Refuted { .. });
                refuted =
                    Some(Basis::RefutedModel { by: participant.target.id.clone(), explanation, always });
            }
            _ => {}
        }
    }
    refuted.unwrap_or(Basis::Answers)
}
