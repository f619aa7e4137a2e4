//! A solver process that takes one text after the other on its standard input. The end of what it has to say about a
//! text shows by a word that no script can know, which it is told to echo.

use super::RunError;
use super::classify::{Ending, Exit};
use super::history::Transcript;
use super::observation::Measured;
use super::one_shot::{Base, measure};
use super::output::Printed;
use super::request::Limits;
use super::supervisor::{Launch, protocol, timespec};
use super::supervisors::Lent;
use protocol::Report;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::OwnedFd;
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::pipe::PipeFlags;
use std::io;
use std::time::{Duration, Instant};

/// How often the memory of a warm process is looked at.
const MEMORY_LOOK: Duration = Duration::from_millis(100);

/// How many texts share a working folder before it is cleaned: looking into it takes as long as some answers do.
const TEXTS_PER_CLEANING: u32 = 64;

/// How much is kept of what a solver says to what it is told ahead.
const AHEAD_OUTPUT: u64 = 1 << 16;

/// A running solver that waits for text.
pub(super) struct WarmProcess {
    supervisor: Lent,
    stdin: OwnedFd,
    pid: i32,
    /// How many texts it has got.
    texts: u32,
    /// How many scripts these were; who asks for a model after an answer hands over a script as two texts.
    pub scripts: u32,
    /// How many lines it has read, since error messages count them from the start of the process.
    lines: u32,
    /// How many lines it had read before the last text.
    pub lines_before: u32,
    /// All that it was told, if that is kept.
    pub told: Option<Transcript>,
    /// What its start and its end took, as long as no observation tells it.
    pub started: Duration,
    /// What is still to be written to it.
    outgoing: Outgoing,
    /// What it was told without waiting for the end of it.
    ahead: Option<Ahead>,
    /// Its CPU time that observations have told.
    cpu_told: Duration,
    peak_memory: Option<u64>,
    last_look: Instant,
    alive: bool,
}

/// Text on its way to a process.
#[derive(Default)]
struct Outgoing {
    text: Vec<u8>,
    written: usize,
}

/// Text that a process works on while nobody waits for it.
struct Ahead {
    /// The word at its end.
    word: String,
    /// What came so far.
    printed: Printed,
    /// How it ended.
    stop: Option<Stop>,
}

/// Why the reading of an exchange stopped.
enum Stop {
    /// The echo came.
    Echo,
    /// The process is gone.
    Gone(Report),
    /// A limit passed, and the process has to go.
    Limit(Ending),
}

impl WarmProcess {
    /// Starts the solver of `base` with the given options, after `extra` arguments.
    pub fn start(
        base: &Base,
        extra: &[String],
        options: &[String],
        limits: &Limits,
    ) -> Result<WarmProcess, RunError> {
        let failed = |error: Errno| RunError::Supervisor { error: error.into() };
        let mut supervisor = base.supervisor()?;
        let (reader, stdin) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC).map_err(failed)?;
        rustix::fs::fcntl_setfl(&stdin, OFlags::NONBLOCK).map_err(failed)?;
        let mut all: Vec<String> = options.to_vec();
        all.extend_from_slice(extra);
        let arguments = base.arguments(&base.profile.start.stdin, &all, "-");
        let launch = Launch {
            program: &base.program,
            arguments: &arguments,
            environment: &base.warm_environment,
            limits: base.limits(limits, None),
            stdin: Some(rustix::fd::AsFd::as_fd(&reader)),
            server: None,
            preload: None,
        };
        let begin = Instant::now();
        let pid = supervisor.launch(&launch)?;
        Ok(WarmProcess {
            supervisor,
            stdin,
            pid,
            texts: 0,
            scripts: 0,
            lines: 0,
            lines_before: 0,
            told: None,
            started: begin.elapsed(),
            outgoing: Outgoing::default(),
            ahead: None,
            cpu_told: Duration::ZERO,
            peak_memory: None,
            last_look: Instant::now(),
            alive: true,
        })
    }

    /// Whether the process can take another text.
    pub fn is_alive(&self) -> bool {
        self.alive
    }

    /// Hands a text to the solver without waiting for what it says about it, if it takes all of it at once.
    pub fn tell_ahead(&mut self, text: &str) {
        self.texts += 1;
        let word = format!("elenchus-{}-{}-ahead", self.pid, self.texts);
        let input = format!("{text}\n(echo \"{word}\")\n");
        self.lines += lines_of(&input);
        match rustix::io::write(&self.stdin, input.as_bytes()) {
            Ok(count) if count == input.len() => {
                self.ahead = Some(Ahead { word, printed: Printed::with_room(AHEAD_OUTPUT), stop: None });
            }
            // A part of it has gone, or nobody reads: no text can follow.
            _ => self.alive = false,
        }
    }

    /// Hands a text to the solver even if it is not done with what it was told ahead, with what it is to be told ahead `after` that:
    /// it never waits. Tells what it said ahead on standard output, if it came to the end of that, and what came of the text; nothing if it was not
    /// done in time.
    pub fn exchange_in_a_row(
        &mut self,
        text: &str,
        after: &str,
        limits: &Limits,
    ) -> Result<Option<(Option<String>, Measured)>, RunError> {
        let failed = |error| RunError::Supervisor { error };
        let Some(mut ahead) = self.ahead.take() else { return Ok(None) };
        self.clean_sometimes()?;
        self.texts += 1;
        let word = format!("elenchus-{}-{}-end", self.pid, self.texts);
        let next_word = format!("elenchus-{}-{}-ahead", self.pid, self.texts);
        let input = format!("{text}\n(echo \"{word}\")\n{after}\n(echo \"{next_word}\")\n");
        self.lines_before = self.lines;
        self.lines += lines_of(&input);
        self.outgoing = Outgoing { text: input.into_bytes(), written: 0 };
        self.write().map_err(failed)?;
        let begin = Instant::now();
        ahead.printed.room += limits.output;
        let stop = match ahead.stop.take() {
            Some(stop) => stop,
            None => self.converse(&ahead.word, begin + limits.wall, &mut ahead.printed).map_err(failed)?,
        };
        self.started += begin.elapsed();
        match stop {
            Stop::Echo => {}
            Stop::Limit(Ending::Wall) => return Ok(None),
            // What went wrong in between shows with this text.
            stop => return Ok(Some((None, self.measured(stop, begin.elapsed(), ahead.printed, limits)?))),
        }
        let rest = cut_line(&mut ahead.printed.stdout, &ahead.word);
        let said = String::from_utf8_lossy(&ahead.printed.stdout).into_owned();
        let begin = Instant::now();
        // What stands behind the line, and all errors, are of the text: it may be at work for a while.
        let mut printed = Printed { stdout: rest, ..ahead.printed };
        printed.room = limits.output.saturating_sub((printed.stdout.len() + printed.stderr.len()) as u64);
        let stop = self.converse(&word, begin + limits.wall, &mut printed).map_err(failed)?;
        let wall = begin.elapsed();
        if let Stop::Echo = stop {
            let mut said_next = Printed::with_room(AHEAD_OUTPUT);
            said_next.stdout = cut_line(&mut printed.stdout, &word);
            self.ahead = Some(Ahead { word: next_word, printed: said_next, stop: None });
        }
        Ok(Some((Some(said), self.measured(stop, wall, printed, limits)?)))
    }

    /// Whether the process is done with what it was told ahead, after waiting for that until `deadline` at most.
    pub fn is_done(&mut self, deadline: Instant) -> Result<bool, RunError> {
        let Some(mut ahead) = self.ahead.take() else { return Ok(true) };
        if ahead.stop.is_none() {
            let stop = self.converse(&ahead.word, deadline, &mut ahead.printed);
            match stop.map_err(|error| RunError::Supervisor { error })? {
                // There is still time.
                Stop::Limit(Ending::Wall) => {}
                stop => ahead.stop = Some(stop),
            }
        }
        let done = ahead.stop.is_some();
        self.ahead = Some(ahead);
        Ok(done)
    }

    /// What the process said about what it was told ahead, errors first, if it is done with it and can go on.
    pub fn said_ahead(&mut self) -> Option<String> {
        let Ahead { word, mut printed, .. } =
            self.ahead.take_if(|ahead| matches!(ahead.stop, Some(Stop::Echo)))?;
        cut_line(&mut printed.stdout, &word);
        printed.stderr.append(&mut printed.stdout);
        Some(String::from_utf8_lossy(&printed.stderr).into_owned())
    }

    /// Hands a text to the solver and collects what it says about it. What it says about the commands that come
    /// `before` is left out.
    pub fn exchange(&mut self, before: &str, text: &str, limits: &Limits) -> Result<Measured, RunError> {
        let failed = |error| RunError::Supervisor { error };
        self.clean_sometimes()?;
        let mut leftovers = Printed::with_room(0);
        self.supervisor.pipes.drain(&mut leftovers).map_err(failed)?;
        self.texts += 1;
        if let Some(told) = &mut self.told {
            told.push(format!("{text}\n"));
        }
        let word = format!("elenchus-{}-{}-end", self.pid, self.texts);
        let start_word = format!("elenchus-{}-{}-start", self.pid, self.texts);
        let before =
            if before.is_empty() { String::new() } else { format!("{before}\n(echo \"{start_word}\")\n") };
        let input = format!("{before}{text}\n(echo \"{word}\")\n");
        self.lines_before = self.lines + lines_of(&before);
        self.lines += lines_of(&input);
        self.outgoing = Outgoing { text: input.into_bytes(), written: 0 };
        let begin = Instant::now();
        let mut printed = Printed::with_room(limits.output);
        let stop = match self.ahead.take() {
            // What went wrong in between shows with this text.
            Some(Ahead { stop: Some(stop), printed: said, .. }) => {
                printed = said;
                stop
            }
            _ => self.converse(&word, begin + limits.wall, &mut printed).map_err(failed)?,
        };
        let wall = begin.elapsed();
        cut_before(&mut printed.stdout, &start_word);
        cut_line(&mut printed.stdout, &word);
        self.measured(stop, wall, printed, limits)
    }

    fn clean_sometimes(&self) -> Result<(), RunError> {
        if self.texts.is_multiple_of(TEXTS_PER_CLEANING) { self.supervisor.folder.clean() } else { Ok(()) }
    }

    /// What a text came to that took `wall` and made the solver print all that.
    fn measured(
        &mut self,
        stop: Stop,
        wall: Duration,
        mut printed: Printed,
        limits: &Limits,
    ) -> Result<Measured, RunError> {
        let failed = |error| RunError::Supervisor { error };
        let (report, ending) = match stop {
            Stop::Echo => (None, Ending::Own),
            Stop::Gone(report) => (Some(report), Ending::Own),
            Stop::Limit(ending) => {
                let begin = Instant::now();
                self.supervisor.kill().map_err(failed)?;
                let report = self.supervisor.await_report(&mut printed, limits.wall)?;
                self.started += begin.elapsed();
                (Some(report), ending)
            }
        };
        if let Some(report) = report {
            self.alive = false;
            let overflowed = printed.overflowed;
            let mut measured = measure(&report, printed);
            // The report speaks of the whole life of the process.
            measured.wall = wall;
            measured.cpu = measured.cpu.saturating_sub(self.cpu_told);
            if ending != Ending::Own && !overflowed {
                measured.ending = ending;
            }
            return Ok(measured);
        }
        self.look_at_memory();
        let cpu_before = self.cpu_told;
        let cpu = cpu_time(self.pid).map_or(wall, |after| {
            self.cpu_told = after;
            after.saturating_sub(cpu_before)
        });
        Ok(Measured {
            exit: Exit::Running,
            ending: Ending::Own,
            stdout: printed.stdout,
            stderr: printed.stderr,
            wall,
            cpu,
            peak_memory: self.peak_memory,
            stragglers: 0,
        })
    }

    /// Writes as much of what is still to be written as the process takes.
    fn write(&mut self) -> io::Result<()> {
        let Outgoing { text, written } = &mut self.outgoing;
        while *written < text.len() {
            match rustix::io::write(&self.stdin, &text[*written..]) {
                Ok(count) => *written += count,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                // It does not listen any more; it may still say something.
                Err(Errno::PIPE) => *written = text.len(),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Writes what is still to be written and reads the output until one of the things in [`Stop`] happens.
    fn converse(&mut self, word: &str, deadline: Instant, printed: &mut Printed) -> io::Result<Stop> {
        let mut searched = 0;
        loop {
            let from = searched.min(printed.stdout.len());
            if find(&printed.stdout[from..], word.as_bytes()).is_some_and(|at| {
                // The whole line is waited for, so that nothing of it is left for the next text.
                printed.stdout[from + at..].contains(&b'\n')
            }) {
                while self.supervisor.pipes.take_stderr(printed)? {}
                return Ok(Stop::Echo);
            }
            searched = printed.stdout.len().saturating_sub(word.len() + 2);
            if printed.overflowed {
                return Ok(Stop::Limit(Ending::Output));
            }
            // Most texts fit into the pipe at once, so writing is tried before waiting.
            self.write()?;
            let left = deadline.saturating_duration_since(Instant::now());
            let pipes = &self.supervisor.pipes;
            let mut fds = [
                PollFd::from_borrowed_fd(pipes.stdout(), PollFlags::IN),
                PollFd::from_borrowed_fd(pipes.stderr(), PollFlags::IN),
                PollFd::new(self.supervisor.control(), PollFlags::IN),
                PollFd::new(&self.stdin, PollFlags::OUT),
            ];
            let watched = if self.outgoing.written < self.outgoing.text.len() { 4 } else { 3 };
            match poll(&mut fds[..watched], Some(&timespec(left))) {
                Err(Errno::INTR) => continue,
                other => other?,
            };
            let ready = fds.map(|fd| !fd.revents().is_empty());
            if left.is_zero() && !ready[0] && !ready[2] {
                return Ok(Stop::Limit(Ending::Wall));
            }
            if ready[0] {
                self.supervisor.pipes.take_stdout(printed)?;
            }
            if ready[1] {
                self.supervisor.pipes.take_stderr(printed)?;
            }
            // What it said last is looked at first.
            if ready[2]
                && !ready[0]
                && let Some(report) = self.supervisor.hear_report(printed)?
            {
                return Ok(Stop::Gone(report));
            }
        }
    }

    fn look_at_memory(&mut self) {
        if self.peak_memory.is_some() && self.last_look.elapsed() < MEMORY_LOOK {
            return;
        }
        self.last_look = Instant::now();
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid)).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib: Option<u64> = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        self.peak_memory = kib.map(|kib| kib * 1024).or(self.peak_memory);
    }
}

fn lines_of(text: &str) -> u32 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u32
}

/// Removes what stands before the echoed word, and its line.
fn cut_before(output: &mut Vec<u8>, word: &str) {
    let Some(at) = find(output, word.as_bytes()) else { return };
    let rest =
        output[at..].iter().position(|byte| *byte == b'\n').map_or(output.len(), |length| at + length + 1);
    output.drain(..rest);
}

/// Removes the line with the echoed word and what stands after it, which is given back.
fn cut_line(output: &mut Vec<u8>, word: &str) -> Vec<u8> {
    let Some(at) = find(output, word.as_bytes()) else { return Vec::new() };
    let quoted = at > 0 && output[at - 1] == b'"';
    let mut line = output.split_off(if quoted { at - 1 } else { at });
    let end = line.iter().position(|byte| *byte == b'\n').map_or(line.len(), |length| length + 1);
    line.split_off(end)
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window == word)
}

/// User and system time of another process so far.
fn cpu_time(pid: i32) -> Option<Duration> {
    // The number of a process's clock, as clock_getcpuclockid(3) computes it.
    let clock = ((!pid) << 3) | 2;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // The structure outlives the call, which writes nothing else.
    let result = unsafe { libc::clock_gettime(clock, &mut time) };
    (result == 0).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}
