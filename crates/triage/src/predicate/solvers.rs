//! The tester that asks solvers, with the evidence in view.

use super::at_once::in_threads;
use super::slow::{is_about_time, is_fast, is_slow};
use super::warmed::Warmed;
use crate::cores::core_alone;
use crate::oracle::{Evaluated, ModelJudge, ModelOpinion, old_escapes};
use case::{Answer, Claim, Clause, Outcome};
use reduce::{Abort, Need, Reproduced, Tester};
use solver::run::{Limits, RunSettings, Stacks, Want};
use solver::{Observation, RunError, RunMode, RunRequest, Runner, Target, runner};
use std::time::{Duration, Instant};

/// A solver with its part in what must go on being shown.
#[derive(Clone, Debug)]
pub struct Participant {
    /// The solver.
    pub target: Target,
    /// Options for its command line.
    pub options: Vec<String>,
    /// What it must go on doing.
    pub claim: Claim,
    /// How long it may take for a candidate.
    pub limits: Limits,
}

impl Participant {
    /// The solver of a clause, with its part as it was claimed.
    pub fn new(clause: &Clause, target: &Target, limits: Limits) -> Participant {
        let Clause { options, claim, .. } = clause.clone();
        Participant { target: target.clone(), options, claim, limits }
    }

    /// What is asked for besides answers.
    pub fn want(&self, model: bool) -> Want {
        Want {
            model: model || self.claim == Claim::WrongModel,
            check_models: self.claim == Claim::OwnModelCheck,
            check_proofs: self.claim == Claim::OwnProofCheck,
            ..Want::default()
        }
    }

    /// Whether a run shows what is claimed; for answers this looks at the question at `index`.
    pub fn shows(&self, seen: &Observation, index: usize) -> bool {
        match (&self.claim, &seen.outcome) {
            (Claim::Says(answer), Outcome::Answered) => seen.answers.get(index) == Some(answer),
            (Claim::Crashes(pattern), Outcome::Crash(crash)) => pattern.matches(crash),
            (Claim::WrongModel, Outcome::Answered) => {
                seen.answer() == Some(Answer::Sat) && seen.model().is_some()
            }
            (Claim::OwnModelCheck, Outcome::InvalidModel { .. })
            | (Claim::OwnProofCheck, Outcome::InvalidProof { .. }) => true,
            (Claim::WrongCore, Outcome::Answered) => {
                seen.answer() == Some(Answer::Unsat) && seen.core().is_some()
            }
            (Claim::Slow(bar), _) => is_slow(seen, *bar),
            (Claim::Fast(bar), _) => is_fast(seen, *bar),
            _ => false,
        }
    }
}

/// A model of what a solver calls a core, confirmed by our evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreModel {
    /// The core, as it was printed.
    pub core: String,
    /// The script that asserts nothing but the core and what has no name.
    pub alone: String,
    /// The model, as it was printed.
    pub model: String,
    /// Whose model it is.
    pub from: String,
}

/// Whether a script shows everything that is claimed, by asking solvers.
pub struct SolverTester {
    participants: Vec<Participant>,
    runners: Vec<Box<dyn Runner>>,
    judge: Evaluated,
    /// Whether models that follow `sat` must be refuted by our evaluation.
    refuted: bool,
    /// Whether the time for candidates follows what others took. Fresh processes confirm, and have all the time that there is.
    adapts: bool,
    /// How long the last test took.
    took: Duration,
    /// What had been spent on starting solvers before the first test, to which it belongs.
    started: Duration,
}

/// How long a candidate may take once others have shown the bug: much longer than they took, and no longer than at first.
pub(super) fn shorter_limit(took: Duration, limit: Duration) -> Duration {
    (took * 5 + Duration::from_millis(150)).min(limit)
}

impl SolverTester {
    /// A tester that runs the solvers in the given way. With `refuted`, those that say `sat` must go on giving models that
    /// our evaluation refutes.
    pub fn new(participants: &[Participant], mode: RunMode, refuted: bool) -> Result<SolverTester, RunError> {
        // A start belongs to the time that a solver takes.
        let mode = if is_about_time(participants) { RunMode::OneShot } else { mode };
        // What counts in the end is asked of the plain executables; here, a slow crash would be run twice.
        let stacks = if is_about_time(participants) { Stacks::Never } else { Stacks::Always };
        let adapts = mode != RunMode::OneShot;
        Ok(SolverTester::with(participants, start(participants, mode, stacks)?, refuted, adapts))
    }

    /// A tester that goes on with solvers that were started beforehand.
    pub fn with_warmed(participants: &[Participant], warmed: Warmed, refuted: bool) -> SolverTester {
        let started = warmed.took;
        SolverTester { started, ..SolverTester::with(participants, warmed.runners, refuted, true) }
    }

    /// A tester that runs fresh processes of the plain executables, with a second run for the stack of a crash.
    pub(super) fn fresh(participants: &[Participant], refuted: bool) -> Result<SolverTester, RunError> {
        Ok(SolverTester::with(
            participants,
            start(participants, RunMode::OneShot, Stacks::Rerun)?,
            refuted,
            false,
        ))
    }

    pub(super) fn with(
        participants: &[Participant],
        runners: Vec<Box<dyn Runner>>,
        refuted: bool,
        adapts: bool,
    ) -> SolverTester {
        let (participants, judge) = (participants.to_vec(), Evaluated::default());
        let (took, started) = (Duration::ZERO, Duration::ZERO);
        SolverTester { participants, runners, judge, refuted, adapts, took, started }
    }

    fn want(&self, place: usize, model: bool) -> Want {
        let participant = &self.participants[place];
        participant.want(model || (self.refuted && participant.claim == Claim::Says(Answer::Sat)))
    }

    fn run(&mut self, place: usize, script: &str, model: bool) -> Result<Observation, Abort> {
        self.run_for(place, script, self.want(place, model))
    }

    fn run_for(&mut self, place: usize, script: &str, want: Want) -> Result<Observation, Abort> {
        let participant = &self.participants[place];
        let limits = participant.limits;
        let request = RunRequest::new(script).options(&participant.options).limits(limits).want(want);
        let mut run = |request: &RunRequest<'_>| {
            self.runners[place].run(request).map_err(|error| Abort(error.to_string()))
        };
        let seen = run(&request)?;
        if self.adapts && seen.outcome == Outcome::Timeout && seen.cpu * 2 < limits.wall {
            // The machine was busy, and the solver had hardly any of the time.
            return run(&request.limits(Limits { wall: limits.wall * 4, ..limits }));
        }
        Ok(seen)
    }

    /// What all solvers do with a script, asked at the same time, by their places. Nothing of those that are asked for more later.
    pub(super) fn all_at_once(&mut self, script: &str) -> Result<Vec<Option<Observation>>, Abort> {
        let asked = order(&self.participants, Need::Everything);
        let wants: Vec<Want> = (0..self.participants.len()).map(|place| self.want(place, false)).collect();
        let each = self.participants.iter().zip(&mut self.runners).zip(wants).enumerate();
        let runs = in_threads(each.map(|(place, ((participant, runner), want))| {
            let request =
                RunRequest::new(script).options(&participant.options).limits(participant.limits).want(want);
            let is_asked = asked.contains(&place);
            move || is_asked.then(|| runner.run(&request)).transpose()
        }));
        runs.into_iter().collect::<Result<_, _>>().map_err(|error| Abort(error.to_string()))
    }

    /// A model of the core that the solver at `place` gave in a run. Those that are said to satisfy it are asked; where none
    /// is, the solver itself.
    pub(super) fn core_model(
        &mut self,
        place: usize,
        script: &str,
        seen: &Observation,
    ) -> Result<Option<CoreModel>, Abort> {
        let Some(core) = seen.core() else { return Ok(None) };
        let Some(alone) = core_alone(script, core) else { return Ok(None) };
        let mut asked = places(&self.participants, &Claim::SatisfiesCore);
        if asked.is_empty() {
            asked.push(place);
        }
        for place in asked {
            let run = self.run_for(place, &alone, Want { model: true, ..Want::default() })?;
            let model = run.model().filter(|_| run.answer() == Some(Answer::Sat));
            if let Some(model) = model
                && self.judge.opinion(&alone, model) == ModelOpinion::Confirmed
            {
                let (core, model, from) =
                    (core.to_owned(), model.to_owned(), self.participants[place].target.id.clone());
                return Ok(Some(CoreModel { core, alone, model, from }));
            }
        }
        Ok(None)
    }

    /// Whether a model that has to be refuted is.
    fn is_refuted(&mut self, script: &str, seen: &Observation) -> bool {
        let opinion = seen.model().map(|model| self.judge.opinion(script, model));
        matches!(opinion, Some(ModelOpinion::Refuted { .. }))
    }

    /// Whether the runs so far agree on a question for which every answer is the claimed one.
    fn questions(&self, seen: &[(usize, Observation)]) -> bool {
        let most = seen.iter().map(|(_, observation)| observation.answers.len()).max().unwrap_or(0);
        (0..most.max(1))
            .any(|index| seen.iter().all(|(place, run)| self.participants[*place].shows(run, index)))
    }
}

/// The places of the solvers with a claim.
pub(super) fn places(participants: &[Participant], claim: &Claim) -> Vec<usize> {
    (0..participants.len()).filter(|&place| participants[place].claim == *claim).collect()
}

pub(super) fn start(
    participants: &[Participant],
    mode: RunMode,
    stacks: Stacks,
) -> Result<Vec<Box<dyn Runner>>, RunError> {
    // A reduction begins with a script that fresh processes have shown to be wrong, and ends with one.
    let settings = RunSettings { skip_self_test: true, stacks, ..RunSettings::default() };
    participants.iter().map(|participant| runner(&participant.target, mode, &settings)).collect()
}

/// Whether a script means one thing to us and another to old releases, so that answers to it show nothing.
pub fn is_ambiguous(participants: &[Participant], script: &str) -> bool {
    let about_answers = |participant: &Participant| {
        !participant.claim.needs_no_witness() && !matches!(participant.claim, Claim::Slow(_) | Claim::Fast(_))
    };
    participants.iter().any(about_answers) && old_escapes(script)
}

/// The order in which solvers are asked: those that are thought to be wrong come first, since they decide most candidates.
pub(super) fn order(participants: &[Participant], need: Need) -> Vec<usize> {
    let satisfied = |participant: &Participant| participant.claim == Claim::Says(Answer::Sat);
    // A core is known only when its giver has been asked.
    let asked = |place: &usize| participants[*place].claim != Claim::SatisfiesCore;
    let mut order: Vec<usize> = (0..participants.len()).filter(asked).collect();
    // Who is slow is asked only when the others are fast.
    let slow = |participant: &Participant| matches!(participant.claim, Claim::Slow(_));
    order.sort_by_key(|&place| satisfied(&participants[place]) || slow(&participants[place]));
    if need == Need::ModelKnown {
        // The model in hand says `sat` better than any solver.
        order.retain(|&place| !satisfied(&participants[place]));
    }
    order
}

impl SolverTester {
    /// As [`Tester::test`], with what some solvers are known to do: they are not asked again.
    pub(super) fn test_knowing(
        &mut self,
        script: &str,
        need: Need,
        known: &dyn Fn(usize) -> Option<Observation>,
    ) -> Result<Option<Reproduced>, Abort> {
        let satisfied = |participant: &Participant| participant.claim == Claim::Says(Answer::Sat);
        let no_model = self.refuted || !self.participants.iter().any(satisfied);
        if is_ambiguous(&self.participants, script) || (need == Need::NewModel && no_model) {
            return Ok(None);
        }
        let mut seen: Vec<(usize, Observation)> = Vec::new();
        let mut found = None;
        for place in order(&self.participants, need) {
            let says_sat = self.participants[place].claim == Claim::Says(Answer::Sat);
            let run = match known(place) {
                Some(run) => run,
                None => self.run(place, script, need == Need::NewModel && says_sat)?,
            };
            let must_be_refuted =
                self.participants[place].claim == Claim::WrongModel || (self.refuted && says_sat);
            let model = run.model().map(str::to_owned);
            seen.push((place, run));
            if !self.questions(&seen) {
                return Ok(None);
            }
            let run = &seen[seen.len() - 1].1.clone();
            if must_be_refuted && !self.is_refuted(script, run) {
                return Ok(None);
            }
            if self.participants[place].claim == Claim::WrongCore
                && self.core_model(place, script, run)?.is_none()
            {
                return Ok(None);
            }
            if need == Need::NewModel && says_sat && found.is_none() {
                let confirmed = |model: &String| self.judge.opinion(script, model) == ModelOpinion::Confirmed;
                found = model.filter(confirmed);
            }
        }
        if need == Need::NewModel && found.is_none() {
            return Ok(None);
        }
        for (place, run) in seen.iter().filter(|_| self.adapts) {
            let limits = &mut self.participants[*place].limits;
            limits.wall = shorter_limit(run.wall, limits.wall);
        }
        Ok(Some(Reproduced { model: found }))
    }
}

impl Tester for SolverTester {
    fn test(&mut self, script: &str, need: Need) -> Result<Option<Reproduced>, Abort> {
        let begun = Instant::now();
        let mut shown = self.test_knowing(script, need, &|_| None);
        if matches!(shown, Ok(Some(_))) && is_about_time(&self.participants) {
            // Once may be chance.
            shown = self.test_knowing(script, need, &|_| None);
        }
        self.took = begun.elapsed() + std::mem::take(&mut self.started);
        shown
    }

    fn took(&self) -> Duration {
        self.took
    }

    fn go_cold(&mut self) {
        // Where fresh processes cannot be started, the next test says so.
        if let Ok(runners) = start(&self.participants, RunMode::OneShot, Stacks::Always) {
            self.runners = runners;
        }
    }
}
