//! No code reads back what the program prints: with every text of evidence and outcomes replaced by misleading words, findings
//! are still reduced, bisected, reported, recognised as known and run as regressions.
//!
//! The test is alone in its file because the replacement lasts for the whole process.

use campaign::{Event, Listener, Plan, Pool, Settings};
use case::{Class, Seed};
use reduce::{Abort, Watcher};
use smt::Signatures;
use solver::install::{InstallError, Settings as InstallSettings};
use solver::run::Limits;
use solver::{Profile, Target};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use store::{Listed, Store};
use strategies::Unchanged;
use triage::cluster::stored_facts;
use triage::known::{KnownBug, KnownBugs};
use triage::regress::{self, Progress};
use triage::releases::{Effort, State, bisect};
use triage::report::{Format, ReportSettings, report};
use triage::{
    Evaluated, ModelJudge, REDUCED, ReductionSettings, SolverSource, Subject, Version, plan_reduction,
};

/// What every evidence and outcome prints: words that a parser would stumble over.
const NONSENSE: &str = "crash: sat unsat (invalid model) [Ints] in a < b, z3@9 says unsat";

/// Z3 4.8.10 finds an integer whose text has a sign; no release after it does.
const WRONG_SAT: &str = "(declare-const a Int)\n(declare-const b Int)\n(assert (> b 3))\n\
                         (assert (= \"-1\" (str.from_int a)))\n(check-sat)\n";
/// The little program crashes on the word `boom`.
const CRASH: &str = "(declare-const boom Int)\n(declare-const c Int)\n(assert (> boom c))\n(check-sat)\n";

/// Real releases, and one little program that crashes.
struct Source {
    settings: InstallSettings,
    little: Target,
}

impl SolverSource for Source {
    fn resolve(&self, spec: &str) -> Result<Target, InstallError> {
        if spec == self.little.id {
            Ok(self.little.clone())
        } else {
            solver::install::resolve(spec, &self.settings)
        }
    }

    fn settings(&self) -> &InstallSettings {
        &self.settings
    }
}

/// A solver that is a shell script: it dies of SIGSEGV on `boom`, and answers `unknown` to everything else.
fn little_program(folder: &Path) -> Target {
    let program = folder.join("little");
    let body =
        "#!/bin/sh\nfor file; do :; done\nif grep -q boom \"$file\"; then kill -SEGV $$; fi\necho unknown\n";
    fs::write(&program, body).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    Target::executable("cvc5@little", program, Profile::built_in("cvc5").unwrap())
}

struct Quiet;

impl Listener for Quiet {
    fn event(&mut self, _: &Event) {}
}

impl Watcher for Quiet {
    fn improved(&mut self, _: &str, _: Option<&str>) -> Result<(), Abort> {
        Ok(())
    }
}

/// The findings of a campaign that asks the two seeds as they are.
fn campaign(out: &Path, targets: Vec<Target>) -> Vec<Listed> {
    let mut store = Store::open(out).unwrap();
    let settings = Settings {
        warm: false,
        own_checks: false,
        incremental: false,
        performance: false,
        seed: 7,
        cores: 0,
        timeout: 10_000,
        ..Settings::default()
    };
    let plan = Plan {
        settings,
        targets,
        strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
        pool: Pool {
            seeds: vec![Seed::new("wrong.smt2", WRONG_SAT), Seed::new("crash.smt2", CRASH)],
            unusable: Vec::new(),
        },
        judges: &|| -> Box<dyn ModelJudge> { Box::new(Evaluated::default()) },
        options: Vec::new(),
        installer: None,
    };
    campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Quiet).unwrap();
    store.findings().unwrap()
}

#[test]
fn nothing_depends_on_the_words_that_are_printed() {
    case::wording::replace_all_text(|_| NONSENSE.to_owned());
    let folder = tempfile::tempdir().unwrap();
    let settings = InstallSettings::from_environment().expect("the environment is usable");
    let source = Source { settings, little: little_program(folder.path()) };
    let targets: Result<Vec<Target>, InstallError> =
        ["z3@4.8.10", "z3@5.4.0", "cvc5@little"].iter().map(|spec| source.resolve(spec)).collect();
    let targets = match targets {
        Ok(targets) => targets,
        Err(error) => {
            println!("skipped: {error}");
            return;
        }
    };
    let (old, new, little) = (targets[0].clone(), targets[1].clone(), targets[2].clone());
    let out = folder.path().join("out");
    let findings = campaign(&out, targets);
    let limits = Limits { wall: Duration::from_secs(20), ..Limits::default() };
    let mut classes: Vec<Class> = findings.iter().map(|listed| listed.class).collect();
    classes.sort();
    assert_eq!(classes, [Class::WrongSat, Class::Crash], "{findings:?}");

    let list = folder.path().join("known.json");
    for listed in &findings {
        assert_eq!(listed.title, NONSENSE);
        let (suspect, fixed) = match listed.class {
            Class::Crash => (&little, None),
            _ => (&old, Some(&new)),
        };

        // Reduce.
        let subject = Subject::of_finding(&out, &listed.id, Version::Case, None).unwrap();
        let reduction = ReductionSettings { jobs: 1, cold: false, limits };
        let mut plan = plan_reduction(&subject, reduction, &source).unwrap();
        let reduced = reduce::reduce(&plan.script, plan.model, &mut plan.testers, &mut Quiet);
        assert!(
            reduced.aborted.is_none() && reduced.script.len() < subject.script.len(),
            "{}",
            reduced.script
        );
        fs::write(subject.folder().unwrap().join(REDUCED), &reduced.script).unwrap();

        // Bisect and report.
        let subject = Subject::of_finding(&out, &listed.id, Version::Reduced, None).unwrap();
        assert_eq!(subject.script, reduced.script);
        if fixed.is_some() {
            let established = subject.establish(&subject.clauses(&source).unwrap(), limits).unwrap();
            let found =
                bisect(&subject.script, &established, limits, Effort::Bisect, &source, &mut |_| {}).unwrap();
            assert_eq!(found.newest.as_ref().unwrap().state, State::Good);
            found.save(subject.folder().unwrap(), &subject.script).unwrap();
        }
        let settings = ReportSettings { out: &out, limits, bisect: false };
        let made = report(&subject, &settings, &source, &mut |_| {}).unwrap();
        assert_eq!(made.class, listed.class);
        assert_eq!(made.releases.is_some(), fixed.is_some());
        assert!(Format::Markdown.render(&made).contains(reduced.script.trim_end()));

        // Known.
        let mut known = KnownBugs::read(&list).unwrap();
        known.add(KnownBug::new(subject, "link".to_owned(), limits, &out, &source).unwrap());
        known.write(&list).unwrap();
        let mut known = KnownBugs::read(&list).unwrap();
        assert!(known.likely_repeated(listed, &stored_facts(&out)).is_some());
        let check = |known: &mut KnownBugs, target: &Target| {
            let mut states = Vec::new();
            known.check(target, limits, &mut |_, probe| states.push(probe.state)).unwrap();
            states
        };
        assert_eq!(check(&mut known, suspect), [State::Bad]);
        if let Some(fixed) = fixed {
            assert_eq!(check(&mut known, fixed), [State::Good]);
            assert_eq!(known.entries[0].fixed_in.as_deref(), Some(fixed.version.as_str()));
        }

        // Regress.
        let all = regress::of_campaign(&out).unwrap();
        let one = all.iter().find(|regression| regression.name == listed.id).unwrap();
        let progress = |target: &Target| one.check(target, limits).unwrap().map(|(progress, _)| progress);
        assert_eq!(progress(suspect), Some(Progress::StillThere));
        if let Some(fixed) = fixed {
            assert_eq!(progress(fixed), Some(Progress::Fixed));
            // An older release does not bring a bug back.
            assert_eq!(progress(suspect), Some(Progress::StillThere));
        }
        fs::remove_file(&list).unwrap();
    }
}
