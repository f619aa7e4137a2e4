//! Seeds that no solver answers even with the full time limit. The folder of the campaign remembers them, so the next campaign with
//! the same solvers does not wait for them again.

use crate::settings::Settings;
use case::SeedIndex;
use solver::Target;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use store::{Store, StoreError};
use strategies::Seed;

/// The hopeless seeds of a campaign.
#[derive(Default)]
pub struct HopelessSeeds {
    /// The solvers and their time limit; `None` if nothing is remembered.
    setup: Option<String>,
    /// Those of earlier campaigns.
    known: BTreeSet<SeedIndex>,
    /// Those of this one.
    new: Mutex<BTreeSet<SeedIndex>>,
}

impl HopelessSeeds {
    /// What earlier campaigns in the folder found hopeless.
    pub fn read(
        targets: &[Target],
        settings: &Settings,
        seeds: &[Seed],
        store: &Store,
    ) -> Result<HopelessSeeds, StoreError> {
        // A solver without a release number may be another build every night.
        let changes = targets.iter().any(|target| !target.id.contains('@'));
        if settings.has_fixed_order() || changes {
            return Ok(HopelessSeeds::default());
        }
        let ids: Vec<&str> = targets.iter().map(|target| target.id.as_str()).collect();
        let setup = format!("{}, {} ms", ids.join(" "), settings.timeout);
        let hashes = store.hopeless_seeds(&setup)?;
        let is_known = |index: &SeedIndex| hashes.contains(&hash(&seeds[index.get()]));
        let known = SeedIndex::all(seeds.len()).filter(is_known).collect();
        Ok(HopelessSeeds { setup: Some(setup), known, new: Mutex::default() })
    }

    /// The seeds that were hopeless in earlier campaigns.
    pub fn known(&self) -> &BTreeSet<SeedIndex> {
        &self.known
    }

    /// Adds a seed that no solver answered with the full time limit.
    pub fn add(&self, seed: SeedIndex) {
        self.new.lock().unwrap_or_else(PoisonError::into_inner).insert(seed);
    }

    /// Remembers the new ones for later campaigns.
    pub fn save(&self, seeds: &[Seed], store: &mut Store) -> Result<(), StoreError> {
        let Some(setup) = &self.setup else { return Ok(()) };
        let new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        let hashes: Vec<String> = new.iter().map(|index| hash(&seeds[index.get()])).collect();
        store.add_hopeless_seeds(setup, &hashes)
    }
}

fn hash(seed: &Seed) -> String {
    format!("{:016x}", seed.hash)
}
