//! Enforcements and mutants over a folder of scripts: how often they are satisfiable, and how often what was enforced holds.

use crate::statistics::mean_and_deviation;
use crate::{Failure, NEWEST, Request, interviewer, scripts, target};
use semantics::model::StringDialect;
use semantics::{Evaluator, Model, Value};
use smt::{Arena, Scope, Signatures, parse_in_scope, parse_term};
use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, Outcome, RunMode, RunRequest, Runner, runner};
use std::time::Duration;
use strategies::valfuzz::ValFuzzTally;
use strategies::{Random, Seed, ValFuzz, ValFuzzSettings};

/// Prints what ValFuzz makes of a script.
pub fn show(request: &Request) -> Result<(), Failure> {
    let preset = request.presets.first().map(String::as_str);
    let settings = settings(preset.unwrap_or("default"), request.iterations)?;
    let text = std::fs::read_to_string(&request.path)?;
    let strategy = ValFuzz::new(Signatures::standard(), settings);
    let seed = Seed::new(request.path.display().to_string(), text);
    let mut mutator =
        strategy.open_seed(&seed, Random::new(request.runs)).map_err(|error| error.to_string())?;
    println!("; the skeleton\n{}", mutator.skeleton());
    for meta in mutator.metas() {
        println!("; the meta-formula\n{meta}");
    }
    let mut solver = interviewer()?;
    while let Some(mutant) = mutator.next_mutant(&mut solver) {
        let what = if mutant.is_test { "an enforcement" } else { "a mutant" };
        println!("; {what}");
        for step in &mutant.case.lineage {
            println!(";   {}: {} -> {}", step.action, step.before, step.after);
        }
        println!("{}", mutant.case.text);
    }
    println!("; {:?}", mutator.tally());
    Ok(())
}

/// The settings of a preset; `default` for ours.
pub fn settings(preset: &str, iterations: usize) -> Result<ValFuzzSettings, Failure> {
    let found = match preset {
        "default" => Some(ValFuzzSettings::default()),
        _ => ValFuzzSettings::preset(preset),
    };
    let settings = found.ok_or_else(|| format!("there is no preset called {preset}"))?;
    Ok(ValFuzzSettings { limit: iterations, tests: 0, ..settings })
}

/// What came of the mutants of many scripts.
#[derive(Clone, Copy, Debug, Default)]
struct Came {
    tally: ValFuzzTally,
    mutants: u64,
    satisfiable: u64,
    /// Enforced expressions that have a value in the model of the mutant, and those with the truth that was enforced.
    determined: u64,
    held: u64,
    /// The same with the monitors in the mutant, as the paper measures it.
    watched: u64,
    watched_held: u64,
    unfit: u64,
}

impl Came {
    fn share(part: u64, whole: u64) -> f64 {
        100.0 * part as f64 / whole.max(1) as f64
    }
}

/// Makes the mutants of scripts, and asks a solver about each.
fn come(files: &[(String, String)], settings: &ValFuzzSettings, run: u64) -> Result<Came, Failure> {
    let strategy = ValFuzz::new(Signatures::standard(), settings.clone());
    let mut enforcing = interviewer()?;
    let mut solving = runner(&target(NEWEST)?, RunMode::Fork, &RunSettings::default())?;
    let mut came = Came::default();
    for (number, (name, text)) in files.iter().enumerate() {
        if number % 20 == 0 {
            eprint!("\r{number} of {} scripts", files.len());
        }
        let seed = Seed::new(name.clone(), text.as_str());
        let random = Random::from_parts(&[run, seed.hash]);
        let Ok(mut mutator) = strategy.open_seed(&seed, random) else {
            came.unfit += 1;
            continue;
        };
        enforcing.begin();
        while let Some(mutant) = mutator.next_mutant(&mut enforcing) {
            came.mutants += 1;
            let Some(model) = satisfied(solving.as_mut(), &mutant.case.text)? else { continue };
            came.satisfiable += 1;
            let enforced = mutator.enforced(&mutant);
            for (expression, truth) in &enforced {
                if let Some(value) = value(&mutant.case.text, &model, expression) {
                    came.determined += 1;
                    came.held += u64::from(value == *truth);
                }
            }
            let text = watched(&mutant.case.text, &enforced);
            let Some(model) = satisfied(solving.as_mut(), &text)? else { continue };
            for (number, (_, truth)) in enforced.iter().enumerate() {
                if let Some(value) = value(&text, &model, &monitor(number)) {
                    came.watched += 1;
                    came.watched_held += u64::from(value == *truth);
                }
            }
        }
        let tally = mutator.tally();
        came.tally.enforcements += tally.enforcements;
        came.tally.satisfiable += tally.satisfiable;
        came.tally.screened += tally.screened;
        came.tally.covered += tally.covered;
        came.tally.pairs += tally.pairs;
    }
    eprintln!("\r{} scripts       ", files.len());
    Ok(came)
}

/// The model that a solver finds for a mutant.
fn satisfied(solver: &mut dyn Runner, text: &str) -> Result<Option<String>, Failure> {
    let limits = Limits { wall: Duration::from_secs(1), ..Limits::default() };
    let want = Want { model: true, ..Want::default() };
    let seen = solver.run(&RunRequest::new(text).limits(limits).want(want))?;
    let sat = seen.outcome == Outcome::Answered && seen.answer() == Some(Answer::Sat);
    Ok(seen.model().filter(|_| sat).map(str::to_owned))
}

/// The name of a monitor in a mutant.
fn monitor(number: usize) -> String {
    format!("elenchus!{number}")
}

/// The mutant with a monitor for each expression, as the paper measures it.
fn watched(text: &str, enforced: &[(String, bool)]) -> String {
    let end = text.rfind("(check-sat").unwrap_or(text.len());
    let mut out = text[..end].to_owned();
    for (number, (expression, _)) in enforced.iter().enumerate() {
        let name = monitor(number);
        out.push_str(&format!("(declare-fun {name} () Bool)\n(assert (= {name} {expression}))\n"));
    }
    out.push_str(&text[end..]);
    out
}

/// The truth of an expression in a model of a script, by our evaluation.
fn value(script: &str, model: &str, expression: &str) -> Option<bool> {
    let mut arena = Arena::default();
    let mut scope = Scope::default();
    let script = parse_in_scope(&mut arena, &mut scope, script).ok()?;
    let model = Model::read(&mut arena, &scope, model, StringDialect::Standard).ok()?;
    let term = parse_term(&mut arena, &mut scope, expression).ok()?;
    let question = semantics::validate::questions(&script).pop()?;
    match Evaluator::new(&arena, &model, &question.definitions).evaluate(term) {
        Ok(Value::Bool(value)) => Some(value),
        _ => None,
    }
}

/// How often what was enforced holds through to the model of the mutant.
pub fn holds(request: &Request) -> Result<(), Failure> {
    let files = scripts(&request.path, request.files, |_| true)?;
    let presets: Vec<&str> = match request.presets.is_empty() {
        true => vec!["SKOLU", "CPOG", "MULTIEF7", "default"],
        false => request.presets.iter().map(String::as_str).collect(),
    };
    println!(
        "| preset | enforcements | satisfiable | mutants | satisfiable | screened | covered | holds (± σ) | with monitors (± σ) |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for preset in presets {
        let settings = settings(preset, request.iterations)?;
        let runs = (0..request.runs).map(|run| come(&files, &settings, run));
        let all = runs.collect::<Result<Vec<Came>, Failure>>()?;
        let held: Vec<f64> = all.iter().map(|came| Came::share(came.held, came.determined)).collect();
        let watched: Vec<f64> = all.iter().map(|came| Came::share(came.watched_held, came.watched)).collect();
        let shown = |sample: &[f64]| {
            let (mean, deviation) = mean_and_deviation(sample);
            format!("{mean:.1} % (± {deviation:.1})")
        };
        let mut sum = Came::default();
        for came in &all {
            sum.mutants += came.mutants;
            sum.satisfiable += came.satisfiable;
            sum.tally.enforcements += came.tally.enforcements;
            sum.tally.satisfiable += came.tally.satisfiable;
            sum.tally.screened += came.tally.screened;
            sum.tally.covered += came.tally.covered;
            sum.tally.pairs += came.tally.pairs;
        }
        println!(
            "| {preset} | {} | {:.1} % | {} | {:.1} % | {} | {:.1} % | **{}** | {} |",
            sum.tally.enforcements,
            Came::share(sum.tally.satisfiable, sum.tally.enforcements),
            sum.mutants,
            Came::share(sum.satisfiable, sum.mutants),
            sum.tally.screened,
            Came::share(sum.tally.covered as u64, sum.tally.pairs as u64),
            shown(&held),
            shown(&watched),
        );
    }
    let unfit = come(&files, &settings("RBASE", 0)?, 0)?.unfit;
    println!(
        "{} scripts, of which {unfit} have no constant or are too large; {} runs",
        files.len(),
        request.runs
    );
    Ok(())
}

/// Table II: quantifiers copied or skolemised, for files with either kind.
pub fn quantifiers(request: &Request) -> Result<(), Failure> {
    println!("| files | quantifier | sat enforcements (± σ) | sat substitutions (± σ) |");
    println!("|---|---|---|---|");
    for (word, sign, copied) in [("(forall", "∀", "COPYU"), ("(exists", "∃", "COPYE")] {
        let files = scripts(&request.path, request.files, |text| text.contains(word))?;
        for (how, preset) in [("copied", copied), ("skolemised", "SKOLU")] {
            let settings = settings(preset, request.iterations)?;
            let runs = (0..request.runs).map(|run| come(&files, &settings, run));
            let all = runs.collect::<Result<Vec<Came>, Failure>>()?;
            let share = |part: fn(&Came) -> (u64, u64)| {
                let shares: Vec<f64> =
                    all.iter().map(part).map(|(part, whole)| Came::share(part, whole)).collect();
                let (mean, deviation) = mean_and_deviation(&shares);
                format!("{mean:.1} % (± {deviation:.1})")
            };
            println!(
                "| {} with {sign} | {how} | {} | {} |",
                files.len(),
                share(|came| (came.tally.satisfiable, came.tally.enforcements)),
                share(|came| (came.satisfiable, came.mutants)),
            );
        }
    }
    Ok(())
}
