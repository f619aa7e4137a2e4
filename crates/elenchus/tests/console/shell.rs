//! Runs the commands of a page in a folder.

use std::fs::File;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long to wait for a command before the test fails.
const PATIENCE: Duration = Duration::from_secs(300);

/// Runs a command as a reader would, and returns what appears on the terminal. The error says how it failed.
pub fn run(command: &str, folder: &Path) -> Result<String, String> {
    let program = Path::new(env!("CARGO_BIN_EXE_elenchus"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    // A file takes both streams in their order, and never blocks the command.
    let mut output = tempfile::tempfile().unwrap();
    let copy = |file: &File| file.try_clone().unwrap();
    let mut child = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(copy(&output))
        .stderr(copy(&output))
        .spawn()
        .unwrap();
    let until = Instant::now() + PATIENCE;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > until {
            child.kill().unwrap();
            child.wait().unwrap();
            return Err(format!("did not end within {PATIENCE:?}"));
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    std::io::Seek::rewind(&mut output).unwrap();
    let mut text = String::new();
    output.read_to_string(&mut text).map_err(|error| error.to_string())?;
    // 101: a panic; from 126 on: a program that cannot be started, or a signal.
    match (status.code(), status.signal()) {
        (Some(code), _) if code == 101 || code >= 126 => Err(format!("exit code {code}\n{text}")),
        (None, signal) => Err(format!("signal {signal:?}\n{text}")),
        _ => Ok(text),
    }
}
