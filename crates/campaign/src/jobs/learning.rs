//! Learns which options of a solver matter to which operations, for all machines of a campaign.

use super::steps::{Done, Stage, StepError};
use crate::place::CommonPlace;
use case::Hinted;
use case::table::counted;
use falcon::Correlations;
use falcon::learn::{CorrelationsError, LearnPlan, learn};
use falcon::present::correlated;
use serde::{Deserialize, Serialize};
use solver::Target;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use store::StoreError;
use store::shared::Job;
use triage::{SolverSource, TriageError};

/// The kind of the documents with correlations. Their name is the id of the release.
const DOCUMENT: &str = "correlations";
/// How long to learn, unless the job says otherwise, in milliseconds.
const TIME: u64 = 600_000;

/// What to learn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LearnDetail {
    /// How long, in milliseconds; ten minutes if it does not say.
    pub time: Option<u64>,
    /// The seed of all random choices; the number of the job if it does not say, so that no two machines learn the same.
    pub seed: Option<u64>,
    /// The operations; all if empty.
    pub operations: Vec<String>,
    /// Parts of the names of the options; all if empty.
    pub options: Vec<String>,
}

/// Why learning for all machines failed.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// Learning failed.
    #[error(transparent)]
    Learn(#[from] falcon::learn::LearnError),
    /// The correlations cannot be read or merged.
    #[error(transparent)]
    Correlations(#[from] CorrelationsError),
    /// The common store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Hinted for LearnError {
    fn hint(&self) -> Option<String> {
        match self {
            LearnError::Learn(error) => error.hint(),
            LearnError::Correlations(error) => error.hint(),
            LearnError::Store(error) => error.hint(),
        }
    }
}

impl CommonPlace {
    /// The file in the mirror with what all machines have learned about a release.
    fn correlations_file(&self, solver: &str) -> PathBuf {
        self.mirror.folder().join(format!("correlations-{}.json", solver.replace('/', "_")))
    }

    /// Fetches what all machines have learned about a release. The file exists if they have learned anything.
    pub fn fetch_correlations(&mut self, solver: &str) -> Result<PathBuf, LearnError> {
        let file = self.correlations_file(solver);
        if let Some(found) = self.shared.document(self.mirror.campaign().id, DOCUMENT, solver)? {
            write(&file, &found.body)?;
        }
        Ok(file)
    }

    /// Adds what was learned about a release to what all machines have learned. Returns all of it.
    pub fn add_correlations(&mut self, learned: &Correlations) -> Result<Correlations, LearnError> {
        let file = self.correlations_file(&learned.solver);
        let mut all = Correlations::new(&learned.solver);
        self.change_document::<LearnError>(DOCUMENT, &learned.solver, &mut |body| {
            all = match body {
                Some(body) => {
                    write(&file, body)?;
                    Correlations::open(&file, &learned.solver)?
                }
                None => Correlations::new(&learned.solver),
            };
            all.merge(learned)?;
            all.write(&file)?;
            let text = serde_json::to_vec(&all);
            Ok(text.map_err(|error| CorrelationsError::Io(file.clone(), error.into()))?)
        })?;
        Ok(all)
    }
}

fn write(file: &Path, body: &[u8]) -> Result<(), CorrelationsError> {
    std::fs::write(file, body).map_err(|error| CorrelationsError::Io(file.to_owned(), error))
}

/// Learns about a solver. Returns what is new: what others have learned counts once.
pub fn learn_apart(
    target: &Target,
    source: &dyn SolverSource,
    detail: LearnDetail,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Correlations),
) -> Result<Correlations, LearnError> {
    let plan = LearnPlan {
        time: Duration::from_millis(detail.time.unwrap_or(TIME)),
        seed: detail.seed.unwrap_or(1),
        ..LearnPlan::new(target, source.settings(), &detail.options, detail.operations)?
    };
    let mut learned = Correlations::new(&target.id);
    learn(&plan, &mut learned, stop, progress)?;
    Ok(learned)
}

impl Stage<'_> {
    /// Learns about a solver.
    pub(super) fn learn(&mut self, job: &Job) -> Result<Done, StepError> {
        let detail: LearnDetail = serde_json::from_str(&job.detail).unwrap_or_default();
        let target = self.source.resolve(&job.subject).map_err(TriageError::from)?;
        let detail = LearnDetail { seed: detail.seed.or(Some(job.id.unsigned_abs())), ..detail };
        let learned = learn_apart(&target, self.source, detail, self.ended, &mut |_| {})?;
        // Whoever does the job again learns the same.
        if self.has_ended() {
            return Err(StepError::Stopped);
        }
        let all = self.place.add_correlations(&learned)?;
        Ok(Done::last(format!(
            "{}: learned from {}; {} of operation and option in all",
            target.id,
            counted(learned.formulas, "formula"),
            counted(correlated(&all, 0.0).len(), "correlated pair")
        )))
    }
}

impl From<LearnError> for StepError {
    fn from(error: LearnError) -> StepError {
        match error {
            LearnError::Store(error) => StepError::from(error),
            error => StepError::Failed(error.to_string()),
        }
    }
}
