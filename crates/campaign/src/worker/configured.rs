//! Cases under other configurations: the same solver must not contradict itself, whatever options it is given that keep the
//! question. What goes wrong under several options is reduced to the fewest that show it.

use super::{Leave, Worker};
use crate::confirm::Context;
use crate::statistics::accepted;
use case::SolverIndex;
use falcon::{Gain, Novelty, Setting};
use solver::Observation;
use solver::coverage::Reached;
use std::sync::atomic::Ordering;
use std::time::Duration;
use strategies::Case;
use triage::{Bug, Rules};

/// A run under options may take so many times as long as the one without, and a little more.
const SLACK: u32 = 5;
const LEAST: Duration = Duration::from_millis(100);

/// What one configuration showed.
struct Shown {
    settings: Vec<Setting>,
    observation: Observation,
    bugs: Vec<Bug>,
}

impl Worker<'_> {
    /// Runs a case under configurations of each solver that was asked, and tells what is wrong with them alone. `seen` is what
    /// the solvers did by default.
    pub(super) fn try_configurations(
        &mut self,
        context: &Context<'_>,
        seen: &[Observation],
        limit: Duration,
    ) -> Result<(), Leave> {
        let fresh = std::mem::take(&mut self.coverage_queue.fresh);
        for (&place, usual) in context.places.iter().zip(seen) {
            // A solver that rejects the case by default is not asked again under options.
            if !accepted(usual) {
                continue;
            }
            let novelty = if fresh.contains(&place) { Novelty::Fresh } else { Novelty::Known };
            let solver = SolverIndex(place);
            let Some(mut trial) = self.policy.begin(solver, &context.case.text, novelty) else { continue };
            // To be slow under options is no finding, so such a run need not be waited for.
            let limit = limit.min(usual.wall * SLACK + LEAST);
            while let Some(settings) = trial.next_settings() {
                if self.shared.stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let (shown, gain) = self.under(context, seen, place, settings, limit)?;
                if let Some(gain) = gain {
                    let seconds = shown.observation.wall.as_secs_f64();
                    self.policy.record(&mut trial, &shown.settings, gain, seconds);
                }
                self.counted.configured += 1;
                self.counted.conflicts += u64::from(!accepted(&shown.observation));
                if !shown.bugs.is_empty() {
                    self.told_with_fewest(context, seen, place, shown, limit)?;
                }
                self.solver_pool.forget_configurations();
            }
        }
        Ok(())
    }

    /// Runs a case by default; what it reaches is noted, and a case that reaches something new is kept as a seed.
    pub(super) fn run_noted(
        &mut self,
        place: usize,
        case: &Case,
        strategy: &str,
        limit: Duration,
    ) -> Result<Observation, Leave> {
        let (observation, reached) =
            self.solver_pool.run_watched(place, &case.text, limit).map_err(Leave::Failed)?;
        let Some(reached) = reached else { return Ok(observation) };
        let new = self.note_reached(place, strategy, &reached);
        self.policy.record_default(new, observation.wall.as_secs_f64());
        if new > 0 && accepted(&observation) {
            self.shared.coverage_map.predicate(strategy, &case.text);
            self.coverage_queue.note(place, &case.text);
        }
        Ok(observation)
    }

    /// Notes what was reached; answers how much was new.
    fn note_reached(&mut self, place: usize, strategy: &str, reached: &Reached) -> usize {
        let (member, _) = self.solver_pool.member(place);
        let id = self.solver_pool.target(member).id.clone();
        let (reach, new) =
            self.shared.coverage_map.note(&id, self.solver_pool.places_of(place), strategy, reached);
        self.counted.note_reach(&id, &reach);
        new
    }

    /// What a case shows under some settings of one solver, beside what all did by default; and how much it reached, and how much
    /// of that was new, where that is measured.
    fn under(
        &mut self,
        context: &Context<'_>,
        seen: &[Observation],
        place: usize,
        settings: Vec<Setting>,
        limit: Duration,
    ) -> Result<(Shown, Option<Gain>), Leave> {
        let form = self.solver_pool.target(place).profile.options.form.clone();
        let options = settings.iter().map(|one| form.argument(&one.name, &one.value)).collect();
        let commands = settings.iter().map(|one| form.command(&one.name, &one.value)).collect();
        let configured = self.solver_pool.configure(place, options, commands);
        let script = &context.case.text;
        let run = self.solver_pool.run_watched(configured, script, limit).map_err(Leave::Failed)?;
        let (observation, reached) = run;
        let gain = reached.map(|reached| {
            let new = self.note_reached(place, &context.origin.strategy, &reached);
            Gain { reached: reached.count(), new }
        });
        let places: Vec<usize> = context.places.iter().copied().chain([configured]).collect();
        let all: Vec<Observation> = seen.iter().cloned().chain([observation.clone()]).collect();
        // Some options are meant to cost time.
        let rules = Rules { performance: false, ..self.shared.rules };
        let witnesses = self.solver_pool.witnesses(&places, &all);
        let mut verdict = triage::judge(&context.question(), &witnesses, self.judge.as_mut(), &rules);
        let id = &self.solver_pool.target(configured).id;
        verdict.bugs.retain(|bug| bug.involves(id));
        Ok((Shown { settings, observation, bugs: verdict.bugs }, gain))
    }

    /// Leaves out settings as long as the same goes wrong, then confirms and tells what is left.
    fn told_with_fewest(
        &mut self,
        context: &Context<'_>,
        seen: &[Observation],
        place: usize,
        shown: Shown,
        limit: Duration,
    ) -> Result<(), Leave> {
        let mut fewest = shown;
        let mut at = 0;
        while at < fewest.settings.len() {
            let mut fewer = fewest.settings.clone();
            fewer.remove(at);
            let (less, _) = self.under(context, seen, place, fewer, limit)?;
            let same = |bug: &Bug| fewest.bugs.iter().any(|before| before.class == bug.class);
            if less.bugs.iter().any(same) {
                fewest = Shown { bugs: less.bugs.into_iter().filter(|bug| same(bug)).collect(), ..less };
            } else {
                at += 1;
            }
        }
        // What needs no option at all shows by default, and is told there.
        if fewest.settings.is_empty() {
            return Ok(());
        }
        self.solver_pool.forget_configurations();
        let (again, _) = self.under(context, seen, place, fewest.settings, limit)?;
        let configured = self.solver_pool.last_configured();
        let places: Vec<usize> = context.places.iter().copied().chain([configured]).collect();
        let all: Vec<Observation> = seen.iter().cloned().chain([again.observation]).collect();
        self.bugs(&Context { places: &places, ..*context }, &again.bugs, &all)
    }
}
