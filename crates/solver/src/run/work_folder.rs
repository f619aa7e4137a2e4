//! The folder of a supervisor: the script, and the working folder of the solver.

use super::error::RunError;
use std::cell::Cell;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// The folder of a supervisor. It is removed on drop, and by the supervisor if Elenchus is killed.
#[derive(Debug)]
pub(super) struct WorkFolder {
    root: PathBuf,
    work: PathBuf,
    input_path: String,
    input: File,
    /// The time of the last change of the working folder when it was found empty.
    empty: Cell<Option<SystemTime>>,
}

/// The resolution of the change time of folders: the clocks of file systems tick slowly.
const TICK: Duration = Duration::from_millis(100);

impl WorkFolder {
    /// Creates a new folder in `scratch`. Its path is passed to `announce` before it exists, so that somebody else can remove it if
    /// this process is killed at any moment.
    pub fn new(
        scratch: Option<&Path>,
        mut announce: impl FnMut(&Path) -> Result<(), RunError>,
    ) -> Result<WorkFolder, RunError> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let scratch = scratch.map_or_else(std::env::temp_dir, Path::to_path_buf);
        let failed = |path: &Path| {
            let path = path.to_path_buf();
            move |error| RunError::Folder { path, error }
        };
        let scratch = std::path::absolute(&scratch).map_err(failed(&scratch))?;
        let root = loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let root = scratch.join(format!("elenchus-{}-{number}", std::process::id()));
            if root.exists() {
                // Left by an earlier process with the same id, when the machine went down.
                continue;
            }
            announce(&root)?;
            match fs::create_dir(&root) {
                Ok(()) => break root,
                // Another process was faster.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(&root)(error)),
            }
        };
        fs::set_permissions(&root, fs::Permissions::from_mode(0o700)).map_err(failed(&root))?;
        let work = root.join("work");
        fs::create_dir(&work).map_err(failed(&work))?;
        let input_path = root.join("input.smt2");
        let input = File::create(&input_path).map_err(failed(&input_path))?;
        let Some(input_path) = input_path.to_str().map(str::to_owned) else {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "the path is not valid UTF-8");
            return Err(failed(&scratch)(error));
        };
        Ok(WorkFolder { root, work, input_path, input, empty: Cell::new(None) })
    }

    /// Whether it was created in `scratch`.
    pub fn is_in(&self, scratch: Option<&Path>) -> bool {
        let scratch = scratch.map_or_else(std::env::temp_dir, Path::to_path_buf);
        std::path::absolute(scratch).is_ok_and(|scratch| self.root.parent() == Some(&scratch))
    }

    /// The whole folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The working folder of the solver.
    pub fn work(&self) -> &Path {
        &self.work
    }

    /// The path of the script.
    pub fn input_path(&self) -> &str {
        &self.input_path
    }

    /// Replaces the script. The file is not truncated first, since some file systems would write it to disk then.
    pub fn write_input(&self, text: &str) -> Result<(), RunError> {
        let written =
            self.input.write_all_at(text.as_bytes(), 0).and_then(|()| self.input.set_len(text.len() as u64));
        written.map_err(|error| RunError::Folder { path: PathBuf::from(&self.input_path), error })
    }

    /// Empties the working folder.
    pub fn clean(&self) -> Result<(), RunError> {
        let failed = |error| RunError::Folder { path: self.work.clone(), error };
        let changed = changed(&self.work);
        if changed.is_some() && changed == self.empty.get() {
            return Ok(());
        }
        match fs::read_dir(&self.work) {
            Ok(mut entries) => {
                if entries.next().is_none() {
                    let long_ago = |time: &SystemTime| time.elapsed().is_ok_and(|passed| passed > TICK);
                    self.empty.set(changed.filter(long_ago));
                    return Ok(());
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return fs::create_dir(&self.work).map_err(failed);
            }
            Err(_) => {}
        }
        // The folder itself stays: a warm process works in it.
        unlock(&self.work);
        let entries = fs::read_dir(&self.work).map_err(failed)?;
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let is_folder = entry.file_type().map_err(failed)?.is_dir();
            if !is_folder {
                fs::remove_file(entry.path()).map_err(failed)?;
            } else if fs::remove_dir_all(entry.path()).is_err() {
                unlock_all(&entry.path());
                fs::remove_dir_all(entry.path()).map_err(failed)?;
            }
        }
        Ok(())
    }
}

/// The time of the last change of a folder, its entries or its permissions.
fn changed(folder: &Path) -> Option<SystemTime> {
    let found = fs::metadata(folder).ok()?;
    let (seconds, rest) = (u64::try_from(found.ctime()).ok()?, u32::try_from(found.ctime_nsec()).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(Duration::new(seconds, rest))
}

/// Restores the owner's permissions on a folder, which a solver may have removed.
fn unlock(folder: &Path) {
    // If this fails, the removal that follows fails too and is reported.
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
}

fn unlock_all(folder: &Path) {
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        unlock(&folder);
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        waiting.extend(entries.filter(|e| e.file_type().is_ok_and(|t| t.is_dir())).map(|e| e.path()));
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        if fs::remove_dir_all(&self.root).is_err() && self.root.exists() {
            unlock_all(&self.root);
            // There is nobody to report to; a folder that cannot be removed stays in the temporary folder.
            let _ = fs::remove_dir_all(&self.root);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After any change, however recent, cleaning leaves the folder empty and unlocked.
    #[test]
    fn a_folder_is_clean_after_any_change() {
        let folder = WorkFolder::new(None, |_| Ok(())).unwrap();
        let changes: [&dyn Fn(&Path); 5] = [
            &|work| fs::write(work.join("a"), "b").unwrap(),
            &|work| fs::create_dir_all(work.join("c/d")).unwrap(),
            &|work| fs::set_permissions(work, fs::Permissions::from_mode(0o500)).unwrap(),
            &|work| fs::remove_dir(work).unwrap(),
            &|_| {},
        ];
        for pause in [0, 2, 150] {
            for change in changes {
                folder.clean().unwrap();
                std::thread::sleep(Duration::from_millis(pause));
                // From here on it may use the remembered change time.
                folder.clean().unwrap();
                change(folder.work());
                folder.clean().unwrap();
                fs::write(folder.work().join("e"), "f").unwrap();
                folder.clean().unwrap();
                assert_eq!(fs::read_dir(folder.work()).unwrap().count(), 0);
            }
        }
        assert!(folder.is_in(None) && !folder.is_in(Some(Path::new("elsewhere"))));
    }
}
