//! The user's files: finding scripts in folders, reading and writing, and processing many in parallel.

use crate::outcome::Failure;
use crate::print;
use std::collections::BTreeSet;
use std::fs;
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Larger files are not read: a script takes many times its size in memory.
const LARGEST: u64 = 256 << 20;

/// Reads a file. Refuses devices and pipes, which may have no end, and files that are too large.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |error| cannot("read", path, &error);
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(Failure::new(format!("cannot read {}: it is no regular file", path.display()))
            .hint("write the text to a file"));
    }
    read_bounded(fs::File::open(path).map_err(failed)?, path)
}

fn read_bounded(from: impl Read, path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    from.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| cannot("read", path, &error))?;
    match bytes.len() as u64 > LARGEST {
        true => Err(Failure::new(format!("{} is larger than {} MiB", path.display(), LARGEST >> 20))
            .hint("split it into smaller files")),
        false => Ok(bytes),
    }
}

/// Reads a file as text. Invalid UTF-8, which is common in old comments, becomes replacement characters.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    Ok(into_text(read_bytes(path)?))
}

/// Reads a file, or standard input for `-`, as text.
pub fn read_text_or_stdin(path: &Path) -> Result<String, Failure> {
    if path.as_os_str() != "-" {
        return read_text(path);
    }
    Ok(into_text(read_bounded(std::io::stdin(), Path::new("standard input"))?))
}

/// Writes a file.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| cannot("write", path, &error))
}

/// Replaces a file atomically, so an interruption leaves the old or the new text.
pub fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let partial = path.with_file_name(format!(".{name}.unfinished"));
    let written = fs::File::create(&partial)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_data()))
        .and_then(|()| fs::rename(&partial, path));
    written.map_err(|error| {
        // Nobody needs the partial file.
        let _ = fs::remove_file(&partial);
        cannot("write", path, &error)
    })
}

fn cannot(verb: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot {verb} {}: {error}", path.display()))
        .hint("check the path and its permissions")
}

/// The bytes as text; invalid UTF-8 becomes replacement characters.
pub fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The scripts that the arguments name: files, and all `.smt2` files below folders, sorted.
pub fn find_scripts(arguments: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut scripts = Vec::new();
    for argument in arguments {
        let about = fs::metadata(argument).map_err(|error| {
            Failure::new(format!("cannot read {}: {error}", argument.display()))
                .hint("name files, or folders with .smt2 files")
        })?;
        if !about.is_dir() {
            scripts.push(argument.clone());
            continue;
        }
        let mut found = BTreeSet::new();
        let mut folders = vec![argument.clone()];
        let mut visited = BTreeSet::new();
        while let Some(folder) = folders.pop() {
            // Symbolic links can form cycles.
            if !visited.insert(fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone())) {
                continue;
            }
            let entries = fs::read_dir(&folder).map_err(|error| {
                Failure::new(format!("cannot read the folder {}: {error}", folder.display()))
                    .hint("check its permissions")
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
                .hint("name a folder with .smt2 files, or the files themselves"));
        }
        scripts.extend(found);
    }
    Ok(scripts)
}

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

/// A progress line on standard error, if that is a terminal.
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
            print::status(&format!("{} of {} files", self.done, self.total));
            self.shown = true;
            self.last = std::time::Instant::now();
        }
    }

    /// Clears the line.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            print::status("");
        }
    }
}
