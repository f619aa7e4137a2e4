//! Runs the programs that an installation needs: package managers, and solvers that print their version.

use crate::run::{self, RunError};
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How many bytes of the error output of a program are kept.
const OUTPUT_LIMIT: u64 = 8 << 20;

/// Runs `command` to its end. Passes every line of its standard output to `line` and calls `tick` regularly, which returns whether
/// to go on. If not, the program is killed.
pub fn run_watched(
    mut command: Command,
    every: Duration,
    line: impl Fn(&str),
    tick: impl Fn() -> bool,
) -> io::Result<Output> {
    let mut child = bind_to_us(&mut command).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let errors = collect(child.stderr.take());
    let (sender, receiver) = mpsc::channel();
    let output = child.stdout.take();
    let reader = thread::spawn(move || {
        for line in
            output.into_iter().flat_map(|pipe| BufReader::new(pipe).split(b'\n')).map_while(Result::ok)
        {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
        }
    });
    let mut stdout = String::new();
    loop {
        match receiver.recv_timeout(every) {
            Ok(text) => {
                line(&text);
                stdout.push_str(&text);
                stdout.push('\n');
            }
            Err(RecvTimeoutError::Timeout) if tick() => {}
            Err(RecvTimeoutError::Timeout) => {
                child.kill()?;
                break;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    tick();
    let status = child.wait()?;
    let _ = reader.join();
    Ok(Output { status, stdout: stdout.into_bytes(), stderr: errors.join().unwrap_or_default() })
}

/// Runs `command` without input for at most `limit`, confined like any solver, then kills it and its descendants.
pub fn probe(command: &Command, limit: Duration) -> io::Result<Output> {
    let text = |text: &OsStr| text.to_string_lossy().into_owned();
    let arguments: Vec<String> = command.get_args().map(text).collect();
    let variables: Vec<(String, String)> =
        command.get_envs().filter_map(|(name, value)| Some((text(name), text(value?)))).collect();
    run::probe(Path::new(command.get_program()), &arguments, &variables, limit).map_err(|error| match error {
        RunError::Start { error, .. } => error,
        other => io::Error::other(other.to_string()),
    })
}

/// Makes the program of `command` die with this process, even by SIGKILL.
///
/// The system watches the thread that starts it, which must wait for it.
pub fn bind_to_us(command: &mut Command) -> &mut Command {
    let parent = std::process::id();
    // SAFETY: the calls are allowed between fork and exec, and touch no memory.
    unsafe {
        command.pre_exec(move || {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            // It may have died before the call.
            match u32::try_from(libc::getppid()) == Ok(parent) {
                true => Ok(()),
                false => Err(io::Error::from_raw_os_error(libc::ESRCH)),
            }
        })
    }
}

/// Whether [`probe`] killed the program because it took too long.
pub fn was_killed(output: &Output) -> bool {
    output.status.signal() == Some(libc::SIGKILL)
}

/// Reads a pipe to its end on a new thread and keeps a bounded part.
fn collect(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // A broken pipe is at its end.
            let _ = pipe.by_ref().take(OUTPUT_LIMIT).read_to_end(&mut bytes);
            let _ = io::copy(&mut pipe, &mut io::sink());
        }
        bytes
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_child_in_its_own_session_does_not_delay_a_probe() {
        let mut command = Command::new("sh");
        command.args(["-c", "setsid sleep 60 & echo 1.2.3"]);
        let start = Instant::now();
        let output = probe(&command, Duration::from_secs(20)).unwrap();
        assert_eq!(output.stdout, b"1.2.3\n");
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }

    #[test]
    fn a_probe_that_hangs_is_killed() {
        let mut command = Command::new("sleep");
        command.arg("60");
        let output = probe(&command, Duration::from_millis(200)).unwrap();
        assert!(was_killed(&output), "{output:?}");
    }

    #[test]
    fn bound_programs_die_with_the_thread_that_started_them() {
        let start = || bind_to_us(Command::new("sleep").arg("60")).spawn().unwrap();
        let mut child = thread::spawn(start).join().unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
    }
}
