//! Runs cases once more in another form that asks the same question. A model of one form is a model of all, so a confirmed model of
//! one shows that `unsat` to another is wrong.

use super::{Abort, Worker};
use crate::budget::Slack;
use crate::confirm::Context;
use crate::remake::RunContext;
use case::hash::choice;
use solver::{Answer, Observation, Outcome};
use strategies::{Case, Expectation};
use triage::{Form, InForm, ModelOpinion, in_form};

/// How long a run of another form may take, compared with the case.
const SLACK: Slack = Slack::new(4, 50);

impl Worker<'_> {
    /// Runs a case in another form, for one case in so many as the settings say. `seen` are the plain runs of the case.
    pub(super) fn try_forms(&mut self, context: &Context<'_>, seen: &[Observation]) -> Result<(), Abort> {
        let one_in = self.shared.settings.forms;
        let hash = choice(&context.case.text, "forms");
        if one_in == 0 || !hash.is_multiple_of(one_in) {
            return Ok(());
        }
        let first = (hash / one_in) as usize % Form::ALL.len();
        let in_turn = Form::ALL[first..].iter().chain(&Form::ALL[..first]);
        let found = in_turn.copied().find_map(|form| Some((form, in_form(form, &context.case.text)?)));
        match found {
            Some((form, script)) => self.try_form(context, seen, form, &script),
            None => Ok(()),
        }
    }

    fn try_form(
        &mut self,
        context: &Context<'_>,
        seen: &[Observation],
        form: Form,
        script: &InForm,
    ) -> Result<(), Abort> {
        let (mut solvers, mut plain, mut runs) = (Vec::new(), Vec::new(), Vec::new());
        for (&solver, run) in context.solvers.iter().zip(seen).filter(|(_, run)| is_decided(run)) {
            let limit = self.limit_after(SLACK, run.wall);
            runs.push(self.solver_pool.run_warm_within(solver, &script.text, context.want, limit)?);
            solvers.push(solver);
            plain.push(run.clone());
            if self.should_stop() {
                return Ok(());
            }
        }
        self.counted.forms += runs.len() as u64;
        let known = match &context.case.expectation {
            Expectation::Sat { model } => Expectation::Sat { model: script.model(model) },
            Expectation::Unsat { reason } => Expectation::Unsat { reason: reason.clone() },
            Expectation::Unknown | Expectation::Labelled { .. } => Expectation::Unknown,
        };
        let model = plain.iter().find_map(|run| model_of(run)).map(|model| script.model(model));
        let expectation = match (known, model.filter(|_| runs.iter().any(says_unsat))) {
            (Expectation::Unknown, Some(model)) if self.confirms(&script.text, &model) => {
                Expectation::Sat { model }
            }
            (known, _) => known,
        };
        let lineage = context.case.lineage.iter().cloned().chain([form.step()]).collect();
        let case = Case { text: script.text.clone(), lineage, expectation, ..context.case.clone() };
        let other = Context { case: &case, run: RunContext::InForm, solvers: &solvers, ..*context };
        if self.judge_runs(&other, &runs)? || !plain.iter().any(says_unsat) {
            return Ok(());
        }
        // A model of the other form may show that the answer to the case is wrong.
        let model = runs.iter().find_map(model_of).map(|model| script.original_model(model));
        if let Some(model) = model.filter(|model| self.confirms(&context.case.text, model)) {
            let case = Case { expectation: Expectation::Sat { model }, ..context.case.clone() };
            self.judge_runs(&Context { case: &case, solvers: &solvers, ..*context }, &plain)?;
        }
        Ok(())
    }

    fn confirms(&mut self, script: &str, model: &str) -> bool {
        self.judge.opinion(script, model) == ModelOpinion::Confirmed
    }
}

/// Whether a run gave one answer that is not `unknown`.
fn is_decided(run: &Observation) -> bool {
    run.outcome == Outcome::Answered && matches!(run.answers[..], [answer] if answer.is_decided())
}

fn says_unsat(run: &Observation) -> bool {
    is_decided(run) && run.answers == [Answer::Unsat]
}

fn model_of(run: &Observation) -> Option<&str> {
    run.model().filter(|_| is_decided(run) && run.answers == [Answer::Sat])
}
