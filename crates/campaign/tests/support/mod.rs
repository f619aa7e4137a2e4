//! Shell scripts that play solvers, and a listener that ignores everything.

use campaign::{Event, Listener};
use solver::{Profile, Target};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// A solver that is a shell script with the profile of the solver before the `@` of its id. In the script, `$file` is the last
/// argument.
pub fn script_solver(folder: &Path, id: &str, body: &str) -> Target {
    let program = folder.join(id);
    fs::write(&program, format!("#!/bin/sh\nfor file; do :; done\n{body}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let name = id.split('@').next().unwrap();
    Target::executable(id, program, Profile::built_in(name).unwrap())
}

/// Ignores all events.
pub struct Silent;

impl Listener for Silent {
    fn event(&mut self, _: &Event) {}
}
