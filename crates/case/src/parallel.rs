//! Work on many items, on all cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `work` for every item on all cores, and `receive` with the results in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut receive: impl FnMut(&T, R),
) {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(items.len().max(1));
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<R>>> = Mutex::new(items.iter().map(|_| None).collect());
    let (sender, finished) = std::sync::mpsc::channel::<usize>();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let sender = sender.clone();
            let (next, done, work) = (&next, &done, &work);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { return };
                    let result = work(item);
                    done.lock().expect("no worker panics while it holds the lock")[index] = Some(result);
                    if sender.send(index).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut shown = 0;
        while finished.recv().is_ok() {
            loop {
                let ready = {
                    let mut done = done.lock().expect("no worker panics while it holds the lock");
                    done.get_mut(shown).and_then(Option::take)
                };
                let Some(result) = ready else { break };
                receive(&items[shown], result);
                shown += 1;
            }
        }
    });
}
