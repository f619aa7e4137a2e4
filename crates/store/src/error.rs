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
    /// The URL of a common store cannot be used.
    #[error("`{url}` is not the URL of a store: {detail}")]
    BadUrl {
        /// The URL without its password.
        url: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The program was built without PostgreSQL.
    #[error("this build of elenchus has no PostgreSQL")]
    NoPostgres,
    /// A common store cannot be reached now.
    #[error("{store} cannot be reached: {detail}")]
    Unreachable {
        /// Its URL without the password.
        store: String,
        /// The reason.
        detail: String,
    },
    /// A common store does not let this user in, or not do this.
    #[error("{store} refuses: {detail}")]
    Refused {
        /// Its URL without the password.
        store: String,
        /// The reason.
        detail: String,
    },
    /// A newer version of this program has changed the layout of a common store.
    #[error(
        "{store} has layout {found}, which a newer version of elenchus made; this one knows layout {known}"
    )]
    NewerStore {
        /// Its URL without the password.
        store: String,
        /// Its layout.
        found: i64,
        /// The newest layout that this program knows.
        known: i64,
    },
    /// A common store is not set up for this version, and this user may not do that.
    #[error("{store} is not set up for this version of elenchus: {detail}")]
    OlderStore {
        /// Its URL without the password.
        store: String,
        /// What is missing.
        detail: String,
    },
    /// A common store does not have a campaign or process.
    #[error("{store} has no {what}")]
    Absent {
        /// Its URL without the password.
        store: String,
        /// What it does not have.
        what: String,
    },
    /// A campaign cannot be copied to where there is one with its name.
    #[error("there is a campaign `{name}` already")]
    Taken {
        /// The name.
        name: String,
    },
    /// The copy of a campaign ends before its end.
    #[error("the campaign is incomplete, so nothing was written")]
    Incomplete,
    /// Any other problem with a common store.
    #[error("{store}: {detail}")]
    Server {
        /// Its URL without the password.
        store: String,
        /// Its message.
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
    /// Whether trying again cannot help before somebody changes something.
    pub fn is_lasting(&self) -> bool {
        matches!(
            self,
            StoreError::Foreign { .. }
                | StoreError::OtherFormat { .. }
                | StoreError::TooNew { .. }
                | StoreError::BadUrl { .. }
                | StoreError::NoPostgres
                | StoreError::Refused { .. }
                | StoreError::NewerStore { .. }
                | StoreError::OlderStore { .. }
                | StoreError::Absent { .. }
        )
    }

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
            StoreError::BadUrl { .. } => {
                "write postgres://user@host/database, or sqlite:PATH for the processes of one machine".into()
            }
            StoreError::NoPostgres => "build it with `cargo install elenchus --features postgres`".into(),
            StoreError::Unreachable { .. } => {
                "check the host, the port and the network; `elenchus store status` tries again".into()
            }
            StoreError::Refused { .. } => {
                "check the user, the password (PGPASSWORD, or ~/.pgpass if only you may read it) and the roles of the database".into()
            }
            StoreError::NewerStore { .. } => "use the newer version of elenchus".into(),
            StoreError::OlderStore { .. } => {
                "run `elenchus store migrate` as the owner of the database".into()
            }
            StoreError::Absent { .. } => "`elenchus store status` lists the campaigns".into(),
            StoreError::Taken { .. } => "choose another store".into(),
            StoreError::Incomplete => "try again".into(),
            StoreError::Server { .. } => "the log of the database server may say more".into(),
            StoreError::Io { .. } | StoreError::Database { .. } => {
                "check the folder, or choose another one with --out DIR".into()
            }
        })
    }
}
