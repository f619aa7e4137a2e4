//! The arguments that say what `reduce`, `bisect`, `known` and `report` work on.

use crate::files::read_text;
use crate::outcome::Failure;
use case::Predicate;
use clap::Args;
use solver::run::Limits;
use std::path::{Path, PathBuf};
use std::time::Duration;
use triage::{Subject, Version};

/// Arguments that say what to work on.
#[derive(Args, Clone)]
pub struct SubjectArgs {
    /// A script, or the name of a finding
    #[arg(value_name = "FILE|ID")]
    pub subject: String,
    /// What the script must go on showing, such as 'z3@4.8.10 says unsat, cvc5 says sat'
    #[arg(long = "keep", value_name = "CLAIMS")]
    pub predicate: Option<String>,
    /// The campaign's folder
    #[arg(long, value_name = "DIR", default_value = crate::commands::fuzz::DEFAULT_OUT)]
    pub out: PathBuf,
    /// Time limit for a run of the whole script, in seconds
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS")]
    pub timeout: f64,
}

impl SubjectArgs {
    /// Reads the script and what it must show.
    pub fn read(&self, version: Version) -> Result<Subject, Failure> {
        let keep = self.predicate.as_deref().map(Predicate::parse).transpose()?;
        let path = Path::new(&self.subject);
        if path.is_file() {
            let predicate = keep.ok_or_else(|| {
                Failure::new("a script needs --keep, which says what it shows")
                    .hint("add --keep 'z3@4.8.10 says unsat, cvc5 says sat', or name a finding")
            })?;
            return Ok(Subject::of_script(read_text(path)?, predicate, self.subject.clone()));
        }
        if self.subject.contains('/') || self.subject.ends_with(".smt2") {
            return Err(Failure::new(format!("there is no file {}", self.subject)).hint("check the path"));
        }
        Ok(Subject::of_finding(&self.out, &self.subject, version, keep)?)
    }

    /// The limits of a run of the whole script.
    pub fn limits(&self) -> Result<Limits, Failure> {
        limits(self.timeout)
    }
}

/// The usual limits with a time limit in seconds.
pub fn limits(seconds: f64) -> Result<Limits, Failure> {
    let wall = Duration::try_from_secs_f64(seconds).ok().filter(|wall| !wall.is_zero());
    let wall = wall.ok_or_else(|| {
        Failure::new(format!("{seconds} is not a time limit")).hint("give seconds, such as 2.5")
    })?;
    Ok(Limits { wall, ..Limits::default() })
}
