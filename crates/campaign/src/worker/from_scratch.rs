//! Asks the questions of an incremental case once more, each from scratch. What a solver keeps between two questions must not change
//! an answer, and symbolic executors rely on that.

use super::self_contradiction::OtherForm;
use super::{Abort, Worker};
use crate::budget::Slack;
use crate::confirm::Context;
use crate::remake::RunContext;
use crate::statistics::accepted;
use case::SolverIndex;
use case::hash::choice;
use solver::Observation;
use solver::run::{Script, is_incremental, plain_script, up_to_check};
use strategies::{Case, Expectation, Step};

/// How long the questions may take from scratch, compared with the incremental case.
const SLACK: Slack = Slack::new(4, 100);
/// The most questions of a case.
const MOST: usize = 32;

impl Worker<'_> {
    /// Asks a solver the questions of an incremental case from scratch, and the others too if that contradicts the answer of any.
    /// Reports what is wrong about these runs, and every solver that contradicts itself. `seen` are the runs of the case.
    pub(super) fn ask_from_scratch(
        &mut self,
        context: &Context<'_>,
        seen: &[Observation],
    ) -> Result<(), Abort> {
        let script = &context.case.text;
        let split = Script::split(script);
        if !is_incremental(script) || split.checks() > MOST || split.blocks_models() {
            return Ok(());
        }
        let text = plain_script(script);
        let answered = |run: &&Observation| accepted(run) && run.answers.iter().any(|one| one.is_decided());
        let mut asked: Vec<(&SolverIndex, &Observation)> =
            context.solvers.iter().zip(seen).filter(|(_, run)| answered(run)).collect();
        if asked.is_empty() {
            return Ok(());
        }
        let first = choice(script, "from scratch") as usize % asked.len();
        asked.rotate_left(first);
        let (mut solvers, mut own, mut plain) = (Vec::new(), Vec::new(), Vec::<Observation>::new());
        for &(&solver, run) in &asked {
            let limit = self.limit_after(SLACK, run.wall);
            plain.push(self.solver_pool.run_warm_within(solver, &text, context.want, limit)?);
            solvers.push(solver);
            own.push(run);
            if self.should_stop() {
                return Ok(());
            }
            // Solvers that agree on every question need not be asked each.
            if asked.iter().all(|(_, run)| run.contradicts(&plain[0]).is_none()) {
                break;
            }
        }
        self.counted.from_scratch += plain.len() as u64;
        let step = Step {
            action: "ask from scratch".into(),
            before: "levels and assumptions".to_owned(),
            after: "each question alone".to_owned(),
        };
        let lineage = context.case.lineage.iter().cloned().chain([step]).collect();
        let case = Case { text, lineage, expectation: Expectation::Unknown, ..context.case.clone() };
        let run = RunContext::FromScratch;
        if self.judge_runs(&Context { case: &case, run, solvers: &solvers, ..*context }, &plain)? {
            return Ok(());
        }
        for ((solver, own), plain) in solvers.into_iter().zip(own).zip(&plain) {
            if let Some(check) = own.contradicts(plain) {
                self.compare_up_to(context, solver, check)?;
            }
        }
        Ok(())
    }

    /// Runs an incremental case up to a check, and its plain form, and reports a contradiction between the two.
    fn compare_up_to(
        &mut self,
        context: &Context<'_>,
        solver: SolverIndex,
        check: usize,
    ) -> Result<(), Abort> {
        let whole = || Case { expectation: Expectation::Unknown, ..context.case.clone() };
        let case = cut(context.case, check).unwrap_or_else(whole);
        let limit = self.shared.settings.limits().wall;
        let seen = self.solver_pool.run_warm_within(solver, &case.text, context.want, limit)?;
        let plain =
            self.solver_pool.run_warm_within(solver, &plain_script(&case.text), context.want, limit)?;
        let form = OtherForm { solver, case: &case, run: RunContext::Alone, how: "incrementally" };
        self.report_self_contradiction(context, form, &seen, &plain)
    }

    /// Judges the runs of a case. If solvers contradict each other before the last check, the case ends there, so that models decide
    /// who is wrong.
    pub(super) fn judge_up_to_contradiction(
        &mut self,
        context: &Context<'_>,
        seen: &[Observation],
    ) -> Result<bool, Abort> {
        if let Some(case) = first_contradiction(seen).and_then(|check| cut(context.case, check)) {
            let limit = self.shared.settings.limits().wall;
            let mut again = Vec::with_capacity(seen.len());
            for &solver in context.solvers {
                again.push(self.solver_pool.run_warm_within(solver, &case.text, context.want, limit)?);
            }
            if self.judge_runs(&Context { case: &case, ..*context }, &again)? {
                return Ok(true);
            }
        }
        self.judge_runs(context, seen)
    }
}

/// The case up to a check, about whose answer nothing is known; `None` if that is its last.
fn cut(case: &Case, check: usize) -> Option<Case> {
    let text = up_to_check(&case.text, check)?;
    Some(Case { text, expectation: Expectation::Unknown, ..case.clone() })
}

/// The first check on which two runs contradict each other, if it is not the last of both.
fn first_contradiction(seen: &[Observation]) -> Option<usize> {
    let most = seen.iter().map(|run| run.answers.len()).max()?;
    let pairs =
        seen.iter().enumerate().flat_map(|(at, one)| seen[at + 1..].iter().map(move |two| (one, two)));
    pairs.filter_map(|(one, two)| one.contradicts(two)).min().filter(|check| check + 1 < most)
}
