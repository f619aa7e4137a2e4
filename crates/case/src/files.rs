//! The user's files: finding scripts in folders, reading and writing.

use crate::hinted::Hinted;
use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Larger files are not read: a script takes many times its size in memory.
const LARGEST: u64 = 256 << 20;

/// What to do about most errors.
const CHECK_PATH: &str = "check the path and its permissions";

/// A file could not be read or written, or a folder has no scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    message: String,
    hint: &'static str,
}

impl FileError {
    /// A file or folder could not be read, for this reason.
    pub fn unreadable(path: &Path, reason: impl fmt::Display) -> FileError {
        FileError { message: format!("cannot read {}: {reason}", path.display()), hint: CHECK_PATH }
    }

    /// A file could not be written, for this reason.
    pub fn unwritable(path: &Path, reason: impl fmt::Display) -> FileError {
        FileError { message: format!("cannot write {}: {reason}", path.display()), hint: CHECK_PATH }
    }

    fn hinted(self, hint: &'static str) -> FileError {
        FileError { hint, ..self }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FileError {}

impl Hinted for FileError {
    fn hint(&self) -> Option<String> {
        Some(self.hint.to_owned())
    }
}

/// Reads a file. Refuses devices and pipes, which may have no end, and files that are too large.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    let failed = |error| FileError::unreadable(path, error);
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(
            FileError::unreadable(path, "it is not a regular file").hinted("write the text to a file")
        );
    }
    read_bounded(File::open(path).map_err(failed)?, path)
}

fn read_bounded(from: impl Read, path: &Path) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    from.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| FileError::unreadable(path, error))?;
    match bytes.len() as u64 > LARGEST {
        true => Err(FileError {
            message: format!("{} is larger than {} MiB", path.display(), LARGEST >> 20),
            hint: "split it into smaller files",
        }),
        false => Ok(bytes),
    }
}

/// Reads a file as text. Invalid UTF-8, which is common in old comments, becomes replacement characters.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    read_bytes(path).map(into_text)
}

/// Reads a file, or standard input for `-`, as text.
pub fn read_text_or_stdin(path: &Path) -> Result<String, FileError> {
    match path.as_os_str() == "-" {
        true => read_bounded(io::stdin(), Path::new("standard input")).map(into_text),
        false => read_text(path),
    }
}

/// The bytes as text; invalid UTF-8 becomes replacement characters.
pub fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Writes a file.
pub fn write(path: &Path, text: &str) -> Result<(), FileError> {
    fs::write(path, text).map_err(|error| FileError::unwritable(path, error))
}

/// Replaces a file atomically, so an interruption leaves the old or the new text.
pub fn replace(path: &Path, text: &str) -> Result<(), FileError> {
    replaced(path, text).map_err(|error| FileError::unwritable(path, error))
}

/// Like [`replace`], for callers with errors of their own.
pub fn replaced(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let partial = path.with_file_name(format!(".{name}.unfinished"));
    let written = File::create(&partial)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_data()))
        .and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        // Nobody needs the partial file.
        let _ = fs::remove_file(&partial);
    }
    written
}

/// The scripts that the arguments name: files, and all `.smt2` files below folders, sorted.
pub fn find_scripts(arguments: &[PathBuf]) -> Result<Vec<PathBuf>, FileError> {
    let mut scripts = Vec::new();
    for argument in arguments {
        let about = fs::metadata(argument).map_err(|error| {
            FileError::unreadable(argument, error).hinted("name files, or folders with .smt2 files")
        })?;
        match about.is_dir() {
            true => scripts.extend(scripts_below(argument)?),
            false => scripts.push(argument.clone()),
        }
    }
    Ok(scripts)
}

fn scripts_below(folder: &Path) -> Result<BTreeSet<PathBuf>, FileError> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![folder.to_owned()];
    let mut visited = BTreeSet::new();
    while let Some(folder) = waiting.pop() {
        // Symbolic links can form cycles.
        if !visited.insert(fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone())) {
            continue;
        }
        let entries = fs::read_dir(&folder).map_err(|error| FileError {
            message: format!("cannot read the folder {}: {error}", folder.display()),
            hint: "check its permissions",
        })?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "smt2") {
                found.insert(path);
            }
        }
    }
    match found.is_empty() {
        true => Err(FileError {
            message: format!("no .smt2 file below {}", folder.display()),
            hint: "name a folder with .smt2 files, or the files themselves",
        }),
        false => Ok(found),
    }
}
