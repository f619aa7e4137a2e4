//! Measures ValFuzz.
//!
//! ```text
//! cargo run --release -p elenchus-campaign --example valfuzz -- show FILE [PRESET]
//! cargo run --release -p elenchus-campaign --example valfuzz -- holds FOLDER [--files N] [--runs N]
//! cargo run --release -p elenchus-campaign --example valfuzz -- quantifiers FOLDER [--files N] [--runs N]
//! cargo run --release -p elenchus-campaign --example valfuzz -- refinements FOLDER [--files N] [--runs N] [--iterations N] [PRESET…]
//! cargo run --release -p elenchus-campaign --example valfuzz -- speed FOLDER [--files N]
//! ```
//!
//! `show` prints the skeleton, the meta-formula and the mutants of a script. `holds` measures how often enforced truth values
//! hold in the model of the mutant. `quantifiers` is the paper's Table II. `refinements` is its Table V: FOLDER has
//! `bugs.tsv` (release, formula, class) and `formulas/`. `speed` compares a warm solver with one process per question.
//! Missing solvers are installed.

mod known;
mod measure;
mod refinements;
mod speed;
mod statistics;

use campaign::{Settings, SolverQuestioner};
use solver::Target;
use solver::install::{self, Settings as InstallSettings};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The solver that enforces truth values and judges mutants.
pub const NEWEST: &str = "z3@5.4.0";
/// A second opinion.
pub const OTHER: &str = "cvc5@1.4.2";

/// The arguments of a measurement.
pub struct Request {
    /// The file or folder.
    pub path: PathBuf,
    /// How many files to use.
    pub files: usize,
    /// How often to repeat everything.
    pub runs: u64,
    /// The most enforcements per file.
    pub iterations: usize,
    /// The presets.
    pub presets: Vec<String>,
}

/// Anything that ends the measurement.
pub type Failure = Box<dyn Error>;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let command = words.next().unwrap_or_default();
    let done = request(words).and_then(|request| match command.as_str() {
        "show" => measure::show(&request),
        "holds" => measure::holds(&request),
        "quantifiers" => measure::quantifiers(&request),
        "refinements" => refinements::run(&request),
        "speed" => speed::run(&request),
        _ => Err("expected show, holds, quantifiers, refinements or speed, and a file or folder".into()),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn request(mut words: impl Iterator<Item = String>) -> Result<Request, Failure> {
    let mut request =
        Request { path: PathBuf::new(), files: 200, runs: 3, iterations: 50, presets: Vec::new() };
    let mut path = None;
    while let Some(word) = words.next() {
        let mut number = || -> Result<u64, Failure> {
            let given = words.next().and_then(|text| text.parse().ok());
            given.ok_or_else(|| format!("{word} needs a number").into())
        };
        match word.as_str() {
            "--files" => request.files = number()? as usize,
            "--runs" => request.runs = number()?,
            "--iterations" => request.iterations = number()? as usize,
            _ if path.is_none() => path = Some(PathBuf::from(word)),
            _ => request.presets.push(word),
        }
    }
    request.path = path.ok_or("expected a file or folder")?;
    Ok(request)
}

/// A solver, installed if missing.
pub fn target(spec: &str) -> Result<Target, Failure> {
    Ok(install::resolve(spec, &InstallSettings::from_environment()?)?)
}

/// Answers questions with the newest solver, kept warm.
pub fn questioner() -> Result<SolverQuestioner, Failure> {
    Ok(SolverQuestioner::new(&[target(NEWEST)?], &Settings { timeout: 2_000, ..Settings::default() })?)
}

/// Up to `most` scripts of a folder, spread evenly over their names.
pub fn scripts(
    folder: &Path,
    most: usize,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<(String, String)>, Failure> {
    let mut found = Vec::new();
    for path in testing::scripts(folder) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if wanted(&text) {
            let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
            found.push((name.unwrap_or_default(), text));
        }
    }
    let all = found.len();
    let taken = most.min(all);
    Ok((0..taken).map(|at| found[at * all / taken].clone()).collect())
}
