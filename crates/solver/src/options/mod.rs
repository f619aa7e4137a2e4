//! The options of a solver, as the solver itself lists them: names, types, ranges, defaults and descriptions.

mod cvc5;
mod display;
mod help;
mod info;
mod tab_separated;
mod z3;

pub use info::{Level, OptionInfo, OptionKind};

use crate::install::{Cache, InstallError, Settings, command_of, probe};
use crate::profile::CatalogueFormat;
use crate::target::{Target, TargetKind};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// The format of stored catalogues. Increase it when they are read differently, so that old files are ignored.
const FORMAT: u32 = 1;

/// How long a solver may take to list its options.
const LIMIT: Duration = Duration::from_secs(5);

/// A catalogue on disk.
#[derive(Serialize, Deserialize)]
struct Stored {
    format: u32,
    options: Vec<OptionInfo>,
}

/// Every option of `target`, sorted by name. The lists of installed releases are cached.
pub fn catalogue(target: &Target, settings: &Settings) -> Result<Vec<OptionInfo>, InstallError> {
    let file = stored_at(target, settings);
    if let Some(options) = file.as_ref().and_then(read_stored) {
        return Ok(options);
    }
    let mut options = list(target)?;
    options.sort_by(|a, b| a.name.cmp(&b.name));
    options.dedup_by(|a, b| a.name == b.name);
    if let Some(file) = file {
        store(&file, &options)?;
    }
    Ok(options)
}

/// The file for an installed release's catalogue. A user's own program can change at any time and has none.
fn stored_at(target: &Target, settings: &Settings) -> Option<PathBuf> {
    let (name, label) = target.id.split_once('@')?;
    Cache::new(&settings.cache).find(name, label)?;
    Some(settings.cache.join("options").join(format!("{}.json", target.id)))
}

fn read_stored(file: &PathBuf) -> Option<Vec<OptionInfo>> {
    let stored: Stored = serde_json::from_str(&std::fs::read_to_string(file).ok()?).ok()?;
    (stored.format == FORMAT).then_some(stored.options)
}

fn store(file: &PathBuf, options: &[OptionInfo]) -> Result<(), InstallError> {
    let folder = file.with_file_name("");
    std::fs::create_dir_all(&folder).map_err(InstallError::io(&folder))?;
    let stored = Stored { format: FORMAT, options: options.to_vec() };
    let text = serde_json::to_string(&stored)
        .map_err(|error| InstallError::Io { path: file.clone(), error: std::io::Error::other(error) })?;
    // Renamed into place, since another process may be reading it.
    let fresh = file.with_extension(format!("json.{}", std::process::id()));
    std::fs::write(&fresh, text).map_err(InstallError::io(&fresh))?;
    std::fs::rename(&fresh, file).map_err(InstallError::io(file))
}

/// Makes the solver list its options, as its profile says.
fn list(target: &Target) -> Result<Vec<OptionInfo>, InstallError> {
    let rules = &target.profile.options;
    let catalogue = match (target.kind, &rules.driver_catalogue) {
        (TargetKind::LibraryDriver | TargetKind::PythonDriver, Some(catalogue)) => catalogue,
        _ => &rules.catalogue,
    };
    let arguments: Vec<&str> = catalogue.args.iter().map(String::as_str).collect();
    let text = output_of(target, &arguments)?;
    let options = match catalogue.format {
        CatalogueFormat::HelpColumns => help::parse(&text),
        CatalogueFormat::HelpAndGetOption => {
            let options = help::parse(&text);
            let defaults = output_of_script(target, &cvc5::script_of_defaults(&options))?;
            cvc5::complete(options, &defaults, |arguments| output_of(target, arguments))
        }
        CatalogueFormat::Z3Parameters => z3::parse(&text),
        CatalogueFormat::Cvc5Api => cvc5::parse(&text),
        CatalogueFormat::TabSeparated => tab_separated::parse(&text),
    };
    if options.is_empty() {
        return Err(InstallError::BadProgram {
            path: target.program.clone(),
            detail: "lists no options in the format that its profile states".into(),
        });
    }
    Ok(options)
}

/// What the solver prints for `arguments`.
fn output_of(target: &Target, arguments: &[&str]) -> Result<String, InstallError> {
    let mut command = command_of(target);
    command.args(arguments);
    let output = probe(&command, LIMIT).map_err(|error| InstallError::BadProgram {
        path: target.program.clone(),
        detail: format!("cannot be started ({error})"),
    })?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text + &String::from_utf8_lossy(&output.stderr))
}

/// What the solver prints for a script.
fn output_of_script(target: &Target, script: &str) -> Result<String, InstallError> {
    let file = std::env::temp_dir().join(format!("elenchus-options-{}.smt2", std::process::id()));
    std::fs::write(&file, script).map_err(InstallError::io(&file))?;
    let printed = output_of(target, &[&file.to_string_lossy()]);
    // A file that is left over does no harm.
    let _ = std::fs::remove_file(&file);
    printed
}
