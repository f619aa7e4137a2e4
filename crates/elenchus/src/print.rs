//! The only way to standard output and standard error.
//!
//! The macros here replace those of the standard library in the whole program. They spell out control characters: text of
//! solvers, scripts and file names must not command the user's terminal. Only the live view writes its own.

use case::printable;
use std::fmt::Arguments;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

macro_rules! println {
    () => { $crate::print::out(format_args!("\n")) };
    ($($text:tt)+) => { $crate::print::out(format_args!("{}\n", format_args!($($text)+))) };
}

macro_rules! print {
    ($($text:tt)+) => { $crate::print::out(format_args!($($text)+)) };
}

macro_rules! eprintln {
    () => { $crate::print::err(format_args!("\n")) };
    ($($text:tt)+) => { $crate::print::err(format_args!("{}\n", format_args!($($text)+))) };
}

/// Prints to standard output.
pub fn out(text: Arguments<'_>) {
    std::print!("{}", printable(&text.to_string()));
}

/// Prints to standard error.
pub fn err(text: Arguments<'_>) {
    std::eprint!("{}", printable(&text.to_string()));
}

/// Replaces the status on the last line of a terminal. Prints nothing elsewhere.
pub fn status(text: &str) {
    if std::io::stderr().is_terminal() {
        std::eprint!("\r\x1b[K{}", printable(text));
    }
}

/// How often the status changes on a terminal, and how often it is printed elsewhere.
const ON_TERMINAL: Duration = Duration::from_millis(200);
const ELSEWHERE: Duration = Duration::from_secs(10);

/// The state of long work on standard error: a line that changes on a terminal, a new line from time to time elsewhere.
pub struct StatusLine {
    on_terminal: bool,
    is_drawn: bool,
    last: Instant,
}

impl StatusLine {
    /// Nothing is shown yet.
    pub fn new() -> StatusLine {
        StatusLine { on_terminal: std::io::stderr().is_terminal(), is_drawn: false, last: Instant::now() }
    }

    /// Shows the state, if it is time again.
    pub fn show(&mut self, text: impl FnOnce() -> String) {
        if self.last.elapsed() < if self.on_terminal { ON_TERMINAL } else { ELSEWHERE } {
            return;
        }
        self.last = Instant::now();
        match self.on_terminal {
            true => status(&text()),
            false => eprintln!("{}", text()),
        }
        self.is_drawn = self.on_terminal;
    }

    /// Shows how many files are done.
    pub fn files(&mut self, done: usize, total: usize) {
        self.show(|| format!("{done} of {total} files"));
    }

    /// Clears the line, so that something else can be printed.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.is_drawn) {
            status("");
        }
    }
}
