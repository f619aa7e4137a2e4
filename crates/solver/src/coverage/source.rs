//! Where it is known from what a solver reaches.

use super::{AflMap, Breakpoints, CoverError, Coverage, Gcov, Llvm};
use crate::run::{RunMode, RunSettings};
use crate::target::Target;
use serde::Deserialize;

/// What every run of a solver does.
pub(super) const LEAST: &str = "(declare-fun probe () Bool)\n(assert probe)\n(check-sat)\n";

/// Where it is known from what a solver reaches. A block `[solver.NAME]` of the configuration says it for a build of one's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// Breakpoints in a release executable as it is.
    #[default]
    Breakpoints,
    /// The map of a build that an AFL compiler made.
    Afl,
    /// The counters of a build with `--coverage`.
    Gcov,
    /// The counters of a build with `-fprofile-instr-generate`.
    Llvm,
}

/// Watches a solver by the source that it is said to have. Breakpoints leave out what the smallest question reaches.
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
