//! Several processes share a benchmark: each run belongs to the one that claims it first.

use case::files::FileError;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The file with the number of the process that works in a folder.
const FILE: &str = "process";

/// A folder for the files of one run. It is removed with this value.
pub struct Claim {
    folder: PathBuf,
}

impl Claim {
    /// Claims a run; `None` if a living process has it. What a dead one left is removed.
    pub fn of(folder: PathBuf) -> Result<Option<Claim>, FileError> {
        let unwritable = |error| FileError::unwritable(&folder, error);
        if let Some(parent) = folder.parent() {
            fs::create_dir_all(parent).map_err(unwritable)?;
        }
        match fs::create_dir(&folder) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if is_alive(&folder) {
                    return Ok(None);
                }
                fs::remove_dir_all(&folder).map_err(unwritable)?;
                fs::create_dir(&folder).map_err(unwritable)?;
            }
            Err(error) => return Err(unwritable(error)),
        }
        case::files::write(&folder.join(FILE), &std::process::id().to_string())?;
        Ok(Some(Claim { folder }))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Keeps the files for whoever wants to look at them.
    pub fn keep(mut self) -> PathBuf {
        std::mem::take(&mut self.folder)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if !self.folder.as_os_str().is_empty() {
            // What cannot be removed is in the way of nothing: the record is written.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// Whether the process that claimed a folder is alive.
fn is_alive(folder: &Path) -> bool {
    let process = fs::read_to_string(folder.join(FILE)).unwrap_or_default();
    !process.is_empty() && Path::new("/proc").join(process.trim()).is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_belongs_to_one_living_process() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("work/a");
        let claim = Claim::of(folder.clone()).unwrap().unwrap();
        fs::write(claim.folder().join("x"), "").unwrap();
        assert!(Claim::of(folder.clone()).unwrap().is_none());
        fs::write(folder.join(FILE), "999999999").unwrap();
        let next = Claim::of(folder.clone()).unwrap().unwrap();
        assert!(!folder.join("x").exists(), "what a dead process left is removed");
        drop(next);
        assert!(!folder.exists());
        std::mem::forget(claim);
    }
}
