//! How a command ends: exit codes that a script can use, and failures that say what to do next.

use case::Hinted;
use std::fmt;
use std::process::ExitCode;

/// What a finished command says to the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Nothing wrong was found: exit code 0.
    Clean,
    /// Something wrong was found (a bug, an ill-typed script, a contradiction): exit code 1.
    Found,
}

/// A command that could not do its work, for reasons of usage or environment: exit code 2.
#[derive(Debug)]
pub struct Failure {
    message: String,
    hint: Option<String>,
}

impl Failure {
    /// A failure with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Failure { message: message.into(), hint: None }
    }

    /// Adds what the user can do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl<E: Hinted> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure { message: error.to_string(), hint: error.hint() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  help: {hint}"),
            None => Ok(()),
        }
    }
}

/// The result of every command.
pub type Outcome = Result<Exit, Failure>;

/// Turns an outcome into the process's exit code, printing a failure to standard error.
pub fn report(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(Exit::Clean) => ExitCode::SUCCESS,
        Ok(Exit::Found) => ExitCode::from(1),
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(2)
        }
    }
}
