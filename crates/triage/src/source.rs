//! How triage gets its solvers and their releases.

use solver::Target;
use solver::install::{self, Cache, InstallError, Settings, Spec, Version, Wanted};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Finds solvers by the names that users and findings give them, and installs them if necessary.
pub trait SolverSource: Sync {
    /// The solver with this name.
    fn resolve(&self, spec: &str) -> Result<Target, InstallError>;

    /// The settings of the installer.
    fn settings(&self) -> &Settings;

    /// The releases of the solver with this name.
    fn releases(&self, name: &str) -> Listing {
        releases(name, self.settings())
    }
}

/// Finds solvers without showing the progress of an installation.
pub struct QuietSource(pub Settings);

impl SolverSource for QuietSource {
    fn resolve(&self, spec: &str) -> Result<Target, InstallError> {
        solver::install::resolve(spec, &self.0)
    }

    fn settings(&self) -> &Settings {
        &self.0
    }
}

/// The releases of a solver.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The releases that are installed or available, oldest first.
    pub labels: Vec<String>,
    /// Why some could not be listed.
    pub problem: Option<String>,
}

/// Lists the releases of a solver. A package index is asked once per process.
fn releases(name: &str, settings: &Settings) -> Listing {
    static KNOWN: Mutex<BTreeMap<String, Listing>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    known.entry(name.to_owned()).or_insert_with(|| list(name, settings)).clone()
}

fn list(name: &str, settings: &Settings) -> Listing {
    let mut labels: Vec<String> = Vec::new();
    let mut problem = None;
    for source in install::entry(&settings.profiles, name).iter().flat_map(|entry| &entry.sources) {
        match install::offers_of(source, settings) {
            Ok(offers) => labels.extend(offers.into_iter().map(|offer| offer.label)),
            Err(error) => problem = Some(format!("not every release can be listed: {error}")),
        }
    }
    let installed = Cache::new(&settings.cache).installed();
    labels.extend(installed.into_iter().filter(|found| found.name == name).map(|found| found.label));
    // Other packagers build the same releases again.
    labels.retain(|label| label.chars().all(|c| c.is_ascii_digit() || c == '.'));
    labels.sort_by_key(|label| Version::parse(label));
    labels.dedup();
    Listing { labels, problem }
}

/// The name and the release of a target, if it is a release of a known solver.
pub(crate) fn name_and_release(target: &Target, settings: &Settings) -> Option<(String, String)> {
    match Spec::parse(&target.id, &settings.profiles) {
        Ok(Spec::Known(entry, Wanted::Release(release))) => Some((entry.name, release)),
        _ => None,
    }
}
