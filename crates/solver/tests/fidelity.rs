//! Warm processes show what the plain executable shows, on a sample of real scripts. The example `fidelity` compares all of them.

#[path = "../examples/fidelity/compare.rs"]
mod compare;

use compare::{WARM, compare};
use solver::RunMode;
use solver::install::{self, Settings};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How many scripts of each folder are compared.
const SAMPLE: usize = 24;

/// The built-in seeds, and scripts of the shared collections of bugs and seeds if present.
fn sample() -> Vec<PathBuf> {
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("../campaign/seeds");
    let folders = [Some(built_in), testing::corpus("bugs/formulas"), testing::corpus("corpus")];
    let spread = |folder: PathBuf| {
        let scripts = testing::scripts(&folder);
        let step = (scripts.len() / SAMPLE).max(1);
        scripts.into_iter().step_by(step)
    };
    folders.into_iter().flatten().flat_map(spread).collect()
}

#[test]
fn warm_processes_show_what_a_fresh_one_shows() {
    let scripts = sample();
    assert!(scripts.len() >= SAMPLE);
    let mut settings = Settings::from_environment().unwrap();
    settings.driver = env!("CARGO_BIN_EXE_elenchus-driver").into();
    for spec in ["z3@4.8.7", "z3@5.4.0", "cvc5@1.4.2"] {
        let target = match install::resolve(spec, &settings) {
            Ok(target) => target,
            Err(error) => return testing::skip(error),
        };
        let (tallies, differences) = compare(&target, &scripts, Duration::from_secs(1), 2).unwrap();
        // A fork starts from the state of a fresh process. Sessions and incremental processes have seen other scripts.
        let allowed = |mode: RunMode| if mode == RunMode::Fork { 0 } else { scripts.len() / 20 };
        for (mode, tally) in WARM.into_iter().zip(tallies) {
            let different: Vec<String> = differences
                .iter()
                .filter(|one| one.mode == mode)
                .map(|one| format!("{}: {} / {}", one.script.display(), one.fresh, one.warm))
                .collect();
            assert!(different.len() <= allowed(mode), "{spec} {mode}:\n{}", different.join("\n"));
            assert!(tally.same * 2 > scripts.len(), "{spec} {mode}: {tally:?}");
        }
    }
}
