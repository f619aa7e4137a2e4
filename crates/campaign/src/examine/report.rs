//! What a cross-examination found, by operator.

use super::ask::Said;
use super::explained::explanation;
use smt::Signatures;
use std::collections::BTreeMap;
use std::fmt::Write;
use strategies::ground::{GroundTerms, Subject};

/// Examples of each kind that are kept for an operator.
const EXAMPLES: usize = 3;

/// What one solver said about the terms of one operator.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// It gave the same value.
    pub agrees: u64,
    /// It gave another value.
    pub differs: u64,
    /// It gave another value in a long session only.
    pub wavers: u64,
    /// It gave no value.
    pub undecided: u64,
    /// It did not take the term.
    pub refused: u64,
    /// It crashed.
    pub crashed: u64,
    /// Some of its messages, each with the term.
    pub examples: Vec<(String, String)>,
}

/// What was found about one operator.
#[derive(Clone, Debug)]
pub struct Row {
    /// The theory.
    pub theory: String,
    /// The rank as the signature table has it, or the name of a construct of the language.
    pub name: String,
    /// Terms whose value is left open or too large.
    pub undetermined: u64,
    /// Attempts at making a term that did not come out.
    pub undrawn: u64,
    /// For each solver.
    pub tallies: Vec<Tally>,
}

impl Row {
    /// How often some solver gave a value.
    pub fn compared(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.agrees + tally.differs).sum()
    }
}

/// A term that a solver values differently.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The solver and its release.
    pub solver: String,
    /// The operator that the term was made for.
    pub operator: String,
    /// The term.
    pub term: String,
    /// Our value.
    pub ours: String,
    /// What the solver makes of the term.
    pub theirs: String,
    /// The mistake of the solver that is known to cause it.
    pub explanation: Option<&'static str>,
}

/// What a cross-examination found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The solvers.
    pub solvers: Vec<String>,
    /// Each operator that was examined.
    pub rows: BTreeMap<Subject, Row>,
    /// The operators that were not, and why: theory, rank, reason.
    pub left_out: Vec<(String, String, String)>,
    /// Terms that a solver values differently.
    pub disagreements: Vec<Disagreement>,
    /// Terms that we could not read or had no rule for, though the table says otherwise: term and message.
    pub defects: Vec<(String, String)>,
}

impl Report {
    pub(super) fn new(
        solvers: Vec<String>,
        maker: &GroundTerms,
        subjects: &[Subject],
        signatures: &Signatures,
        chosen: &dyn Fn(&str) -> bool,
    ) -> Report {
        let row = |&subject: &Subject| {
            let tallies = vec![Tally::default(); solvers.len()];
            let (theory, name) = (maker.theory(subject).to_owned(), maker.name(subject));
            (subject, Row { theory, name, undetermined: 0, undrawn: 0, tallies })
        };
        let rows: BTreeMap<Subject, Row> = subjects.iter().map(row).collect();
        let mut left_out = Vec::new();
        for (id, declaration) in signatures.declarations.iter().enumerate() {
            let theory = &signatures.theories[declaration.theory].name;
            if rows.contains_key(&Subject::Rank(id as u32)) || !chosen(theory) {
                continue;
            }
            let alias = declaration.alias.map(|alias| format!("another name of {}", signatures.name(alias)));
            let reason = match (&declaration.unevaluated, declaration.removed) {
                (Some(reason), _) => reason.clone(),
                (None, true) => "only read: newest releases do not take it".to_owned(),
                (None, false) => alias.unwrap_or_default(),
            };
            left_out.push((theory.clone(), signatures.describe(declaration), reason));
        }
        Report { solvers, rows, left_out, disagreements: Vec::new(), defects: Vec::new() }
    }

    pub(super) fn add(&mut self, solver: usize, subject: Subject, term: &str, value: &str, said: Said) {
        let Some(row) = self.rows.get_mut(&subject) else { return };
        let tally = &mut row.tallies[solver];
        let message = match said {
            Said::Agrees => {
                tally.agrees += 1;
                return;
            }
            Said::Differs(theirs) => {
                tally.differs += 1;
                let explanation = explanation(&self.solvers[solver], term);
                self.disagreements.push(Disagreement {
                    explanation,
                    solver: self.solvers[solver].clone(),
                    operator: row.name.clone(),
                    term: term.to_owned(),
                    ours: value.to_owned(),
                    theirs,
                });
                return;
            }
            Said::Wavers(message) => {
                tally.wavers += 1;
                format!("another value, in a long session only: {message}")
            }
            Said::Undecided(message) => {
                tally.undecided += 1;
                message
            }
            Said::Refuses(message) => {
                tally.refused += 1;
                message
            }
            Said::Crashes(message) => {
                tally.crashed += 1;
                message
            }
        };
        if tally.examples.len() < EXAMPLES {
            tally.examples.push((term.to_owned(), message));
        }
    }

    pub(super) fn undetermined(&mut self, subject: Subject) {
        if let Some(row) = self.rows.get_mut(&subject) {
            row.undetermined += 1;
        }
    }

    pub(super) fn undrawn(&mut self, subject: Subject) {
        if let Some(row) = self.rows.get_mut(&subject) {
            row.undrawn += 1;
        }
    }

    pub(super) fn defect(&mut self, term: &str, message: &str) {
        self.defects.push((term.to_owned(), message.to_owned()));
    }

    /// How many values were compared, over all solvers.
    pub fn compared(&self) -> u64 {
        self.rows.values().map(Row::compared).sum()
    }

    /// The operators whose values no solver was found to give.
    pub fn uncovered(&self) -> Vec<&Row> {
        self.rows.values().filter(|row| row.compared() == 0).collect()
    }

    /// The table of all operators, for people.
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
        ("wavers", tally.wavers),
        ("undecided", tally.undecided),
        ("refused", tally.refused),
        ("crashed", tally.crashed),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(_, count)| *count > 0).map(|(word, count)| format!("{word} {count}")).collect();
    if parts.is_empty() { "not asked".to_owned() } else { parts.join(", ") }
}
