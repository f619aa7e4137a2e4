//! Actions on findings: they run one after the other beside the pages, which show what they are doing. In a campaign that several
//! machines share, any of them may do the long ones.

use crate::common::Common;
use crate::data::DataError;
use case::Finding;
use serde::Serialize;
use solver::run::Limits;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use store::shared::{self, JobEntry, WorkKind};
use store::{Store, StoreError};
use triage::automatic::{record_triaged, triage_finding, write_report};
use triage::known::{KnownBug, KnownBugs};
use triage::releases::{Effort, bisect};
use triage::report::ReportSettings;
use triage::{SolverSource, Subject, TriageError, Version};

/// The actions: name, words for a button, what it does.
pub const ACTIONS: [(&str, &str, &str); 4] = [
    ("reduce", "Reduce further", "up to five minutes"),
    ("bisect", "Bisect all releases", "tests every release of the solver, and writes the report again"),
    ("replay", "Replay", "runs the solvers on the case again"),
    ("known", "Mark as known", "adds it to the list of reported bugs"),
];

/// The limit of one run of a solver.
const RUN: Duration = Duration::from_secs(10);
/// The limit of a reduction.
const REDUCTION: Duration = Duration::from_secs(300);
/// How many jobs may wait, how many are remembered, and how many lines of each.
const WAITING: usize = 20;
const REMEMBERED: usize = 100;
const LINES: usize = 200;

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// Others are before it.
    Waiting,
    /// It runs.
    Running,
    /// It is done.
    Done,
    /// It failed; its last line says why.
    Failed,
    /// It was stopped.
    Stopped,
}

impl JobState {
    /// Whether it is not finished.
    pub fn is_open(self) -> bool {
        matches!(self, JobState::Waiting | JobState::Running)
    }

    /// A word for people.
    pub fn word(self) -> &'static str {
        match self {
            JobState::Waiting => "waiting",
            JobState::Running => "running",
            JobState::Done => "done",
            JobState::Failed => "failed",
            JobState::Stopped => "stopped",
        }
    }
}

/// A job as pages show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JobView {
    /// Its number.
    pub number: u64,
    /// The finding.
    pub finding: String,
    /// The name of its action.
    pub action: String,
    /// What it does.
    pub title: String,
    /// How far it is.
    pub state: JobState,
    /// Whether it is in the queue of a common store, so that any machine may do it.
    pub queued: bool,
    /// What it has done, a line each.
    pub lines: Vec<String>,
}

/// Why an action cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The action does not exist, or lacks something.
    #[error("{0}")]
    Invalid(String),
    /// Too many jobs wait.
    #[error("too many jobs are waiting; stop some or wait")]
    Full,
    /// The common store does not take it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

struct Job {
    view: JobView,
    link: String,
    stop: Arc<AtomicBool>,
    /// Its kind in the queue of the common store; `None` if it runs here.
    queued: Option<WorkKind>,
}

/// The kind of job in the queue of a common store that does an action, with its detail.
fn queued_as(action: &str) -> Option<(WorkKind, &'static str)> {
    match action {
        "reduce" => Some((WorkKind::Reduce, "{\"further\":true}")),
        "bisect" => Some((WorkKind::Bisect, "{\"all\":true}")),
        _ => None,
    }
}

/// The jobs of a server.
pub struct Jobs {
    shared: Arc<Shared>,
    worker: Option<JoinHandle<()>>,
}

struct Shared {
    folder: PathBuf,
    known: PathBuf,
    common: Option<Arc<Common>>,
    source: Box<dyn SolverSource + Send>,
    jobs: Mutex<VecDeque<Job>>,
    changed: Condvar,
    revision: AtomicU64,
    ended: AtomicBool,
}

impl Jobs {
    /// The jobs on the campaign in a folder. `known` is the list of reported bugs.
    pub fn start(folder: &Path, known: &Path, source: Box<dyn SolverSource + Send>) -> std::io::Result<Jobs> {
        Jobs::start_with(folder, known, None, source)
    }

    /// The jobs on a campaign that several machines share.
    pub fn start_common(common: Arc<Common>, source: Box<dyn SolverSource + Send>) -> std::io::Result<Jobs> {
        let folder = common.folder().to_owned();
        // Its list of reported bugs is in the store.
        Jobs::start_with(&folder, Path::new(""), Some(common), source)
    }

    fn start_with(
        folder: &Path,
        known: &Path,
        common: Option<Arc<Common>>,
        source: Box<dyn SolverSource + Send>,
    ) -> std::io::Result<Jobs> {
        let shared = Arc::new(Shared {
            folder: folder.to_owned(),
            known: known.to_owned(),
            common,
            source,
            jobs: Mutex::default(),
            changed: Condvar::new(),
            revision: AtomicU64::new(0),
            ended: AtomicBool::new(false),
        });
        let own = shared.clone();
        let worker = thread::Builder::new().name("jobs".to_owned()).spawn(move || own.work())?;
        Ok(Jobs { shared, worker: Some(worker) })
    }

    /// A number that changes whenever a job does.
    pub fn revision(&self) -> u64 {
        let common = self.shared.common.as_ref().map_or(0, |common| common.revision());
        self.shared.revision.load(Ordering::Relaxed) + common
    }

    /// The jobs, the newest first.
    pub fn list(&self) -> Vec<JobView> {
        let mut jobs = self.shared.lock();
        if let Some(common) = &self.shared.common {
            follow(&mut jobs, &common.jobs());
        }
        jobs.iter().rev().map(|job| job.view.clone()).collect()
    }

    /// Adds a job. `link` is where a bug was reported.
    pub fn add(&self, finding: &str, action: &str, link: &str) -> Result<JobView, JobError> {
        let unknown = || {
            JobError::Invalid(format!("there is no action `{action}`: it is reduce, bisect, replay or known"))
        };
        let (_, title, _) = ACTIONS.iter().find(|(name, ..)| *name == action).ok_or_else(unknown)?;
        if action == "known" && !link.starts_with("http") {
            return Err(JobError::Invalid("give the link to the report, such as https://…".to_owned()));
        }
        let queued = self.shared.common.as_ref().zip(queued_as(action));
        if let Some((common, (kind, detail))) = queued {
            common.add_job(kind, finding, detail)?;
        }
        let mut jobs = self.shared.lock();
        if let Some(common) = &self.shared.common {
            follow(&mut jobs, &common.jobs());
        }
        if queued.is_none() && jobs.iter().filter(|job| job.view.state.is_open()).count() >= WAITING {
            return Err(JobError::Full);
        }
        while jobs.len() >= REMEMBERED && jobs.front().is_some_and(|job| !job.view.state.is_open()) {
            jobs.pop_front();
        }
        let view = JobView {
            number: jobs.back().map_or(1, |job| job.view.number + 1),
            finding: finding.to_owned(),
            action: action.to_owned(),
            title: (*title).to_owned(),
            state: JobState::Waiting,
            queued: queued.is_some(),
            lines: Vec::new(),
        };
        let queued = queued.map(|(_, (kind, _))| kind);
        jobs.push_back(Job { view: view.clone(), link: link.to_owned(), stop: Arc::default(), queued });
        drop(jobs);
        self.shared.notify();
        Ok(view)
    }

    /// Stops a job. One that runs ends after the solver's current run. One in the queue of the common store belongs to all machines.
    pub fn stop(&self, number: u64) -> Result<JobView, DataError> {
        let mut jobs = self.shared.lock();
        let job = jobs.iter_mut().find(|job| job.view.number == number && job.queued.is_none());
        let job = job.ok_or_else(|| DataError::Missing(format!("job {number}")))?;
        job.stop.store(true, Ordering::Relaxed);
        if job.view.state == JobState::Waiting {
            job.view.state = JobState::Stopped;
        }
        let view = job.view.clone();
        drop(jobs);
        self.shared.notify();
        Ok(view)
    }
}

/// Takes over what became of jobs in the queue of the common store. It keeps no job that is done.
fn follow(jobs: &mut VecDeque<Job>, entries: &[JobEntry]) {
    for job in jobs.iter_mut().filter(|job| job.view.state.is_open()) {
        let Some(kind) = job.queued else { continue };
        let entry = entries.iter().find(|entry| entry.kind == kind && entry.subject == job.view.finding);
        let (state, line) = match entry.map(|entry| entry.state) {
            Some(shared::JobState::Waiting) => (JobState::Waiting, "any machine of the campaign may do it"),
            Some(shared::JobState::Running) => (JobState::Running, "a machine of the campaign does it"),
            Some(shared::JobState::GivenUp) => (JobState::Failed, "it failed too often"),
            None => (JobState::Done, "a machine of the campaign has done it"),
        };
        job.view.state = state;
        job.view.lines = vec![line.to_owned()];
        let failures = entry.into_iter().filter(|entry| !entry.failure.is_empty());
        job.view.lines.extend(failures.map(|entry| format!("attempt {}: {}", entry.attempts, entry.failure)));
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Relaxed);
        self.shared.lock().iter().for_each(|job| job.stop.store(true, Ordering::Relaxed));
        self.shared.notify();
        if let Some(worker) = self.worker.take() {
            // A panic there has been printed.
            let _ = worker.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Job>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn notify(&self) {
        self.revision.fetch_add(1, Ordering::Relaxed);
        self.changed.notify_all();
    }

    fn change(&self, number: u64, change: impl FnOnce(&mut JobView)) {
        if let Some(job) = self.lock().iter_mut().find(|job| job.view.number == number) {
            change(&mut job.view);
        }
        self.notify();
    }

    /// Runs one job after the other until the server ends.
    fn work(&self) {
        while let Some((view, link, stop)) = self.next() {
            let number = view.number;
            let mut say = |line: String| {
                self.change(number, |view| {
                    if view.lines.len() < LINES {
                        view.lines.push(line);
                    }
                });
            };
            let done = self.run(&view, &link, &stop, &mut say);
            let state = match &done {
                _ if stop.load(Ordering::Relaxed) => JobState::Stopped,
                Ok(_) => JobState::Done,
                Err(_) => JobState::Failed,
            };
            let line = done.unwrap_or_else(|error| error.to_string());
            self.change(number, |view| {
                view.state = state;
                view.lines.extend(line.lines().map(str::to_owned));
            });
        }
    }

    /// Waits for the next job; `None` when the server ends.
    fn next(&self) -> Option<(JobView, String, Arc<AtomicBool>)> {
        let mut jobs = self.lock();
        loop {
            if self.ended.load(Ordering::Relaxed) {
                return None;
            }
            let mut own = jobs.iter_mut().filter(|job| job.queued.is_none());
            if let Some(job) = own.find(|job| job.view.state == JobState::Waiting) {
                job.view.state = JobState::Running;
                return Some((job.view.clone(), job.link.clone(), job.stop.clone()));
            }
            jobs = self.changed.wait(jobs).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Runs a job. Returns its result in a sentence or a table.
    fn run(
        &self,
        job: &JobView,
        link: &str,
        stop: &AtomicBool,
        say: &mut dyn FnMut(String),
    ) -> Result<String, TriageError> {
        let limits = Limits { wall: RUN, ..Limits::default() };
        let (out, source): (&Path, &dyn SolverSource) = (&self.folder, &*self.source);
        let subject = |version| Subject::of_finding(out, &job.finding, version, None);
        match job.action.as_str() {
            "reduce" => {
                let begun = Instant::now();
                let stopped = || stop.load(Ordering::Relaxed) || begun.elapsed() > REDUCTION;
                let subject = subject(Version::Reduced)?;
                say(format!("reducing {} bytes", subject.script.len()));
                let triaged = triage_finding(&subject, limits, source, &stopped)?;
                let mut store = Store::open_existing(out)?;
                let listed = record_triaged(&mut store, &job.finding, &triaged)?;
                Ok(campaign::present::text::triaged_line(&listed))
            }
            "bisect" => {
                let subject = subject(Version::Reduced)?;
                let established = subject.establish(&subject.clauses(source)?, limits)?;
                let mut tested = |probe: &triage::releases::Probe| {
                    say(format!("{}: {} ({})", probe.release, probe.state.word(), probe.did()))
                };
                let found = bisect(&subject.script, &established, limits, Effort::All, source, &mut tested)?;
                if let Some(folder) = subject.folder() {
                    found.save(folder, &subject.script)?;
                }
                let settings = ReportSettings { out, limits, bisect: false };
                write_report(&settings, &job.finding, source, say)?;
                Ok(found.sentence())
            }
            "known" => {
                say("checking that it still shows".to_owned());
                let bug = KnownBug::new(subject(Version::Reduced)?, link.to_owned(), limits, out, source)?;
                let line = format!("added {} ({})", bug.signature, bug.link);
                if let Some(common) = &self.common {
                    common.add_known(&bug)?;
                    return Ok(line);
                }
                let mut known = KnownBugs::read(&self.known)?;
                known.add(bug);
                known.write(&self.known)?;
                Ok(line)
            }
            _ => {
                let store = Store::open_existing(out)?;
                let (finding, case, _): (Finding, String, String) = store.read(&store.find(&job.finding)?)?;
                let mut show = |command: &str| say(format!("$ {command}"));
                let rerun = campaign::rerun(&finding, &case, Vec::new(), limits, source, &mut show)?;
                let shows = if rerun.shows_bug() { "The bug shows." } else { "These runs show no bug." };
                Ok(format!("{}\n{shows}", rerun.table(&finding).join("\n")))
            }
        }
    }
}
