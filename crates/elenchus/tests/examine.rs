//! The evaluator under cross-examination by Z3 5.4.0 and cvc5 1.4.2: every operator of the table, a few terms each. The
//! command `elenchus examine` does the same at any length.

use examine::{Plan, Report, examine};
use smt::Signatures;
use solver::Target;
use solver::install::{Settings, resolve};
use std::collections::BTreeSet;

/// Operators whose values no solver was found to give, and why.
const WITHOUT_WITNESS: [(&str, &str); 4] = [
    ("(bag.some ", "cvc5 1.4.2 crashes on it"),
    ("(bag.all ", "cvc5 1.4.2 crashes on it"),
    ("(seq.replace_re ", "Z3 does not evaluate it"),
    ("(seq.replace_re_all ", "Z3 does not evaluate it"),
];

fn targets() -> Option<Vec<Target>> {
    let mut settings = Settings::from_environment().expect("the environment is usable");
    settings.driver = env!("CARGO_BIN_EXE_elenchus").into();
    let targets: Result<Vec<Target>, _> =
        ["z3@5.4.0", "cvc5@1.4.2"].iter().map(|spec| resolve(spec, &settings)).collect();
    targets.map_err(|error| testing::skip(format_args!("solvers are not available: {error}"))).ok()
}

/// Examines some theories, or all.
fn cross_examined(targets: &[Target], terms: u64, seed: u64, theories: Vec<String>) -> Report {
    let plan = Plan { terms, seed, theories };
    examine(targets, &Signatures::standard(), &plan, &mut |_| {}).expect("solvers that run")
}

/// The operators of a report that no solver gave a value, each with its theory.
fn uncovered(report: &Report) -> BTreeSet<(String, String)> {
    let without_witness = |name: &str| WITHOUT_WITNESS.iter().any(|(operator, _)| name.starts_with(operator));
    let rows = report.uncovered().into_iter().filter(|row| !without_witness(&row.name));
    rows.map(|row| (row.theory.clone(), row.name.clone())).collect()
}

#[test]
fn solvers_value_every_operator_as_we_do() {
    let Some(targets) = targets() else { return };
    let report = cross_examined(&targets, 5_000, 7, Vec::new());
    assert!(report.defects.is_empty(), "terms that we cannot value: {:#?}", report.defects);
    let unexplained: Vec<_> = report.disagreements.iter().filter(|one| one.explanation.is_none()).collect();
    assert!(unexplained.is_empty(), "{unexplained:#?}");
    // A solver that is slow at the first terms of an operator is not asked about it any more. Its theory gets another chance.
    let mut missing = uncovered(&report);
    for seed in 8..11 {
        if !missing.is_empty() {
            let theories = missing.iter().map(|(theory, _)| theory.clone()).collect();
            let again = uncovered(&cross_examined(&targets, 1_000, seed, theories));
            missing.retain(|operator| again.contains(operator));
        }
    }
    assert!(missing.is_empty(), "no solver was asked about {missing:#?}");
    for (_, rank, reason) in &report.left_out {
        assert!(!reason.is_empty(), "{rank} is left out without a reason");
    }
    assert!(report.compared() > 4_000, "only {} values were compared", report.compared());
}
