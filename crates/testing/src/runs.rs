//! Sample data of findings.

use case::{AskedScript, Exit, RunResult, SolverRun};

/// A run of a solver such as `z3@4.8.10`, without options or output.
#[must_use]
pub fn solver_run(spec: &str, result: RunResult, suspect: bool) -> SolverRun {
    let (name, version) = spec.split_once('@').unwrap_or((spec, "1"));
    SolverRun {
        id: spec.to_owned(),
        name: name.to_owned(),
        version: version.to_owned(),
        spec: spec.to_owned(),
        options: Vec::new(),
        checks: Vec::new(),
        command: format!("{name} case.smt2"),
        asked: AskedScript::Case,
        result,
        exit: Exit::Code(0),
        milliseconds: 12,
        suspect,
        stdout: String::new(),
        stderr: String::new(),
    }
}
