//! The newest release of a solver that the package index has.

use super::error::InstallError;
use super::pip::Pip;
use super::registry::entry;
use super::settings::Settings;
use super::version::Version;
use crate::profile::Source;

/// The newest release of the solver called `name` in the index of wheels; `None` if the index has none. Does not wait long for an
/// index that does not answer.
pub fn newest(name: &str, settings: &Settings) -> Result<Option<Version>, InstallError> {
    let known = entry(&settings.profiles, name);
    let mut newest = None;
    for source in known.iter().flat_map(|entry| &entry.sources) {
        if let Source::Wheel(wheel) = &**source {
            newest = newest
                .max(Pip::impatient(settings).versions(&wheel.package, wheel.any_python)?.into_iter().max());
        }
    }
    Ok(newest)
}
