//! Several things at the same time, since a solver that starts leaves the other cores idle.

use std::panic::resume_unwind;
use std::thread;

/// What each of several jobs comes to, in their order. A single one is done in this thread.
pub(super) fn in_threads<T: Send, F: FnOnce() -> T + Send>(jobs: impl IntoIterator<Item = F>) -> Vec<T> {
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
    use super::in_threads;

    #[test]
    fn results_come_in_order() {
        for count in 0..4 {
            let jobs = (0..count).map(|number| move || number * 2);
            assert_eq!(in_threads(jobs), (0..count).map(|number| number * 2).collect::<Vec<_>>());
        }
    }
}
