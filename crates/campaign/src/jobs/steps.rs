//! What is done about a finding: it is reduced and merged, its releases are tested, and it is reported.

use super::JobLimits;
use crate::member_statistics::MemberStatistics;
use crate::place::CommonPlace;
use crate::present::text::triaged_line;
use serde::Deserialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use store::shared::{Job, NewJob, WorkKind};
use store::{Listed, Store, StoreError};
use triage::automatic::{REPORT, TriagedFinding, merge_alike, record_triaged, triage_finding};
use triage::releases::{Effort, Releases, bisect};
use triage::report::{Format, ReportSettings, report};
use triage::{SolverSource, Subject, TriageError, Version};

/// How long to try to deliver a result, and the pause between two attempts.
const PATIENCE: Duration = Duration::from_secs(15 * 60);
const PAUSE: Duration = Duration::from_secs(5);

/// Why a step did not end well.
pub enum StepError {
    /// The caller wants no more, or another process has the job.
    Stopped,
    /// It failed for this reason.
    Failed(String),
    /// The result could not be delivered.
    Store(StoreError),
}

impl From<TriageError> for StepError {
    fn from(error: TriageError) -> StepError {
        match error {
            error if error.is_cancelled() => StepError::Stopped,
            TriageError::Store(error) => StepError::from(error),
            error => StepError::Failed(error.to_string()),
        }
    }
}

impl From<StoreError> for StepError {
    fn from(error: StoreError) -> StepError {
        match error {
            // These are about a finding or a file on this machine, so another one may do better.
            StoreError::NoSuchFinding { .. } | StoreError::Io { .. } | StoreError::OtherFormat { .. } => {
                StepError::Failed(error.to_string())
            }
            error => StepError::Store(error),
        }
    }
}

/// A step that is done.
pub struct Done {
    /// What came out.
    pub said: String,
    /// The jobs that follow.
    pub next: Vec<NewJob>,
}

impl Done {
    /// The end of a chain of jobs.
    pub fn last(said: impl Into<String>) -> Done {
        Done { said: said.into(), next: Vec::new() }
    }

    /// A step that another one follows. A finding that was merged is no longer worked on.
    fn then(said: String, kind: WorkKind, listed: &Listed) -> Done {
        let job = NewJob {
            kind,
            subject: listed.id.clone(),
            detail: "{}".to_owned(),
            priority: listed.severity as i32,
        };
        let next = if listed.merged_into.is_none() { vec![job] } else { Vec::new() };
        Done { said, next }
    }
}

/// What somebody asked for beyond the usual.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Asked {
    /// Reduce further what is reduced already.
    further: bool,
    /// Test all releases.
    all: bool,
}

/// What a job is done with.
pub struct Stage<'a> {
    /// The campaign.
    pub place: &'a mut CommonPlace,
    /// Where solvers come from.
    pub source: &'a dyn SolverSource,
    /// How long it may take.
    pub limits: JobLimits,
    /// Set when the process has to stop.
    pub stop: &'a AtomicBool,
    /// Set when the job has to end.
    pub ended: &'a AtomicBool,
}

impl Stage<'_> {
    /// Does a job.
    pub fn run(mut self, job: &Job) -> Result<Done, StepError> {
        self.place.update()?;
        let asked: Asked = serde_json::from_str(&job.detail).unwrap_or_default();
        match job.kind {
            WorkKind::Reduce => self.reduce(&job.subject, asked.further),
            WorkKind::Bisect => self.bisect(&job.subject, asked.all),
            WorkKind::Report => self.report(&job.subject),
            WorkKind::Regress => self.regress(job),
            WorkKind::Learn => self.learn(job),
            WorkKind::Fuzz => Ok(Done::last("")),
        }
    }

    /// Whether the job has to end.
    pub fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    fn listed(&self, id: &str) -> Result<Listed, StepError> {
        Ok(Store::open_existing(self.place.mirror.folder())?.find(id)?)
    }

    /// Changes the folder and pushes the result, however long the store cannot be reached. `change` may be called again.
    pub fn record(
        &mut self,
        mut change: impl FnMut(&mut Store) -> Result<Vec<String>, TriageError>,
    ) -> Result<(), StepError> {
        let until = Instant::now() + PATIENCE;
        loop {
            let place = &mut *self.place;
            let recorded =
                place.mirror.work(&mut *place.shared, &mut MemberStatistics::default(), &mut change);
            match recorded {
                Err(TriageError::Store(error)) if !error.is_lasting() && Instant::now() < until => {
                    let pause = Instant::now() + PAUSE;
                    while Instant::now() < pause {
                        if self.stop.load(Ordering::Relaxed) {
                            return Err(StepError::Stopped);
                        }
                        thread::sleep(Duration::from_millis(100));
                    }
                    // The next attempt says what is wrong.
                    let _ = place.reconnect();
                }
                recorded => return Ok(recorded?),
            }
        }
    }

    fn reduce(&mut self, id: &str, further: bool) -> Result<Done, StepError> {
        let listed = self.listed(id)?;
        let folder = self.place.mirror.folder().join(&listed.folder);
        let is_reduced = TriagedFinding::saved(&folder).is_some_and(|triaged| triaged.finished);
        if !further && (is_reduced || listed.merged_into.is_some()) {
            return Ok(Done::then(format!("{id} is reduced already"), WorkKind::Bisect, &listed));
        }
        let version = if further { Version::Reduced } else { Version::Case };
        let subject = Subject::of_finding(self.place.mirror.folder(), id, version, None)?;
        let (begun, time) =
            (Instant::now(), if further { self.limits.further } else { self.limits.reduction });
        let should_stop = || self.has_ended() || begun.elapsed() >= time;
        let triaged = triage_finding(&subject, self.limits.runs(), self.source, &should_stop)?;
        if self.has_ended() {
            return Err(StepError::Stopped);
        }
        self.record(|store| record_triaged(store, id, &triaged).map(|listed| vec![listed.id]))?;
        let listed = self.listed(id)?;
        Ok(Done::then(triaged_line(&listed), WorkKind::Bisect, &listed))
    }

    fn bisect(&mut self, id: &str, all: bool) -> Result<Done, StepError> {
        let listed = self.listed(id)?;
        let subject = Subject::of_finding(self.place.mirror.folder(), id, Version::Reduced, None)?;
        let saved = subject.folder().and_then(|folder| Releases::saved(folder, &subject.script));
        if let Some(saved) = saved.filter(|_| !all) {
            return Ok(Done::then(saved.sentence(), WorkKind::Report, &listed));
        }
        let limits = self.limits.runs();
        let established = subject.establish(&subject.clauses(self.source)?, limits)?;
        let effort = if all { Effort::All } else { Effort::Bisect };
        let found = bisect(&subject.script, &established, limits, effort, self.source, &mut |_| {});
        if self.has_ended() {
            return Err(StepError::Stopped);
        }
        let found = match found {
            Ok(found) => found,
            // There are no releases to test, and the report says so.
            Err(error @ TriageError::Other { .. }) => {
                return Ok(Done::then(error.to_string(), WorkKind::Report, &listed));
            }
            Err(error) => return Err(error.into()),
        };
        self.record(|store| {
            found.save(&store.folder().join(store.find(id)?.folder), &subject.script)?;
            merge_alike(store, &mut |_| {})?;
            Ok(vec![id.to_owned()])
        })?;
        Ok(Done::then(found.sentence(), WorkKind::Report, &self.listed(id)?))
    }

    fn report(&mut self, id: &str) -> Result<Done, StepError> {
        let out = self.place.mirror.folder().to_owned();
        let subject = Subject::of_finding(&out, id, Version::Reduced, None)?;
        let settings = ReportSettings { out: &out, limits: self.limits.runs(), bisect: false };
        let written = report(&subject, &settings, self.source, &mut |_| {})?;
        if self.has_ended() {
            return Err(StepError::Stopped);
        }
        let text = Format::Markdown.render(&written);
        let mut is_of_this_script = true;
        self.record(|store| {
            // Somebody may have reduced it further meanwhile; then another report follows.
            let present = Subject::of_finding(store.folder(), id, Version::Reduced, None)?;
            is_of_this_script = present.script == subject.script;
            if is_of_this_script {
                let path = store.folder().join(store.find(id)?.folder).join(REPORT);
                case::files::replace(&path, &text)?;
            }
            Ok(vec![id.to_owned()])
        })?;
        match is_of_this_script {
            true => Ok(Done::last(written.title)),
            false => Err(StepError::Failed("its script was changed meanwhile".to_owned())),
        }
    }
}
