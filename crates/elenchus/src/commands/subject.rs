//! The arguments that name the script or finding of `reduce`, `bisect`, `known` and `report`.

use crate::commands::place::PlaceArgs;
use crate::outcome::Failure;
use campaign::config::{DEFAULT_OUT, time_limit};
use campaign::place::Place;
use case::Predicate;
use case::files::read_text;
use clap::Args;
use solver::run::Limits;
use std::path::Path;
use std::time::Duration;
use triage::{Subject, Version};

/// Arguments that name a script or a finding.
#[derive(Args, Clone)]
pub struct SubjectArgs {
    /// Script, or name of a finding
    #[arg(value_name = "FILE|ID")]
    pub subject: Option<String>,
    /// What the script must show, such as 'z3@4.8.10 says unsat, cvc5 says sat'
    #[arg(long = "keep", value_name = "CLAIMS")]
    pub predicate: Option<String>,
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Time limit for each run, such as 2s or 500ms
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = time_limit)]
    pub timeout: Duration,
}

impl SubjectArgs {
    /// Opens the campaign of the finding. A script needs no store.
    pub fn open(&self) -> Result<Place, Failure> {
        match self.subject.as_deref().is_some_and(|subject| Path::new(subject).is_file()) {
            true => Ok(Place::folder(self.place.out.clone().unwrap_or_else(|| DEFAULT_OUT.into()))),
            false => self.place.open(),
        }
    }

    /// Reads the script and what it must show.
    pub fn read(&self, place: &Place, version: Version) -> Result<Subject, Failure> {
        let keep = self.predicate.as_deref().map(Predicate::parse).transpose()?;
        let subject = self.name()?;
        let path = Path::new(subject);
        if path.is_file() {
            let predicate = keep.ok_or_else(|| {
                Failure::new("a script needs --keep")
                    .hint("say what it shows, such as --keep 'z3@4.8.10 says unsat, cvc5 says sat', or name a finding")
            })?;
            return Ok(Subject::of_script(read_text(path)?, predicate, subject));
        }
        if subject.contains('/') || subject.ends_with(".smt2") {
            return Err(Failure::new(format!("no such file: {subject}")).hint("check the path"));
        }
        Ok(Subject::of_finding(place.path(), subject, version, keep)?)
    }

    /// The script or the finding, as the user names it.
    pub fn name(&self) -> Result<&str, Failure> {
        self.subject.as_deref().ok_or_else(|| {
            Failure::new("no script and no finding is named")
                .hint("name a script, or a finding as `elenchus findings` lists it")
        })
    }

    /// The limits of a run of the whole script.
    pub fn limits(&self) -> Limits {
        limits(self.timeout)
    }
}

/// The usual limits with this time limit.
pub fn limits(wall: Duration) -> Limits {
    Limits { wall, ..Limits::default() }
}
