//! Several solvers' runs of one script, side by side.

use case::table::{align, row};
use serde_json::{Value, json};
use solver::run::Exit;
use solver::{Answer, Observation};
use std::time::Duration;

/// The index of the first question on which two runs contradict each other.
pub fn contradiction(runs: &[(String, Observation)]) -> Option<usize> {
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
pub fn runs_table(runs: &[(String, Observation)]) -> Vec<String> {
    let milliseconds = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
    let mut rows = vec![row(["solver", "wall", "cpu", "memory", "answers"])];
    for (id, run) in runs {
        let memory = run.peak_memory.map_or("-".to_owned(), |bytes| format!("{} MB", bytes / 1_000_000));
        let answers = answers_text(&run.answers);
        let result = match &run.outcome {
            solver::Outcome::Answered if answers.is_empty() => "no question".to_owned(),
            solver::Outcome::Answered => answers,
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
