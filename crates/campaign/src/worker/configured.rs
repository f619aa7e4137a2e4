//! Runs cases under other configurations: a solver must not contradict itself, whatever options it gets that keep the question.
//! What goes wrong under several options is reduced to the fewest that show it.

use super::{Abort, Worker};
use crate::budget::Slack;
use crate::confirm::Context;
use crate::statistics::accepted;
use crate::time_account::Purpose;
use case::SolverIndex;
use falcon::{Gain, Novelty, Setting};
use solver::coverage::Reached;
use solver::{Observation, Outcome};
use std::sync::atomic::Ordering;
use std::time::Duration;
use strategies::Case;
use triage::Bug;

/// How long a run under options may take, compared with the default run.
pub(super) const SLACK: Slack = Slack::new(5, 100);

/// A case as the solvers ran it by default.
#[derive(Clone, Copy)]
pub(super) struct DefaultRuns<'a> {
    pub context: &'a Context<'a>,
    pub seen: &'a [Observation],
}

/// A run of a solver under options.
struct ConfiguredRun {
    settings: Vec<Setting>,
    observation: Observation,
    bugs: Vec<Bug>,
    /// What the run reached, if measured.
    gain: Option<Gain>,
}

impl Worker<'_> {
    /// Runs a case under configurations of each solver, and reports what is wrong only with them. `seen` are the default runs.
    pub(super) fn try_configurations(
        &mut self,
        context: &Context<'_>,
        seen: &[Observation],
        limit: Duration,
    ) -> Result<(), Abort> {
        let fresh = self.coverage_queue.take_fresh();
        let default = DefaultRuns { context, seen };
        let mut strategies = self.shared.strategies.iter();
        let strategy = strategies.find(|strategy| strategy.name() == context.origin.strategy);
        let own = strategy.and_then(|strategy| strategy.option_search()).cloned();
        // The options are a part of such a strategy, so its runs are not held to the share of options.
        if own.is_none() && !self.permits(Purpose::Options) {
            return Ok(());
        }
        let how = own.unwrap_or_else(|| self.shared.settings.option_search());
        for (&solver, default_run) in context.solvers.iter().zip(seen) {
            // A solver that rejects the case by default is not asked again under options.
            if !accepted(default_run) {
                continue;
            }
            // Line 7 of Falcon's Algorithm 2: a formula that crashes the solver is done.
            if !how.after_crash && matches!(default_run.outcome, Outcome::Crash(_)) {
                continue;
            }
            let novelty = if fresh.contains(&solver) { Novelty::Fresh } else { Novelty::Known };
            let trial = self.policy.begin(solver, &context.case.text, novelty, &how);
            let Some(mut trial) = trial else { continue };
            // A slow run under options is no finding, so the limit is short.
            let limit = limit.min(self.limit_after(SLACK, default_run.wall));
            while let Some(settings) = trial.next_settings() {
                if self.shared.stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let (gain, wall) = self.try_configuration(default, solver, settings.clone(), limit)?;
                if let Some(gain) = gain {
                    self.policy.record(&mut trial, &settings, gain, wall.as_secs_f64());
                }
            }
        }
        Ok(())
    }

    /// Runs a case under some settings of one solver and reports what is wrong only with them. Returns what the run reached, if measured,
    /// and how long it took.
    pub(super) fn try_configuration(
        &mut self,
        default: DefaultRuns<'_>,
        solver: SolverIndex,
        settings: Vec<Setting>,
        limit: Duration,
    ) -> Result<(Option<Gain>, Duration), Abort> {
        let run = self.run_configured(default, solver, settings, limit)?;
        let (gain, wall) = (run.gain, run.observation.wall);
        self.counted.configured += 1;
        self.counted.conflicts += u64::from(!accepted(&run.observation));
        if !run.bugs.is_empty() {
            self.report_with_fewest(default, solver, run, limit)?;
        }
        self.solver_pool.remove_configured();
        Ok((gain, wall))
    }

    /// Runs a case under default options. A case that reaches new code is saved and becomes a seed.
    pub(super) fn run_default(
        &mut self,
        solver: SolverIndex,
        case: &Case,
        strategy: &str,
        limit: Duration,
    ) -> Result<Observation, Abort> {
        let (observation, reached) = self.solver_pool.run_measured(solver, &case.text, limit)?;
        let Some(reached) = reached else { return Ok(observation) };
        let new = self.add_coverage(solver, strategy, &reached);
        self.policy.record_default(new, observation.wall.as_secs_f64());
        if new > 0 && accepted(&observation) {
            self.shared.coverage_map.save(strategy, &case.text);
            self.coverage_queue.push(solver, &case.text);
        }
        Ok(observation)
    }

    /// Adds what a run reached to the coverage. Returns how many points are new.
    fn add_coverage(&mut self, solver: SolverIndex, strategy: &str, reached: &Reached) -> usize {
        let (plain, _) = self.solver_pool.plain(solver);
        let id = self.solver_pool.target(plain).id.clone();
        let points = self.solver_pool.coverage_points(solver);
        let (reach, new) = self.shared.coverage_map.add(&id, points, strategy, reached);
        self.shared.coverage_map.name_points(&id, || self.solver_pool.point_names(solver));
        self.counted.add_reach(&id, &reach);
        self.turn.coverage += new as u64;
        new
    }

    /// Runs a case under some settings of one solver and judges it together with the default runs.
    fn run_configured(
        &mut self,
        default: DefaultRuns<'_>,
        solver: SolverIndex,
        settings: Vec<Setting>,
        limit: Duration,
    ) -> Result<ConfiguredRun, Abort> {
        let DefaultRuns { context, seen } = default;
        let form = self.solver_pool.target(solver).profile.options.form.clone();
        let options = settings.iter().map(|one| form.argument(&one.name, &one.value)).collect();
        let commands = settings.iter().map(|one| form.command(&one.name, &one.value)).collect();
        let configured = self.solver_pool.configure(solver, options, commands);
        let (observation, reached) = self.solver_pool.run_measured(configured, &context.case.text, limit)?;
        let gain = reached.map(|reached| {
            let new = self.add_coverage(solver, &context.origin.strategy, &reached);
            Gain { reached: reached.count(), new }
        });
        let solvers: Vec<SolverIndex> = context.solvers.iter().copied().chain([configured]).collect();
        let all: Vec<Observation> = seen.iter().cloned().chain([observation.clone()]).collect();
        // Some options are meant to cost time.
        let rules = self.shared.rules.without_candidates();
        let witnesses = self.solver_pool.witnesses(&solvers, &all);
        let mut verdict = triage::judge(&context.question(), &witnesses, self.judge.as_mut(), &rules);
        let id = &self.solver_pool.target(configured).id;
        verdict.bugs.retain(|bug| bug.involves(id));
        Ok(ConfiguredRun { settings, observation, bugs: verdict.bugs, gain })
    }

    /// Removes settings as long as a bug of the same class remains, then confirms and reports it.
    fn report_with_fewest(
        &mut self,
        default: DefaultRuns<'_>,
        solver: SolverIndex,
        run: ConfiguredRun,
        limit: Duration,
    ) -> Result<(), Abort> {
        let mut fewest = run;
        let mut index = 0;
        while index < fewest.settings.len() {
            let mut fewer = fewest.settings.clone();
            fewer.remove(index);
            let less = self.run_configured(default, solver, fewer, limit)?;
            let same = |bug: &Bug| fewest.bugs.iter().any(|before| before.class == bug.class);
            if less.bugs.iter().any(same) {
                fewest =
                    ConfiguredRun { bugs: less.bugs.into_iter().filter(|bug| same(bug)).collect(), ..less };
            } else {
                index += 1;
            }
        }
        // A bug that needs no option shows by default and is reported there.
        if fewest.settings.is_empty() {
            return Ok(());
        }
        self.solver_pool.remove_configured();
        let again = self.run_configured(default, solver, fewest.settings, limit)?;
        let configured = self.solver_pool.last_configured();
        let DefaultRuns { context, seen } = default;
        let solvers: Vec<SolverIndex> = context.solvers.iter().copied().chain([configured]).collect();
        let all: Vec<Observation> = seen.iter().cloned().chain([again.observation]).collect();
        self.report(&Context { solvers: &solvers, ..*context }, &again.bugs, &all)
    }
}
