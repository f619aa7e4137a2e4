//! Models of several solvers for several scripts, counted.

use super::{ModelCheck, ParsedScript, check_model, verdict_json, verdict_text};
use crate::{ConfiguredSolver, TriageError};
use case::files::read_text;
use case::parallel::in_parallel;
use case::table::{align, row};
use semantics::Verdict;
use semantics::model::StringDialect;
use serde_json::{Value, json};
use solver::run::{Limits, RunSettings};
use solver::{RunError, RunMode, Target, runner};
use std::path::{Path, PathBuf};

/// What became of one script and one solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelKind {
    /// The model satisfies the script.
    Valid,
    /// The model does not satisfy the script.
    Invalid,
    /// Neither could be shown.
    Undetermined,
    /// The solver returned no model.
    NoModel,
    /// Our parser rejects the script.
    NotParsed,
}

impl ModelKind {
    const ALL: [(ModelKind, &str); 5] = [
        (ModelKind::Valid, "valid"),
        (ModelKind::Invalid, "invalid"),
        (ModelKind::Undetermined, "undetermined"),
        (ModelKind::NoModel, "no model"),
        (ModelKind::NotParsed, "not parsed"),
    ];
}

/// Validates the models of several solvers for several scripts, on all cores. `on_line` receives each result, in order. Returns what
/// became of the scripts, by solver.
pub fn validate_all(
    scripts: &[PathBuf],
    solvers: &[ConfiguredSolver],
    limits: Limits,
    dialect: StringDialect,
    on_line: &mut dyn FnMut(&Path, &Target, ModelLine),
) -> Result<Vec<Vec<ModelKind>>, TriageError> {
    let pairs: Vec<(&PathBuf, usize)> =
        scripts.iter().flat_map(|script| (0..solvers.len()).map(move |solver| (script, solver))).collect();
    let mut results = vec![Vec::new(); solvers.len()];
    let mut failure = None;
    in_parallel(
        &pairs,
        |&(file, solver)| {
            let script = ParsedScript::parse(&file.display().to_string(), read_text(file)?);
            let (target, options) = &solvers[solver];
            Ok::<_, TriageError>(model_line(script, target, options, limits, dialect)?)
        },
        |&(file, solver), line| match line {
            Ok(line) => {
                results[solver].push(line.kind);
                on_line(file, &solvers[solver].0, line);
            }
            Err(error) => failure = Some(error),
        },
    );
    failure.map_or(Ok(results), Err)
}

/// The result for one script and one solver.
pub struct ModelLine {
    /// What became of it.
    pub kind: ModelKind,
    /// The result for people.
    pub text: String,
    /// The result as JSON.
    pub json: Value,
}

/// Validates the model of one solver for one script.
fn model_line(
    script: Result<ParsedScript, TriageError>,
    target: &Target,
    options: &[String],
    limits: Limits,
    dialect: StringDialect,
) -> Result<ModelLine, RunError> {
    let line = |kind, word: &str, reason: String| {
        let json = json!({"verdict": word, "reason": reason});
        Ok(ModelLine { kind, text: format!("{word}: {reason}"), json })
    };
    let mut script = match script {
        Ok(script) => script,
        Err(error) => return line(ModelKind::NotParsed, "not read", error.to_string()),
    };
    let mut runner = runner(target, RunMode::OneShot, &RunSettings::default())?;
    match check_model(&mut script, runner.as_mut(), options, limits, dialect)? {
        ModelCheck::NoModel(result) => line(ModelKind::NoModel, "no model", result),
        ModelCheck::Unreadable(error) => line(ModelKind::Undetermined, "undetermined", error),
        ModelCheck::Judged(verdict) => {
            let (headline, lines) = verdict_text(&script.arena, &verdict);
            let (kind, text) = match verdict {
                Verdict::Valid => (ModelKind::Valid, headline),
                Verdict::Invalid { .. } => {
                    (ModelKind::Invalid, format!("{headline}\n    {}", lines.join("\n    ")))
                }
                Verdict::Undetermined { .. } => {
                    (ModelKind::Undetermined, format!("{headline}: {}", lines.join("; ")))
                }
            };
            Ok(ModelLine { kind, text, json: verdict_json(&script.arena, &verdict) })
        }
    }
}

/// A table of the results: how many of each kind, by solver.
pub fn models_table(solvers: &[&str], results: &[Vec<ModelKind>]) -> Vec<String> {
    let mut rows =
        vec![[row(["solver", "models", "decided"]), row(ModelKind::ALL.map(|(_, name)| name))].concat()];
    for (solver, results) in solvers.iter().zip(results) {
        let counts = ModelKind::ALL.map(|(kind, _)| results.iter().filter(|result| **result == kind).count());
        let decided = counts[0] + counts[1];
        let models = decided + counts[2];
        let share = match models {
            0 => "-".to_owned(),
            models => format!("{:.1} %", 100.0 * decided as f64 / models as f64),
        };
        let mut cells = row([*solver, &models.to_string(), &share]);
        cells.extend(counts.iter().map(usize::to_string));
        rows.push(cells);
    }
    align(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_counts_each_kind() {
        use ModelKind::{Invalid, NoModel, Undetermined, Valid};
        let table = models_table(&["z3"], &[vec![Valid, Valid, Invalid, Undetermined, NoModel]]);
        assert_eq!(
            table,
            [
                "solver  models  decided  valid  invalid  undetermined  no model  not parsed",
                "z3           4   75.0 %      2        1             1         1           0"
            ]
        );
    }
}
