//! The sources of coverage.

use super::{AflMap, Breakpoints, CoverError, Coverage, Gcov, Llvm};
use crate::run::{RunMode, RunSettings};
use crate::target::{CoverageSource, Target};

/// A minimal script, whose coverage every run has.
pub(super) const MINIMAL_SCRIPT: &str = "(declare-fun probe () Bool)\n(assert probe)\n(check-sat)\n";

/// Measures the coverage of a solver by its source. Breakpoints are not set in functions that a minimal script reaches.
pub fn watch(
    target: &Target,
    mode: RunMode,
    settings: &RunSettings,
) -> Result<Box<dyn Coverage>, CoverError> {
    Ok(match target.coverage {
        CoverageSource::Breakpoints => Box::new(Breakpoints::beyond_start(target, mode, settings)?),
        CoverageSource::Afl => Box::new(AflMap::new(target, mode, settings)?),
        CoverageSource::Gcov => Box::new(Gcov::new(target, settings)?),
        CoverageSource::Llvm => Box::new(Llvm::new(target, settings)?),
    })
}
