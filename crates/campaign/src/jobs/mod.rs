//! The jobs of a campaign that several machines share: what is done with a finding after it was found, and other work that is not
//! fuzzing.
//!
//! Every thread takes a job from the common store, does it in the mirror of the campaign, and pushes the result. A second thread says
//! that the job is still worked on. If a process dies, its job returns to the queue. A job that is done again changes nothing: what a
//! finding has already is not found out again.

mod keeper;
mod learning;
mod queue;
mod regression;
mod steps;

pub use learning::{LearnDetail, LearnError, learn_apart};
pub use queue::{learn_job, regress_job};
pub use regression::{RegressDetail, RegressRow};

use crate::place::CommonPlace;
use keeper::Keeper;
use solver::run::Limits;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use steps::{Stage, StepError};
use store::StoreError;
use store::shared::{Job, JobEntry, JobState, Member, MemberId, Outgoing, WorkKind};
use triage::SolverSource;

/// The stack of a thread that reduces: that of a main thread.
const STACK: usize = 8 << 20;
/// How often to look whether to stop.
const TICK: Duration = Duration::from_millis(100);
/// The longest pause after an error of the store.
const LONGEST: Duration = Duration::from_secs(30);
/// How often a process that only does jobs says that it is there.
const SIGN_OF_LIFE: Duration = Duration::from_secs(30);

/// What jobs to do, and how.
pub struct JobPlan<'a> {
    /// The URL of the common store.
    pub url: String,
    /// The name of the campaign; `None` for the latest one.
    pub campaign: Option<String>,
    /// The process, if it takes part in the campaign already. Otherwise it enters, and leaves at the end.
    pub member: Option<MemberId>,
    /// The kinds of jobs.
    pub kinds: Vec<WorkKind>,
    /// How many jobs to do at the same time.
    pub threads: usize,
    /// The folder for the mirror.
    pub cache: PathBuf,
    /// Where solvers come from. Its installations end when the caller wants to stop.
    pub source: &'a dyn SolverSource,
    /// How long jobs may take.
    pub limits: JobLimits,
    /// Whether to end when the campaign is finished and no job is left.
    pub until_idle: bool,
}

/// How long jobs may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobLimits {
    /// Reducing a finding.
    pub reduction: Duration,
    /// Reducing it further, which somebody asked for.
    pub further: Duration,
    /// One run of a solver.
    pub run: Duration,
    /// The pause if there is no job.
    pub pause: Duration,
}

impl Default for JobLimits {
    fn default() -> JobLimits {
        JobLimits {
            reduction: Duration::from_secs(60),
            further: Duration::from_secs(300),
            run: Duration::from_secs(10),
            pause: Duration::from_secs(2),
        }
    }
}

impl JobLimits {
    pub(crate) fn runs(&self) -> Limits {
        Limits { wall: self.run, ..Limits::default() }
    }
}

/// What happens while jobs are done.
#[derive(Debug)]
pub enum JobNews<'a> {
    /// A job begins.
    Begun(&'a Job),
    /// A job is done. The sentence says what came out.
    Done(&'a Job, &'a str),
    /// A job failed. It is tried again later, a few times.
    Failed(&'a Job, &'a str),
    /// Another process has the job now.
    Lost(&'a Job),
    /// The store cannot be reached, and it is tried again.
    Trouble(&'a StoreError),
}

/// How many jobs were done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobTally {
    /// Jobs that are done.
    pub done: u64,
    /// Jobs that failed.
    pub failed: u64,
}

/// Receives the news of all threads.
pub type OnNews<'a> = &'a (dyn Fn(JobNews<'_>) + Sync);

/// Does jobs until `stop` is set, or until none is left if the plan says so. Fails only if trying again cannot help.
pub fn run_jobs(plan: &JobPlan<'_>, stop: &AtomicBool, on: OnNews<'_>) -> Result<JobTally, StoreError> {
    let Some(mut place) = connected(plan, stop, on)? else { return Ok(JobTally::default()) };
    let campaign = place.mirror.campaign().id;
    let member = match plan.member {
        Some(member) => member,
        None => place.shared.enter(campaign, &this_process(plan))?,
    };
    let (done, failed, ended) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let runner = Runner { plan, member, stop, on, done: &done, failed: &failed };
    let result = thread::scope(|scope| {
        let mut threads = Vec::new();
        for number in 0..plan.threads.max(1) {
            let builder = thread::Builder::new().name(format!("jobs {number}")).stack_size(STACK);
            match builder.spawn_scoped(scope, || runner.work()) {
                Ok(handle) => threads.push(handle),
                Err(error) if threads.is_empty() => {
                    return Err(StoreError::Io { path: plan.cache.clone(), error });
                }
                // The others do it all.
                Err(_) => break,
            }
        }
        if plan.member.is_none() {
            scope.spawn(|| say_that_we_are_there(plan, member, &ended));
        }
        let results: Vec<Result<(), StoreError>> =
            threads.into_iter().map(|thread| thread.join().unwrap_or(Ok(()))).collect();
        ended.store(true, Ordering::Relaxed);
        results.into_iter().collect()
    });
    ended.store(true, Ordering::Relaxed);
    if plan.member.is_none() {
        let leaving = Outgoing { leaves: true, ..Outgoing::default() };
        // If the store does not hear it, the leases end by themselves.
        let _ = place.shared.exchange(member, &leaving).or_else(|_| {
            place.reconnect()?;
            place.shared.exchange(member, &leaving)
        });
    }
    let (done, failed) = (done.load(Ordering::Relaxed), failed.load(Ordering::Relaxed));
    result.map(|()| JobTally { done, failed })
}

/// Connects to the store, however long it takes; `None` if the caller wants to stop before.
fn connected(
    plan: &JobPlan<'_>,
    stop: &AtomicBool,
    on: OnNews<'_>,
) -> Result<Option<CommonPlace>, StoreError> {
    let mut pause = Pause::new();
    loop {
        match CommonPlace::open_as_left(&plan.url, plan.campaign.as_deref(), &plan.cache) {
            Ok(place) => return Ok(Some(place)),
            Err(error) if error.is_lasting() => return Err(error),
            Err(error) => on(JobNews::Trouble(&error)),
        }
        if !pause.wait(stop) {
            return Ok(None);
        }
    }
}

fn this_process(plan: &JobPlan<'_>) -> Member {
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    Member {
        machine: machine.trim().to_owned(),
        process: std::process::id(),
        workers: u32::try_from(plan.threads.max(1)).unwrap_or(u32::MAX),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        work: plan.kinds.clone(),
    }
}

/// Lets others see that this process is there, over a connection of its own: the others may be in the middle of something.
fn say_that_we_are_there(plan: &JobPlan<'_>, member: MemberId, ended: &AtomicBool) {
    let mut last: Option<Instant> = None;
    while !ended.load(Ordering::Relaxed) {
        if last.is_none_or(|at| at.elapsed() >= SIGN_OF_LIFE) {
            // Nothing depends on it.
            let _ = store::shared::open(&plan.url)
                .and_then(|mut shared| shared.exchange(member, &Outgoing::default()));
            last = Some(Instant::now());
        }
        thread::sleep(TICK);
    }
}

/// Pauses that grow.
struct Pause(Duration);

impl Pause {
    fn new() -> Pause {
        Pause(Duration::from_millis(500))
    }

    /// Waits. False if the caller wants to stop.
    fn wait(&mut self, stop: &AtomicBool) -> bool {
        let until = Instant::now() + self.0;
        self.0 = (2 * self.0).min(LONGEST);
        while Instant::now() < until && !stop.load(Ordering::Relaxed) {
            thread::sleep(TICK.min(until.saturating_duration_since(Instant::now())));
        }
        !stop.load(Ordering::Relaxed)
    }
}

/// What the threads share.
struct Runner<'a> {
    plan: &'a JobPlan<'a>,
    member: MemberId,
    stop: &'a AtomicBool,
    on: OnNews<'a>,
    done: &'a AtomicU64,
    failed: &'a AtomicU64,
}

impl Runner<'_> {
    /// Does one job after the other.
    fn work(&self) -> Result<(), StoreError> {
        let Some(mut place) = connected(self.plan, self.stop, self.on)? else { return Ok(()) };
        let mut trouble = Pause::new();
        while !self.stop.load(Ordering::Relaxed) {
            let step = self.next(&mut place);
            let goes_on = match step {
                Ok(goes_on) => {
                    trouble = Pause::new();
                    goes_on
                }
                Err(error) if error.is_lasting() => return Err(error),
                Err(error) => {
                    (self.on)(JobNews::Trouble(&error));
                    let goes_on = trouble.wait(self.stop);
                    // The next attempt says what is wrong.
                    let _ = place.reconnect();
                    goes_on
                }
            };
            if !goes_on {
                break;
            }
        }
        Ok(())
    }

    /// Does a job, or waits for one. False if there will be none.
    fn next(&self, place: &mut CommonPlace) -> Result<bool, StoreError> {
        match place.shared.take_job(self.member, &self.plan.kinds)? {
            Some(job) => self.run(place, &job).map(|()| true),
            None if self.plan.until_idle && self.is_idle(place)? => Ok(false),
            None => Ok(Pause(self.plan.limits.pause).wait(self.stop)),
        }
    }

    /// Whether the campaign is finished and no job is left but those that failed.
    fn is_idle(&self, place: &mut CommonPlace) -> Result<bool, StoreError> {
        let (id, name) = (place.mirror.campaign().id, place.mirror.campaign().name.clone());
        if place.shared.campaign(&name)?.is_some_and(|campaign| !campaign.finished) {
            return Ok(false);
        }
        let is_left = |job: &JobEntry| match job.state {
            JobState::Running => true,
            JobState::Waiting => job.attempts == 0 && self.plan.kinds.contains(&job.kind),
            JobState::GivenUp => false,
        };
        Ok(!place.shared.jobs(id)?.iter().any(is_left))
    }

    fn run(&self, place: &mut CommonPlace, job: &Job) -> Result<(), StoreError> {
        (self.on)(JobNews::Begun(job));
        let ended = AtomicBool::new(false);
        let result = thread::scope(|scope| {
            let keeper =
                Keeper { url: &self.plan.url, member: self.member, job, stop: self.stop, ended: &ended };
            let _guard = keeper.start(scope);
            let stage = Stage {
                place,
                source: self.plan.source,
                limits: self.plan.limits,
                stop: self.stop,
                ended: &ended,
            };
            catch_unwind(AssertUnwindSafe(|| stage.run(job)))
                .unwrap_or_else(|_| Err(StepError::Failed("it panicked".to_owned())))
        });
        match result {
            // It goes back into the queue when this process leaves.
            Err(StepError::Stopped) if self.stop.load(Ordering::Relaxed) => Ok(()),
            Err(StepError::Stopped) => {
                (self.on)(JobNews::Lost(job));
                Ok(())
            }
            Ok(done) => {
                place.shared.add_jobs(place.mirror.campaign().id, &done.next)?;
                if place.shared.finish_job(self.member, job, None)? {
                    self.done.fetch_add(1, Ordering::Relaxed);
                    (self.on)(JobNews::Done(job, &done.said));
                } else {
                    (self.on)(JobNews::Lost(job));
                }
                Ok(())
            }
            Err(StepError::Failed(why)) => {
                self.failed.fetch_add(1, Ordering::Relaxed);
                (self.on)(JobNews::Failed(job, &why));
                place.shared.finish_job(self.member, job, Some(&why)).map(|_| ())
            }
            Err(StepError::Store(error)) => Err(error),
        }
    }
}
