//! Seeds with string escapes that a release does not know. It reads another script, so neither its answers nor its models can be
//! compared. But a crash is a crash, and a model that its own check rejects is wrong in any reading.

use super::judge::known_of_another_run;
use super::{Abort, Worker};
use crate::confirm::Context;
use case::Case;
use triage::NoOpinion;

impl Worker<'_> {
    /// Runs a seed on the releases that read its strings differently, each on its own.
    pub(super) fn run_own_readings(&mut self, context: &Context<'_>) -> Result<(), Abort> {
        let most = self.shared.settings.limits().wall;
        let case = Case { expectation: known_of_another_run(context.case), ..context.case.clone() };
        for solver in self.solver_pool.reading_otherwise(&case) {
            let seen = [self.solver_pool.run_warm_within(solver, &case.text, context.want, most)?];
            let context = Context { case: &case, solvers: &[solver], ..*context };
            let witnesses = self.solver_pool.witnesses(context.solvers, &seen);
            let rules = self.shared.rules.without_candidates();
            let verdict = triage::judge(&context.question(), &witnesses, &mut NoOpinion, &rules);
            if !verdict.bugs.is_empty() {
                self.report(&context, &verdict.bugs, &seen)?;
            }
            if self.should_stop() {
                return Ok(());
            }
        }
        Ok(())
    }
}
