//! How a command ends: exit codes for scripts, and failures with a hint.

use case::Hinted;
use std::fmt;
use std::process::ExitCode;

/// The result of a finished command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Nothing wrong: exit code 0.
    Clean,
    /// A bug, an ill-typed script, a contradiction: exit code 1.
    Found,
}

/// A usage error or a problem of the environment: exit code 2.
#[derive(Debug)]
pub struct Failure {
    /// What is wrong.
    pub message: String,
    hint: Option<String>,
}

impl Failure {
    /// A failure with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Failure { message: message.into(), hint: None }
    }

    /// Adds the next step for the user.
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

/// The exit code of an outcome. Prints a failure to standard error.
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
