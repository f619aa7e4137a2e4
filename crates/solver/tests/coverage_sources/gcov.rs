//! Coverage by the counters of gcov.

use crate::{build, target};
use solver::CoverageSource;
use solver::coverage::{Breakpoints, Coverage, watch};
use solver::run::RunSettings;
use solver::{RunMode, RunRequest};
use std::collections::BTreeSet;
use std::process::Command;

#[test]
fn gcov_and_breakpoints_agree() {
    let folder = tempfile::tempdir().unwrap();
    let has_gcov = Command::new("gcov").arg("--version").output().is_ok_and(|output| output.status.success());
    if !has_gcov
        || build(folder.path(), "counted", &["--coverage"]).is_none()
        || build(folder.path(), "plain", &[]).is_none()
    {
        testing::skip("no gcc and gcov on the path");
        return;
    }
    let settings = RunSettings::default();
    let watched = |name: &str| {
        watch(&target(&folder.path().join(name), CoverageSource::Gcov), RunMode::Fork, &settings)
    };
    let mut counted = watched("counted").unwrap();
    assert_eq!((counted.points(), counted.kind()), (5, "functions"));
    let plain = target(&folder.path().join("plain"), CoverageSource::Breakpoints);
    let mut plain = Breakpoints::new(&plain, RunMode::OneShot, &settings).unwrap();
    for input in ["x", "a", "b", "c", "abc", "n"] {
        let functions = |watched: &mut dyn Coverage| -> BTreeSet<String> {
            let (observation, reached) = watched.run(&RunRequest::new(input)).unwrap();
            assert_eq!(observation.stdout, "sat\n");
            let names = reached.iter().filter_map(|point| watched.name(point).map(str::to_owned));
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
