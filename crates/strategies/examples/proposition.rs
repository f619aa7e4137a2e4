//! Tests DIVER's Proposition 1: a value that satisfies the constraint of its position keeps the formula true.
//!
//! `cargo run --release -p elenchus-strategies --example proposition -- [TRIALS] [SEED]`; a million trials by default. The exit code is 1
//! if there is a counterexample.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let trials = arguments.next().and_then(Result::ok).unwrap_or(1_000_000);
    let seed = arguments.next().and_then(Result::ok).unwrap_or(1);
    let report = strategies::diver::proposition::run(&smt::Signatures::standard(), trials, seed);
    println!(
        "{} formulas, {} values within their constraints, {} outside, {} counterexamples",
        report.formulas,
        report.holds,
        report.inconclusive,
        report.counterexamples.len()
    );
    for counterexample in &report.counterexamples {
        println!("{counterexample}");
    }
    if report.counterexamples.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
