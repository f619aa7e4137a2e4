//! Lists the built-in seeds: a new file is a new seed.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("seeds");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut list = Vec::new();
    for theory in entries(&folder).into_iter().filter(|path| path.is_dir()) {
        println!("cargo:rerun-if-changed={}", theory.display());
        for file in entries(&theory).into_iter().filter(|path| path.extension().is_some_and(|e| e == "smt2"))
        {
            let name = file.strip_prefix(&folder).expect("inside the folder").display().to_string();
            list.push(format!("({name:?}, include_str!({:?}))", file.display().to_string()));
        }
    }
    let target = PathBuf::from(env::var("OUT_DIR").expect("set by cargo")).join("seeds.rs");
    fs::write(target, format!("&[{}]", list.join(",\n"))).expect("the build folder is writable");
}

/// The entries of a folder, sorted.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(folder).expect("the folder of seeds");
    let mut paths: Vec<PathBuf> = read.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    paths
}
