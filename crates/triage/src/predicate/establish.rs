//! The first run: does the script show what is claimed, and on what evidence?

use super::at_once::in_threads;
use super::slow::{Times, in_cpu_time, is_about_time, set_bars};
use super::solvers::{CoreModel, Participant, SolverTester, is_ambiguous, places};
use crate::oracle::{Evaluated, ModelJudge, ModelOpinion, run_result};
use case::{Answer, Claim, Clause, CrashPattern, Outcome};
use reduce::{Need, Tester};
use solver::run::{Limits, RunSettings};
use solver::{Observation, RunError, RunMode, RunRequest, Target, runner};
use std::time::Duration;

/// On what a finding rests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Basis {
    /// A model that our evaluation confirms: who says `unsat` is wrong.
    Model {
        /// The model, as it was printed.
        model: String,
        /// Whose it is.
        from: String,
    },
    /// A model that our evaluation refutes: who gave it is wrong.
    RefutedModel {
        /// Who gave it.
        by: String,
        /// What is false under it, and why.
        explanation: String,
    },
    /// A core that has a model by our evaluation: who gave it is wrong.
    Core(CoreModel),
    /// A crash, or a solver's own complaint.
    Itself,
    /// One solver takes far longer than the others.
    Times(Times),
    /// Answers that contradict each other, and nothing that tells who is wrong.
    Answers,
}

/// A script that shows what is claimed.
#[derive(Clone, Debug)]
pub struct Established {
    /// The solvers, with limits for candidates that follow from how long they took.
    pub participants: Vec<Participant>,
    /// What each of them did.
    pub seen: Vec<Observation>,
    /// What it rests on.
    pub basis: Basis,
}

/// Why a script shows nothing of the kind.
#[derive(Clone, Debug)]
pub struct NotShown {
    /// The solvers and what they did.
    pub seen: Vec<(String, String)>,
}

/// How long a candidate may take, from how long the whole script took.
pub fn test_limit(first: Duration, limit: Duration) -> Duration {
    (first * 2 + Duration::from_millis(250)).min(limit)
}

/// Runs a script on the plain executables and says what it shows.
pub fn establish(
    script: &str,
    clauses: &[(Clause, Target)],
    limits: Limits,
) -> Result<Result<Established, NotShown>, RunError> {
    let mut participants: Vec<Participant> =
        clauses.iter().map(|(clause, target)| Participant::new(clause, target, limits)).collect();
    let run = |participant: &Participant| {
        let want = participant.want(participant.claim == Claim::Says(Answer::Sat));
        let limits = match participant.claim {
            Claim::Slow(_) => in_cpu_time(limits),
            _ => limits,
        };
        let request = RunRequest::new(script).options(&participant.options).limits(limits).want(want);
        runner(&participant.target, RunMode::OneShot, &RunSettings::default())?.run(&request)
    };
    let seen: Vec<Result<Observation, RunError>> = if is_about_time(&participants) {
        // One solver's work would slow down the other's.
        participants.iter().map(run).collect()
    } else {
        in_threads(participants.iter().map(|participant| || run(participant)))
    };
    let seen: Vec<Observation> = seen.into_iter().collect::<Result<_, _>>()?;
    for (participant, run) in participants.iter_mut().zip(&seen) {
        if let (Claim::Crashes(CrashPattern::Any), Outcome::Crash(crash)) = (&participant.claim, &run.outcome)
        {
            // From here on only this crash counts.
            participant.claim = Claim::Crashes(CrashPattern::Like(crash.clone()));
        }
        // Others are at work beside it; but it may also wait without computing.
        let took = run.cpu.clamp(run.wall / 2, run.wall);
        participant.limits.wall = test_limit(took, limits.wall);
    }
    if is_about_time(&participants) {
        return timed(script, participants, seen, limits);
    }
    let told = || {
        participants
            .iter()
            .zip(&seen)
            .map(|(participant, run)| (participant.target.id.clone(), run_result(run).to_string()))
            .collect()
    };
    let not_shown = || NotShown { seen: told() };
    let mut basis = basis(script, &participants, &seen);
    let refuted = matches!(basis, Basis::RefutedModel { .. });
    let mut cold: Vec<Participant> = participants.clone();
    cold.iter_mut().for_each(|participant| participant.limits.wall = limits.wall);
    let mut tester = SolverTester::fresh(&cold, refuted)?;
    // Those that were asked for a model only as evidence are asked without: that must not be what shows it.
    let known = |place: usize| {
        let otherwise = !refuted && participants[place].claim == Claim::Says(Answer::Sat);
        (!otherwise).then(|| seen[place].clone())
    };
    match tester.test_knowing(script, Need::Everything, &known) {
        Ok(Some(_)) => {
            for place in places(&participants, &Claim::WrongCore) {
                if let Ok(Some(model)) = tester.core_model(place, script, &seen[place]) {
                    basis = Basis::Core(model);
                }
            }
            Ok(Ok(Established { participants, seen, basis }))
        }
        _ => {
            let mut not = not_shown();
            if !places(&cold, &Claim::WrongCore).is_empty() {
                let why = "the script must set :produce-unsat-cores, name its assertions, and ask for the core itself";
                not.seen.push(("note".to_owned(), why.to_owned()));
            }
            if is_ambiguous(&cold, script) {
                let why = "the script has strings with escapes that old releases read otherwise";
                not.seen.push(("note".to_owned(), why.to_owned()));
            }
            Ok(Err(not))
        }
    }
}

/// Whether one solver is far slower than the others, by the first run and by two more.
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
            SolverTester::new(&participants, RunMode::OneShot, false)?.test(script, Need::Everything)
    {
        return Ok(Ok(Established { participants, seen, basis: Basis::Times(times) }));
    }
    let took =
        |run: &Observation| format!("{} after {:.2} s of CPU time", run_result(run), run.cpu.as_secs_f64());
    let told =
        participants.iter().zip(&seen).map(|(participant, run)| (participant.target.id.clone(), took(run)));
    Ok(Err(NotShown { seen: told.collect() }))
}

fn basis(script: &str, participants: &[Participant], seen: &[Observation]) -> Basis {
    let mut judge = Evaluated::default();
    if participants.iter().any(|participant| participant.claim.needs_no_witness()) {
        return Basis::Itself;
    }
    let mut refuted = None;
    for (participant, run) in participants.iter().zip(seen) {
        // Models are asked for after the last question; an answer to an earlier one says nothing of them.
        let about_model = participant.claim == Claim::WrongModel || run.answers.len() == 1;
        let model = run.model().filter(|_| run.answer() == Some(Answer::Sat) && about_model);
        match model.map(|model| (model, judge.opinion(script, model))) {
            Some((model, ModelOpinion::Confirmed)) if participant.claim == Claim::Says(Answer::Sat) => {
                return Basis::Model { model: model.to_owned(), from: participant.target.id.clone() };
            }
            Some((_, ModelOpinion::Refuted { explanation })) if refuted.is_none() => {
                refuted = Some(Basis::RefutedModel { by: participant.target.id.clone(), explanation });
            }
            _ => {}
        }
    }
    refuted.unwrap_or(Basis::Answers)
}
