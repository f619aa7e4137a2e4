//! Why a solver could not be had, each with what to do about it.

use crate::profile::ProfileError;
use std::fmt;
use std::path::PathBuf;

/// Why a solver could not be installed or found.
#[derive(Debug)]
pub enum InstallError {
    /// No solver of this name is known.
    UnknownSolver {
        /// The name that was asked for.
        name: String,
        /// The names that are known.
        known: Vec<String>,
    },
    /// The specification itself cannot be read.
    BadSpec {
        /// What was written.
        spec: String,
    },
    /// The solver exists but nobody offers the release.
    NoSuchRelease {
        /// The solver.
        name: String,
        /// The release that was asked for.
        release: String,
        /// Releases that can be had, newest first.
        available: Vec<String>,
    },
    /// The release exists, but not as a program for this machine.
    WrongPlatform {
        /// The solver.
        name: String,
        /// The release.
        release: String,
        /// This machine.
        platform: String,
    },
    /// No registry offers the solver: the user must get it.
    NotObtainable {
        /// The solver.
        name: String,
        /// How to get it.
        obtain: String,
    },
    /// The solver is not installed and installing was not allowed.
    NotInstalled {
        /// The specification.
        spec: String,
    },
    /// The package index could not be reached.
    Network {
        /// Who could not reach it (pip or apt).
        tool: &'static str,
        /// Its own last words.
        detail: String,
    },
    /// What arrived is not what was promised.
    Corrupt {
        /// The file.
        file: String,
        /// What is wrong with it.
        detail: String,
    },
    /// A program that the installation needs is missing or too old.
    MissingTool {
        /// The program.
        tool: String,
        /// How to get it.
        help: String,
    },
    /// A program that the installation needs failed for another reason.
    ToolFailed {
        /// What was run.
        command: String,
        /// Its last words.
        detail: String,
    },
    /// The given path is not a solver that can be started.
    BadProgram {
        /// The path.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The program at a path is of no known kind.
    UnknownProgram {
        /// The path.
        path: PathBuf,
    },
    /// A configuration block or file is wrong.
    BadConfig {
        /// Which one.
        place: String,
        /// What is wrong with it.
        detail: String,
    },
    /// A profile is wrong or missing.
    Profile(ProfileError),
    /// A file or folder of the cache could not be read or written.
    Io {
        /// Which one.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

impl InstallError {
    /// An error on the file or folder at `path`.
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> InstallError {
        let path = path.into();
        move |error| InstallError::Io { path, error }
    }

    /// The release exists for machines of other kinds only.
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
                "known solvers are {}; any other program is a path such as ./my-solver, or a `[solver.NAME]` block of elenchus.toml",
                known.join(", ")
            ),
            InstallError::BadSpec { .. } => {
                "write NAME, NAME@RELEASE such as z3@4.8.10, NAME@latest, NAME@path, or a path with a `/`".into()
            }
            InstallError::NoSuchRelease { name, available, .. } if available.is_empty() => {
                format!("no release of {name} is offered to this machine; `elenchus solver doctor` checks pip and apt")
            }
            InstallError::NoSuchRelease { available, .. } => {
                format!("releases that can be had: {}", some_of(available))
            }
            InstallError::WrongPlatform { name, .. } => format!(
                "build {name} from its sources and name the path of the program, or choose another release from `elenchus solver list --available`"
            ),
            InstallError::NotObtainable { obtain, .. } => obtain.clone(),
            InstallError::NotInstalled { spec } => format!("run `elenchus solver install {spec}` first"),
            InstallError::Network { tool: "apt", .. } => {
                "check the network and the sources in /etc/apt/sources.list; `sudo apt-get update` shows whether apt itself works".into()
            }
            InstallError::Network { .. } => {
                "check the network, and pip's own settings for mirrors and proxies with `python3 -m pip config list`; \
                 installed solvers work without a network"
                    .into()
            }
            InstallError::Corrupt { .. } => {
                "try again; if it stays so, clear pip's cache with `python3 -m pip cache purge` and ask whoever runs your package mirror".into()
            }
            InstallError::MissingTool { help, .. } => help.clone(),
            InstallError::ToolFailed { command, .. } => {
                format!("run `{command}` by hand to see all it says; `elenchus solver doctor` checks the rest")
            }
            InstallError::BadProgram { .. } => {
                "give the path of an executable file; `chmod +x` sets the run bit of one".into()
            }
            InstallError::UnknownProgram { path } => format!(
                "say which solver it is in elenchus.toml: `[solver.mine]` with `path = \"{}\"` and `profile = \"z3\"`",
                path.display()
            ),
            InstallError::BadConfig { .. } => {
                "a block looks like `[solver.mine]` with `path`, and optionally `profile`, `args`, `env` and `version`".into()
            }
            InstallError::Profile(_) => {
                "the built-in profiles show what can stand in one; profiles of your own are in ~/.config/elenchus/profiles, in \
                 the folder ELENCHUS_PROFILES, and in `[profile.NAME]` blocks of elenchus.toml"
                    .into()
            }
            InstallError::Io { .. } => {
                "check the folder's permissions and free space; ELENCHUS_CACHE names another folder for solvers".into()
            }
        }
    }
}

/// The first few of a list, with a count of the rest.
fn some_of(items: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown = items[..items.len().min(SHOWN)].join(", ");
    match items.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

impl fmt::Display for InstallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InstallError::UnknownSolver { name, .. } => write!(f, "there is no known solver called `{name}`"),
            InstallError::BadSpec { spec } => write!(f, "`{spec}` does not name a solver"),
            InstallError::NoSuchRelease { name, release, .. } => {
                write!(f, "there is no release {release} of {name} to be had")
            }
            InstallError::WrongPlatform { name, release, platform } => {
                write!(f, "{name} {release} is not offered as a program for this machine ({platform})")
            }
            InstallError::NotObtainable { name, .. } => write!(f, "{name} cannot be installed automatically"),
            InstallError::NotInstalled { spec } => write!(f, "{spec} is not installed"),
            InstallError::Network { tool, detail } => {
                write!(f, "{tool} could not reach its package index: {detail}")
            }
            InstallError::Corrupt { file, detail } => write!(f, "{file} is corrupt: {detail}"),
            InstallError::MissingTool { tool, .. } => write!(f, "{tool} is needed and was not found"),
            InstallError::ToolFailed { command, detail } => write!(f, "`{command}` failed: {detail}"),
            InstallError::BadProgram { path, detail } => write!(f, "{}: {detail}", path.display()),
            InstallError::UnknownProgram { path } => {
                write!(f, "{} is none of the solvers that Elenchus knows", path.display())
            }
            InstallError::BadConfig { place, detail } => write!(f, "{place} is wrong: {detail}"),
            InstallError::Profile(error) => write!(f, "{error}"),
            InstallError::Io { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for InstallError {}

impl From<ProfileError> for InstallError {
    fn from(error: ProfileError) -> InstallError {
        InstallError::Profile(error)
    }
}
