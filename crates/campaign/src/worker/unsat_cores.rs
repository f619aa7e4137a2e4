//! Checks unsat cores: a solver that answers `unsat` is asked for a core, and the others for a model of it. A core with a model,
//! by our own evaluation, is wrong, whatever the right answer to the whole script is.

use super::judge::Hit;
use super::{Abort, Worker};
use crate::budget::Slack;
use crate::confirm::{Context, finding};
use crate::message::Message;
use case::hash::fnv1a;
use case::{AskedScript, SolverIndex};
use solver::run::Want;
use solver::{Answer, Observation, Outcome};
use std::time::Duration;
use strategies::{Case, Step};
use triage::{ModelOpinion, core_alone, core_question};

/// How long a run with a core may take, compared with the case itself.
const SLACK: Slack = Slack::new(4, 20);

/// How a core is requested and checked.
#[derive(Clone, Copy)]
enum Processes {
    /// On warm solvers, with a time limit.
    Warm(Duration),
    /// In fresh processes.
    Fresh,
}

/// A wrong core with a model of it.
struct WrongCore {
    /// The run that gave the core.
    run: Observation,
    core: String,
    /// The solver that has a model of the core.
    refuted_by: SolverIndex,
    /// Its run on the core alone.
    refutation: Observation,
}

impl Worker<'_> {
    /// Checks the cores of a case that solvers call unsatisfiable, for one case in so many as the settings say. `seen` are the
    /// runs of the case.
    pub(super) fn check_cores(
        &mut self,
        context: &Context<'_>,
        seen: &[Observation],
        limit: Duration,
    ) -> Result<(), Abort> {
        let one_in = self.shared.settings.cores;
        let any_answers = |answer: Answer| seen.iter().any(|run| answers(run, answer));
        // If a solver answers `sat`, the contradiction is already reported.
        if one_in == 0
            || !fnv1a(&context.case.text).is_multiple_of(one_in)
            || !any_answers(Answer::Unsat)
            || any_answers(Answer::Sat)
        {
            return Ok(());
        }
        let Some(text) = core_question(&context.case.text) else { return Ok(()) };
        let mut case: Case = Case { text, ..context.case.clone() };
        case.lineage.push(Step {
            action: "name".into(),
            before: "the assertions".to_owned(),
            after: "the same, with names".to_owned(),
        });
        // After `unsat`, a request for a model is an error, at which some solvers stop.
        let want = Want { model: false, ..context.want };
        let context = Context { case: &case, want, ..*context };
        let slowest = seen.iter().map(|run| run.wall).max().unwrap_or_default();
        let limit = limit.min(self.limit_after(SLACK, slowest));
        let mut runs = Vec::with_capacity(context.solvers.len());
        for &solver in context.solvers {
            runs.push(self.solver_pool.run_warm_within(solver, &case.text, want, limit)?);
        }
        // Names make solvers take other paths, on which they crash and contradict each other too.
        self.judge_runs(&context, &runs)?;
        for (&solver, run) in context.solvers.iter().zip(runs) {
            if self.is_reference(solver) {
                continue;
            }
            let is_refuted = answers(&run, Answer::Unsat);
            if let Some(wrong) = self.refute_core(&context, solver, run, Processes::Warm(limit))? {
                self.report_core(&context, solver, &wrong)?;
            } else if is_refuted {
                self.check_core_with_option(&context, solver, limit)?;
            }
        }
        Ok(())
    }

    /// Checks the core that a solver gives with one of its options for cores.
    fn check_core_with_option(
        &mut self,
        context: &Context<'_>,
        solver: SolverIndex,
        limit: Duration,
    ) -> Result<(), Abort> {
        let options = &self.profiles[solver.get()].ask.core_options;
        let Some(chosen) = (fnv1a(&context.case.text) >> 8).checked_rem(options.len() as u64) else {
            return Ok(());
        };
        let option = options[chosen as usize].clone();
        let mut case: Case =
            Case { text: format!("{option}\n{}", context.case.text), ..context.case.clone() };
        case.lineage.push(Step {
            action: "set".into(),
            before: "the options".to_owned(),
            after: format!("the same, with {option}"),
        });
        let context = Context { case: &case, ..*context };
        let run = self.solver_pool.run_warm_within(solver, &case.text, context.want, limit)?;
        let alone = Context { solvers: &[solver], ..context };
        self.judge_runs(&alone, std::slice::from_ref(&run))?;
        if let Some(wrong) = self.refute_core(&context, solver, run, Processes::Warm(limit))? {
            self.report_core(&context, solver, &wrong)?;
        }
        Ok(())
    }

    /// Searches for a model of the core that a solver's run gave. The other solvers are asked; a solver that is alone is asked
    /// itself.
    fn refute_core(
        &mut self,
        context: &Context<'_>,
        solver: SolverIndex,
        run: Observation,
        processes: Processes,
    ) -> Result<Option<WrongCore>, Abort> {
        let Some(core) = run.core().filter(|_| answers(&run, Answer::Unsat)).map(str::to_owned) else {
            return Ok(None);
        };
        if matches!(processes, Processes::Warm(_)) {
            self.counted.cores += 1;
        }
        let Some(alone) = core_alone(&context.case.text, &core) else { return Ok(None) };
        let mut asked: Vec<SolverIndex> =
            context.solvers.iter().copied().filter(|other| *other != solver).collect();
        if asked.is_empty() {
            asked.push(solver);
        }
        for refuted_by in asked {
            let refutation = match processes {
                Processes::Warm(limit) => self.solver_pool.run_warm(refuted_by, &alone, limit),
                Processes::Fresh => {
                    let want = Want { model: true, ..self.shared.settings.want() };
                    self.solver_pool.run_cold(refuted_by, &alone, want)
                }
            }?;
            let model = refutation.model().filter(|_| answers(&refutation, Answer::Sat));
            let opinion = model.map(|model| self.judge.opinion(&alone, model));
            if opinion == Some(ModelOpinion::Confirmed) {
                return Ok(Some(WrongCore { run, core, refuted_by, refutation }));
            }
        }
        Ok(None)
    }

    /// Reports a wrong core, once the plain executables have shown it again.
    fn report_core(
        &mut self,
        context: &Context<'_>,
        solver: SolverIndex,
        warm: &WrongCore,
    ) -> Result<(), Abort> {
        let bug = self.core_bug(context, solver, warm);
        if let Some(signature) = self.confirmed.get(&bug.signature.key()).cloned() {
            self.count_hit(context, Hit::Duplicate);
            return self.send(Message::Duplicate { signature, origin: context.origin.clone() });
        }
        let run = self.solver_pool.run_cold(solver, &context.case.text, Want::default())?;
        let Some(cold) = self.refute_core(context, solver, run, Processes::Fresh)? else {
            self.counted.unrepeatable += 1;
            return Ok(());
        };
        let bug = self.core_bug(context, solver, &cold);
        let both = Context { solvers: &[solver, cold.refuted_by], ..*context };
        let runs = [cold.run, cold.refutation];
        let mut finding = finding(&both, &bug, &runs, &self.solver_pool, Want::default());
        for other in finding.runs.iter_mut().filter(|run| !run.suspect) {
            other.asked = AskedScript::CoreAlone;
        }
        self.confirmed.insert(bug.signature.key(), bug.signature.key());
        self.count_hit(context, Hit::New);
        let (case, seed) = (context.case.text.clone(), context.seed.text.clone());
        self.send(Message::Finding { finding: Box::new(finding), run: context.run, case, seed })
    }

    fn core_bug(&self, context: &Context<'_>, solver: SolverIndex, wrong: &WrongCore) -> triage::Bug {
        let giver = self.solver_pool.target(solver);
        let by = self.solver_pool.target(wrong.refuted_by);
        triage::wrong_core(&context.question(), (&giver.id, &giver.name), &wrong.core, &by.id)
    }
}

/// Whether a run ended with this answer to its last `check-sat`.
fn answers(run: &Observation, answer: Answer) -> bool {
    run.outcome == Outcome::Answered && run.answer() == Some(answer)
}
