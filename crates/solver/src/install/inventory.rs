//! The solvers on this machine, and the releases that can be installed.

use super::cache::{Cache, disk_use};
use super::error::InstallError;
use super::offers::offers_of;
use super::registry::{Entry, entries, entry};
use super::resolve::{discover, resolve};
use super::settings::Settings;
use super::version::Version;
use case::table::{align, row};
use serde::Serialize;

/// A solver on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Present {
    /// How to name it on the command line.
    pub id: String,
    /// Its version; empty if unknown.
    pub version: String,
    /// Where it comes from: `installed`, `configured` or `path`.
    pub origin: &'static str,
    /// The folder of an installed release, else the program.
    pub path: String,
    /// The disk space of an installed release.
    pub bytes: Option<u64>,
}

/// Solvers as a table.
pub fn present_table(solvers: &[Present]) -> Vec<String> {
    let line = |solver: &Present| {
        let size = solver.bytes.map(|bytes| format!(" ({} MB)", bytes / 1_000_000)).unwrap_or_default();
        row([&solver.id, &solver.version, solver.origin, &format!("{}{size}", solver.path)])
    };
    let mut rows = vec![row(["solver", "version", "origin", "path"])];
    rows.extend(solvers.iter().map(line));
    align(&rows)
}

/// The solvers on this machine: installed, configured, and on the `PATH`. Empty `names` mean all.
pub fn present(names: &[String], settings: &Settings) -> Vec<Present> {
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let mut found = Vec::new();
    let mut installed = Cache::new(&settings.cache).installed();
    installed.sort_by(|a, b| {
        a.name.cmp(&b.name).then_with(|| Version::parse(&b.version).cmp(&Version::parse(&a.version)))
    });
    for release in installed.iter().filter(|release| wanted(&release.name)) {
        found.push(Present {
            id: release.id(),
            version: release.version.clone(),
            origin: "installed",
            path: release.folder.display().to_string(),
            bytes: Some(disk_use(&release.folder)),
        });
    }
    for (name, block) in settings.blocks.iter().filter(|(name, _)| wanted(name)) {
        let (version, path) = match resolve(name, settings) {
            Ok(target) => (target.version, target.program.display().to_string()),
            Err(error) => (String::new(), format!("{} ({error})", block.path.display())),
        };
        found.push(Present { id: name.clone(), version, origin: "configured", path, bytes: None });
    }
    for target in discover(settings).into_iter().filter(|target| wanted(&target.name)) {
        found.push(Present {
            path: target.program.display().to_string(),
            id: target.id,
            version: target.version,
            origin: "path",
            bytes: None,
        });
    }
    found
}

/// The releases of one solver that can be installed.
#[derive(Debug, Serialize)]
pub struct Available {
    /// The solver.
    pub name: String,
    /// Its releases.
    pub releases: Vec<AvailableRelease>,
    /// How a user can get it.
    pub obtain: String,
    /// Whether it can be installed from a registry at all.
    #[serde(skip)]
    pub installable: bool,
    /// The registries that could not be asked.
    #[serde(skip)]
    pub errors: Vec<InstallError>,
}

/// A release that can be installed.
#[derive(Debug, Serialize)]
pub struct AvailableRelease {
    /// Its name after the `@`.
    pub release: String,
    /// The kind of registry.
    pub source: &'static str,
}

/// The releases that the package registries offer now. Empty `names` mean all solvers.
pub fn available(names: &[String], settings: &Settings) -> Result<Vec<Available>, InstallError> {
    let known = |name: &String| {
        entry(&settings.profiles, name).ok_or_else(|| InstallError::UnknownSolver {
            name: name.clone(),
            known: entries(&settings.profiles).into_iter().map(|entry| entry.name).collect(),
        })
    };
    let chosen = match names {
        [] => entries(&settings.profiles),
        names => names.iter().map(known).collect::<Result<_, _>>()?,
    };
    Ok(chosen.into_iter().map(|entry| available_of(entry, settings)).collect())
}

fn available_of(entry: Entry, settings: &Settings) -> Available {
    let (mut releases, mut errors) = (Vec::new(), Vec::new());
    for source in &entry.sources {
        match offers_of(source, settings) {
            Ok(offers) => releases.extend(
                offers
                    .iter()
                    .map(|offer| AvailableRelease { release: offer.label.clone(), source: offer.kind() }),
            ),
            Err(error) => errors.push(error),
        }
    }
    let installable = !entry.sources.is_empty();
    Available { name: entry.name, releases, obtain: entry.obtain, installable, errors }
}
