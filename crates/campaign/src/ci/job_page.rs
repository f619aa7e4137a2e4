//! The page of a GitHub job, to which every step can append its summary.

use super::{CiError, CiReport, markdown};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// The variable that names the file of the page.
const PAGE: &str = "GITHUB_STEP_SUMMARY";

/// Appends the summary to the page of the job, if this runs in one.
pub fn append_to_job_page(report: &CiReport) -> Result<(), CiError> {
    let Some(file) = std::env::var_os(PAGE).filter(|file| !file.is_empty()) else { return Ok(()) };
    let path = Path::new(&file);
    let page = OpenOptions::new().append(true).create(true).open(path);
    let appended = page.and_then(|mut page| page.write_all(markdown(report).as_bytes()));
    appended.map_err(|error| CiError::JobPage { path: path.to_owned(), error })
}
