//! Checks proofs: a solver that answers `unsat` is asked for a proof, and a program of the user checks it. What the checker rejects is
//! wrong, whatever the right answer is. A gap in the proof, or a step that the checker does not know, is no finding.

use super::{Abort, Worker};
use crate::budget::Slack;
use crate::confirm::{Context, finding};
use crate::time_account::Purpose;
use case::SolverIndex;
use case::hash::choice;
use solver::run::Want;
use solver::{Answer, Observation, Outcome, ProofVerdict};
use std::time::Instant;
use strategies::{Case, Step};
use triage::{Rejection, check_proof, proof_question, rejected_proof};

/// How long a run with a proof may take, compared with the case itself.
const SLACK: Slack = Slack::new(4, 100);

impl Worker<'_> {
    /// Checks the proofs of a case that solvers call unsatisfiable, for one case in so many as the settings say. `seen` are the runs
    /// of the case.
    pub(super) fn check_proofs(&mut self, context: &Context<'_>, seen: &[Observation]) -> Result<(), Abort> {
        let one_in = self.shared.settings.proofs;
        let chosen = || choice(&context.case.text, "proofs").is_multiple_of(one_in);
        let Some(checker) = self.proof_checker.clone().filter(|_| one_in > 0 && chosen()) else {
            return Ok(());
        };
        for (&solver, plain) in context.solvers.iter().zip(seen) {
            let has_time = self.shared.settings.is_deterministic() || self.permits(Purpose::Statements);
            if !has_time || self.should_stop() {
                return Ok(());
            }
            let proves = plain.outcome == Outcome::Answered && plain.answers == [Answer::Unsat];
            let formats = &self.profiles[solver.get()].ask.proof_formats;
            let question =
                formats.get(checker.format()).and_then(|ask| proof_question(&context.case.text, ask));
            let Some(text) = question.filter(|_| proves && !self.is_reference(solver)) else { continue };
            let limit = self.limit_after(SLACK, plain.wall);
            let want = Want::default();
            let run = self.solver_pool.run_warm_within(solver, &text, want, limit)?;
            let step = Step {
                action: "prove".into(),
                before: "(check-sat)".to_owned(),
                after: "(check-sat) and (get-proof)".to_owned(),
            };
            let lineage = context.case.lineage.iter().cloned().chain([step]).collect();
            let case = Case { text, lineage, ..context.case.clone() };
            let solvers = [solver];
            let context = Context { case: &case, want, solvers: &solvers, ..*context };
            // Solvers that make proofs take other paths, on which they crash and contradict themselves, too.
            self.judge_runs(&context, std::slice::from_ref(&run))?;
            if let Some(rejection) = self.rejection(solver, &case.text, &run)? {
                self.report_proof(&context, solver, rejection)?;
            }
        }
        Ok(())
    }

    /// Whether the checker rejects the proof of a run. Its time counts as time of the solver.
    fn rejection(
        &mut self,
        solver: SolverIndex,
        script: &str,
        run: &Observation,
    ) -> Result<Option<Rejection>, Abort> {
        let Some(checker) = &self.proof_checker else { return Ok(None) };
        let started = Instant::now();
        let verdict = check_proof(checker, script, run, self.shared.settings.limits())?;
        let id = &self.shared.targets[solver.get()].id;
        self.solver_pool.charge_time(Purpose::Statements, id, started.elapsed());
        self.counted.proofs += u64::from(verdict.is_some());
        self.counted.accepted_proofs += u64::from(verdict == Some(ProofVerdict::Accepted));
        Ok(verdict.and_then(|verdict| Rejection::of(checker, verdict)))
    }

    /// Reports a rejected proof, once the plain executable has made one again that is rejected.
    fn report_proof(
        &mut self,
        context: &Context<'_>,
        solver: SolverIndex,
        warm: Rejection,
    ) -> Result<(), Abort> {
        let giver = self.solver_pool.target(solver);
        let giver = (giver.id.clone(), giver.name.clone());
        let bug = |rejection| rejected_proof(&context.question(), (&giver.0, &giver.1), rejection);
        if self.is_duplicate(context, &bug(warm))? {
            return Ok(());
        }
        let run = self.solver_pool.run_cold(solver, &context.case.text, Want::default())?;
        let Some(rejection) = self.rejection(solver, &context.case.text, &run)? else {
            self.counted.unrepeatable += 1;
            return Ok(());
        };
        let bug = bug(rejection);
        let finding = finding(context, &bug, &[run], &self.solver_pool, Want::default());
        self.report_shown(context, &bug, finding)
    }
}
