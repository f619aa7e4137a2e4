//! Several solvers' runs of one script, side by side.

use crate::error::TriageError;
use case::files::read_text_or_stdin;
use case::table::{align, row};
use serde_json::{Value, json};
use solver::run::{Exit, Limits, Want};
use solver::{Answer, Observation, Outcome, RunError, RunRequest, Runner};
use std::path::Path;
use std::time::Duration;

/// A solver that is ready to run, with its options.
pub type ReadySolver = (Box<dyn Runner>, Vec<String>);

/// The runs of several solvers on one script.
pub struct Comparison {
    runs: Vec<(String, Observation)>,
    /// The index of the first question on which two of them contradict each other.
    contradiction: Option<usize>,
}

impl Comparison {
    /// Runs solvers on a script. `on_run` receives each run with the solver's name and options.
    pub fn of(
        script: &str,
        solvers: &mut [ReadySolver],
        limits: Limits,
        want: Want,
        on_run: &mut dyn FnMut(&str, &[String], &Observation),
    ) -> Result<Comparison, RunError> {
        let mut runs = Vec::with_capacity(solvers.len());
        for (runner, options) in solvers {
            let request = RunRequest::new(script).options(options).limits(limits).want(want);
            let run = runner.run(&request)?;
            let id = runner.target().id.clone();
            on_run(&id, options, &run);
            runs.push((id, run));
        }
        let contradiction = contradiction(&runs);
        Ok(Comparison { runs, contradiction })
    }

    /// Whether two solvers contradict each other, or one crashes or rejects its own result.
    pub fn has_bug(&self) -> bool {
        self.contradiction.is_some() || self.runs.iter().any(|(_, run)| run.outcome.is_bug())
    }

    /// Whether a solver answered.
    pub fn is_answered(&self) -> bool {
        self.runs.iter().any(|(_, run)| run.outcome == Outcome::Answered)
    }

    /// The runs for people: a table, then models if wanted.
    pub fn text(&self, with_models: bool) -> Vec<String> {
        let mut lines = runs_table(&self.runs);
        for (id, run) in &self.runs {
            lines.extend(run.fallback.as_ref().map(|why| format!("{id} ran in a fresh process: {why}")));
            let model = run.model().filter(|_| with_models);
            lines.extend(model.map(|model| format!("\nmodel of {id}:\n{model}")));
        }
        let number = self.contradiction.map(|question| question + 1);
        lines.extend(number.map(|number| format!("contradiction: the solvers disagree on check {number}")));
        lines
    }
}

/// Reads a script to run, `-` for standard input. Refuses one that may make a solver open a file.
pub fn read_harmless(file: &Path) -> Result<String, TriageError> {
    let script = read_text_or_stdin(file)?;
    match smt::file_access::find(&script) {
        Some(word) => Err(TriageError::other(
            format!("{} may make a solver open a file: `{word}`", file.display()),
            "remove it from the script",
        )),
        None => Ok(script),
    }
}

/// The index of the first question on which two runs contradict each other.
fn contradiction(runs: &[(String, Observation)]) -> Option<usize> {
    let pairs = runs.iter().enumerate().flat_map(|(index, a)| runs[index + 1..].iter().map(move |b| (a, b)));
    pairs.filter_map(|((_, a), (_, b))| a.contradicts(b)).min()
}

/// The answers of a run; repeated ones are counted: `sat unsat×3`.
pub fn answers_text(answers: &[Answer]) -> String {
    let group = |group: &[Answer]| match group {
        [answer] => answer.word().to_owned(),
        group => format!("{}×{}", group[0].word(), group.len()),
    };
    answers.chunk_by(|a, b| a == b).map(group).collect::<Vec<_>>().join(" ")
}

/// A table of runs: time, memory and answers, by solver.
fn runs_table(runs: &[(String, Observation)]) -> Vec<String> {
    let milliseconds = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
    let mut rows = vec![row(["solver", "wall", "cpu", "memory", "answers"])];
    for (id, run) in runs {
        let memory = run.peak_memory.map_or("-".to_owned(), |bytes| format!("{} MB", bytes / 1_000_000));
        let answers = answers_text(&run.answers);
        let result = match &run.outcome {
            Outcome::Answered if answers.is_empty() => "no question".to_owned(),
            Outcome::Answered => answers,
            outcome if answers.is_empty() => outcome.to_string(),
            outcome => format!("{answers} ({outcome})"),
        };
        rows.push(row([id, &milliseconds(run.wall), &milliseconds(run.cpu), &memory, &result]));
    }
    align(&rows)
}

/// A run as JSON.
pub fn run_json(file: &str, solver: &str, options: &[String], run: &Observation) -> Value {
    json!({
        "file": file,
        "solver": solver,
        "options": options,
        "outcome": run.outcome.word(),
        "detail": run.outcome.detail(),
        "answers": run.answers.iter().map(|answer| answer.word()).collect::<Vec<_>>(),
        "model": run.model(),
        "core": run.core(),
        "wall_ms": run.wall.as_secs_f64() * 1000.0,
        "cpu_ms": run.cpu.as_secs_f64() * 1000.0,
        "peak_memory_bytes": run.peak_memory,
        "exit": match run.exit {
            Exit::Code(code) => json!({ "code": code }),
            Exit::Signal(signal) => json!({ "signal": signal }),
            Exit::Running => Value::Null,
        },
        "mode": run.mode.name(),
        "fallback": run.fallback,
        "stdout": run.stdout,
        "stderr": run.stderr,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_answers_are_counted() {
        use Answer::{Sat, Unknown, Unsat};
        let table =
            [(vec![], ""), (vec![Sat], "sat"), (vec![Sat, Unsat, Unsat, Unknown], "sat unsat×2 unknown")];
        for (answers, expected) in table {
            assert_eq!(answers_text(&answers), expected);
        }
    }
}
