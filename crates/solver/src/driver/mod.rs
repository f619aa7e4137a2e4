//! Drivers: programs of ours that make an SMT-LIB executable of a solver's library.
//!
//! A driver runs as a separate process, so a crash of the solver affects nothing else.

mod commands;
mod cvc5;
mod cvc5_api;
mod cvc5_options;
mod signals;

use std::ffi::OsString;
use std::path::PathBuf;

/// The driver scripts for Python modules, by name.
const PYTHON_SCRIPTS: &[(&str, &str)] = &[("bitwuzla", include_str!("bitwuzla.py"))];

/// The driver script for a Python module.
pub(crate) fn python_script(name: &str) -> Option<&'static str> {
    PYTHON_SCRIPTS.iter().find(|(known, _)| *known == name).map(|(_, script)| *script)
}

/// The library that a cvc5 driver with these arguments loads.
pub(crate) fn cvc5_library(arguments: &[String]) -> Result<PathBuf, String> {
    let folder = cvc5_options::library_of(arguments).ok_or("option `--library' is missing".to_owned())?;
    cvc5_api::find_library(&folder, "libcvc5")
}

/// Runs the driver that `arguments` name, such as `cvc5 --library FOLDER [option…] [FILE]`, and returns its exit code.
pub fn drive(arguments: impl IntoIterator<Item = OsString>) -> i32 {
    let mut arguments = arguments.into_iter().map(|argument| argument.to_string_lossy().into_owned());
    match arguments.next().as_deref() {
        Some("cvc5") => cvc5::main(&arguments.collect::<Vec<_>>()),
        Some(other) => {
            eprintln!("no driver for `{other}`; the only driver is that of cvc5");
            2
        }
        None => {
            eprintln!("usage: cvc5 --library FOLDER [option…] [FILE]");
            2
        }
    }
}
