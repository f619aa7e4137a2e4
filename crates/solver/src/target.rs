//! A solver that can be started.

use crate::acceleration::Acceleration;
use crate::profile::Profile;
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::Arc;

/// A solver that can be started: the command line and the profile.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its name in reports: `z3@5.4.0`, `cvc5@1.4.2`, or the name of a configuration block.
    pub id: String,
    /// The name of its profile.
    pub name: String,
    /// Its release number; empty if unknown.
    pub version: String,
    /// The program to start.
    pub program: PathBuf,
    /// Arguments in front of all others, such as those that make our binary a driver.
    pub args: Vec<String>,
    /// Environment variables of the process.
    pub env: Vec<(String, String)>,
    /// Its profile.
    pub profile: Arc<Profile>,
    /// The kind of program.
    pub kind: TargetKind,
    /// How its coverage is measured.
    pub coverage: CoverageSource,
    /// Which techniques make its runs fast.
    pub acceleration: Acceleration,
}

impl Target {
    /// An executable with this profile and an unknown release.
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
            coverage: CoverageSource::default(),
            acceleration: Acceleration::default(),
        }
    }

    /// The same solver with more options on its command line, which become part of its id.
    pub fn configured(&self, options: &[String]) -> Target {
        let mut target = self.clone();
        target.id =
            std::iter::once(&self.id).chain(options).map(String::as_str).collect::<Vec<_>>().join(" ");
        target.args.extend_from_slice(options);
        target
    }
}

/// The kind of program, which decides how it can be kept warm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    /// The solver's own executable.
    Executable,
    /// Our driver over the C interface of the solver's library.
    LibraryDriver,
    /// Our driver script over the solver's Python module.
    PythonDriver,
}

/// How coverage is measured: the key `coverage` of a `[solver.NAME]` block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoverageSource {
    /// Breakpoints in an unmodified executable.
    #[default]
    Breakpoints,
    /// The map of a build by an AFL compiler.
    Afl,
    /// The counters of a build with `--coverage`.
    Gcov,
    /// The counters of a build with `-fprofile-instr-generate`.
    Llvm,
}
