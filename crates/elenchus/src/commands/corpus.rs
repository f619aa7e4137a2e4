//! `elenchus corpus`: tools for folders of seeds.

use crate::context::Context;
use crate::files::{Progress, find_scripts, in_parallel, into_text};
use crate::outcome::{Exit, Outcome};
use crate::signals;

use campaign::config::{duration, time_limit};
use campaign::corpus::{
    CorpusScript, CorpusStats, Import, LeftOut, MinimizeSettings, Minimized, Minimizing, minimize,
};
use campaign::{Pool, Unusable};
use case::table::counted;
use clap::{Args, Subcommand};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use triage::SolverSource;

/// How often to show the progress in a pipe.
const EVERY: Duration = Duration::from_secs(10);

/// Arguments of `elenchus corpus`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus corpus stats benchmarks/
  elenchus corpus import downloads/ issues/ --out seeds
  elenchus corpus minimize seeds --solver z3@5.4.0 --out small-seeds")]
pub struct CorpusArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Show what scripts hold: logics, theories, operators, sizes, duplicates
    #[command(after_help = "Examples:
  elenchus corpus stats benchmarks/
  elenchus corpus stats benchmarks/ --json | jq .unused_operators")]
    Stats {
        /// Scripts, or folders with .smt2 files
        #[arg(required = true, value_name = "DIR")]
        files: Vec<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Import scripts as seeds: well-typed ones, without duplicates, named by their content
    #[command(after_help = "Examples:
  elenchus corpus import downloads/ issues/ --out seeds

Writes one flat folder. Comments, descriptions, `exit`, `echo` and options that redirect output are removed; `:status` and all else \
stays, also in scripts with several checks. Scripts that differ only in names and layout from another, or from one in the folder, are \
left out. No file is ever overwritten.")]
    Import {
        /// Scripts, or folders with .smt2 files
        #[arg(required = true, value_name = "SRC")]
        sources: Vec<PathBuf>,
        /// Folder for the seeds
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Keep the fewest seeds that reach the same functions of a solver
    #[command(after_help = "Examples:
  elenchus corpus minimize seeds --solver z3@5.4.0 --out small-seeds

Runs every seed and measures the functions that it reaches, in the release executable or in an instrumented build (see `elenchus \
learn`). Then it chooses seeds that reach all of them, runs these again to check it, and copies them to the folder of --out, which \
must have no scripts yet.")]
    Minimize {
        /// Folder with the seeds
        folder: PathBuf,
        /// Solver whose functions count: NAME, NAME@RELEASE, a path, or a name from the configuration
        #[arg(long, short, value_name = "SOLVER")]
        solver: String,
        /// Folder for the seeds that are kept
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Stop measuring after this time and leave out the rest, such as 90s or 10m
        #[arg(long, value_name = "TIME", value_parser = duration)]
        time: Option<Duration>,
        /// Time limit for each run, such as 2s or 500ms
        #[arg(long, default_value = "2s", value_name = "TIME", value_parser = time_limit)]
        timeout: Duration,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Runs `elenchus corpus`.
pub fn run(args: CorpusArgs) -> Outcome {
    match args.action {
        Action::Stats { files, json } => stats(&files, json),
        Action::Import { sources, out, json } => import(&sources, &out, json),
        Action::Minimize { folder, solver, out, time, timeout, json } => {
            let target = Context::new()?.resolve(&solver)?;
            let settings = MinimizeSettings { folder: &folder, out: &out, target: &target, timeout, time };
            let stop = signals::stop_flag()?;
            let mut shown = Shown::default();
            let result = minimize(&settings, &|| stop.load(Ordering::Relaxed), &mut |step| shown.show(step));
            shown.clear();
            let result = result?;
            match json {
                true => println!("{}", serde_json::json!(result)),
                false => println!("{}", minimized_text(&result, &out)),
            }
            Ok(Exit::Clean)
        }
    }
}

fn stats(files: &[PathBuf], json: bool) -> Outcome {
    let files = find_scripts(files)?;
    let mut progress = Progress::new(files.len());
    let mut stats = CorpusStats::default();
    in_parallel(
        &files,
        |file| std::fs::read(file).map(|bytes| CorpusScript::new(&into_text(bytes))),
        |file, script| {
            progress.step();
            match script {
                Ok(script) => stats.add(&file.display().to_string(), script),
                Err(_) => stats.add_unreadable(),
            }
        },
    );
    progress.clear();
    match json {
        true => println!("{}", stats.json()),
        false => println!("{}", stats.text().join("\n")),
    }
    Ok(Exit::Clean)
}

fn import(sources: &[PathBuf], out: &Path, json: bool) -> Outcome {
    let pool = Pool::read(sources);
    let mut import = Import::into_folder(out)?;
    let (duplicates, others) =
        pool.unusable.iter().partition::<Vec<_>, _>(|(_, why)| *why == Unusable::Duplicate);
    import.reject(duplicates.len(), LeftOut::Duplicate);
    import.reject(others.len(), LeftOut::NotASeed);
    let mut progress = Progress::new(pool.seeds.len());
    let mut failed = None;
    in_parallel(
        &pool.seeds,
        |seed| CorpusScript::new(&seed.text),
        |_, script| {
            progress.step();
            if failed.is_none() {
                failed = import.add(script).err();
            }
        },
    );
    progress.clear();
    if let Some(error) = failed {
        return Err(error.into());
    }
    if json {
        let left_out: Vec<_> = import
            .left_out
            .iter()
            .map(|(why, count)| serde_json::json!({ "why": why, "files": count }))
            .collect();
        println!("{}", serde_json::json!({ "imported": import.written, "left_out": left_out }));
        return Ok(Exit::Clean);
    }
    println!("Imported {} into {}", counted(import.written, "seed"), out.display());
    for (why, count) in &import.left_out {
        println!("Left out {count}: {why}");
    }
    Ok(Exit::Clean)
}

fn minimized_text(result: &Minimized, out: &Path) -> String {
    let Minimized { kind, points, seeds, bytes, reached, kept, kept_bytes, kept_reached, .. } = result;
    let mut lines = vec![
        format!("{}, {bytes} B, reach {reached} of {points} {kind}", counted(*seeds, "seed")),
        format!(
            "Kept {}, {kept_bytes} B, in {}: they reach {kept_reached} of these when run again",
            counted(*kept, "seed"),
            out.display()
        ),
    ];
    if result.unsteady > 0 {
        lines.push(format!(
            "{} of them are reached only sometimes, and no seed reached them again",
            result.unsteady
        ));
    }
    if result.not_measured > 0 {
        let seeds = counted(result.not_measured, "seed");
        lines.push(format!("{seeds} left out, not measured in time: give more with --time"));
    }
    if result.unusable > 0 {
        lines.push(format!("{} left out, not usable as seeds", counted(result.unusable, "file")));
    }
    lines.join("\n")
}

/// The progress of a minimization on standard error: a line that changes on a terminal, else a line from time to time.
#[derive(Default)]
struct Shown {
    last: Option<Instant>,
    is_drawn: bool,
}

impl Shown {
    fn show(&mut self, step: Minimizing) {
        let is_terminal = std::io::stderr().is_terminal();
        let every = if is_terminal { Duration::from_millis(200) } else { EVERY };
        let last = *self.last.get_or_insert_with(Instant::now);
        if last.elapsed() < every {
            return;
        }
        self.last = Some(Instant::now());
        let line = match step {
            Minimizing::Measured { done, total, reached } => {
                format!("{done} of {total} seeds measured, {reached} reached")
            }
            Minimizing::Checked { done, total } => format!("{done} of {total} kept seeds run again"),
        };
        if is_terminal {
            eprint!("\r\x1b[K{line}");
            self.is_drawn = true;
        } else {
            eprintln!("{line}");
        }
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.is_drawn) {
            eprint!("\r\x1b[K");
        }
    }
}
