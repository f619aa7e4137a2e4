//! Compiles the two native programs (the supervisor and the preloaded library) with the same compiler, so that they
//! can be built into the crate and need no installation of their own.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=native");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for (source, kind, product) in
        [("supervisor.rs", "bin", "supervisor"), ("preload.rs", "cdylib", "preload.so")]
    {
        compile(source, kind, &out.join(product));
    }
}

fn compile(source: &str, kind: &str, product: &std::path::Path) {
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
    let status = command.status().unwrap_or_else(|error| panic!("rustc could not be started: {error}"));
    assert!(status.success(), "native/{source} does not compile: {status}");
}
