//! The result of a cross-examination for people and for programs.

use crate::report::{Disagreement, Report};
use serde_json::{Value, json};
use std::fmt::Write;

impl Report {
    /// How many disagreements no known solver bug explains.
    pub fn unexplained(&self) -> usize {
        self.disagreements.iter().filter(|one| one.explanation.is_none()).count()
    }

    /// Whether every disagreement is explained and every term could be evaluated.
    pub fn is_clean(&self) -> bool {
        self.unexplained() == 0 && self.defects.is_empty()
    }

    /// The report as text: a table, the operators that were not examined, examples, disagreements, and the totals.
    pub fn text(&self) -> String {
        let mut text = self.table();
        // Writing to a string cannot fail.
        if !self.left_out.is_empty() {
            text.push_str("\nNot examined\n");
        }
        for (theory, rank, reason) in &self.left_out {
            let _ = writeln!(text, "  {theory}  {rank}  {reason}");
        }
        for row in self.rows.values() {
            for (solver, tally) in self.solvers.iter().zip(&row.tallies) {
                for (term, message) in &tally.examples {
                    let _ = writeln!(text, "\n{solver} returns no value for {term}\n  {message}");
                }
            }
        }
        for (term, message) in &self.defects {
            let _ = writeln!(text, "\nElenchus cannot evaluate {term}\n  {message}");
        }
        for Disagreement { solver, term, ours, theirs, explanation, .. } in &self.disagreements {
            let _ =
                writeln!(text, "\n{solver} disagrees on {term}\n  Elenchus: {ours}\n  {solver}: {theirs}");
            if let Some(explanation) = explanation {
                let _ = writeln!(text, "  known: {solver} {explanation}");
            }
        }
        let _ = writeln!(
            text,
            "\n{} values compared for {} operators; {} disagreements, {} unexplained",
            self.compared(),
            self.rows.len(),
            self.disagreements.len(),
            self.unexplained()
        );
        text
    }

    /// The report as JSON.
    pub fn json(&self) -> Value {
        let rows: Vec<_> = self
            .rows
            .values()
            .map(|row| {
                let tallies: serde_json::Map<String, serde_json::Value> = self
                    .solvers
                    .iter()
                    .zip(&row.tallies)
                    .map(|(solver, tally)| {
                        let counts = json!({
                            "agrees": tally.agrees,
                            "differs": tally.differs,
                            "flaky": tally.flaky,
                            "undecided": tally.undecided,
                            "refused": tally.refused,
                            "crashed": tally.crashed,
                            "examples": tally.examples,
                        });
                        (solver.clone(), counts)
                    })
                    .collect();
                json!({"theory": row.theory, "operator": row.name, "undetermined": row.undetermined, "solvers": tallies})
            })
            .collect();
        let disagreements: Vec<_> = self
            .disagreements
            .iter()
            .map(|one| {
                json!({
                    "solver": one.solver, "operator": one.operator, "term": one.term,
                    "ours": one.ours, "theirs": one.theirs,
                    "known": one.explanation,
                })
            })
            .collect();
        json!({
            "compared": self.compared(),
            "operators": rows,
            "left_out": self.left_out,
            "disagreements": disagreements,
            "defects": self.defects,
        })
    }
}
