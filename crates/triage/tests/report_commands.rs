//! The commands in a report do what the report says, with the solvers that a maintainer has.

use case::Predicate;
use solver::TargetKind;
use solver::install::Settings;
use solver::run::Limits;
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};
use triage::report::{Report, ReportSettings, markdown, report};
use triage::{QuietSource, SolverSource, Subject};

/// Scripts that releases get wrong, what they show, the options that the report must name, and the number of the signal that ends the run.
const BUGS: [(&str, &str, &[&str], Option<i32>); 5] = [
    (
        "(assert (not (is_int (to_real (/ 1 2)))))\n(check-sat)\n",
        "z3@4.8.10 says unsat, z3@5.4.0 says sat",
        &[],
        None,
    ),
    (
        "(assert (str.< \"\" \"r\"))\n(check-sat)\n",
        "z3@4.8.7 finds its model wrong",
        &["model_validate=true"],
        None,
    ),
    ("(assert (= (bvxnor #b0 #b0 #b0) #b1))\n(check-sat)\n", "z3@4.8.7 gives a wrong model", &[], None),
    ("(simplify (bvsmul_noovfl #b111 #b111))\n", "z3@4.8.7 simplifies wrongly", &[], None),
    (
        "(declare-const a Bool)\n(assert a)\n(check-sat-assuming ((not false)))\n",
        "z3@4.8.7 crashes",
        &[],
        Some(11),
    ),
];

/// The text of a page from `start` to the end of its block.
fn block<'a>(page: &'a str, start: &str) -> &'a str {
    let (_, rest) = page.split_once(start).unwrap();
    rest.split_once("\n```").unwrap().0
}

/// Runs a command line as a maintainer would, with the release of the report as `z3` and the script as `bug.smt2`.
fn run(line: &str, script: &str, program: &Path) -> Output {
    let folder = tempfile::tempdir().unwrap();
    symlink(program, folder.path().join("z3")).unwrap();
    std::fs::write(folder.path().join("bug.smt2"), script).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let line = format!("exec {line}");
    Command::new("sh").args(["-c", &line]).current_dir(folder.path()).env("PATH", path).output().unwrap()
}

#[test]
fn commands_print_what_the_report_says() {
    let source = QuietSource(Settings::from_environment().expect("the environment is usable"));
    for (script, predicate, options, signal) in BUGS {
        let predicate = Predicate::parse(predicate).unwrap();
        let mut targets = predicate.clauses.iter().map(|clause| source.resolve(&clause.spec));
        let target = match targets.next().unwrap() {
            Ok(target) => target,
            Err(error) => return testing::skip(error),
        };
        let subject = Subject::of_script(script.to_owned(), predicate, "bug.smt2");
        let settings =
            ReportSettings { out: Path::new("no-campaign"), limits: Limits::default(), bisect: false };
        let made: Report = report(&subject, &settings, &source, &mut |_| {}).unwrap();
        assert_eq!(made.options, options, "{script}");
        let page = markdown(&made);
        assert_eq!(page.contains("Default options."), options.is_empty(), "{page}");
        let (script, console) = (block(&page, "```smt2\n"), block(&page, "```\n$ "));
        let (line, shown) = console.split_once('\n').unwrap_or((console, ""));
        assert_eq!(target.kind, TargetKind::Executable, "{target:?}");
        let output = run(line, script, &target.program);
        let printed = [output.stdout, output.stderr].concat();
        assert_eq!(String::from_utf8_lossy(&printed).trim(), shown, "{page}");
        assert_eq!(output.status.signal(), signal, "{page}");
        assert_eq!(made.ended.is_some_and(|ended| ended.contains("SIGSEGV")), signal.is_some());
    }
}
