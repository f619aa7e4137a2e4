//! What a strategy wants to know about a seed before it opens it. The worker asks its solvers.

use crate::solver_pool::SolverPool;
use case::SolverIndex;
use solver::run::Want;
use solver::{Answer, Observation, Outcome, RunError};
use std::sync::Arc;
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

    /// Asks the strategy's next question, unless enough was asked for the round. Each round has one question, so the first turn
    /// of a seed does not wait for answers that only later turns need.
    pub fn ask(
        &mut self,
        strategy: &dyn Strategy,
        round: u64,
        solver_pool: &mut SolverPool,
        want: Want,
    ) -> Result<Option<Answered>, RunError> {
        if self.done || self.asked as u64 > round {
            return Ok(None);
        }
        let Some(question) = strategy.seed_question(&self.seed, self.asked) else {
            self.done = true;
            return Ok(None);
        };
        let want = match question.core {
            true => Want { core: true, ..Want::default() },
            false => Want { model: true, ..want },
        };
        let answered = ask(question, solver_pool, want)?;
        let seed = Arc::make_mut(&mut self.seed);
        for (&solver, observation) in answered.solvers.iter().zip(&answered.seen) {
            let name = solver_pool.target(solver).name.clone();
            seed.learned.push(learned(self.asked, name, observation));
        }
        self.asked += 1;
        Ok(Some(answered))
    }

    /// The seed with the answers of the rounds up to this one, whichever worker asked first.
    pub fn seed(&self, round: u64) -> Arc<Seed> {
        let is_early = |learned: &Learned| learned.question as u64 <= round;
        if self.seed.learned.iter().all(is_early) {
            return self.seed.clone();
        }
        let mut seed = (*self.seed).clone();
        seed.learned.retain(is_early);
        Arc::new(seed)
    }
}

fn ask(question: SeedQuestion, solver_pool: &mut SolverPool, want: Want) -> Result<Answered, RunError> {
    let SeedQuestion { script, is_seed, solvers, theories, .. } = question;
    let case = Case { text: script, solvers, theories, ..Case::default() };
    let solvers = solver_pool.supporting(&case);
    let run = |&solver: &SolverIndex| solver_pool.run_for_strategy(solver, &case.text, want);
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
