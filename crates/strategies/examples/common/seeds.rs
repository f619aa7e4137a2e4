//! Reads seeds from a folder.

use std::path::{Path, PathBuf};
use strategies::Seed;

/// The `.smt2` files under a folder, sorted by path.
pub fn seeds(folder: &Path) -> Vec<Seed> {
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).ok()?;
        Some(Seed::new(path.display().to_string(), text))
    };
    testing::scripts(folder).iter().filter_map(read).collect()
}
