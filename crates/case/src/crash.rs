//! What identifies a crash.

use crate::wording::shown;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A crash: how it showed, and where the solver was.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Crash {
    /// How it showed.
    pub cause: CrashCause,
    /// The functions on the stack, if known.
    #[serde(default, skip_serializing_if = "CrashStack::is_unknown")]
    pub stack: CrashStack,
}

/// How a crash showed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CrashCause {
    /// A signal ended the process.
    Signal(i32),
    /// The process ended with an exit code that means a crash.
    ExitCode(i32),
    /// The solver's own signal handler reported the signal, and the message says nothing else.
    Handler(String),
    /// A message that identifies the bug, such as a violated assertion or a sanitizer's report.
    Message(String),
}

/// The functions on the stack of a crash.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CrashStack {
    /// Unknown.
    #[default]
    Unknown,
    /// The innermost functions, innermost first.
    Innermost(Vec<String>),
    /// The stack overflowed: the functions of the recursion, by name.
    Recursion(Vec<String>),
}

impl CrashStack {
    /// Whether it is unknown.
    pub fn is_unknown(&self) -> bool {
        *self == CrashStack::Unknown
    }
}

impl From<CrashCause> for Crash {
    fn from(cause: CrashCause) -> Crash {
        Crash { cause, stack: CrashStack::Unknown }
    }
}

impl Crash {
    /// A crash by a signal.
    pub fn signal(signal: i32) -> Crash {
        CrashCause::Signal(signal).into()
    }

    /// A crash with a message that identifies it.
    pub fn message(text: impl Into<String>) -> Crash {
        CrashCause::Message(text.into()).into()
    }

    /// Whether only a signal or an exit code is known. Two such crashes may have different causes.
    pub fn is_vague(&self) -> bool {
        self.stack.is_unknown() && !matches!(self.cause, CrashCause::Message(_))
    }

    /// Whether only a signal is known. A second run may reveal the stack.
    pub fn is_bare_signal(&self) -> bool {
        self.stack.is_unknown() && matches!(self.cause, CrashCause::Signal(_))
    }

    /// Whether the two may be one crash. A warm process shows only the signal.
    pub fn may_equal(&self, other: &Crash) -> bool {
        self == other || ((self.is_bare_signal() || other.is_bare_signal()) && self.cause == other.cause)
    }

    /// The same crash in another release: the signal without the functions, which change.
    pub fn in_any_release(&self) -> Crash {
        match self.cause {
            CrashCause::Signal(_) => self.cause.clone().into(),
            _ => self.clone(),
        }
    }

    /// Whether `seen` is this crash: the same cause, and a stack that begins with the same functions.
    pub fn matches(&self, seen: &Crash) -> bool {
        let cause = match (&self.cause, &seen.cause) {
            (CrashCause::Message(text), CrashCause::Message(seen)) => seen.contains(text.as_str()),
            (one, other) => one == other,
        };
        let stack = match (&self.stack, &seen.stack) {
            (CrashStack::Unknown, _) => true,
            (CrashStack::Innermost(frames), CrashStack::Innermost(seen)) => seen.starts_with(frames),
            (one, other) => one == other,
        };
        cause && stack
    }

    /// The cause as text that is the same in every version of the program.
    pub fn cause_key(&self) -> String {
        match &self.cause {
            CrashCause::Signal(signal) => signal_name(*signal),
            CrashCause::ExitCode(code) => format!("exit code {code}"),
            CrashCause::Handler(text) | CrashCause::Message(text) => text.clone(),
        }
    }

    /// The cause and the innermost function, for titles.
    pub fn short(&self) -> String {
        match (&self.stack, &self.cause) {
            (CrashStack::Innermost(frames), _) if !frames.is_empty() => {
                format!("{} in {}", self.cause_key(), frames[0])
            }
            (CrashStack::Unknown, CrashCause::Message(message)) => without_signature(message),
            _ => self.key(),
        }
    }

    /// The whole crash as text that is the same in every version of the program: part of a finding's signature.
    pub fn key(&self) -> String {
        let cause = self.cause_key();
        match &self.stack {
            CrashStack::Unknown => cause,
            CrashStack::Innermost(frames) => format!("{cause} in {}", frames.join(" < ")),
            CrashStack::Recursion(functions) => format!("{cause} in a recursion of {}", functions.join(", ")),
        }
    }
}

/// A message that begins with the signature of a C++ function, with the class and the name of the function alone.
fn without_signature(message: &str) -> String {
    let short = || {
        let (head, parameters) = message.split_once('(')?;
        let name = head.rsplit(' ').next().filter(|name| name.contains("::"))?;
        let mut depth = 1;
        let end = parameters.find(|letter| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            depth == 0
        })?;
        let rest = parameters[end + 1..].trim_start().trim_start_matches("const").trim_start();
        let outer = name.rmatch_indices("::").nth(1).map_or(0, |(at, separator)| at + separator.len());
        Some(format!("{} {rest}", &name[outer..]).trim_end().to_owned())
    };
    short().unwrap_or_else(|| message.to_owned())
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(self.key()))
    }
}

/// The name of a signal, such as `SIGSEGV`.
pub fn signal_name(signal: i32) -> String {
    const NAMES: [(i32, &str); 15] = [
        (1, "SIGHUP"),
        (2, "SIGINT"),
        (3, "SIGQUIT"),
        (4, "SIGILL"),
        (5, "SIGTRAP"),
        (6, "SIGABRT"),
        (7, "SIGBUS"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (11, "SIGSEGV"),
        (13, "SIGPIPE"),
        (15, "SIGTERM"),
        (24, "SIGXCPU"),
        (25, "SIGXFSZ"),
        (31, "SIGSYS"),
    ];
    let known = NAMES.iter().find(|(number, _)| *number == signal);
    known.map_or_else(|| format!("signal {signal}"), |(_, name)| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(signal: i32, frames: &[&str]) -> Crash {
        let frames = frames.iter().map(|frame| (*frame).to_owned()).collect();
        Crash { cause: CrashCause::Signal(signal), stack: CrashStack::Innermost(frames) }
    }

    #[test]
    fn a_bare_signal_may_be_any_crash_with_that_signal() {
        let bare = Crash::signal(11);
        let table = [
            (&bare, &bare, true),
            (&bare, &at(11, &["a", "b"]), true),
            (&at(11, &["a"]), &at(11, &["a"]), true),
            (&at(11, &["a"]), &at(11, &["c"]), false),
            (&bare, &at(6, &["a"]), false),
            (&bare, &Crash::message("assertion"), false),
        ];
        for (one, other, expected) in table {
            assert_eq!(one.may_equal(other), expected, "{one} / {other}");
            assert_eq!(other.may_equal(one), expected, "{other} / {one}");
        }
    }

    #[test]
    fn vague_crashes_need_more_than_their_text() {
        let table = [
            (Crash::signal(11), true),
            (Crash::from(CrashCause::ExitCode(134)), true),
            (Crash::from(CrashCause::Handler("cvc5 suffered a segfault.".into())), true),
            (Crash::message("theory_str.cpp false"), false),
            (at(11, &["a"]), false),
        ];
        for (crash, expected) in table {
            assert_eq!(crash.is_vague(), expected, "{crash}");
        }
    }

    #[test]
    fn another_release_shows_only_the_signal() {
        assert_eq!(at(11, &["a", "b"]).in_any_release(), Crash::signal(11));
        let message = Crash::message("ASSERTION in x");
        assert_eq!(message.in_any_release(), message);
        assert!(Crash::signal(11).matches(&at(11, &["a"])));
        assert!(at(11, &["a"]).matches(&at(11, &["a", "b"])));
        assert!(!at(11, &["a"]).matches(&Crash::signal(11)));
    }

    #[test]
    fn titles_have_no_signatures() {
        let table = [
            (
                "cvc5::internal::Node cvc5::internal::RemoveTermFormulas::run(cvc5::internal::TNode, F (*)(int)) const removal.cpp",
                "RemoveTermFormulas::run removal.cpp",
            ),
            ("void main::f()", "main::f"),
            ("ASSERTION VIOLATION (see the log)", "ASSERTION VIOLATION (see the log)"),
            (
                "fpa2bv_converter.cpp UNEXPECTED CODE WAS REACHED.",
                "fpa2bv_converter.cpp UNEXPECTED CODE WAS REACHED.",
            ),
            ("broken a::b(", "broken a::b("),
        ];
        for (message, title) in table {
            assert_eq!(Crash::message(message).short(), title);
        }
    }

    #[test]
    fn keys_never_change() {
        let recursion = Crash {
            cause: CrashCause::Signal(11),
            stack: CrashStack::Recursion(vec!["f".into(), "g".into()]),
        };
        let table = [
            (Crash::signal(11), "SIGSEGV"),
            (at(6, &["a", "b"]), "SIGABRT in a < b"),
            (recursion, "SIGSEGV in a recursion of f, g"),
            (Crash::from(CrashCause::ExitCode(3)), "exit code 3"),
            (Crash::signal(40), "signal 40"),
        ];
        for (crash, key) in table {
            assert_eq!(crash.key(), key);
        }
    }
}
