//! Does the runs of a benchmark, several at the same time.

use crate::error::BenchError;
use crate::plan::Plan;
use crate::record::RunRecord;
use crate::run::run_task;
use solver::affinity::available_cores;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use triage::SolverSource;

/// How often progress is reported.
const TICK: Duration = Duration::from_millis(200);

/// How far a benchmark is.
pub enum Progress<'a> {
    /// This many of all runs have begun.
    Running {
        /// The number of the latest run.
        number: usize,
        /// The number of all runs.
        total: usize,
    },
    /// A run is done.
    Done(&'a RunRecord),
}

/// Does all runs that are left, as many at the same time as there are jobs, each on a core of its own.
pub fn run_all(
    plan: &Plan,
    jobs: usize,
    source: &dyn SolverSource,
    on: &(dyn Fn(Progress<'_>) + Sync),
) -> Result<(), BenchError> {
    let tasks = plan.tasks();
    let cores = available_cores().unwrap_or_default();
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = |core: Option<usize>| {
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            if failed.load(Ordering::Relaxed) {
                break;
            }
            match run_task(plan, task, core, source) {
                Ok(Some(record)) => on(Progress::Done(&record)),
                Ok(None) => {}
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = (0..jobs.max(1))
            .map(|job| {
                let core = cores.get(job).copied();
                scope.spawn(move || work(core))
            })
            .collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            let number = next.load(Ordering::Relaxed).min(tasks.len());
            on(Progress::Running { number, total: tasks.len() });
            thread::sleep(TICK);
        }
        let ends = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        ends.collect()
    })
}
