//! Makes a case again from its origin.

use case::Finding;
use case::hash::fnv1a;
use strategies::{Case, Mutator, Random, Recorded, Seed, Strategy};

/// The random numbers of a strategy's turn on a seed.
pub fn random_for(campaign_seed: u64, strategy: &dyn Strategy, seed: &Seed, round: u64) -> Random {
    Random::from_parts(&[campaign_seed, fnv1a(strategy.name()), seed.hash, round])
}

/// Makes the case at `index` again; `None` if the strategy makes fewer cases of the seed.
pub fn case_again(
    strategy: &dyn Strategy,
    seed: &Seed,
    campaign_seed: u64,
    round: u64,
    index: u64,
) -> Result<Option<Case>, String> {
    let random = random_for(campaign_seed, strategy, seed, round);
    let mut mutator: Box<dyn Mutator> =
        strategy.open_round(seed, random, round).map_err(|error| error.to_string())?;
    let mut recorded = Recorded::new(&seed.dialogue);
    for _ in 0..index {
        if mutator.next_case_with(&mut recorded).is_none() {
            return Ok(None);
        }
    }
    Ok(mutator.next_case_with(&mut recorded))
}

/// The seed of a finding with the solvers' answers about it, as [`case_again`] needs it.
pub fn seed_again(finding: &Finding, text: String) -> Seed {
    let mut seed = Seed::new(finding.seed_name.clone(), text);
    seed.learned = finding.learned.clone();
    seed.dialogue = finding.dialogue.clone();
    seed
}
