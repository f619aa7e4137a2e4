//! Programs of our own that make a solver's library an SMT-LIB executable.
//!
//! A driver runs as a process of its own, so that a solver that crashes takes nothing with it.

mod commands;
mod cvc5;
mod cvc5_api;
mod cvc5_options;
mod signals;

use std::ffi::OsString;
use std::path::PathBuf;

/// The library of cvc5 that a driver with these arguments loads.
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
            eprintln!("there is no driver for `{other}`; there is one for cvc5");
            2
        }
        None => {
            eprintln!("usage: cvc5 --library FOLDER [option…] [FILE]");
            2
        }
    }
}
