//! The evaluator under cross-examination by Z3 5.4.0 and cvc5 1.4.2: every operator of the table, a few terms each. The
//! command `elenchus examine` does the same at any length.

use examine::{Plan, Report, examine};
use smt::Signatures;
use solver::Target;
use solver::install::{Settings, resolve};

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

fn cross_examined(targets: &[Target]) -> Report {
    let plan = Plan { terms: 5_000, seed: 7, theories: Vec::new() };
    examine(targets, &Signatures::standard(), &plan, &mut |_| {}).expect("solvers that run")
}

#[test]
fn solvers_value_every_operator_as_we_do() {
    let Some(targets) = targets() else { return };
    let report = cross_examined(&targets);
    assert!(report.defects.is_empty(), "terms that we cannot value: {:#?}", report.defects);
    let unexplained: Vec<_> = report.disagreements.iter().filter(|one| one.explanation.is_none()).collect();
    assert!(unexplained.is_empty(), "{unexplained:#?}");
    let uncovered: Vec<&str> = report
        .uncovered()
        .into_iter()
        .map(|row| row.name.as_str())
        .filter(|name| !WITHOUT_WITNESS.iter().any(|(operator, _)| name.starts_with(operator)))
        .collect();
    assert!(uncovered.is_empty(), "no solver was asked about\n{}", uncovered.join("\n"));
    for (_, rank, reason) in &report.left_out {
        assert!(!reason.is_empty(), "{rank} is left out without a reason");
    }
    assert!(report.compared() > 4_000, "only {} values were compared", report.compared());
}
