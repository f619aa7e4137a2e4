//! The options of a solver, read from the solver itself: names, types, ranges, defaults and help, for any release.

mod bitwuzla;
mod cvc5;
mod help;
mod z3;

use crate::install::{Cache, InstallError, Settings, command_of, probe};
use crate::target::{Target, TargetKind};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Raised whenever catalogues are read differently, so that old ones on disk are not used.
const FORMAT: u32 = 1;

/// How long a solver may take to tell about its options.
const LIMIT: Duration = Duration::from_secs(30);

/// One option of a solver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptionInfo {
    /// The name by which it is set, with its module where the solver wants that: `smt.arith.solver`.
    pub name: String,
    /// Other names of the same option.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The part of the solver it belongs to, if the solver says so.
    pub module: Option<String>,
    /// What values it takes.
    #[serde(flatten)]
    pub kind: OptionKind,
    /// Its value if nobody sets it, if the solver tells.
    pub default: Option<String>,
    /// What it does, in the solver's words.
    pub help: String,
    /// For whom its maintainers mean it, if they say so.
    pub level: Option<Level>,
}

/// What values an option takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum OptionKind {
    /// True or false.
    Bool,
    /// A whole number.
    Int {
        /// The smallest, if known.
        min: Option<i64>,
        /// The largest, if known.
        max: Option<u64>,
    },
    /// A number with a fraction.
    Real {
        /// The smallest, if known.
        min: Option<f64>,
        /// The largest, if known.
        max: Option<f64>,
    },
    /// One of several words.
    Enum {
        /// The words.
        values: Vec<String>,
    },
    /// Any text, such as the name of a file.
    String,
    /// A word of the solver, without a list of those that there are.
    Symbol,
    /// No value: it does something each time it is given.
    Void,
}

/// For whom the maintainers of a solver mean an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Everybody.
    Common,
    /// Users with special needs.
    Regular,
    /// The solver's developers.
    Expert,
    /// Nobody in particular: it is not documented.
    Undocumented,
}

impl Level {
    /// The name that profiles use.
    pub fn name(self) -> &'static str {
        match self {
            Level::Common => "common",
            Level::Regular => "regular",
            Level::Expert => "expert",
            Level::Undocumented => "undocumented",
        }
    }
}

/// A catalogue as it is kept on disk.
#[derive(Serialize, Deserialize)]
struct Stored {
    format: u32,
    options: Vec<OptionInfo>,
}

/// Every option of `target`, sorted by name. For installed releases the answer is kept in the cache.
pub fn catalogue(target: &Target, settings: &Settings) -> Result<Vec<OptionInfo>, InstallError> {
    let file = stored_at(target, settings);
    if let Some(options) = file.as_ref().and_then(read_stored) {
        return Ok(options);
    }
    let mut options = ask(target)?;
    options.sort_by(|a, b| a.name.cmp(&b.name));
    options.dedup_by(|a, b| a.name == b.name);
    if let Some(file) = file {
        store(&file, &options)?;
    }
    Ok(options)
}

/// The file of an installed release's catalogue; a user's own program can change at any time and has none.
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
    // Written aside and renamed, since another process may be reading it.
    let fresh = file.with_extension(format!("json.{}", std::process::id()));
    std::fs::write(&fresh, text).map_err(InstallError::io(&fresh))?;
    std::fs::rename(&fresh, file).map_err(InstallError::io(file))
}

/// Asks the solver in the way that it understands.
fn ask(target: &Target) -> Result<Vec<OptionInfo>, InstallError> {
    let options = match (target.kind, target.name.as_str()) {
        (TargetKind::LibraryDriver, _) => cvc5::parse(&answer(target, &["--list-options"])?),
        (TargetKind::PythonDriver, _) => bitwuzla::parse(&answer(target, &["--list-options"])?),
        (_, "z3") => z3::parse(&answer(target, &["-pd"])?),
        (_, "cvc5" | "cvc4") => {
            let options = help::parse(&answer(target, &["--help"])?);
            let defaults = answer_script(target, &cvc5::script_of_defaults(&options))?;
            cvc5::complete(options, &defaults, |arguments| answer(target, arguments))
        }
        _ => help::parse(&answer(target, &["--help"])?),
    };
    if options.is_empty() {
        return Err(InstallError::BadProgram {
            path: target.program.clone(),
            detail: "it tells of no options in a form that is understood".into(),
        });
    }
    Ok(options)
}

/// What the solver prints when it is started with `arguments`.
fn answer(target: &Target, arguments: &[&str]) -> Result<String, InstallError> {
    let mut command = command_of(target);
    command.args(arguments);
    let output = probe(command, LIMIT).map_err(|error| InstallError::BadProgram {
        path: target.program.clone(),
        detail: format!("it cannot be started ({error})"),
    })?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text + &String::from_utf8_lossy(&output.stderr))
}

/// What the solver prints for a script.
fn answer_script(target: &Target, script: &str) -> Result<String, InstallError> {
    let file = std::env::temp_dir().join(format!("elenchus-options-{}.smt2", std::process::id()));
    std::fs::write(&file, script).map_err(InstallError::io(&file))?;
    let printed = answer(target, &[&file.to_string_lossy()]);
    // A file that cannot be removed does no harm.
    let _ = std::fs::remove_file(&file);
    printed
}
