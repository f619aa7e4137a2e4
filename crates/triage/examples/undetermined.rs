//! Measures how many models of the newest releases our evaluation cannot decide, and why.
//!
//! `cargo run --release -p elenchus-triage --example undetermined -- [--every N] [--seconds S] [--jobs J] [--models CACHE] FOLDER…` asks
//! both releases for a model of every script below the folders and judges it. It lists undetermined and refuted models and
//! prints a table for each folder. With `--models`, the models are kept on disk, so that another run needs no solver.

use semantics::model::StringDialect;
use solver::install::{Settings, resolve};
use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, RunMode, RunRequest, Runner, runner};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use triage::{Evaluated, ModelJudge, ModelOpinion, complete_model};

const NEWEST: [&str; 2] = ["z3@5.4.0", "cvc5@1.4.2"];

/// The columns of the table.
const COLUMNS: [&str; 5] = ["confirmed", "refuted", "undetermined", "unsat", "no model"];

/// Judgements that take longer are listed.
const SLOW: Duration = Duration::from_secs(2);

struct Arguments {
    every: usize,
    seconds: u64,
    jobs: usize,
    models: Option<PathBuf>,
    folders: Vec<PathBuf>,
}

fn arguments(mut words: impl Iterator<Item = String>) -> Option<Arguments> {
    let mut found = Arguments { every: 1, seconds: 5, jobs: 1, models: None, folders: Vec::new() };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--every" => found.every = words.next()?.parse().ok().filter(|&every| every > 0)?,
            "--seconds" => found.seconds = words.next()?.parse().ok()?,
            "--jobs" => found.jobs = words.next()?.parse().ok().filter(|&jobs| jobs > 0)?,
            "--models" => found.models = Some(words.next()?.into()),
            folder => found.folders.push(folder.into()),
        }
    }
    (!found.folders.is_empty()).then_some(found)
}

/// Asks one release, and keeps what it answers.
struct Release {
    spec: &'static str,
    runner: Option<Box<dyn Runner>>,
    limits: Limits,
    models: Option<PathBuf>,
}

impl Release {
    fn new(spec: &'static str, settings: &Settings, arguments: &Arguments) -> Release {
        let target = resolve(spec, settings).map_err(|error| eprintln!("{spec}: {error}")).ok();
        let runner =
            target.and_then(|target| runner(&target, RunMode::OneShot, &RunSettings::default()).ok());
        let limits = Limits { wall: Duration::from_secs(arguments.seconds), ..Limits::default() };
        Release { spec, runner, limits, models: arguments.models.clone() }
    }

    /// What is kept under a name, or else what `ask` returns.
    fn kept(&mut self, name: &str, ask: impl FnOnce(&mut Self) -> Option<String>) -> Option<String> {
        let path = self.models.as_ref().map(|folder| folder.join(format!("{name}.{}", self.spec)));
        if let Some(text) = path.as_ref().and_then(|path| std::fs::read_to_string(path).ok()) {
            return Some(text);
        }
        let text = ask(self)?;
        if let Some(path) = path
            && let Err(error) = std::fs::write(&path, &text)
        {
            eprintln!("{}: {error}", path.display());
        }
        Some(text)
    }

    /// `sat` and the model, or another answer.
    fn answer(&mut self, name: &str, script: &str) -> Option<String> {
        self.kept(name, |this| {
            let want = Want { model: true, ..Want::default() };
            let request = RunRequest::new(script).limits(this.limits).want(want);
            let seen = this.runner.as_mut()?.run(&request).ok()?;
            // Z3 continues after an error and answers what is left of the script.
            if seen.outcome != solver::Outcome::Answered {
                return Some("none".to_owned());
            }
            Some(match (seen.answer(), seen.model()) {
                (Some(Answer::Sat), Some(model)) => format!("sat\n{model}"),
                (Some(Answer::Unsat), _) => "unsat".to_owned(),
                _ => "none".to_owned(),
            })
        })
    }

    /// The model with the values that it leaves out.
    fn complete(&mut self, name: &str, script: &str, model: &str) -> Option<String> {
        self.kept(&format!("{name}.complete"), |this| {
            let limits = this.limits;
            let runner = this.runner.as_mut()?.as_mut();
            let more = complete_model(runner, script, model, &[], limits, StringDialect::Standard).ok()?;
            Some(more.unwrap_or_default())
        })
    }

    /// The column of a script, and what to report about it.
    fn judge(&mut self, judge: &mut Evaluated, name: &str, script: &str) -> (usize, Option<String>) {
        let answer = self.answer(name, script).unwrap_or_default();
        let Some(model) = answer.strip_prefix("sat\n") else {
            return (if answer == "unsat" { 3 } else { 4 }, None);
        };
        let mut opinion = judge.opinion(script, model);
        // A refutation that rests on a value reported by the solver does not count: that value may be the mistake.
        if matches!(opinion, ModelOpinion::Undetermined { .. })
            && let Some(more) = self.complete(name, script, model).filter(|more| !more.is_empty())
            && judge.opinion(script, &more) == ModelOpinion::Confirmed
        {
            opinion = ModelOpinion::Confirmed;
        }
        match opinion {
            ModelOpinion::Confirmed => (0, None),
            ModelOpinion::Refuted { explanation } => (1, Some(format!("refuted: {explanation}"))),
            ModelOpinion::Undetermined { reason } => {
                let reason: String = reason.chars().take(400).collect();
                (2, Some(format!("undetermined: {}", reason.replace('\n', " "))))
            }
        }
    }
}

type Counts = BTreeMap<&'static str, [usize; COLUMNS.len()]>;

/// Judges the scripts whose number is `part` modulo the number of jobs.
fn work(files: &[PathBuf], part: usize, arguments: &Arguments, settings: &Settings) -> Counts {
    let mut releases = NEWEST.map(|spec| Release::new(spec, settings, arguments));
    let mut judge = Evaluated::default();
    let mut counts = Counts::new();
    for file in files.iter().skip(part).step_by(arguments.jobs) {
        let Ok(bytes) = std::fs::read(file) else { continue };
        let script = String::from_utf8_lossy(&bytes);
        let name = file.to_string_lossy().replace('/', "+");
        for release in &mut releases {
            let start = Instant::now();
            let (column, report) = release.judge(&mut judge, &name, &script);
            counts.entry(release.spec).or_default()[column] += 1;
            if let Some(report) = report {
                println!("{} {} {report}", release.spec, file.display());
            }
            if arguments.models.is_some() && start.elapsed() > SLOW {
                println!("{} {} took {:.1} s", release.spec, file.display(), start.elapsed().as_secs_f64());
            }
        }
    }
    counts
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1).peekable();
    if words.next_if(|word| word == "__drive").is_some() {
        std::process::exit(solver::driver::drive(words.map(Into::into)));
    }
    let usage = "usage: undetermined [--every N] [--seconds S] [--jobs J] [--models CACHE] FOLDER…";
    let arguments = arguments(words).ok_or(usage)?;
    let settings = Settings::from_environment()?;
    if let Some(folder) = &arguments.models {
        std::fs::create_dir_all(folder)?;
    }
    let mut tables = Vec::new();
    for folder in &arguments.folders {
        let files: Vec<PathBuf> = testing::scripts(folder).into_iter().step_by(arguments.every).collect();
        let mut counts = Counts::new();
        std::thread::scope(|scope| {
            let parts: Vec<_> = (0..arguments.jobs)
                .map(|part| {
                    let (files, arguments, settings) = (&files, &arguments, &settings);
                    scope.spawn(move || work(files, part, arguments, settings))
                })
                .collect();
            for (spec, cells) in parts.into_iter().filter_map(|part| part.join().ok()).flatten() {
                let sums = counts.entry(spec).or_default();
                sums.iter_mut().zip(cells).for_each(|(sum, cell)| *sum += cell);
            }
        });
        tables.push((folder, counts));
    }
    println!("\n| folder | release | {} | share undetermined |", COLUMNS.join(" | "));
    println!("|---|---|{}", "---|".repeat(COLUMNS.len() + 1));
    for (folder, counts) in tables {
        for (spec, cells) in counts {
            let share = 100.0 * cells[2] as f64 / cells[..3].iter().sum::<usize>().max(1) as f64;
            let cells = cells.map(|cell| cell.to_string()).join(" | ");
            println!("| {} | {spec} | {cells} | {share:.1} % |", folder.display());
        }
    }
    Ok(())
}
