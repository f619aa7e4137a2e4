//! Lists the signature files, so that adding a theory means adding a file.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("signatures");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("cannot read the folder of signature files")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "smt2"))
        .collect();
    // Ranks are tried in the order of the files, so it must not depend on the file system.
    files.sort();
    let list: Vec<String> = files
        .iter()
        .map(|path| {
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            format!("({name:?}, include_str!({:?}))", path.display().to_string())
        })
        .collect();
    let target = PathBuf::from(env::var("OUT_DIR").expect("set by cargo")).join("signatures.rs");
    fs::write(target, format!("[{}]", list.join(",\n"))).expect("cannot write to the build folder");
}
