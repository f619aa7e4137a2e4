//! The runner's side of the supervisor process: starts it, sends it programs, receives their reports.

use super::classify::{Ending, Exit};
use super::error::RunError;
use super::output::{Ends, Pipes, Printed};
use super::request::CoverageFiles;
use super::work_folder::WorkFolder;
use crate::confine::{self, Confinement, Ruleset};
pub(super) use crate::native::protocol;
use protocol::{Header, Report, cause, kind};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::MemfdFlags;
use rustix::io::Errno;
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use std::fs::File;
use std::io::{self, IoSlice, Read, Write};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The supervisor, compiled by the build script.
static PROGRAM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/supervisor"));
/// The preloaded library of fork servers, compiled by the build script.
static PRELOAD: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/preload.so"));

/// How long after a run's limit its report may arrive.
const GRACE: Duration = Duration::from_secs(20);

/// A program to start.
pub(super) struct Launch<'a> {
    pub program: &'a Path,
    /// The files that the program may use; `None` if it is not confined.
    pub confinement: Option<&'a Arc<Confinement>>,
    pub coverage: Option<&'a CoverageFiles>,
    pub arguments: &'a [String],
    pub environment: &'a Environment,
    pub limits: protocol::Limits,
    pub stdin: Option<BorrowedFd<'a>>,
    pub server: Option<BorrowedFd<'a>>,
    pub preload: Option<BorrowedFd<'a>>,
}

/// Environment variables, encoded as the supervisor expects them.
#[derive(Clone, Debug, Default)]
pub(super) struct Environment {
    block: Vec<u8>,
    count: u32,
}

impl Environment {
    /// The variables of this process with `changes`. A confined program receives only those that it may know.
    pub fn new<'a>(confined: bool, changes: impl IntoIterator<Item = (&'a str, &'a str)>) -> Environment {
        use std::os::unix::ffi::OsStrExt;
        let changes: Vec<(&str, &str)> = changes.into_iter().collect();
        let mut environment = Environment::default();
        for (name, value) in std::env::vars_os() {
            let inherited = !confined || name.to_str().is_some_and(confine::inherits);
            if inherited && !changes.iter().any(|(changed, _)| name == *changed) {
                environment.push(name.as_bytes(), value.as_bytes());
            }
        }
        for (index, (name, value)) in changes.iter().enumerate() {
            // The last change of a variable wins.
            if !changes[index + 1..].iter().any(|(later, _)| later == name) {
                environment.push(name.as_bytes(), value.as_bytes());
            }
        }
        environment
    }

    /// Sets a variable.
    pub fn set(&mut self, name: &str, value: &str) {
        let prefix = format!("{name}=");
        let kept = self.block.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
        let kept: Vec<&[u8]> = kept.filter(|entry| !entry.starts_with(prefix.as_bytes())).collect();
        let mut changed = Environment { block: Vec::new(), count: kept.len() as u32 };
        for entry in kept {
            changed.block.extend_from_slice(entry);
            changed.block.push(0);
        }
        changed.push(name.as_bytes(), value.as_bytes());
        *self = changed;
    }

    fn has(&self, name: &str) -> bool {
        let prefix = format!("{name}=");
        self.block.split(|byte| *byte == 0).any(|entry| entry.starts_with(prefix.as_bytes()))
    }

    fn push(&mut self, name: &[u8], value: &[u8]) {
        self.block.extend_from_slice(name);
        self.block.push(b'=');
        self.block.extend_from_slice(value);
        self.block.push(0);
        self.count += 1;
    }
}

/// An in-memory file that can be executed or preloaded.
fn file_in_memory(name: &str, contents: &[u8]) -> io::Result<OwnedFd> {
    let create = |flags| rustix::fs::memfd_create(name, flags);
    // Old kernels reject the flag that new ones may require.
    let file = match create(MemfdFlags::CLOEXEC | MemfdFlags::EXEC) {
        Err(Errno::INVAL) => create(MemfdFlags::CLOEXEC)?,
        other => other?,
    };
    let mut file = std::fs::File::from(file);
    file.write_all(contents)?;
    Ok(file.into())
}

fn shared(
    cell: &'static OnceLock<OwnedFd>,
    name: &str,
    contents: &[u8],
) -> Result<BorrowedFd<'static>, RunError> {
    if let Some(file) = cell.get() {
        return Ok(file.as_fd());
    }
    let file = file_in_memory(name, contents).map_err(|error| RunError::Supervisor { error })?;
    Ok(cell.get_or_init(|| file).as_fd())
}

/// The preloaded library as a file for a supervisor.
pub(super) fn preload() -> Result<BorrowedFd<'static>, RunError> {
    static FILE: OnceLock<OwnedFd> = OnceLock::new();
    shared(&FILE, "elenchus-preload", PRELOAD)
}

/// A supervisor process with its working folder and the output of its program.
#[derive(Debug)]
pub(super) struct Supervisor {
    process: Child,
    control: UnixStream,
    /// Whether the report of a started program is outstanding.
    watching: bool,
    /// The rules for programs with the same files, and those files.
    rules: Option<(Arc<Confinement>, Option<Ruleset>)>,
    pub pipes: Pipes,
    pub folder: WorkFolder,
}

/// Variables with folders that a confined program may write to.
const FOLDERS: [&str; 2] = ["HOME", "TMPDIR"];

impl Supervisor {
    /// Starts a supervisor with a new folder.
    pub fn start(scratch: Option<&Path>) -> Result<Supervisor, RunError> {
        static FILE: OnceLock<OwnedFd> = OnceLock::new();
        let failed = |error| RunError::Supervisor { error };
        let program = shared(&FILE, "elenchus-supervisor", PROGRAM)?;
        let (control, its_control) = UnixStream::pair().map_err(failed)?;
        let (pipes, Ends { stdout, stderr }) = Pipes::new().map_err(failed)?;
        let path = format!("/proc/self/fd/{}", rustix::fd::AsRawFd::as_raw_fd(&program));
        let mut process = Command::new(path)
            .arg0("elenchus-supervisor")
            .env_clear()
            .process_group(0)
            .stdin(Stdio::from(OwnedFd::from(its_control)))
            .stdout(Stdio::from(stdout))
            .stderr(Stdio::from(stderr))
            .spawn()
            .map_err(failed)?;
        let announce = |root: &Path| {
            let path = root.as_os_str().as_encoded_bytes();
            let mut message = message(kind::FOLDER, 0, path.len());
            message.extend_from_slice(path);
            (&control).write_all(&message).map_err(failed)
        };
        match WorkFolder::new(scratch, announce) {
            Ok(folder) => Ok(Supervisor { process, control, watching: false, rules: None, pipes, folder }),
            Err(error) => {
                drop(control);
                let _ = process.wait();
                Err(error)
            }
        }
    }

    /// Starts a program and returns its process id.
    pub fn launch(&mut self, launch: &Launch<'_>) -> Result<i32, RunError> {
        let failed = |error| RunError::Supervisor { error };
        let start_failed = |error| RunError::Start { program: launch.program.to_path_buf(), error };
        let program = launch.program.as_os_str().as_encoded_bytes();
        let folder = self.folder.work().as_os_str().as_encoded_bytes();
        let mut strings = Vec::with_capacity(launch.environment.block.len() + 512);
        let arguments = launch.arguments.iter().map(String::as_bytes);
        for text in [program, folder, program].into_iter().chain(arguments) {
            if text.contains(&0) {
                let error =
                    io::Error::new(io::ErrorKind::InvalidInput, "an argument contains a NUL character");
                return Err(start_failed(error));
            }
            strings.extend_from_slice(text);
            strings.push(0);
        }
        strings.extend_from_slice(&launch.environment.block);
        let mut variables = launch.environment.count;
        if launch.confinement.is_some() {
            for name in FOLDERS.iter().filter(|name| !launch.environment.has(name)) {
                strings.extend_from_slice(&[name.as_bytes(), b"=", folder, b"\0"].concat());
                variables += 1;
            }
        }
        let ruleset = match launch.confinement {
            Some(confinement) => {
                self.prepare_rules(confinement).map_err(failed)?;
                self.rules.as_ref().and_then(|(_, rules)| rules.as_ref()).map(AsFd::as_fd)
            }
            None => None,
        };
        let start = protocol::Start {
            arguments: launch.arguments.len() as u32 + 1,
            variables,
            with_stdin: launch.stdin.is_some().into(),
            with_server: launch.server.is_some().into(),
            with_preload: launch.preload.is_some().into(),
            with_coverage: launch.coverage.is_some().into(),
            with_ruleset: ruleset.is_some().into(),
            confined: launch.confinement.is_some().into(),
        };
        let length = size_of::<protocol::Limits>() + size_of::<protocol::Start>() + strings.len();
        let mut message = message(kind::START, 0, length);
        message.extend_from_slice(bytes_of(&launch.limits));
        message.extend_from_slice(bytes_of(&start));
        message.extend_from_slice(&strings);
        let coverage =
            |file: fn(&CoverageFiles) -> &Arc<File>| launch.coverage.map(|files| file(files).as_fd());
        let (plan, map) = (coverage(|files| &files.plan), coverage(|files| &files.map));
        let fds: Vec<BorrowedFd<'_>> =
            [launch.stdin, launch.server, launch.preload, plan, map, ruleset].into_iter().flatten().collect();

        // Assume so until it says otherwise: a supervisor that does not answer is useless.
        self.watching = true;
        self.send(&message, &fds).map_err(failed)?;
        let header: Header = receive(&self.control).map_err(failed)?;
        match header.kind {
            kind::STARTED => Ok(header.value as i32),
            kind::FAILED => {
                self.watching = false;
                Err(start_failed(io::Error::from_raw_os_error(header.value as i32)))
            }
            _ => Err(failed(io::Error::other("unexpected message from the supervisor"))),
        }
    }

    /// Makes the rules for these files, unless the last program had the same.
    fn prepare_rules(&mut self, confinement: &Arc<Confinement>) -> io::Result<()> {
        if !self.rules.as_ref().is_some_and(|(last, _)| Arc::ptr_eq(last, confinement)) {
            let rules = confinement.ruleset(self.folder.root(), self.folder.work())?;
            self.rules = Some((confinement.clone(), rules));
        }
        Ok(())
    }

    fn send(&self, message: &[u8], fds: &[BorrowedFd<'_>]) -> io::Result<()> {
        if fds.is_empty() {
            return (&self.control).write_all(message);
        }
        let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(6))];
        let mut rights = SendAncillaryBuffer::new(&mut space);
        rights.push(SendAncillaryMessage::ScmRights(fds));
        let sent = loop {
            match sendmsg(&self.control, &[IoSlice::new(message)], &mut rights, SendFlags::NOSIGNAL) {
                Err(Errno::INTR) => {}
                other => break other?,
            }
        };
        (&self.control).write_all(&message[sent..])
    }

    /// The process id of the supervisor.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// The socket on which reports arrive.
    pub fn control(&self) -> &UnixStream {
        &self.control
    }

    /// Whether the report of a program is outstanding.
    pub fn is_watching(&self) -> bool {
        self.watching
    }

    /// Receives a message. Returns it if it is the report of the running program, and drains the output then.
    pub fn receive_report(&mut self, printed: &mut Printed) -> io::Result<Option<Report>> {
        let header: Header = receive(&self.control)?;
        if header.kind != kind::REPORT {
            return Ok(None);
        }
        let report = receive(&self.control)?;
        self.watching = false;
        self.pipes.drain(printed)?;
        Ok(Some(report))
    }

    /// Kills the running program; its report follows.
    pub fn kill(&self) -> io::Result<()> {
        kill(&self.control)
    }

    /// Reads output until the report of the running program arrives.
    pub fn await_report(&mut self, printed: &mut Printed, limit: Duration) -> Result<Report, RunError> {
        let failed = |error| RunError::Supervisor { error };
        match await_report(&self.control, &mut self.pipes, printed, limit).map_err(failed)? {
            Some(report) => {
                self.watching = false;
                Ok(report)
            }
            None => Err(failed(io::Error::other("the supervisor has ended"))),
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // When its socket closes, it kills its program, removes the folder and exits.
        let _ = self.control.shutdown(std::net::Shutdown::Both);
        let _ = self.process.wait();
    }
}

/// Asks the supervisor or fork server at the other end to kill its program.
pub(super) fn kill(control: &UnixStream) -> io::Result<()> {
    let header = Header { kind: kind::KILL, value: 0, length: 0 };
    let mut control = control;
    control.write_all(bytes_of(&header))
}

/// The header of a message with a body of `length` bytes.
pub(super) fn message(kind: u32, value: u32, length: usize) -> Vec<u8> {
    let header = Header { kind, value, length: length as u64 };
    let mut message = Vec::with_capacity(size_of::<Header>() + length);
    message.extend_from_slice(bytes_of(&header));
    message
}

/// Structures of the protocol.
///
/// # Safety
/// The type must consist of integers without padding, so that it can be converted to bytes and any bytes are a value.
pub(super) unsafe trait Plain: Copy + Default {}
// SAFETY: two `u32` and a `u64`.
unsafe impl Plain for Header {}
// SAFETY: only `u64`.
unsafe impl Plain for protocol::Limits {}
// SAFETY: only `u32`.
unsafe impl Plain for protocol::Start {}
// SAFETY: two 32-bit integers, then `u64`.
unsafe impl Plain for Report {}

/// The bytes of a structure.
pub(super) fn bytes_of<T: Plain>(value: &T) -> &[u8] {
    // SAFETY: a plain structure has no padding, so all of its bytes are initialised.
    unsafe { std::slice::from_raw_parts(std::ptr::from_ref(value).cast(), size_of::<T>()) }
}

/// Receives a structure. Blocks until it has arrived.
pub(super) fn receive<T: Plain>(control: &UnixStream) -> io::Result<T> {
    let mut value = T::default();
    let start = std::ptr::from_mut(&mut value).cast();
    // SAFETY: any bytes are a value of a plain structure, and `value` is not used while they are borrowed.
    let bytes = unsafe { std::slice::from_raw_parts_mut(start, size_of::<T>()) };
    let mut control = control;
    control.read_exact(bytes)?;
    Ok(value)
}

/// Reads output until a report arrives on `control`, then drains the output. Kills the program once it has printed too much.
/// Returns `None` if the other side is gone.
pub(super) fn await_report(
    control: &UnixStream,
    pipes: &mut Pipes,
    printed: &mut Printed,
    limit: Duration,
) -> io::Result<Option<Report>> {
    let deadline = Instant::now() + limit + GRACE;
    let mut killed = false;
    loop {
        let wait = timespec(deadline.saturating_duration_since(Instant::now()));
        let (out, err, heard, count) = {
            let mut fds = [
                PollFd::from_borrowed_fd(pipes.stdout(), PollFlags::IN),
                PollFd::from_borrowed_fd(pipes.stderr(), PollFlags::IN),
                PollFd::new(control, PollFlags::IN),
            ];
            let count = match poll(&mut fds, Some(&wait)) {
                Err(Errno::INTR) => continue,
                other => other?,
            };
            (!fds[0].revents().is_empty(), !fds[1].revents().is_empty(), !fds[2].revents().is_empty(), count)
        };
        if count == 0 && Instant::now() >= deadline {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "no report arrived after the limit of a run",
            ));
        }
        if out {
            pipes.take_stdout(printed)?;
        }
        if err {
            pipes.take_stderr(printed)?;
        }
        if printed.overflowed && !killed {
            killed = true;
            kill(control)?;
        }
        if heard {
            let Ok(header) = receive::<Header>(control) else { return Ok(None) };
            if header.kind == kind::REPORT {
                let report = receive(control)?;
                pipes.drain(printed)?;
                return Ok(Some(report));
            }
            if header.kind == kind::FAILED {
                return Err(io::Error::from_raw_os_error(header.value as i32));
            }
        }
    }
}

/// A duration in the system's format.
pub(super) fn timespec(duration: Duration) -> Timespec {
    Timespec { tv_sec: duration.as_secs() as i64, tv_nsec: duration.subsec_nanos().into() }
}

/// How the process of a report ended.
pub(super) fn exit_of(report: &Report) -> Exit {
    exit_of_status(report.status)
}

/// How a process with this wait status ended.
pub(super) fn exit_of_status(status: i32) -> Exit {
    let signal = status & 0x7f;
    if signal == 0 { Exit::Code((status >> 8) & 0xff) } else { Exit::Signal(signal) }
}

/// Why the process of a report ended.
pub(super) fn ending_of(report: &Report, overflowed: bool) -> Ending {
    match report.cause {
        _ if overflowed => Ending::Output,
        cause::WALL => Ending::Wall,
        cause::MEMORY | cause::PROCESSES => Ending::Memory,
        cause::FILES => Ending::Output,
        _ => Ending::Own,
    }
}

/// The absolute path of a program.
pub(crate) fn resolve_program(program: &Path) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    if program.as_os_str().as_bytes().contains(&b'/') {
        return std::path::absolute(program).unwrap_or_else(|_| program.to_path_buf());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file());
    found.unwrap_or_else(|| program.to_path_buf())
}
