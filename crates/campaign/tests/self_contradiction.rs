//! A solver against itself in a campaign: shell scripts that answer otherwise inside a push or with a tactic, and real releases.

mod support;

use campaign::{Plan, Pool, Settings};
use case::{Answer, AskedScript, Class, Evidence, Finding};
use smt::Signatures;
use solver::install::{self, Settings as InstallSettings};
use solver::{Profile, Target};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use store::Store;
use strategies::{Seed, Unchanged};
use support::{Silent, script_solver};
use triage::{Evaluated, ModelJudge};

const SCRIPT: &str = "(declare-const x Int)\n(assert (> x 1))\n(check-sat)\n";

/// A solver that gives one answer after a `push` and another one without, in a session and on a file.
fn two_faced(folder: &Path, id: &str, plain: &str, pushed: &str) -> Target {
    let body = format!(
        "[ \"$file\" = -in ] || exec < \"$file\"\n\
         answer={plain}\n\
         while read -r line; do\n\
           case \"$line\" in\n\
             *'(echo'*) line=${{line#*\\\"}}; echo \"${{line%%\\\"*}}\";;\n\
             *'(push'*) answer={pushed};;\n\
             *'(pop'*) answer={plain};;\n\
             *check-sat*) echo $answer;;\n\
           esac\n\
         done"
    );
    script_solver(folder, id, &body)
}

/// The findings of a campaign on one script, with their cases.
fn findings(folder: &Path, script: &str, targets: Vec<Target>, settings: Settings) -> Vec<(Finding, String)> {
    let mut store = Store::open(&folder.join("out")).unwrap();
    let plan = Plan {
        settings,
        targets,
        strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
        pool: Pool { seeds: vec![Seed::new("one.smt2", script)], unusable: Vec::new() },
        judges: &|| -> Box<dyn ModelJudge> { Box::new(Evaluated::default()) },
        options: Vec::new(),
        installer: None,
    };
    campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap();
    let listed = store.findings().unwrap();
    let read = |one| {
        let (finding, case, _) = store.read(one).unwrap();
        (finding, case)
    };
    listed.iter().map(read).collect()
}

/// A real release, or a note that it is not available.
fn real(spec: &str) -> Option<Target> {
    let installing = InstallSettings::from_environment().unwrap();
    install::resolve(spec, &installing).map_err(testing::skip).ok()
}

/// Settings under which solvers are asked for answers only.
fn answers_only() -> Settings {
    Settings { models: false, own_checks: false, cores: 0, seed: 7, ..Settings::default() }
}

#[test]
fn a_solver_that_answers_otherwise_in_a_push_is_reported() {
    let table = [
        ("sat", "unsat", Some((Answer::Unsat, Answer::Sat))),
        ("unsat", "sat", Some((Answer::Sat, Answer::Unsat))),
        ("sat", "sat", None),
        // Giving up is no contradiction.
        ("sat", "unknown", None),
        ("unknown", "unsat", None),
        ("sat", "timeout", None),
    ];
    for (plain, pushed, expected) in table {
        let folder = tempfile::tempdir().unwrap();
        let targets = vec![two_faced(folder.path(), "z3@1", plain, pushed)];
        let found = findings(folder.path(), SCRIPT, targets, answers_only());
        let Some((in_push, alone)) = expected else {
            assert!(found.is_empty(), "{plain} {pushed}: {found:?}");
            continue;
        };
        let [(finding, case)] = &found[..] else { panic!("{plain} {pushed}: {found:?}") };
        assert_eq!(finding.class, Class::Contradiction);
        assert!(matches!(finding.evidence[..], [Evidence::SelfContradiction(_)]), "{:?}", finding.evidence);
        assert!(case.contains("(push 1)"), "{case}");
        let runs: Vec<(AskedScript, &[Answer], bool)> =
            finding.runs.iter().map(|run| (run.asked, &run.result.answers[..], run.suspect)).collect();
        assert_eq!(
            runs,
            [(AskedScript::Case, &[in_push][..], true), (AskedScript::Plain, &[alone][..], true)]
        );
        let predicate = format!("z3@1 says {}, z3@1 says {} plainly", in_push.word(), alone.word());
        assert_eq!(finding.predicate.as_ref().unwrap().to_string(), predicate);
    }
}

#[test]
fn a_contradiction_between_solvers_is_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    // The first is wrong in its own process already, which is what people want to know.
    let targets = vec![
        two_faced(folder.path(), "z3@1", "unsat", "sat"),
        two_faced(folder.path(), "cvc5@1", "sat", "sat"),
    ];
    let found = findings(folder.path(), SCRIPT, targets, answers_only());
    let kinds: Vec<&Evidence> = found.iter().map(|(finding, _)| &finding.evidence[0]).collect();
    assert!(matches!(kinds[..], [Evidence::Disagreement(_)]), "{kinds:?}");
}

#[test]
fn a_real_release_that_contradicts_itself_in_a_push_is_reported() {
    let Some(z3) = real("z3@4.8.7") else { return };
    let folder = tempfile::tempdir().unwrap();
    // From cvc5's regression test for its issue 9854.
    let script = "(assert (forall ((n Float64)) (= (_ bv0 80) ((_ zero_extend 48) ((_ fp.to_sbv 32) \
                  roundNearestTiesToEven n)))))\n(check-sat)\n";
    let found = findings(folder.path(), script, vec![z3], Settings { seed: 7, ..Settings::default() });
    let [(finding, _)] = &found[..] else { panic!("{found:?}") };
    assert_eq!(finding.title(), "z3@4.8.7 answers sat, z3@4.8.7 in push answers unsat");
}

/// Settings under which every case runs with a tactic, and none between push and pop.
fn with_tactics() -> Settings {
    Settings { tactics: 1, incremental: false, ..answers_only() }
}

#[test]
fn a_solver_that_goes_wrong_with_a_tactic_is_reported() {
    let table = [
        ("echo unsat", Some(Class::Contradiction)),
        ("kill -SEGV $$", Some(Class::Crash)),
        ("echo sat", None),
        ("echo unknown", None),
        ("echo '(error \"unknown tactic\")'", None),
        ("sleep 9", None),
    ];
    for (with_tactic, expected) in table {
        let folder = tempfile::tempdir().unwrap();
        let body = format!("if grep -q check-sat-using \"$file\"; then {with_tactic}; else echo sat; fi");
        let targets = vec![script_solver(folder.path(), "z3@1", &body)];
        let settings = Settings { warm: false, ..with_tactics() };
        let found = findings(folder.path(), SCRIPT, targets, settings);
        let classes: Vec<Class> = found.iter().map(|(finding, _)| finding.class).collect();
        assert_eq!(classes, Vec::from_iter(expected), "{with_tactic}");
        for (finding, case) in &found {
            assert!(case.contains("(check-sat-using "), "{case}");
            assert!(finding.lineage.last().unwrap().after.starts_with("(check-sat-using "));
        }
    }
}

#[test]
fn a_solver_without_tactics_runs_no_tactic() {
    let folder = tempfile::tempdir().unwrap();
    let body = "if grep -q check-sat-using \"$file\"; then kill -SEGV $$; else echo sat; fi";
    let targets = vec![script_solver(folder.path(), "yices@1", body)];
    let settings = Settings { warm: false, ..with_tactics() };
    assert!(findings(folder.path(), SCRIPT, targets, settings).is_empty());
}

/// The profile of Z3 with one tactic.
fn z3_with(tactic: &str) -> Profile {
    let text = include_str!("../../solver/profiles/z3.toml");
    let (head, rest) = text.split_once("tactics = [").unwrap();
    let (_, tail) = rest.split_once("]\n").unwrap();
    Profile::parse(&format!("name = \"z3\"\n{head}tactics = [\"{tactic}\"]\n{tail}")).unwrap()
}

#[test]
fn a_real_release_that_contradicts_itself_with_a_tactic_is_reported() {
    let Some(z3) = real("z3@5.4.0") else { return };
    // The standard leaves the sign open, but one of the two it must be.
    for sign in ["fp.isNegative", "fp.isPositive"] {
        let folder = tempfile::tempdir().unwrap();
        let script = format!("(assert ({sign} (fp.min (_ +zero 8 24) (_ -zero 8 24))))\n(check-sat)\n");
        let target = Target { profile: Arc::new(z3_with("horn")), ..z3.clone() };
        let settings = Settings { tactics: 1, ..Settings::default() };
        let found = findings(folder.path(), &script, vec![target], settings);
        let [(finding, case)] = &found[..] else { panic!("{sign}: {found:?}") };
        assert!(case.contains("(check-sat-using horn)"), "{case}");
        assert!(finding.class.is_about_answers(), "{sign}: {finding:?}");
        assert!(finding.runs[0].suspect, "{sign}: {finding:?}");
    }
}
