//! Runs a program once to see what it prints, such as its version.

use super::error::RunError;
use super::output::Printed;
use super::supervisor::{Environment, Launch, Supervisor, protocol, resolve_program};
use crate::confine::{self, Confinement};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ExitStatus, Output};
use std::sync::Arc;
use std::time::Duration;

/// How many bytes a program may print.
const OUTPUT_LIMIT: u64 = 8 << 20;
/// How much memory it may use.
const MEMORY_LIMIT: u64 = 4 << 30;
/// The size of the files that it may write.
const FILES_LIMIT: u64 = 64 << 20;

/// Runs a program without input for at most `limit`, confined like any solver, then kills it and all its descendants.
pub(crate) fn probe(
    program: &Path,
    arguments: &[String],
    variables: &[(String, String)],
    limit: Duration,
) -> Result<Output, RunError> {
    let program = resolve_program(program);
    let variables = || variables.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let confinement = confine::is_on().then(|| Arc::new(Confinement::new(&program, arguments, variables())));
    let mut supervisor = Supervisor::start(None)?;
    supervisor.launch(&Launch {
        program: &program,
        confinement: confinement.as_ref(),
        coverage: None,
        arguments,
        environment: &Environment::new(confinement.is_some(), variables()),
        limits: protocol::Limits {
            wall_ms: limit.as_millis() as u64,
            resident: MEMORY_LIMIT,
            file_size: FILES_LIMIT,
            folder_size: FILES_LIMIT,
            ..protocol::Limits::default()
        },
        stdin: None,
        server: None,
        preload: None,
    })?;
    let mut printed = Printed::with_room(OUTPUT_LIMIT);
    let report = supervisor.await_report(&mut printed, limit)?;
    let status = ExitStatus::from_raw(report.status);
    Ok(Output { status, stdout: printed.stdout, stderr: printed.stderr })
}
