//! Semantic fusion: several formulas of the same status become one of that status.
//!
//! A new constant z stands for two constants, x of one formula and y of another: z = f(x, y), where f has inverses. Some occurrences of x
//! are replaced by the inverse of y and z, some of y by that of x and z. The conjunction of satisfiable formulas stays satisfiable, and
//! the disjunction of unsatisfiable ones unsatisfiable, if it is asserted what z stands for.

mod formula;
mod functions;
mod mutator;
#[cfg(test)]
mod tests;

use crate::api::{Mutator, Setting, Strategy, TechniqueSettings, Unsuitable, Variant};
use crate::kit::random::Random;
use case::Seed;
use mutator::FusionMutator;
use smt::Signatures;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// What each formula of a group follows.
const MARK: &str = ";; formula ";
/// The formulas of a group.
const GROUP: usize = 40;
/// Longer seeds are left out.
const LONGEST: usize = 700;

/// The settings of semantic fusion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FusionSettings {
    /// The number of formulas that solvers are asked about in a turn.
    pub opened: usize,
    /// The maximum number of formulas in a case.
    pub formulas: usize,
    /// The maximum number of pairs of constants that are fused.
    pub pairs: usize,
    /// The percentage of occurrences of a constant that are replaced.
    pub replaced: u64,
}

impl Default for FusionSettings {
    fn default() -> Self {
        FusionSettings { opened: 6, formulas: 3, pairs: 3, replaced: 50 }
    }
}

impl TechniqueSettings for FusionSettings {
    const VARIANTS: &'static [Variant] =
        &[Variant { name: "published", section: "", summary: "two formulas, as in the paper" }];

    fn variant(&self, name: &str) -> Option<Self> {
        (name == "published").then_some(FusionSettings { formulas: 2, ..FusionSettings::default() })
    }

    fn settings(&mut self) -> Vec<Setting<'_>> {
        let FusionSettings { opened, formulas, pairs, replaced } = self;
        vec![
            Setting::new("opened", "", "formulas that solvers are asked about in a turn", opened),
            Setting::new("formulas", "", "most formulas of a case", formulas),
            Setting::new("pairs", "", "most pairs of constants that are fused", pairs),
            Setting::new("replaced", "", "percent of the occurrences that are replaced", replaced),
        ]
    }
}

/// The strategy `fusion`.
pub struct Fusion {
    name: String,
    signatures: Arc<Signatures>,
    settings: FusionSettings,
    /// Short seeds, in random order.
    seeds: Vec<Seed>,
    hopeless: Hopeless,
}

/// The names of formulas that no solver answers. They make room for others.
pub(super) type Hopeless = Arc<Mutex<BTreeSet<String>>>;

impl Fusion {
    /// Fuses some of these seeds. The choice follows from the number.
    pub fn new(signatures: Arc<Signatures>, settings: FusionSettings, seeds: &[Seed], number: u64) -> Self {
        let mut short: Vec<&Seed> = seeds.iter().filter(|seed| seed.text.len() <= LONGEST).collect();
        let mut random = Random::from_parts(&[number, seeds.len() as u64]);
        let mut shuffled = Vec::with_capacity(short.len());
        while !short.is_empty() {
            shuffled.push(short.swap_remove(random.index(short.len())).clone());
        }
        let name = "fusion".to_owned();
        Fusion { name, signatures, settings, seeds: shuffled, hopeless: Hopeless::default() }
    }

    /// The same with the name that states its settings.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Fusion { name: name.to_owned(), ..self }
    }
}

impl Strategy for Fusion {
    fn name(&self) -> &str {
        &self.name
    }

    fn own_seed(&self) -> Option<Seed> {
        let hopeless = self.hopeless.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        for seed in self.seeds.iter().filter(|seed| !hopeless.contains(&seed.name)).take(GROUP) {
            text.push_str(&format!("{MARK}{}\n{}\n", seed.name, seed.text.trim_end()));
        }
        Some(Seed::new("group of seeds", text))
    }

    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        Ok(Box::new(FusionMutator::open(
            &self.signatures,
            &self.settings,
            seed,
            random,
            self.hopeless.clone(),
        )?))
    }
}
