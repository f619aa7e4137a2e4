//! Seeds for tests (the built-in ones, and the shared corpus if present), and small helpers.

use smt::Signatures;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use strategies::{Case, Random, Seed, Strategy, StrategyContext};

/// The scripts under a folder, in the order of their names.
pub fn scripts(folder: &Path) -> Vec<Seed> {
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).ok()?;
        Some(Seed::new(path.file_name()?.to_string_lossy(), text))
    };
    testing::scripts(folder).iter().filter_map(read).collect()
}

/// The built-in seeds.
pub fn built_in() -> Vec<Seed> {
    let seeds = scripts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../campaign/seeds"));
    assert!(!seeds.is_empty(), "the built-in seeds are missing");
    seeds
}

/// The shared corpus; empty if absent.
pub fn corpus() -> Vec<Seed> {
    testing::corpus("corpus").map_or_else(Vec::new, |folder| scripts(&folder))
}

/// The built-in operators and history.
pub fn context() -> StrategyContext {
    StrategyContext::new(Signatures::standard())
}

/// The first case of each of `count` generators.
pub fn first_cases(strategy: &dyn Strategy, text: &str, count: u64) -> Vec<Case> {
    let seed = Seed::new("seed", text);
    (0..count).filter_map(|at| strategy.open(&seed, Random::new(at)).unwrap().next_case()).collect()
}

/// The results of the last step of each case.
pub fn results(cases: &[Case]) -> BTreeSet<String> {
    cases.iter().filter_map(|case| case.lineage.last()).map(|step| step.after.clone()).collect()
}

/// Signatures with a few operators, so that expectations do not change when a theory grows.
pub fn small_signatures() -> Arc<Signatures> {
    let mut signatures = Signatures::empty();
    let core = "(theory Core :sorts ((Bool 0)) :funs ((not Bool Bool) (par (A) (= A A Bool :chainable :at-most 2))))";
    let ints = "(theory Ints :sorts ((Int 0)) :funs ((- Int Int) (+ Int Int Int :left-assoc :at-most 2) (< Int Int Bool)))";
    signatures.load(core).unwrap();
    signatures.load(ints).unwrap();
    Arc::new(signatures)
}

/// A seed over the small signatures.
pub const SMALL: &str =
    "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (not (< x y)))(check-sat)";
