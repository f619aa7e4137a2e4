//! `elenchus validate` over many scripts and solvers: a line for each model that is not valid, and a table.

use super::validate::{Judged, as_json, ask};
use crate::commands::model::Loaded;
use crate::commands::solve::target;
use crate::files::in_parallel;
use crate::outcome::{Exit, Failure, Outcome};
use crate::view::align;
use semantics::Verdict;
use semantics::model::StringDialect;
use semantics::validate::reasons_text;
use serde_json::{Value as Json, json};
use solver::run::{Limits, RunSettings};
use solver::{RunMode, Target, runner};
use std::path::{Path, PathBuf};

/// Scripts and the solvers whose models are judged.
pub(super) struct Many<'a> {
    pub scripts: &'a [PathBuf],
    pub solvers: &'a [String],
    pub options: &'a [String],
    pub limits: Limits,
    pub dialect: StringDialect,
}

/// What came of one script and one solver.
struct Line {
    kind: Kind,
    text: String,
    json: Json,
}

/// The columns of the table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Valid,
    Invalid,
    Undetermined,
    NoModel,
    Unread,
}

const COLUMNS: [(Kind, &str); 5] = [
    (Kind::Valid, "valid"),
    (Kind::Invalid, "invalid"),
    (Kind::Undetermined, "undetermined"),
    (Kind::NoModel, "no model"),
    (Kind::Unread, "not read"),
];

impl Many<'_> {
    /// Judges all models and prints what was found.
    pub fn run(&self, as_lines: bool) -> Outcome {
        let targets = self.solvers.iter().map(|spec| target(spec)).collect::<Result<Vec<_>, Failure>>()?;
        let mut pairs = Vec::new();
        for script in self.scripts {
            pairs.extend((0..targets.len()).map(|place| (script, place)));
        }
        let mut counts = vec![[0usize; COLUMNS.len()]; targets.len()];
        let mut failure = None;
        in_parallel(
            &pairs,
            |&(script, place)| self.one(script, &targets[place]),
            |&(script, place), line| match line {
                Ok(line) => {
                    let column = COLUMNS.iter().position(|(kind, _)| *kind == line.kind).unwrap_or(0);
                    counts[place][column] += 1;
                    let id = &targets[place].id;
                    if as_lines {
                        let mut object = line.json;
                        object["file"] = json!(script.display().to_string());
                        object["solver"] = json!(id);
                        println!("{object}");
                    } else if !matches!(line.kind, Kind::Valid | Kind::NoModel) {
                        println!("{}  {id}  {}", script.display(), line.text);
                    }
                }
                Err(error) => failure = Some(error),
            },
        );
        if let Some(error) = failure {
            return Err(error);
        }
        if !as_lines {
            print_table(&targets, &counts);
        }
        let invalid = counts.iter().any(|counts| counts[1] > 0);
        Ok(if invalid { Exit::Found } else { Exit::Clean })
    }

    fn one(&self, script: &Path, target: &Target) -> Result<Line, Failure> {
        let line = |kind, word: &str, text: String| {
            let json = json!({"verdict": word, "reason": text});
            Ok(Line { kind, text: format!("{word}: {text}"), json })
        };
        let mut loaded = match Loaded::read(script) {
            Ok(loaded) => loaded,
            Err(failure) => return line(Kind::Unread, "not read", failure.to_string()),
        };
        let mut runner = runner(target, RunMode::OneShot, &RunSettings::default())?;
        let judged = ask(&mut loaded, runner.as_mut(), self.options, self.limits, self.dialect);
        match judged? {
            Judged::NoModel(said) => line(Kind::NoModel, "no model", said),
            Judged::Unreadable(error) => line(Kind::Undetermined, "undetermined", error),
            Judged::Verdict(verdict) => {
                let arena = &loaded.arena;
                let (kind, text) = match &verdict {
                    Verdict::Valid => (Kind::Valid, "valid".to_owned()),
                    Verdict::Invalid { index, explanation, .. } => {
                        let text = format!("invalid: assertion {} is false", index + 1);
                        let tree = explanation.text(arena);
                        let tree: Vec<String> = tree.lines().map(|line| format!("    {line}")).collect();
                        (Kind::Invalid, format!("{text}\n{}", tree.join("\n")))
                    }
                    Verdict::Undetermined { reasons } => (
                        Kind::Undetermined,
                        format!("undetermined: {}", reasons_text(arena, reasons).join("; ")),
                    ),
                };
                Ok(Line { kind, text, json: as_json(arena, &verdict) })
            }
        }
    }
}

fn print_table(targets: &[Target], counts: &[[usize; COLUMNS.len()]]) {
    let mut head = vec!["solver".to_owned(), "models".to_owned(), "decided".to_owned()];
    head.extend(COLUMNS.iter().map(|(_, name)| (*name).to_owned()));
    let mut rows = vec![head];
    for (target, counts) in targets.iter().zip(counts) {
        let [valid, invalid, undetermined, ..] = counts;
        let models = valid + invalid + undetermined;
        let decided = match models {
            0 => "-".to_owned(),
            models => format!("{:.1} %", 100.0 * (valid + invalid) as f64 / models as f64),
        };
        let mut row = vec![target.id.clone(), models.to_string(), decided];
        row.extend(counts.iter().map(usize::to_string));
        rows.push(row);
    }
    println!();
    for line in align(&rows) {
        println!("{line}");
    }
}
