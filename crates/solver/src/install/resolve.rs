//! Resolves the name of a solver to something that can be started.

use super::cache::{Cache, Installed};
use super::error::InstallError;
use super::fetch::install_offer;
use super::offers::{self, is_numeric};
use super::progress::{Progress, Silent};
use super::registry::{self, Entry};
use super::settings::{Settings, SolverBlock};
use super::spec::{Spec, Wanted};
use super::start::{ask_version, target_of};
use super::version::{Version, version_in};
use crate::target::{Target, TargetKind};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Finds the solver that `spec` names. Installs it if it is missing and the settings allow that.
///
/// A name without a release means, in this order: a `[solver.NAME]` block, the newest installed release, the program on
/// the `PATH`, the newest release that can be installed.
pub fn resolve(spec: &str, settings: &Settings) -> Result<Target, InstallError> {
    resolve_with(spec, settings, &Silent)
}

/// Like [`resolve`], but reports an installation to `progress`.
pub fn resolve_with(
    spec: &str,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Target, InstallError> {
    settings.check_cancelled()?;
    if let Some(block) = settings.blocks.get(spec) {
        return from_block(spec, block, settings);
    }
    let (entry, wanted) = match Spec::parse(spec, &settings.profiles)? {
        Spec::Program(path) => return from_program(&path, settings),
        Spec::Known(entry, wanted) => (entry, wanted),
    };
    if let Some(installed) = find_installed(&entry, &wanted, settings) {
        return target_of(&installed, settings);
    }
    if let Some(target) = on_path(&entry, &wanted, settings) {
        return Ok(target);
    }
    if wanted == Wanted::OnPath {
        return Err(InstallError::NotInstalled { spec: spec.to_owned() });
    }
    if entry.sources.is_empty() {
        return Err(InstallError::NotObtainable { name: entry.name, obtain: entry.obtain });
    }
    if !settings.install_missing {
        return Err(InstallError::NotInstalled { spec: spec.to_owned() });
    }
    target_of(&install_known(&entry, &wanted, settings, progress)?, settings)
}

/// Installs what `spec` names. An installed release is left alone.
pub fn install(spec: &str, settings: &Settings, progress: &dyn Progress) -> Result<Installed, InstallError> {
    match Spec::parse(spec, &settings.profiles)? {
        Spec::Program(path) => {
            Err(InstallError::BadProgram { path, detail: "a path needs no installation".into() })
        }
        Spec::Known(entry, wanted) => install_known(&entry, &wanted, settings, progress),
    }
}

fn install_known(
    entry: &Entry,
    wanted: &Wanted,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Installed, InstallError> {
    if let Wanted::Release(_) = wanted
        && let Some(installed) = find_installed(entry, wanted, settings)
    {
        return Ok(installed);
    }
    let offer = offers::choose(entry, wanted, settings)?;
    install_offer(entry, &offer, settings, progress)
}

/// The installed release that `wanted` means. `None` if only the package index can tell.
fn find_installed(entry: &Entry, wanted: &Wanted, settings: &Settings) -> Option<Installed> {
    let cache = Cache::new(&settings.cache);
    let mut found: Vec<Installed> =
        cache.installed().into_iter().filter(|installed| installed.name == entry.name).collect();
    found.sort_by_key(|installed| Version::parse(&installed.version));
    match wanted {
        Wanted::Any => found.pop(),
        Wanted::Latest | Wanted::OnPath => None,
        Wanted::Debian => found.into_iter().rev().find(is_debian),
        Wanted::Release(text) => {
            let release = Version::parse(text).filter(|_| is_numeric(text));
            let same = |installed: &Installed| {
                installed.label == *text
                    || installed.label == installed.version
                        && release
                            .as_ref()
                            .zip(Version::parse(&installed.version))
                            .is_some_and(|(release, version)| version.same_release(release))
            };
            found.into_iter().find(same)
        }
    }
}

fn is_debian(installed: &Installed) -> bool {
    installed.origin.iter().any(|package| package.file.ends_with(".deb"))
}

/// The program on the `PATH`, if it is the wanted release.
fn on_path(entry: &Entry, wanted: &Wanted, settings: &Settings) -> Option<Target> {
    if !matches!(wanted, Wanted::Any | Wanted::OnPath | Wanted::Release(_)) {
        return None;
    }
    let target = discover_entry(entry, settings)?;
    match wanted {
        Wanted::Release(text) => {
            let (release, version) = (Version::parse(text)?, Version::parse(&target.version)?);
            (is_numeric(text) && release.same_release(&version)).then_some(target)
        }
        _ => Some(target),
    }
}

/// The known solvers on the `PATH`.
pub fn discover(settings: &Settings) -> Vec<Target> {
    registry::entries(&settings.profiles).iter().filter_map(|entry| discover_entry(entry, settings)).collect()
}

fn discover_entry(entry: &Entry, settings: &Settings) -> Option<Target> {
    let program = entry.executables.iter().find_map(|name| find_executable(name, settings))?;
    let version = version_in(&ask_version(Command::new(&program), &program).ok()?).unwrap_or_default();
    let profile = settings.profiles.get(&entry.profile).ok()?;
    let acceleration = settings.acceleration;
    Some(Target {
        version,
        acceleration,
        ..Target::executable(format!("{}@path", entry.name), program, profile)
    })
}

/// The first executable file called `name` on the search path.
pub fn find_executable(name: &str, settings: &Settings) -> Option<PathBuf> {
    std::env::split_paths(&settings.search_path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|path| check_executable(path).is_ok())
}

/// Checks that the file at `path` can be executed.
fn check_executable(path: &Path) -> Result<(), InstallError> {
    let bad =
        |detail: &str| Err(InstallError::BadProgram { path: path.to_owned(), detail: detail.to_owned() });
    match path.metadata() {
        Err(error) => bad(&error.to_string()),
        Ok(data) if data.is_dir() => bad("is a folder, not a program"),
        Ok(data) if data.permissions().mode() & 0o111 == 0 => bad("is not executable"),
        Ok(_) => Ok(()),
    }
}

fn from_program(path: &Path, settings: &Settings) -> Result<Target, InstallError> {
    check_executable(path)?;
    let path = std::path::absolute(path).map_err(InstallError::io(path))?;
    let printed = ask_version(Command::new(&path), &path)?;
    let file_name = path.file_name().unwrap_or_default().to_string_lossy();
    let entry = registry::entry_of_executable(&settings.profiles, &file_name)
        .or_else(|| named_in(&printed, settings))
        .ok_or_else(|| InstallError::UnknownProgram { path: path.clone() })?;
    let version = version_in(&printed).unwrap_or_default();
    let profile = settings.profiles.get(&entry.profile)?;
    let acceleration = settings.acceleration;
    Ok(Target { version, acceleration, ..Target::executable(path.to_string_lossy(), path.clone(), profile) })
}

/// The solver whose name is in the first line that a program prints for `--version`.
fn named_in(printed: &str, settings: &Settings) -> Option<Entry> {
    let line = printed.lines().next()?.to_ascii_lowercase();
    let words: Vec<&str> = line.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let mut entries = registry::entries(&settings.profiles).into_iter();
    entries.find(|entry| words.iter().any(|word| *word == entry.name))
}

fn from_block(name: &str, block: &SolverBlock, settings: &Settings) -> Result<Target, InstallError> {
    let path = if block.path.components().count() == 1 && !block.path.is_absolute() {
        let name = block.path.to_string_lossy();
        find_executable(&name, settings).ok_or_else(|| InstallError::BadProgram {
            path: block.path.clone(),
            detail: "is not on the PATH".into(),
        })?
    } else {
        block.path.clone()
    };
    check_executable(&path)?;
    let path = std::path::absolute(&path).map_err(InstallError::io(&path))?;
    let env: Vec<(String, String)> =
        block.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let printed = || {
        let mut command = Command::new(&path);
        command.args(&block.args).envs(block.env.iter());
        ask_version(command, &path)
    };
    let profile_name = match &block.profile {
        Some(profile) => profile.clone(),
        None => {
            let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let entry = registry::entry(&settings.profiles, name)
                .or_else(|| registry::entry_of_executable(&settings.profiles, &file_name));
            let entry = match entry {
                Some(entry) => entry,
                None => named_in(&printed()?, settings)
                    .ok_or(InstallError::UnknownProgram { path: path.clone() })?,
            };
            entry.profile
        }
    };
    let version = match &block.version {
        Some(version) => version.clone(),
        None => version_in(&printed()?).unwrap_or_default(),
    };
    Ok(Target {
        id: name.to_owned(),
        profile: settings.profiles.get(&profile_name)?,
        name: profile_name,
        version,
        args: block.args.clone(),
        env,
        kind: TargetKind::Executable,
        coverage: block.coverage,
        acceleration: settings.acceleration,
        program: path,
    })
}
