//! The fork server that AFL compilers build into a program: it waits before `main`, and forks a child for each script.
//!
//! The server starts its children itself, so limits are put on it and hold for them, and when one passes it is ended with all that
//! came of it; the next script gets a new one.

use super::afl_greeting::{Greeting, greet};
use super::classify::{Ending, Exit};
use super::observation::{Measured, Observation};
use super::one_shot::{Base, OneShot};
use super::output::Printed;
use super::pool::Pool;
use super::prepare::prepare;
use super::request::{Limits, RunRequest, RunSettings};
use super::script::Script;
use super::session::run_plain;
use super::supervisor::protocol::{self, cause};
use super::supervisor::{Launch, exit_of_status, timespec};
use super::supervisors::Lent;
use super::{RunError, RunMode, Runner};
use crate::target::Target;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::AsFd;
use rustix::io::Errno;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// How many servers are kept, for as many sets of options.
const SERVERS: usize = 8;
/// How long a server may take to greet.
const GREETING_LIMIT: Duration = Duration::from_secs(20);
/// A build whose server is to start only at a place that its authors chose carries this mark,
const DEFERRED: &str = "##SIG_AFL_DEFER_FORKSRV##";
/// and waits there if this is set.
const DEFER: &str = "__AFL_DEFER_FORKSRV";

/// What a server was started with: options and the limits that it hands on.
type Key = (Vec<String>, (Option<Duration>, u64, u64));

/// Runs each script in a fork of an AFL build. Where there is no server scripts are run by themselves, and the observation says why.
pub(crate) struct AflServer {
    base: Base,
    pool: Pool<Key, Server>,
    plain: Option<OneShot>,
    /// Why no server is used.
    refused: Option<String>,
    greeting: Greeting,
}

/// A running server.
struct Server {
    supervisor: Lent,
    /// Both directions: what is sent is read from descriptor 198, what is written to 199 is heard.
    socket: UnixStream,
    pid: i32,
}

/// How a child ended.
enum Ended {
    /// By itself, with this status.
    Child(i32),
    /// It was ended, with its server.
    Killed(Ending),
    /// The server is gone.
    Server,
}

impl Server {
    fn start(
        base: &Base,
        key: &Key,
        limits: &Limits,
    ) -> Result<Result<(Server, Greeting), String>, RunError> {
        let failed = |error: io::Error| RunError::Supervisor { error };
        let mut supervisor = base.supervisor()?;
        let (mut socket, its_socket) = UnixStream::pair().map_err(failed)?;
        let arguments = base.arguments(&base.profile.start.file, &key.0, supervisor.folder.input_path());
        let launch = Launch {
            program: &base.program,
            arguments: &arguments,
            environment: &base.environment,
            limits: protocol::Limits {
                cpu_s: limits.cpu.map_or(0, |cpu| cpu.as_secs().max(1)),
                ..base.limits(limits, None)
            },
            stdin: None,
            // The descriptors of these two are the ones that AFL uses.
            server: Some(its_socket.as_fd()),
            preload: Some(its_socket.as_fd()),
        };
        let pid = supervisor.launch(&launch)?;
        drop(its_socket);
        socket.set_read_timeout(Some(GREETING_LIMIT)).map_err(failed)?;
        let greeting = match greet(&mut socket) {
            Ok(greeting) => greeting,
            Err(_) => Err("it has no fork server that greets".to_owned()),
        };
        Ok(greeting.map(|greeting| (Server { supervisor, socket, pid }, greeting)))
    }

    /// Has a child run a script; the second value is false if the server is of no more use.
    fn query(&mut self, text: &str, limits: &Limits) -> Result<(Option<Measured>, bool), RunError> {
        let failed = |error| RunError::Supervisor { error };
        self.supervisor.folder.clean()?;
        self.supervisor.folder.write_input(text)?;
        let before = cpu_of_children(self.pid);
        let start = Instant::now();
        // Zero: the child before this one was not killed by us.
        if self.socket.write_all(&[0; 4]).is_err() {
            return Ok((None, false));
        }
        let mut printed = Printed::with_room(limits.output);
        let mut child = None;
        let ended = self.await_end(&mut child, start + limits.wall, &mut printed).map_err(failed)?;
        let wall = start.elapsed();
        let measured = |exit, ending, cpu, stragglers, printed: Printed| Measured {
            exit,
            ending,
            stdout: printed.stdout,
            stderr: printed.stderr,
            wall,
            cpu,
            peak_memory: None,
            stragglers,
        };
        let folder = self.supervisor.folder.root().to_owned();
        let (measured, usable) = match ended {
            Ended::Server => return Ok((None, false)),
            Ended::Child(status) => {
                let cpu = cpu_of_children(self.pid).saturating_sub(before);
                let left = self.left_behind();
                (measured(exit_of_status(status), Ending::Own, cpu, left, printed), left == 0)
            }
            Ended::Killed(ending) => {
                let cpu = child.map_or(wall, |child| cpu_of(child).unwrap_or(wall));
                // The report comes when nothing is left of the server and its children.
                let _ = self.supervisor.kill();
                let _ = self.supervisor.await_report(&mut printed, Duration::ZERO);
                (measured(Exit::Signal(libc::SIGKILL), ending, cpu, 0, printed), false)
            }
        };
        Ok((Some(measured.without_folder(&folder)), usable))
    }

    /// Reads output until the child has ended, or must.
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
            let (said, over) = {
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
            if said {
                // First the number of the child, then how it ended.
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
            if said || over {
                // The server has ended, by itself or because all of them together had too much memory.
                let report = self.supervisor.await_report(printed, GREETING_LIMIT);
                let memory = report.is_ok_and(|report| report.cause == cause::MEMORY);
                return Ok(if memory { Ended::Killed(Ending::Memory) } else { Ended::Server });
            }
        }
    }

    /// How many processes a child has left behind: they fall to the supervisor, which has no other child than the server.
    fn left_behind(&self) -> u64 {
        let own = self.supervisor.pid();
        let children =
            std::fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap_or_default();
        (children.split_whitespace().count() as u64).saturating_sub(1)
    }
}

impl AflServer {
    /// A runner of `target`, which is asked for its greeting at once.
    pub fn new(target: &Target, settings: &RunSettings) -> Result<AflServer, RunError> {
        let mut base = Base::new(target, settings);
        if holds(&base.program, DEFERRED) {
            base.environment.set(DEFER, "1");
        }
        let (pool, greeting) = (Pool::new(SERVERS), Greeting::default());
        let mut server = AflServer { base, pool, plain: None, refused: None, greeting };
        server.greeting = match server.start(&server.key(&[], &Limits::default()), &Limits::default())? {
            Ok((_, greeting)) => greeting,
            Err(reason) => {
                server.refused = Some(reason);
                Greeting::default()
            }
        };
        Ok(server)
    }

    /// Uses no server, because of `reason`.
    pub fn refuse(&mut self, reason: &str) {
        self.refused = Some(reason.to_owned());
        self.pool = Pool::new(SERVERS);
    }

    /// How many bytes of the map the build uses, if it said so.
    pub fn map(&self) -> Option<usize> {
        self.greeting.map
    }

    fn key(&self, options: &[String], limits: &Limits) -> Key {
        (options.to_vec(), (limits.cpu, limits.memory, limits.file))
    }

    fn start(&self, key: &Key, limits: &Limits) -> Result<Result<(Server, Greeting), String>, RunError> {
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
            // A process of its own tells what the server does not: how much memory it had, and where it crashed.
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

/// Whether a file holds a mark.
fn holds(path: &Path, mark: &str) -> bool {
    let mark = regex::bytes::Regex::new(mark);
    mark.is_ok_and(|mark| std::fs::read(path).is_ok_and(|bytes| mark.is_match(&bytes)))
}

/// The time of a process itself.
fn cpu_of(pid: i32) -> Option<Duration> {
    ticks(pid, 11)
}

/// The time of the children of a process that it has waited for, in steps of the system's clock.
fn cpu_of_children(pid: i32) -> Duration {
    ticks(pid, 13).unwrap_or_default()
}

/// Two neighbouring times of a process: in user mode and in the system. The number is that of the first one after the name.
fn ticks(pid: i32, at: usize) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name stands in parentheses and may hold anything.
    let mut fields = text[text.rfind(')')? + 1..].split_whitespace().skip(at);
    let mut next = || fields.next()?.parse::<u64>().ok();
    // SAFETY: the call takes a number and gives one.
    let second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as u64;
    Some(Duration::from_micros((next()? + next()?) * 1_000_000 / second))
}
