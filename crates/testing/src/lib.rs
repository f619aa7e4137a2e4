//! Helpers for the tests and examples of all crates.
//!
//! A test that cannot run prints why and passes, so that `cargo test` works on any machine. `ELENCHUS_NO_SKIP=1` turns such a
//! skip into a failure; CI sets it, so that no test is lost silently.

mod postgres;
mod proxy;
mod runs;
mod scripts;

pub use postgres::Postgres;
pub use proxy::Proxy;
pub use runs::solver_run;
pub use scripts::scripts;

use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The variable that turns skips into failures.
pub const NO_SKIP: &str = "ELENCHUS_NO_SKIP";

/// The variable that names the folder with the shared corpus.
pub const SHARED: &str = "ELENCHUS_SHARED";

/// Reports that a test is skipped because a solver or tool is missing. Return from the test afterwards.
///
/// # Panics
/// If `ELENCHUS_NO_SKIP` is set to anything but `0`.
#[track_caller]
pub fn skip(reason: impl Display) {
    assert!(!must_run(), "this test must run, because {NO_SKIP} is set: {reason}");
    println!("skipped: {reason}");
}

/// Reports that a test is skipped because it can never run on this machine, such as one for another processor. Never a
/// failure. Return from the test afterwards.
pub fn not_applicable(reason: impl Display) {
    println!("skipped: {reason}");
}

/// The folder or file `relative` of the shared corpus: below `ELENCHUS_SHARED`, or below `../shared` beside the checkout.
///
/// `None` means that the test should return. That is never a failure if there is no shared folder at all, since only
/// developers have it.
///
/// # Panics
/// If the shared folder exists without `relative` and `ELENCHUS_NO_SKIP` is set.
#[track_caller]
pub fn corpus(relative: &str) -> Option<PathBuf> {
    let named = std::env::var_os(SHARED).filter(|value| !value.is_empty()).map(PathBuf::from);
    let shared = named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"));
    if !shared.is_dir() {
        not_applicable(format_args!("no shared corpus at {} (set {SHARED} to its folder)", shared.display()));
        return None;
    }
    let path = shared.join(relative);
    if !path.exists() {
        skip(format_args!("the shared corpus has no {}", path.display()));
        return None;
    }
    Some(path)
}

/// Whether skips are failures.
fn must_run() -> bool {
    std::env::var_os(NO_SKIP).is_some_and(|value| !value.is_empty() && value != "0")
}
