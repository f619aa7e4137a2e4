//! A real solver's models of real scripts: none may be refuted, since these answers are known to be right.

use std::path::PathBuf;
use std::time::Duration;

use elenchus_semantics::eval::Limits;
use elenchus_semantics::model::StringDialect;
use elenchus_semantics::validate::{judge, questions};
use elenchus_semantics::{Memory, Model, Verdict};
use smt::{Arena, Scope};
use solver::install::Settings;
use solver::run::{RunSettings, Want};
use solver::{Answer, RunMode, RunRequest, Runner, Target, runner};

/// Takes one script in this many, to keep the test short.
const STRIDE: usize = 12;

/// Installs Z3 if it is missing.
fn z3() -> Option<Target> {
    let settings = Settings::from_environment().expect("the environment is usable");
    let target = solver::install::resolve("z3@5.4.0", &settings);
    target.map_err(|error| testing::skip(format_args!("Z3 is not available: {error}"))).ok()
}

fn verdict(script: &str, z3: &mut dyn Runner) -> Option<(String, bool)> {
    let mut arena = Arena::default();
    let mut scope = Scope::default();
    let parsed = smt::parse_in_scope(&mut arena, &mut scope, script).ok()?;
    let limits = solver::run::Limits { wall: Duration::from_secs(5), ..solver::run::Limits::default() };
    let want = Want { model: true, ..Want::default() };
    let observation = z3.run(&RunRequest::new(script).limits(limits).want(want)).ok()?;
    let text = observation.model().filter(|_| observation.answer() == Some(Answer::Sat))?;
    let model = Model::read(&mut arena, &scope, text, StringDialect::Standard).ok()?;
    let question = questions(&parsed).pop()?;
    match judge(&arena, &question, &model, Limits::default(), Memory::default()).0 {
        Verdict::Valid => Some((String::new(), true)),
        Verdict::Undetermined { .. } => Some((String::new(), false)),
        Verdict::Invalid { explanation, .. } => Some((explanation.text(&arena), true)),
    }
}

#[test]
fn models_of_the_corpus_hold() {
    let Some(folder) = testing::corpus("corpus/sat") else { return };
    let Some(target) = z3() else { return };
    let entries = std::fs::read_dir(&folder).expect("the corpus is readable");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut z3 =
        runner(&target, RunMode::OneShot, &RunSettings::default()).expect("an installed solver starts");
    let (mut models, mut decided, mut refuted) = (0, 0, String::new());
    for file in files.iter().step_by(STRIDE) {
        let Ok(script) = std::fs::read_to_string(file) else { continue };
        let Some((explanation, known)) = verdict(&script, z3.as_mut()) else { continue };
        models += 1;
        decided += usize::from(known);
        if !explanation.is_empty() {
            refuted.push_str(&format!("{}\n{explanation}\n", file.display()));
        }
    }
    eprintln!("{models} models, {decided} decided");
    assert!(refuted.is_empty(), "\n{refuted}");
    assert!(decided * 10 >= models * 8, "only {decided} of {models} models were decided");
}
