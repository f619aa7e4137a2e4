//! Patterns that recognise outcomes in a solver's output.

use regex::Regex;
use serde::{Deserialize, Deserializer, de::Error};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// A regular expression and the meaning of a match.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// What a match means.
    pub kind: PatternKind,
    /// The expression. Its first group, if it has one, is the part that identifies the bug or the reason.
    #[serde(deserialize_with = "compile")]
    pub regex: Regex,
    /// The output to search.
    #[serde(default)]
    pub stream: Stream,
    /// If this matches either output, a match of `regex` means nothing.
    #[serde(default)]
    pub unless: Option<Expression>,
}

/// What a match of a pattern means.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum PatternKind {
    /// A failed assertion or a fatal error. The message identifies the bug.
    Crash,
    /// The solver's signal handler reports a signal. The message says nothing about the bug.
    SignalHandler,
    /// The solver's own check rejects its model.
    InvalidModel,
    /// The solver's own check rejects its unsat core or proof.
    InvalidProof,
    /// The solver does not support this input or option.
    Refused,
    /// The solver reached its own time limit.
    Timeout,
    /// The solver ran out of memory.
    Memory,
    /// An error message that is no fault of the script, such as the one for `get-model` after `unsat`.
    Harmless,
    /// An error message, for solvers that do not write `(error …)`.
    Error,
}

/// The output that a pattern searches.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Stream {
    /// Both.
    #[default]
    Any,
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// A regular expression.
#[derive(Clone, Debug, Deserialize)]
pub struct Expression(#[serde(deserialize_with = "compile")] Regex);

impl Expression {
    /// Whether it matches part of a text.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// What its first group matches.
    pub fn first_group<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.0.captures(text)?.get(1).map(|group| group.as_str())
    }

    /// The text with `replacement` in place of every match.
    pub fn replace_all<'t>(&self, text: &'t str, replacement: &str) -> Cow<'t, str> {
        self.0.replace_all(text, replacement)
    }
}

fn compile<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Regex, D::Error> {
    // A profile is read once for each of its release entries, with mostly the same expressions.
    static KNOWN: Mutex<BTreeMap<String, Regex>> = Mutex::new(BTreeMap::new());
    let text = String::deserialize(deserializer)?;
    let mut known = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(regex) = known.get(&text) {
        return Ok(regex.clone());
    }
    let regex = Regex::new(&text).map_err(D::Error::custom)?;
    known.insert(text, regex.clone());
    Ok(regex)
}
