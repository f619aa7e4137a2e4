//! Seeds for tests: the built-in ones, and the shared corpus where there is one.

use smt::Signatures;
use std::path::{Path, PathBuf};
use strategies::{Seed, StrategyContext};

/// The scripts under a folder, in the order of their names.
pub fn scripts(folder: &Path) -> Vec<Seed> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
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
        Some(Seed::new(path.file_name()?.to_string_lossy(), text))
    };
    files.iter().filter_map(read).collect()
}

/// The built-in seeds.
pub fn built_in() -> Vec<Seed> {
    let seeds = scripts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../campaign/seeds"));
    assert!(!seeds.is_empty(), "the built-in seeds are missing");
    seeds
}

/// The shared corpus; nothing where it is absent.
pub fn corpus() -> Vec<Seed> {
    let shared = match std::env::var_os("ELENCHUS_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let seeds = scripts(&shared.join("corpus"));
    if seeds.is_empty() {
        println!("skipped: no corpus under {} (set ELENCHUS_SHARED to its parent)", shared.display());
    }
    seeds
}

/// The built-in operators and history.
pub fn context() -> StrategyContext {
    StrategyContext::new(Signatures::standard())
}
