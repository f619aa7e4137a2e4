//! Files that the user names: finding scripts in folders, reading text, working through many of them at once.

use crate::outcome::Failure;
use std::collections::BTreeSet;
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Reads a file as text. Bytes that are no UTF-8 (old comments often hold some) become replacement characters.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = fs::read(path).map_err(|error| {
        Failure::new(format!("cannot read {}: {error}", path.display()))
            .hint("check the path and its permissions")
    })?;
    Ok(into_text(bytes))
}

fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The scripts that the arguments name: files as they are, and all `.smt2` files below folders, sorted.
pub fn find_scripts(arguments: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut scripts = Vec::new();
    for argument in arguments {
        let about = fs::metadata(argument).map_err(|error| {
            Failure::new(format!("cannot read {}: {error}", argument.display()))
                .hint("give files, or folders with .smt2 files in them")
        })?;
        if !about.is_dir() {
            scripts.push(argument.clone());
            continue;
        }
        let mut found = BTreeSet::new();
        let mut folders = vec![argument.clone()];
        let mut visited = BTreeSet::new();
        while let Some(folder) = folders.pop() {
            // Links can make folders go round in circles.
            if !visited.insert(fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone())) {
                continue;
            }
            let entries = fs::read_dir(&folder).map_err(|error| {
                Failure::new(format!("cannot read the folder {}: {error}", folder.display()))
            })?;
            for entry in entries.flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "smt2") {
                    found.insert(path);
                }
            }
        }
        if found.is_empty() {
            return Err(Failure::new(format!("no .smt2 file below {}", argument.display()))
                .hint("give a folder that holds scripts, or name the files themselves"));
        }
        scripts.extend(found);
    }
    Ok(scripts)
}

/// Does `work` for every item on all cores, in any order, and hands the results to `receive` in the order of the items.
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
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    let result = work(item);
                    done.lock().expect("no worker panics while it holds the lock")[at] = Some(result);
                    if sender.send(at).is_err() {
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

/// A line on standard error that says how far a long job is; nothing where no person would see it.
pub struct Progress {
    total: usize,
    done: usize,
    shown: bool,
    last: std::time::Instant,
}

impl Progress {
    /// Progress over `total` items.
    pub fn new(total: usize) -> Self {
        Progress { total, done: 0, shown: false, last: std::time::Instant::now() }
    }

    /// One more item is done.
    pub fn step(&mut self) {
        self.done += 1;
        let due = self.last.elapsed().as_millis() >= 200;
        if due && std::io::stderr().is_terminal() {
            eprint!("\r{} of {} files", self.done, self.total);
            self.shown = true;
            self.last = std::time::Instant::now();
        }
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            eprint!("\r\x1b[K");
        }
    }
}
