//! Known wrong answers of old releases, and whether evaluation alone shows that they are wrong.
//!
//! `cargo run --release -p triage --example known_bugs -- FOLDER [--newest]` reads `FOLDER/bugs.tsv` (release, formula, class)
//! and `FOLDER/formulas/`. A wrong `unsat` is recognised if our evaluator confirms a model of a newest release; a wrong `sat`
//! or model, if it refutes the model that the old release gives. With `--newest`, the models of the newest releases for all
//! formulas are judged instead: none may be refuted.

use semantics::model::StringDialect;
use smt::{Arena, Scope, parse_in_scope};
use solver::install::{Settings, resolve};
use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, RunMode, RunRequest, Runner, runner};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use triage::{Evaluated, ModelJudge, ModelOpinion, complete_model};

/// Newest releases, whose models show that an `unsat` is wrong.
const NEWEST: [&str; 2] = ["z3@5.4.0", "cvc5@1.4.2"];

/// What came of one known bug.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Found {
    Recognised,
    Undetermined,
    /// The model holds: the solver's own validator was wrong about it.
    Confirmed,
    /// The release does not give that answer here.
    NotShown,
}

const COLUMNS: [(Found, &str); 4] = [
    (Found::Recognised, "recognised"),
    (Found::Undetermined, "undetermined"),
    (Found::Confirmed, "model is right"),
    (Found::NotShown, "not shown here"),
];

/// Solvers by name, each started once.
struct Solvers {
    settings: Settings,
    runners: BTreeMap<String, Option<Box<dyn Runner>>>,
    judge: Evaluated,
}

impl Solvers {
    fn get(&mut self, spec: &str) -> Option<&mut dyn Runner> {
        let settings = &self.settings;
        let made = self.runners.entry(spec.to_owned()).or_insert_with(|| {
            let target = resolve(spec, settings).map_err(|error| eprintln!("{spec}: {error}")).ok()?;
            runner(&target, RunMode::OneShot, &RunSettings::default()).ok()
        });
        made.as_mut().map(|runner| runner.as_mut() as &mut dyn Runner)
    }

    /// The answer of a solver, and what our evaluation says of its model. What the model leaves out is asked for.
    fn opinion(&mut self, spec: &str, script: &str) -> Option<(Option<Answer>, ModelOpinion)> {
        let limits = Limits { wall: Duration::from_secs(5), ..Limits::default() };
        let runner = self.get(spec)?;
        let want = Want { model: true, ..Want::default() };
        let seen = runner.run(&RunRequest::new(script).limits(limits).want(want)).ok()?;
        let nothing = ModelOpinion::Undetermined { reason: "there is no model".to_owned() };
        // Z3 continues after an error and answers what is left of the script.
        if seen.outcome != solver::Outcome::Answered {
            return Some((None, nothing));
        }
        let (Some(Answer::Sat), Some(model)) = (seen.answer(), seen.model()) else {
            return Some((seen.answer(), nothing));
        };
        let first = self.judge.opinion(script, model);
        if !matches!(first, ModelOpinion::Undetermined { .. }) {
            return Some((seen.answer(), first));
        }
        let runner = self.get(spec)?;
        let more = complete_model(runner, script, model, &[], limits, StringDialect::Standard).ok()?;
        let judge = &mut self.judge;
        // A refutation that rests on a value reported by the solver does not count: that value may be the mistake.
        let better = more.map(|model| judge.opinion(script, &model));
        let opinion = better.filter(|opinion| *opinion == ModelOpinion::Confirmed).unwrap_or(first);
        Some((seen.answer(), opinion))
    }
}

/// The best that can be said of the models of newest releases.
fn best_opinion(solvers: &mut Solvers, script: &str) -> Option<ModelOpinion> {
    let mut best = None;
    for spec in NEWEST {
        match solvers.opinion(spec, script) {
            Some((Some(Answer::Sat), ModelOpinion::Confirmed)) => return Some(ModelOpinion::Confirmed),
            Some((Some(Answer::Sat), opinion)) => best = Some(opinion),
            _ => {}
        }
    }
    best
}

fn theories(script: &str) -> String {
    let mut arena = Arena::default();
    let mut scope = Scope::default();
    let Ok(parsed) = parse_in_scope(&mut arena, &mut scope, script) else { return "not read".to_owned() };
    let features = arena.features(&parsed);
    let main =
        ["FloatingPoint", "Strings", "Sequences", "FixedSizeBitVectors", "ArraysEx", "Reals", "Ints", "Sets"];
    let found = main.iter().find(|name| features.theories.contains(**name));
    let mut name =
        found.map_or(if features.datatypes { "Datatypes" } else { "Core" }, |name| *name).to_owned();
    if features.quantifiers {
        name.push_str(", quantified");
    }
    name
}

fn read(folder: &Path, formula: &str) -> Option<String> {
    let bytes = std::fs::read(folder.join("formulas").join(format!("{formula}.smt2"))).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// `z3-4.8.7.0` as `z3@4.8.7`.
fn spec(release: &str) -> String {
    let plain = release.replacen('-', "@", 1);
    if plain.starts_with("z3@") { plain.strip_suffix(".0").unwrap_or(&plain).to_owned() } else { plain }
}

fn known(folder: &Path, solvers: &mut Solvers) {
    let Ok(table) = std::fs::read_to_string(folder.join("bugs.tsv")) else {
        println!("no bugs.tsv in {}", folder.display());
        return;
    };
    let mut counts: BTreeMap<(String, String), BTreeMap<Found, usize>> = BTreeMap::new();
    let mut satisfiable: BTreeMap<String, Option<ModelOpinion>> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [release, formula, class, ..] = cells[..] else { continue };
        let Some(script) = read(folder, formula).filter(|_| class != "crash") else { continue };
        let release = spec(release);
        let (found, why) = if class == "soundness-unsat" {
            let shown = solvers.opinion(&release, &script).is_some_and(|seen| seen.0 == Some(Answer::Unsat));
            let opinion =
                satisfiable.entry(formula.to_owned()).or_insert_with(|| best_opinion(solvers, &script));
            match opinion {
                _ if !shown => (Found::NotShown, String::new()),
                Some(ModelOpinion::Confirmed) => (Found::Recognised, String::new()),
                Some(ModelOpinion::Undetermined { reason }) => (Found::Undetermined, reason.clone()),
                _ => (Found::Undetermined, "no newest release gives a model".to_owned()),
            }
        } else {
            match solvers.opinion(&release, &script) {
                Some((Some(Answer::Sat), ModelOpinion::Refuted { .. })) => (Found::Recognised, String::new()),
                Some((Some(Answer::Sat), ModelOpinion::Confirmed)) => (Found::Confirmed, String::new()),
                Some((Some(Answer::Sat), ModelOpinion::Undetermined { reason })) => {
                    (Found::Undetermined, reason)
                }
                _ => (Found::NotShown, String::new()),
            }
        };
        if found != Found::Recognised && found != Found::NotShown {
            let word = if found == Found::Confirmed { "holds" } else { "undetermined" };
            println!("{release}  {formula}  {class}  {word}  {}", why.chars().take(160).collect::<String>());
        }
        *counts.entry((theories(&script), class.to_owned())).or_default().entry(found).or_default() += 1;
    }
    print_table(&counts);
}

fn print_table(counts: &BTreeMap<(String, String), BTreeMap<Found, usize>>) {
    println!("\n| theory | class | {} |", COLUMNS.map(|(_, name)| name).join(" | "));
    println!("|---|---|{}", "---|".repeat(COLUMNS.len()));
    let mut total = [0; COLUMNS.len()];
    for ((theory, class), counts) in counts {
        let cells: Vec<usize> =
            COLUMNS.iter().map(|(found, _)| counts.get(found).copied().unwrap_or(0)).collect();
        total.iter_mut().zip(&cells).for_each(|(total, cell)| *total += cell);
        let cells: Vec<String> = cells.iter().map(usize::to_string).collect();
        println!("| {theory} | {class} | {} |", cells.join(" | "));
    }
    println!("| all | | {} |", total.map(|cell| cell.to_string()).join(" | "));
}

/// Judges the models of the newest releases for all formulas: reports refuted models with the reason and counts the rest.
fn newest(folder: &Path, solvers: &mut Solvers) {
    let Ok(entries) = std::fs::read_dir(folder.join("formulas")) else { return };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut counts: BTreeMap<(&str, String), [usize; OPINIONS.len()]> = BTreeMap::new();
    for file in &files {
        let Ok(bytes) = std::fs::read(file) else { continue };
        let script = String::from_utf8_lossy(&bytes);
        let theory = theories(&script);
        for spec in NEWEST {
            let column = match solvers.opinion(spec, &script) {
                Some((Some(Answer::Sat), ModelOpinion::Confirmed)) => 0,
                Some((Some(Answer::Sat), ModelOpinion::Refuted { explanation })) => {
                    println!("{spec} {}\n{explanation}", file.display());
                    1
                }
                Some((Some(Answer::Sat), ModelOpinion::Undetermined { reason })) => {
                    let reason: String = reason.chars().take(160).collect();
                    println!("{spec} {} undetermined: {}", file.display(), reason.replace('\n', " "));
                    2
                }
                Some((Some(Answer::Unsat), _)) => 3,
                _ => 4,
            };
            for row in [theory.clone(), "~all".to_owned()] {
                counts.entry((spec, row)).or_default()[column] += 1;
            }
        }
    }
    println!("\n| release | theory | {} |", OPINIONS.join(" | "));
    println!("|---|---|{}", "---|".repeat(OPINIONS.len()));
    for ((spec, theory), cells) in counts {
        let cells: Vec<String> = cells.iter().map(usize::to_string).collect();
        println!("| {spec} | {} | {} |", theory.trim_start_matches('~'), cells.join(" | "));
    }
}

/// The columns of the table of newest releases.
const OPINIONS: [&str; 5] = ["confirmed", "refuted", "undetermined", "unsat", "no answer"];

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|word| word == "__drive") {
        std::process::exit(solver::driver::drive(arguments.drain(1..).map(Into::into)));
    }
    let Some(folder) = arguments.first().map(PathBuf::from) else {
        eprintln!("give the folder with bugs.tsv and formulas/");
        std::process::exit(2);
    };
    let settings = match Settings::from_environment() {
        Ok(settings) => settings,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    let mut solvers = Solvers { settings, runners: BTreeMap::new(), judge: Evaluated::default() };
    if arguments.iter().any(|word| word == "--newest") {
        newest(&folder, &mut solvers);
    } else {
        known(&folder, &mut solvers);
    }
}
