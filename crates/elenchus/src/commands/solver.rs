//! `elenchus solver`: install solvers, list and remove them, and see that they work.

use crate::commands::progress::InstallProgress;
use crate::outcome::{Exit, Failure, Outcome};
use clap::{Args, Subcommand};
use solver::install::{self, Cache, Health, InstallError, Settings, Version};
use solver::options::{self, OptionKind};

/// Arguments of `elenchus solver`.
#[derive(Args)]
pub struct SolverArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Install releases, such as z3@5.4.0, z3@4.8 (the newest 4.8), cvc5@latest or cvc4
    Install {
        /// What to install: NAME, NAME@RELEASE, NAME@latest or NAME@debian
        #[arg(required = true)]
        solvers: Vec<String>,
    },
    /// List the solvers that are there
    List {
        /// List the releases that can be installed instead, as the package registries offer them now
        #[arg(long)]
        available: bool,
        /// Only these solvers
        names: Vec<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove installed releases; a name without a release means all of them
    Remove {
        /// What to remove: NAME@RELEASE or NAME
        #[arg(required = true)]
        solvers: Vec<String>,
    },
    /// Show every option of a solver: type, range or values, default and help, read from the solver itself
    Options {
        /// Which solver, such as z3@5.4.0
        solver: String,
        /// Only options whose name contains this
        #[arg(long)]
        name: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Check pip, apt, the cache and every solver that is there
    Doctor,
}

/// Runs `elenchus solver`.
pub fn run(args: SolverArgs) -> Outcome {
    let mut settings = Settings::from_environment()?;
    settings.read_default_config()?;
    match args.action {
        Action::Install { solvers } => install_all(&solvers, &settings),
        Action::List { available: true, names, json } => list_available(&names, json, &settings),
        Action::List { available: false, names, json } => list_present(&names, json, &settings),
        Action::Remove { solvers } => remove_all(&solvers, &settings),
        Action::Options { solver, name, json } => show_options(&solver, name.as_deref(), json, &settings),
        Action::Doctor => examine(&settings),
    }
}

/// Installs all that can be installed; one that cannot does not keep the others from it.
fn install_all(solvers: &[String], settings: &Settings) -> Outcome {
    let mut last = None;
    for spec in solvers {
        let progress = InstallProgress::new(spec);
        let result = install::install(spec, settings, &progress);
        progress.finish();
        match result {
            Ok(installed) => println!("{} is installed in {}", installed.id(), installed.folder.display()),
            Err(error) => {
                if let Some(before) = last.replace(Failure::from(error)) {
                    eprintln!("{before}");
                }
            }
        }
    }
    last.map_or(Ok(Exit::Clean), Err)
}

/// One line of the list of solvers that are there.
struct Present {
    id: String,
    version: String,
    place: &'static str,
    path: String,
    bytes: Option<u64>,
}

fn list_present(names: &[String], json: bool, settings: &Settings) -> Outcome {
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let mut lines = Vec::new();
    let mut installed = Cache::new(&settings.cache).installed();
    installed.sort_by(|a, b| {
        a.name.cmp(&b.name).then_with(|| Version::parse(&b.version).cmp(&Version::parse(&a.version)))
    });
    for release in installed.iter().filter(|release| wanted(&release.name)) {
        lines.push(Present {
            id: release.id(),
            version: release.version.clone(),
            place: "installed",
            path: release.folder.display().to_string(),
            bytes: Some(install::disk_use(&release.folder)),
        });
    }
    for (name, block) in settings.blocks.iter().filter(|(name, _)| wanted(name)) {
        let resolved = install::resolve(name, settings);
        let (version, path) = match resolved {
            Ok(target) => (target.version, target.program.display().to_string()),
            Err(error) => (String::new(), format!("{} ({error})", block.path.display())),
        };
        lines.push(Present { id: name.clone(), version, place: "configured", path, bytes: None });
    }
    for target in install::discover(settings).into_iter().filter(|target| wanted(&target.name)) {
        lines.push(Present {
            path: target.program.display().to_string(),
            id: target.id,
            version: target.version,
            place: "path",
            bytes: None,
        });
    }
    if json {
        let rows: Vec<serde_json::Value> = lines
            .iter()
            .map(|line| {
                serde_json::json!({ "id": line.id, "version": line.version, "place": line.place, "path": line.path, "bytes": line.bytes })
            })
            .collect();
        println!("{}", serde_json::Value::from(rows));
    } else if lines.is_empty() {
        println!(
            "no solver is installed, configured or on the PATH; `elenchus solver install z3 cvc5` gets two"
        );
    } else {
        let width = |text: fn(&Present) -> usize| lines.iter().map(text).max().unwrap_or(0);
        let (ids, versions) = (width(|line| line.id.len()), width(|line| line.version.len()));
        for line in &lines {
            let size = line.bytes.map(|bytes| format!(" ({} MB)", bytes / 1_000_000)).unwrap_or_default();
            println!("{:ids$}  {:versions$}  {:10}  {}{size}", line.id, line.version, line.place, line.path);
        }
    }
    Ok(Exit::Clean)
}

fn list_available(names: &[String], json: bool, settings: &Settings) -> Outcome {
    let mut chosen = Vec::new();
    for name in names {
        let entry = install::entry(&settings.profiles, name).ok_or_else(|| {
            Failure::from(InstallError::UnknownSolver {
                name: name.clone(),
                known: install::entries(&settings.profiles).into_iter().map(|entry| entry.name).collect(),
            })
        })?;
        chosen.push(entry);
    }
    if chosen.is_empty() {
        chosen.extend(install::entries(&settings.profiles));
    }
    let mut rows = Vec::new();
    let mut trouble = Vec::new();
    for entry in chosen {
        let mut labels = Vec::new();
        for source in &entry.sources {
            match install::offers_of(source, settings) {
                Ok(offers) => labels.extend(offers.iter().map(|offer| (offer.label.clone(), offer.kind()))),
                Err(error) => trouble.push((entry.name.clone(), error)),
            }
        }
        if json {
            let releases: Vec<serde_json::Value> = labels
                .iter()
                .map(|(label, kind)| serde_json::json!({ "release": label, "source": kind }))
                .collect();
            rows.push(
                serde_json::json!({ "name": entry.name, "releases": releases, "obtain": entry.obtain }),
            );
        } else if entry.sources.is_empty() {
            println!("{}: {}", entry.name, entry.obtain);
        } else if !labels.is_empty() {
            let labels: Vec<String> = labels.into_iter().map(|(label, _)| label).collect();
            println!("{}: {}", entry.name, labels.join(" "));
        }
    }
    if json {
        println!("{}", serde_json::Value::from(rows));
    }
    let everything_failed = !trouble.is_empty();
    for (name, error) in &trouble {
        eprintln!("{name}: {error}\n  help: {}", error.hint());
    }
    if everything_failed {
        return Err(Failure::new("not every package registry could be asked"));
    }
    Ok(Exit::Clean)
}

fn remove_all(solvers: &[String], settings: &Settings) -> Outcome {
    let cache = Cache::new(&settings.cache);
    for spec in solvers {
        let fits = |id: &str, name: &str| id == spec || name == spec;
        let chosen: Vec<_> =
            cache.installed().into_iter().filter(|release| fits(&release.id(), &release.name)).collect();
        if chosen.is_empty() {
            return Err(Failure::new(format!("{spec} is not installed"))
                .hint("`elenchus solver list` shows what is; only installed releases can be removed"));
        }
        for release in chosen {
            let progress = InstallProgress::new(spec);
            let result = cache.remove(&release, &progress);
            progress.finish();
            result?;
            println!("{} is removed", release.id());
        }
    }
    Ok(Exit::Clean)
}

fn examine(settings: &Settings) -> Outcome {
    let checks = install::doctor(settings);
    for check in &checks {
        let mark = match check.health {
            Health::Good => "ok     ",
            Health::Limited => "limited",
            Health::Broken => "BROKEN ",
        };
        println!("{mark}  {}: {}", check.subject, check.detail);
        if let Some(advice) = &check.advice {
            println!("         help: {advice}");
        }
    }
    let broken = checks.iter().any(|check| check.health == Health::Broken);
    Ok(if broken { Exit::Found } else { Exit::Clean })
}

fn show_options(spec: &str, part: Option<&str>, json: bool, settings: &Settings) -> Outcome {
    let progress = InstallProgress::new(spec);
    let target = install::resolve_with(spec, settings, &progress);
    progress.finish();
    let target = target?;
    let mut catalogue = options::catalogue(&target, settings)?;
    catalogue.retain(|option| part.is_none_or(|part| option.name.contains(part)));
    if json {
        let text = serde_json::to_string(&catalogue).map_err(|error| Failure::new(error.to_string()))?;
        println!("{text}");
        return Ok(Exit::Clean);
    }
    for option in &catalogue {
        let level = option.level.map(|level| format!(", {level:?}").to_lowercase()).unwrap_or_default();
        let default = option.default.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
        println!("{}{default}  ({}{level})", option.name, describe_kind(&option.kind));
        if !option.help.is_empty() {
            println!("    {}", option.help);
        }
    }
    println!("{} options of {}", catalogue.len(), target.id);
    Ok(Exit::Clean)
}

/// What values an option takes, in a few words.
fn describe_kind(kind: &OptionKind) -> String {
    fn range(low: Option<String>, high: Option<String>) -> String {
        match (low, high) {
            (None, None) => String::new(),
            (low, high) => format!(" {}..{}", low.unwrap_or_default(), high.unwrap_or_default()),
        }
    }
    match kind {
        OptionKind::Bool => "bool".into(),
        OptionKind::Int { min, max } => {
            format!("int{}", range(min.map(|low| low.to_string()), max.map(|high| high.to_string())))
        }
        OptionKind::Real { min, max } => {
            format!("real{}", range(min.map(|low| low.to_string()), max.map(|high| high.to_string())))
        }
        OptionKind::Enum { values } => values.join("|"),
        OptionKind::String => "string".into(),
        OptionKind::Symbol => "symbol".into(),
        OptionKind::Void => "no value".into(),
    }
}
