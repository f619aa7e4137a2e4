//! The folder for the counters that a program writes when it ends.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder for counters. It is removed on drop.
pub(super) struct DataFolder {
    path: PathBuf,
}

impl DataFolder {
    /// A new folder in `scratch`; `what` is part of its name.
    pub fn new(scratch: Option<&Path>, what: &str) -> io::Result<DataFolder> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let scratch = scratch.map_or_else(std::env::temp_dir, Path::to_owned);
        let path = scratch.join(format!("elenchus-{what}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(DataFolder { path: path.canonicalize()? })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All files below the folder with this extension.
    pub fn files(&self, extension: &str) -> io::Result<Vec<PathBuf>> {
        let (mut found, mut waiting) = (Vec::new(), vec![self.path.clone()]);
        while let Some(folder) = waiting.pop() {
            for entry in std::fs::read_dir(folder)? {
                let entry = entry?;
                if entry.file_type()?.is_dir() {
                    waiting.push(entry.path());
                } else if entry.path().extension().is_some_and(|found| found == extension) {
                    found.push(entry.path());
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// Removes all files with this extension, since programs add to existing counters.
    pub fn clear(&self, extension: &str) -> io::Result<()> {
        self.files(extension)?.iter().try_for_each(std::fs::remove_file)
    }
}

impl Drop for DataFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
