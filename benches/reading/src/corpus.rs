//! The corpus of real scripts, made fit for reading alone.

use crate::contenders::Work;
use smt::lexer::top_level;
use std::path::{Path, PathBuf};

/// Commands that only say what is meant; everything else would make a solver work, print or stop.
const KEPT: &[&str] = &[
    "declare-sort",
    "declare-fun",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "define-sort",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-const",
    "assert",
];

/// Writes the scripts of the corpus without queries into `folder`; nothing if there is no corpus.
pub fn prepare(folder: &Path) -> Result<Option<Work>, String> {
    let root = match std::env::var_os("ELENCHUS_SHARED") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let mut sources = Vec::new();
    let mut folders = vec![root.join("corpus"), root.join("bugs")];
    while let Some(next) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&next) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "smt2") {
                sources.push(path);
            }
        }
    }
    sources.sort();
    let mut scripts = Vec::new();
    let mut bytes = 0;
    for path in &sources {
        // Scripts that are no text, or that we ourselves refuse, would measure how errors are reported.
        let Ok(source) = std::fs::read_to_string(path) else { continue };
        let text = without_queries(&source);
        if smt::parse_script(&mut smt::Arena::default(), &text).is_err() {
            continue;
        }
        let stripped = folder.join(format!("{}.smt2", scripts.len()));
        crate::write(&stripped, &text)?;
        scripts.push(stripped);
        bytes += text.len();
    }
    if scripts.is_empty() {
        return Ok(None);
    }
    Ok(Some(Work { scripts, list: folder.join("corpus.list"), bytes }))
}

fn without_queries(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    for command in top_level(source).map_while(Result::ok) {
        let name = command.trim_start_matches('(').split_whitespace().next().unwrap_or("");
        if KEPT.contains(&name) {
            text.push_str(command);
            text.push('\n');
        }
    }
    text
}
