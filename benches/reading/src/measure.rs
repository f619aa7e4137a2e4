//! CPU time and peak memory of a process.

use nix::sys::resource::{UsageWho, getrusage};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The time limit of a run: some parsers never terminate on some scripts.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The resources that a process used, and its output.
#[derive(Clone, Debug)]
pub struct Measured {
    /// User and system time, in seconds.
    pub cpu: f64,
    /// Peak resident memory, in MiB.
    pub memory: f64,
    /// Standard output.
    pub output: String,
}

/// Runs a command line in a process that does nothing else, so that the resources of its children are those of the command.
pub fn measure(command: &[String]) -> Result<Measured, String> {
    let own = std::env::current_exe().map_err(|error| format!("cannot find this executable: {error}"))?;
    let done = Command::new(own)
        .arg("measure")
        .args(command)
        .output()
        .map_err(|error| format!("{}: {error}", command[0]))?;
    let output = String::from_utf8_lossy(&done.stdout).into_owned();
    let (output, figures) = output.trim_end().rsplit_once('\n').unwrap_or(("", output.trim_end()));
    let mut numbers = figures.split(' ').map(str::parse::<f64>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(cpu)), Some(Ok(memory))) => Ok(Measured { cpu, memory, output: output.to_owned() }),
        _ => {
            let errors = String::from_utf8_lossy(&done.stderr);
            Err(errors.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("killed").to_owned())
        }
    }
}

/// The inner process: runs the command, then prints its resource usage on a separate line.
pub fn measure_command(command: &[String]) -> Result<(), String> {
    let [program, args @ ..] = command else { return Err("no command to measure".into()) };
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot start {program}: {error}"))?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break status;
        }
        if start.elapsed() > TIMEOUT {
            child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
            return Err(format!("no result after {} s", TIMEOUT.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    // Z3 exits with 1 after any `(error …)`; the report evaluates its output.
    if status.code().is_none_or(|code| code > 1) {
        return Err(format!("exited with {status}"));
    }
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    let cpu = seconds(usage.user_time()) + seconds(usage.system_time());
    println!("\n{cpu} {}", usage.max_rss() as f64 / 1024.0);
    Ok(())
}

/// The CPU time of this process so far, in seconds.
pub fn own_cpu() -> Result<f64, String> {
    let usage = getrusage(UsageWho::RUSAGE_SELF).map_err(|error| error.to_string())?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}
