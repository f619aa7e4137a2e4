//! Runs seeds and some of their mutants under the options that the first comments of the seed name. A bug that a regression test or a
//! report is about often shows only with them.

use super::configured::{DefaultRuns, SLACK};
use super::{Abort, Worker};
use crate::confirm::Context;
use crate::statistics::accepted;
use crate::time_account::Purpose;
use case::hash::choice;
use solver::Observation;
use std::time::Duration;
use strategies::NamedOptions;

/// One mutant in this many runs under the options of its seed.
const MUTANTS_ONE_IN: u64 = 4;

impl Worker<'_> {
    /// Runs a case under the options that its seed names, as far as the maintainers take reports for them. `seen` are the default runs.
    pub(super) fn try_named_options(
        &mut self,
        context: &Context<'_>,
        seen: &[Observation],
        is_seed: bool,
        limit: Duration,
    ) -> Result<(), Abort> {
        let may_run = |worker: &Self| {
            choice(&context.case.text, "named options").is_multiple_of(MUTANTS_ONE_IN)
                && worker.permits(Purpose::Options)
        };
        if !is_seed && !may_run(self) {
            return Ok(());
        }
        let named = NamedOptions::of(&context.seed.text);
        for (&solver, default_run) in context.solvers.iter().zip(seen) {
            let Some(options) = self.shared.options.get(solver.get()) else { return Ok(()) };
            if !accepted(default_run) || !named.are_for(&self.solver_pool.target(solver).name) {
                continue;
            }
            let limit = if is_seed { limit } else { limit.min(self.limit_after(SLACK, default_run.wall)) };
            for settings in options.space.configurations_with(&named.options) {
                if self.should_stop() {
                    return Ok(());
                }
                self.try_configuration(DefaultRuns { context, seen }, solver, settings, limit)?;
            }
        }
        Ok(())
    }
}
