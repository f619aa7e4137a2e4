//! The input of a warm process since its start.
//!
//! A bug that appears only after other scripts is reproduced with all of them, as one script for the plain executable.

use super::script::{Command, Script};
use std::sync::Arc;

/// The input of a process so far. Clones are cheap, and do not change when the process gets more input.
#[derive(Clone, Debug, Default)]
pub struct Transcript(Option<Arc<Latest>>);

/// The last text of a transcript.
#[derive(Debug)]
struct Latest {
    text: String,
    before: Transcript,
}

impl Transcript {
    /// Adds a text.
    pub fn push(&mut self, text: String) {
        let before = std::mem::take(self);
        self.0 = Some(Arc::new(Latest { text, before }));
    }

    /// The whole input as one text.
    pub fn text(&self) -> String {
        let latest = std::iter::successors(self.0.as_deref(), |latest| latest.before.0.as_deref());
        let mut texts: Vec<&str> = latest.map(|latest| latest.text.as_str()).collect();
        texts.reverse();
        texts.concat()
    }
}

impl Drop for Transcript {
    /// Drops iteratively: recursion would overflow the stack for a long transcript.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut latest) = next.and_then(Arc::into_inner) {
            next = latest.before.0.take();
        }
    }
}

/// Splits a transcript into its opening and one part for each script, from its `push` to the matching `pop`. The last part may
/// lack the `pop`.
pub fn parts(transcript: &str) -> Vec<&str> {
    // Commands are slices of the text, so their addresses give their positions.
    let start = |command: &Command<'_>| command.text.as_ptr() as usize - transcript.as_ptr() as usize;
    let mut cuts = vec![0];
    let mut depth = 0u64;
    for command in Script::split(transcript).commands {
        let levels = || command.arguments().next().map_or(1, |levels| levels.parse().unwrap_or(0));
        match command.name {
            "push" => {
                if depth == 0 {
                    cuts.push(start(&command));
                }
                depth = depth.saturating_add(levels());
            }
            "pop" => depth = depth.saturating_sub(levels()),
            _ => {}
        }
    }
    cuts.push(transcript.len());
    cuts.windows(2).map(|ends| &transcript[ends[0]..ends[1]]).collect()
}

/// Whether the last part of a transcript contains all commands of a script except options and logic.
pub fn ends_with(transcript: &str, script: &str) -> bool {
    let last = parts(transcript).pop().unwrap_or_default();
    let sent = Script::split(last).commands;
    let script = Script::split(script).commands;
    let mut sent = sent.iter().skip(1).map(|command| command.text);
    let mut wanted = script.iter().filter(|command| !command.is_head()).map(|command| command.text);
    wanted.all(|command| sent.next() == Some(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_is_split_into_its_scripts() {
        let table: [(&str, &[&str]); 4] = [
            ("", &[""]),
            ("(set-logic QF_LIA)\n", &["(set-logic QF_LIA)\n"]),
            (
                "(set-logic L)\n(push 1)(a)(push)(b)(pop 2)\n(push 1)(c)(pop 1)\n",
                &["(set-logic L)\n", "(push 1)(a)(push)(b)(pop 2)\n", "(push 1)(c)(pop 1)\n"],
            ),
            ("(push 1)(a)(pop 1)(push 1)(b)", &["", "(push 1)(a)(pop 1)", "(push 1)(b)"]),
        ];
        for (transcript, expected) in table {
            assert_eq!(parts(transcript), expected, "{transcript}");
        }
    }

    #[test]
    fn clones_of_a_transcript_do_not_change() {
        let mut transcript = Transcript::default();
        transcript.push("(a)\n".to_owned());
        let first = transcript.clone();
        transcript.push("(b)\n".to_owned());
        assert_eq!((first.text().as_str(), transcript.text().as_str()), ("(a)\n", "(a)\n(b)\n"));
        for _ in 0..1_000_000 {
            transcript.push(String::new());
        }
        drop(transcript);
        assert_eq!(first.text(), "(a)\n");
    }

    #[test]
    fn a_transcript_ends_with_its_last_script() {
        let history = "(set-logic L)\n(push 1)(a)(pop 1)\n(push 1)(b)\n(check-sat)(get-model)(pop 1)\n";
        let table = [
            ("(set-logic L)(b)(check-sat)", true),
            ("(set-logic L)(a)", false),
            ("(b)(check-sat)(get-model)(pop 1)(c)", false),
        ];
        for (script, expected) in table {
            assert_eq!(ends_with(history, script), expected, "{script}");
        }
    }
}
