//! Questions that strategies ask while they make cases, and the answers.

use crate::generators::output_of_run;
use crate::seed_preparation::learned;
use crate::settings::Settings;
use crate::solver_pool::SolverPool;
use case::SolverIndex;
use solver::{RunError, Target};
use std::time::Duration;
use strategies::{GeneratorRun, Learned, LiveQuestion, Questioner};

/// How many solvers are asked before a question counts as unanswered.
const MOST_ASKED: usize = 2;
/// After this many unanswered questions no more are asked about a seed, if they are at least a third of all: each has used up
/// its whole time limit.
const PATIENCE: usize = 4;

/// The questions about one seed, with their answers.
pub struct QuestionLog {
    /// How long each solver may take.
    limit: Duration,
    /// The answers so far. With them, the cases can be made again without a solver.
    pub answers: Vec<Learned>,
    /// Why no solver could be run.
    pub failed: Option<RunError>,
    /// How many runs of a program and printed scripts were of no use, since this was last taken.
    pub rejected: u64,
    /// Why the first of them was.
    pub problem: Option<String>,
    unanswered: usize,
}

impl QuestionLog {
    /// No questions yet. A question without an answer in this time is unanswered.
    pub fn new(limit: Duration) -> QuestionLog {
        QuestionLog { limit, answers: Vec::new(), failed: None, rejected: 0, problem: None, unanswered: 0 }
    }

    /// A log for a seed about which no question was ever answered: nothing is asked.
    pub fn closed() -> QuestionLog {
        QuestionLog { unanswered: PATIENCE, ..QuestionLog::new(Duration::ZERO) }
    }

    /// Whether so few questions get an answer that no more are asked.
    pub fn is_closed(&self) -> bool {
        self.unanswered >= PATIENCE && 3 * self.unanswered >= self.answers.len()
    }
}

/// Asks the solvers of a worker on behalf of a strategy.
pub struct PoolQuestioner<'a> {
    /// The solvers.
    pub solver_pool: &'a mut SolverPool,
    /// The earlier questions.
    pub log: &'a mut QuestionLog,
    /// The numbers of the cases that showed a bug.
    pub buggy: &'a [u64],
}

impl Questioner for PoolQuestioner<'_> {
    fn ask(&mut self, question: &LiveQuestion) -> Option<Learned> {
        if self.log.failed.is_some() || self.log.is_closed() {
            return None;
        }
        let solvers = self.solver_pool.supporting_theories(question.solvers.as_ref(), &question.theories);
        if solvers.is_empty() {
            return None;
        }
        let first = (question.choice % solvers.len() as u64) as usize;
        let mut answer = None;
        for &solver in solvers.iter().cycle().skip(first).take(solvers.len().min(MOST_ASKED)) {
            match self.ask_one(solver, question) {
                Ok(learned) => {
                    let is_answered = learned.sat.is_some();
                    answer = Some(learned);
                    if is_answered {
                        break;
                    }
                }
                Err(error) => {
                    self.log.failed = Some(error);
                    return None;
                }
            }
        }
        let answer = answer?;
        self.log.unanswered += usize::from(answer.sat.is_none());
        self.log.answers.push(answer.clone());
        Some(answer)
    }

    fn generate(&mut self, run: &GeneratorRun) -> Option<Learned> {
        let printed = match self.solver_pool.generate(run) {
            Ok(Ok(printed)) => printed,
            Ok(Err(problem)) => {
                self.reject(problem);
                String::new()
            }
            Err(error) => {
                self.log.failed = Some(error);
                return None;
            }
        };
        let answer = output_of_run(self.log.answers.len(), printed);
        self.log.answers.push(answer.clone());
        Some(answer)
    }

    fn buggy_cases(&mut self, made: u64) -> Option<Learned> {
        if self.buggy.is_empty() {
            return None;
        }
        let numbers: Vec<String> = self.buggy.iter().map(u64::to_string).collect();
        let (question, text) = (made as usize, numbers.join(" "));
        let answer = Learned { question, solver: String::new(), sat: None, text };
        self.log.answers.push(answer.clone());
        Some(answer)
    }

    fn reject(&mut self, problem: String) {
        self.log.rejected += 1;
        self.log.problem.get_or_insert(problem);
    }
}

impl PoolQuestioner<'_> {
    fn ask_one(&mut self, solver: SolverIndex, question: &LiveQuestion) -> Result<Learned, RunError> {
        let seen = self.solver_pool.ask(solver, question, self.log.limit)?;
        let name = self.solver_pool.target(solver).name.clone();
        Ok(learned(self.log.answers.len(), name, &seen))
    }
}

/// Answers the questions of strategies outside of a campaign. Call [`SolverQuestioner::begin`] before each seed.
pub struct SolverQuestioner {
    solver_pool: SolverPool,
    log: QuestionLog,
    limit: Duration,
}

impl SolverQuestioner {
    /// Starts solvers under the limits of a campaign's settings.
    pub fn new(targets: &[Target], settings: &Settings) -> Result<SolverQuestioner, RunError> {
        let limit = settings.question_limit();
        let solver_pool = SolverPool::new(targets, settings)?;
        Ok(SolverQuestioner { solver_pool, log: QuestionLog::new(limit), limit })
    }

    /// Begins with another seed.
    pub fn begin(&mut self) {
        self.log = QuestionLog::new(self.limit);
    }

    fn asking(&mut self) -> PoolQuestioner<'_> {
        PoolQuestioner { solver_pool: &mut self.solver_pool, log: &mut self.log, buggy: &[] }
    }

    /// The answers about the current seed.
    pub fn answers(&self) -> &[Learned] {
        &self.log.answers
    }
}

impl Questioner for SolverQuestioner {
    fn ask(&mut self, question: &LiveQuestion) -> Option<Learned> {
        self.asking().ask(question)
    }

    fn generate(&mut self, run: &GeneratorRun) -> Option<Learned> {
        self.asking().generate(run)
    }
}
