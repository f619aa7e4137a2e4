//! A solver that is loaded and initialised once, and forked for each script.

use super::classify::Exit;
use super::observation::{Measured, Observation};
use super::one_shot::{Base, OneShot, measure};
use super::output::Printed;
use super::pool::Pool;
use super::prepare::prepare;
use super::request::{Limits, RunRequest, RunSettings};
use super::script::{Command, Script, blanked};
use super::session::run_plain;
use super::supervisor::{Launch, await_report, bytes_of, message, preload, protocol, receive, timespec};
use super::supervisors::Lent;
use super::{RunError, RunMode, Runner, stack};
use crate::fork_server;
use crate::profile::{Fork, ForkLogic, Stop};
use crate::target::{Target, TargetKind};
use protocol::{Header, kind};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::AsFd;
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How many servers a runner keeps, for as many logics and sets of options.
const SERVERS: usize = 16;

/// One child of so many runs to its own end even where the others are ended with their input, since some bugs show only
/// there.
const TO_THE_END: u64 = 32;

/// How long a server may take to get ready.
const WARM_UP_LIMIT: Duration = Duration::from_secs(20);

/// What a server was started with: options and opening commands.
type Key = (Vec<String>, String);

/// Runs each script in a fork of a process that has paid for its start once.
///
/// Where the solver cannot be made a server, scripts are run by themselves, and the observation says why. The first
/// server of a target in this process is tried out against a plain run, so a solver that does not take to being forked is found out.
pub struct ForkServer {
    base: Base,
    pool: Pool<Key, Server>,
    plain: Option<OneShot>,
    trust: Trust,
}

/// The targets that were tried out and are right when served, for all runners of this process.
static PROVEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn proven() -> MutexGuard<'static, BTreeSet<String>> {
    PROVEN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// What a target is known by there: all that its start depends on.
fn trusted_as(target: &Target) -> String {
    format!("{:?}", (&target.program, &target.args, &target.env))
}

/// Whether the target is known to be right when served.
enum Trust {
    Untried,
    Proven,
    Refused(String),
}

/// A running server.
struct Server {
    supervisor: Lent,
    socket: UnixStream,
    /// How many scripts it has been asked.
    asked: u64,
    /// What its start took, as long as no observation tells it.
    started: Duration,
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

/// A script whose opening commands are moved to the server's warm-up.
#[derive(Debug, PartialEq, Eq)]
struct Split {
    opening: String,
    rest: String,
}

/// Moves what must be said before anything else to the warm-up; blanks stand in its place, so that lines and columns
/// stay what they are.
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

/// Whether an option may be set after the warm-up.
fn is_late(command: &Command<'_>, rules: &Fork) -> bool {
    let name = command.arguments().next().unwrap_or_default();
    rules.late_options.as_ref().is_some_and(|mark| name.contains(mark.as_str()))
}

/// What a server carries out before the first fork: on one line if possible, so that error messages of the scripts
/// name the right lines.
fn warm_up(rules: &Fork, key: &Key) -> String {
    let text = format!("{}{}\n", key.1, rules.warm_up);
    if text.contains([';', '"', '|']) { text } else { text.replace('\n', " ") }
}

impl Server {
    /// Starts a server and waits until it is warm.
    fn start(base: &Base, rules: &Fork, key: &Key) -> Result<Server, Failed> {
        let failed = |error: io::Error| Failed::Run(RunError::Supervisor { error });
        let mut supervisor = base.supervisor()?;
        let (socket, its_socket) = UnixStream::pair().map_err(failed)?;
        let warm_up = warm_up(rules, key);
        let buffer = rules.buffer.to_string();
        let mut environment = base.warm_environment.clone();
        let input = supervisor.folder.input_path().to_owned();
        let mut set = |name, value: &str| environment.set(name, value);
        match rules.stop {
            Stop::Read | Stop::Open => {
                set("LD_PRELOAD", &format!("/proc/self/fd/{}", protocol::PRELOAD_FD));
                set("ELENCHUS_SERVE_INPUT", &input);
                set(stack::ASKED, "1");
            }
            Stop::Driver => set(fork_server::ASKED, "1"),
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
            arguments: &arguments,
            environment: &environment,
            // The server itself does nothing that needs a limit; each child gets its own.
            limits: protocol::Limits::default(),
            stdin: None,
            server: Some(its_socket.as_fd()),
            preload: Some(preload()?),
        };
        let begin = Instant::now();
        supervisor.launch(&launch)?;
        drop(its_socket);
        let mut server = Server { supervisor, socket, asked: 0, started: Duration::ZERO };
        server.await_ready().map_err(failed)?.map_err(Failed::Reason)?;
        server.started = begin.elapsed();
        Ok(server)
    }

    /// Waits for the server to get ready; the inner error says why it never will.
    fn await_ready(&mut self) -> io::Result<Result<(), String>> {
        let deadline = Instant::now() + WARM_UP_LIMIT;
        let mut printed = Printed::with_room(4096);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Err("the server did not get ready in time".to_owned()));
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
                let said = String::from_utf8_lossy(&printed.stderr).lines().next().unwrap_or("").to_owned();
                let gone =
                    || format!("the solver ended before it had read its input {said}").trim_end().to_owned();
                return Ok(if ready { Ok(()) } else { Err(gone()) });
            }
        }
    }

    /// Has a child run a script, of which `script` knows the end; `None` if the server is gone.
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
        self.asked += 1;
        // What is broken must be read to its end to be complained of.
        let ends = rules.ends_with_input
            && rules.stop == Stop::Read
            && script.broken.is_none()
            && !self.asked.is_multiple_of(TO_THE_END);
        // Blanks fill the solver's buffer, so that it carries everything out before it asks for more.
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
    /// A runner of `target`. Servers are started as they are needed.
    pub fn new(target: &Target, settings: &RunSettings) -> Result<ForkServer, RunError> {
        let base = Base::new(target, settings);
        let proven = settings.untried || proven().contains(&trusted_as(target));
        let trust = if proven { Trust::Proven } else { Trust::Untried };
        Ok(ForkServer { base, pool: Pool::new(SERVERS), plain: None, trust })
    }

    /// Compares a served run with a plain one, and tells what both took; an error says how they differ.
    fn try_out(
        &mut self,
        server: &mut Server,
        rules: &Fork,
        key: &Key,
        limits: &Limits,
    ) -> Result<Duration, Failed> {
        const PROBE: &str =
            "(declare-fun probe () Bool)\n(assert probe)\n(check-sat)\n(assert (not probe))\n";
        let text = format!("{}{PROBE}", key.1);
        let request =
            RunRequest { script: &text, options: &key.0, limits: *limits, want: Default::default() };
        let plain = run_plain(&mut self.plain, &self.base, &request, "")?;
        let Some(served) = server.query(&self.base, rules, PROBE, &Script::split(PROBE), limits)? else {
            return Err(Failed::Reason("the server ended at its first script".to_owned()));
        };
        let ended = matches!(served.exit, Exit::Running) || served.exit == plain.exit;
        let same = ended && served.stdout == plain.stdout.as_bytes();
        let got = || String::from_utf8_lossy(&served.stdout).trim_end().to_owned();
        let differs = || {
            let plain_text = plain.stdout.trim_end();
            format!("a served run differs from a plain one: `{}` for `{plain_text}`", got())
        };
        if same { Ok(plain.wall + served.wall) } else { Err(Failed::Reason(differs())) }
    }

    fn server(&mut self, rules: &Fork, key: &Key, limits: &Limits) -> Result<Server, Failed> {
        if let Some(server) = self.pool.take(key) {
            return Ok(server);
        }
        let started = Server::start(&self.base, rules, key);
        let tried = started.and_then(|mut server| {
            if matches!(self.trust, Trust::Untried) && !proven().contains(&trusted_as(&self.base.target)) {
                let took = self.try_out(&mut server, rules, key, limits)?;
                server.started += took;
                self.trust = Trust::Proven;
                proven().insert(trusted_as(&self.base.target));
            }
            Ok(server)
        });
        if let (Err(Failed::Reason(reason)), Trust::Untried) = (&tried, &self.trust) {
            self.trust = Trust::Refused(reason.clone());
        }
        tried
    }

    /// The rules by which a request is served, or why it cannot be.
    fn rules(&self, request: &RunRequest<'_>) -> Result<Fork, String> {
        if let Trust::Refused(reason) = &self.trust {
            return Err(reason.clone());
        }
        let Some(mut rules) = self.base.profile.fork.clone() else {
            return Err("the solver has no fork server in its profile".to_owned());
        };
        if self.base.target.kind == TargetKind::LibraryDriver {
            rules.stop = Stop::Driver;
        }
        // A time limit that the solver sets for itself would end the server.
        let own_limits = self.base.profile.ask.timeout.iter().flat_map(|addition| &addition.args);
        let mut stems = own_limits.filter_map(|argument| argument.split('{').next());
        match stems.find(|stem| request.options.iter().any(|option| option.starts_with(stem))) {
            Some(stem) => Err(format!("the option {stem} would end the server")),
            None => Ok(rules),
        }
    }
}

/// Why a script cannot be served, if it cannot.
fn unfit(script: &Script<'_>, rules: &Fork) -> Option<String> {
    if script.commands.iter().any(|command| command.name == "reset") {
        // What the warm-up has said would have to be said again after the reset.
        return Some("the script resets the solver".to_owned());
    }
    let unfit = |command: &&Command<'_>| rules.unsupported_commands.iter().any(|name| name == command.name);
    let command = script.commands.iter().find(unfit)?;
    Some(format!("`{}` cannot come after the warm-up", command.name))
}

impl Runner for ForkServer {
    fn run(&mut self, request: &RunRequest<'_>) -> Result<Observation, RunError> {
        let unserved =
            |this: &mut ForkServer, reason: &str| run_plain(&mut this.plain, &this.base, request, reason);
        let rules = match self.rules(request) {
            Ok(rules) => rules,
            Err(reason) => return unserved(self, &reason),
        };
        let prepared = prepare(&self.base.profile, request);
        let script = Script::split(&prepared.script);
        if let Some(reason) = unfit(&script, &rules) {
            return unserved(self, &reason);
        }
        let parts = split(&prepared.script, &script, &rules);
        let key = (prepared.options.clone(), parts.opening);
        let mut server = match self.server(&rules, &key, &request.limits) {
            Ok(server) => server,
            Err(Failed::Run(error)) => return Err(error),
            Err(Failed::Reason(reason)) => return unserved(self, &reason),
        };
        let Some(mut measured) = server.query(&self.base, &rules, &parts.rest, &script, &request.limits)?
        else {
            return unserved(self, "the server ended while it ran the script");
        };
        let started = std::mem::take(&mut server.started);
        let lines_before = warm_up(&rules, &key).matches('\n').count() as u32;
        let script = if rules.stop == Stop::Read { script.moved_down(lines_before) } else { script };
        self.pool.put(key, server);
        let stack = stack::take(&mut measured.stderr);
        let mut seen = measured.observe(&self.base.profile, &script, request.limits.memory, RunMode::Fork);
        seen.beside = started;
        seen.outcome = stack::placed(seen.outcome, &self.base.program, &stack);
        Ok(seen)
    }

    fn warm(&mut self, request: &RunRequest<'_>) {
        let Ok(rules) = self.rules(request) else { return };
        let prepared = prepare(&self.base.profile, request);
        let script = Script::split(&prepared.script);
        if unfit(&script, &rules).is_none() {
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
