//! Errors of the folder of a campaign.

use case::Hinted;
use std::io;
use std::path::{Path, PathBuf};

/// Why something could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder is not writable.
    #[error("{} is not writable", .path.display())]
    ReadOnly {
        /// The file or folder.
        path: PathBuf,
    },
    /// The disk, or the user's quota, is full.
    #[error("no space left to write {}", .path.display())]
    Full {
        /// The file or folder.
        path: PathBuf,
    },
    /// The file belongs to another program, or is damaged.
    #[error("{} was not written by elenchus, or is damaged: {detail}", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// Another version wrote the file in a format that this one does not read.
    #[error("{} has format {found}, this version reads format {expected}", .path.display())]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u64,
        /// The format that this version reads.
        expected: u64,
    },
    /// A newer version of this program wrote the database.
    #[error("{} has layout {version}, which a newer version of elenchus wrote", .path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// The version of its layout.
        version: i64,
    },
    /// Another process fuzzes into the same folder.
    #[error("another campaign is writing to {}", .path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// There is no campaign in the folder.
    #[error("there is no campaign in {}", .path.display())]
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// The database is gone, but not the findings.
    #[error("{} is missing or empty, but there are findings beside it", .path.display())]
    Lost {
        /// The file.
        path: PathBuf,
    },
    /// Somebody removed or replaced the folder while a campaign wrote to it.
    #[error("{} was removed or replaced while the campaign ran", .path.display())]
    Removed {
        /// The file.
        path: PathBuf,
    },
    /// No finding, or more than one, has this name.
    #[error("{}", no_such_finding(.id, .candidates))]
    NoSuchFinding {
        /// The name.
        id: String,
        /// The findings that it may refer to.
        candidates: Vec<String>,
    },
    /// Any other problem with a file.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// Any other problem with the database.
    #[error("{}: {detail}", .path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// The message of the database.
        detail: String,
    },
}

fn no_such_finding(id: &str, candidates: &[String]) -> String {
    match candidates {
        [] => format!("there is no finding `{id}`"),
        _ => format!("`{id}` names more than one finding"),
    }
}

impl StoreError {
    /// The error for a problem with the file at `path`.
    pub(crate) fn io(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> StoreError {
        move |error| {
            let path = path.as_ref().to_owned();
            match error.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    StoreError::ReadOnly { path }
                }
                io::ErrorKind::StorageFull
                | io::ErrorKind::QuotaExceeded
                | io::ErrorKind::FileTooLarge
                | io::ErrorKind::WriteZero => StoreError::Full { path },
                _ => StoreError::Io { path, error },
            }
        }
    }

    /// The error for a problem with the database at `path`.
    pub(crate) fn sql(path: &Path) -> impl Fn(rusqlite::Error) -> StoreError + '_ {
        move |error| {
            use rusqlite::ErrorCode::{CannotOpen, DiskFull, NotADatabase, PermissionDenied, ReadOnly};
            use rusqlite::ErrorCode::{DatabaseCorrupt, FileLockingProtocolFailed, SystemIoFailure};
            let path = path.to_owned();
            let detail = error.to_string();
            match error.sqlite_error_code() {
                Some(DiskFull | SystemIoFailure | ReadOnly) if !path.exists() => {
                    StoreError::Removed { path: path.parent().unwrap_or(&path).to_owned() }
                }
                // A limit on file sizes shows as a failed write. It has the same remedy as a full disk.
                Some(DiskFull | SystemIoFailure) => StoreError::Full { path },
                Some(ReadOnly | PermissionDenied | CannotOpen | FileLockingProtocolFailed) => {
                    StoreError::ReadOnly { path }
                }
                Some(NotADatabase | DatabaseCorrupt) => StoreError::Foreign { path, detail },
                _ => StoreError::Database { path, detail },
            }
        }
    }
}

impl Hinted for StoreError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            StoreError::ReadOnly { .. } => {
                "choose a writable folder with --out DIR, or change its permissions".into()
            }
            StoreError::Full { .. } => "free some space, or choose a folder on another disk with --out DIR; \
                 findings so far are safe, and --resume continues from there"
                .into(),
            StoreError::Foreign { path, .. } => format!(
                "`elenchus doctor --out {}` rebuilds the database from the findings/ folder beside it; or choose another folder",
                path.parent().unwrap_or(path).display()
            ),
            StoreError::Lost { path } => {
                format!("`elenchus doctor --out {}` rebuilds it", path.parent().unwrap_or(path).display())
            }
            StoreError::Removed { .. } => {
                "start a new campaign; what was found before is gone with the folder".into()
            }
            StoreError::OtherFormat { .. } => {
                "start a new campaign with another --out DIR, or use the version of elenchus that wrote it"
                    .into()
            }
            StoreError::TooNew { .. } => {
                "use the newer version of elenchus, or another folder with --out DIR".into()
            }
            StoreError::Busy { .. } => {
                "wait until it ends, stop it, or choose another folder with --out DIR".into()
            }
            StoreError::Missing { .. } => {
                "`elenchus fuzz` starts a campaign; --out DIR names the folder of an older one".into()
            }
            StoreError::NoSuchFinding { candidates, .. } if candidates.is_empty() => {
                "`elenchus findings` lists them".into()
            }
            StoreError::NoSuchFinding { candidates, .. } => format!("write one of {}", candidates.join(", ")),
            StoreError::Io { .. } | StoreError::Database { .. } => {
                "check the folder, or choose another one with --out DIR".into()
            }
        })
    }
}
