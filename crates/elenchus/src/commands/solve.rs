//! `elenchus solve`: what solvers say about scripts, side by side.

use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use clap::{Args, ValueEnum};
use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, Observation, RunMode, RunRequest, Runner, Target, runner};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;
use triage::SolverSource;

/// Arguments of `elenchus solve`.
#[derive(Args)]
pub struct SolveArgs {
    /// Scripts in SMT-LIB; `-` is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// A solver: NAME, NAME@RELEASE, a path, or a name from the configuration; may be repeated
    #[arg(long = "solver", short, required = true, value_name = "SOLVER")]
    solvers: Vec<String>,
    /// An option for the solvers' command lines, as in --option=--incremental; SOLVER:OPTION is for one solver alone
    #[arg(long = "option", short, allow_hyphen_values = true, value_name = "OPTION")]
    options: Vec<String>,
    /// Wall-clock limit for each run, in seconds
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS", allow_negative_numbers = true)]
    timeout: f64,
    /// Memory limit for each run, in MiB
    #[arg(long, default_value_t = 2048, value_name = "MIB")]
    memory: u64,
    /// Ask for a model after the last question and print it
    #[arg(long)]
    model: bool,
    /// Print JSON, one object a line for each file and solver
    #[arg(long)]
    json: bool,
    /// How the scripts are run
    #[arg(long, value_enum, default_value_t = RunModeArg::OneShot)]
    mode: RunModeArg,
}

/// The run modes, as the command line names them.
#[derive(Clone, Copy, ValueEnum)]
enum RunModeArg {
    /// The plain executable, a new process for each script
    OneShot,
    /// One process for all scripts, with a reset in between
    Session,
    /// A process that is loaded once and forked for each script
    Fork,
    /// Scripts inside push and pop of a running process
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
    if !args.timeout.is_finite() || args.timeout <= 0.0 || args.timeout > 1e7 {
        return Err(
            Failure::new(format!("{} is not a time limit", args.timeout)).hint("give seconds, such as 2.5")
        );
    }
    if args.memory == 0 {
        return Err(Failure::new("0 is not a memory limit").hint("give MiB, such as 2048"));
    }
    let limits = Limits {
        wall: Duration::from_secs_f64(args.timeout),
        memory: args.memory.saturating_mul(1 << 20),
        ..Limits::default()
    };
    let want = Want { model: args.model, ..Want::default() };
    let mut runners = args
        .solvers
        .iter()
        .map(|spec| Ok((start(spec, args.mode.into())?, options_for(spec, &args.options, &args.solvers))))
        .collect::<Result<Vec<_>, Failure>>()?;
    let mut contradicted = false;
    for file in &args.files {
        let script = read(file)?;
        let mut rows = Vec::with_capacity(runners.len());
        for (runner, options) in &mut runners {
            let request = RunRequest::new(&script).options(options).limits(limits).want(want);
            let observation = runner.run(&request)?;
            if args.json {
                println!("{}", json(file, runner.target().id.as_str(), options, &observation));
            }
            rows.push((runner.target().id.clone(), observation));
        }
        if !args.json {
            print_table(file, &rows, args.files.len() > 1, args.model);
        }
        if let Some(question) = contradiction(&rows) {
            contradicted = true;
            if !args.json {
                println!("the solvers contradict each other on question {}", question + 1);
            }
        }
    }
    Ok(if contradicted { Exit::Found } else { Exit::Clean })
}

pub(super) fn start(spec: &str, mode: RunMode) -> Result<Box<dyn Runner>, Failure> {
    Ok(runner(&target(spec)?, mode, &RunSettings::default())?)
}

/// The solver that a person names, installed if need be.
pub(super) fn target(spec: &str) -> Result<Target, Failure> {
    Ok(Context::new()?.resolve(spec)?)
}

/// The options meant for the solver given as `spec`: those for all, and those that name it.
fn options_for(spec: &str, options: &[String], specs: &[String]) -> Vec<String> {
    let own = |option: &String| {
        let named = specs.iter().find_map(|other| {
            let rest = option.strip_prefix(other.as_str())?.strip_prefix(':')?;
            Some((other, rest))
        });
        match named {
            Some((other, rest)) => (other == spec).then(|| rest.to_owned()),
            None => Some(option.clone()),
        }
    };
    options.iter().filter_map(own).collect()
}

fn read(file: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let result = if file == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(file).map(|contents| bytes = contents)
    };
    result.map_err(|error| {
        Failure::new(format!("{} cannot be read: {error}", file.display())).hint("give the path of a script")
    })?;
    // Solvers see bytes; text that is not UTF-8 only occurs in comments and strings of old files.
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// The first question on which two of the runs contradict each other.
fn contradiction(rows: &[(String, Observation)]) -> Option<usize> {
    let pairs = rows.iter().enumerate().flat_map(|(place, a)| rows[place + 1..].iter().map(move |b| (a, b)));
    pairs.filter_map(|((_, a), (_, b))| a.contradicts(b)).min()
}

/// The answers, the same ones in a row counted: `sat unsat×3`.
fn answers(observation: &Observation) -> String {
    let mut words: Vec<(Answer, usize)> = Vec::new();
    for answer in &observation.answers {
        match words.last_mut() {
            Some((last, count)) if last == answer => *count += 1,
            _ => words.push((*answer, 1)),
        }
    }
    let word = |(answer, count): &(Answer, usize)| match count {
        1 => answer.word().to_owned(),
        count => format!("{}×{count}", answer.word()),
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn milliseconds(duration: Duration) -> String {
    format!("{:.1} ms", duration.as_secs_f64() * 1000.0)
}

fn print_table(file: &Path, rows: &[(String, Observation)], several: bool, models: bool) {
    if several {
        println!("{}", file.display());
    }
    let cells: Vec<[String; 5]> = rows
        .iter()
        .map(|(id, observation)| {
            let memory =
                observation.peak_memory.map_or("-".to_owned(), |bytes| format!("{} MB", bytes / 1_000_000));
            let said = answers(observation);
            let what = match &observation.outcome {
                solver::Outcome::Answered => said,
                outcome if said.is_empty() => outcome.to_string(),
                outcome => format!("{said} ({outcome})"),
            };
            let what = if what.is_empty() { "no question".to_owned() } else { what };
            [id.clone(), milliseconds(observation.wall), milliseconds(observation.cpu), memory, what]
        })
        .collect();
    let heads = ["solver", "wall", "cpu", "memory", "answers"].map(str::to_owned);
    let widths: Vec<usize> = (0..4)
        .map(|column| cells.iter().chain([&heads]).map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    for [id, wall, cpu, memory, what] in [&heads].into_iter().chain(&cells) {
        let (a, b, c, d) = (widths[0], widths[1], widths[2], widths[3]);
        println!("{id:a$}  {wall:>b$}  {cpu:>c$}  {memory:>d$}  {what}");
    }
    for (id, observation) in rows {
        if let Some(reason) = &observation.fallback {
            println!("{id} was run one-shot: {reason}");
        }
        if let Some(model) = observation.model().filter(|_| models) {
            println!("\nmodel of {id}:\n{model}");
        }
    }
}

fn json(file: &Path, id: &str, options: &[String], observation: &Observation) -> serde_json::Value {
    serde_json::json!({
        "file": file.display().to_string(),
        "solver": id,
        "options": options,
        "outcome": observation.outcome.word(),
        "detail": observation.outcome.detail(),
        "answers": observation.answers.iter().map(|answer| answer.word()).collect::<Vec<_>>(),
        "model": observation.model(),
        "core": observation.core(),
        "wall_ms": observation.wall.as_secs_f64() * 1000.0,
        "cpu_ms": observation.cpu.as_secs_f64() * 1000.0,
        "peak_memory_bytes": observation.peak_memory,
        "exit": match observation.exit {
            solver::run::Exit::Code(code) => serde_json::json!({ "code": code }),
            solver::run::Exit::Signal(signal) => serde_json::json!({ "signal": signal }),
            solver::run::Exit::Running => serde_json::Value::Null,
        },
        "way": observation.mode.name(),
        "fallback": observation.fallback,
        "stdout": observation.stdout,
        "stderr": observation.stderr,
    })
}

#[cfg(test)]
mod tests {
    use super::options_for;

    #[test]
    fn options_go_to_all_solvers_or_to_the_one_they_name() {
        let specs = ["z3", "cvc5@1.0.3"].map(str::to_owned);
        let options = ["-x", "z3:smt.random_seed=1", "cvc5@1.0.3:--seed=1", "a:b"].map(str::to_owned);
        assert_eq!(options_for("z3", &options, &specs), ["-x", "smt.random_seed=1", "a:b"]);
        assert_eq!(options_for("cvc5@1.0.3", &options, &specs), ["-x", "--seed=1", "a:b"]);
    }
}
