//! Reads seeds from a folder.

use std::path::{Path, PathBuf};
use strategies::Seed;

/// The `.smt2` files under a folder, sorted by path.
pub fn seeds(folder: &Path) -> Vec<Seed> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "smt2") {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).ok()?;
        Some(Seed::new(path.display().to_string(), text))
    };
    files.iter().filter_map(read).collect()
}
