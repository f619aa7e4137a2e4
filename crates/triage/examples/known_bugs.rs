//! Known wrong answers of old releases, and whether evaluation alone shows that they are wrong.
//!
//! `cargo run --release -p elenchus-triage --example known_bugs -- FOLDER` reads `FOLDER/bugs.tsv` (release, formula, class)
//! and `FOLDER/formulas/`. A wrong `unsat` is recognised if our evaluator confirms a model of a newest release; a wrong `sat`
//! or model, if it refutes the model that the old release gives.

use semantics::model::StringDialect;
use smt::{Arena, Scope, parse_in_scope};
use solver::install::{Settings, resolve};
use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, RunMode, RunRequest, Runner, runner};
use std::collections::BTreeMap;
use std::error::Error;
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

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.next_if(|word| word == "__drive").is_some() {
        std::process::exit(solver::driver::drive(arguments.map(Into::into)));
    }
    let folder = arguments.next().map(PathBuf::from).ok_or("give the folder with bugs.tsv and formulas/")?;
    let settings = Settings::from_environment()?;
    known(&folder, &mut Solvers { settings, runners: BTreeMap::new(), judge: Evaluated::default() });
    Ok(())
}
