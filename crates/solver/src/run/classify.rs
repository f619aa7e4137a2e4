//! Classifies a run by the profile, the end of the process and its output.

use super::responses::{PieceKind, Sorted, sort};
use super::script::Script;
use crate::profile::{Pattern, PatternKind, Profile, Stream};
use case::text::collapsed;
use case::{Crash, CrashCause, signal_name};
pub use case::{Exit, Outcome};
use regex::Regex;
use std::borrow::Cow;
use std::sync::OnceLock;

/// Why the process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// By itself, or by a signal that was not ours.
    Own,
    /// The wall-clock limit.
    Wall,
    /// The memory limit.
    Memory,
    /// The output limit.
    Output,
}

/// A run before its classification.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'a> {
    /// How the process ended.
    pub exit: Exit,
    /// Why it ended.
    pub ending: Ending,
    /// Standard output.
    pub stdout: &'a str,
    /// Standard error.
    pub stderr: &'a str,
}

/// Signals that are never a crash of the solver: HUP, INT, KILL, PIPE, TERM.
const FROM_OUTSIDE: [i32; 5] = [1, 2, 9, 13, 15];
const SIGXCPU: i32 = 24;
const SIGXFSZ: i32 = 25;
const SIGABRT: i32 = 6;

/// Classifies a run of `script`.
pub fn classify(profile: &Profile, script: &Script<'_>, raw: &Raw<'_>) -> (Outcome, Sorted) {
    let mut sorted = sort(&script.commands, raw.stdout);
    for piece in &mut sorted.pieces {
        if let PieceKind::Model | PieceKind::Values = piece.kind
            && let Cow::Owned(marked) = profile.mark_rounded(&piece.text)
        {
            piece.text = marked;
        }
    }
    (outcome(profile, script, raw, &sorted), sorted)
}

fn outcome(profile: &Profile, script: &Script<'_>, raw: &Raw<'_>, sorted: &Sorted) -> Outcome {
    let limit = match raw.ending {
        Ending::Wall => Some(Outcome::Timeout),
        Ending::Memory => Some(Outcome::OutOfMemory),
        Ending::Output => Some(Outcome::OutputLimit),
        Ending::Own => None,
    };
    if let Some(limit) = limit {
        return failed_own_check(profile, raw).unwrap_or(limit);
    }
    let expected = script.checks();
    let answered = sorted.answers.len() >= expected;
    let clean_exit = matches!(raw.exit, Exit::Code(0) | Exit::Running);
    if clean_exit && answered && raw.stderr.is_empty() && sorted.errors.is_empty() && sorted.strays.is_empty()
    {
        // `timeout` instead of an answer means more than `unknown`.
        if !raw.stdout.contains("timeout") {
            return Outcome::Answered;
        }
    }
    if let Some(signature) = sanitizer_report(raw.stderr).or_else(|| sanitizer_report(raw.stdout)) {
        return Outcome::Crash(Crash::message(signature));
    }
    for pattern in profile.patterns.iter().filter(|pattern| pattern.kind != PatternKind::Harmless) {
        if let Some(found) = find(pattern, raw)
            && !crashed_later(profile, raw, sorted, pattern.kind, &found)
            && let Some(outcome) = meaning(pattern.kind, found)
        {
            return outcome;
        }
    }
    match raw.exit {
        Exit::Signal(SIGXCPU) => return Outcome::Timeout,
        Exit::Signal(SIGXFSZ) => return Outcome::OutputLimit,
        Exit::Signal(signal) if FROM_OUTSIDE.contains(&signal) => return Outcome::Interrupted { signal },
        Exit::Code(code) if profile.memory_codes.contains(&code) => return Outcome::OutOfMemory,
        exit => {
            if let Some(crash) = crash_by_exit(profile, exit) {
                return Outcome::Crash(crash);
            }
        }
    }
    let harmless = |message: &&String| {
        let matches = |pattern: &Pattern| pattern.regex.is_match(message);
        profile.patterns.iter().filter(|pattern| pattern.kind == PatternKind::Harmless).any(matches)
    };
    if let Some(error) = sorted.errors.iter().find(|message| !harmless(message)) {
        return Outcome::Error { message: error_text(error) };
    }
    for pattern in profile.patterns.iter().filter(|pattern| pattern.kind == PatternKind::Error) {
        if let Some(message) = find(pattern, raw) {
            return Outcome::Error { message };
        }
    }
    if answered {
        return Outcome::Answered;
    }
    let end = match raw.exit {
        Exit::Code(code) => format!("the process ended with exit code {code}"),
        Exit::Signal(signal) => format!("the process ended by {}", signal_name(signal)),
        Exit::Running => "the process is still running".to_owned(),
    };
    let said = raw.stderr.lines().chain(raw.stdout.lines()).map(str::trim).find(|line| !line.is_empty());
    let said = said.map_or(String::new(), |line| format!(": {line}"));
    Outcome::Error { message: format!("{} of {expected} checks answered, {end}{said}", sorted.answers.len()) }
}

/// The crash that the end of a process means.
fn crash_by_exit(profile: &Profile, exit: Exit) -> Option<Crash> {
    let not_ours = |signal: &i32| !FROM_OUTSIDE.contains(signal) && ![SIGXCPU, SIGXFSZ].contains(signal);
    match exit {
        Exit::Signal(signal) => Some(signal).filter(not_ours).map(Crash::signal),
        Exit::Code(code) if profile.crash_codes.contains(&code) => Some(CrashCause::ExitCode(code).into()),
        // How a shell or a handler reports a signal.
        Exit::Code(code @ (132 | 134 | 135 | 136 | 139)) => Some(Crash::signal(code - 128)),
        _ => None,
    }
}

/// Whether the solver crashed after it had reported a failed check of its own or a refusal, and for another reason.
///
/// Some solvers abort because of such a failure, so an abort counts only after a response, from which a solver goes on.
fn crashed_later(profile: &Profile, raw: &Raw<'_>, sorted: &Sorted, kind: PatternKind, found: &str) -> bool {
    let precedes =
        matches!(kind, PatternKind::InvalidModel | PatternKind::InvalidProof | PatternKind::Refused);
    let Some(crash) = crash_by_exit(profile, raw.exit).filter(|_| precedes) else { return false };
    let aborted = crash == Crash::signal(SIGABRT) || matches!(crash.cause, CrashCause::ExitCode(_));
    !aborted || sorted.errors.iter().any(|response| response.contains(found))
}

/// The check of its own model or proof that a solver reports as failed. It counts even if a limit ends the run later.
fn failed_own_check(profile: &Profile, raw: &Raw<'_>) -> Option<Outcome> {
    let own_check =
        |pattern: &&Pattern| matches!(pattern.kind, PatternKind::InvalidModel | PatternKind::InvalidProof);
    let mut patterns = profile.patterns.iter().filter(own_check);
    patterns.find_map(|pattern| meaning(pattern.kind, find(pattern, raw)?))
}

/// The part of the output that a pattern identifies.
fn find(pattern: &Pattern, raw: &Raw<'_>) -> Option<String> {
    let streams: &[&str] = match pattern.stream {
        Stream::Any => &[raw.stdout, raw.stderr],
        Stream::Stdout => &[raw.stdout],
        Stream::Stderr => &[raw.stderr],
    };
    let captures = streams.iter().find_map(|stream| pattern.regex.captures(stream))?;
    if pattern
        .unless
        .as_ref()
        .is_some_and(|unless| unless.is_match(raw.stdout) || unless.is_match(raw.stderr))
    {
        return None;
    }
    let groups: Vec<&str> = captures.iter().skip(1).flatten().map(|group| group.as_str().trim()).collect();
    Some(if groups.is_empty() { captures[0].trim().to_owned() } else { groups.join(" ") })
}

fn meaning(kind: PatternKind, found: String) -> Option<Outcome> {
    Some(match kind {
        PatternKind::Crash => Outcome::Crash(Crash::message(normalise(&found))),
        PatternKind::SignalHandler => Outcome::Crash(CrashCause::Handler(normalise(&found)).into()),
        PatternKind::InvalidModel => Outcome::InvalidModel { message: found },
        PatternKind::InvalidProof => Outcome::InvalidProof { message: found },
        PatternKind::Refused => Outcome::Refused { reason: found },
        PatternKind::Timeout => Outcome::Timeout,
        PatternKind::Memory => Outcome::OutOfMemory,
        // An error matters only after the exit status.
        PatternKind::Harmless | PatternKind::Error => return None,
    })
}

/// Removes what differs from run to run from a crash message: addresses, long numbers, folders.
fn normalise(text: &str) -> String {
    static CHANGING: OnceLock<Option<Regex>> = OnceLock::new();
    let changing = CHANGING.get_or_init(|| Regex::new(r"0x[0-9a-fA-F]+|\b\d{5,}\b").ok());
    let line = collapsed(text);
    match changing {
        Some(changing) => changing.replace_all(&line, "_").into_owned(),
        None => line,
    }
}

/// The signature of a sanitizer's report: its kind and the solver's innermost functions on the stack.
fn sanitizer_report(text: &str) -> Option<String> {
    if !text.contains("Sanitizer") && !text.contains("runtime error:") {
        return None;
    }
    static HEAD: OnceLock<Option<Regex>> = OnceLock::new();
    let head = HEAD.get_or_init(|| {
        Regex::new(r"(?:ERROR|WARNING): (\w+Sanitizer): ([\w-]+)|(\S+?):(\d+)(?::\d+)?: runtime error: (.*)")
            .ok()
    });
    let found = head.as_ref()?.captures(text)?;
    if let Some(problem) = found.get(5) {
        let file = found.get(3).map_or("", |file| file.as_str().rsplit('/').next().unwrap_or(""));
        return Some(normalise(&format!("UndefinedBehaviorSanitizer {file} {}", problem.as_str())));
    }
    let (tool, kind) = (found.get(1)?.as_str(), found.get(2)?.as_str());
    let own = |function: &&str| {
        let runtime =
            ["__interceptor", "__asan", "__sanitizer", "operator new", "operator delete", "malloc", "free"];
        !runtime.iter().any(|prefix| function.starts_with(prefix))
    };
    let frame = |line: &str| -> Option<String> {
        let rest = line.trim_start().strip_prefix('#')?;
        let function = rest.split_once(" in ")?.1;
        Some(function.split(['(', ' ']).next()?.to_owned())
    };
    let frames: Vec<String> =
        text.lines().filter_map(frame).filter(|name| own(&name.as_str())).take(3).collect();
    Some(format!("{tool} {kind} {}", frames.join(" ")).trim_end().to_owned())
}

/// The text inside `(error "…")`.
fn error_text(error: &str) -> String {
    let inner = error.trim_start_matches("(error").trim_end_matches(')').trim();
    inner.trim_matches('"').to_owned()
}

#[cfg(test)]
#[path = "classify_tests.rs"]
mod tests;
