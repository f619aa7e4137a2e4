//! Why a solver is not available, and what to do about it.

use crate::profile::ProfileError;
use std::path::PathBuf;

/// Why a solver could not be installed or found.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// No known solver has this name.
    #[error("no known solver is called `{name}`")]
    UnknownSolver {
        /// The requested name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// The specification is malformed.
    #[error("`{spec}` does not name a solver")]
    BadSpec {
        /// The specification.
        spec: String,
    },
    /// No source offers the release.
    #[error("release {release} of {name} is not available")]
    NoSuchRelease {
        /// The solver.
        name: String,
        /// The requested release.
        release: String,
        /// The available releases, newest first.
        available: Vec<String>,
    },
    /// The release exists for other platforms only.
    #[error("{name} {release} is not available for this machine ({platform})")]
    WrongPlatform {
        /// The solver.
        name: String,
        /// The release.
        release: String,
        /// This machine.
        platform: String,
    },
    /// No registry has the solver: the user must get it.
    #[error("{name} cannot be installed automatically")]
    NotObtainable {
        /// The solver.
        name: String,
        /// How to get it.
        obtain: String,
    },
    /// The solver is not installed, and the settings do not allow installing it.
    #[error("{spec} is not installed")]
    NotInstalled {
        /// The specification.
        spec: String,
    },
    /// The package index did not answer.
    #[error("{tool} could not reach its package index: {detail}")]
    Network {
        /// The package manager, pip or apt.
        tool: &'static str,
        /// Its last message.
        detail: String,
    },
    /// A download is damaged.
    #[error("{file} is corrupt: {detail}")]
    Corrupt {
        /// The file.
        file: String,
        /// What is wrong with it.
        detail: String,
    },
    /// A program that the installation needs is missing or too old.
    #[error("cannot find {tool}, which the installation needs")]
    MissingTool {
        /// The program.
        tool: String,
        /// How to get it.
        help: String,
    },
    /// A program that the installation needs failed.
    #[error("`{command}` failed: {detail}")]
    ToolFailed {
        /// The command.
        command: String,
        /// Its last message.
        detail: String,
    },
    /// The path is not a solver that can be started.
    #[error("{}: {detail}", path.display())]
    BadProgram {
        /// The path.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The program is not a known solver.
    #[error("{} is not a solver that Elenchus knows", path.display())]
    UnknownProgram {
        /// The path.
        path: PathBuf,
    },
    /// The configuration is invalid.
    #[error("{location} is invalid: {detail}")]
    BadConfig {
        /// The file or block.
        location: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The caller has stopped the installation.
    #[error("the installation was stopped")]
    Cancelled,
    /// A profile is invalid or missing.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// A file or folder cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
}

impl InstallError {
    /// An error on the file or folder at `path`.
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> InstallError {
        let path = path.into();
        move |error| InstallError::Io { path, error }
    }

    /// The release exists for other platforms only.
    pub(crate) fn wrong_platform(name: &str, release: &str) -> InstallError {
        InstallError::WrongPlatform {
            name: name.to_owned(),
            release: release.to_owned(),
            platform: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
        }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> String {
        match self {
            InstallError::UnknownSolver { known, .. } => format!(
                "the known solvers are {}; name any other program by its path, such as ./my-solver, or in a `[solver.NAME]` block of elenchus.toml",
                known.join(", ")
            ),
            InstallError::BadSpec { .. } => {
                "write NAME, NAME@RELEASE such as z3@4.8.10, NAME@latest, NAME@path, or a path with a `/`".into()
            }
            InstallError::NoSuchRelease { name, available, .. } if available.is_empty() => {
                format!("no release of {name} is available for this machine; `elenchus solver doctor` checks pip and apt")
            }
            InstallError::NoSuchRelease { available, .. } => {
                format!("available releases: {}", some_of(available))
            }
            InstallError::WrongPlatform { name, .. } => format!(
                "build {name} from source and give the path of the program, or choose a release from `elenchus solver list --available`"
            ),
            InstallError::NotObtainable { obtain, .. } => obtain.clone(),
            InstallError::NotInstalled { spec } => format!("run `elenchus solver install {spec}` first"),
            InstallError::Network { tool: "apt", .. } => {
                "check the network and the sources in /etc/apt/sources.list; `sudo apt-get update` shows whether apt itself works".into()
            }
            InstallError::Network { .. } => {
                "check the network, and pip's settings for mirrors and proxies with `python3 -m pip config list`; \
                 installed solvers work without a network"
                    .into()
            }
            InstallError::Corrupt { .. } => {
                "try again; if that does not help, clear pip's cache with `python3 -m pip cache purge`, or check your package mirror".into()
            }
            InstallError::MissingTool { help, .. } => help.clone(),
            InstallError::ToolFailed { command, .. } => {
                format!("run `{command}` by hand to see its output; `elenchus solver doctor` checks everything else")
            }
            InstallError::BadProgram { .. } => {
                "give the path of an executable file; `chmod +x FILE` makes a file executable".into()
            }
            InstallError::UnknownProgram { path } => format!(
                "say which solver it is in elenchus.toml: `[solver.mine]` with `path = \"{}\"` and `profile = \"z3\"`",
                path.display()
            ),
            InstallError::BadConfig { .. } => {
                "a solver is a block `[solver.mine]` with `path`, and optionally `profile`, `args`, `env`, `version` and `coverage`".into()
            }
            InstallError::Cancelled => "run it again; nothing is left of it".into(),
            InstallError::Profile(_) => {
                "see the built-in profiles for examples; your own are in ~/.config/elenchus/profiles, in the folder \
                 ELENCHUS_PROFILES, and in `[profile.NAME]` blocks of elenchus.toml"
                    .into()
            }
            InstallError::Io { .. } => {
                "check the permissions and free space of the folder; set ELENCHUS_CACHE to use another one".into()
            }
        }
    }
}

/// The first items of a list, and the number of the others.
fn some_of(items: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown = items[..items.len().min(SHOWN)].join(", ");
    match items.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
