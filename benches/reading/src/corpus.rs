//! The corpus of real scripts, made fit for reading alone.

use crate::contenders::Work;
use smt::Arena;
use smt::lexer::{Kind, Lexer, top_level};
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

/// The corpus twice.
pub struct Corpus {
    /// Every script that we can read, in a file of its own.
    pub apart: Work,
    /// Those whose operators Z3 knows, in one file: a process for each small script would measure how solvers start.
    pub joined: Work,
    /// How many scripts were joined.
    pub joined_scripts: usize,
}

/// Writes the scripts of the corpus without queries into `folder`; nothing if there is no corpus.
pub fn prepare(folder: &Path) -> Result<Option<Corpus>, String> {
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
    let mut joined = String::new();
    let mut joined_scripts = 0;
    for path in &sources {
        // Scripts that are no text, or that we ourselves refuse, would measure how errors are reported.
        let Ok(source) = std::fs::read_to_string(path) else { continue };
        let text = without_queries(&source);
        let mut arena = Arena::default();
        let Ok(script) = smt::parse_script(&mut arena, &text) else { continue };
        if arena.features(&script).solvers.is_none_or(|solvers| solvers.contains("z3")) {
            // Names that mean something by their form, such as `-1`, do not survive the renaming.
            if let Some(own) = with_own_names(&text, scripts.len())
                && smt::parse_script(&mut Arena::default(), &own).is_ok()
            {
                joined.push_str(&own);
                joined_scripts += 1;
            }
        }
        let stripped = folder.join(format!("{}.smt2", scripts.len()));
        crate::write(&stripped, &text)?;
        scripts.push(stripped);
        bytes += text.len();
    }
    if scripts.is_empty() {
        return Ok(None);
    }
    let file = folder.join("joined.smt2");
    crate::write(&file, &joined)?;
    let joined = Work { scripts: vec![file], list: folder.join("joined.list"), bytes: joined.len() };
    let apart = Work { scripts, list: folder.join("corpus.list"), bytes };
    Ok(Some(Corpus { apart, joined, joined_scripts }))
}

/// A script with a number before each name of its own, so that no two scripts share one; nothing if it gives a name of the
/// language a meaning of its own.
fn with_own_names(text: &str, number: usize) -> Option<String> {
    let mut result = String::with_capacity(2 * text.len());
    let language = Arena::default();
    let mut lexer = Lexer::new(text);
    let (mut depth, mut copied) = (0, 0);
    let (mut before, mut command) = ("", "");
    while let Ok(token) = lexer.next_token() {
        let word = lexer.text(token);
        let bare = word.trim_matches('|');
        // What an arena knows that has read nothing is a name of the language, and so are the names of commands.
        let own = match token.kind {
            Kind::End => break,
            Kind::Open => {
                depth += 1;
                false
            }
            Kind::Close => {
                depth -= 1;
                false
            }
            Kind::Symbol | Kind::Quoted => {
                let known = language.find_symbol(bare).is_some();
                let several = matches!(command, "declare-datatypes" | "define-funs-rec");
                let declared = if several { before == "(" } else { depth == 1 && before == command };
                if depth == 1 && before == "(" {
                    command = word;
                    false
                } else if known && declared && command != "assert" {
                    return None;
                } else {
                    !known && (before != "_" || !bare.starts_with("bv"))
                }
            }
            _ => false,
        };
        if own {
            // `is-c` is the old name of the test for the constructor `c`.
            let tester = if bare.starts_with("is-") { "is-".len() } else { 0 };
            let name = token.span.start as usize + usize::from(token.kind == Kind::Quoted) + tester;
            result.push_str(&text[copied..name]);
            result.push_str(&format!("s{number}!"));
            copied = name;
        }
        before = word;
    }
    result.push_str(&text[copied..]);
    Some(result)
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
