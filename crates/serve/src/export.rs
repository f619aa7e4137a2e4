//! The pages as files of a folder. They open from disk and from any web server.

use crate::assets;
use crate::data::{Data, DataError, FolderData};
use crate::http::Request;
use crate::links::{Links, Page};
use crate::pages::{PAGE, View};
use case::files::{FileError, write};
use std::path::Path;
use store::{FindingFilter, FindingOrder};

/// Why pages cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The campaign cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl case::Hinted for ExportError {
    fn hint(&self) -> Option<String> {
        match self {
            ExportError::Data(DataError::Store(error)) => error.hint(),
            ExportError::Data(DataError::Missing(_)) => None,
            ExportError::File(error) => error.hint(),
        }
    }
}

/// Writes all pages of the campaign in the folder `out` into the folder `to`. Returns how many findings have a page.
pub fn export(out: &Path, to: &Path) -> Result<u64, ExportError> {
    let data = FolderData::open(out)?;
    data.refresh()?;
    std::fs::create_dir_all(to).map_err(|error| FileError::unwritable(to, error))?;
    for (name, _, content) in assets::FILES {
        write(&to.join(name), content)?;
    }
    let view = View { data: &data, links: Links::Files, write: false, jobs: Vec::new(), files: Some(to) };
    for page in Page::MENU {
        let name = view.links.page(page);
        write(&to.join(name), &view.page(page, &Request::get("/"))?)?;
    }
    let mut written = 0;
    for number in 1.. {
        let found =
            data.page(&FindingFilter::default(), FindingOrder::default(), (number - 1) * PAGE, PAGE)?;
        if found.findings.is_empty() {
            break;
        }
        if number > 1 {
            let request = Request::get(&format!("/findings?page={number}"));
            write(&to.join(view.links.findings_page(number, "")), &view.page(Page::Findings, &request)?)?;
        }
        for (listed, _) in &found.findings {
            finding(&view, to, &listed.id)?;
            written += 1;
            for merged in data.dossier(&listed.id)?.merged {
                finding(&view, to, &merged.id)?;
            }
        }
    }
    Ok(written)
}

/// Writes the page of a finding, and its texts.
fn finding(view: &View<'_>, to: &Path, id: &str) -> Result<(), ExportError> {
    write(&to.join(Links::finding_file(id)), &view.page(Page::Finding(id), &Request::get("/"))?)?;
    let dossier = view.data.dossier(id)?;
    let texts = [
        ("reduced.smt2", dossier.reduced.as_ref()),
        ("case.smt2", Some(&dossier.case)),
        ("seed.smt2", Some(&dossier.seed)),
        ("report.md", Some(&dossier.report)),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            write(&to.join(format!("{}-{name}", crate::http::encoded(id))), text)?;
        }
    }
    Ok(())
}
