//! Runs the programs that an installation needs: package managers, and solvers that print their version.

use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How many bytes of a probed program's output are kept.
const OUTPUT_LIMIT: u64 = 8 << 20;

/// Runs `command` to its end. Passes every line of its standard output to `line` and calls `tick` regularly, which returns whether
/// to go on. If not, the program is killed.
pub fn run_watched(
    mut command: Command,
    every: Duration,
    line: impl Fn(&str),
    tick: impl Fn() -> bool,
) -> io::Result<Output> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
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

/// Runs `command` without input for at most `limit`, then kills it and its children.
pub fn probe(mut command: Command, limit: Duration) -> io::Result<Output> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn()?;
    let output = collect(child.stdout.take());
    let errors = collect(child.stderr.take());
    let status = wait_or_kill(&mut child, limit)?;
    Ok(Output {
        status,
        stdout: output.join().unwrap_or_default(),
        stderr: errors.join().unwrap_or_default(),
    })
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

fn wait_or_kill(child: &mut Child, limit: Duration) -> io::Result<ExitStatus> {
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= deadline {
            kill_group(child);
            return child.wait();
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Kills the process group that the child leads.
fn kill_group(child: &Child) {
    if let Ok(group) = i32::try_from(child.id()) {
        // SAFETY: `kill` reads no memory. The child has not been waited for, so the system has not reused its number.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
}
