//! Function coverage by breakpoints agrees with an instrumented build, and works on real solvers.

use solver::coverage::{Breakpoints, Coverage};
use solver::install::{Settings, resolve};
use solver::run::RunSettings;
use solver::{Outcome, Profile, RunMode, RunRequest, Target};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// A program that calls a function for each letter of its input, some through pointers, templates, virtual calls and exceptions.
const PROGRAM: &str = r#"
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
#define KEEP __attribute__((noinline, used))
extern "C" {
KEEP int piece_a(int x) { return x + 1; }
KEEP int piece_b(int x) { return x > 100 ? x : piece_a(x) * 2; }
KEEP int piece_c(int x) { if (x > 3) throw std::runtime_error("c"); return x; }
KEEP int piece_d(int x) { try { return piece_c(x + 10); } catch (const std::exception &) { return piece_b(x); } }
KEEP int piece_never(int x) { return x * 7; }
}
template <class T> KEEP T piece_t(T x) { return x - 3; }
struct Shape { virtual int area(int) = 0; virtual ~Shape() {} };
struct Square : Shape { KEEP int area(int x) override { return x * x; } };
struct Round : Shape { KEEP int area(int x) override { return 3 * x; } };
int (*volatile chosen)(int) = piece_b;
KEEP Shape *make(char c) { if (c == 's') return new Square; return new Round; }
int main(int argc, char **argv) {
    FILE *file = fopen(argv[argc - 1], "r");
    int c, x = 1;
    while ((c = fgetc(file)) != EOF) {
        if (c == 'a') x = piece_a(x);
        if (c == 'b') x = chosen(x);
        if (c == 'd') x = piece_d(x);
        if (c == 't') x = piece_t<long>(x) + piece_t<int>(x);
        if (c == 's' || c == 'r') { Shape *shape = make((char)c); x = shape->area(x); delete shape; }
    }
    printf(x == -12345 ? "unsat\n" : "sat\n");
    return 0;
}
"#;

/// Writes the name of every function that the instrumented build enters.
const TRACER: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *f, void *c) { (void)f; (void)c; }
__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *f, void *c) {
    Dl_info info; (void)c;
    if (dladdr(f, &info) && info.dli_sname) fprintf(stderr, "%s\n", info.dli_sname);
}
"#;

fn compile(folder: &Path, output: &str, arguments: &[&str]) -> bool {
    let status = Command::new("g++").current_dir(folder).args(["-O1", "-o", output]).args(arguments).status();
    status.is_ok_and(|status| status.success())
}

fn target(program: &Path) -> Target {
    Target::executable("program", program, Profile::built_in("z3").unwrap())
}

#[test]
fn the_same_functions_as_an_instrumented_build() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("program.cpp"), PROGRAM).unwrap();
    std::fs::write(at("tracer.c"), TRACER).unwrap();
    let instrumented = compile(
        folder.path(),
        "instrumented",
        &["-finstrument-functions", "-rdynamic", "program.cpp", "-x", "c", "tracer.c", "-ldl"],
    );
    if !instrumented {
        testing::skip("no g++ on the path");
        return;
    }
    let builds: [(&str, &[&str]); 2] =
        [("pie", &["-pie", "-fPIE", "program.cpp"]), ("fixed", &["-no-pie", "program.cpp"])];
    for (name, arguments) in builds {
        assert!(compile(folder.path(), name, arguments), "{name}");
        let mut watched =
            Breakpoints::new(&target(&at(name)), RunMode::OneShot, &RunSettings::default()).unwrap();
        for input in ["", "a", "b", "d", "t", "s", "r", "abd", "sr", "abdtsr"] {
            std::fs::write(at("input"), input).unwrap();
            let traced = Command::new(at("instrumented")).arg(at("input")).output().unwrap();
            let wanted: BTreeSet<String> =
                String::from_utf8_lossy(&traced.stderr).lines().map(str::to_owned).collect();
            let (observation, reached) = watched.run(&RunRequest::new(input)).unwrap();
            assert_eq!(observation.stdout, "sat\n", "{name} {input}");
            let reached: BTreeSet<String> =
                reached.iter().filter_map(|point| watched.name(point).map(str::to_owned)).collect();
            // Functions of the compiler and the C library have no name in the instrumented build, and inlined code is no function.
            let named = |name: &&String| !name.starts_with('_') || name.starts_with("_Z");
            let ours: BTreeSet<&String> = reached.iter().filter(named).filter(|one| is_ours(one)).collect();
            let theirs: BTreeSet<&String> = wanted.iter().filter(|one| is_ours(one)).collect();
            assert_eq!(ours, theirs, "{name} {input}");
        }
    }
}

/// Whether a function is one of those that must not be inlined.
fn is_ours(name: &str) -> bool {
    name == "main" || ["piece_", "area", "make"].iter().any(|part| name.contains(part))
}

/// The error says why breakpoints are not possible.
#[test]
fn the_error_says_why_breakpoints_are_impossible() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, "#!/bin/sh\necho sat\n").unwrap();
    for (program, why) in
        [(script.as_path(), "cannot set breakpoints"), (Path::new("/does/not/exist"), "cannot read")]
    {
        let error =
            Breakpoints::new(&target(program), RunMode::OneShot, &RunSettings::default()).err().unwrap();
        assert!(error.to_string().contains(why), "{error}");
    }
}

/// Real solvers, in both modes: the same functions each time, other functions for other theories, and the same answers.
#[test]
fn solvers_reach_what_their_scripts_need() {
    if !cfg!(target_arch = "x86_64") {
        testing::not_applicable("breakpoints need 64-bit x86");
        return;
    }
    let settings = Settings::from_environment().unwrap();
    let target = resolve("z3@latest", &settings).unwrap();
    let strings = "(declare-const s String)(assert (str.in_re s (re.+ (str.to_re \"ab\"))))(assert (> (str.len s) 3))(check-sat)";
    let bits = "(declare-const x (_ BitVec 8))(assert (= (bvmul x x) #x31))(check-sat)";
    let mut by_way = Vec::new();
    for mode in [RunMode::OneShot, RunMode::Fork] {
        let mut watched = Breakpoints::beyond_start(&target, mode, &RunSettings::default()).unwrap();
        assert!(watched.points() > 10_000);
        let mut run = |script: &str| {
            let (observation, reached) = watched.run(&RunRequest::new(script)).unwrap();
            assert_eq!((observation.outcome, observation.stdout.as_str()), (Outcome::Answered, "sat\n"));
            reached
        };
        let (first, again, other) = (run(strings), run(strings), run(bits));
        assert_eq!(first.differences(&again), 0, "{mode}");
        assert!(first.differences(&other) > 200, "{mode}: {}", first.differences(&other));
        by_way.push(first);
    }
    // A server differs from a plain process by a few functions: those that read the warm-up.
    let apart = by_way[0].differences(&by_way[1]);
    assert!(apart < 200, "{apart} functions of {} differ", by_way[0].count());
}
