//! Lists the profiles of solvers and of checkers of proofs, and compiles the two native programs (the supervisor and the preloaded library).
//!
//! Both become part of the crate, so a new profile is just a file and the native programs need no installation.

use std::env;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=native");
    println!("cargo::rerun-if-changed=profiles");
    println!("cargo::rerun-if-changed=checkers");
    println!("cargo::rerun-if-changed=build.rs");
    let system = env::var("CARGO_CFG_TARGET_OS").expect("cargo sets CARGO_CFG_TARGET_OS");
    assert!(
        system == "linux",
        "Elenchus supervises, confines and measures solvers through interfaces of Linux. On {system}, run it in a container: see \
         docs/install.md"
    );
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    list_files("profiles", "FILES", &out.join("profiles.rs"));
    list_files("checkers", "CHECKERS", &out.join("checkers.rs"));
    for (source, kind, product) in
        [("supervisor.rs", "bin", "supervisor"), ("preload.rs", "cdylib", "preload.so")]
    {
        compile(source, kind, &out.join(product));
    }
}

/// Writes a constant with the name and text of every `NAME.toml` of a folder, sorted by name.
fn list_files(folder: &str, constant: &str, product: &Path) {
    let folder =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR")).join(folder);
    let entries = folder.read_dir().unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort_by_key(|path| path.file_stem().map(ToOwned::to_owned));
    let mut text = format!("const {constant}: &[(&str, &str)] = &[\n");
    for file in &files {
        let name = file.file_stem().and_then(|stem| stem.to_str()).expect("profiles have UTF-8 names");
        let path = file.to_str().expect("the path is UTF-8");
        writeln!(text, "    ({name:?}, include_str!({path:?})),").expect("a string accepts any text");
    }
    text.push_str("];\n");
    std::fs::write(product, text).expect("OUT_DIR is writable");
}

fn compile(source: &str, kind: &str, product: &Path) {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let target = env::var("TARGET").expect("cargo sets TARGET");
    let mut command = Command::new(rustc);
    command
        .args(["--edition", "2024", "--crate-type", kind, "--crate-name", "native", "--target", &target])
        .args(["-C", "opt-level=2", "-C", "panic=abort", "-C", "strip=symbols", "-C", "codegen-units=1"])
        .args(["-D", "warnings"])
        .arg("-o")
        .arg(product)
        .arg(PathBuf::from("native").join(source));
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut option = std::ffi::OsString::from("linker=");
        option.push(linker);
        command.arg("-C").arg(option);
    }
    let status = command.status().unwrap_or_else(|error| panic!("cannot start rustc: {error}"));
    assert!(status.success(), "native/{source} does not compile: {status}");
}
