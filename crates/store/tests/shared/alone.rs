//! Tests that run in a process of their own, since the environment of a process belongs to all its tests.

use std::env;
use std::process::{Command, Stdio};
use store::shared::open;

/// The variable that is set in such a process.
const ALONE: &str = "ELENCHUS_TEST_ALONE";

/// The variable with the URL for [`opens_a_store`].
pub const URL: &str = "ELENCHUS_TEST_URL";

/// Runs one test of this program in a process of its own, with almost nothing in its environment.
pub fn alone(test: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).stdin(Stdio::null()).env_clear().env(ALONE, "1");
    // What it takes to find the programs of PostgreSQL.
    for name in ["PATH", "TMPDIR", "HOME", "XDG_CACHE_HOME", "ELENCHUS_POSTGRES"] {
        command.envs(env::var_os(name).map(|value| (name, value)));
    }
    command
}

/// Whether this is a process of one test.
pub fn is_alone() -> bool {
    env::var_os(ALONE).is_some()
}

/// Other tests run this in a process of its own. Elsewhere it does nothing.
#[test]
fn opens_a_store() {
    let Ok(url) = env::var(URL) else { return };
    match open(&url) {
        Ok(_) => println!("It opens."),
        Err(error) => println!("{error} ({error:?})"),
    }
}
