//! The result of a cross-examination, by operator.

use crate::batch::{Batch, BatchMaker, Evaluated};
use crate::known_bugs::explanation;
use crate::witness::Reply;
use case::SolverIndex;
use smt::Signatures;
use std::collections::BTreeMap;
use std::fmt::Write;
use strategies::ground::Subject;

/// How many messages to keep for each operator and solver.
const EXAMPLES: usize = 3;

/// One solver's replies about the terms of one operator.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Same value.
    pub agrees: u64,
    /// Another value.
    pub differs: u64,
    /// Another value, in a long session only.
    pub flaky: u64,
    /// No value.
    pub undecided: u64,
    /// Term rejected.
    pub refused: u64,
    /// Crashes.
    pub crashed: u64,
    /// Some messages, each with its term.
    pub examples: Vec<(String, String)>,
}

/// The results for one operator.
#[derive(Clone, Debug)]
pub struct Row {
    /// The theory.
    pub theory: String,
    /// The rank as in the signature table, or the name of a language construct.
    pub name: String,
    /// Terms whose value is open or too large.
    pub undetermined: u64,
    /// Failed attempts to generate a term.
    pub undrawn: u64,
    /// The replies of each solver, in the order of [`Report::solvers`].
    pub tallies: Vec<Tally>,
}

impl Row {
    /// How many values could be compared, over all solvers.
    pub fn compared(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.agrees + tally.differs).sum()
    }
}

/// A term for which a solver gives another value.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The solver and its release.
    pub solver: String,
    /// The operator that the term was generated for.
    pub operator: String,
    /// The term.
    pub term: String,
    /// Our value.
    pub ours: String,
    /// The solver's value.
    pub theirs: String,
    /// The known solver bug that explains it.
    pub explanation: Option<&'static str>,
}

/// The result of a cross-examination.
#[derive(Clone, Debug)]
pub struct Report {
    /// The solvers.
    pub solvers: Vec<String>,
    /// The operators that were examined.
    pub rows: BTreeMap<Subject, Row>,
    /// The operators that were not, and why: theory, rank, reason.
    pub left_out: Vec<(String, String, String)>,
    /// Terms for which a solver gives another value.
    pub disagreements: Vec<Disagreement>,
    /// Terms that our parser or evaluator rejects although the signature table allows them: term and message.
    pub defects: Vec<(String, String)>,
}

impl Report {
    pub(crate) fn new(
        solvers: Vec<String>,
        batches: &BatchMaker,
        signatures: &Signatures,
        includes: &dyn Fn(&str) -> bool,
    ) -> Report {
        let row = |&subject: &Subject| {
            let tallies = vec![Tally::default(); solvers.len()];
            let (theory, name) = batches.describe(subject);
            (subject, Row { theory, name, undetermined: 0, undrawn: 0, tallies })
        };
        let rows: BTreeMap<Subject, Row> = batches.subjects().iter().map(row).collect();
        let mut left_out = Vec::new();
        for (id, declaration) in signatures.declarations.iter().enumerate() {
            let theory = &signatures.theories[declaration.theory].name;
            if rows.contains_key(&Subject::Rank(id as u32)) || !includes(theory) {
                continue;
            }
            let alias = declaration.alias.map(|alias| format!("alias of {}", signatures.name(alias)));
            let reason = match (&declaration.unevaluated, declaration.removed) {
                (Some(reason), _) => reason.clone(),
                (None, true) => "removed: current releases reject it".to_owned(),
                (None, false) => alias.unwrap_or_default(),
            };
            left_out.push((theory.clone(), signatures.describe(declaration), reason));
        }
        Report { solvers, rows, left_out, disagreements: Vec::new(), defects: Vec::new() }
    }

    pub(crate) fn add(&mut self, solver: SolverIndex, evaluated: &Evaluated, reply: Reply) {
        let Some(row) = self.rows.get_mut(&evaluated.subject) else { return };
        let term = &evaluated.term.text;
        let tally = &mut row.tallies[solver.get()];
        let message = match reply {
            Reply::Agrees => {
                tally.agrees += 1;
                return;
            }
            Reply::Differs(theirs) => {
                tally.differs += 1;
                let explanation = explanation(&self.solvers[solver.get()], term);
                self.disagreements.push(Disagreement {
                    explanation,
                    solver: self.solvers[solver.get()].clone(),
                    operator: row.name.clone(),
                    term: term.clone(),
                    ours: evaluated.value.clone(),
                    theirs,
                });
                return;
            }
            Reply::Flaky(message) => {
                tally.flaky += 1;
                format!("another value, in a long session only: {message}")
            }
            Reply::Undecided(message) => {
                tally.undecided += 1;
                message
            }
            Reply::Refuses(message) => {
                tally.refused += 1;
                message
            }
            Reply::Crashes(message) => {
                tally.crashed += 1;
                message
            }
        };
        if tally.examples.len() < EXAMPLES {
            tally.examples.push((term.clone(), message));
        }
    }

    /// Adds the terms of a batch that have no value.
    pub(crate) fn add_batch(&mut self, batch: &Batch) {
        for subject in &batch.undetermined {
            self.rows.entry(*subject).and_modify(|row| row.undetermined += 1);
        }
        for subject in &batch.undrawn {
            self.rows.entry(*subject).and_modify(|row| row.undrawn += 1);
        }
        self.defects.extend(batch.defects.iter().cloned());
    }

    /// How many values were compared, over all solvers.
    pub fn compared(&self) -> u64 {
        self.rows.values().map(Row::compared).sum()
    }

    /// The operators for which no solver gave a value.
    pub fn uncovered(&self) -> Vec<&Row> {
        self.rows.values().filter(|row| row.compared() == 0).collect()
    }

    /// All operators as a text table.
    pub fn table(&self) -> String {
        let mut text = String::new();
        let mut theory = "";
        for row in self.rows.values() {
            if row.theory != theory {
                theory = &row.theory;
                let _ = writeln!(text, "\n{theory}");
            }
            let _ = write!(text, "  {:60}", row.name);
            for (solver, tally) in self.solvers.iter().zip(&row.tallies) {
                let _ = write!(text, "  {solver} {}", words(tally));
            }
            if row.undetermined > 0 {
                let _ = write!(text, "  open {}", row.undetermined);
            }
            text.push('\n');
        }
        text
    }
}

fn words(tally: &Tally) -> String {
    let parts = [
        ("agrees", tally.agrees),
        ("differs", tally.differs),
        ("flaky", tally.flaky),
        ("undecided", tally.undecided),
        ("refused", tally.refused),
        ("crashed", tally.crashed),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(_, count)| *count > 0).map(|(word, count)| format!("{word} {count}")).collect();
    if parts.is_empty() { "not asked".to_owned() } else { parts.join(", ") }
}
