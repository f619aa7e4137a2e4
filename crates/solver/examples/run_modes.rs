//! Measures a small script in each run mode, and compares it with Python's `subprocess`.
//!
//! `cargo run --release -p elenchus-driver --example run_modes [-- SOLVER…]`; by default the newest Z3, an old one, and cvc5.
//! All modes take turns of the same length, so that other load affects all of them equally. Ratios are those of medians. On a
//! busy machine the ratio of CPU times is more meaningful than that of wall-clock times.

use solver::install::{self, Settings};
use solver::run::RunSettings;
use solver::{Answer, RunMode, RunRequest, Target, affinity, runner};
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 15;
/// The length of a turn: ten starts of the slowest solver, and as many scripts in the other modes as fit, since a busy worker
/// stays in a mode, too.
const TURN: Duration = Duration::from_millis(150);
/// The number of scripts for Python in a round, and for each mode before the first round.
const SCRIPTS: usize = 10;

/// Runs the command on new scripts, as tools in Python do, and prints the seconds of each run.
const PYTHON: &str = r#"
import os, subprocess, sys, tempfile, time
rounds = 0
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "input.smt2")
    for line in sys.stdin:
        times = []
        for number in range(int(line)):
            begin = time.perf_counter()
            with open(path, "w") as file:
                file.write(os.environ["SCRIPT"].replace("NUMBER", str(rounds % 7 + 1)))
            result = subprocess.run(sys.argv[1:] + [path], timeout=10, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            assert result.stdout.decode().split() == ["sat"], result
            times.append(time.perf_counter() - begin)
            rounds += 1
        print(*times, flush=True)
"#;

const SCRIPT: &str = "(set-logic QF_LIA)\n(declare-fun x () Int)\n(declare-fun y () Int)\n\
                      (assert (and (> x 2) (< y 10) (= (+ x y) (+ 7 NUMBER))))\n(check-sat)\n";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    // The running program is the driver of the cvc5 library.
    if arguments.next_if(|first| first == "__drive").is_some() {
        std::process::exit(solver::driver::drive(arguments));
    }
    let mut solvers: Vec<String> = arguments.map(|spec| spec.to_string_lossy().into_owned()).collect();
    if solvers.is_empty() {
        solvers = ["z3@latest", "z3@4.8.5", "cvc5@latest"].map(str::to_owned).to_vec();
    }
    for spec in &solvers {
        if let Err(message) = measure(spec) {
            eprintln!("{spec}: {message}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// The times of one mode.
struct Column {
    name: &'static str,
    each: Vec<Duration>,
    /// The CPU time of the solver; unknown for Python.
    cpu: Vec<Duration>,
    /// The solver's share of the total; unknown for Python.
    inside: Option<Duration>,
    total: Duration,
}

impl Column {
    fn new(name: &'static str) -> Column {
        Column { name, each: Vec::new(), cpu: Vec::new(), inside: None, total: Duration::ZERO }
    }

    fn median(&mut self) -> f64 {
        median(&mut self.each)
    }

    fn cpu_median(&mut self) -> f64 {
        median(&mut self.cpu)
    }
}

/// The median in seconds; not a number if there are no times.
fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(f64::NAN, Duration::as_secs_f64)
}

fn measure(spec: &str) -> Result<(), Box<dyn std::error::Error>> {
    let settings = Settings::from_environment()?;
    let target = install::resolve(spec, &settings)?;
    let mut runners = Vec::new();
    for mode in RunMode::ALL {
        runners.push((runner(&target, mode, &RunSettings::default())?, Column::new(mode.name())));
    }
    let mut python = Python::start(&target)?;
    let cores = affinity::available_cores()?;
    let mut python_column = Column::new("Python subprocess");
    let script = |number: usize| SCRIPT.replace("NUMBER", &(number % 7 + 1).to_string());
    let mut notes = Vec::new();
    // The first scripts pay for the start.
    for (runner, column) in &mut runners {
        affinity::pin_to(cores_for(runner.mode(), &cores))?;
        for number in 0..SCRIPTS {
            let observation = runner.run(&RunRequest::new(&script(number)))?;
            if let Some(reason) = observation.fallback.filter(|_| number == 0) {
                notes.push(format!("{} fell back to one-shot: {reason}", column.name));
            }
        }
    }
    python.round(2)?;
    for round in 0..ROUNDS {
        let times = python.round(SCRIPTS)?;
        python_column.total += times.iter().sum::<Duration>();
        python_column.each.extend(times);
        for (runner, column) in &mut runners {
            affinity::pin_to(cores_for(runner.mode(), &cores))?;
            let turn = Instant::now();
            let mut number = 0;
            while turn.elapsed() < TURN {
                number += 1;
                let text = script(round + number);
                let begin = Instant::now();
                let observation = runner.run(&RunRequest::new(&text))?;
                let time = begin.elapsed();
                if observation.answer() != Some(Answer::Sat) {
                    return Err(format!("{}: {observation:?}", column.name).into());
                }
                column.each.push(time);
                column.total += time;
                column.cpu.push(observation.cpu);
                *column.inside.get_or_insert_default() += observation.solver_time();
            }
        }
    }
    affinity::pin_to(&cores)?;
    let mut columns = vec![python_column];
    columns.extend(runners.into_iter().map(|(_, column)| column));
    let plain = columns[1].median();
    let plain_cpu = columns[1].cpu_median();
    let python = columns[0].median();
    println!("{}, {ROUNDS} turns of {} ms per mode", target.id, TURN.as_millis());
    let heads =
        ["scripts", "ms/script", "scripts/s", "vs one-shot", "vs Python", "CPU ms", "vs one-shot", "outside"];
    print!("{:18}", "mode");
    for head in heads {
        print!(" {head:>11}");
    }
    println!();
    for column in &mut columns {
        let (time, cpu) = (column.median(), column.cpu_median());
        let outside = column
            .inside
            .map_or(f64::NAN, |inside| 100.0 * (1.0 - inside.as_secs_f64() / column.total.as_secs_f64()));
        print!("{:18} {:>11} {:>11.3} {:>11.0}", column.name, column.each.len(), time * 1000.0, 1.0 / time);
        print!(" {:>10.1}x {:>10.1}x", plain / time, python / time);
        if cpu.is_nan() {
            println!(" {:>11} {:>11} {:>11}", "-", "-", "-");
        } else {
            println!(" {:>11.3} {:>10.1}x {:>9.1} %", cpu * 1000.0, plain_cpu / cpu, outside);
        }
    }
    for note in notes {
        println!("{note}");
    }
    println!();
    Ok(())
}

/// The cores for a mode: one, as for a worker of a campaign, or all if processes take turns.
fn cores_for(mode: RunMode, cores: &[usize]) -> &[usize] {
    if mode == RunMode::Session { cores } else { &cores[..1] }
}

/// A Python process that spawns the solver.
struct Python {
    process: std::process::Child,
    output: std::io::BufReader<std::process::ChildStdout>,
}

impl Python {
    fn start(target: &Target) -> std::io::Result<Python> {
        let mut process = Command::new("python3")
            .arg("-c")
            .arg(PYTHON)
            .arg(&target.program)
            .args(&target.args)
            .envs(target.env.iter().map(|(name, value)| (name, value)))
            .env("SCRIPT", SCRIPT)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let output = process.stdout.take().ok_or_else(|| std::io::Error::other("no output"))?;
        Ok(Python { process, output: std::io::BufReader::new(output) })
    }

    /// The times of `count` runs.
    fn round(&mut self, count: usize) -> Result<Vec<Duration>, Box<dyn std::error::Error>> {
        let mut input = self.process.stdin.as_ref().ok_or("no input")?;
        writeln!(input, "{count}")?;
        let mut line = String::new();
        std::io::BufRead::read_line(&mut self.output, &mut line)?;
        let times: Result<Vec<f64>, _> = line.split_whitespace().map(str::parse).collect();
        let times: Vec<Duration> = times?.into_iter().map(Duration::from_secs_f64).collect();
        if times.len() == count { Ok(times) } else { Err("Python ended early".into()) }
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        // It ends with its input.
        let _ = self.process.wait();
    }
}
