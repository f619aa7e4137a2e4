//! Cases that reach new code become seeds of the same campaign.

#[allow(dead_code)]
mod support;

use campaign::{Plan, Pool, Settings};
use solver::CoverageSource;
use solver::{Profile, Target};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use store::Store;
use strategies::{Case, Mutator, Random, Seed, Strategy, Unsuitable};
use support::Silent;
use triage::{ModelJudge, NoOpinion};

/// A solver that counts the occurrences of ` x` in a script, has an AFL edge for each count, and crashes at two.
const PROGRAM: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/shm.h>
static unsigned char small[64], *map = small;
int main(int argc, char **argv) {
    const char *id = getenv("__AFL_SHM_ID");
    FILE *file = fopen(argv[argc - 1], "r");
    int c, before = 0, count = 0;
    if (id) map = shmat(atoi(id), 0, 0);
    while ((c = fgetc(file)) != EOF) { count += before == ' ' && c == 'x'; before = c; }
    map[1 + count] = 1;
    if (count == 2) raise(SIGSEGV);
    puts("sat");
    return 0;
}
"#;

/// Makes one case of a seed: the seed with one more line.
struct Longer;

impl Strategy for Longer {
    fn name(&self) -> &str {
        "longer"
    }

    fn open(&self, seed: &Seed, _: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        let case = Case { text: format!("{}; x\n", seed.text), ..Case::default() };
        Ok(Box::new(Once(Some(case))))
    }
}

struct Once(Option<Case>);

impl Mutator for Once {
    fn next_case(&mut self) -> Option<Case> {
        self.0.take()
    }
}

#[test]
fn cases_that_reach_new_code_become_seeds() {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("z3.c"), folder.path().join("z3"));
    std::fs::write(&source, PROGRAM).unwrap();
    let built = Command::new("gcc").args(["-w", "-o"]).arg(&program).arg(&source).status();
    if !built.is_ok_and(|status| status.success()) {
        testing::skip("no gcc on the path");
        return;
    }
    let text = "(assert true)\n(check-sat)\n";
    // Without coverage the campaign ends after the one case of its seed.
    for (coverage, expected) in [(true, vec![format!("{text}; x\n")]), (false, Vec::new())] {
        let mut store = Store::open(&folder.path().join(format!("out-{coverage}"))).unwrap();
        let judges = || -> Box<dyn ModelJudge> { Box::new(NoOpinion) };
        let target = Target {
            coverage: CoverageSource::Afl,
            ..Target::executable("z3@1", &program, Profile::built_in("z3").unwrap())
        };
        let plan = Plan {
            settings: Settings {
                warm: false,
                models: false,
                own_checks: false,
                coverage,
                ..Settings::default()
            },
            targets: vec![target],
            strategies: vec![Arc::new(Longer)],
            pool: Pool { seeds: vec![Seed::new("one", text)], unusable: Vec::new() },
            judges: &judges,
            options: Vec::new(),
            installer: None,
        };
        campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap();
        let mut seeds = Vec::new();
        for listed in store.findings().unwrap() {
            let (finding, case, seed) = store.read(&listed).unwrap();
            assert_eq!((finding.class.name(), case.matches("; x").count()), ("crash", 2));
            seeds.push(seed);
        }
        assert_eq!(seeds, expected, "coverage: {coverage}");
    }
}
