//! Runs cases once more with `check-sat-using` and a tactic that answers the same question. Two releases of a solver may share a
//! bug that no comparison between them shows; the tactics of one release take different paths.

use super::self_contradiction::OtherForm;
use super::{Abort, Worker};
use crate::budget::Slack;
use crate::confirm::Context;
use crate::remake::RunContext;
use case::SolverIndex;
use case::hash::choice;
use solver::run::using_tactic;
use solver::{Observation, Outcome};
use strategies::{Case, Step};

/// How long a run with a tactic may take, compared with the plain run.
const SLACK: Slack = Slack::new(4, 50);

impl Worker<'_> {
    /// Runs a case with one tactic of each solver that has any, for one case in so many as the settings say. `seen` are the plain
    /// runs of the case.
    pub(super) fn try_tactics(&mut self, context: &Context<'_>, seen: &[Observation]) -> Result<(), Abort> {
        let one_in = self.shared.settings.tactics;
        let hash = choice(&context.case.text, "tactics");
        if one_in == 0 || !hash.is_multiple_of(one_in) {
            return Ok(());
        }
        for (&solver, plain) in context.solvers.iter().zip(seen) {
            let answered = plain.outcome == Outcome::Answered && !plain.answers.is_empty();
            let tactics = &self.profiles[solver.get()].tactics;
            if !answered || tactics.is_empty() {
                continue;
            }
            let chosen = (hash / one_in) % tactics.len() as u64;
            let tactic = tactics[chosen as usize].clone();
            self.try_tactic(context, solver, plain, &tactic)?;
            if self.should_stop() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Runs a case with a tactic of a solver. Reports what is wrong about the run, or that it contradicts the plain one.
    fn try_tactic(
        &mut self,
        context: &Context<'_>,
        solver: SolverIndex,
        plain: &Observation,
        tactic: &str,
    ) -> Result<(), Abort> {
        let Some(text) = using_tactic(&context.case.text, tactic) else { return Ok(()) };
        let limit = self.limit_after(SLACK, plain.wall);
        let seen = [self.solver_pool.run_warm_within(solver, &text, context.want, limit)?];
        self.counted.tactics += 1;
        let step = Step {
            action: "use".into(),
            before: "(check-sat)".to_owned(),
            after: format!("(check-sat-using {tactic})"),
        };
        let expectation = self.known_after(context.case, &[plain], &seen);
        let lineage = context.case.lineage.iter().cloned().chain([step]).collect();
        let case = Case { text, lineage, expectation, ..context.case.clone() };
        let run = RunContext::WithTactic;
        let other = Context { case: &case, run, solvers: &[solver], ..*context };
        let witnesses = self.solver_pool.witnesses(other.solvers, &seen);
        // A tactic may be slow.
        let rules = self.shared.rules.without_candidates();
        let bugs = triage::judge(&other.question(), &witnesses, self.judge.as_mut(), &rules).bugs;
        if !bugs.is_empty() {
            return self.report(&other, &bugs, &seen);
        }
        let how = format!("using {tactic}");
        self.report_self_contradiction(
            context,
            OtherForm { solver, case: &case, run, how: &how },
            &seen[0],
            plain,
        )
    }
}
