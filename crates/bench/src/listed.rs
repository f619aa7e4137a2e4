//! Bugs of a release that are listed already: a table of formulas that break it.
//!
//! Their identities come from the same triage as those of the runs, so a bug that a run found is listed if the rules for merging say
//! that it is one of them.

use crate::claim::Claim;
use crate::error::BenchError;
use crate::judge::{Reported, judge_scripts};
use crate::plan::Plan;
use crate::record::BugRecord;
use case::files::{read_text, replace};
use std::path::Path;
use triage::SolverSource;

/// A table whose first line names its columns.
pub struct Table {
    columns: Vec<String>,
    /// The other lines.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a file with tabs between its columns.
    pub fn read(path: &Path) -> Result<Table, BenchError> {
        let text = read_text(path)?;
        let split = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
        let mut lines = text.lines().map(split);
        Ok(Table { columns: lines.next().unwrap_or_default(), rows: lines.collect() })
    }

    /// The cell of a column; empty if there is none.
    pub fn cell<'a>(&self, row: &'a [String], column: &str) -> &'a str {
        let index = self.columns.iter().position(|name| name == column);
        index.and_then(|index| row.get(index)).map_or("", String::as_str)
    }
}

/// The names of the formulas that break a release, by `bugs.tsv` in a folder.
pub fn breaks(bugs: &Path, release: &str) -> Result<Vec<String>, BenchError> {
    let table = Table::read(&bugs.join("bugs.tsv"))?;
    let name = release.replacen('@', "-", 1);
    // The packages of some solvers have a fourth number.
    let is_release = |cell: &str| cell == name || cell == format!("{name}.0");
    let rows = table.rows.iter().filter(|row| is_release(table.cell(row, "release")));
    Ok(rows.map(|row| table.cell(row, "formula").to_owned()).collect())
}

/// Judges the formulas that break a release. The result is kept in the folder of the benchmark.
pub fn judge_listed(
    plan: &Plan,
    release: &str,
    source: &dyn SolverSource,
) -> Result<Option<Vec<BugRecord>>, BenchError> {
    let Some(bugs) = &plan.bugs else { return Ok(None) };
    let path = plan.listed_file(release);
    if path.is_file() {
        return read_listed(&path).map(Some);
    }
    let Some(claim) = Claim::of(plan.work_folder(release, "listed", 0))? else { return Ok(None) };
    let index = Table::read(&bugs.join("index.tsv"))?;
    let names = breaks(bugs, release)?;
    let files = index.rows.iter().filter(|row| names.iter().any(|name| name == index.cell(row, "id")));
    let reported = files.map(|row| Reported { file: bugs.join(index.cell(row, "file")), after: 0.0 });
    let reported: Vec<Reported> = reported.collect();
    let found = judge_scripts(plan, release, &reported, claim.folder(), source)?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| case::files::FileError::unwritable(folder, error))?;
    }
    replace(&path, &format!("{:#}\n", serde_json::json!(found)))?;
    Ok(Some(found))
}

/// Reads the identities of listed bugs.
pub fn read_listed(path: &Path) -> Result<Vec<BugRecord>, BenchError> {
    serde_json::from_str(&read_text(path)?)
        .map_err(|error| BenchError::Record { path: path.to_owned(), reason: error.to_string() })
}
