//! Builds that tell themselves what they reach: the map of AFL, and the counters of gcov.

use solver::coverage::{Breakpoints, Coverage, Source, watch};
use solver::run::RunSettings;
use solver::{Profile, RunRequest, Target, Way};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// A program with a function for each letter of its input. `HIT` marks an edge, if it is built for AFL.
const PROGRAM: &str = r#"
#include <stdio.h>
#define KEEP __attribute__((noinline, used))
#ifdef AFL
#include <stdlib.h>
#include <sys/shm.h>
static unsigned char small[65536], *map = small;
static unsigned before;
#define HIT(here) (map[((here) ^ before) & 65535]++, before = (here) >> 1)
/* What the runtime of AFL does: attach the map, greet a fork server that is not there, and go on. */
#include <unistd.h>
__attribute__((constructor)) static void attach(void) {
    const char *id = getenv("__AFL_SHM_ID");
    if (id) map = shmat(atoi(id), 0, 0);
    unsigned hello = 0;
    if (write(199, &hello, 4) == 4) _exit(1);
}
#else
#define HIT(here) (void)0
#endif
KEEP int piece_a(int x) { HIT(100); return x + 1; }
KEEP int piece_b(int x) { HIT(200); return x > 100 ? x : piece_a(x) * 2; }
KEEP int piece_c(int x) { HIT(300); return x - 3; }
KEEP int piece_never(int x) { HIT(400); return x * 7; }
int main(int argc, char **argv) {
    FILE *file = fopen(argv[argc - 1], "r");
    int c, x = 1;
    HIT(1);
    while ((c = fgetc(file)) != EOF) {
        if (c == 'a') x = piece_a(x);
        if (c == 'b') x = piece_b(x);
        if (c == 'c') x = piece_c(x);
        if (c == 'n' && x == -12345) x = piece_never(x);
    }
    puts("sat");
    return 0;
}
"#;

fn target(program: &Path, coverage: Source) -> Target {
    Target { coverage, ..Target::executable("program", program, Profile::built_in("z3").unwrap()) }
}

/// Builds the program; nothing where there is no compiler.
fn build(folder: &Path, output: &str, arguments: &[&str]) -> Option<()> {
    std::fs::write(folder.join("program.c"), PROGRAM).unwrap();
    let status = Command::new("gcc")
        .current_dir(folder)
        .args(["-O1", "-w", "-o", output, "program.c"])
        .args(arguments)
        .status();
    status.is_ok_and(|status| status.success()).then_some(())
}

#[test]
fn the_map_of_an_afl_build() {
    let folder = tempfile::tempdir().unwrap();
    if build(folder.path(), "afl", &["-DAFL"]).is_none() || build(folder.path(), "plain", &[]).is_none() {
        println!("skipped: no gcc on the path");
        return;
    }
    let settings = RunSettings::default();
    let watched = |name: &str| watch(&target(&folder.path().join(name), Source::Afl), Way::Fork, &settings);
    let mut afl = watched("afl").unwrap();
    let mut run = |input: &str| {
        let (observation, reached) = afl.run(&RunRequest::new(input)).unwrap();
        assert_eq!(observation.stdout, "sat\n");
        reached
    };
    // The edge into main, those into the functions, and those between them: one place for each pair of neighbours.
    let edges = |marks: &[usize]| -> BTreeSet<usize> {
        let before = std::iter::once(0).chain(marks.iter().map(|mark| mark >> 1));
        marks.iter().zip(before).map(|(mark, before)| mark ^ before).collect()
    };
    let table: [(&str, &[usize]); 5] =
        [("x", &[1]), ("a", &[1, 100]), ("b", &[1, 200, 100]), ("cc", &[1, 300, 300]), ("a", &[1, 100])];
    for (input, marks) in table {
        assert_eq!(run(input).iter().collect::<BTreeSet<_>>(), edges(marks), "{input}");
    }
    let error = watched("plain").err().unwrap().to_string();
    assert!(error.contains("does not write to the map of AFL"), "{error}");
}

#[test]
fn the_counters_of_gcov() {
    let folder = tempfile::tempdir().unwrap();
    let there = Command::new("gcov").arg("--version").output().is_ok_and(|output| output.status.success());
    if !there
        || build(folder.path(), "counted", &["--coverage"]).is_none()
        || build(folder.path(), "plain", &[]).is_none()
    {
        println!("skipped: no gcc and gcov on the path");
        return;
    }
    let settings = RunSettings::default();
    let watched = |name: &str| watch(&target(&folder.path().join(name), Source::Gcov), Way::Fork, &settings);
    let mut counted = watched("counted").unwrap();
    assert_eq!((counted.places(), counted.kind()), (5, "functions"));
    let plain = target(&folder.path().join("plain"), Source::Breakpoints);
    let mut plain = Breakpoints::new(&plain, Way::OneShot, &settings).unwrap();
    for input in ["x", "a", "b", "c", "abc", "n"] {
        let functions = |watched: &mut dyn Coverage| -> BTreeSet<String> {
            let (observation, reached) = watched.run(&RunRequest::new(input)).unwrap();
            assert_eq!(observation.stdout, "sat\n");
            let names = reached.iter().filter_map(|place| watched.name(place).map(str::to_owned));
            names.filter(|name| name == "main" || name.starts_with("piece_")).collect()
        };
        let by_gcov = functions(counted.as_mut());
        assert_eq!(by_gcov, functions(&mut plain), "{input}");
        assert!(
            by_gcov.contains("main") && by_gcov.contains("piece_a") == "ab".contains(&input[..1]),
            "{input}"
        );
    }
    assert!(!folder.path().join("counted-program.gcda").exists());
    let error = watched("plain").err().unwrap().to_string();
    assert!(error.contains("writes no counters"), "{error}");
}
