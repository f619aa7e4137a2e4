//! `elenchus solver`: installs, lists, removes and checks solvers.

use crate::commands::progress::InstallProgress;
use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use case::Hinted;
use case::table::counted;
use clap::{Args, Subcommand};
use solver::install::{self, Cache, Health, Settings};
use solver::options;
use triage::SolverSource;

/// Arguments of `elenchus solver`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus solver install z3@5.4.0 cvc5@latest
  elenchus solver list
  elenchus solver options z3@5.4.0 --name arith
  elenchus solver doctor")]
pub struct SolverArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Install releases from public registries
    #[command(after_help = "Examples:
  elenchus solver install z3 cvc5             the newest releases
  elenchus solver install z3@4.8              the newest 4.8
  elenchus solver install cvc5@1.2.0 z3@debian")]
    Install {
        /// NAME, NAME@RELEASE, NAME@latest or NAME@debian
        #[arg(required = true, value_name = "SOLVER")]
        solvers: Vec<String>,
    },
    /// List the available solvers: installed, configured, and on the PATH
    #[command(after_help = "Examples:
  elenchus solver list
  elenchus solver list z3 --available         all releases of Z3 that can be installed")]
    List {
        /// List the releases that the package registries offer instead
        #[arg(long)]
        available: bool,
        /// List only these solvers
        #[arg(value_name = "NAME")]
        names: Vec<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove installed releases
    #[command(after_help = "Examples:
  elenchus solver remove z3@4.8.10
  elenchus solver remove cvc4                 all releases of cvc4")]
    Remove {
        /// NAME@RELEASE, or NAME for all its releases
        #[arg(required = true, value_name = "SOLVER")]
        solvers: Vec<String>,
    },
    /// List the options of a solver, as the solver reports them: type, range or values, default and help
    #[command(after_help = "Examples:
  elenchus solver options z3@5.4.0 --name arith
  elenchus solver options cvc5 --json")]
    Options {
        /// NAME, NAME@RELEASE, a path, or a name from the configuration
        solver: String,
        /// List only options whose name contains TEXT
        #[arg(long, value_name = "TEXT")]
        name: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Check pip, its package index, apt, the cache and every available solver
    #[command(after_help = "Examples:
  elenchus solver doctor

Exit code: 0 if everything works, 1 if something is broken.")]
    Doctor,
}

/// Runs `elenchus solver`.
pub fn run(args: SolverArgs) -> Outcome {
    let context = Context::new()?;
    let settings = context.settings();
    match args.action {
        Action::Install { solvers } => install_all(&solvers, settings),
        Action::List { available: true, names, json } => list_available(&names, json, settings),
        Action::List { available: false, names, json } => list_present(&names, json, settings),
        Action::Remove { solvers } => remove_all(&solvers, settings),
        Action::Options { solver, name, json } => list_options(&solver, name.as_deref(), json, &context),
        Action::Doctor => doctor(settings),
    }
}

/// Installs everything that can be installed; a failure does not stop the others.
fn install_all(solvers: &[String], settings: &Settings) -> Outcome {
    let mut last = None;
    for spec in solvers {
        let progress = InstallProgress::new(spec);
        let result = install::install(spec, settings, &progress);
        progress.finish();
        match result {
            Ok(installed) => println!("Installed {} in {}", installed.id(), installed.folder.display()),
            Err(error) => {
                if let Some(before) = last.replace(Failure::from(error)) {
                    eprintln!("{before}");
                }
            }
        }
    }
    last.map_or(Ok(Exit::Clean), Err)
}

fn list_present(names: &[String], json: bool, settings: &Settings) -> Outcome {
    let found = install::present(names, settings);
    if json {
        println!("{}", serde_json::json!(found));
    } else if found.is_empty() {
        println!(
            "No solver is installed, configured or on the PATH. To install two: `elenchus solver install z3 cvc5`"
        );
    } else {
        println!("{}", install::present_table(&found).join("\n"));
    }
    Ok(Exit::Clean)
}

fn list_available(names: &[String], json: bool, settings: &Settings) -> Outcome {
    let found = install::available(names, settings)?;
    if json {
        println!("{}", serde_json::json!(found));
    } else {
        for solver in &found {
            let releases: Vec<&str> =
                solver.releases.iter().map(|release| release.release.as_str()).collect();
            if !solver.installable {
                println!("{}: {}", solver.name, solver.obtain);
            } else if !releases.is_empty() {
                println!("{}: {}", solver.name, releases.join(" "));
            }
        }
    }
    let mut failed = false;
    for (solver, error) in
        found.iter().flat_map(|solver| solver.errors.iter().map(move |error| (solver, error)))
    {
        failed = true;
        eprintln!("{}: {error}\n  help: {}", solver.name, Hinted::hint(error).unwrap_or_default());
    }
    if failed {
        return Err(
            Failure::new("not every package registry could be reached").hint("run `elenchus solver doctor`")
        );
    }
    Ok(Exit::Clean)
}

fn remove_all(solvers: &[String], settings: &Settings) -> Outcome {
    let cache = Cache::new(&settings.cache);
    for spec in solvers {
        let chosen = cache.installed_as(spec);
        if chosen.is_empty() {
            return Err(Failure::new(format!("{spec} is not installed"))
                .hint("`elenchus solver list` shows what is; only installed releases can be removed"));
        }
        for release in chosen {
            let progress = InstallProgress::new(spec);
            let result = cache.remove(&release, &progress);
            progress.finish();
            result?;
            println!("Removed {}", release.id());
        }
    }
    Ok(Exit::Clean)
}

fn doctor(settings: &Settings) -> Outcome {
    let checks = install::doctor(settings);
    for check in &checks {
        println!("{}", check.lines().join("\n"));
    }
    let broken = checks.iter().any(|check| check.health == Health::Broken);
    Ok(if broken { Exit::Found } else { Exit::Clean })
}

fn list_options(spec: &str, part: Option<&str>, json: bool, context: &Context) -> Outcome {
    let target = context.resolve(spec)?;
    let mut catalogue = options::catalogue(&target, context.settings())?;
    catalogue.retain(|option| part.is_none_or(|part| option.name.contains(part)));
    if json {
        println!("{}", serde_json::json!(catalogue));
        return Ok(Exit::Clean);
    }
    for option in &catalogue {
        println!("{}", option.lines().join("\n"));
    }
    println!("{} of {}", counted(catalogue.len(), "option"), target.id);
    Ok(Exit::Clean)
}
