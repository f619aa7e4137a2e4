//! One solver against itself: its answer to a script against its answer to the plain form of the script. Whichever is right, the
//! solver is wrong.

use super::judge::Hit;
use super::{Abort, Worker};
use crate::command_line::command_line;
use crate::confirm::{Context, finding};
use crate::message::Message;
use crate::remake::RunContext;
use crate::time_account::Purpose;
use case::{AskedScript, Finding, SolverIndex};
use solver::Observation;
use solver::run::{Want, plain_script};
use strategies::{Case, Expectation};
use triage::{Bug, ModelOpinion, Question, Witness};

/// How many bugs with the same signature are tried.
const MOST_TRIES: u32 = 3;

/// A script whose plain form a solver ran too.
#[derive(Clone, Copy)]
pub(super) struct OtherForm<'a> {
    pub solver: SolverIndex,
    /// The script.
    pub case: &'a Case,
    /// What makes it another form.
    pub run: RunContext,
    /// How reports tell its run from the plain one, such as `in push`.
    pub how: &'a str,
}

/// The runs of a script and of its plain form.
#[derive(Clone, Copy)]
struct BothRuns<'a> {
    seen: &'a Observation,
    plain: &'a Observation,
}

impl Worker<'_> {
    /// What is known of a case after each solver gave `plain` and then `seen`. If one contradicts itself, its own model from the
    /// first run may show that the second is wrong.
    pub(super) fn known_after(
        &mut self,
        case: &Case,
        plain: &[&Observation],
        seen: &[Observation],
    ) -> Expectation {
        let mut runs = plain.iter().zip(seen);
        let contradicted = runs.find_map(|(plain, seen)| plain.contradicts(seen).and_then(|_| plain.model()));
        match contradicted {
            Some(model) if self.judge.opinion(&case.text, model) == ModelOpinion::Confirmed => {
                Expectation::Sat { model: model.to_owned() }
            }
            _ => super::judge::known_of_another_run(case),
        }
    }

    /// Reports that a solver contradicts itself, if it does, once fresh processes have given both answers.
    pub(super) fn report_self_contradiction(
        &mut self,
        context: &Context<'_>,
        form: OtherForm<'_>,
        seen: &Observation,
        plain: &Observation,
    ) -> Result<(), Abort> {
        if self.is_reference(form.solver) {
            return Ok(());
        }
        let Some(warm) = self.self_contradiction(context, form, BothRuns { seen, plain }) else {
            return Ok(());
        };
        let key = warm.signature.key();
        if let Some(signature) = self.confirmed.get(&key).cloned() {
            self.count_hit(context, Hit::Duplicate);
            return self.send(Message::Duplicate { signature, origin: context.origin.clone() });
        }
        let tries = self.history_searches.entry(key).or_default();
        *tries += 1;
        if *tries > MOST_TRIES {
            return Ok(());
        }
        self.charged(Purpose::Confirmation, |worker| worker.confirm_self_contradiction(context, form, &warm))
    }

    /// Reports a self-contradiction that fresh processes show too.
    fn confirm_self_contradiction(
        &mut self,
        context: &Context<'_>,
        form: OtherForm<'_>,
        warm: &Bug,
    ) -> Result<(), Abort> {
        // The plainest command line first: a request for a model or its check may be what shows the bug, but need not.
        for want in [Want::default(), context.want] {
            let seen = self.solver_pool.run_cold(form.solver, &form.case.text, want)?;
            let plain = self.solver_pool.run_cold(form.solver, &plain_script(&form.case.text), want)?;
            let again = self.self_contradiction(context, form, BothRuns { seen: &seen, plain: &plain });
            if let Some(bug) = again.filter(|bug| bug.is_same(warm)) {
                let context =
                    Context { case: form.case, run: form.run, solvers: &[form.solver; 2], want, ..*context };
                let finding = self.finding_of_both(&context, form, &bug, &[seen, plain]);
                self.confirmed.insert(warm.signature.key(), bug.signature.key());
                self.count_hit(&context, Hit::New);
                let (case, seed) = (form.case.text.clone(), context.seed.text.clone());
                return self.send(Message::Finding { finding: Box::new(finding), run: form.run, case, seed });
            }
            if want == context.want {
                break;
            }
        }
        self.counted.unrepeatable += 1;
        Ok(())
    }

    /// The bug of a solver that contradicts itself. The first witness ran the script, the second its plain form.
    fn self_contradiction(
        &mut self,
        context: &Context<'_>,
        form: OtherForm<'_>,
        runs: BothRuns<'_>,
    ) -> Option<Bug> {
        let target = self.solver_pool.target(form.solver);
        let (id, name) = (named(&target.id, form.how), &target.name);
        let witnesses = [
            Witness { id: &id, name, observation: runs.seen },
            Witness { id: &target.id, name, observation: runs.plain },
        ];
        let question = Question {
            script: &form.case.text,
            expectation: &Expectation::Unknown,
            theories: &context.case.theories,
            premise: &[],
        };
        let rules = self.shared.rules.without_candidates();
        let verdict = triage::judge(&question, &witnesses, self.judge.as_mut(), &rules);
        let both_sides = |bug: &Bug| {
            bug.conflict().is_some_and(|conflict| !conflict.sat.is_empty() && !conflict.unsat.is_empty())
        };
        verdict.bugs.into_iter().find(both_sides)
    }

    /// The finding with both runs.
    fn finding_of_both(
        &self,
        context: &Context<'_>,
        form: OtherForm<'_>,
        bug: &Bug,
        runs: &[Observation; 2],
    ) -> Finding {
        let mut finding = finding(context, bug, runs, &self.solver_pool, context.want);
        let (solver, options) = self.solver_pool.plain(form.solver);
        let target = self.solver_pool.target(solver).configured(options);
        let script = plain_script(&form.case.text);
        if let [own, plain] = finding.runs.as_mut_slice() {
            own.id = named(&own.id, form.how);
            plain.asked = AskedScript::Plain;
            plain.command = command_line(&target, &context.want, &script, "plain.smt2");
        }
        finding.predicate = triage::claims(finding.class, &finding.evidence, &finding.runs);
        finding
    }
}

/// The name of a solver in a run that is not the plain one.
fn named(id: &str, how: &str) -> String {
    format!("{id} {how}")
}
