//! Coverage of instrumented builds: the map of AFL, and the counters of gcov and LLVM.

mod afl;
mod gcov;
mod llvm;

use solver::CoverageSource;
use solver::{Profile, Target};
use std::path::Path;
use std::process::Command;

fn target(program: &Path, coverage: CoverageSource) -> Target {
    Target { coverage, ..Target::executable("program", program, Profile::built_in("z3").unwrap()) }
}

/// Builds the program. `None` if there is no compiler.
fn build(folder: &Path, output: &str, arguments: &[&str]) -> Option<()> {
    build_with("gcc", folder, output, arguments)
}

/// The same with another compiler.
fn build_with(compiler: &str, folder: &Path, output: &str, arguments: &[&str]) -> Option<()> {
    std::fs::write(folder.join("program.c"), include_str!("program.c")).unwrap();
    let status = Command::new(compiler)
        .current_dir(folder)
        .args(["-O1", "-w", "-o", output, "program.c"])
        .args(arguments)
        .status();
    status.is_ok_and(|status| status.success()).then_some(())
}
