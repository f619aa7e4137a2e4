//! The only way to standard output and standard error.
//!
//! The macros here replace those of the standard library in the whole program. They spell out control characters: text of
//! solvers, scripts and file names must not command the user's terminal. Only the live view writes its own.

use case::printable;
use std::fmt::Arguments;
use std::io::IsTerminal;

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
