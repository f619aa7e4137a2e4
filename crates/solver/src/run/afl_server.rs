//! The fork server that AFL compilers build into a program: it waits before `main` and forks a child for each script.
//!
//! The server starts its children itself and passes its limits on to them. When a child reaches a limit, the server is killed
//! with all its descendants, and the next script gets a new one.

use super::afl_handshake::{Handshake, shake_hands};
use super::classify::{Ending, Exit};
use super::error::RunError;
use super::observation::{Measured, Observation};
use super::one_shot::{Base, OneShot, run_plain};
use super::output::Printed;
use super::pool::Pool;
use super::prepare::prepare;
use super::request::{Limits, RunRequest, RunSettings};
use super::runner::Runner;
use super::script::Script;
use super::supervisor::protocol::{self, cause};
use super::supervisor::{Launch, exit_of_status, timespec};
use super::supervisors::Lent;
use crate::target::Target;
use case::RunMode;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::AsFd;
use rustix::io::Errno;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// The maximal number of servers, one for each set of options.
const SERVERS: usize = 8;
/// How long a server may take for the handshake.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(20);
/// The mark in a build whose server starts at a point that its authors chose.
const DEFERRED: &str = "##SIG_AFL_DEFER_FORKSRV##";
/// The variable that makes such a server wait at that point.
const DEFER: &str = "__AFL_DEFER_FORKSRV";

/// What a server was started with: options, and the limits that it passes on.
type Key = (Vec<String>, (Option<Duration>, u64, u64));

/// Runs each script in a fork of an AFL build. Without a server, scripts run in one-shot mode, and the observation says why.
pub(crate) struct AflServer {
    base: Base,
    pool: Pool<Key, Server>,
    plain: Option<OneShot>,
    /// Why no server is used.
    refused: Option<String>,
    handshake: Handshake,
}

/// A running server.
struct Server {
    supervisor: Lent,
    /// Connected to the descriptors 198 (commands) and 199 (status) of the server.
    socket: UnixStream,
    pid: i32,
}

/// How a child ended.
enum Ended {
    /// By itself, with this wait status.
    Child(i32),
    /// It must be killed with its server.
    Killed(Ending),
    /// The server is gone.
    Server,
}

impl Server {
    fn start(
        base: &Base,
        key: &Key,
        limits: &Limits,
    ) -> Result<Result<(Server, Handshake), String>, RunError> {
        let failed = |error: io::Error| RunError::Supervisor { error };
        let mut supervisor = base.supervisor()?;
        let (mut socket, its_socket) = UnixStream::pair().map_err(failed)?;
        let arguments = base.arguments(&base.profile.start.file, &key.0, supervisor.folder.input_path());
        let launch = Launch {
            program: &base.program,
            confinement: base.confinement.as_ref(),
            coverage: base.settings.coverage.as_ref(),
            arguments: &arguments,
            environment: &base.environment,
            limits: protocol::Limits {
                cpu_s: limits.cpu.map_or(0, |cpu| cpu.as_secs().max(1)),
                ..base.limits(limits, None)
            },
            stdin: None,
            // These become the two descriptors that AFL uses.
            server: Some(its_socket.as_fd()),
            preload: Some(its_socket.as_fd()),
        };
        let pid = supervisor.launch(&launch)?;
        drop(its_socket);
        socket.set_read_timeout(Some(HANDSHAKE_LIMIT)).map_err(failed)?;
        let handshake = match shake_hands(&mut socket) {
            Ok(handshake) => handshake,
            Err(_) => Err("it has no fork server".to_owned()),
        };
        Ok(handshake.map(|handshake| (Server { supervisor, socket, pid }, handshake)))
    }

    /// Runs a script in a child. The second value is false if the server cannot be used again.
    fn query(&mut self, text: &str, limits: &Limits) -> Result<(Option<Measured>, bool), RunError> {
        let failed = |error| RunError::Supervisor { error };
        self.supervisor.folder.clean()?;
        self.supervisor.folder.write_input(text)?;
        let before = cpu_of_children(self.pid);
        let start = Instant::now();
        // Zero: we did not kill the previous child.
        if self.socket.write_all(&[0; 4]).is_err() {
            return Ok((None, false));
        }
        let mut printed = Printed::with_room(limits.output);
        let mut child = None;
        let ended = self.await_end(&mut child, start + limits.wall, &mut printed).map_err(failed)?;
        let wall = start.elapsed();
        let measured = |exit, ending, cpu, orphans, printed: Printed| Measured {
            exit,
            ending,
            stdout: printed.stdout,
            stderr: printed.stderr,
            wall,
            cpu,
            peak_memory: None,
            orphans,
        };
        let folder = self.supervisor.folder.root().to_owned();
        let (measured, usable) = match ended {
            Ended::Server => return Ok((None, false)),
            Ended::Child(status) => {
                let cpu = cpu_of_children(self.pid).saturating_sub(before);
                let orphans = self.orphans();
                (measured(exit_of_status(status), Ending::Own, cpu, orphans, printed), orphans == 0)
            }
            Ended::Killed(ending) => {
                let cpu = child.map_or(wall, |child| cpu_of(child).unwrap_or(wall));
                // The report arrives once the server and its children are gone.
                let _ = self.supervisor.kill();
                let _ = self.supervisor.await_report(&mut printed, Duration::ZERO);
                (measured(Exit::Signal(libc::SIGKILL), ending, cpu, 0, printed), false)
            }
        };
        Ok((Some(measured.without_folder(&folder)), usable))
    }

    /// Reads output until the child has ended or has to be killed.
    fn await_end(
        &mut self,
        child: &mut Option<i32>,
        deadline: Instant,
        printed: &mut Printed,
    ) -> io::Result<Ended> {
        let (mut words, mut got) = ([0; 8], 0);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Ended::Killed(Ending::Wall));
            }
            let (has_status, has_report) = {
                let pipes = &self.supervisor.pipes;
                let mut fds = [
                    PollFd::new(&self.socket, PollFlags::IN),
                    PollFd::new(self.supervisor.control(), PollFlags::IN),
                    PollFd::from_borrowed_fd(pipes.stdout(), PollFlags::IN),
                    PollFd::from_borrowed_fd(pipes.stderr(), PollFlags::IN),
                ];
                match poll(&mut fds, Some(&timespec(left))) {
                    Err(Errno::INTR) => continue,
                    other => other?,
                };
                (!fds[0].revents().is_empty(), !fds[1].revents().is_empty())
            };
            self.supervisor.pipes.drain(printed)?;
            if printed.overflowed {
                return Ok(Ended::Killed(Ending::Output));
            }
            if has_status {
                // First the process id of the child, then its wait status.
                let more = self.socket.read(&mut words[got..])?;
                got += more;
                let word =
                    |at: usize| i32::from_ne_bytes([words[at], words[at + 1], words[at + 2], words[at + 3]]);
                if got >= 4 {
                    *child = Some(word(0));
                }
                if got == 8 {
                    self.supervisor.pipes.drain(printed)?;
                    let overflowed = printed.overflowed;
                    return Ok(if overflowed {
                        Ended::Killed(Ending::Output)
                    } else {
                        Ended::Child(word(4))
                    });
                }
                if more > 0 {
                    continue;
                }
            }
            if has_status || has_report {
                // The server has ended, by itself or because the process tree reached its memory limit.
                let report = self.supervisor.await_report(printed, HANDSHAKE_LIMIT);
                let memory = report.is_ok_and(|report| report.cause == cause::MEMORY);
                return Ok(if memory { Ended::Killed(Ending::Memory) } else { Ended::Server });
            }
        }
    }

    /// The number of processes that outlived a child. They become children of the supervisor, whose only other child is the server.
    fn orphans(&self) -> u64 {
        let own = self.supervisor.pid();
        let children =
            std::fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap_or_default();
        (children.split_whitespace().count() as u64).saturating_sub(1)
    }
}

impl AflServer {
    /// A runner of `target`. Performs the handshake at once.
    pub fn new(target: &Target, settings: &RunSettings) -> Result<AflServer, RunError> {
        let mut base = Base::new(target, settings);
        if contains(&base.program, DEFERRED) {
            base.environment.set(DEFER, "1");
        }
        let (pool, handshake) = (Pool::new(SERVERS), Handshake::default());
        let mut server = AflServer { base, pool, plain: None, refused: None, handshake };
        server.handshake = match server.start(&server.key(&[], &Limits::default()), &Limits::default())? {
            Ok((_, handshake)) => handshake,
            Err(reason) => {
                server.refused = Some(reason);
                Handshake::default()
            }
        };
        Ok(server)
    }

    /// Stops using servers, because of `reason`.
    pub fn refuse(&mut self, reason: &str) {
        self.refused = Some(reason.to_owned());
        self.pool = Pool::new(SERVERS);
    }

    /// The size of the map in bytes, if known.
    pub fn map(&self) -> Option<usize> {
        self.handshake.map
    }

    fn key(&self, options: &[String], limits: &Limits) -> Key {
        (options.to_vec(), (limits.cpu, limits.memory, limits.file))
    }

    fn start(&self, key: &Key, limits: &Limits) -> Result<Result<(Server, Handshake), String>, RunError> {
        Server::start(&self.base, key, limits)
    }
}

impl Runner for AflServer {
    fn run(&mut self, request: &RunRequest<'_>) -> Result<Observation, RunError> {
        if let Some(reason) = self.refused.clone() {
            return run_plain(&mut self.plain, &self.base, request, &reason);
        }
        let prepared = prepare(&self.base.profile, request);
        let key = self.key(&prepared.options, &request.limits);
        let mut server = match self.pool.take(&key) {
            Some(server) => server,
            None => match self.start(&key, &request.limits)? {
                Ok((server, _)) => server,
                Err(reason) => return run_plain(&mut self.plain, &self.base, request, &reason),
            },
        };
        let (measured, usable) = server.query(&prepared.script, &request.limits)?;
        if usable {
            self.pool.put(key, server);
        }
        let Some(measured) = measured else {
            return run_plain(
                &mut self.plain,
                &self.base,
                request,
                "the fork server ended while it ran the script",
            );
        };
        if measured.ending == Ending::Own && matches!(measured.exit, Exit::Signal(_)) {
            // A one-shot run tells what the server does not: the peak memory and the stack of the crash.
            return run_plain(&mut self.plain, &self.base, request, "the child of the fork server crashed");
        }
        let script = Script::split(&prepared.script);
        Ok(measured.observe(&self.base.profile, &script, request.limits.memory, RunMode::Fork))
    }

    fn target(&self) -> &Target {
        &self.base.target
    }

    fn mode(&self) -> RunMode {
        RunMode::Fork
    }
}

/// Whether a file contains a mark.
fn contains(path: &Path, mark: &str) -> bool {
    let mark = regex::bytes::Regex::new(mark);
    mark.is_ok_and(|mark| std::fs::read(path).is_ok_and(|bytes| mark.is_match(&bytes)))
}

/// User and system time of a process.
fn cpu_of(pid: i32) -> Option<Duration> {
    ticks(pid, 11)
}

/// User and system time of the children that a process has waited for, in ticks of the system clock.
fn cpu_of_children(pid: i32) -> Duration {
    ticks(pid, 13).unwrap_or_default()
}

/// The sum of two neighbouring fields of `/proc/PID/stat`; `at` is the index of the first, counted from the name.
fn ticks(pid: i32, at: usize) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name is in parentheses and may contain anything.
    let mut fields = text[text.rfind(')')? + 1..].split_whitespace().skip(at);
    let mut next = || fields.next()?.parse::<u64>().ok();
    // SAFETY: the call takes a number and has no other preconditions.
    let second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as u64;
    Some(Duration::from_micros((next()? + next()?) * 1_000_000 / second))
}
