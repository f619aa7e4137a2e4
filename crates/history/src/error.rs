//! Why a collection stops.

use std::io;
use std::path::PathBuf;

/// Why a collection stopped. Everything collected before is kept.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// The server refused a request for good.
    #[error("{url} was refused with status {status}")]
    Refused {
        /// The requested URL.
        url: String,
        /// The HTTP status.
        status: u16,
    },
    /// The server could not be reached, or never answered.
    #[error("cannot fetch {url}: {reason}")]
    Unreachable {
        /// The requested URL.
        url: String,
        /// Why it failed.
        reason: String,
    },
    /// The answer is not what the API promises.
    #[error("unexpected answer from {url}: {reason}")]
    Unexpected {
        /// The requested URL.
        url: String,
        /// What is wrong with the answer.
        reason: String,
    },
    /// The server asks for a longer pause than the limits allow.
    #[error("{url} asks to wait {seconds} s")]
    LongWait {
        /// The requested URL.
        url: String,
        /// The pause, in seconds.
        seconds: u64,
    },
    /// The run reached one of its [limits](crate::Limits).
    #[error("stopped after {count} {unit}")]
    LimitReached {
        /// The limit.
        count: u64,
        /// What it counts.
        unit: &'static str,
    },
    /// A collected file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// A repository is not named as owner/name.
    #[error("`{0}` does not name a repository")]
    Repository(String),
    /// The URL of the API, or an attachment host, is malformed.
    #[error("`{url}` is not a usable address: {reason}")]
    Address {
        /// The address as given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The token holds characters that an HTTP header cannot.
    #[error("the API token is malformed")]
    Token,
    /// The program was built without the feature `collect`.
    #[error("this program was built without `history collect`")]
    NotBuiltIn,
}

impl CollectError {
    /// The next step for the user.
    pub fn hint(&self) -> &'static str {
        match self {
            CollectError::Refused { status: 401, .. } => {
                "the token in GITHUB_TOKEN is not valid: renew it, or unset the variable"
            }
            CollectError::Refused { status: 404, .. } => {
                "check the name of the repository; a private one needs a token in GITHUB_TOKEN"
            }
            CollectError::Refused { .. } => "set GITHUB_TOKEN to a token that may read the repository",
            CollectError::Unreachable { .. } | CollectError::LimitReached { .. } => {
                "run the same command again to continue"
            }
            CollectError::LongWait { .. } => {
                "run the same command again later to continue; a token in GITHUB_TOKEN raises the limit"
            }
            CollectError::Unexpected { .. } => "check that --api names a server with GitHub's API",
            CollectError::Io { .. } => "free disk space, or choose another folder with --out",
            CollectError::Repository(_) => "write it as owner/name, such as Z3Prover/z3",
            CollectError::Address { .. } => {
                "write it as https://HOST or https://HOST:PORT, without a user name"
            }
            CollectError::Token => "check GITHUB_TOKEN: it must be one line of printable ASCII",
            CollectError::NotBuiltIn => {
                "build it with `--features collect`, or copy the formulas into a folder yourself and name it to `history mine`"
            }
        }
    }
}
