//! Coverage by the counters of LLVM, for builds of clang and of rustc.

use crate::{build_with, target};
use solver::CoverageSource;
use solver::coverage::{Coverage, CoveragePoint, watch};
use solver::run::RunSettings;
use solver::{RunMode, RunRequest, Target};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The program of the other tests in another language.
const RUST: &str = r#"
#[inline(never)]
#[unsafe(no_mangle)]
fn piece_a(x: i32) -> i32 { x + 1 }
#[inline(never)]
#[unsafe(no_mangle)]
fn piece_b(x: i32) -> i32 { if x > 100 { x } else { piece_a(x) * 2 } }
#[inline(never)]
#[unsafe(no_mangle)]
fn piece_c(x: i32) -> i32 { x - 3 }
#[inline(never)]
#[unsafe(no_mangle)]
fn piece_never(x: i32) -> i32 { x * 7 }
fn main() {
    let text = std::fs::read_to_string(std::env::args().last().unwrap()).unwrap();
    let mut x = 1;
    for c in text.chars() {
        x = match c {
            'a' => piece_a(x),
            'b' => piece_b(x),
            'c' => piece_c(x),
            'n' if x == -12345 => piece_never(x),
            _ => x,
        };
    }
    println!("sat");
}
"#;

/// The coverage of a build, if the installed tools can read its counters.
fn watched(program: &Path) -> Option<Box<dyn Coverage>> {
    let target: Target = target(program, CoverageSource::Llvm);
    match watch(&target, RunMode::Fork, &RunSettings::default()) {
        Ok(watched) => Some(watched),
        Err(error) => {
            let error = error.to_string();
            // Tools do not read the counters of other releases of the compiler.
            assert!(error.contains("llvm-profdata"), "{error}");
            testing::not_applicable(error);
            None
        }
    }
}

/// Each input reaches exactly the functions of its letters.
fn check(counted: &mut dyn Coverage) {
    assert_eq!(counted.kind(), "functions");
    for (input, expected) in [("x", ""), ("a", "a"), ("b", "ab"), ("c", "c"), ("abc", "abc"), ("n", "")] {
        let (observation, reached) = counted.run(&RunRequest::new(input)).unwrap();
        assert_eq!(observation.stdout, "sat\n");
        let names = reached.iter().filter_map(|point| counted.name(point));
        let pieces: BTreeSet<String> =
            names.filter_map(|name| name.strip_prefix("piece_")).map(str::to_owned).collect();
        assert_eq!(pieces, expected.chars().map(String::from).collect(), "{input}");
    }
    let all: Vec<_> = CoveragePoint::all(counted.points()).filter_map(|point| counted.name(point)).collect();
    assert!(all.contains(&"piece_never"), "{all:?}");
}

#[test]
fn builds_of_clang_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    if build_with("clang", folder.path(), "counted", &["-fprofile-instr-generate"]).is_none() {
        // The build of rustc tests the same code.
        testing::not_applicable("no clang on the path");
        return;
    }
    if let Some(mut counted) = watched(&folder.path().join("counted")) {
        check(counted.as_mut());
    }
}

#[test]
fn builds_of_rustc_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("program.rs"), RUST).unwrap();
    let arguments = ["-C", "instrument-coverage", "--edition", "2024", "-O", "-o", "counted", "program.rs"];
    let built = Command::new("rustc").current_dir(folder.path()).args(arguments).status();
    if !built.is_ok_and(|status| status.success()) {
        testing::skip("no rustc on the path that can instrument");
        return;
    }
    if let Some(mut counted) = watched(&folder.path().join("counted")) {
        check(counted.as_mut());
    }
}

#[test]
fn a_plain_build_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    if build_with("gcc", folder.path(), "plain", &[]).is_none() {
        testing::skip("no gcc on the path");
        return;
    }
    let plain = target(&folder.path().join("plain"), CoverageSource::Llvm);
    let error = watch(&plain, RunMode::Fork, &RunSettings::default()).err().unwrap().to_string();
    assert!(error.contains("writes no counters"), "{error}");
}
