//! Value mutation as a second stage: the cases of another strategy are the seeds.

use super::ValFuzz;
use crate::api::{
    GeneratorRun, LiveQuestion, Mutator, Questioner, Recorded, SeedQuestion, Strategy, Unsuitable,
};
use crate::kit::random::Random;
use case::{Case, Learned, Seed};
use std::sync::Arc;

/// The strategy `FIRST+valfuzz`: each case of the first strategy, followed by its value mutants.
pub struct SecondStage {
    name: String,
    first: Arc<dyn Strategy>,
    second: Arc<ValFuzz>,
}

impl SecondStage {
    /// Runs the two strategies one after the other.
    pub fn new(first: Arc<dyn Strategy>, second: ValFuzz) -> Self {
        let name = format!("{}+{}", first.name(), second.name());
        SecondStage { name, first, second: Arc::new(second) }
    }
}

impl Strategy for SecondStage {
    fn name(&self) -> &str {
        &self.name
    }

    fn cases_per_turn(&self, budget: u64) -> u64 {
        self.second.cases_per_turn(budget)
    }

    fn seed_question(&self, seed: &Seed, asked: usize) -> Option<SeedQuestion> {
        self.first.seed_question(seed, asked)
    }

    fn own_seed(&self) -> Option<Seed> {
        self.first.own_seed()
    }

    fn open(&self, seed: &Seed, mut random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        let own = Random::new(random.bits());
        let first = self.first.open(seed, own)?;
        let name = seed.name.clone();
        Ok(Box::new(Stages { first, second: self.second.clone(), current: None, random, name }))
    }
}

/// Mutates a seed in two stages.
struct Stages {
    first: Box<dyn Mutator>,
    second: Arc<ValFuzz>,
    /// The second stage, and the first stage's case that is its seed.
    current: Option<(Box<dyn Mutator>, Case)>,
    random: Random,
    name: String,
}

/// Asks solvers and programs. The cases that show a bug are those of both stages, so their numbers say nothing to the first.
struct OnlySolvers<'a>(&'a mut dyn Questioner);

impl Questioner for OnlySolvers<'_> {
    fn ask(&mut self, question: &LiveQuestion) -> Option<Learned> {
        self.0.ask(question)
    }

    fn generate(&mut self, run: &GeneratorRun) -> Option<Learned> {
        self.0.generate(run)
    }

    fn reject(&mut self, problem: String) {
        self.0.reject(problem);
    }
}

impl Mutator for Stages {
    fn next_case(&mut self) -> Option<Case> {
        self.next_case_with(&mut Recorded::default())
    }

    fn next_case_with(&mut self, questioner: &mut dyn Questioner) -> Option<Case> {
        if let Some((second, base)) = &mut self.current {
            if let Some(mut case) = second.next_case_with(questioner) {
                case.lineage.splice(0..0, base.lineage.iter().cloned());
                return Some(case);
            }
            self.current = None;
        }
        let base = self.first.next_case_with(&mut OnlySolvers(questioner))?;
        let seed = Seed::new(self.name.clone(), base.text.as_str());
        let random = Random::new(self.random.bits());
        if let Ok(second) = self.second.open(&seed, random) {
            self.current = Some((second, base.clone()));
        }
        Some(base)
    }
}
