//! Formulas that are there already: folders of scripts, with or without a table that says more, and the findings of campaigns.

use crate::options::{command_line, profile_name};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use store::Store;

/// A formula with what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// Where it was read.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// The solver that it broke, by profile name.
    pub solver: Option<String>,
    /// The options that the solver was run with.
    pub options: Vec<(String, String)>,
}

/// Why formulas could not be read.
#[derive(Debug)]
pub struct ReadError {
    /// The file or folder.
    pub path: PathBuf,
    /// Why not.
    pub reason: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be read: {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for ReadError {}

/// The table that may stand in a folder of formulas: its first line names the columns, `file` among them, `solver` and
/// `options` if they are known.
const TABLE: &str = "index.tsv";

/// The database of a campaign's folder.
const DATABASE: &str = "elenchus.db";

/// Whether a folder says itself which formulas it has: by a table, or as the folder of a campaign.
pub fn is_catalogued(folder: &Path) -> bool {
    folder.join(DATABASE).is_file() || folder.join(TABLE).is_file()
}

/// The formulas of files and catalogued folders, in order. A folder with a table has the formulas that the table lists; the
/// folder of a campaign has what the campaign found.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Formula>, ReadError> {
    let mut all = Vec::new();
    for path in paths {
        if path.join(DATABASE).is_file() {
            findings(path, &mut all)?;
        } else if path.join(TABLE).is_file() {
            table(path, &mut all)?;
        } else {
            all.push(with_comments(path)?);
        }
    }
    Ok(all)
}

fn read_text(path: &Path) -> Result<String, ReadError> {
    let bytes = fs::read(path).map_err(|error| failed(path, error))?;
    // Old comments hold bytes that are no UTF-8.
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

fn failed(path: &Path, reason: impl fmt::Display) -> ReadError {
    ReadError { path: path.to_owned(), reason: reason.to_string() }
}

/// A script that may say in its first comments which solver it broke, and how it was run.
fn with_comments(path: &Path) -> Result<Formula, ReadError> {
    let text = read_text(path)?;
    let comments = text.lines().take_while(|line| line.starts_with(';') || line.trim().is_empty());
    let (mut solver, mut options) = (None, Vec::new());
    for comment in comments {
        let comment = comment.trim_start_matches([';', ' ']);
        if let Some(name) = comment.strip_prefix("solver:") {
            solver = profile_name(name).map(str::to_owned);
        } else if let Some(words) = comment.strip_prefix("options:") {
            options.extend(command_line(words));
        } else if let Some(words) = comment.strip_prefix("COMMAND-LINE:") {
            // cvc5's regressions say it so.
            solver.get_or_insert_with(|| "cvc5".to_owned());
            options.extend(command_line(words));
        }
    }
    Ok(Formula { path: path.to_owned(), text, solver, options })
}

fn table(folder: &Path, all: &mut Vec<Formula>) -> Result<(), ReadError> {
    let path = folder.join(TABLE);
    let text = read_text(&path)?;
    let mut lines = text.lines();
    let columns: BTreeMap<&str, usize> =
        lines.next().unwrap_or_default().split('\t').enumerate().map(|(at, name)| (name, at)).collect();
    let Some(&file) = columns.get("file") else {
        return Err(failed(&path, "its first line does not name a column `file`"));
    };
    for line in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        let field =
            |name: &str| columns.get(name).and_then(|&at| fields.get(at)).copied().unwrap_or_default();
        let Some(name) = fields.get(file).filter(|name| !name.is_empty()) else { continue };
        let mut formula = with_comments(&folder.join(name))?;
        formula.solver = profile_name(field("solver")).map(str::to_owned).or(formula.solver);
        for option in command_line(field("options")) {
            if !formula.options.contains(&option) {
                formula.options.push(option);
            }
        }
        all.push(formula);
    }
    Ok(())
}

/// What a campaign found: the cases of its bugs, reduced where they were.
fn findings(folder: &Path, all: &mut Vec<Formula>) -> Result<(), ReadError> {
    let store = Store::look(folder).map_err(|error| failed(folder, error))?;
    for listed in store.findings().map_err(|error| failed(folder, error))? {
        if !listed.bug {
            continue;
        }
        let (finding, case, _) = store.read(&listed).map_err(|error| failed(folder, error))?;
        let place = folder.join(&listed.folder);
        let reduced = place.join("reduced.smt2");
        let (path, text) = match reduced.is_file() {
            true => (reduced.clone(), read_text(&reduced)?),
            false => (place.join("case.smt2"), case),
        };
        let suspect = finding.targets.iter().find(|target| target.suspect);
        let solver = suspect.map(|target| target.name.clone());
        let words = suspect.map(|target| target.options.join(" ")).unwrap_or_default();
        all.push(Formula { path, text, solver, options: command_line(&words) });
    }
    Ok(())
}
