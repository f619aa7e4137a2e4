//! The Markdown files of the repository.

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The files at the root, those of the book, and the front pages of packages, in order.
pub fn pages() -> Vec<PathBuf> {
    let root = root();
    let mut found = markdown_in(&root);
    let mut folders = vec![root.join("docs"), root.join("python")];
    while let Some(folder) = folders.pop() {
        found.extend(markdown_in(&folder));
        folders.extend(entries(&folder).into_iter().filter(|path| path.is_dir()));
    }
    for package in entries(&root.join("crates")) {
        found.extend(markdown_in(&package));
    }
    found.sort();
    found
}

fn markdown_in(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|path| path.extension().is_some_and(|end| end == "md")).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}
