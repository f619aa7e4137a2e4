//! Coverage by the map of AFL builds, with and without their fork servers.

use crate::{build, target};
use solver::CoverageSource;
use solver::coverage::{Coverage, Reached, watch};
use solver::run::{Limits, RunSettings};
use solver::{Observation, Outcome, RunMode, RunRequest};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// The size of the map of the builds that report it.
const EDGES: usize = 70_000;

/// A build for each version of the handshake, and one without a server: name, argument, whether it has a server, size of the map.
const BUILDS: [(&str, &str, bool, usize); 4] = [
    ("first", "-DAFL=1", true, 1 << 21),
    ("options", "-DAFL=2", true, EDGES),
    ("version", "-DAFL=3", true, EDGES),
    ("silent", "-DAFL=0", false, 1 << 21),
];

/// Whether an observation is as expected.
type Holds = fn(&Observation) -> bool;

/// Builds all of them. Returns false if there is no compiler.
fn all_built(folder: &Path) -> bool {
    let edges = format!("-DEDGES={EDGES}");
    let built = BUILDS.iter().all(|(name, kind, ..)| build(folder, name, &[kind, &edges]).is_some());
    if !built {
        testing::skip("no gcc on the path");
    }
    built
}

fn watched(folder: &Path, name: &str, mode: RunMode) -> Box<dyn Coverage> {
    watch(&target(&folder.join(name), CoverageSource::Afl), mode, &RunSettings::default()).unwrap()
}

fn run(watched: &mut dyn Coverage, input: &str, limits: Limits) -> (Observation, Reached) {
    watched.run(&RunRequest::new(input).limits(limits)).unwrap()
}

/// The edges of a run through these blocks: one for each pair of neighbours.
fn edges(marks: &[usize]) -> BTreeSet<usize> {
    let before = std::iter::once(0).chain(marks.iter().map(|mark| mark >> 1));
    marks.iter().zip(before).map(|(mark, before)| mark ^ before).collect()
}

#[test]
fn every_handshake_gives_the_same_edges() {
    let folder = tempfile::tempdir().unwrap();
    if !all_built(folder.path()) {
        return;
    }
    let table: [(&str, &[usize]); 5] =
        [("x", &[1]), ("a", &[1, 100]), ("b", &[1, 200, 100]), ("cc", &[1, 300, 300]), ("a", &[1, 100])];
    for (name, _, serves, places) in BUILDS {
        for mode in [RunMode::Fork, RunMode::OneShot] {
            let mut afl = watched(folder.path(), name, mode);
            assert_eq!((afl.points(), afl.kind()), (places, "edges"), "{name}");
            for (input, marks) in table {
                let (seen, reached) = run(afl.as_mut(), input, Limits::default());
                assert_eq!((seen.stdout.as_str(), seen.outcome), ("sat\n", Outcome::Answered), "{name}");
                assert_eq!(
                    reached.iter().map(|point| point.get()).collect::<BTreeSet<_>>(),
                    edges(marks),
                    "{name} {input}"
                );
                let served = serves && mode == RunMode::Fork;
                assert_eq!(
                    seen.mode,
                    if served { RunMode::Fork } else { RunMode::OneShot },
                    "{:?}",
                    seen.fallback
                );
            }
        }
    }
}

#[test]
fn options_are_passed_and_the_working_folder_is_cleaned() {
    let folder = tempfile::tempdir().unwrap();
    if !all_built(folder.path()) {
        return;
    }
    let mut afl = watched(folder.path(), "version", RunMode::Fork);
    let options = ["-fail".to_owned()];
    for (options, code) in [(&[][..], 0), (&options, 3), (&[], 0)] {
        let (seen, _) = afl.run(&RunRequest::new("a").options(options)).unwrap();
        assert_eq!((seen.exit, seen.mode), (solver::run::Exit::Code(code), RunMode::Fork));
    }
    // A file of one run is gone in the next.
    for input in ["W", "a"] {
        assert_eq!(run(afl.as_mut(), input, Limits::default()).0.stdout, "sat\n", "{input}");
    }
}

#[test]
fn limits_hold_for_the_children_of_a_server() {
    let folder = tempfile::tempdir().unwrap();
    if !all_built(folder.path()) {
        return;
    }
    // Only the run that never ends has a short limit; the others reach theirs on the slowest machine before a minute is over.
    let small =
        Limits { wall: Duration::from_secs(60), memory: 64 << 20, output: 1 << 16, ..Limits::default() };
    let short = Limits { wall: Duration::from_millis(200), ..small };
    for name in ["first", "options", "version"] {
        let mut afl = watched(folder.path(), name, RunMode::Fork);
        let table: [(&str, Limits, Holds); 5] = [
            ("aH", short, |seen| seen.outcome == Outcome::Timeout),
            ("aP", small, |seen| seen.outcome == Outcome::OutputLimit),
            ("aM", small, |seen| seen.outcome == Outcome::OutOfMemory),
            ("aC", small, |seen| matches!(seen.outcome, Outcome::Crash(_)) && seen.fallback.is_some()),
            ("aF", small, |seen| seen.orphans == 1 && seen.outcome == Outcome::Answered),
        ];
        for (input, limits, holds) in table {
            let (seen, reached) = run(afl.as_mut(), input, limits);
            assert!(holds(&seen), "{name} {input}: {seen:?}");
            // A run that is killed may not have come far.
            let expected = edges(&[1, 100]);
            let reached: BTreeSet<usize> = reached.iter().map(|point| point.get()).collect();
            assert!(reached.is_subset(&expected), "{name} {input}: {reached:?}");
            assert!(seen.outcome == Outcome::Timeout || reached == expected, "{name} {input}: {reached:?}");
            let (after, _) = run(afl.as_mut(), "a", small);
            assert_eq!(
                (after.outcome, after.mode),
                (Outcome::Answered, RunMode::Fork),
                "{name} after {input}"
            );
        }
        drop(afl);
        assert_eq!(processes_of(&folder.path().join(name)), 0, "{name}");
    }
}

/// The number of processes that run a program.
fn processes_of(program: &Path) -> usize {
    let folders = std::fs::read_dir("/proc").unwrap().flatten();
    folders
        .filter(|entry| std::fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe == program))
        .count()
}

#[test]
fn a_plain_build_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    if build(folder.path(), "plain", &[]).is_none() {
        testing::skip("no gcc on the path");
        return;
    }
    let plain = target(&folder.path().join("plain"), CoverageSource::Afl);
    let error = watch(&plain, RunMode::Fork, &RunSettings::default()).err().unwrap().to_string();
    assert!(error.contains("does not write to the map of AFL"), "{error}");
}
