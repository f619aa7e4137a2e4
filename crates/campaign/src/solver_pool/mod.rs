//! The solvers of one worker: warm for the many cases, cold for what is reported.

mod configured;
mod dialogues;
mod runners;
mod vocabulary;

use crate::generators::run_generator;
use crate::settings::Settings;
use crate::time_account::{Purpose, TimeAccount};
use case::SolverIndex;
use configured::Configured;
use dialogues::Dialogues;
use runners::Runners;
use semantics::model::StringDialect;
use solver::coverage::{Names, Reached};
use solver::run::history::Transcript;
use solver::run::{Limits, RunSettings, Want};
use solver::{Observation, Outcome, RunError, RunRequest, Target};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use strategies::{Case, GeneratorRun, LiveQuestion};
use triage::Witness;
use vocabulary::Vocabulary;

/// In a deterministic campaign, a question that shapes cases may take this many times its usual time, even if other programs use
/// most of the machine: its limit in steps ends it earlier.
const DETERMINISTIC_WALL: u32 = 100;

/// It may use this many times its usual time of the processor, in case a solver does not count its steps.
const DETERMINISTIC_CPU: u32 = 5;

/// A solver of a worker.
struct Solver {
    target: Target,
    /// The theories that its release supports; empty if unknown.
    theories: BTreeSet<String>,
    /// The largest character that it reads as an escape in a string.
    largest_escape: u32,
    /// The operators that its release rejects.
    vocabulary: Vocabulary,
    runners: Runners,
}

/// The solvers of one worker. The indices of configured solvers follow those of the plain ones.
pub struct SolverPool {
    solvers: Vec<Solver>,
    /// Solvers with options, for the current case only.
    configured: Vec<Configured>,
    dialogues: Dialogues,
    settings: Settings,
    /// What all runners have in common.
    running: RunSettings,
    /// What runs are charged to.
    purpose: Purpose,
    /// The time of runs since it was last taken.
    account: TimeAccount,
    /// Questions of strategies, since this was last taken, that ended by the clock although cases must not depend on it.
    machine_dependent: u64,
}

impl SolverPool {
    /// Starts the solvers that stay warm.
    pub fn new(targets: &[Target], settings: &Settings) -> Result<SolverPool, RunError> {
        let running = RunSettings::default();
        let mut account = TimeAccount::default();
        let start = |target: &Target| {
            let profile = target.profile.at(&target.version);
            let started = Instant::now();
            let runners = Runners::start(target, settings, &running)?;
            account.charge_start(&target.id, started.elapsed());
            Ok(Solver {
                target: target.clone(),
                theories: profile.theories.iter().cloned().collect(),
                largest_escape: profile.max_escape,
                vocabulary: Vocabulary::new(target.profile.clone()),
                runners,
            })
        };
        let solvers = targets.iter().map(start).collect::<Result<_, RunError>>()?;
        Ok(SolverPool {
            solvers,
            configured: Vec::new(),
            dialogues: Dialogues::default(),
            settings: settings.clone(),
            running,
            purpose: Purpose::Cases,
            account,
            machine_dependent: 0,
        })
    }

    /// Restarts all processes.
    pub fn restart(&mut self) -> Result<(), RunError> {
        self.dialogues.clear();
        for solver in &mut self.solvers {
            let started = Instant::now();
            solver.runners = Runners::start(&solver.target, &self.settings, &self.running)?;
            self.account.charge_start(&solver.target.id, started.elapsed());
        }
        Ok(())
    }

    /// The solvers that support everything in a case.
    pub fn supporting(&self, case: &Case) -> Vec<SolverIndex> {
        self.knowing_operators(case, |escape, known| escape <= known)
    }

    /// The solvers that support a case but for escapes in its strings, which they read as plain characters.
    pub fn reading_otherwise(&self, case: &Case) -> Vec<SolverIndex> {
        self.knowing_operators(case, |escape, known| escape > known)
    }

    /// The solvers that know the operators of a case and whose largest escape is as wanted.
    fn knowing_operators(&self, case: &Case, wanted: impl Fn(u32, u32) -> bool) -> Vec<SolverIndex> {
        let mut solvers = self.supporting_theories(case.solvers.as_ref(), &case.theories);
        let escape = triage::oracle::largest_escape(&case.text);
        solvers.retain(|&index| {
            let solver = &self.solvers[index.get()];
            wanted(escape, solver.largest_escape) && !solver.vocabulary.lacks(&case.text)
        });
        solvers
    }

    /// The solvers that support all of the theories and are among the named ones, if any are named.
    pub fn supporting_theories(
        &self,
        named: Option<&BTreeSet<String>>,
        theories: &BTreeSet<String>,
    ) -> Vec<SolverIndex> {
        let supports = |index: &SolverIndex| {
            let solver = &self.solvers[index.get()];
            let is_named = named.is_none_or(|names| names.contains(&solver.target.name));
            is_named && (solver.theories.is_empty() || theories.is_subset(&solver.theories))
        };
        SolverIndex::all(self.solvers.len()).filter(supports).collect()
    }

    /// Remembers an operator that a solver rejected, so that it is not asked about it again. Returns its name if it is new.
    pub fn learn_vocabulary(&mut self, solver: SolverIndex, seen: &Observation) -> Option<&str> {
        self.solvers[solver.get()].vocabulary.learn(seen)
    }

    /// A solver, with its options if it is configured.
    pub fn target(&self, solver: SolverIndex) -> &Target {
        match self.configuration(solver) {
            Some(configured) => &configured.target,
            None => &self.solvers[solver.get()].target,
        }
    }

    /// The plain solver behind an index, and the options that it runs with.
    pub fn plain(&self, solver: SolverIndex) -> (SolverIndex, &[String]) {
        match self.configuration(solver) {
            Some(configured) => (configured.solver, &configured.options),
            None => (solver, &[]),
        }
    }

    /// Runs a script on a warm solver.
    pub fn run_warm(
        &mut self,
        solver: SolverIndex,
        script: &str,
        wall: Duration,
    ) -> Result<Observation, RunError> {
        self.run_warm_within(solver, script, self.settings.want(), wall)
    }

    /// Runs a script on a warm solver on behalf of a strategy, which makes cases from the answer.
    pub fn run_for_strategy(
        &mut self,
        solver: SolverIndex,
        script: &str,
        want: Want,
        wall: Duration,
    ) -> Result<Observation, RunError> {
        let (limits, steps) = self.strategy_limits(solver, wall);
        let before = self.charge_to(Purpose::Preparation);
        let seen = self.run_warm_limited(solver, script, Want { steps, ..want }, limits);
        self.charge_to(before);
        let seen = seen?;
        self.count_machine_dependent(&seen);
        Ok(seen)
    }

    /// The limits of a question that shapes cases, and its limit in steps if cases must not depend on the machine. The time limits
    /// are then so long that the solver reaches its limit in steps first.
    fn strategy_limits(&self, solver: SolverIndex, wall: Duration) -> (Limits, Option<u64>) {
        let (plain, _) = self.plain(solver);
        let target = &self.solvers[plain.get()].target;
        let rate = target.profile.at(&target.version).ask.steps_per_ms;
        if !self.settings.is_deterministic() || rate == 0 {
            return (self.limits(wall), None);
        }
        let cpu = Some((wall * DETERMINISTIC_CPU).max(Duration::from_secs(1)));
        let limits = Limits { cpu, ..self.limits(wall * DETERMINISTIC_WALL) };
        (limits, Some(rate.saturating_mul(wall.as_millis() as u64).max(1)))
    }

    fn count_machine_dependent(&mut self, seen: &Observation) {
        let by_clock = self.settings.is_deterministic() && seen.outcome == Outcome::Timeout;
        self.machine_dependent += u64::from(by_clock);
    }

    /// Takes the number of questions since the last call whose answers depended on the speed of the machine, although cases must
    /// not.
    pub fn take_machine_dependent(&mut self) -> u64 {
        std::mem::take(&mut self.machine_dependent)
    }

    /// Runs a script on a warm solver with other requests and another time limit than usual.
    pub fn run_warm_within(
        &mut self,
        solver: SolverIndex,
        script: &str,
        want: Want,
        wall: Duration,
    ) -> Result<Observation, RunError> {
        self.run_warm_limited(solver, script, want, self.limits(wall))
    }

    fn run_warm_limited(
        &mut self,
        solver: SolverIndex,
        script: &str,
        want: Want,
        limits: Limits,
    ) -> Result<Observation, RunError> {
        // A server for options that are used once would cost more than it saves.
        let Some(script) = self.warm_script(solver, script) else {
            return self.run_cold_limited(solver, script, want, limits);
        };
        let (plain, _) = self.plain(solver);
        let request = RunRequest::new(&script).limits(limits).want(want);
        let started = Instant::now();
        let seen = self.solvers[plain.get()].runners.warm.run(&request)?;
        self.charge(plain, &seen, started);
        Ok(seen)
    }

    /// Runs a script between push and pop of a running process. Falls back to a separate run if that is impossible.
    pub fn run_incremental(
        &mut self,
        solver: SolverIndex,
        script: &str,
        wall: Duration,
    ) -> Result<Observation, RunError> {
        let request = RunRequest::new(script).limits(self.limits(wall)).want(self.settings.want());
        let started = Instant::now();
        let Solver { target, runners, .. } = &mut self.solvers[solver.get()];
        let seen = runners.incremental(target, &self.running)?.run(&request)?;
        self.charge(solver, &seen, started);
        Ok(seen)
    }

    /// Everything that was sent to the process in which a solver ran its last incremental script.
    pub fn transcript(&self, solver: SolverIndex) -> Option<Transcript> {
        self.solvers.get(solver.get())?.runners.transcript()
    }

    /// Runs a script and measures its coverage, if the solver can.
    pub fn run_measured(
        &mut self,
        solver: SolverIndex,
        script: &str,
        wall: Duration,
    ) -> Result<(Observation, Option<Reached>), RunError> {
        let (plain, options) = self.plain(solver);
        let options = options.to_vec();
        let (limits, want) = (self.limits(wall), self.settings.want());
        let warm_script = self.warm_script(solver, script);
        let Some(measured) = &mut self.solvers[plain.get()].runners.measured else {
            return Ok((self.run_warm(solver, script, wall)?, None));
        };
        let started = Instant::now();
        let (seen, reached) = match warm_script {
            Some(script) => measured.warm.run(&RunRequest::new(&script).limits(limits).want(want))?,
            None => {
                measured.cold.run(&RunRequest::new(script).options(&options).limits(limits).want(want))?
            }
        };
        self.charge(plain, &seen, started);
        Ok((seen, Some(reached)))
    }

    /// How many coverage points a solver has; 0 if coverage is not measured.
    pub fn coverage_points(&self, solver: SolverIndex) -> usize {
        let (plain, _) = self.plain(solver);
        self.solvers[plain.get()].runners.measured.as_ref().map_or(0, |measured| measured.warm.points())
    }

    /// The names of the coverage points of a solver; `None` if coverage is not measured.
    pub fn point_names(&self, solver: SolverIndex) -> Option<Names> {
        let (plain, _) = self.plain(solver);
        Some(Names::of(&*self.solvers[plain.get()].runners.measured.as_ref()?.warm))
    }

    /// Runs a script on the plain executable in a fresh process.
    pub fn run_cold(
        &mut self,
        solver: SolverIndex,
        script: &str,
        want: Want,
    ) -> Result<Observation, RunError> {
        // A fresh process also spends time on its start.
        self.run_cold_within(solver, script, want, 2 * self.settings.limits().wall)
    }

    /// Runs a script on the plain executable in a fresh process with another time limit than usual.
    pub fn run_cold_within(
        &mut self,
        solver: SolverIndex,
        script: &str,
        want: Want,
        wall: Duration,
    ) -> Result<Observation, RunError> {
        self.run_cold_limited(solver, script, want, self.limits(wall))
    }

    fn run_cold_limited(
        &mut self,
        solver: SolverIndex,
        script: &str,
        want: Want,
        limits: Limits,
    ) -> Result<Observation, RunError> {
        let (plain, options) = self.plain(solver);
        let options = options.to_vec();
        let request = RunRequest::new(script).options(&options).limits(limits).want(want);
        let started = Instant::now();
        let Solver { target, runners, .. } = &mut self.solvers[plain.get()];
        let seen = runners.cold(target, &self.running)?.run(&request)?;
        self.charge(plain, &seen, started);
        Ok(seen)
    }

    /// Runs a script on the plain executables of several solvers, each with its own time limit.
    pub fn run_all_cold(
        &mut self,
        solvers: &[SolverIndex],
        script: &str,
        want: Want,
        limits: &[Duration],
    ) -> Result<Vec<Observation>, RunError> {
        let run =
            |(&solver, &limit): (&SolverIndex, &Duration)| self.run_cold_within(solver, script, want, limit);
        solvers.iter().zip(limits).map(run).collect()
    }

    /// The time limit of a run in this campaign.
    pub fn full_limit(&self) -> Duration {
        self.settings.limits().wall
    }

    /// Asks a question in a dialogue that stays open for the next one.
    pub fn ask(
        &mut self,
        solver: SolverIndex,
        question: &LiveQuestion,
        wall: Duration,
    ) -> Result<Observation, RunError> {
        let (limits, steps) = self.strategy_limits(solver, wall);
        let target = &self.solvers[solver.get()].target;
        let started = Instant::now();
        let seen = self.dialogues.ask(solver, target, question, limits, steps, &self.running)?;
        let id = &self.solvers[solver.get()].target.id;
        self.account.charge(Purpose::Questions, id, &seen, started.elapsed());
        self.count_machine_dependent(&seen);
        Ok(seen)
    }

    /// Runs a program that prints scripts. Returns what it printed, or what went wrong.
    pub fn generate(&mut self, run: &GeneratorRun) -> Result<Result<String, String>, RunError> {
        run_generator(run, &self.running)
    }

    /// A solver's model with the values that it left out, if it left out any.
    pub fn complete_model(
        &mut self,
        solver: SolverIndex,
        script: &str,
        model: &str,
    ) -> Result<Option<String>, RunError> {
        let limits = self.settings.limits();
        let (plain, options) = self.plain(solver);
        let options = options.to_vec();
        let started = Instant::now();
        let Solver { target, runners, .. } = &mut self.solvers[plain.get()];
        let cold = runners.cold(target, &self.running)?;
        let completed =
            triage::complete_model(cold, script, model, &options, limits, StringDialect::Standard);
        self.account.charge_time(self.purpose, &target.id, started.elapsed());
        completed
    }

    /// Charges runs to a purpose from now on. Returns the purpose so far.
    pub fn charge_to(&mut self, purpose: Purpose) -> Purpose {
        std::mem::replace(&mut self.purpose, purpose)
    }

    /// The time of runs since it was last taken.
    pub fn account(&self) -> &TimeAccount {
        &self.account
    }

    /// Charges time that solvers outside the pool took.
    pub fn charge_time(&mut self, purpose: Purpose, solver: &str, took: Duration) {
        self.account.charge_time(purpose, solver, took);
    }

    /// Takes the time of runs since the last call.
    pub fn take_account(&mut self) -> TimeAccount {
        std::mem::take(&mut self.account)
    }

    /// Charges a run of a plain solver that the worker began to wait for at `started`.
    fn charge(&mut self, solver: SolverIndex, seen: &Observation, started: Instant) {
        let id = &self.solvers[solver.get()].target.id;
        self.account.charge(self.purpose, id, seen, started.elapsed());
    }

    /// Runs of several solvers as the oracle takes them.
    pub fn witnesses<'a>(&'a self, solvers: &[SolverIndex], seen: &'a [Observation]) -> Vec<Witness<'a>> {
        let witness = |(&solver, observation): (&SolverIndex, &'a Observation)| {
            let target = self.target(solver);
            Witness { id: &target.id, name: &target.name, observation }
        };
        solvers.iter().zip(seen).map(witness).collect()
    }

    fn limits(&self, wall: Duration) -> Limits {
        Limits { wall, ..self.settings.limits() }
    }
}
