//! A hook for one test: it replaces every text that evidence and outcomes print, to prove that no code parses such text.

use std::sync::OnceLock;

static REPLACEMENT: OnceLock<fn(String) -> String> = OnceLock::new();

/// Replaces all text that evidence and outcomes print, for the rest of the process. Only tests call this.
#[doc(hidden)]
pub fn replace_all_text(replacement: fn(String) -> String) {
    // The first replacement stays: there is no use for a second one.
    let _ = REPLACEMENT.set(replacement);
}

/// The text to print.
pub(crate) fn shown(text: String) -> String {
    match REPLACEMENT.get() {
        Some(replacement) => replacement(text),
        None => text,
    }
}
