//! `elenchus solve`: runs solvers on scripts and compares their answers.

use crate::commands::subject::limits;
use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use campaign::config::{mebibytes, time_limit};
use clap::{Args, ValueEnum};
use solver::run::{Limits, RunSettings, Want};
use solver::{RunMode, runner};
use std::path::PathBuf;
use std::time::Duration;
use triage::{Comparison, ReadySolver, configured_solvers, read_harmless, run_json};

/// Arguments of `elenchus solve`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus solve puzzle.smt2 --solver z3 --solver cvc5@1.2.0
  elenchus solve puzzle.smt2 --solver z3 --solver cvc5 --option z3:smt.random_seed=1
  elenchus solve - --solver ./build/z3 --model < puzzle.smt2

An option without a solver's name goes to all solvers, which must then be releases of one.

Exit code: 0 if a solver answered every script, 1 if two solvers contradict each other, or one crashes or rejects its own result, \
2 if no solver answered a script.")]
pub struct SolveArgs {
    /// SMT-LIB scripts; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Solver: NAME, NAME@RELEASE, a path, or a name from the configuration; may be repeated
    #[arg(long = "solver", short, required = true, value_name = "SOLVER")]
    solvers: Vec<String>,
    /// Option for the solvers' command lines, as in --option=-v:2; SOLVER:OPTION applies to one solver, as in z3:-v:2
    #[arg(long = "option", short, allow_hyphen_values = true, value_name = "OPTION")]
    options: Vec<String>,
    /// Time limit for each run, such as 2s or 500ms
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = time_limit, allow_negative_numbers = true)]
    timeout: Duration,
    /// Memory limit for each run, such as 512MB or 2GB
    #[arg(long, default_value = "2GB", value_name = "SIZE", value_parser = mebibytes)]
    memory: u64,
    /// Ask for a model after the last check and print it
    #[arg(long)]
    model: bool,
    /// Configuration file with `[solver.NAME]` blocks; `elenchus.toml` in the current folder if it exists
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print JSON, one object per line for each file and solver
    #[arg(long)]
    json: bool,
    /// How to run the scripts
    #[arg(long, value_enum, default_value_t = RunModeArg::OneShot)]
    mode: RunModeArg,
}

/// The run modes, as the command line names them.
#[derive(Clone, Copy, ValueEnum)]
enum RunModeArg {
    /// A new process for each script
    OneShot,
    /// One process for all scripts, with (reset) in between
    Session,
    /// A process that is started once and forked for each script
    Fork,
    /// One process for all scripts, each between push and pop
    Incremental,
}

impl From<RunModeArg> for RunMode {
    fn from(mode: RunModeArg) -> RunMode {
        match mode {
            RunModeArg::OneShot => RunMode::OneShot,
            RunModeArg::Session => RunMode::Session,
            RunModeArg::Fork => RunMode::Fork,
            RunModeArg::Incremental => RunMode::Incremental,
        }
    }
}

/// Runs `elenchus solve`.
pub fn run(args: SolveArgs) -> Outcome {
    let limits = Limits { memory: args.memory.saturating_mul(1 << 20), ..limits(args.timeout) };
    let want = Want { model: args.model, ..Want::default() };
    let context = match &args.config {
        Some(file) => Context::with_config(Some(file))?,
        None => Context::new()?,
    };
    let mut solvers: Vec<ReadySolver> = Vec::new();
    for (target, options) in configured_solvers(&args.solvers, &args.options, &context)? {
        solvers.push((runner(&target, args.mode.into(), &RunSettings::default())?, options));
    }
    let mut found_bug = false;
    let mut unanswered = Vec::new();
    for file in &args.files {
        let script = read_harmless(file)?;
        let name = file.display().to_string();
        let compared = Comparison::of(&script, &mut solvers, limits, want, &mut |id, options, run| {
            if args.json {
                println!("{}", run_json(&name, id, options, run));
            }
        })?;
        if !args.json {
            if args.files.len() > 1 {
                println!("{name}");
            }
            println!("{}", compared.text(args.model).join("\n"));
        }
        found_bug |= compared.has_bug();
        unanswered.extend((!compared.is_answered()).then_some(name));
    }
    match (found_bug, &unanswered[..]) {
        (true, _) => Ok(Exit::Found),
        (false, []) => Ok(Exit::Clean),
        (false, files) => Err(Failure::new(format!("no solver answered {}", files.join(", ")))
            .hint("check the script and the options, or give more time with --timeout")),
    }
}
