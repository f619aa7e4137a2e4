//! What all workers have covered of each solver, and the corpus of scripts that reached new code.

use crate::coverage_areas::CoveredAreas;
use crate::statistics::Reach;
use case::hash::fnv1a;
use solver::coverage::{Names, Reached};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The folder of a campaign for scripts that reached new code. They are seeds for later campaigns.
pub const CORPUS: &str = "corpus";

/// The coverage of all solvers.
pub struct CoverageMap {
    folder: PathBuf,
    corpus: PathBuf,
    solvers: Mutex<BTreeMap<String, Covered>>,
}

#[derive(Default)]
struct Covered {
    points: usize,
    all: Reached,
    strategies: BTreeMap<String, Reached>,
    /// The names of the points, once they are known.
    names: Option<Names>,
    /// Whether there is something that is not saved.
    is_changed: bool,
}

impl CoverageMap {
    /// An empty map. The corpus is below the folder of the campaign.
    pub fn new(folder: &Path) -> CoverageMap {
        let (folder, corpus) = (folder.to_owned(), folder.join(CORPUS));
        CoverageMap { folder, corpus, solvers: Mutex::new(BTreeMap::new()) }
    }

    /// Adds what a case of a strategy reached in a solver with `points` coverage points. Returns the totals, and how many points
    /// are new.
    pub fn add(&self, solver: &str, points: usize, strategy: &str, reached: &Reached) -> (Reach, usize) {
        let mut solvers = self.solvers.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let covered = solvers.entry(solver.to_owned()).or_default();
        let new = covered.all.add(reached);
        covered.points = points;
        covered.is_changed |= new > 0;
        let own = covered.strategies.entry(strategy.to_owned()).or_default();
        own.add(reached);
        let reach = Reach {
            points: points as u64,
            reached: covered.all.count() as u64,
            strategies: BTreeMap::from([(strategy.to_owned(), own.count() as u64)]),
        };
        (reach, new)
    }

    /// Keeps the names of the points of a solver, unless they are known.
    pub fn name_points(&self, solver: &str, names: impl FnOnce() -> Option<Names>) {
        let mut solvers = self.solvers.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(covered) = solvers.get_mut(solver).filter(|covered| covered.names.is_none()) {
            covered.names = names();
        }
    }

    /// Saves for each solver how much of its namespaces was reached, if that has changed. A disk that refuses it costs a picture.
    pub fn save_areas(&self) {
        let mut solvers = self.solvers.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        for (solver, covered) in solvers.iter_mut().filter(|(_, covered)| covered.is_changed) {
            let Some(names) = &covered.names else { continue };
            let areas = CoveredAreas::new(solver, covered.points, names, &covered.all);
            covered.is_changed = false;
            if let Err(error) = areas.write(&self.folder) {
                tracing::warn!("cannot save the coverage of {solver}: {error}");
            }
        }
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
