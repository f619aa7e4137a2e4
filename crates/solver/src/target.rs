//! A solver that can be started, wherever it came from.

use crate::coverage::Source;
use crate::profile::Profile;
use std::path::PathBuf;
use std::sync::Arc;

/// A solver that can be started: what to run and how it is known.
#[derive(Clone, Debug)]
pub struct Target {
    /// How people and reports name it: `z3@5.4.0`, `cvc5@1.4.2`, or the name of a configuration block.
    pub id: String,
    /// The name of the profile that describes its behaviour.
    pub name: String,
    /// Its release, in the solver's own numbering; empty if it could not be found out.
    pub version: String,
    /// The program to start.
    pub program: PathBuf,
    /// Arguments that come before all others, such as those that make our own binary a driver.
    pub args: Vec<String>,
    /// Variables added to the environment of the process.
    pub env: Vec<(String, String)>,
    /// What is known about this solver.
    pub profile: Arc<Profile>,
    /// What kind of program it is.
    pub kind: TargetKind,
    /// Where it is known from what it reaches.
    pub coverage: Source,
}

impl Target {
    /// An executable whose profile is known, and nothing else about it.
    pub fn executable(id: impl Into<String>, program: impl Into<PathBuf>, profile: Arc<Profile>) -> Target {
        Target {
            id: id.into(),
            name: profile.name.clone(),
            version: String::new(),
            program: program.into(),
            args: Vec::new(),
            env: Vec::new(),
            profile,
            kind: TargetKind::Executable,
            coverage: Source::default(),
        }
    }

    /// The same solver with options that are always on its command line. Its name tells them.
    pub fn configured(&self, options: &[String]) -> Target {
        let mut target = self.clone();
        target.id =
            std::iter::once(&self.id).chain(options).map(String::as_str).collect::<Vec<_>>().join(" ");
        target.args.extend_from_slice(options);
        target
    }
}

/// What kind of program a target is, which decides how it can be kept warm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    /// The solver's own executable.
    Executable,
    /// A driver of ours that loads the solver's library through its C interface.
    LibraryDriver,
    /// A driver of ours that runs in Python on the solver's binding.
    PythonDriver,
}
