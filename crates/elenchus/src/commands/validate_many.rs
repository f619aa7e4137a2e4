//! `elenchus validate` for several scripts and solvers: a line for each model that is not valid, and a table.

use super::validate::parse;
use crate::context::Context;
use crate::files::in_parallel;
use crate::outcome::{Exit, Failure, Outcome};
use case::table::{align, row};
use semantics::Verdict;
use semantics::model::StringDialect;
use serde_json::{Value as Json, json};
use solver::run::{Limits, RunSettings};
use solver::{RunMode, Target, runner};
use std::path::{Path, PathBuf};
use triage::SolverSource;
use triage::validation::{ModelCheck, check_model, verdict_json, verdict_text};

/// Scripts, and the solvers whose models are validated.
pub struct Many<'a> {
    /// The scripts.
    pub scripts: &'a [PathBuf],
    /// The solvers.
    pub solvers: &'a [String],
    /// Options for all solvers.
    pub options: &'a [String],
    /// The limits of a run.
    pub limits: Limits,
    /// How strings in models are escaped.
    pub dialect: StringDialect,
}

/// The result for one script and one solver.
struct Line {
    column: usize,
    text: String,
    json: Json,
}

/// The columns of the table.
const COLUMNS: [&str; 5] = ["valid", "invalid", "undetermined", "no model", "not parsed"];
const VALID: usize = 0;
const INVALID: usize = 1;
const UNDETERMINED: usize = 2;
const NO_MODEL: usize = 3;
const NOT_PARSED: usize = 4;

impl Many<'_> {
    /// Validates all models and prints the results.
    pub fn run(&self, json: bool, context: &Context) -> Outcome {
        let targets: Vec<Target> =
            self.solvers.iter().map(|spec| context.resolve(spec)).collect::<Result<_, _>>()?;
        let pairs: Vec<(&PathBuf, usize)> = self
            .scripts
            .iter()
            .flat_map(|script| (0..targets.len()).map(move |solver| (script, solver)))
            .collect();
        let mut counts = vec![[0usize; COLUMNS.len()]; targets.len()];
        let mut failure = None;
        in_parallel(
            &pairs,
            |&(script, solver)| self.check(script, &targets[solver]),
            |&(script, solver), line| match line {
                Ok(line) => {
                    counts[solver][line.column] += 1;
                    let id = &targets[solver].id;
                    if json {
                        let mut object = line.json;
                        object["file"] = json!(script.display().to_string());
                        object["solver"] = json!(id);
                        println!("{object}");
                    } else if ![VALID, NO_MODEL].contains(&line.column) {
                        println!("{}  {id}  {}", script.display(), line.text);
                    }
                }
                Err(error) => failure = Some(error),
            },
        );
        if let Some(error) = failure {
            return Err(error);
        }
        if !json {
            println!("\n{}", table(&targets, &counts).join("\n"));
        }
        let invalid = counts.iter().any(|counts| counts[INVALID] > 0);
        Ok(if invalid { Exit::Found } else { Exit::Clean })
    }

    fn check(&self, script: &Path, target: &Target) -> Result<Line, Failure> {
        let line = |column: usize, word: &str, reason: String| {
            let json = json!({"verdict": word, "reason": reason});
            Ok(Line { column, text: format!("{word}: {reason}"), json })
        };
        let mut parsed = match parse(script) {
            Ok(parsed) => parsed,
            Err(failure) => return line(NOT_PARSED, "not read", failure.to_string()),
        };
        let mut runner = runner(target, RunMode::OneShot, &RunSettings::default())?;
        match check_model(&mut parsed, runner.as_mut(), self.options, self.limits, self.dialect)? {
            ModelCheck::NoModel(result) => line(NO_MODEL, "no model", result),
            ModelCheck::Unreadable(error) => line(UNDETERMINED, "undetermined", error),
            ModelCheck::Judged(verdict) => {
                let (headline, lines) = verdict_text(&parsed.arena, &verdict);
                let (column, text) = match verdict {
                    Verdict::Valid => (VALID, headline),
                    Verdict::Invalid { .. } => (INVALID, format!("{headline}\n    {}", lines.join("\n    "))),
                    Verdict::Undetermined { .. } => {
                        (UNDETERMINED, format!("{headline}: {}", lines.join("; ")))
                    }
                };
                Ok(Line { column, text, json: verdict_json(&parsed.arena, &verdict) })
            }
        }
    }
}

fn table(targets: &[Target], counts: &[[usize; COLUMNS.len()]]) -> Vec<String> {
    let mut rows = vec![[row(["solver", "models", "decided"]), row(COLUMNS)].concat()];
    for (target, counts) in targets.iter().zip(counts) {
        let decided = counts[VALID] + counts[INVALID];
        let models = decided + counts[UNDETERMINED];
        let share = match models {
            0 => "-".to_owned(),
            models => format!("{:.1} %", 100.0 * decided as f64 / models as f64),
        };
        let mut cells = row([&target.id, &models.to_string(), &share]);
        cells.extend(counts.iter().map(usize::to_string));
        rows.push(cells);
    }
    align(&rows)
}
