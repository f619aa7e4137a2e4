//! The corpus of real scripts, reduced to what can be parsed without solving.

use crate::parsers::Workload;
use smt::Arena;
use smt::lexer::{Kind, Lexer, top_level};
use std::path::{Path, PathBuf};

/// Declarations, definitions and assertions. Other commands would make a solver work, print or stop.
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

/// The corpus, in two forms.
pub struct Corpus {
    /// Every script that we can parse, in separate files.
    pub separate: Workload,
    /// Those that Z3 supports, in one file: one process per small script would measure the start-up of solvers.
    pub joined: Workload,
    /// The number of joined scripts.
    pub joined_scripts: usize,
}

/// Writes the scripts of the corpus without queries into `folder`; `None` if there is no corpus.
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
        // Scripts that are not text or that we reject would measure error reporting.
        let Ok(source) = std::fs::read_to_string(path) else { continue };
        let text = without_queries(&source);
        let mut arena = Arena::default();
        let Ok(script) = smt::parse_script(&mut arena, &text) else { continue };
        if arena.features(&script).solvers.is_none_or(|solvers| solvers.contains("z3")) {
            // Names whose form has a meaning, such as `-1`, do not survive the renaming.
            if let Some(renamed) = with_unique_names(&text, scripts.len())
                && smt::parse_script(&mut Arena::default(), &renamed).is_ok()
            {
                joined.push_str(&renamed);
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
    let joined = Workload { scripts: vec![file], list: folder.join("joined.list"), bytes: joined.len() };
    let separate = Workload { scripts, list: folder.join("corpus.list"), bytes };
    Ok(Some(Corpus { separate, joined, joined_scripts }))
}

/// Adds a number to each name that the script declares, so that no two scripts share a name. Returns `None` if the script
/// redeclares a name of the language.
fn with_unique_names(text: &str, number: usize) -> Option<String> {
    let mut result = String::with_capacity(2 * text.len());
    let language = Arena::default();
    let mut lexer = Lexer::new(text);
    let (mut depth, mut copied) = (0, 0);
    let (mut before, mut command) = ("", "");
    while let Ok(token) = lexer.next_token() {
        let word = lexer.text(token);
        let bare = word.trim_matches('|');
        // The symbols of an empty arena are the names of the language, and so are command names.
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
            // `is-c` is the old name of the tester for the constructor `c`.
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
