//! A solver is added by one file, as CONTRIBUTING.md says.

use case::{Answer, CrashCause, Outcome};
use solver::install::{self, Settings};
use solver::options::{self, OptionKind};
use solver::profile::Profiles;
use solver::run::{RunSettings, Want};
use solver::{RunMode, RunRequest, Target, runner};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const PROFILE: &str = include_str!("toy/toy.toml");
const PROGRAM: &str = include_str!("toy/toy-smt");

/// The toy solver, found by its name: the profile is the only file about it, the program is on the search path.
fn toy(folder: &Path) -> (Target, Settings) {
    let (profiles, programs) = (folder.join("profiles"), folder.join("bin"));
    fs::create_dir_all(&profiles).unwrap();
    fs::create_dir_all(&programs).unwrap();
    fs::write(profiles.join("toy.toml"), PROFILE).unwrap();
    let program = programs.join("toy-smt");
    fs::write(&program, PROGRAM).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let mut settings = Settings::new(folder.join("cache"), "no-driver".into());
    settings.search_path = programs.into();
    settings.install_missing = false;
    settings.profiles = Profiles::built_in().with_folder(&profiles).unwrap();
    (install::resolve("toy", &settings).unwrap(), settings)
}

#[test]
fn one_profile_adds_a_solver() {
    let folder = tempfile::tempdir().unwrap();
    let (target, settings) = toy(folder.path());
    assert_eq!((target.id.as_str(), target.name.as_str()), ("toy@path", "toy"));
    assert_eq!(target.version, "1.2.3");
    let entry = install::entry(&settings.profiles, "toy").unwrap();
    assert!(entry.obtain.contains("example.org"));

    let mut runner = runner(&target, RunMode::OneShot, &RunSettings::default()).unwrap();
    let want = Want { model: true, ..Want::default() };
    let mut run = |script: &str| runner.run(&RunRequest::new(script).want(want)).unwrap();
    let sat = run("(declare-fun x () Int)\n(assert (> x 3))\n(check-sat)\n");
    assert_eq!((sat.outcome.clone(), sat.answer()), (Outcome::Answered, Some(Answer::Sat)));
    assert_eq!(sat.model(), Some("((define-fun x () Int 4))"));
    let unsat = run("(assert false)\n(check-sat)\n");
    assert_eq!((unsat.outcome.clone(), unsat.answer()), (Outcome::Answered, Some(Answer::Unsat)));
    let crash = run("(assert crash)\n(check-sat)\n");
    let Outcome::Crash(crash) = &crash.outcome else { panic!("{crash:?}") };
    assert_eq!(crash.cause, CrashCause::Message("engine.c: node->parent".to_owned()));
    let refused = run("(assert (forall ((x Int)) (= x x)))\n(check-sat)\n");
    assert_eq!(refused.outcome, Outcome::Refused { reason: "quantifiers are not supported".to_owned() });

    let listed = options::catalogue(&target, &settings).unwrap();
    let listed: Vec<_> = listed.iter().map(|option| (option.name.as_str(), &option.kind)).collect();
    assert_eq!(
        listed,
        [("effort", &OptionKind::Int { min: None, max: None }), ("models", &OptionKind::Bool)]
    );
    assert!(target.profile.options.forbidden("models").is_some());
}

#[test]
fn contributing_shows_the_profile() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../CONTRIBUTING.md");
    assert!(fs::read_to_string(guide).unwrap().contains(PROFILE), "CONTRIBUTING.md shows another profile");
}
