//! Tests candidates by asking solvers.

use super::parallel::run_parallel;
use super::participant::{AskModel, Participant, claiming, is_about_time, is_ambiguous, order};
use super::runners::start;
use super::warmed::Warmed;
use crate::cores::core_alone;
use crate::oracle::{Evaluated, ModelJudge, ModelOpinion};
use crate::proofs::{Rejection, check_proof};
use crate::statements::{StatementVerdict, oracle_for};
use case::{Answer, Claim, Misstatement, Outcome, ParticipantIndex, Statement};
use reduce::{Abort, Need, Reproduced, Tester};
use solver::run::{Limits, Stacks, Want};
use solver::{Observation, ProofChecker, RunError, RunMode, RunRequest, Runner};
use std::borrow::Cow;
use std::time::{Duration, Instant};

/// What our evaluation must say about the model of a solver that is claimed to answer `sat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SatModel {
    /// Nothing: the solver is not asked for one.
    Any,
    /// It is wrong.
    Refuted,
}

/// The time limit for candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimeLimit {
    /// The limit of the participant.
    Fixed,
    /// Falls with the time that accepted candidates take.
    Adaptive,
}

/// A model of a solver's unsat core that our evaluation confirms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreModel {
    /// The core as printed.
    pub core: String,
    /// The script that asserts only the core and the unnamed assertions.
    pub alone: String,
    /// The model as printed.
    pub model: String,
    /// The solver that returned the model.
    pub from: String,
}

/// Tests whether a script shows every claim, by asking solvers.
pub struct SolverTester {
    participants: Vec<Participant>,
    runners: Vec<Box<dyn Runner>>,
    judge: Evaluated,
    sat_model: SatModel,
    time_limit: TimeLimit,
    /// How long the last test took.
    took: Duration,
    /// The time spent on starting solvers beforehand. It counts for the first test.
    started: Duration,
}

/// The time limit for further candidates once one took `took`: much longer than that, and at most the present limit.
pub(super) fn shorter_limit(took: Duration, limit: Duration) -> Duration {
    (took * 5 + Duration::from_millis(150)).min(limit)
}

impl SolverTester {
    /// A tester that runs the solvers in this mode.
    pub fn new(
        participants: &[Participant],
        mode: RunMode,
        sat_model: SatModel,
    ) -> Result<SolverTester, RunError> {
        // The start belongs to the time that a solver takes, and a slow crash must not be run twice for its stack.
        let (mode, stacks) = match is_about_time(participants) {
            true => (RunMode::OneShot, Stacks::Never),
            false => (mode, Stacks::Always),
        };
        let time_limit = if mode == RunMode::OneShot { TimeLimit::Fixed } else { TimeLimit::Adaptive };
        Ok(SolverTester::with(participants, start(participants, mode, stacks)?, sat_model, time_limit))
    }

    /// A tester that uses solvers that were started beforehand.
    pub fn with_warmed(participants: &[Participant], warmed: Warmed, sat_model: SatModel) -> SolverTester {
        let tester = SolverTester::with(participants, warmed.runners, sat_model, TimeLimit::Adaptive);
        SolverTester { started: warmed.took, ..tester }
    }

    /// A tester that runs fresh processes of the plain executables, and runs a crash again to learn its stack.
    pub(super) fn fresh(participants: &[Participant], sat_model: SatModel) -> Result<SolverTester, RunError> {
        let runners = start(participants, RunMode::OneShot, Stacks::Rerun)?;
        Ok(SolverTester::with(participants, runners, sat_model, TimeLimit::Fixed))
    }

    pub(super) fn with(
        participants: &[Participant],
        runners: Vec<Box<dyn Runner>>,
        sat_model: SatModel,
        time_limit: TimeLimit,
    ) -> SolverTester {
        SolverTester {
            participants: participants.to_vec(),
            runners,
            judge: Evaluated::default(),
            sat_model,
            time_limit,
            took: Duration::ZERO,
            started: Duration::ZERO,
        }
    }

    fn participant(&self, index: ParticipantIndex) -> &Participant {
        &self.participants[index.get()]
    }

    /// Whether our evaluation must refute the model of this participant.
    fn must_be_refuted(&self, index: ParticipantIndex) -> bool {
        let participant = self.participant(index);
        participant.claim == Claim::WrongModel
            || (self.sat_model == SatModel::Refuted && participant.says_sat())
    }

    fn want(&self, index: ParticipantIndex, model: AskModel) -> Want {
        let participant = self.participant(index);
        let refuted = self.sat_model == SatModel::Refuted && participant.says_sat();
        participant.want(if refuted { AskModel::Always } else { model })
    }

    fn run(&mut self, index: ParticipantIndex, script: &str, want: Want) -> Result<Observation, Abort> {
        let participant = &self.participants[index.get()];
        let limits = participant.limits;
        let script = participant.script(script);
        let request = RunRequest::new(&script).options(&participant.options).limits(limits).want(want);
        let mut run = |request: &RunRequest<'_>| {
            self.runners[index.get()].run(request).map_err(|error| Abort(error.to_string()))
        };
        let seen = run(&request)?;
        let hardly_ran = seen.outcome == Outcome::Timeout && seen.cpu * 2 < limits.wall;
        if self.time_limit == TimeLimit::Adaptive && hardly_ran {
            // The machine was busy.
            return run(&request.limits(Limits { wall: limits.wall * 4, ..limits }));
        }
        Ok(seen)
    }

    /// Runs all solvers on a script in parallel; `None` for those that are asked only later.
    pub(super) fn run_all(&mut self, script: &str) -> Result<Vec<Option<Observation>>, Abort> {
        let asked = order(&self.participants, Need::Everything);
        let indices = || ParticipantIndex::all(self.participants.len());
        let wants: Vec<Want> = indices().map(|index| self.want(index, AskModel::IfClaimed)).collect();
        let scripts: Vec<Cow<'_, str>> =
            self.participants.iter().map(|participant| participant.script(script)).collect();
        let each = indices().zip(&self.participants).zip(&mut self.runners).zip(wants).zip(&scripts);
        let runs = run_parallel(each.map(|((((index, participant), runner), want), script)| {
            let request =
                RunRequest::new(script).options(&participant.options).limits(participant.limits).want(want);
            let is_asked = asked.contains(&index);
            move || is_asked.then(|| runner.run(&request)).transpose()
        }));
        runs.into_iter().collect::<Result<_, _>>().map_err(|error| Abort(error.to_string()))
    }

    /// A model of the core that `giver` returned in a run. Asks the solvers that are claimed to satisfy it, or `giver` itself if
    /// there are none.
    pub(super) fn core_model(
        &mut self,
        giver: ParticipantIndex,
        script: &str,
        seen: &Observation,
    ) -> Result<Option<CoreModel>, Abort> {
        let Some(core) = seen.core() else { return Ok(None) };
        let Some(alone) = core_alone(script, core) else { return Ok(None) };
        let mut asked = claiming(&self.participants, &Claim::SatisfiesCore);
        if asked.is_empty() {
            asked.push(giver);
        }
        for index in asked {
            let run = self.run(index, &alone, Want { model: true, ..Want::default() })?;
            let model = run.model().filter(|_| run.answer() == Some(Answer::Sat));
            if let Some(model) = model
                && self.judge.opinion(&alone, model) == ModelOpinion::Confirmed
            {
                let (core, model) = (core.to_owned(), model.to_owned());
                let from = self.participant(index).target.id.clone();
                return Ok(Some(CoreModel { core, alone, model, from }));
            }
        }
        Ok(None)
    }

    /// What is wrong about the statements of this kind in a run of `giver`: by our evaluation, or by a model that the solvers which
    /// are claimed to refute them return.
    pub(super) fn misstatement(
        &mut self,
        kind: Statement,
        giver: ParticipantIndex,
        script: &str,
        seen: &Observation,
    ) -> Result<Option<Misstatement>, Abort> {
        let Some(reading) = oracle_for(kind).reading(script, seen) else { return Ok(None) };
        if let StatementVerdict::Wrong(wrong) = reading.judge(&mut self.judge) {
            return Ok(Some(wrong.misstatement));
        }
        let asked = claiming(&self.participants, &Claim::RefutesStatement);
        let Some(doubt) = reading.doubt().filter(|_| !asked.is_empty()) else { return Ok(None) };
        for index in asked.into_iter().filter(|index| *index != giver) {
            let run = self.run(index, &doubt, Want { model: true, ..Want::default() })?;
            let model = run.model().filter(|_| run.answer() == Some(Answer::Sat));
            let refuted = model.and_then(|model| reading.refuted_by(&mut self.judge, model));
            if let Some(wrong) = refuted {
                return Ok(Some(wrong.misstatement));
            }
        }
        Ok(None)
    }

    /// Whether the checker that a participant's claim names rejects the proof of a run.
    pub(super) fn rejection(
        &self,
        index: ParticipantIndex,
        script: &str,
        seen: &Observation,
    ) -> Result<Option<Rejection>, Abort> {
        let Participant { claim: Claim::RejectedProof(command), limits, .. } = self.participant(index) else {
            return Ok(None);
        };
        let checker = ProofChecker::of_command(command).map_err(|error| Abort(error.to_string()))?;
        let verdict =
            check_proof(&checker, script, seen, *limits).map_err(|error| Abort(error.to_string()))?;
        Ok(verdict.and_then(|verdict| Rejection::of(&checker, verdict)))
    }

    /// Whether our evaluation refutes the model of a run.
    fn refutes(&mut self, script: &str, seen: &Observation) -> bool {
        let opinion = seen.model().map(|model| self.judge.opinion(script, model));
        matches!(opinion, Some(ModelOpinion::Refuted { .. }))
    }

    /// Whether there is a check for which all runs so far show their claims.
    fn agree_on_a_check(&self, seen: &[(ParticipantIndex, Observation)]) -> bool {
        let checks = seen.iter().map(|(_, run)| run.answers.len()).max().unwrap_or(0);
        let shown = |check: usize| seen.iter().all(|(index, run)| self.participant(*index).shows(run, check));
        (0..checks.max(1)).any(shown)
    }

    /// Like [`Tester::test`], but does not ask solvers whose run is `known`.
    pub(super) fn test_knowing(
        &mut self,
        script: &str,
        need: Need,
        known: &dyn Fn(ParticipantIndex) -> Option<Observation>,
    ) -> Result<Option<Reproduced>, Abort> {
        let has_model =
            self.sat_model == SatModel::Any && self.participants.iter().any(Participant::says_sat);
        if is_ambiguous(&self.participants, script) || (need == Need::NewModel && !has_model) {
            return Ok(None);
        }
        let mut seen: Vec<(ParticipantIndex, Observation)> = Vec::new();
        let mut found = None;
        for index in order(&self.participants, need) {
            let needs_model = need == Need::NewModel && self.participant(index).says_sat();
            let model = if needs_model { AskModel::Always } else { AskModel::IfClaimed };
            let run = match known(index) {
                Some(run) => run,
                None => self.run(index, script, self.want(index, model))?,
            };
            seen.push((index, run.clone()));
            if !self.agree_on_a_check(&seen) {
                return Ok(None);
            }
            if self.must_be_refuted(index) && !self.refutes(script, &run) {
                return Ok(None);
            }
            if let Claim::Misstates(kind) = self.participant(index).claim
                && self.misstatement(kind, index, script, &run)?.is_none()
            {
                return Ok(None);
            }
            if matches!(self.participant(index).claim, Claim::RejectedProof(_))
                && self.rejection(index, script, &run)?.is_none()
            {
                return Ok(None);
            }
            if self.participant(index).claim == Claim::WrongCore
                && self.core_model(index, script, &run)?.is_none()
            {
                return Ok(None);
            }
            if needs_model && found.is_none() {
                let confirmed = |model: &&str| self.judge.opinion(script, model) == ModelOpinion::Confirmed;
                found = run.model().filter(confirmed).map(str::to_owned);
            }
        }
        if need == Need::NewModel && found.is_none() {
            return Ok(None);
        }
        if self.time_limit == TimeLimit::Adaptive {
            for (index, run) in &seen {
                let limits = &mut self.participants[index.get()].limits;
                limits.wall = shorter_limit(run.wall, limits.wall);
            }
        }
        Ok(Some(Reproduced { model: found }))
    }
}

impl Tester for SolverTester {
    fn test(&mut self, script: &str, need: Need) -> Result<Option<Reproduced>, Abort> {
        let begun = Instant::now();
        let mut shown = self.test_knowing(script, need, &|_| None);
        if matches!(shown, Ok(Some(_))) && is_about_time(&self.participants) {
            // A single measurement may be chance.
            shown = self.test_knowing(script, need, &|_| None);
        }
        self.took = begun.elapsed() + std::mem::take(&mut self.started);
        shown
    }

    fn took(&self) -> Duration {
        self.took
    }

    fn go_cold(&mut self) {
        // If fresh processes cannot be started, the next test reports it.
        if let Ok(runners) = start(&self.participants, RunMode::OneShot, Stacks::Always) {
            self.runners = runners;
        }
    }
}
