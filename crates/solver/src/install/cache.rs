//! The folder of installed solvers: `solvers/NAME/RELEASE`, filled in one step so that it is whole or absent.
//!
//! A release is unpacked under `staging/` and then renamed into place. Whoever fills a release holds its lock file, so
//! what lies in staging without a held lock is left over from a process that died, and is removed.

use super::error::InstallError;
use super::progress::{Event, Progress};
use super::registry::Program;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// The file that describes an installed release, in its folder.
const MANIFEST: &str = "elenchus-install.json";

/// A release that was installed, as its manifest tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installed {
    /// The solver.
    pub name: String,
    /// The label under which it is kept: its release, with the packager's name where one release has two builds.
    pub label: String,
    /// The release in the solver's own numbering.
    pub version: String,
    /// Where it came from.
    pub origin: Vec<Package>,
    /// What to start, relative to the folder.
    pub program: Program,
    /// Folders with shared libraries that the program needs, relative to the folder.
    #[serde(default)]
    pub libraries: Vec<String>,
    /// The Python that its module was built for, if it is one.
    #[serde(default)]
    pub python: Option<PathBuf>,
    /// The folder; not part of the manifest, since caches can be moved.
    #[serde(skip)]
    pub folder: PathBuf,
}

impl Installed {
    /// `name@label`.
    pub fn id(&self) -> String {
        format!("{}@{}", self.name, self.label)
    }
}

/// A package file that was fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    /// The file's name.
    pub file: String,
    /// Where it was fetched from, if that is known.
    pub url: Option<String>,
    /// The digest of the whole file.
    pub sha256: String,
}

/// The folder of installed solvers.
#[derive(Clone, Debug)]
pub struct Cache {
    root: PathBuf,
}

/// The right to fill or remove one release, held until it is dropped.
pub struct Lock {
    _file: File,
    id: String,
}

/// A folder to fill, removed when it is dropped without having been put in place.
pub struct Staging {
    folder: PathBuf,
}

impl Staging {
    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes a folder inside it.
    pub fn subfolder(&self, name: &str) -> Result<PathBuf, InstallError> {
        let folder = self.folder.join(name);
        fs::create_dir_all(&folder).map_err(InstallError::io(&folder))?;
        Ok(folder)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next installation.
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

    /// The release, if it is installed.
    pub fn find(&self, name: &str, label: &str) -> Option<Installed> {
        read_manifest(&self.release_folder(name, label))
    }

    /// Everything that is installed, by name and folder.
    pub fn installed(&self) -> Vec<Installed> {
        let mut found: Vec<Installed> = subfolders(&self.root.join("solvers"))
            .iter()
            .flat_map(|solver| subfolders(solver))
            .filter_map(|release| read_manifest(&release))
            .collect();
        found.sort_by(|a, b| (&a.name, &a.label).cmp(&(&b.name, &b.label)));
        found
    }

    /// Waits for the right to fill or remove a release.
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

    /// Removes what died processes left in staging: of the release `held`, whose lock the caller holds, and of all
    /// releases that nobody holds.
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

    /// A fresh folder to fill, on the same file system as its final place.
    pub fn staging(&self, lock: &Lock) -> Result<Staging, InstallError> {
        // The process id keeps apart what a child of a killed installation may still be writing.
        let folder = self.root.join("staging").join(format!("{}!{}", lock.id, std::process::id()));
        fs::create_dir_all(&folder).map_err(InstallError::io(&folder))?;
        Ok(Staging { folder })
    }

    /// Puts the filled folder `content` in its final place, described by `installed`, in one step.
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
            // A folder without a readable manifest: nobody can be using it as a solver.
            fs::remove_dir_all(&target).map_err(InstallError::io(&target))?;
        }
        fs::rename(content, &target).map_err(InstallError::io(&target))?;
        installed.folder = target;
        Ok(installed)
    }

    /// Removes an installed release: out of sight in one step, then off the disk.
    pub fn remove(&self, installed: &Installed, progress: &dyn Progress) -> Result<(), InstallError> {
        let lock = self.lock(&installed.name, &installed.label, progress)?;
        let staging = self.staging(&lock)?;
        let gone = staging.folder.join("removed");
        fs::rename(&installed.folder, &gone).map_err(InstallError::io(&installed.folder))?;
        if let Some(parent) = installed.folder.parent() {
            // Only succeeds once the last release is gone, as it should.
            let _ = fs::remove_dir(parent);
        }
        Ok(())
    }
}

/// Reads the manifest of the release in `folder`; a folder without a readable one counts as not installed.
fn read_manifest(folder: &Path) -> Option<Installed> {
    let text = fs::read_to_string(folder.join(MANIFEST)).ok()?;
    let mut installed: Installed = serde_json::from_str(&text).ok()?;
    installed.folder = folder.to_owned();
    Some(installed)
}

/// The folders in `folder`, sorted; none if it does not exist.
fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

/// The size of all files under `folder`.
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
