//! Checks what solvers state besides their answers: an oracle makes a script of a case, and our evaluation checks what the solver
//! says to it. Most of these scripts need no search, so they show faults that the answer to the case hides.

use super::self_contradiction::OtherForm;
use super::unsat_cores::{Processes, others_or_itself};
use super::{Abort, Worker};
use crate::budget::{Slack, StatementLimit, StatementRun};
use crate::confirm::Context;
use crate::remake::RunContext;
use crate::statistics::accepted;
use crate::time_account::Purpose;
use case::hash::choice;
use case::{AskedScript, Misstatement, SolverIndex, Statement};
use solver::run::Want;
use solver::{Answer, Observation, Outcome};
use std::collections::BTreeMap;
use std::time::Duration;
use strategies::{Case, Expectation, Step};
use triage::{Needs, Reading, StatementVerdict, WrongStatement, misstatement_bug, oracle_for};

/// How long a statement may take, compared with the case itself.
const SLACK: Slack = Slack::new(2, 100);
/// One case in this many is asked about.
const ONE_IN: u64 = 2;

/// After this many questions, an oracle whose questions a solver rarely answers is asked rarely.
const TRIED: u64 = 8;
/// One question in this many then.
const RARELY: u64 = 16;

/// How often solvers answered the questions of each oracle.
#[derive(Default)]
pub(super) struct AnsweredQuestions(BTreeMap<(SolverIndex, Statement), Tally>);

#[derive(Clone, Copy, Default)]
struct Tally {
    asked: u64,
    answered: u64,
}

impl AnsweredQuestions {
    fn record(&mut self, solver: SolverIndex, kind: Statement, is_answered: bool) {
        let tally = self.0.entry((solver, kind)).or_default();
        tally.asked += 1;
        tally.answered += u64::from(is_answered);
    }

    /// Whether to ask the question with this number.
    fn permit(&self, solver: SolverIndex, kind: Statement, number: u64) -> bool {
        let Tally { asked, answered } = self.0.get(&(solver, kind)).copied().unwrap_or_default();
        asked < TRIED || answered * 4 >= asked || number.is_multiple_of(RARELY)
    }
}

impl Worker<'_> {
    /// Lets each solver state something about a case, by an oracle that follows from the case. `seen` are the runs of the case.
    pub(super) fn check_statements(
        &mut self,
        context: &Context<'_>,
        seen: &[Observation],
    ) -> Result<(), Abort> {
        let oracles = &self.shared.settings.oracles;
        let hash = choice(&context.case.text, "statements");
        if oracles.is_empty() || !hash.is_multiple_of(ONE_IN) {
            return Ok(());
        }
        let turn = hash / ONE_IN;
        // The first oracle, simplified terms, costs least and finds most, so it has every second turn.
        let first = if turn.is_multiple_of(2) { 0 } else { (turn / 2 % oracles.len() as u64) as usize };
        for (&solver, plain) in context.solvers.iter().zip(seen) {
            // The order of cases must not depend on the time that this takes.
            let has_time = self.shared.settings.is_deterministic() || self.permits(Purpose::Statements);
            if !has_time || self.should_stop() {
                return Ok(());
            }
            if self.is_reference(solver) || !accepted(plain) {
                continue;
            }
            let in_turn = oracles[first..].iter().chain(&oracles[..first]);
            let profile = &self.profiles[solver.get()];
            let is_worth = |kind: &&Statement| self.answered_questions.permit(solver, **kind, hash >> 32);
            let mut in_turn = in_turn.filter(|kind| has_what_it_needs(**kind, plain)).filter(is_worth);
            let known = (plain.outcome == Outcome::Answered).then(|| plain.answer()).flatten();
            let question = in_turn.find_map(|&kind| {
                oracle_for(kind).question(&context.case.text, known, profile).map(|text| (kind, text))
            });
            if let Some((kind, text)) = question {
                self.check_statements_of(context, solver, kind, text, plain)?;
            }
        }
        Ok(())
    }

    /// Asks a solver the question of an oracle, and reports what is wrong about the run.
    fn check_statements_of(
        &mut self,
        context: &Context<'_>,
        solver: SolverIndex,
        kind: Statement,
        text: String,
        plain: &Observation,
    ) -> Result<(), Abort> {
        let oracle = oracle_for(kind);
        let slack = self.limit_after(SLACK, plain.wall);
        let want = Want::default();
        let limit = self.next_limit(solver, kind, StatementRun::Statements, slack);
        let run = self.solver_pool.run_warm_within(solver, &text, want, limit.wall)?;
        let reading = oracle.reading(&text, &run);
        let is_useful = reading.as_ref().is_some_and(|reading| reading.count() > 0);
        self.learn_limit(solver, kind, StatementRun::Statements, limit, (run.wall, is_useful));
        if !self.shared.settings.is_deterministic() {
            self.answered_questions.record(solver, kind, is_useful);
        }
        *self.counted.statements.entry(kind).or_default() += oracle.pieces(&run).len() as u64;
        let solvers = [solver];
        let about = |text: String, expectation| {
            let step = Step {
                action: kind.name().into(),
                before: "the assertions".to_owned(),
                after: "what the solver states about them".to_owned(),
            };
            let lineage = context.case.lineage.iter().cloned().chain([step]).collect();
            Case { text, lineage, expectation, ..context.case.clone() }
        };
        let all = context;
        let context = Context { run: RunContext::Stating, solvers: &solvers, want, ..*context };
        if let Some(reading) = reading {
            if let StatementVerdict::Wrong(wrong) = reading.judge(self.judge.as_mut()) {
                let Some(alone) = oracle.alone(&text, wrong.number) else { return Ok(()) };
                let run = self.solver_pool.run_warm_within(solver, &alone, want, slack)?;
                let case = about(alone, Expectation::Unknown);
                return self.judge_runs(&Context { case: &case, ..context }, &[run]).map(|_| ());
            }
            if choice(&text, "doubt").is_multiple_of(oracle.description().doubted)
                && let Some(doubted) = self.doubt(all, solver, kind, &reading, Processes::Warm(slack))?
                && let Some(alone) = oracle.alone(&text, doubted.number)
            {
                let case = about(alone, Expectation::Unknown);
                let asked = Context { case: &case, run: RunContext::Stating, want, ..*all };
                return self.report_doubted(&asked, solver, kind);
            }
        }
        let asks_the_case = oracle.description().asks_the_case;
        let expectation = match asks_the_case {
            true => self.known_after(context.case, &[plain], std::slice::from_ref(&run)),
            false => Expectation::Unknown,
        };
        let case = about(text, expectation);
        let asked = Context { case: &case, ..context };
        if matches!(run.outcome, Outcome::Crash(_)) || asks_the_case {
            let wrong = self.judge_runs(&asked, std::slice::from_ref(&run))?;
            if !wrong && kind == Statement::Optimum {
                let other =
                    OtherForm { solver, case: &case, run: RunContext::Stating, how: "with an objective" };
                return self.report_self_contradiction(&context, other, &run, plain);
            }
        }
        Ok(())
    }
}

/// A statement that a model of another solver refutes.
struct Doubted {
    misstatement: Misstatement,
    /// Which command of the script.
    number: usize,
    /// The solver that has the model, and its run.
    by: SolverIndex,
    refutation: Observation,
}

impl Worker<'_> {
    /// Asks the other solvers for an assignment under which a statement of a run is wrong.
    fn doubt(
        &mut self,
        context: &Context<'_>,
        solver: SolverIndex,
        kind: Statement,
        reading: &Reading,
        processes: Processes,
    ) -> Result<Option<Doubted>, Abort> {
        let Some(doubt) = reading.doubt() else { return Ok(None) };
        for by in others_or_itself(context, solver) {
            let refutation = match processes {
                Processes::Warm(slack) => {
                    let limit = self.next_limit(by, kind, StatementRun::Doubt, slack);
                    let seen = self.ask_for_model(by, &doubt, Processes::Warm(limit.wall))?;
                    let ended = seen.outcome == Outcome::Answered;
                    self.learn_limit(by, kind, StatementRun::Doubt, limit, (seen.wall, ended));
                    seen
                }
                Processes::Fresh => self.ask_for_model(by, &doubt, processes)?,
            };
            let model = refutation.model().filter(|_| refutation.answers == [Answer::Sat]);
            let wrong = model.and_then(|model| reading.refuted_by(self.judge.as_mut(), model));
            if let Some(WrongStatement { number, misstatement }) = wrong {
                return Ok(Some(Doubted { misstatement, number, by, refutation }));
            }
        }
        Ok(None)
    }

    /// The limit of the next run of a kind: one that was learned, unless cases must not depend on time.
    fn next_limit(
        &mut self,
        solver: SolverIndex,
        kind: Statement,
        run: StatementRun,
        slack: Duration,
    ) -> StatementLimit {
        match self.learns_limits() {
            true => self.statement_limits.next(solver, kind, run, slack),
            false => StatementLimit::fixed(slack),
        }
    }

    /// Records how long a run was waited for, and whether it brought anything.
    fn learn_limit(
        &mut self,
        solver: SolverIndex,
        kind: Statement,
        run: StatementRun,
        limit: StatementLimit,
        brought: (Duration, bool),
    ) {
        if self.learns_limits() {
            self.statement_limits.record(solver, kind, run, limit, brought);
        }
    }

    fn learns_limits(&self) -> bool {
        !self.shared.settings.fixed_timeout && !self.shared.settings.is_deterministic()
    }

    /// Reports the statement that a case asks for, once the plain executables have made it and refuted it again.
    fn report_doubted(
        &mut self,
        context: &Context<'_>,
        solver: SolverIndex,
        kind: Statement,
    ) -> Result<(), Abort> {
        let text = &context.case.text;
        let run = self.solver_pool.run_cold(solver, text, Want::default())?;
        let cold = match oracle_for(kind).reading(text, &run) {
            Some(reading) => self.doubt(context, solver, kind, &reading, Processes::Fresh)?,
            None => None,
        };
        let Some(cold) = cold else {
            self.counted.unrepeatable += 1;
            return Ok(());
        };
        let giver = self.solver_pool.target(solver);
        let bug = misstatement_bug(&context.question(), (&giver.id, &giver.name), cold.misstatement);
        if self.is_duplicate(context, &bug)? {
            return Ok(());
        }
        self.report_refuted(context, &bug, [solver, cold.by], [run, cold.refutation], AskedScript::Doubt)
    }
}

/// Whether the plain run of a case has what an oracle needs.
fn has_what_it_needs(kind: Statement, plain: &Observation) -> bool {
    let answers = |answer| plain.outcome == Outcome::Answered && plain.answers == [answer];
    match oracle_for(kind).description().needs {
        Needs::Nothing => true,
        Needs::Model => answers(Answer::Sat),
    }
}
