//! Makes a [`Target`] of an installed release, and starts it once to see that it works.

use super::cache::Installed;
use super::error::InstallError;
use super::registry;
use super::settings::Settings;
use super::tool;
use super::version::version_in;
use crate::driver;
use crate::profile::Program;
use crate::target::{CoverageSource, Target, TargetKind};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long a program may take to print its version.
const VERSION_LIMIT: Duration = Duration::from_secs(20);

/// The target that starts an installed release.
pub fn target_of(installed: &Installed, settings: &Settings) -> Result<Target, InstallError> {
    let profile_name = registry::entry(&settings.profiles, &installed.name)
        .map_or_else(|| installed.name.clone(), |entry| entry.profile);
    let folder = &installed.folder;
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    let (program, args, kind) = match &installed.program {
        Program::Executable { file } => (folder.join(file), Vec::new(), TargetKind::Executable),
        Program::Library { driver, directory } => {
            let library = text(folder.join(directory));
            let args = vec!["__drive".to_owned(), driver.clone(), "--library".to_owned(), library];
            (settings.driver.clone(), args, TargetKind::LibraryDriver)
        }
        Program::Python { driver, directory } => {
            let script = driver_script(driver, settings)?;
            let python = installed.python.clone().unwrap_or_else(|| settings.python.clone());
            let args = vec!["-I".into(), "-S".into(), text(script), text(folder.join(directory))];
            (python, args, TargetKind::PythonDriver)
        }
    };
    let mut env = Vec::new();
    if !installed.libraries.is_empty() {
        let mut folders: Vec<String> =
            installed.libraries.iter().map(|library| text(folder.join(library))).collect();
        folders.extend(std::env::var("LD_LIBRARY_PATH").ok().filter(|value| !value.is_empty()));
        env.push(("LD_LIBRARY_PATH".to_owned(), folders.join(":")));
    }
    Ok(Target {
        id: installed.id(),
        version: installed.version.clone(),
        program,
        args,
        env,
        profile: settings.profiles.get(&profile_name)?,
        name: profile_name,
        kind,
        coverage: CoverageSource::default(),
        acceleration: settings.acceleration,
    })
}

/// The path of the driver script called `name` in the cache. Writes the file unless it is up to date.
fn driver_script(name: &str, settings: &Settings) -> Result<PathBuf, InstallError> {
    let script = driver::python_script(name).ok_or_else(|| InstallError::BadConfig {
        location: "`[install]` of a profile".into(),
        detail: format!("no driver is called `{name}`"),
    })?;
    let folder = settings.cache.join("drivers");
    let file = folder.join(format!("{name}.py"));
    if fs::read_to_string(&file).is_ok_and(|text| text == script) {
        return Ok(file);
    }
    fs::create_dir_all(&folder).map_err(InstallError::io(&folder))?;
    let fresh = folder.join(format!("{name}.py.{}", std::process::id()));
    fs::write(&fresh, script).map_err(InstallError::io(&fresh))?;
    fs::rename(&fresh, &file).map_err(InstallError::io(&file))?;
    Ok(file)
}

/// A command that starts `target` with its fixed arguments and environment.
pub fn command_of(target: &Target) -> Command {
    let mut command = Command::new(&target.program);
    command.args(&target.args).envs(target.env.iter().map(|(name, value)| (name, value)));
    command
}

/// What the program prints for `--version`.
pub fn ask_version(mut command: Command, path: &Path) -> Result<String, InstallError> {
    command.arg("--version");
    let bad = |detail: String| InstallError::BadProgram { path: path.to_owned(), detail };
    let output =
        tool::probe(&command, VERSION_LIMIT).map_err(|error| bad(format!("cannot be started ({error})")))?;
    if tool::was_killed(&output) {
        return Err(bad(format!("did not print its version within {} s", VERSION_LIMIT.as_secs())));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    if text.trim().is_empty() && !output.status.success() {
        let detail = errors.lines().next().unwrap_or("no output").to_owned();
        return Err(bad(format!("does not run on this machine ({}: {detail})", output.status)));
    }
    Ok(text + &errors)
}

/// Starts a freshly unpacked release once: a program that does not run here must not count as installed.
pub fn try_out(installed: &Installed, settings: &Settings) -> Result<(), InstallError> {
    let target = target_of(installed, settings)?;
    let printed = ask_version(command_of(&target), &target.program)?;
    match version_in(&printed) {
        Some(_) => Ok(()),
        None => Err(InstallError::BadProgram {
            path: target.program,
            detail: format!("prints no version for `--version`, but {:?}", printed.trim()),
        }),
    }
}
