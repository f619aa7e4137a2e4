//! Repairs the folder of a campaign: the findings are in folders of their own, so the database can be made again.

use crate::error::StoreError;
use crate::folder;
use crate::store::{DATABASE, Store};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// What a repair found and did.
#[derive(Debug, Default)]
pub struct Repair {
    /// What was wrong with the database, if anything.
    pub damage: Option<String>,
    /// Where the damaged database is now.
    pub kept: Option<PathBuf>,
    /// The findings that have an entry again.
    pub restored: Vec<String>,
    /// Folders of findings that cannot be read, and why.
    pub unreadable: Vec<(PathBuf, String)>,
}

impl Repair {
    /// Whether nothing was wrong.
    pub fn is_clean(&self) -> bool {
        self.damage.is_none() && self.restored.is_empty() && self.unreadable.is_empty()
    }
}

/// Makes a damaged database again, and enters the findings that it lacks. Progress that is not in folders is lost.
pub fn repair(folder: &Path) -> Result<(Store, Repair), StoreError> {
    let findings = folder.join("findings");
    let database = folder.join(DATABASE);
    if !findings.is_dir() && !database.is_file() {
        return Err(StoreError::Missing { path: folder.to_owned() });
    }
    let lock = crate::store::lock(folder)?;
    let mut repair = Repair { damage: damage(folder)?, ..Repair::default() };
    if repair.damage.is_some() && database.exists() {
        repair.kept = Some(move_away(&database)?);
    }
    let mut store = Store::open_locked(folder, lock)?;
    let known: Vec<String> = store.all_findings()?.into_iter().map(|finding| finding.id).collect();
    for path in folder::all(&findings)? {
        let id = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if known.contains(&id) {
            continue;
        }
        let entered =
            folder::read(&path).and_then(|(finding, ..)| store.enter(&id, &finding, last_change(&path)));
        match entered {
            Ok(()) => repair.restored.push(id),
            Err(error) => repair.unreadable.push((path, error.to_string())),
        }
    }
    Ok((store, repair))
}

/// What is wrong with the database of a folder.
fn damage(folder: &Path) -> Result<Option<String>, StoreError> {
    match Store::open_existing(folder).and_then(|store| store.damage()) {
        Err(StoreError::Missing { .. }) => Ok(Some("it is missing".to_owned())),
        Err(StoreError::Foreign { detail, .. }) => Ok(Some(detail)),
        other => other,
    }
}

/// Renames a database with its log, and returns its new path.
fn move_away(database: &Path) -> Result<PathBuf, StoreError> {
    let name = |number: u32| database.with_extension(format!("db.damaged-{number}"));
    let to = (1..).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(0));
    fs::rename(database, &to).map_err(StoreError::io(database))?;
    for suffix in ["-wal", "-shm"] {
        let of = |path: &Path| PathBuf::from(format!("{}{suffix}", path.display()));
        // Without a log there is nothing to keep.
        let _ = fs::rename(of(database), of(&to));
    }
    Ok(to)
}

/// When a folder was last changed, in milliseconds since 1970.
fn last_change(path: &Path) -> i64 {
    let time = fs::metadata(path).and_then(|data| data.modified()).ok();
    time.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |since| since.as_millis() as i64)
}
