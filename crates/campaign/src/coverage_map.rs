//! What has been reached of each solver, over all workers, and the scripts that reached something new: they are kept as seeds for
//! campaigns to come.

use crate::duplicates::hash;
use crate::statistics::Reach;
use solver::coverage::Reached;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The folder of a campaign that holds the scripts which reached something new.
pub const CORPUS: &str = "corpus";

/// What has been reached.
pub struct CoverageMap {
    corpus: PathBuf,
    known: Mutex<BTreeMap<String, Known>>,
}

#[derive(Default)]
struct Known {
    all: Reached,
    strategies: BTreeMap<String, Reached>,
}

impl CoverageMap {
    /// Nothing has been reached. Scripts are kept below the folder of the campaign.
    pub fn new(folder: &Path) -> CoverageMap {
        CoverageMap { corpus: folder.join(CORPUS), known: Mutex::new(BTreeMap::new()) }
    }

    /// Notes what a case of a strategy reached in a solver; gives back how things stand and how much was new.
    pub fn note(&self, solver: &str, places: usize, strategy: &str, reached: &Reached) -> (Reach, usize) {
        let mut known = self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let known = known.entry(solver.to_owned()).or_default();
        let new = known.all.add(reached);
        let own = known.strategies.entry(strategy.to_owned()).or_default();
        own.add(reached);
        let reach = Reach {
            places: places as u64,
            reached: known.all.count() as u64,
            strategies: BTreeMap::from([(strategy.to_owned(), own.count() as u64)]),
        };
        (reach, new)
    }

    /// Keeps a script as a seed. A disk that refuses it costs a seed, not the campaign.
    pub fn predicate(&self, strategy: &str, script: &str) -> bool {
        let file = self.corpus.join(format!("{strategy}-{:016x}.smt2", hash(script)));
        std::fs::create_dir_all(&self.corpus).and_then(|()| std::fs::write(file, script)).is_ok()
    }
}
