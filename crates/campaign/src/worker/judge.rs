//! Judges the runs of a case, and confirms and reports what is wrong.

use super::batch::IncrementalRuns;
use super::self_contradiction::OtherForm;
use super::{Abort, Worker};
use crate::confirm::{Confirmation, Context, confirm};
use crate::message::Message;
use crate::remake::RunContext;
use crate::time_account::Purpose;
use case::{Class, SolverIndex, StrategyIndex};
use solver::{Observation, RunMode};
use strategies::{Case, Expectation, Step};
use triage::Bug;

/// Whether a confirmed bug is new to this worker.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hit {
    New,
    Duplicate,
}

impl Worker<'_> {
    /// Judges the runs of a case and reports what is wrong. Returns whether there is a bug.
    pub(super) fn judge_runs(&mut self, context: &Context<'_>, seen: &[Observation]) -> Result<bool, Abort> {
        let witnesses = self.solver_pool.witnesses(context.solvers, seen);
        let rules = self.shared.rules;
        let verdict = triage::judge(&context.question(), &witnesses, self.judge.as_mut(), &rules);
        if !verdict.bugs.is_empty() {
            self.report(context, &verdict.bugs, seen)?;
        }
        let is_bug = verdict.bugs.iter().any(|bug| bug.class.is_bug());
        // Whether a bug shows in time depends on the machine.
        if is_bug && !self.shared.settings.has_fixed_order() {
            self.hits.push(context.origin.clone());
        }
        Ok(is_bug)
    }

    /// Judges the runs of a case between push and pop. `separate` are the runs in processes of their own.
    pub(super) fn judge_incremental(
        &mut self,
        context: &Context<'_>,
        separate: &[Observation],
        runs: IncrementalRuns,
    ) -> Result<(), Abort> {
        let IncrementalRuns { solvers, seen, transcripts } = runs;
        if seen.is_empty() {
            return Ok(());
        }
        self.transcripts = transcripts;
        let own_run = |solver: &SolverIndex| {
            let position = context.solvers.iter().position(|other| other == solver);
            position.map(|position| &separate[position])
        };
        let own: Vec<&Observation> = solvers.iter().filter_map(own_run).collect();
        let expectation = self.known_after(context.case, &own, &seen);
        let case = Case { expectation, ..context.case.clone() };
        let incremental = Context { case: &case, solvers: &solvers, ..*context };
        let witnesses = self.solver_pool.witnesses(&solvers, &seen);
        // A solver that is slow only between push and pop is not slow as people use it.
        let rules = self.shared.rules.without_candidates();
        let verdict = triage::judge(&incremental.question(), &witnesses, self.judge.as_mut(), &rules);
        if !verdict.bugs.is_empty() {
            self.report(&incremental, &verdict.bugs, &seen)?;
        }
        if verdict.bugs.iter().any(|bug| bug.class.is_about_answers()) {
            return Ok(());
        }
        let Some(pushed) = in_push(context.case) else { return Ok(()) };
        for ((&solver, own), seen) in solvers.iter().zip(own).zip(&seen) {
            // An answer that another solver contradicts has been reported.
            if own.contradicts(seen).is_some()
                && separate.iter().all(|other| other.contradicts(own).is_none())
            {
                let form = OtherForm { solver, case: &pushed, run: RunContext::InsidePush, how: "in push" };
                self.report_self_contradiction(context, form, seen, own)?;
            }
        }
        Ok(())
    }

    /// Confirms and reports bugs.
    pub(super) fn report(
        &mut self,
        context: &Context<'_>,
        bugs: &[Bug],
        seen: &[Observation],
    ) -> Result<(), Abort> {
        let bugs = self.without_references(context, bugs);
        let unknown = self.without_known(context, bugs)?;
        if unknown.is_empty() {
            return Ok(());
        }
        // Solvers with options exist only until the next case.
        let is_configured = context.solvers.iter().any(|solver| solver.get() >= self.shared.targets.len());
        if is_configured || self.permits(Purpose::Confirmation) {
            return self.confirm_unknown(context, unknown, seen);
        }
        self.postpone_confirmation(context, unknown, seen);
        Ok(())
    }

    /// The bugs that are not known yet. The others are counted.
    pub(super) fn without_known(&mut self, context: &Context<'_>, bugs: Vec<Bug>) -> Result<Vec<Bug>, Abort> {
        let mut unknown = Vec::new();
        for bug in bugs {
            let origin = context.origin.clone();
            if let Some(signature) = self.confirmed.get(&bug.signature.key()).cloned() {
                self.count_hit(context, Hit::Duplicate);
                self.send(Message::Duplicate { signature, origin })?;
            } else if let Some(finding) = self.explanation(context, &bug) {
                self.count_hit(context, Hit::Duplicate);
                self.send(Message::Explained { finding, origin })?;
            } else {
                unknown.push(bug);
            }
        }
        Ok(unknown)
    }

    /// Confirms and reports bugs that are not known yet.
    pub(super) fn confirm_unknown(
        &mut self,
        context: &Context<'_>,
        bugs: Vec<Bug>,
        seen: &[Observation],
    ) -> Result<(), Abort> {
        let slow_only = bugs.iter().all(|bug| bug.class == Class::Performance);
        let purpose = if slow_only { Purpose::Performance } else { Purpose::Confirmation };
        self.confirmations += u32::from(!slow_only);
        self.charged(purpose, |worker| worker.confirm_all(context, bugs, seen))
    }

    /// Reports the bugs that fresh processes show: on the case itself, with a push before it, or after earlier scripts.
    fn confirm_all(
        &mut self,
        context: &Context<'_>,
        bugs: Vec<Bug>,
        seen: &[Observation],
    ) -> Result<(), Abort> {
        let mut unconfirmed = self.report_confirmed(context, bugs, seen)?;
        let incremental = seen.iter().any(|observation| observation.mode == RunMode::Incremental);
        if let Some(case) = in_push(context.case).filter(|_| incremental && !unconfirmed.is_empty()) {
            let context = Context { case: &case, run: RunContext::InsidePush, ..*context };
            unconfirmed = self.report_confirmed(&context, unconfirmed, seen)?;
        }
        unconfirmed = self.report_with_history(context, unconfirmed, seen)?;
        self.counted.unrepeatable += unconfirmed.len() as u64;
        Ok(())
    }

    /// Reports the bugs that fresh processes show too. Returns the others.
    pub(super) fn report_confirmed(
        &mut self,
        context: &Context<'_>,
        bugs: Vec<Bug>,
        seen: &[Observation],
    ) -> Result<Vec<Bug>, Abort> {
        let rules = self.shared.rules;
        let results = confirm(context, &bugs, seen, &mut self.solver_pool, self.judge.as_mut(), &rules)?;
        let mut unconfirmed = Vec::new();
        for (bug, result) in bugs.into_iter().zip(results) {
            match result {
                Confirmation::Confirmed(finding) => {
                    // A state leak or a bare signal identifies no bug: the next case may show another one.
                    if finding.class != Class::StateLeak && !bug.signature.is_bare_signal() {
                        self.confirmed.insert(bug.signature.key(), finding.signature.key());
                    }
                    self.count_hit(context, Hit::New);
                    let (case, seed) = (context.case.text.clone(), context.seed.text.clone());
                    self.send(Message::Finding { finding, run: context.run, case, seed })?;
                }
                Confirmation::NotRepeated => unconfirmed.push(bug),
            }
        }
        Ok(unconfirmed)
    }

    /// Counts a confirmed case, and tells its strategy.
    pub(super) fn count_hit(&mut self, context: &Context<'_>, hit: Hit) {
        let name = &context.origin.strategy;
        self.counted.hits += 1;
        self.counted.strategies.entry(name.clone()).or_default().hits += 1;
        // Whether a bug shows in time depends on the machine.
        let informs = !self.shared.settings.has_fixed_order();
        let strategies = self.shared.strategies;
        let Some(index) = strategies.iter().position(|strategy| informs && strategy.name() == name) else {
            return;
        };
        strategies[index].found_bug(context.case, hit == Hit::New);
        if hit == Hit::New {
            let operators = &self.scanner.scan(&context.case.text).operators;
            self.shared.schedule.reward(StrategyIndex(index), self.suspects.record_finding(operators));
        }
    }
}

/// What is known of a case when it runs a second time. The first run has judged its label already.
pub(super) fn known_of_another_run(case: &Case) -> Expectation {
    match &case.expectation {
        Expectation::Labelled { .. } => Expectation::Unknown,
        expectation => expectation.clone(),
    }
}

/// The case with a push before it, as an incremental run saw it; `None` if the text cannot be split into commands.
fn in_push(case: &Case) -> Option<Case> {
    let text = solver::run::inside_push(&case.text)?;
    let step = Step { action: "push".into(), before: String::new(), after: "(push 1)".to_owned() };
    Some(Case { text, lineage: case.lineage.iter().cloned().chain([step]).collect(), ..case.clone() })
}
