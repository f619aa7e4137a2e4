//! Checks unsat cores: a solver that answers `unsat` is asked for a core, and the others for a model of it. A core with a model,
//! by our own evaluation, is wrong, whatever the right answer to the whole script is.

use super::judge::Hit;
use super::{Abort, Worker};
use crate::budget::Slack;
use crate::confirm::{Context, finding};
use crate::message::Message;
use case::hash::choice;
use case::{AskedScript, Finding, SolverIndex};
use solver::run::Want;
use solver::{Answer, Observation, Outcome};
use std::time::Duration;
use strategies::{Case, Step};
use triage::{CoreCommand, ModelOpinion, core_alone, core_question};

/// How long a run with a core may take, compared with the case itself.
const SLACK: Slack = Slack::new(4, 20);

/// How a core or a statement is requested and checked.
#[derive(Clone, Copy)]
pub(super) enum Processes {
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
            || !choice(&context.case.text, "cores").is_multiple_of(one_in)
            || !any_answers(Answer::Unsat)
            || any_answers(Answer::Sat)
        {
            return Ok(());
        }
        let Some(case) = asking_for_core(context.case, CoreCommand::UnsatCore) else { return Ok(()) };
        let plain = context.case;
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
            let gave_core = answers(&run, Answer::Unsat);
            if let Some(wrong) = self.refute_core(&context, solver, run, Processes::Warm(limit))? {
                self.report_core(&context, solver, &wrong)?;
            } else if gave_core && let Some(case) = self.asking_otherwise(plain, &case, solver) {
                self.check_core_of(&Context { case: &case, ..context }, solver, limit)?;
            }
        }
        Ok(())
    }

    /// A case that asks a solver for a core with one of its options for cores, or by another command. `plain` does not ask, `named`
    /// asks by `get-unsat-core`.
    fn asking_otherwise(&self, plain: &Case, named: &Case, solver: SolverIndex) -> Option<Case> {
        let ask = &self.profiles[solver.get()].ask;
        let ways = ask.core_options.len() + ask.core_commands.len();
        let chosen = choice(&named.text, "ways to cores").checked_rem(ways as u64)? as usize;
        let Some(option) = ask.core_options.get(chosen) else {
            let command = &ask.core_commands[chosen - ask.core_options.len()];
            return asking_for_core(plain, CoreCommand::from_name(command)?);
        };
        let mut case = Case { text: format!("{option}\n{}", named.text), ..named.clone() };
        case.lineage.push(Step {
            action: "set".into(),
            before: "the options".to_owned(),
            after: format!("the same, with {option}"),
        });
        Some(case)
    }

    /// Checks the core that a solver gives to a case that asks for one.
    fn check_core_of(
        &mut self,
        context: &Context<'_>,
        solver: SolverIndex,
        limit: Duration,
    ) -> Result<(), Abort> {
        let run = self.solver_pool.run_warm_within(solver, &context.case.text, context.want, limit)?;
        let alone = Context { solvers: &[solver], ..*context };
        self.judge_runs(&alone, std::slice::from_ref(&run))?;
        if let Some(wrong) = self.refute_core(context, solver, run, Processes::Warm(limit))? {
            self.report_core(context, solver, &wrong)?;
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
        for refuted_by in others_or_itself(context, solver) {
            let refutation = self.ask_for_model(refuted_by, &alone, processes)?;
            let model = refutation.model().filter(|_| answers(&refutation, Answer::Sat));
            let opinion = model.map(|model| self.judge.opinion(&alone, model));
            if opinion == Some(ModelOpinion::Confirmed) {
                return Ok(Some(WrongCore { run, core, refuted_by, refutation }));
            }
        }
        Ok(None)
    }

    /// Asks a solver for a model of a script that is about another solver's result.
    pub(super) fn ask_for_model(
        &mut self,
        solver: SolverIndex,
        script: &str,
        processes: Processes,
    ) -> Result<Observation, Abort> {
        Ok(match processes {
            Processes::Warm(limit) => self.solver_pool.run_warm(solver, script, limit)?,
            Processes::Fresh => {
                let want = Want { model: true, ..self.shared.settings.want() };
                self.solver_pool.run_cold(solver, script, want)?
            }
        })
    }

    /// Reports a wrong core, once the plain executables have shown it again.
    fn report_core(
        &mut self,
        context: &Context<'_>,
        solver: SolverIndex,
        warm: &WrongCore,
    ) -> Result<(), Abort> {
        let bug = self.core_bug(context, solver, warm);
        if self.is_duplicate(context, &bug)? {
            return Ok(());
        }
        let run = self.solver_pool.run_cold(solver, &context.case.text, Want::default())?;
        let Some(cold) = self.refute_core(context, solver, run, Processes::Fresh)? else {
            self.counted.unrepeatable += 1;
            return Ok(());
        };
        let bug = self.core_bug(context, solver, &cold);
        let solvers = [solver, cold.refuted_by];
        self.report_refuted(context, &bug, solvers, [cold.run, cold.refutation], AskedScript::CoreAlone)
    }

    /// Whether a bug with this signature was confirmed before; if so, counts it.
    pub(super) fn is_duplicate(&mut self, context: &Context<'_>, bug: &triage::Bug) -> Result<bool, Abort> {
        let Some(signature) = self.confirmed.get(&bug.signature.key()).cloned() else { return Ok(false) };
        self.count_hit(context, Hit::Duplicate);
        self.send(Message::Duplicate { signature, origin: context.origin.clone() })?;
        Ok(true)
    }

    /// Reports a confirmed result of the first solver that a model of the second one refutes. `asked` is what the second was asked.
    pub(super) fn report_refuted(
        &mut self,
        context: &Context<'_>,
        bug: &triage::Bug,
        solvers: [SolverIndex; 2],
        runs: [Observation; 2],
        asked: AskedScript,
    ) -> Result<(), Abort> {
        let both = Context { solvers: &solvers, ..*context };
        let mut finding = finding(&both, bug, &runs, &self.solver_pool, Want::default());
        for other in finding.runs.iter_mut().filter(|run| !run.suspect) {
            other.asked = asked;
        }
        self.report_shown(context, bug, finding)
    }

    /// Reports a finding that the plain executable has shown.
    pub(super) fn report_shown(
        &mut self,
        context: &Context<'_>,
        bug: &triage::Bug,
        finding: Finding,
    ) -> Result<(), Abort> {
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

/// The solvers that are asked for a model against a result of `solver`: the others, or itself if it is alone.
pub(super) fn others_or_itself(context: &Context<'_>, solver: SolverIndex) -> Vec<SolverIndex> {
    let mut asked: Vec<SolverIndex> =
        context.solvers.iter().copied().filter(|other| *other != solver).collect();
    if asked.is_empty() {
        asked.push(solver);
    }
    asked
}

/// A case that asks for its core by a command; `None` if it cannot.
fn asking_for_core(case: &Case, by: CoreCommand) -> Option<Case> {
    let text = core_question(&case.text, by)?;
    let after = match by {
        CoreCommand::UnsatAssumptions => "the same, each if it is assumed",
        CoreCommand::UnsatCore | CoreCommand::TimeoutCore => "the same, with names",
    };
    let step = Step { action: "name".into(), before: "the assertions".to_owned(), after: after.to_owned() };
    let lineage = case.lineage.iter().cloned().chain([step]).collect();
    Some(Case { text, lineage, ..case.clone() })
}

/// Whether a run ended with this answer to its last `check-sat`.
fn answers(run: &Observation, answer: Answer) -> bool {
    run.outcome == Outcome::Answered && run.answer() == Some(answer)
}
