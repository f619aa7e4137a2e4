//! A solver process that gets one text after another on its standard input.
//!
//! The output for a text ends with a marker that no script can know, which the solver is made to echo.

use super::classify::{Ending, Exit};
use super::error::RunError;
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

/// The interval between two measurements of a warm process's memory.
const MEMORY_INTERVAL: Duration = Duration::from_millis(100);

/// How many texts share a working folder before it is cleaned. Reading the folder takes as long as some answers.
const TEXTS_PER_CLEANING: u32 = 64;

/// How many bytes of the output for text sent ahead are kept.
const AHEAD_OUTPUT: u64 = 1 << 16;

/// A running solver that waits for text.
pub(super) struct WarmProcess {
    supervisor: Lent,
    stdin: OwnedFd,
    pid: i32,
    /// The number of texts so far.
    texts: u32,
    /// The number of scripts so far. A script with queries after its answer is sent as two texts.
    pub scripts: u32,
    /// The number of lines sent so far. Error messages count them from the start of the process.
    lines: u32,
    /// The number of lines before the last text.
    pub lines_before: u32,
    /// Its input so far, if that is kept.
    pub transcript: Option<Transcript>,
    /// The time for its start, preparation and end that is in no observation yet.
    pub overhead: Duration,
    /// Text that is not written yet.
    outgoing: Outgoing,
    /// Text that was sent without waiting for its end.
    ahead: Option<Ahead>,
    /// Its CPU time up to the last observation.
    cpu_before: Duration,
    peak_memory: Option<u64>,
    last_measurement: Instant,
    alive: bool,
}

/// Text to write to a process.
#[derive(Default)]
struct Outgoing {
    text: Vec<u8>,
    written: usize,
}

/// Text that a process works on in the background.
struct Ahead {
    /// The marker at its end.
    marker: String,
    /// The output so far.
    printed: Printed,
    /// How it ended, once known.
    stop: Option<Stop>,
}

/// Why reading the output stopped.
enum Stop {
    /// The marker arrived.
    Echo,
    /// The process is gone.
    Gone(Report),
    /// The process reached a limit and has to be killed.
    Limit(Ending),
}

impl WarmProcess {
    /// Starts the solver of `base` with these options and `extra` arguments.
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
            confinement: base.confinement.as_ref(),
            coverage: base.settings.coverage.as_ref(),
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
            transcript: None,
            overhead: begin.elapsed(),
            outgoing: Outgoing::default(),
            ahead: None,
            cpu_before: Duration::ZERO,
            peak_memory: None,
            last_measurement: Instant::now(),
            alive: true,
        })
    }

    /// Whether the process can take another text.
    pub fn is_alive(&self) -> bool {
        self.alive
    }

    /// Sends a text without waiting for its output, if the pipe has room for all of it.
    pub fn send_ahead(&mut self, text: &str) {
        self.texts += 1;
        let marker = format!("elenchus-{}-{}-ahead", self.pid, self.texts);
        let input = format!("{text}\n(echo \"{marker}\")\n");
        self.lines += lines_of(&input);
        match rustix::io::write(&self.stdin, input.as_bytes()) {
            Ok(count) if count == input.len() => {
                self.ahead = Some(Ahead { marker, printed: Printed::with_room(AHEAD_OUTPUT), stop: None });
            }
            // Only a part was written, or nobody reads: no text can follow.
            _ => self.alive = false,
        }
    }

    /// Sends a text, followed by the text `after` that is sent ahead, even if the solver still works on what was sent ahead
    /// before. So the solver never waits.
    ///
    /// Returns the output for what was sent ahead before, if that ended well, and the result of the text; `None` if the
    /// former did not end in time.
    pub fn exchange_queued(
        &mut self,
        text: &str,
        after: &str,
        limits: &Limits,
    ) -> Result<Option<(Option<String>, Measured)>, RunError> {
        let failed = |error| RunError::Supervisor { error };
        let Some(mut ahead) = self.ahead.take() else { return Ok(None) };
        self.clean_sometimes()?;
        self.texts += 1;
        let marker = format!("elenchus-{}-{}-end", self.pid, self.texts);
        let next_marker = format!("elenchus-{}-{}-ahead", self.pid, self.texts);
        let input = format!("{text}\n(echo \"{marker}\")\n{after}\n(echo \"{next_marker}\")\n");
        self.lines_before = self.lines;
        self.lines += lines_of(&input);
        self.outgoing = Outgoing { text: input.into_bytes(), written: 0 };
        self.write().map_err(failed)?;
        let begin = Instant::now();
        ahead.printed.room += limits.output;
        let stop = match ahead.stop.take() {
            Some(stop) => stop,
            None => self.converse(&ahead.marker, begin + limits.wall, &mut ahead.printed).map_err(failed)?,
        };
        self.overhead += begin.elapsed();
        match stop {
            Stop::Echo => {}
            Stop::Limit(Ending::Wall) => return Ok(None),
            // An error in between is reported with this text.
            stop => return Ok(Some((None, self.measured(stop, begin.elapsed(), ahead.printed, limits)?))),
        }
        let rest = cut_line(&mut ahead.printed.stdout, &ahead.marker);
        let output = String::from_utf8_lossy(&ahead.printed.stdout).into_owned();
        let begin = Instant::now();
        // Output after the marker, and all of standard error, belongs to the text, which may have been running for a while.
        let mut printed = Printed { stdout: rest, ..ahead.printed };
        printed.room = limits.output.saturating_sub((printed.stdout.len() + printed.stderr.len()) as u64);
        let stop = self.converse(&marker, begin + limits.wall, &mut printed).map_err(failed)?;
        let wall = begin.elapsed();
        if let Stop::Echo = stop {
            let mut next_output = Printed::with_room(AHEAD_OUTPUT);
            next_output.stdout = cut_line(&mut printed.stdout, &marker);
            self.ahead = Some(Ahead { marker: next_marker, printed: next_output, stop: None });
        }
        Ok(Some((Some(output), self.measured(stop, wall, printed, limits)?)))
    }

    /// Whether the process has finished what was sent ahead. Waits for that until `deadline`.
    pub fn is_done(&mut self, deadline: Instant) -> Result<bool, RunError> {
        let Some(mut ahead) = self.ahead.take() else { return Ok(true) };
        if ahead.stop.is_none() {
            let stop = self.converse(&ahead.marker, deadline, &mut ahead.printed);
            match stop.map_err(|error| RunError::Supervisor { error })? {
                // It is still running.
                Stop::Limit(Ending::Wall) => {}
                stop => ahead.stop = Some(stop),
            }
        }
        let done = ahead.stop.is_some();
        self.ahead = Some(ahead);
        Ok(done)
    }

    /// The output for what was sent ahead, standard error first, if that ended well.
    pub fn take_output_ahead(&mut self) -> Option<String> {
        let Ahead { marker, mut printed, .. } =
            self.ahead.take_if(|ahead| matches!(ahead.stop, Some(Stop::Echo)))?;
        cut_line(&mut printed.stdout, &marker);
        printed.stderr.append(&mut printed.stdout);
        Some(String::from_utf8_lossy(&printed.stderr).into_owned())
    }

    /// Sends a text and collects its output. The output of the commands `before` it is dropped.
    pub fn exchange(&mut self, before: &str, text: &str, limits: &Limits) -> Result<Measured, RunError> {
        let failed = |error| RunError::Supervisor { error };
        self.clean_sometimes()?;
        let mut leftovers = Printed::with_room(0);
        self.supervisor.pipes.drain(&mut leftovers).map_err(failed)?;
        self.texts += 1;
        if let Some(transcript) = &mut self.transcript {
            transcript.push(format!("{text}\n"));
        }
        let marker = format!("elenchus-{}-{}-end", self.pid, self.texts);
        let start_marker = format!("elenchus-{}-{}-start", self.pid, self.texts);
        let before =
            if before.is_empty() { String::new() } else { format!("{before}\n(echo \"{start_marker}\")\n") };
        let input = format!("{before}{text}\n(echo \"{marker}\")\n");
        self.lines_before = self.lines + lines_of(&before);
        self.lines += lines_of(&input);
        self.outgoing = Outgoing { text: input.into_bytes(), written: 0 };
        let begin = Instant::now();
        let mut printed = Printed::with_room(limits.output);
        let stop = match self.ahead.take() {
            // An error in between is reported with this text.
            Some(Ahead { stop: Some(stop), printed: output, .. }) => {
                printed = output;
                stop
            }
            _ => self.converse(&marker, begin + limits.wall, &mut printed).map_err(failed)?,
        };
        let wall = begin.elapsed();
        cut_before(&mut printed.stdout, &start_marker);
        cut_line(&mut printed.stdout, &marker);
        self.measured(stop, wall, printed, limits)
    }

    fn clean_sometimes(&self) -> Result<(), RunError> {
        if self.texts.is_multiple_of(TEXTS_PER_CLEANING) { self.supervisor.folder.clean() } else { Ok(()) }
    }

    /// The measurements of a text.
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
                self.overhead += begin.elapsed();
                (Some(report), ending)
            }
        };
        if let Some(report) = report {
            self.alive = false;
            let overflowed = printed.overflowed;
            let mut measured = measure(&report, printed);
            // The report covers the whole life of the process.
            measured.wall = wall;
            measured.cpu = measured.cpu.saturating_sub(self.cpu_before);
            if ending != Ending::Own && !overflowed {
                measured.ending = ending;
            }
            return Ok(measured);
        }
        self.measure_memory();
        let before = self.cpu_before;
        let cpu = cpu_time(self.pid).map_or(wall, |after| {
            self.cpu_before = after;
            after.saturating_sub(before)
        });
        Ok(Measured {
            exit: Exit::Running,
            ending: Ending::Own,
            stdout: printed.stdout,
            stderr: printed.stderr,
            wall,
            cpu,
            peak_memory: self.peak_memory,
            orphans: 0,
        })
    }

    /// Writes as much of the outgoing text as the pipe accepts.
    fn write(&mut self) -> io::Result<()> {
        let Outgoing { text, written } = &mut self.outgoing;
        while *written < text.len() {
            match rustix::io::write(&self.stdin, &text[*written..]) {
                Ok(count) => *written += count,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                // It no longer reads, but may still print something.
                Err(Errno::PIPE) => *written = text.len(),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Writes the outgoing text and reads output until there is a reason to [`Stop`].
    fn converse(&mut self, marker: &str, deadline: Instant, printed: &mut Printed) -> io::Result<Stop> {
        let mut searched = 0;
        loop {
            let from = searched.min(printed.stdout.len());
            if find(&printed.stdout[from..], marker.as_bytes()).is_some_and(|at| {
                // Wait for the whole line, so that none of it is left for the next text.
                printed.stdout[from + at..].contains(&b'\n')
            }) {
                while self.supervisor.pipes.take_stderr(printed)? {}
                return Ok(Stop::Echo);
            }
            searched = printed.stdout.len().saturating_sub(marker.len() + 2);
            if printed.overflowed {
                return Ok(Stop::Limit(Ending::Output));
            }
            // Most texts fit into the pipe, so try to write before waiting.
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
            // Read the last output first.
            if ready[2]
                && !ready[0]
                && let Some(report) = self.supervisor.receive_report(printed)?
            {
                return Ok(Stop::Gone(report));
            }
        }
    }

    fn measure_memory(&mut self) {
        if self.peak_memory.is_some() && self.last_measurement.elapsed() < MEMORY_INTERVAL {
            return;
        }
        self.last_measurement = Instant::now();
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid)).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib: Option<u64> = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        self.peak_memory = kib.map(|kib| kib * 1024).or(self.peak_memory);
    }
}

fn lines_of(text: &str) -> u32 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u32
}

/// Removes everything up to the line with the marker.
fn cut_before(output: &mut Vec<u8>, marker: &str) {
    let Some(at) = find(output, marker.as_bytes()) else { return };
    let rest =
        output[at..].iter().position(|byte| *byte == b'\n').map_or(output.len(), |length| at + length + 1);
    output.drain(..rest);
}

/// Removes the line with the marker and everything after it, and returns the latter.
fn cut_line(output: &mut Vec<u8>, marker: &str) -> Vec<u8> {
    let Some(at) = find(output, marker.as_bytes()) else { return Vec::new() };
    let quoted = at > 0 && output[at - 1] == b'"';
    let mut line = output.split_off(if quoted { at - 1 } else { at });
    let end = line.iter().position(|byte| *byte == b'\n').map_or(line.len(), |length| length + 1);
    line.split_off(end)
}

fn find(text: &[u8], marker: &[u8]) -> Option<usize> {
    text.windows(marker.len()).position(|window| window == marker)
}

/// User and system time of another process.
fn cpu_time(pid: i32) -> Option<Duration> {
    // The number of a process's clock, as clock_getcpuclockid(3) computes it.
    let clock = ((!pid) << 3) | 2;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure outlives the call, which writes nothing else.
    let result = unsafe { libc::clock_gettime(clock, &mut time) };
    (result == 0).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}
