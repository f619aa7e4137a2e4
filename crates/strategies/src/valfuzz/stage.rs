//! Value mutation as a second stage: what another strategy makes is the seed.

use super::ValFuzz;
use crate::random::Random;
use crate::strategy::{Mutator, Questioner, Recorded, Seed, SeedQuestion, Strategy, Unfit};
use case::Case;
use std::sync::Arc;

/// The strategy `FIRST+valfuzz`: each case of the first strategy, then value mutants of it.
pub struct SecondStage {
    name: String,
    first: Arc<dyn Strategy>,
    second: Arc<ValFuzz>,
}

impl SecondStage {
    /// The two strategies, one after the other.
    pub fn new(first: Arc<dyn Strategy>, second: ValFuzz) -> Self {
        let name = format!("{}+{}", first.name(), second.name());
        SecondStage { name, first, second: Arc::new(second) }
    }
}

impl Strategy for SecondStage {
    fn name(&self) -> &str {
        &self.name
    }

    fn turn(&self, budget: u64) -> u64 {
        self.second.turn(budget)
    }

    fn inquire(&self, seed: &Seed, asked: usize) -> Option<SeedQuestion> {
        self.first.inquire(seed, asked)
    }

    fn own_seed(&self) -> Option<Seed> {
        self.first.own_seed()
    }

    fn open(&self, seed: &Seed, mut random: Random) -> Result<Box<dyn Mutator>, Unfit> {
        let own = Random::new(random.bits());
        let first = self.first.open(seed, own)?;
        let name = seed.name.clone();
        Ok(Box::new(Stages { first, second: self.second.clone(), under_way: None, random, name }))
    }
}

/// A seed under work in two stages.
struct Stages {
    first: Box<dyn Mutator>,
    second: Arc<ValFuzz>,
    /// The case of the first stage that is the seed of the second, with the steps that made it.
    under_way: Option<(Box<dyn Mutator>, Case)>,
    random: Random,
    name: String,
}

impl Mutator for Stages {
    fn next_case(&mut self) -> Option<Case> {
        self.next_case_asking(&mut Recorded::default())
    }

    fn next_case_asking(&mut self, enquirer: &mut dyn Questioner) -> Option<Case> {
        if let Some((second, base)) = &mut self.under_way {
            if let Some(mut case) = second.next_case_asking(enquirer) {
                case.lineage.splice(0..0, base.lineage.iter().cloned());
                return Some(case);
            }
            self.under_way = None;
        }
        let base = self.first.next_case_asking(enquirer)?;
        let seed = Seed::new(self.name.clone(), base.text.as_str());
        let random = Random::new(self.random.bits());
        if let Ok(second) = self.second.open(&seed, random) {
            self.under_way = Some((second, base.clone()));
        }
        Some(base)
    }
}
