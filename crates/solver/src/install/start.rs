//! From something installed or found to a [`Target`] that can be started.

use super::cache::Installed;
use super::error::InstallError;
use super::registry::{self, Program};
use super::settings::Settings;
use super::tool;
use super::version::version_in;
use crate::coverage::Source;
use crate::target::{Target, TargetKind};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long a program may take to tell its version.
const VERSION_LIMIT: Duration = Duration::from_secs(20);

/// The driver scripts for Python modules, by name.
const PYTHON_DRIVERS: &[(&str, &str)] = &[("bitwuzla", include_str!("../driver/bitwuzla.py"))];

/// How to start an installed release.
pub fn target_of(installed: &Installed, settings: &Settings) -> Result<Target, InstallError> {
    let profile_name =
        registry::entry(&installed.name).map_or(installed.name.as_str(), |entry| entry.profile());
    let folder = &installed.folder;
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    let (program, args, kind) = match &installed.program {
        Program::Executable { file } => (folder.join(file), Vec::new(), TargetKind::Executable),
        Program::Cvc5Library { directory } => {
            let library = text(folder.join(directory));
            let args = ["__drive", "cvc5", "--library"].map(str::to_owned).into_iter().chain([library]);
            (settings.driver.clone(), args.collect(), TargetKind::LibraryDriver)
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
        name: profile_name.to_owned(),
        version: installed.version.clone(),
        program,
        args,
        env,
        profile: settings.profiles.get(profile_name)?,
        kind,
        coverage: Source::default(),
    })
}

/// The driver script called `name` as a file in the cache, written if it is not there as this program has it.
fn driver_script(name: &str, settings: &Settings) -> Result<PathBuf, InstallError> {
    let (_, script) = PYTHON_DRIVERS.iter().find(|(known, _)| *known == name).ok_or_else(|| {
        InstallError::BadConfig { place: "the registry".into(), detail: format!("no driver called {name}") }
    })?;
    let folder = settings.cache.join("drivers");
    let file = folder.join(format!("{name}.py"));
    if fs::read_to_string(&file).is_ok_and(|text| text == *script) {
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

/// What the program prints when it is asked for its version.
pub fn ask_version(mut command: Command, path: &Path) -> Result<String, InstallError> {
    command.arg("--version");
    let bad = |detail: String| InstallError::BadProgram { path: path.to_owned(), detail };
    let output = tool::probe(command, VERSION_LIMIT)
        .map_err(|error| bad(format!("it cannot be started ({error})")))?;
    if tool::was_killed(&output) {
        return Err(bad(format!("it did not tell its version within {} s", VERSION_LIMIT.as_secs())));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    if text.trim().is_empty() && !output.status.success() {
        let detail = errors.lines().next().unwrap_or("it said nothing").to_owned();
        return Err(bad(format!("it does not run here ({}: {detail})", output.status)));
    }
    Ok(text + &errors)
}

/// Starts what was just unpacked once, since a program that cannot run here must not count as installed.
pub fn try_out(installed: &Installed, settings: &Settings) -> Result<(), InstallError> {
    let target = target_of(installed, settings)?;
    let printed = ask_version(command_of(&target), &target.program)?;
    match version_in(&printed) {
        Some(_) => Ok(()),
        None => Err(InstallError::BadProgram {
            path: target.program,
            detail: format!("it does not tell its version, but says {:?}", printed.trim()),
        }),
    }
}
