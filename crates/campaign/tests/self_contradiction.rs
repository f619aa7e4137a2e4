//! A solver against itself in a campaign: shell scripts that answer otherwise inside a push, with a tactic,
//! step by step or in another form, and real releases.

mod support;

use campaign::Settings;
use case::{Answer, AskedScript, Class, Evidence, Finding};
use solver::install::{self, Settings as InstallSettings};
use solver::{Profile, Target};
use std::path::Path;
use std::sync::Arc;
use support::{findings_of, script_solver};

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
    findings_of(folder, script, targets, settings).0
}

/// A real release, or a note that it is not available.
fn real(spec: &str) -> Option<Target> {
    let installing = InstallSettings::from_environment().unwrap();
    install::resolve(spec, &installing).map_err(testing::skip).ok()
}

/// Settings under which solvers are asked for answers only.
fn answers_only() -> Settings {
    Settings {
        models: false,
        own_checks: false,
        cores: 0,
        fixed_timeout: true,
        seed: 7,
        ..Settings::default()
    }
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
    let found = findings(
        folder.path(),
        script,
        vec![z3],
        Settings { seed: 7, fixed_timeout: true, ..Settings::default() },
    );
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
        let settings = Settings { tactics: 1, fixed_timeout: true, ..Settings::default() };
        let found = findings(folder.path(), &script, vec![target], settings);
        let [(finding, case)] = &found[..] else { panic!("{sign}: {found:?}") };
        assert!(case.contains("(check-sat-using horn)"), "{case}");
        assert!(finding.class.is_about_answers(), "{sign}: {finding:?}");
        assert!(finding.runs[0].suspect, "{sign}: {finding:?}");
    }
}

/// Two questions, the first under an assumption and the second after it was retracted.
const STEPS: &str = "(declare-const a Bool)\n(declare-const x Int)\n(assert (=> a (> x 1)))\n\
                     (check-sat-assuming (a))\n(assert (< x 1))\n(check-sat)\n";

#[test]
fn a_solver_that_answers_otherwise_from_scratch_is_reported() {
    let steps = "grep -q assuming \"$file\"";
    let table = [
        // The second answer is wrong.
        (steps, "sat unsat", "sat sat", Some((2, vec![Answer::Sat, Answer::Unsat]))),
        // The first is, so the script ends there.
        (steps, "unsat sat", "sat sat", Some((1, vec![Answer::Unsat]))),
        (steps, "sat sat", "sat sat", None),
        (steps, "unknown sat", "sat sat", None),
    ];
    for (test, incremental, scratch, expected) in table {
        let folder = tempfile::tempdir().unwrap();
        // As many answers as the script has checks.
        let body = format!(
            "if {test}; then set -- {incremental}; else set -- {scratch}; fi\n\
             grep check-sat \"$file\" | while read -r _; do echo $1; shift; done"
        );
        let targets = vec![script_solver(folder.path(), "z3@1", &body)];
        let settings = Settings { warm: false, incremental: false, forms: 0, tactics: 0, ..answers_only() };
        let found = findings(folder.path(), STEPS, targets, settings);
        let Some((checks, answers)) = expected else {
            assert!(found.is_empty(), "{incremental}: {found:?}");
            continue;
        };
        let [(finding, case)] = &found[..] else { panic!("{incremental}: {found:?}") };
        assert_eq!(finding.class, Class::Contradiction);
        assert_eq!(case.matches("(check-sat").count(), checks, "{case}");
        assert_eq!(finding.runs[0].result.answers, answers);
        assert_eq!(finding.runs[1].asked, AskedScript::Plain);
        assert!(finding.title().contains("incrementally"), "{}", finding.title());
    }
}

#[test]
fn a_solver_that_is_wrong_about_another_form_is_reported() {
    let model = "echo '((define-fun x () Int 2)(define-fun n0 () Int 2))'";
    let table = [
        // Wrong about the form with another name, or about the case itself.
        ("n0", "unsat", "sat", Some("(declare-const n0 Int)")),
        ("n0", "sat", "unsat", Some("(declare-const x Int)")),
        ("n0", "sat", "sat", None),
        ("n0", "unknown", "sat", None),
    ];
    // The hash of the script chooses the form, so a comment finds a script that is renamed.
    let scripts = || (0..60).map(|number| format!("; {number}\n{SCRIPT}"));
    let settings = Settings {
        warm: false,
        incremental: false,
        models: true,
        forms: 1,
        tactics: 0,
        oracles: Vec::new(),
        ..answers_only()
    };
    let mut renamed: Option<String> = None;
    for (name, in_form, plain, expected) in table {
        let body = format!(
            "if grep -q {name} \"$file\"; then answer={in_form}; else answer={plain}; fi\n\
             echo $answer; [ $answer != sat ] || {model}"
        );
        let run = |script: &str| {
            let folder = tempfile::tempdir().unwrap();
            let targets = vec![script_solver(folder.path(), "z3@1", &body)];
            findings(folder.path(), script, targets, settings.clone())
        };
        let script = renamed.get_or_insert_with(|| scripts().find(|one| !run(one).is_empty()).unwrap());
        let found = run(script);
        let Some(declaration) = expected else {
            assert!(found.is_empty(), "{in_form} {plain}: {found:?}");
            continue;
        };
        let [(finding, case)] = &found[..] else { panic!("{in_form} {plain}: {found:?}") };
        assert_eq!(finding.class, Class::WrongUnsat);
        assert!(case.contains(declaration), "{case}");
    }
}
