//! What can go wrong with the folder of a campaign, in terms a person can act on.

use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Why something could not be kept or found.
#[derive(Debug)]
pub enum StoreError {
    /// The folder may not be written.
    ReadOnly {
        /// The file or folder.
        path: PathBuf,
    },
    /// The disk, or the user's share of it, is full.
    Full {
        /// The file or folder.
        path: PathBuf,
    },
    /// The database file belongs to another program, or is damaged.
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The database was written by a newer version of this program.
    TooNew {
        /// The file.
        path: PathBuf,
        /// The version of its layout.
        version: i64,
    },
    /// Another process fuzzes into the same folder.
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// There is no campaign in the folder.
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// No finding, or more than one, has this name.
    NoSuchFinding {
        /// What was asked for.
        id: String,
        /// The findings that begin like it.
        candidates: Vec<String>,
    },
    /// Any other trouble with a file.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Any other trouble with the database.
    Database {
        /// The file.
        path: PathBuf,
        /// What the database says.
        detail: String,
    },
}

impl StoreError {
    /// The error for trouble with the file at `path`.
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

    /// The error for trouble with the database at `path`.
    pub(crate) fn sql(path: &Path) -> impl Fn(rusqlite::Error) -> StoreError + '_ {
        move |error| {
            use rusqlite::ErrorCode::{CannotOpen, DiskFull, NotADatabase, PermissionDenied, ReadOnly};
            use rusqlite::ErrorCode::{DatabaseCorrupt, FileLockingProtocolFailed, SystemIoFailure};
            let path = path.to_owned();
            let detail = error.to_string();
            match error.sqlite_error_code() {
                // A limit on the size of files shows as a failed write, which is a full disk for all that matters here.
                Some(DiskFull | SystemIoFailure) => StoreError::Full { path },
                Some(ReadOnly | PermissionDenied | CannotOpen | FileLockingProtocolFailed) => {
                    StoreError::ReadOnly { path }
                }
                Some(NotADatabase | DatabaseCorrupt) => StoreError::Foreign { path, detail },
                _ => StoreError::Database { path, detail },
            }
        }
    }

    /// What a person can do about it.
    pub fn hint(&self) -> String {
        match self {
            StoreError::ReadOnly { .. } => {
                "choose a folder that can be written with --out DIR, or change its permissions".into()
            }
            StoreError::Full { .. } => "free some space, or choose a folder on another disk with --out DIR; \
                 what was found so far is kept and --resume goes on from there"
                .into(),
            StoreError::Foreign { path, .. } => format!(
                "choose another folder with --out DIR, or move {} away: the findings/ folder beside it stays readable",
                path.display()
            ),
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
                "`elenchus findings` lists what there is".into()
            }
            StoreError::NoSuchFinding { candidates, .. } => format!("write one of {}", candidates.join(", ")),
            StoreError::Io { .. } | StoreError::Database { .. } => {
                "check the folder, or choose another one with --out DIR".into()
            }
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::ReadOnly { path } => write!(f, "{} cannot be written", path.display()),
            StoreError::Full { path } => write!(f, "no space left to write {}", path.display()),
            StoreError::Foreign { path, detail } => {
                write!(f, "{} is not a database of elenchus: {detail}", path.display())
            }
            StoreError::TooNew { path, version } => {
                write!(f, "{} has layout {version}, which this version does not know", path.display())
            }
            StoreError::Busy { path } => write!(f, "another campaign is writing to {}", path.display()),
            StoreError::Missing { path } => write!(f, "there is no campaign in {}", path.display()),
            StoreError::NoSuchFinding { id, candidates } if candidates.is_empty() => {
                write!(f, "there is no finding `{id}`")
            }
            StoreError::NoSuchFinding { id, .. } => write!(f, "`{id}` names more than one finding"),
            StoreError::Io { path, error } => write!(f, "{}: {error}", path.display()),
            StoreError::Database { path, detail } => write!(f, "{}: {detail}", path.display()),
        }
    }
}

impl std::error::Error for StoreError {}
