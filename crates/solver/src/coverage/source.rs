//! The sources of coverage.

use super::{AflMap, Breakpoints, CoverError, Coverage, Gcov, Llvm};
use crate::run::{RunMode, RunSettings};
use crate::target::Target;
use serde::Deserialize;

/// A minimal script, whose coverage every run has.
pub(super) const MINIMAL_SCRIPT: &str = "(declare-fun probe () Bool)\n(assert probe)\n(check-sat)\n";

/// How coverage is measured: the key `coverage` of a `[solver.NAME]` block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
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

/// Measures the coverage of a solver by its source. Breakpoints are not set in functions that a minimal script reaches.
pub fn watch(
    target: &Target,
    mode: RunMode,
    settings: &RunSettings,
) -> Result<Box<dyn Coverage>, CoverError> {
    Ok(match target.coverage {
        Source::Breakpoints => Box::new(Breakpoints::beyond_start(target, mode, settings)?),
        Source::Afl => Box::new(AflMap::new(target, mode, settings)?),
        Source::Gcov => Box::new(Gcov::new(target, settings)?),
        Source::Llvm => Box::new(Llvm::new(target, settings)?),
    })
}
