//! Reports: commands, the maintainers' rules, and the index.

use crate::support::{
    OWN_MODEL_CHECK, OWN_PROOF_CHECK, Programs, SAT, SAT_WITHOUT_MODEL, SCRIPT, SEGFAULT, UNSAT, WRONG_MODEL,
    crash_finding, limits, stored,
};
use case::{Class, Predicate, Severity};
use solver::run::Limits;
use std::fs;
use std::time::Duration;
use triage::Subject;
use triage::report::{Format, Report, ReportSettings, ReportStep, report, report_all};

/// The report of a script, without distinguishing functions, which shell scripts do not have.
fn reported(programs: &Programs, script: &str, predicate: &str, bisect: bool) -> Report {
    let subject = Subject::of_script(script.to_owned(), Predicate::parse(predicate).unwrap(), "bug.smt2");
    let out = programs.folder().join("no-campaign");
    let settings = ReportSettings { out: &out, limits: limits(), bisect };
    report(&subject, &settings, programs, &mut |_| {}).unwrap()
}

#[test]
fn commands_can_be_pasted_into_a_shell() {
    let programs = Programs::new(&[
        ("z3@1", UNSAT),
        ("cvc5@1", OWN_PROOF_CHECK),
        ("z3@2", OWN_MODEL_CHECK),
        ("z3@3", WRONG_MODEL),
        ("z3@4", SAT),
    ]);
    let table = [
        ("z3@1 says unsat, z3@4 says sat", "z3 bug.smt2"),
        ("z3@1 smt.relevancy=1 says unsat, z3@4 says sat", "z3 smt.relevancy=1 bug.smt2"),
        (
            "z3@1 tactic.default_tactic=(then|smt) says unsat, z3@4 says sat",
            "z3 'tactic.default_tactic=(then|smt)' bug.smt2",
        ),
        ("z3@2 finds its model wrong", "z3 model_validate=true bug.smt2"),
        ("cvc5@1 finds its proof wrong", "cvc5 --check-proofs bug.smt2"),
        ("z3@3 gives a wrong model", "z3 bug.smt2"),
    ];
    for (predicate, expected) in table {
        assert_eq!(reported(&programs, SCRIPT, predicate, false).command, expected, "{predicate}");
    }
}

#[test]
fn reports_say_what_is_wrong_and_what_is_expected() {
    let programs =
        Programs::new(&[("z3@1", UNSAT), ("z3@2", SAT), ("z3@3", WRONG_MODEL), ("z3@4", SEGFAULT)]);
    let table = [
        (
            "z3@1 says unsat, z3@2 says sat",
            "Z3 1 answers unsat on a satisfiable script with *, >",
            "sat (or unknown)",
            "unsat",
            Class::WrongUnsat,
        ),
        (
            "z3@1 says unsat, z3@3 says sat",
            "Z3 3 answers sat on an unsatisfiable script with *, >",
            "unsat (or unknown)",
            "sat",
            Class::WrongSat,
        ),
        (
            "z3@3 gives a wrong model",
            "Z3 3 returns an invalid model with *, >",
            "a model that makes every assertion true",
            "sat\n((define-fun x () Int 1))",
            Class::InvalidModel,
        ),
        (
            "z3@4 crashes with SIGSEGV",
            "Z3 4 crashes with *, >",
            "an answer or an error message",
            "",
            Class::Crash,
        ),
    ];
    for (predicate, title, expected, actual, class) in table {
        let report = reported(&programs, SCRIPT, predicate, false);
        assert_eq!(report.title, title);
        assert_eq!((report.expected.as_str(), report.class), (expected, class), "{predicate}");
        assert!(report.actual.starts_with(actual), "{predicate}: {}", report.actual);
        assert_eq!(report.severity, Severity::of(class, false));
        assert_eq!(report.releases, None);
        // Output is shown as it is; a signal is not part of it.
        let ended = (class == Class::Crash).then_some("SIGSEGV");
        assert_eq!(report.ended.as_deref().map(|ended| &ended[..7]), ended, "{predicate}");
    }
    let report = reported(&programs, SCRIPT, "z3@1 says unsat, z3@2 says sat", false);
    assert_eq!(report.model.as_deref(), Some("((define-fun x () Int 3))"));
    assert!(report.values.unwrap().contains("(* x x) = 9"));
    let others: Vec<String> =
        report.others.iter().map(|one| format!("{}: {}", one.solver, one.text())).collect();
    assert_eq!(others, ["z3@2: sat"]);
    let solvers: Vec<&str> = report.with_model.iter().map(|one| one.solver.as_str()).collect();
    assert_eq!(solvers, ["z3@1", "z3@2"]);
}

#[test]
fn maintainers_rules_decide_whether_to_file() {
    // cvc5 crashes only outside of its safe mode.
    let unsafe_only = "case \"$*\" in *safe-mode*) echo sat;; *) kill -SEGV $$;; esac";
    let programs = Programs::new(&[
        ("z3@4.1", UNSAT),
        ("z3@4.2", UNSAT),
        ("cvc5@1.0", SAT),
        ("cvc5@1.1", unsafe_only),
        ("yices@2.0", SAT_WITHOUT_MODEL),
    ]);
    let fixed = Programs::new(&[("z3@4.1", UNSAT), ("z3@4.2", SAT), ("cvc5@1.0", SAT)]);
    let safe = Programs::new(&[("cvc5@1.1", SEGFAULT)]);
    let with_option =
        "(set-option :smt.random_seed 3)\n(set-option :produce-models true)\n".to_owned() + SCRIPT;
    let not_tested = "the newest release was not tested";
    let default = "default options";
    let wrong = "z3@4.1 says unsat, cvc5@1.0 says sat";
    type Row<'a> = (&'a Programs, &'a str, &'a str, bool, bool, &'a [&'a str]);
    let table: [Row<'_>; 8] = [
        (&programs, SCRIPT, wrong, false, true, &[not_tested, default]),
        (&programs, SCRIPT, wrong, true, true, &["the newest release, z3@4.2, shows it", default]),
        (&fixed, SCRIPT, wrong, true, false, &["the newest release, z3@4.2, does not show it", default]),
        (
            &programs,
            SCRIPT,
            "z3@4.1 says unsat, yices@2.0 says sat",
            false,
            false,
            &["yices@2.0 is the newest release", "it is not decided which solver is wrong", default],
        ),
        (
            &programs,
            SCRIPT,
            "z3@4.1 rlimit=5 says unsat, cvc5@1.0 says sat",
            false,
            false,
            &[
                not_tested,
                "the maintainers take no reports for the option rlimit=5: it stops the run",
                "it needs rlimit=5; reports with default options come first",
            ],
        ),
        (
            &programs,
            &with_option,
            wrong,
            false,
            true,
            &[not_tested, "it needs :smt.random_seed 3; reports with default options come first"],
        ),
        (
            &programs,
            SCRIPT,
            "cvc5@1.1 crashes with SIGSEGV",
            false,
            false,
            &[
                "cvc5@1.1 is the newest release",
                default,
                "it does not show in safe mode (--safe-mode=safe): sat",
            ],
        ),
        (
            &safe,
            SCRIPT,
            "cvc5@1.1 crashes with SIGSEGV",
            false,
            true,
            &["cvc5@1.1 is the newest release", default, "it shows in safe mode (--safe-mode=safe)"],
        ),
    ];
    for (programs, script, predicate, bisect, wanted, reasons) in table {
        let report = reported(programs, script, predicate, bisect);
        assert_eq!(report.title.contains(" (rlimit=5) "), predicate.contains("rlimit"), "{}", report.title);
        let policy = report.policy;
        assert_eq!(policy.reasons, reasons, "{predicate}");
        assert_eq!(policy.wanted, wanted, "{predicate}");
    }
}

#[test]
fn severities_follow_the_order_of_maintainers() {
    let mut levels: Vec<Severity> = Class::ALL.into_iter().map(|class| Severity::of(class, false)).collect();
    levels.push(Severity::of(Class::Crash, true));
    levels.sort();
    levels.dedup();
    let names: Vec<&str> = levels.into_iter().map(Severity::name).collect();
    assert_eq!(
        names,
        [
            "wrong unsat",
            "wrong sat",
            "contradiction",
            "wrong rewrite",
            "wrong optimum",
            "wrong consequence",
            "crash",
            "invalid model",
            "wrong core or proof",
            "crash with options",
            "wrong printing",
            "performance",
            "wrong label",
            "incompleteness"
        ]
    );
}

#[test]
fn every_finding_gets_a_page_and_the_index_names_all() {
    let crash = format!("echo 'Failed to verify: a'; {SEGFAULT}");
    let programs = Programs::new(&[("z3@1.0", &crash)]);
    let out = programs.folder().join("out");
    let ids = stored(&out, &[crash_finding("a"), crash_finding("b")]);
    for (format, link) in [(Format::Markdown, "]("), (Format::Html, "<a href="), (Format::Json, "\"title\"")]
    {
        let to = programs.folder().join(format.extension());
        let settings = ReportSettings { out: &out, limits: limits(), bisect: false };
        let (mut begun, mut seen) = (Vec::new(), Vec::new());
        let index = to.join(format!("index.{}", format.extension()));
        let mut progress = |step: ReportStep<'_>| match step {
            ReportStep::Begun { number, of, id } => {
                begun.push((number, of, id.to_owned()));
                // The index is there from the start, and grows.
                let text = fs::read_to_string(&index).unwrap();
                assert_eq!(text.matches(link).count(), number - 1, "{text}");
            }
            ReportStep::Written { name, .. } => seen.push(name.to_owned()),
        };
        let reports = report_all(&to, format, &settings, &programs, &mut |_| {}, &mut progress).unwrap();
        // The second finding crashes with another message, so it does not show.
        assert_eq!((reports.written, reports.failed.len()), (1, 1));
        assert_eq!(reports.failed[0].0, ids[1]);
        assert_eq!(begun, [(1, 2, ids[0].clone()), (2, 2, ids[1].clone())]);
        assert_eq!(seen, [format!("{}.{}", ids[0], format.extension())]);
        assert!(to.join(&seen[0]).is_file() && to.join(format!("{}.smt2", ids[0])).is_file());
        let index = fs::read_to_string(reports.index).unwrap();
        assert_eq!(index.matches(link).count(), 1, "{index}");
    }
}

#[test]
fn a_report_about_time_tells_one_time() {
    let programs = Programs::new(&[("z3@1", "while :; do :; done"), ("z3@2", SAT)]);
    let predicate = Predicate::parse("z3@1 is slow, z3@2 is fast").unwrap();
    let subject = Subject::of_script(SCRIPT.to_owned(), predicate, "bug.smt2");
    let out = programs.folder().join("no-campaign");
    let limits = Limits { wall: Duration::from_secs(2), ..limits() };
    let settings = ReportSettings { out: &out, limits, bisect: false };
    let report = report(&subject, &settings, &programs, &mut |_| {}).unwrap();
    let (ended, blame) = (report.ended.unwrap(), report.blame);
    let time = ended.strip_prefix("timeout after ").unwrap().strip_suffix(" of CPU time").unwrap();
    assert!(blame.contains(&format!("z3@1 gives no answer within {time} of CPU time")), "{blame} {ended}");
}
