//! What a strategy wants to know of a seed before it opens it: its questions are put to the solvers of the worker.

use crate::solver_pool::SolverPool;
use solver::run::Want;
use solver::{Answer, Observation, Outcome, RunError};
use std::sync::Arc;
use strategies::{Case, Learned, Seed, SeedQuestion, Strategy};

/// A question with what the solvers did with it.
pub struct Asked {
    /// The question as a case.
    pub case: Case,
    /// Whether the question was the seed itself.
    pub is_seed: bool,
    /// Which solvers were asked.
    pub places: Vec<usize>,
    /// What they did.
    pub seen: Vec<Observation>,
}

/// A seed under preparation.
pub struct Prepared {
    seed: Arc<Seed>,
    asked: usize,
    done: bool,
}

impl Prepared {
    /// A seed about which nothing was asked yet.
    pub fn new(seed: &Seed) -> Prepared {
        Prepared { seed: Arc::new(seed.clone()), asked: 0, done: false }
    }

    /// Puts the strategy's next question to the solvers, unless enough was asked for the round: one question each round, so that
    /// a seed's first turn does not wait for answers that only later turns need.
    pub fn ask(
        &mut self,
        strategy: &dyn Strategy,
        round: u64,
        solver_pool: &mut SolverPool,
        want: Want,
    ) -> Result<Option<Asked>, RunError> {
        if self.done || self.asked as u64 > round {
            return Ok(None);
        }
        let Some(inquiry) = strategy.seed_question(&self.seed, self.asked) else {
            self.done = true;
            return Ok(None);
        };
        let want = match inquiry.core {
            true => Want { core: true, ..Want::default() },
            false => Want { model: true, ..want },
        };
        let asked = ask(inquiry, solver_pool, want)?;
        let seed = Arc::make_mut(&mut self.seed);
        for (&place, observation) in asked.places.iter().zip(&asked.seen) {
            seed.learned.push(learned(self.asked, solver_pool.target(place).name.clone(), observation));
        }
        self.asked += 1;
        Ok(Some(asked))
    }

    /// The seed with what may be known in a round, whoever asked when.
    pub fn seed(&self, round: u64) -> Arc<Seed> {
        let early = |learned: &Learned| learned.question as u64 <= round;
        if self.seed.learned.iter().all(early) {
            return self.seed.clone();
        }
        let mut seed = (*self.seed).clone();
        seed.learned.retain(early);
        Arc::new(seed)
    }
}

fn ask(inquiry: SeedQuestion, solver_pool: &mut SolverPool, want: Want) -> Result<Asked, RunError> {
    let SeedQuestion { script, is_seed, solvers, theories, .. } = inquiry;
    let case = Case { text: script, solvers, theories, ..Case::default() };
    let places = solver_pool.who_knows(&case);
    let mut seen = Vec::with_capacity(places.len());
    for &place in &places {
        seen.push(solver_pool.run_warm_for(place, &case.text, want)?);
    }
    Ok(Asked { case, is_seed, places, seen })
}

/// What an observation says, as strategies learn it.
pub fn learned(inquiry: usize, solver: String, seen: &Observation) -> Learned {
    let answer = seen.answer().filter(|_| seen.outcome == Outcome::Answered);
    let (sat, text) = match answer {
        Some(Answer::Sat) => (Some(true), seen.model()),
        Some(Answer::Unsat) => (Some(false), seen.core()),
        _ => (None, None),
    };
    Learned { question: inquiry, solver, sat, text: text.unwrap_or_default().to_owned() }
}
