//! The folder of installed solvers, `solvers/NAME/RELEASE`: each release is either complete or absent.
//!
//! A release is unpacked under `staging/` and then renamed into place. An installation holds the lock file of its release,
//! so a folder in `staging/` whose lock is free belongs to a process that died, and is removed.

use super::error::InstallError;
use super::progress::{Event, Progress};
use crate::profile::Program;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// The file that describes an installed release, in its folder.
pub const MANIFEST: &str = "elenchus-install.json";

/// An installed release, as its manifest describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installed {
    /// The solver.
    pub name: String,
    /// Its folder's name: the release, with the packager's name where one release has two builds.
    pub label: String,
    /// The release number of the solver.
    pub version: String,
    /// The packages it was unpacked from.
    pub origin: Vec<Package>,
    /// What to start, relative to the folder.
    pub program: Program,
    /// Folders with the shared libraries of the program, relative to the folder.
    #[serde(default)]
    pub libraries: Vec<String>,
    /// The Python that its module was built for, if it is a Python module.
    #[serde(default)]
    pub python: Option<PathBuf>,
    /// The folder. Not part of the manifest, since caches can be moved.
    #[serde(skip)]
    pub folder: PathBuf,
}

impl Installed {
    /// `name@label`.
    pub fn id(&self) -> String {
        format!("{}@{}", self.name, self.label)
    }
}

/// A downloaded package file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    /// The file's name.
    pub file: String,
    /// The URL it was downloaded from, if known.
    pub url: Option<String>,
    /// The SHA-256 digest of the file.
    pub sha256: String,
}

/// The folder of installed solvers.
#[derive(Clone, Debug)]
pub struct Cache {
    root: PathBuf,
}

/// Exclusive access to one release until the value is dropped.
pub struct Lock {
    _file: File,
    id: String,
}

/// A folder to unpack into. It is removed on drop unless [`Cache::commit`] moved it.
pub struct Staging {
    folder: PathBuf,
}

impl Staging {
    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Creates a folder inside it.
    pub fn subfolder(&self, name: &str) -> Result<PathBuf, InstallError> {
        let folder = self.folder.join(name);
        fs::create_dir_all(&folder).map_err(InstallError::io(&folder))?;
        Ok(folder)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // The next installation removes what is left.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Cache {
    /// The cache in the folder `root`.
    pub fn new(root: &Path) -> Cache {
        Cache { root: root.to_owned() }
    }

    fn release_folder(&self, name: &str, label: &str) -> PathBuf {
        self.root.join("solvers").join(name).join(label)
    }

    /// The release, if installed.
    pub fn find(&self, name: &str, label: &str) -> Option<Installed> {
        read_manifest(&self.release_folder(name, label))
    }

    /// Every installed release, sorted by name and label.
    pub fn installed(&self) -> Vec<Installed> {
        let mut found: Vec<Installed> = subfolders(&self.root.join("solvers"))
            .iter()
            .flat_map(|solver| subfolders(solver))
            .filter_map(|release| read_manifest(&release))
            .collect();
        found.sort_by(|a, b| (&a.name, &a.label).cmp(&(&b.name, &b.label)));
        found
    }

    /// The installed releases that `NAME@RELEASE`, or `NAME` alone, stands for.
    pub fn installed_as(&self, spec: &str) -> Vec<Installed> {
        let mut found = self.installed();
        found.retain(|release| release.id() == spec || release.name == spec);
        found
    }

    /// Waits for exclusive access to a release.
    pub fn lock(&self, name: &str, label: &str, progress: &dyn Progress) -> Result<Lock, InstallError> {
        let id = format!("{name}@{label}");
        let path = self.lock_path(&id);
        let folder = self.root.join("locks");
        fs::create_dir_all(&folder).map_err(InstallError::io(&folder))?;
        let file = File::create(&path).map_err(InstallError::io(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                progress.event(Event::Waiting);
                file.lock().map_err(InstallError::io(&path))?;
            }
            Err(TryLockError::Error(error)) => return Err(InstallError::Io { path, error }),
        }
        self.clean_staging(&id);
        Ok(Lock { _file: file, id })
    }

    fn lock_path(&self, id: &str) -> PathBuf {
        self.root.join("locks").join(format!("{id}.lock"))
    }

    /// Removes what dead processes left in staging: for the release `held`, whose lock the caller holds, and for all
    /// releases whose locks are free.
    fn clean_staging(&self, held: &str) {
        for folder in subfolders(&self.root.join("staging")) {
            let Some((id, _)) =
                folder.file_name().and_then(|name| name.to_str()).and_then(|n| n.split_once('!'))
            else {
                continue;
            };
            let other = (id != held).then(|| File::create(self.lock_path(id)));
            let abandoned = match &other {
                None => true,
                Some(Ok(file)) => file.try_lock().is_ok(),
                Some(Err(_)) => false,
            };
            if abandoned {
                let _ = fs::remove_dir_all(&folder);
            }
        }
    }

    /// A new folder to unpack into, on the same file system as its destination.
    pub fn staging(&self, lock: &Lock) -> Result<Staging, InstallError> {
        // The process id separates it from what a child of a killed installation may still write.
        let folder = self.root.join("staging").join(format!("{}!{}", lock.id, std::process::id()));
        fs::create_dir_all(&folder).map_err(InstallError::io(&folder))?;
        Ok(Staging { folder })
    }

    /// Moves the complete folder `content` to its destination in one step and adds the manifest.
    pub fn commit(
        &self,
        _: &Lock,
        content: &Path,
        mut installed: Installed,
    ) -> Result<Installed, InstallError> {
        let manifest = content.join(MANIFEST);
        let text = serde_json::to_string_pretty(&installed).unwrap_or_default();
        fs::write(&manifest, text).map_err(InstallError::io(&manifest))?;
        File::open(&manifest).and_then(|file| file.sync_all()).map_err(InstallError::io(&manifest))?;
        let target = self.release_folder(&installed.name, &installed.label);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(InstallError::io(parent))?;
        }
        if target.exists() {
            // A folder without a readable manifest is not in use as a solver.
            fs::remove_dir_all(&target).map_err(InstallError::io(&target))?;
        }
        fs::rename(content, &target).map_err(InstallError::io(&target))?;
        installed.folder = target;
        Ok(installed)
    }

    /// Removes an installed release: renames it in one step, then deletes it.
    pub fn remove(&self, installed: &Installed, progress: &dyn Progress) -> Result<(), InstallError> {
        let lock = self.lock(&installed.name, &installed.label, progress)?;
        let staging = self.staging(&lock)?;
        let gone = staging.folder.join("removed");
        fs::rename(&installed.folder, &gone).map_err(InstallError::io(&installed.folder))?;
        if let Some(parent) = installed.folder.parent() {
            // Fails while other releases are left, as intended.
            let _ = fs::remove_dir(parent);
        }
        Ok(())
    }
}

/// The manifest of the release in `folder`; `None` means not installed.
fn read_manifest(folder: &Path) -> Option<Installed> {
    let text = fs::read_to_string(folder.join(MANIFEST)).ok()?;
    let mut installed: Installed = serde_json::from_str(&text).ok()?;
    installed.folder = folder.to_owned();
    Some(installed)
}

/// The subfolders of `folder`, sorted. Empty if it does not exist.
fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

/// The size in bytes of all files under `folder`.
pub fn disk_use(folder: &Path) -> u64 {
    let mut total = 0;
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            match entry.metadata() {
                Ok(data) if data.is_dir() => pending.push(entry.path()),
                Ok(data) => total += data.len(),
                Err(_) => {}
            }
        }
    }
    total
}
