//! The folder of a finding, for people. It appears completely or not at all.

use crate::error::StoreError;
use crate::readme;
use crate::record::Texts;
use case::{Expectation, FINDING_FORMAT, Finding, printable};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The prefix of the names of unfinished folders.
const UNFINISHED: &str = ".unfinished-";

/// Writes the folder of a finding into `findings`, replacing one with the same name.
pub fn write(findings: &Path, id: &str, finding: &Finding, texts: Texts<'_>) -> Result<(), StoreError> {
    let building = findings.join(format!("{UNFINISHED}{id}"));
    remove(&building)?;
    let written = fill(&building, id, finding, texts);
    if written.is_err() {
        // Free the space of an incomplete folder. The first error is the one to report.
        let _ = fs::remove_dir_all(&building);
        return written;
    }
    let folder = findings.join(id);
    // A process that was killed between the folder and the database entry may have left one.
    remove(&folder)?;
    fs::rename(&building, &folder).map_err(StoreError::io(&folder))?;
    sync_folder(findings)
}

fn fill(folder: &Path, id: &str, finding: &Finding, texts: Texts<'_>) -> Result<(), StoreError> {
    let outputs = folder.join("outputs");
    fs::create_dir_all(&outputs).map_err(StoreError::io(&outputs))?;
    let json = serde_json::to_string_pretty(finding).map_err(|error| StoreError::Io {
        path: folder.join("finding.json"),
        error: std::io::Error::other(error),
    })?;
    write_file(&folder.join("case.smt2"), texts.case)?;
    write_file(&folder.join("seed.smt2"), texts.seed)?;
    if let Some(plain) = texts.plain {
        write_file(&folder.join("plain.smt2"), plain)?;
    }
    write_file(&folder.join("finding.json"), &(json + "\n"))?;
    write_file(&folder.join("README.md"), &printable(&readme::render(id, finding, texts.case)))?;
    let step = |step: &case::Step| format!("{}: {} -> {}\n", step.action, step.before, step.after);
    write_file(&folder.join("lineage.txt"), &finding.lineage.iter().map(step).collect::<String>())?;
    if let Expectation::Sat { model } = &finding.expectation {
        write_file(&folder.join("witness.smt2"), &format!("{}\n", model.trim_end()))?;
    }
    for run in &finding.runs {
        let text = format!(
            "$ {}\n{}\n--- standard error\n{}\n--- {}\n",
            run.command, run.stdout, run.stderr, run.exit
        );
        write_file(&outputs.join(format!("{}.txt", file_name(&run.id))), &text)?;
    }
    sync_folder(&outputs)?;
    sync_folder(folder)
}

/// The id as a file name that is valid on every system.
fn file_name(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "@.-_+".contains(c) { c } else { '_' };
    id.chars().map(plain).collect::<String>().trim_start_matches('.').to_owned()
}

fn write_file(path: &Path, text: &str) -> Result<(), StoreError> {
    let mut file = File::create(path).map_err(StoreError::io(path))?;
    file.write_all(text.as_bytes()).map_err(StoreError::io(path))?;
    file.sync_all().map_err(StoreError::io(path))
}

fn sync_folder(path: &Path) -> Result<(), StoreError> {
    File::open(path).and_then(|folder| folder.sync_all()).map_err(StoreError::io(path))
}

fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(StoreError::io(path)(error)),
        _ => Ok(()),
    }
}

/// Removes unfinished folders of killed processes.
pub fn clean(findings: &Path) -> Result<(), StoreError> {
    let unfinished =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(UNFINISHED));
    let entries = fs::read_dir(findings).map_err(StoreError::io(findings))?;
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).filter(unfinished) {
        remove(&path)?;
    }
    Ok(())
}

/// The folders of all findings, sorted by name.
pub fn all(findings: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let entries = match fs::read_dir(findings) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io(findings)(error)),
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut folders: Vec<PathBuf> = paths.filter(|path| path.join("finding.json").is_file()).collect();
    folders.sort();
    Ok(folders)
}

/// Reads the folder of a finding: the finding, its case and its seed.
pub fn read(folder: &Path) -> Result<(Finding, String, String), StoreError> {
    let text = |name: &str| {
        let path = folder.join(name);
        fs::read_to_string(&path).map_err(StoreError::io(path))
    };
    let path = folder.join("finding.json");
    let foreign =
        |error: serde_json::Error| StoreError::Foreign { path: path.clone(), detail: error.to_string() };
    let json: serde_json::Value = serde_json::from_str(&text("finding.json")?).map_err(foreign)?;
    // Format 1 had no such field.
    let format = json.get("format").and_then(serde_json::Value::as_u64).unwrap_or(1);
    if format != u64::from(FINDING_FORMAT) {
        return Err(StoreError::OtherFormat { path, found: format, expected: u64::from(FINDING_FORMAT) });
    }
    let finding = serde_json::from_value(json).map_err(foreign)?;
    Ok((finding, text("case.smt2")?, text("seed.smt2")?))
}
