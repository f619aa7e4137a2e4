//! A report of fixed data as Markdown and HTML. `UPDATE_EXPECT=1 cargo test -p elenchus-triage --test report_pages` writes the pages.

use case::{Answer, Class, Outcome, RunResult, Severity};
use expect_test::expect_file;
use std::collections::BTreeSet;
use triage::DistinguishingFunctions;
use triage::releases::{Probe, Releases, State};
use triage::report::{Format, Policy, Report, SolverResult};

fn answered(answer: Answer) -> RunResult {
    RunResult { outcome: Outcome::Answered, answers: vec![answer] }
}

fn probe(release: &str, state: State, answer: Answer) -> Probe {
    Probe { release: release.to_owned(), state, result: Some(answered(answer)), cpu_ms: None, note: None }
}

fn sample() -> Report {
    let result = |solver: &str, answer| SolverResult {
        solver: solver.to_owned(),
        result: answered(answer),
        cpu_ms: None,
    };
    let probes = vec![
        probe("z3@4.8.9", State::Good, Answer::Sat),
        probe("z3@4.8.10", State::Bad, Answer::Unsat),
        probe("z3@5.4.0", State::Good, Answer::Sat),
    ];
    Report {
        title: "z3@4.8.10 answers unsat on a satisfiable script".to_owned(),
        class: Class::WrongUnsat,
        severity: Severity::WrongUnsat,
        solver: "Z3 4.8.10".to_owned(),
        script: "(declare-const x Int)\n(assert (< x (- 1)))\n(check-sat)\n".to_owned(),
        command: "z3 bug.smt2".to_owned(),
        expected: "sat".to_owned(),
        actual: "unsat".to_owned(),
        ended: None,
        blame: "z3@4.8.10 is wrong: our evaluator confirms the model of cvc5@1.4.2".to_owned(),
        model: Some("((define-fun x () Int (- 2)))".to_owned()),
        values: Some("(< x (- 1)) = true\n  x = (- 2)".to_owned()),
        others: vec![result("cvc5@1.4.2", Answer::Sat)],
        with_model: vec![result("z3@4.8.10", Answer::Unsat)],
        releases: Some(Releases {
            solver: "z3".to_owned(),
            first_bad: "z3@4.8.10".to_owned(),
            no_good_before: false,
            first_good: Some("z3@5.4.0".to_owned()),
            newest: probes.last().cloned(),
            probes,
            undecided: false,
            untested: Vec::new(),
        }),
        options: vec!["smt.arith.solver=2".to_owned()],
        distinguishing_functions: Some(DistinguishingFunctions {
            functions: BTreeSet::from(["arith::tighten".to_owned()]),
            neighbour: "(declare-const x Int)\n(assert (< x 1))\n(check-sat)\n".to_owned(),
            result: answered(Answer::Sat),
        }),
        duplicates: vec!["wrong-unsat-3f9a".to_owned()],
        policy: Policy { wanted: true, reasons: vec!["the newest release does not show it".to_owned()] },
        signature: "wrong-unsat z3 [Ints] <".to_owned(),
        origin: "wrong-unsat-03d1".to_owned(),
    }
}

#[test]
fn markdown_for_a_tracker() {
    expect_file!["snapshots/report.md"].assert_eq(&Format::Markdown.render(&sample()));
}

#[test]
fn html_is_self_contained() {
    let page = Format::Html.render(&sample());
    assert!(!page.contains("http://") && !page.contains("src="), "{page}");
    expect_file!["snapshots/report.html"].assert_eq(&page);
}
