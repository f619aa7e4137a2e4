//! Runs jobs in parallel: a solver that starts leaves the other cores idle.

use std::panic::resume_unwind;
use std::thread;

/// Runs each job in a thread and returns the results in order. The last job runs in the calling thread.
pub(super) fn run_parallel<T: Send, F: FnOnce() -> T + Send>(jobs: impl IntoIterator<Item = F>) -> Vec<T> {
    let mut jobs: Vec<F> = jobs.into_iter().collect();
    let Some(last) = jobs.pop() else { return Vec::new() };
    thread::scope(|scope| {
        let others: Vec<_> = jobs.into_iter().map(|job| scope.spawn(job)).collect();
        let last = last();
        let others =
            others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        others.chain([last]).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::run_parallel;

    #[test]
    fn results_come_in_order() {
        for count in 0..4 {
            let jobs = (0..count).map(|number| move || number * 2);
            assert_eq!(run_parallel(jobs), (0..count).map(|number| number * 2).collect::<Vec<_>>());
        }
    }
}
