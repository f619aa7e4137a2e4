//! The drivers of solver libraries as a program of their own, for those who use this crate without the `elenchus` binary.

fn main() {
    let mut arguments = std::env::args_os().skip(1).peekable();
    // The `elenchus` binary keeps its drivers behind this word; targets are started the same way with either.
    arguments.next_if(|first| first == "__drive");
    std::process::exit(solver::driver::drive(arguments));
}
