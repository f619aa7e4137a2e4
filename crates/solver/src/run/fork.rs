//! Fork mode: the solver is loaded and initialised once, and forked for each script.

use super::error::RunError;
use super::observation::{Measured, Observation};
use super::one_shot::{Base, OneShot, measure, run_plain};
use super::output::Printed;
use super::pool::Pool;
use super::prepare::prepare;
use super::request::{Limits, RunRequest, RunSettings};
use super::runner::Runner;
use super::script::{Command, Script, blanked};
use super::stack;
use super::supervisor::{Launch, await_report, bytes_of, message, preload, protocol, receive, timespec};
use super::supervisors::Lent;
use crate::fork_server;
use crate::native::serve;
use crate::profile::{Fork, ForkLogic, Stop};
use crate::target::{Target, TargetKind};
use case::{Exit, RunMode};
use protocol::{Header, kind};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::AsFd;
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The maximal number of servers of a runner, one for each logic and set of options.
const SERVERS: usize = 16;

/// One child in this many runs to its own end even if the others end with their input, since some bugs appear only there.
const FULL_RUN_EVERY: u64 = 32;

/// How long a server may take for its warm-up.
const WARM_UP_LIMIT: Duration = Duration::from_secs(20);
/// How long it may take even if scripts have less time.
const LEAST_WARM_UP: Duration = Duration::from_secs(1);

/// What a server was started with: options and opening commands.
type Key = (Vec<String>, String);

/// Runs each script in a fork of a warm process.
///
/// If a solver cannot be a server, scripts run in one-shot mode, and the observation says why. Before the first server of a
/// target, a run without options is compared with a plain one, to detect solvers that do not survive a fork.
pub struct ForkServer {
    base: Base,
    pool: Pool<Key, Server>,
    plain: Option<OneShot>,
    self_test: SelfTest,
}

/// The targets whose self-test has passed, for all runners of this process.
static PASSED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn passed() -> MutexGuard<'static, BTreeSet<String>> {
    PASSED.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The key of a target there: everything that its start depends on.
fn self_test_key(target: &Target) -> String {
    format!("{:?}", (&target.program, &target.args, &target.env))
}

/// Whether the solver works as a fork server.
enum SelfTest {
    Pending,
    Passed,
    Failed(String),
}

/// A running server.
struct Server {
    supervisor: Lent,
    socket: UnixStream,
    /// The number of scripts so far.
    scripts: u64,
    /// The time for its start that is in no observation yet.
    overhead: Duration,
}

/// Why there is no server.
enum Failed {
    Run(RunError),
    Reason(String),
}

impl From<RunError> for Failed {
    fn from(error: RunError) -> Failed {
        Failed::Run(error)
    }
}

/// A script whose opening commands belong to the server's warm-up.
#[derive(Debug, PartialEq, Eq)]
struct Split {
    opening: String,
    rest: String,
}

/// Moves the commands that must come first to the warm-up. Blanks replace them, so that line and column numbers stay the same.
fn split(text: &str, script: &Script<'_>, rules: &Fork) -> Split {
    if rules.stop == Stop::Open {
        return Split { opening: String::new(), rest: text.to_owned() };
    }
    let moves = |command: &&Command<'_>| match command.name {
        "set-option" => !is_late(command, rules),
        "set-logic" => rules.logic == ForkLogic::PerServer,
        _ => false,
    };
    let head = || script.commands.iter().take_while(|command| command.is_head()).filter(moves);
    let opening = head().flat_map(|command| [command.text, "\n"]).collect();
    Split { opening, rest: blanked(text, head()) }
}

/// Whether an option can be set after the warm-up.
fn is_late(command: &Command<'_>, rules: &Fork) -> bool {
    let name = command.arguments().next().unwrap_or_default();
    rules.late_options.as_ref().is_some_and(|mark| name.contains(mark.as_str()))
}

/// The commands that a server runs before the first fork, on one line if possible, so that error messages name the right lines.
fn warm_up(rules: &Fork, key: &Key) -> String {
    let text = format!("{}{}\n", key.1, rules.warm_up);
    if text.contains([';', '"', '|']) { text } else { text.replace('\n', " ") }
}

impl Server {
    /// Starts a server and waits until it is warm.
    fn start(base: &Base, rules: &Fork, key: &Key, limits: &Limits) -> Result<Server, Failed> {
        let failed = |error: io::Error| Failed::Run(RunError::Supervisor { error });
        let mut supervisor = base.supervisor()?;
        let (socket, its_socket) = UnixStream::pair().map_err(failed)?;
        let warm_up = warm_up(rules, key);
        let buffer = rules.buffer.to_string();
        let mut environment = base.warm_environment.clone();
        let input = supervisor.folder.input_path().to_owned();
        let mut set = |name: &str, value: &str| environment.set(name, value);
        match rules.stop {
            Stop::Read | Stop::Open => {
                set("LD_PRELOAD", &format!("/proc/self/fd/{}", protocol::PRELOAD_FD));
                set("ELENCHUS_SERVE_INPUT", &input);
                set(stack::VARIABLE, "1");
            }
            Stop::Driver => set(fork_server::ENABLED, "1"),
        }
        for (is_on, variable) in [
            (base.target.acceleration.prefork, serve::NO_PREFORK),
            (base.target.acceleration.huge_pages, serve::NO_HUGE_PAGES),
        ] {
            if !is_on {
                set(&variable.to_string_lossy(), "1");
            }
        }
        match rules.stop {
            Stop::Read if warm_up.len() > rules.buffer => {
                return Err(Failed::Reason("the opening commands are too long for the warm-up".to_owned()));
            }
            Stop::Read => {
                set(fork_server::WARM_UP, &warm_up);
                set("ELENCHUS_SERVE_BUFFER", &buffer);
            }
            Stop::Driver => set(fork_server::WARM_UP, &warm_up),
            Stop::Open => {}
        }
        let arguments = base.arguments(&base.profile.start.file, &key.0, &input);
        let launch = Launch {
            program: &base.program,
            confinement: base.confinement.as_ref(),
            coverage: base.settings.coverage.as_ref(),
            arguments: &arguments,
            environment: &environment,
            // Each child has its own limits. They count the memory that it shares with the server once more.
            limits: protocol::Limits {
                resident: limits.memory.saturating_mul(2),
                folder_size: base.limits(limits, None).folder_size,
                ..protocol::Limits::default()
            },
            stdin: None,
            server: Some(its_socket.as_fd()),
            preload: Some(preload()?),
        };
        let begin = Instant::now();
        supervisor.launch(&launch)?;
        drop(its_socket);
        let mut server = Server { supervisor, socket, scripts: 0, overhead: Duration::ZERO };
        server.await_ready(limits).map_err(failed)?.map_err(Failed::Reason)?;
        server.overhead = begin.elapsed();
        Ok(server)
    }

    /// Waits until the server is ready. The inner error says why it never will be.
    fn await_ready(&mut self, limits: &Limits) -> io::Result<Result<(), String>> {
        let deadline = Instant::now() + limits.wall.clamp(LEAST_WARM_UP, WARM_UP_LIMIT);
        let mut printed = Printed::with_room(4096);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Err("the server was not ready in time".to_owned()));
            }
            let pipes = &self.supervisor.pipes;
            let mut fds = [
                PollFd::new(&self.socket, PollFlags::IN),
                PollFd::from_borrowed_fd(pipes.stdout(), PollFlags::IN),
                PollFd::from_borrowed_fd(pipes.stderr(), PollFlags::IN),
            ];
            match poll(&mut fds, Some(&timespec(left))) {
                Err(Errno::INTR) => continue,
                other => other?,
            };
            let heard = !fds[0].revents().is_empty();
            self.supervisor.pipes.drain(&mut printed)?;
            if heard {
                let ready = receive::<Header>(&self.socket).is_ok_and(|header| header.kind == kind::READY);
                self.supervisor.pipes.drain(&mut printed)?;
                let message =
                    String::from_utf8_lossy(&printed.stderr).lines().next().unwrap_or("").to_owned();
                let gone =
                    || format!("the solver ended before it read its input {message}").trim_end().to_owned();
                return Ok(if ready { Ok(()) } else { Err(gone()) });
            }
        }
    }

    /// Runs a script in a child. Returns `None` if the server is gone.
    fn query(
        &mut self,
        base: &Base,
        rules: &Fork,
        text: &str,
        script: &Script<'_>,
        limits: &Limits,
    ) -> Result<Option<Measured>, RunError> {
        let failed = |error| RunError::Supervisor { error };
        self.supervisor.folder.clean()?;
        if rules.stop == Stop::Open {
            self.supervisor.folder.write_input(text)?;
        }
        self.scripts += 1;
        // A broken script must be read to its end to cause an error.
        let ends = rules.ends_with_input
            && rules.stop == Stop::Read
            && script.broken.is_none()
            && !self.scripts.is_multiple_of(FULL_RUN_EVERY);
        // Blanks fill the solver's buffer, so that it runs everything before the next read.
        let (text, padding) = match &text[..script.end] {
            part if ends => (part, part.len().next_multiple_of(rules.buffer) - part.len()),
            _ => (text, 0),
        };
        let length = size_of::<protocol::Limits>() + text.len() + padding;
        let mut query = message(kind::QUERY, u32::from(ends), length);
        query.extend_from_slice(bytes_of(&base.limits(limits, Some(limits.wall))));
        query.extend_from_slice(text.as_bytes());
        query.resize(query.len() + padding, b' ');
        if self.socket.write_all(&query).is_err() {
            return Ok(None);
        }
        let mut printed = Printed::with_room(limits.output);
        let report = await_report(&self.socket, &mut self.supervisor.pipes, &mut printed, limits.wall);
        let folder = self.supervisor.folder.root();
        Ok(report.map_err(failed)?.map(|report| {
            let mut measured = measure(&report, printed).without_folder(folder);
            if ends && measured.exit == Exit::Code(protocol::READ_ALL) {
                measured.exit = Exit::Running;
            }
            measured
        }))
    }
}

impl ForkServer {
    /// A runner of `target`. Servers start on demand.
    pub fn new(target: &Target, settings: &RunSettings) -> Result<ForkServer, RunError> {
        let base = Base::new(target, settings);
        let passed = settings.skip_self_test || passed().contains(&self_test_key(target));
        let self_test = if passed { SelfTest::Passed } else { SelfTest::Pending };
        Ok(ForkServer { base, pool: Pool::new(SERVERS), plain: None, self_test })
    }

    /// Compares a forked run with a plain one, without the options of any script, and returns the time of both. The error says how
    /// they differ.
    fn run_self_test(&mut self, rules: &Fork, limits: &Limits) -> Result<Duration, Failed> {
        const PROBE: &str =
            "(declare-fun probe () Bool)\n(assert probe)\n(check-sat)\n(assert (not probe))\n";
        let key = self_test_key(&self.base.target);
        if passed().contains(&key) {
            return Ok(Duration::ZERO);
        }
        let mut server = Server::start(&self.base, rules, &Key::default(), limits)?;
        let plain = run_plain(&mut self.plain, &self.base, &RunRequest::new(PROBE).limits(*limits), "")?;
        let Some(forked) = server.query(&self.base, rules, PROBE, &Script::split(PROBE), limits)? else {
            return Err(Failed::Reason("the server ended at its first script".to_owned()));
        };
        let ended = matches!(forked.exit, Exit::Running) || forked.exit == plain.exit;
        let same = ended && forked.stdout == plain.stdout.as_bytes();
        let got = || String::from_utf8_lossy(&forked.stdout).trim_end().to_owned();
        let differs = || {
            let plain_text = plain.stdout.trim_end();
            format!("a forked run differs from a plain one: `{}` instead of `{plain_text}`", got())
        };
        if !same {
            return Err(Failed::Reason(differs()));
        }
        passed().insert(key);
        Ok(plain.wall + forked.wall)
    }

    fn server(&mut self, rules: &Fork, key: &Key, limits: &Limits) -> Result<Server, Failed> {
        if let Some(server) = self.pool.take(key) {
            return Ok(server);
        }
        let mut tested = Duration::ZERO;
        if matches!(self.self_test, SelfTest::Pending) {
            let result = self.run_self_test(rules, limits);
            self.self_test = match &result {
                Err(Failed::Reason(reason)) => SelfTest::Failed(reason.clone()),
                _ => SelfTest::Passed,
            };
            tested = result?;
        }
        let mut server = Server::start(&self.base, rules, key, limits)?;
        server.overhead += tested;
        Ok(server)
    }

    /// The rules for a request, or why it cannot be forked.
    fn rules(&self, request: &RunRequest<'_>) -> Result<Fork, String> {
        if let SelfTest::Failed(reason) = &self.self_test {
            return Err(reason.clone());
        }
        let Some(mut rules) = self.base.profile.fork.clone() else {
            return Err("the profile has no `[fork]` table".to_owned());
        };
        if self.base.target.kind == TargetKind::LibraryDriver {
            rules.stop = Stop::Driver;
        }
        // The solver's own time limit would end the server.
        let own_limits = self.base.profile.ask.timeout.iter().flat_map(|addition| &addition.args);
        let mut stems = own_limits.filter_map(|argument| argument.split('{').next());
        match stems.find(|stem| request.options.iter().any(|option| option.starts_with(stem))) {
            Some(stem) => Err(format!("the option {stem} would end the server")),
            None => Ok(rules),
        }
    }
}

/// Why a script cannot be forked, if so.
fn unsupported(script: &Script<'_>, rules: &Fork) -> Option<String> {
    let mut body = script.commands.iter().skip_while(|command| command.is_head());
    if rules.logic == ForkLogic::PerServer && body.any(|command| command.name == "set-option") {
        // The warm-up initialises the solver, which most options do not survive.
        return Some("the script sets options late".to_owned());
    }
    if script.commands.iter().any(|command| command.name == "reset") {
        // The warm-up would have to be repeated after the reset.
        return Some("the script resets the solver".to_owned());
    }
    let unsupported =
        |command: &&Command<'_>| rules.unsupported_commands.iter().any(|name| name == command.name);
    let command = script.commands.iter().find(unsupported)?;
    Some(format!("`{}` is not possible after the warm-up", command.name))
}

impl Runner for ForkServer {
    fn run(&mut self, request: &RunRequest<'_>) -> Result<Observation, RunError> {
        let plain =
            |this: &mut ForkServer, reason: &str| run_plain(&mut this.plain, &this.base, request, reason);
        let rules = match self.rules(request) {
            Ok(rules) => rules,
            Err(reason) => return plain(self, &reason),
        };
        let prepared = prepare(&self.base.profile, request);
        let script = Script::split(&prepared.script);
        if let Some(reason) = unsupported(&script, &rules) {
            return plain(self, &reason);
        }
        let parts = split(&prepared.script, &script, &rules);
        let key = (prepared.options.clone(), parts.opening);
        let mut server = match self.server(&rules, &key, &request.limits) {
            Ok(server) => server,
            Err(Failed::Run(error)) => return Err(error),
            Err(Failed::Reason(reason)) => return plain(self, &reason),
        };
        let Some(mut measured) = server.query(&self.base, &rules, &parts.rest, &script, &request.limits)?
        else {
            return plain(self, "the server ended while it ran the script");
        };
        let overhead = std::mem::take(&mut server.overhead);
        let lines_before = warm_up(&rules, &key).matches('\n').count() as u32;
        let script = if rules.stop == Stop::Read { script.shifted(lines_before) } else { script };
        self.pool.put(key, server);
        let stack = stack::take(&mut measured.stderr);
        let mut seen = measured.observe(&self.base.profile, &script, request.limits.memory, RunMode::Fork);
        seen.overhead = overhead;
        seen.outcome = stack::with_stack(seen.outcome, &self.base.program, &stack);
        Ok(seen)
    }

    fn warm(&mut self, request: &RunRequest<'_>) {
        let Ok(rules) = self.rules(request) else { return };
        let prepared = prepare(&self.base.profile, request);
        let script = Script::split(&prepared.script);
        if unsupported(&script, &rules).is_none() {
            let key = (prepared.options.clone(), split(&prepared.script, &script, &rules).opening);
            if let Ok(server) = self.server(&rules, &key, &request.limits) {
                self.pool.put(key, server);
            }
        }
    }

    fn target(&self) -> &Target {
        &self.base.target
    }

    fn mode(&self) -> RunMode {
        RunMode::Fork
    }
}

#[cfg(test)]
mod tests {
    use super::{Script, Split, split};
    use crate::profile::{Fork, ForkLogic, Profile};

    #[test]
    fn opening_commands_move_to_the_warm_up_and_leave_blanks() {
        let text = "(set-option :a 1)\n(set-logic QF_LIA)(set-info :x y)\n(check-sat)(set-option :b 2)";
        let table = [
            (
                ForkLogic::InScript,
                "(set-option :a 1)\n",
                "                 \n(set-logic QF_LIA)(set-info :x y)\n(check-sat)(set-option :b 2)",
            ),
            (
                ForkLogic::PerServer,
                "(set-option :a 1)\n(set-logic QF_LIA)\n",
                "                 \n                  (set-info :x y)\n(check-sat)(set-option :b 2)",
            ),
        ];
        for (logic, opening, rest) in table {
            let rules = Fork { logic, ..Profile::built_in("z3").unwrap().at("5.4.0").fork.unwrap() };
            let expected = Split { opening: opening.to_owned(), rest: rest.to_owned() };
            assert_eq!(split(text, &Script::split(text), &rules), expected);
        }
        let text = "(set-option :smt.mbqi false)(set-logic LIA)(check-sat)";
        let rules = Profile::built_in("z3").unwrap().at("5.4.0").fork.unwrap();
        let (opening, rest) = ("(set-logic LIA)\n", "(set-option :smt.mbqi false)               (check-sat)");
        let expected = Split { opening: opening.to_owned(), rest: rest.to_owned() };
        assert_eq!(split(text, &Script::split(text), &rules), expected);
    }
}
