//! Why a campaign cannot be set up.

use super::units::time_text;
use crate::oracles::Variation;
use case::files::FileError;
use case::{Hinted, Statement};
use falcon::learn::CorrelationsError;
use solver::install::InstallError;
use solver::{CheckerError, RunError};
use std::io;
use std::path::PathBuf;
use store::StoreError;
use strategies::StrategyError;
use strategies::histfuzz::FormatError;
use thiserror::Error;

/// Why a campaign cannot be set up.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The configuration file cannot be read.
    #[error("cannot read {}: {error}", .file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The configuration file is invalid.
    #[error("{} is not a valid configuration: {error}", .file.display())]
    Invalid {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        error: Box<toml::de::Error>,
    },
    /// A file that people share and keep has a password.
    #[error("{} has the password of {url}", .file.display())]
    Password {
        /// The file.
        file: PathBuf,
        /// The URL without the password.
        url: String,
    },
    /// There is no such strategy, or it has no such variant or setting.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// An external generator printed no usable script.
    #[error("{name} printed no usable script in {}\n{problem}", case::table::counted(*.runs, "run"))]
    Generator {
        /// The strategy.
        name: String,
        /// How often it ran.
        runs: usize,
        /// The first problem.
        problem: String,
        /// The command of the last run.
        last: String,
    },
    /// This machine cannot run a program.
    #[error(transparent)]
    Run(#[from] RunError),
    /// No solver prints proofs that the checker reads.
    #[error("none of the solvers prints proofs that `{0}` checks")]
    NoProofs(String),
    /// The command that is to check proofs cannot.
    #[error(transparent)]
    Checker(#[from] CheckerError),
    /// There is no such oracle.
    #[error("there is no oracle `{0}`")]
    Oracle(String),
    /// There is no such variant of histfuzz.
    #[error("{0}")]
    Variant(String),
    /// A history library cannot be read.
    #[error("cannot read {}: {error}", .file.display())]
    UnreadableLibrary {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A history library is malformed.
    #[error("{} is not a history library: {error}", .file.display())]
    InvalidLibrary {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        error: FormatError,
    },
    /// A history library has no skeletons.
    #[error("the history library is empty")]
    EmptyLibrary,
    /// The variant `n` needs skeletons of ordinary formulas.
    #[error("the history library has no skeletons of ordinary formulas")]
    NoNormalSkeletons,
    /// There is nothing to resume.
    #[error("no campaign to resume in {}", .0.display())]
    NothingToResume(PathBuf),
    /// The time limit of the campaign to resume is used up, in milliseconds.
    #[error("the campaign has reached its limit of {}", time_text(*.0))]
    TimeUsed(u64),
    /// The limit on cases of the campaign to resume is used up.
    #[error("the campaign has reached its limit of {}", case::table::counted(*.0, "case"))]
    CasesUsed(u64),
    /// The campaign to resume goes on in a common store.
    #[error("the last campaign in this folder was a part of {0}")]
    Shared(String),
    /// Some settings cannot be changed by resuming.
    #[error("a resumed campaign keeps its seeds, strategies and random seed")]
    Fixed,
    /// The stored settings cannot be read.
    #[error("cannot read the settings of the campaign: {0}")]
    Settings(serde_json::Error),
    /// A signature file is invalid, as shown.
    #[error("invalid signature file\n{0}")]
    Signatures(String),
    /// A campaign or a finding was made with other signature files.
    #[error("{owner} was made with {made_with}, not with the files of --signatures")]
    OtherSignatures {
        /// The campaign or the finding.
        owner: String,
        /// Its files.
        made_with: String,
    },
    /// Operators were used before the signature files were loaded.
    #[error("the signature files come too late: operators are in use already")]
    LateSignatures,
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A solver cannot be found or installed.
    #[error(transparent)]
    Install(#[from] InstallError),
    /// A correlations file cannot be used.
    #[error(transparent)]
    Correlations(#[from] CorrelationsError),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Hinted for ConfigError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            ConfigError::Unreadable { .. } | ConfigError::Invalid { .. } => {
                "`elenchus init FILE` writes a configuration file that explains every setting".to_owned()
            }
            ConfigError::Strategy(StrategyError::Technique(_)) => format!(
                "choose among {}, or NAME+valfuzz (`elenchus strategy list`)",
                strategies::names().collect::<Vec<_>>().join(", ")
            ),
            ConfigError::Strategy(StrategyError::Command { .. }) => {
                "write it as in --strategy \"command:'./gen --seed {seed}'\" (docs/command.md)".to_owned()
            }
            ConfigError::Generator { last, .. } => format!(
                "run `{last}` yourself; `elenchus check` says whether a script is well-typed (docs/command.md)"
            ),
            ConfigError::Password { .. } => {
                "leave it out, and keep it in ~/.pgpass or in the environment variable PGPASSWORD".to_owned()
            }
            ConfigError::Run(error) => error.hint().to_owned(),
            ConfigError::Strategy(error) => {
                format!("`elenchus strategy show {}` lists all", error.technique())
            }
            ConfigError::Checker(error) => return error.hint(),
            ConfigError::NoProofs(_) => {
                "add one that does: `elenchus oracle list` names them (docs/proofs.md)".to_owned()
            }
            ConfigError::Oracle(_) => {
                let variations = Variation::ALL.map(Variation::name);
                let names: Vec<&str> =
                    Statement::ALL.map(Statement::name).into_iter().chain(variations).collect();
                format!("choose among {} and none (`elenchus oracle list`)", names.join(", "))
            }
            ConfigError::Variant(_) => "choose among full, r and n (docs/histfuzz.md)".to_owned(),
            ConfigError::UnreadableLibrary { .. } => "check the path and its permissions".to_owned(),
            ConfigError::InvalidLibrary { .. } => "write it again with `elenchus history mine`".to_owned(),
            ConfigError::EmptyLibrary => {
                "mine it from well-formed formulas: elenchus history mine FORMULAS".to_owned()
            }
            ConfigError::NoNormalSkeletons => {
                "mine it with ordinary formulas: elenchus history mine FORMULAS --normal FOLDER".to_owned()
            }
            ConfigError::NothingToResume(_) => "leave out --resume to start a campaign".to_owned(),
            ConfigError::Shared(_) => {
                "name the store with --store, and the campaign with --campaign".to_owned()
            }
            ConfigError::TimeUsed(limit) => {
                let limit = time_text(*limit);
                format!("to continue for {limit}: `elenchus fuzz --resume --time {limit}`")
            }
            ConfigError::CasesUsed(limit) => {
                let more = (*limit).max(1);
                format!(
                    "to run {} more: `elenchus fuzz --resume --cases {more}`",
                    case::table::counted(more, "case")
                )
            }
            ConfigError::Fixed => "leave them out, or start a new campaign without --resume".to_owned(),
            ConfigError::Settings(_) => {
                "start a new campaign without --resume; all findings are kept".to_owned()
            }
            ConfigError::Signatures(_) => "docs/signatures.md describes the format".to_owned(),
            ConfigError::OtherSignatures { .. } => {
                "leave out --signatures: the files of the campaign are stored with it".to_owned()
            }
            ConfigError::LateSignatures => "give them with --signatures on the command line".to_owned(),
            ConfigError::File(error) => return error.hint(),
            ConfigError::Install(error) => return Hinted::hint(error),
            ConfigError::Correlations(error) => return error.hint(),
            ConfigError::Store(error) => return error.hint(),
        })
    }
}
