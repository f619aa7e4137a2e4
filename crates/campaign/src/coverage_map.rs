//! What all workers have covered of each solver, and the corpus of scripts that reached new code.

use crate::statistics::Reach;
use case::hash::fnv1a;
use solver::coverage::Reached;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The folder of a campaign for scripts that reached new code. They are seeds for later campaigns.
pub const CORPUS: &str = "corpus";

/// The coverage of all solvers.
pub struct CoverageMap {
    corpus: PathBuf,
    solvers: Mutex<BTreeMap<String, Covered>>,
}

#[derive(Default)]
struct Covered {
    all: Reached,
    strategies: BTreeMap<String, Reached>,
}

impl CoverageMap {
    /// An empty map. The corpus is below the folder of the campaign.
    pub fn new(folder: &Path) -> CoverageMap {
        CoverageMap { corpus: folder.join(CORPUS), solvers: Mutex::new(BTreeMap::new()) }
    }

    /// Adds what a case of a strategy reached in a solver with `points` coverage points. Returns the totals, and how many points
    /// are new.
    pub fn add(&self, solver: &str, points: usize, strategy: &str, reached: &Reached) -> (Reach, usize) {
        let mut solvers = self.solvers.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let covered = solvers.entry(solver.to_owned()).or_default();
        let new = covered.all.add(reached);
        let own = covered.strategies.entry(strategy.to_owned()).or_default();
        own.add(reached);
        let reach = Reach {
            points: points as u64,
            reached: covered.all.count() as u64,
            strategies: BTreeMap::from([(strategy.to_owned(), own.count() as u64)]),
        };
        (reach, new)
    }

    /// Saves a script in the corpus. A disk that refuses it costs a seed, not the campaign.
    pub fn save(&self, strategy: &str, script: &str) {
        let file = self.corpus.join(format!("{strategy}-{:016x}.smt2", fnv1a(script)));
        let saved = std::fs::create_dir_all(&self.corpus).and_then(|()| std::fs::write(&file, script));
        if let Err(error) = saved {
            tracing::warn!("cannot save `{}`: {error}", file.display());
        }
    }
}
