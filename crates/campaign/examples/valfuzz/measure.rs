//! How often enforcements and mutants are satisfiable, and how often enforced truth values hold.

use crate::statistics::mean_and_deviation;
use crate::{Failure, NEWEST, Request, questioner, scripts, target};
use semantics::model::StringDialect;
use semantics::{Evaluator, Model, Value};
use smt::{Arena, Scope, Signatures, parse_in_scope, parse_term};
use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, Outcome, RunMode, RunRequest, Runner, runner};
use std::time::Duration;
use strategies::valfuzz::ValFuzzTally;
use strategies::{Random, Seed, ValFuzz, ValFuzzSettings};

/// Prints the mutants of a script.
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
    let mut solver = questioner()?;
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
    let settings = found.ok_or_else(|| format!("no preset `{preset}`"))?;
    Ok(ValFuzzSettings { limit: iterations, ..settings })
}

/// Counters over the mutants of many scripts.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    tally: ValFuzzTally,
    mutants: u64,
    satisfiable: u64,
    /// Enforced expressions with a value in the model of the mutant, and those with the enforced value.
    determined: u64,
    held: u64,
    /// The same with the monitors in the mutant, as the paper measures it.
    watched: u64,
    watched_held: u64,
    unsuitable: u64,
}

impl Counts {
    fn share(part: u64, whole: u64) -> f64 {
        100.0 * part as f64 / whole.max(1) as f64
    }
}

/// Makes the mutants of scripts and asks a solver about each.
fn measure(files: &[(String, String)], settings: &ValFuzzSettings, run: u64) -> Result<Counts, Failure> {
    let strategy = ValFuzz::new(Signatures::standard(), settings.clone());
    let mut enforcing = questioner()?;
    let mut solving = runner(&target(NEWEST)?, RunMode::Fork, &RunSettings::default())?;
    let mut counts = Counts::default();
    for (number, (name, text)) in files.iter().enumerate() {
        if number % 20 == 0 {
            eprint!("\r{number} of {} scripts", files.len());
        }
        let seed = Seed::new(name.clone(), text.as_str());
        let random = Random::from_parts(&[run, seed.hash]);
        let Ok(mut mutator) = strategy.open_seed(&seed, random) else {
            counts.unsuitable += 1;
            continue;
        };
        enforcing.begin();
        while let Some(mutant) = mutator.next_mutant(&mut enforcing) {
            if mutant.is_test {
                continue;
            }
            counts.mutants += 1;
            let Some(model) = satisfied(solving.as_mut(), &mutant.case.text)? else { continue };
            counts.satisfiable += 1;
            let enforced = mutator.enforced(&mutant);
            for (expression, truth) in &enforced {
                if let Some(value) = value(&mutant.case.text, &model, expression) {
                    counts.determined += 1;
                    counts.held += u64::from(value == *truth);
                }
            }
            let text = watched(&mutant.case.text, &enforced);
            let Some(model) = satisfied(solving.as_mut(), &text)? else { continue };
            for (number, (_, truth)) in enforced.iter().enumerate() {
                if let Some(value) = value(&text, &model, &monitor(number)) {
                    counts.watched += 1;
                    counts.watched_held += u64::from(value == *truth);
                }
            }
        }
        let tally = mutator.tally();
        counts.tally.enforcements += tally.enforcements;
        counts.tally.satisfiable += tally.satisfiable;
        counts.tally.screened += tally.screened;
        counts.tally.covered += tally.covered;
        counts.tally.pairs += tally.pairs;
    }
    eprintln!("\r{} scripts       ", files.len());
    Ok(counts)
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

/// Measures how often enforced truth values hold in the model of the mutant.
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
        let runs = (0..request.runs).map(|run| measure(&files, &settings, run));
        let all = runs.collect::<Result<Vec<Counts>, Failure>>()?;
        let held: Vec<f64> = all.iter().map(|counts| Counts::share(counts.held, counts.determined)).collect();
        let watched: Vec<f64> =
            all.iter().map(|counts| Counts::share(counts.watched_held, counts.watched)).collect();
        let shown = |sample: &[f64]| {
            let (mean, deviation) = mean_and_deviation(sample);
            format!("{mean:.1} % (± {deviation:.1})")
        };
        let mut sum = Counts::default();
        for counts in &all {
            sum.mutants += counts.mutants;
            sum.satisfiable += counts.satisfiable;
            sum.tally.enforcements += counts.tally.enforcements;
            sum.tally.satisfiable += counts.tally.satisfiable;
            sum.tally.screened += counts.tally.screened;
            sum.tally.covered += counts.tally.covered;
            sum.tally.pairs += counts.tally.pairs;
        }
        println!(
            "| {preset} | {} | {:.1} % | {} | {:.1} % | {} | {:.1} % | **{}** | {} |",
            sum.tally.enforcements,
            Counts::share(sum.tally.satisfiable, sum.tally.enforcements),
            sum.mutants,
            Counts::share(sum.satisfiable, sum.mutants),
            sum.tally.screened,
            Counts::share(sum.tally.covered as u64, sum.tally.pairs as u64),
            shown(&held),
            shown(&watched),
        );
    }
    let unsuitable = measure(&files, &settings("RBASE", 0)?, 0)?.unsuitable;
    println!(
        "{} scripts, of which {unsuitable} have no constant or are too large; {} runs",
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
            let runs = (0..request.runs).map(|run| measure(&files, &settings, run));
            let all = runs.collect::<Result<Vec<Counts>, Failure>>()?;
            let share = |part: fn(&Counts) -> (u64, u64)| {
                let shares: Vec<f64> =
                    all.iter().map(part).map(|(part, whole)| Counts::share(part, whole)).collect();
                let (mean, deviation) = mean_and_deviation(&shares);
                format!("{mean:.1} % (± {deviation:.1})")
            };
            println!(
                "| {} with {sign} | {how} | {} | {} |",
                files.len(),
                share(|counts| (counts.tally.satisfiable, counts.tally.enforcements)),
                share(|counts| (counts.satisfiable, counts.mutants)),
            );
        }
    }
    Ok(())
}
