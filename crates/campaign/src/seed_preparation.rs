//! What a strategy wants to know about a seed before it opens it. The worker asks its solvers.

use crate::solver_pool::SolverPool;
use case::{SeedIndex, SolverIndex};
use solver::run::Want;
use solver::{Answer, Observation, Outcome, RunError};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use strategies::{Case, Learned, Seed, SeedQuestion, Strategy};

/// A question with the solvers' answers.
pub struct Answered {
    /// The question as a case.
    pub case: Case,
    /// Whether the question is the seed itself.
    pub is_seed: bool,
    /// The solvers that were asked.
    pub solvers: Vec<SolverIndex>,
    /// Their runs.
    pub seen: Vec<Observation>,
}

/// What came of an attempt to ask a question.
pub enum Asked {
    /// Solvers were asked.
    Solvers(Answered),
    /// An earlier run of the seed answers it.
    SeedRun,
    /// There is nothing to ask.
    Nothing,
    /// There is no time to ask now.
    NoTime,
}

/// What is known from the run of a seed itself.
#[derive(Debug)]
pub struct SeedRun {
    /// The answers, with models.
    learned: Vec<Learned>,
    /// The slowest answer; `None` if there was no answer in time.
    pub slowest: Option<Duration>,
}

impl SeedRun {
    /// No solver answered.
    pub fn unanswered() -> SeedRun {
        SeedRun { learned: Vec::new(), slowest: None }
    }

    /// Whether every `sat` came with a model. A campaign may ask for none.
    fn has_models(&self) -> bool {
        self.learned.iter().all(|learned| learned.sat != Some(true) || !learned.text.is_empty())
    }

    /// What the runs of a seed by these solvers tell.
    pub fn new(names: impl Iterator<Item = String>, seen: &[Observation]) -> SeedRun {
        let learned: Vec<Learned> = names.zip(seen).map(|(name, seen)| learned(0, name, seen)).collect();
        let answered = learned.iter().zip(seen).filter(|(learned, _)| learned.sat.is_some());
        SeedRun { slowest: answered.map(|(_, seen)| seen.wall).max(), learned }
    }
}

/// What is known about the seeds of a campaign from their own runs.
#[derive(Default)]
pub struct SeedRuns(Mutex<KnownRuns>);

#[derive(Default)]
struct KnownRuns {
    runs: BTreeMap<SeedIndex, Arc<SeedRun>>,
    /// Seeds that were not answered at first look, each with whether it still waits for a run with the full time limit.
    late: BTreeMap<SeedIndex, bool>,
}

impl SeedRuns {
    /// The run of a seed.
    pub fn get(&self, seed: SeedIndex) -> Option<Arc<SeedRun>> {
        self.lock().runs.get(&seed).cloned()
    }

    /// Records the run of a seed.
    pub fn record(&self, seed: SeedIndex, run: SeedRun) {
        self.lock().runs.insert(seed, Arc::new(run));
    }

    /// Makes a seed wait for a run with the full time limit. Returns whether it has not waited before.
    pub fn postpone(&self, seed: SeedIndex) -> bool {
        match self.lock().late.entry(seed) {
            Entry::Vacant(entry) => *entry.insert(true),
            Entry::Occupied(_) => false,
        }
    }

    /// Ends the wait of a seed: it has run with the full time limit.
    pub fn end_wait(&self, seed: SeedIndex) {
        self.lock().late.insert(seed, false);
    }

    /// Whether a seed has no answer yet, but may have one once it has run with the full time limit.
    pub fn is_waiting(&self, seed: SeedIndex) -> bool {
        let known = self.lock();
        known.late.get(&seed) == Some(&true) && known.runs.get(&seed).is_none_or(|run| run.slowest.is_none())
    }

    fn lock(&self) -> MutexGuard<'_, KnownRuns> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A seed with the answers to a strategy's questions so far.
pub struct SeedPreparation {
    seed: Arc<Seed>,
    asked: usize,
    done: bool,
}

impl SeedPreparation {
    /// A seed without answers.
    pub fn new(seed: &Seed) -> SeedPreparation {
        SeedPreparation { seed: Arc::new(seed.clone()), asked: 0, done: false }
    }

    /// Whether fewer than `questions` were asked and there may be more.
    pub fn asks_more(&self, questions: u64) -> bool {
        !self.done && (self.asked as u64) < questions
    }

    /// Asks the strategy's next question. `known` is the run of the seed itself. Solvers are asked only if there is time, and each
    /// gets at most `limit`.
    pub fn ask(
        &mut self,
        strategy: &dyn Strategy,
        known: Option<&SeedRun>,
        may_ask: bool,
        limit: Duration,
        solver_pool: &mut SolverPool,
        want: Want,
    ) -> Result<Asked, RunError> {
        // If nobody answers the seed, nobody answers a question about it.
        let is_hopeless = known.is_some_and(|run| run.slowest.is_none());
        let question = if is_hopeless { None } else { strategy.seed_question(&self.seed, self.asked) };
        let Some(question) = question else {
            self.done = !is_hopeless;
            return Ok(Asked::Nothing);
        };
        if let Some(run) = known.filter(|run| question.is_seed && run.has_models()) {
            Arc::make_mut(&mut self.seed).learned.extend(run.learned.iter().cloned());
            self.asked += 1;
            return Ok(Asked::SeedRun);
        }
        if !may_ask {
            return Ok(Asked::NoTime);
        }
        let want = match question.core {
            true => Want { core: true, ..Want::default() },
            false => Want { model: true, ..want },
        };
        let answered = ask(question, solver_pool, want, limit)?;
        let seed = Arc::make_mut(&mut self.seed);
        for (&solver, observation) in answered.solvers.iter().zip(&answered.seen) {
            let name = solver_pool.target(solver).name.clone();
            seed.learned.push(learned(self.asked, name, observation));
        }
        self.asked += 1;
        Ok(Asked::Solvers(answered))
    }

    /// The seed with the answers to the first `questions`, whichever worker asked them.
    pub fn seed(&self, questions: u64) -> Arc<Seed> {
        let is_early = |learned: &Learned| (learned.question as u64) < questions;
        if self.seed.learned.iter().all(is_early) {
            return self.seed.clone();
        }
        let mut seed = (*self.seed).clone();
        seed.learned.retain(is_early);
        Arc::new(seed)
    }
}

fn ask(
    question: SeedQuestion,
    solver_pool: &mut SolverPool,
    want: Want,
    limit: Duration,
) -> Result<Answered, RunError> {
    let SeedQuestion { script, is_seed, solvers, theories, .. } = question;
    let case = Case { text: script, solvers, theories, ..Case::default() };
    let solvers = solver_pool.supporting(&case);
    let run = |&solver: &SolverIndex| solver_pool.run_for_strategy(solver, &case.text, want, limit);
    let seen = solvers.iter().map(run).collect::<Result<_, RunError>>()?;
    Ok(Answered { case, is_seed, solvers, seen })
}

/// What a strategy learns from a run.
pub fn learned(question: usize, solver: String, seen: &Observation) -> Learned {
    let answer = seen.answer().filter(|_| seen.outcome == Outcome::Answered);
    let (sat, text) = match answer {
        Some(Answer::Sat) => (Some(true), seen.model()),
        Some(Answer::Unsat) => (Some(false), seen.core()),
        _ => (None, None),
    };
    Learned { question, solver, sat, text: text.unwrap_or_default().to_owned() }
}
