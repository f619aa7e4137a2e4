//! The page of a finding. `UPDATE_EXPECT=1 cargo test -p elenchus-store --test readme` writes it.

use case::{
    Answer, Class, Evidence, Expectation, FINDING_FORMAT, Finding, Origin, Outcome, RunResult, Signature,
    SolverRun, Step,
};
use expect_test::expect_file;
use std::collections::BTreeSet;
use store::{Store, Texts};

fn run(spec: &str, answer: Answer, suspect: bool) -> SolverRun {
    let result = RunResult { outcome: Outcome::Answered, answers: vec![answer] };
    SolverRun { stdout: format!("{}\n", answer.word()), ..testing::solver_run(spec, result, suspect) }
}

fn finding() -> Finding {
    let theories = BTreeSet::from(["Ints".to_owned()]);
    Finding {
        format: FINDING_FORMAT,
        class: Class::WrongUnsat,
        signature: Signature::Answers {
            class: Class::WrongUnsat,
            said: BTreeSet::from([("z3".to_owned(), Some(Answer::Unsat))]),
            theories: theories.clone(),
            operators: vec!["<".to_owned()],
        },
        evidence: vec![Evidence::ModelConfirmed { solver: "cvc5@1.4.2".into() }],
        predicate: None,
        runs: vec![run("z3@4.8.10", Answer::Unsat, true), run("cvc5@1.4.2", Answer::Sat, false)],
        models: true,
        own_checks: false,
        theories,
        origin: Origin {
            campaign_seed: 7,
            strategy: "typefuzz".into(),
            seed_hash: "00ff".into(),
            round: 0,
            index: 3,
        },
        seed_name: "a.smt2".into(),
        lineage: vec![Step { action: "replace".into(), before: "x".into(), after: "(- x 1)".into() }],
        learned: Vec::new(),
        dialogue: Vec::new(),
        expectation: Expectation::Unknown,
        signature_files: Vec::new(),
        found_by: "0.1.0".into(),
    }
}

#[test]
fn the_page_of_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let texts = Texts {
        case: "(declare-const x Int)\n(assert (< (- x 1) 0))\n(check-sat)\n",
        seed: "(declare-const x Int)\n(assert (< x 0))\n(check-sat)\n",
        plain: None,
    };
    let id = store.record(&finding(), texts).unwrap().id().to_owned();
    let page = std::fs::read_to_string(folder.path().join("findings").join(id).join("README.md")).unwrap();
    expect_file!["snapshots/finding.md"].assert_eq(&page);
}
