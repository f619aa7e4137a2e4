//! Formulas on disk: folders of scripts, with or without an index table, and the findings of campaigns.

use case::files::{FileError, find_scripts, read_text};
use case::hash::fnv1a;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use store::Store;
use strategies::{NamedOptions, command_line, profile_name};

/// A formula and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// The file it was read from.
    pub path: PathBuf,
    /// Its name in a library: the identifier in the index table, the path in its folder, or the finding.
    pub name: String,
    /// What tells whether a library has it: the hash of its text. For a finding, the hash of the case before its reduction.
    pub hash: u64,
    /// Its text.
    pub text: String,
    /// The profile name of the solver that it broke.
    pub solver: Option<String>,
    /// The options of the solver.
    pub options: Vec<(String, String)>,
}

/// The index table of a folder. Its first line names the columns: `file`, and optionally `solver` and `options`.
const TABLE: &str = "index.tsv";

/// Reads the formulas of files and folders, in order. The folder of a campaign has its findings, one with an index table what the
/// table lists, any other all its scripts.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Formula>, FileError> {
    let mut all = Vec::new();
    for path in paths {
        if let Some(campaign) = Store::campaign_folder(path) {
            read_findings(&campaign, &mut all)?;
        } else if path.join(TABLE).is_file() {
            read_table(path, &mut all)?;
        } else {
            for script in find_scripts(std::slice::from_ref(path))? {
                let name = script.strip_prefix(path).ok().filter(|name| !name.as_os_str().is_empty());
                let name = name.map_or_else(|| script.file_name().map(Path::new), Some).unwrap_or(&script);
                all.push(read_script(&script, name.with_extension("").display().to_string())?);
            }
        }
    }
    Ok(all)
}

/// Reads a script. Its first comments may name the solver that it broke, and the options.
fn read_script(path: &Path, name: String) -> Result<Formula, FileError> {
    let text = read_text(path)?;
    let named = NamedOptions::of(&text);
    let (solver, options) = (named.solver.map(str::to_owned), named.options);
    Ok(Formula { path: path.to_owned(), name, hash: fnv1a(&text), text, solver, options })
}

fn read_table(folder: &Path, all: &mut Vec<Formula>) -> Result<(), FileError> {
    let path = folder.join(TABLE);
    let text = read_text(&path)?;
    let mut lines = text.lines();
    let columns: BTreeMap<&str, usize> =
        lines.next().unwrap_or_default().split('\t').enumerate().map(|(index, name)| (name, index)).collect();
    let Some(&file) = columns.get("file") else {
        return Err(FileError::unreadable(&path, "its first line names no column `file`"));
    };
    for line in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        let field =
            |name: &str| columns.get(name).and_then(|&index| fields.get(index)).copied().unwrap_or_default();
        let Some(file) = fields.get(file).filter(|file| !file.is_empty()) else { continue };
        let name = Some(field("id")).filter(|id| !id.is_empty()).unwrap_or(file);
        let mut formula = read_script(&folder.join(file), name.to_owned())?;
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

/// Reads the bugs that a campaign found, each reduced if it has been.
fn read_findings(folder: &Path, all: &mut Vec<Formula>) -> Result<(), FileError> {
    let store = Store::open_existing(folder).map_err(|error| FileError::unreadable(folder, error))?;
    for listed in store.findings().map_err(|error| FileError::unreadable(folder, error))? {
        if !listed.bug {
            continue;
        }
        let (finding, case, _) = store.read(&listed).map_err(|error| FileError::unreadable(folder, error))?;
        let hash = fnv1a(&case);
        let finding_folder = folder.join(&listed.folder);
        let reduced = finding_folder.join("reduced.smt2");
        let (path, text) = match reduced.is_file() {
            true => (reduced.clone(), read_text(&reduced)?),
            false => (finding_folder.join("case.smt2"), case),
        };
        let suspect = finding.suspects().next();
        let solver = suspect.map(|target| target.name.clone());
        let words = suspect.map(|target| target.options.join(" ")).unwrap_or_default();
        all.push(Formula {
            path,
            name: listed.id.clone(),
            hash,
            text,
            solver,
            options: command_line(&words),
        });
    }
    Ok(())
}
