//! A result for tests.

use super::report::{CiReport, JudgedFinding, Phase};
use super::standing::Standing;
use case::{Class, Severity};
use std::time::Duration;

/// A result with a finding of each standing.
pub fn sample() -> CiReport {
    let finding = |number: usize, phase: Phase, class: Class, standing: Standing| JudgedFinding {
        id: format!("{class}-{number}"),
        phase,
        class,
        severity: Severity::of(class, false),
        title: format!("Z3 4.8.7: {class} with `str.<` | <b>"),
        standing,
        candidate_did: "unsat".to_owned(),
        baseline_did: "sat".to_owned(),
        script: "(assert (str.< \"\" \"<&>\"))\n(check-sat)\n".to_owned(),
        file: format!("ci/findings/{class}-{number}/reduced.smt2").into(),
        reproduce: format!("elenchus solve ci/findings/{class}-{number}/reduced.smt2 --solver ./build/z3"),
        merged_into: None,
    };
    let unclear = Standing::NotComparable("the baseline rejects the script".to_owned());
    CiReport {
        candidate: "./build/z3".to_owned(),
        baseline: "z3@5.4.0".to_owned(),
        folder: "ci".into(),
        random_seed: 1,
        seeds: 240,
        cases: 1000,
        shared: 7,
        findings: vec![
            finding(1, Phase::Fuzzing, Class::WrongUnsat, Standing::New),
            finding(2, Phase::Regressions, Class::WrongSat, Standing::Old),
            finding(3, Phase::Regressions, Class::Crash, Standing::NotShown),
            finding(4, Phase::Fuzzing, Class::Crash, Standing::Known("https://example.org/1".to_owned())),
            finding(5, Phase::Seeds, Class::InvalidModel, unclear),
        ],
        elapsed: Duration::from_secs(127),
        interrupted: false,
    }
}
