//! What a process that stays was told from its start on. A bug that only shows after other scripts shows to people with all of
//! them: as one script for the plain executable.

use super::script::{Command, Script};
use std::sync::Arc;

/// All that a process was told so far. A copy costs nothing, and stays what it is when the process is told more.
#[derive(Clone, Debug, Default)]
pub struct Transcript(Option<Arc<Latest>>);

/// What a process was told last.
#[derive(Debug)]
struct Latest {
    text: String,
    before: Transcript,
}

impl Transcript {
    /// Adds what the process is told now.
    pub fn push(&mut self, text: String) {
        let before = std::mem::take(self);
        self.0 = Some(Arc::new(Latest { text, before }));
    }

    /// All of it, as one text.
    pub fn text(&self) -> String {
        let latest = std::iter::successors(self.0.as_deref(), |latest| latest.before.0.as_deref());
        let mut texts: Vec<&str> = latest.map(|latest| latest.text.as_str()).collect();
        texts.reverse();
        texts.concat()
    }
}

impl Drop for Transcript {
    /// One after the other: a long history would need much of the stack otherwise.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut latest) = next.and_then(Arc::into_inner) {
            next = latest.before.0.take();
        }
    }
}

/// A history cut into what can be left out of it: what the process was told first, and then a part for each script, from its
/// `push` to the `pop` that takes it back. The last part may lack the `pop`.
pub fn parts(told: &str) -> Vec<&str> {
    // Commands are parts of the text, so their addresses tell where they are.
    let start = |command: &Command<'_>| command.text.as_ptr() as usize - told.as_ptr() as usize;
    let mut cuts = vec![0];
    let mut depth = 0u64;
    for command in Script::split(told).commands {
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
    cuts.push(told.len());
    cuts.windows(2).map(|ends| &told[ends[0]..ends[1]]).collect()
}

/// Whether the last part of a history is about a script: it has all commands of it but options and logic.
pub fn ends_with(history: &str, script: &str) -> bool {
    let last = parts(history).pop().unwrap_or_default();
    let told = Script::split(last).commands;
    let script = Script::split(script).commands;
    let mut told = told.iter().skip(1).map(|command| command.text);
    let mut asked = script.iter().filter(|command| !command.is_head()).map(|command| command.text);
    asked.all(|command| told.next() == Some(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_is_cut_at_the_scripts_in_it() {
        let table: [(&str, &[&str]); 4] = [
            ("", &[""]),
            ("(set-logic QF_LIA)\n", &["(set-logic QF_LIA)\n"]),
            (
                "(set-logic L)\n(push 1)(a)(push)(b)(pop 2)\n(push 1)(c)(pop 1)\n",
                &["(set-logic L)\n", "(push 1)(a)(push)(b)(pop 2)\n", "(push 1)(c)(pop 1)\n"],
            ),
            ("(push 1)(a)(pop 1)(push 1)(b)", &["", "(push 1)(a)(pop 1)", "(push 1)(b)"]),
        ];
        for (told, expected) in table {
            assert_eq!(parts(told), expected, "{told}");
        }
    }

    #[test]
    fn what_was_told_stays_what_it_is() {
        let mut told = Transcript::default();
        told.push("(a)\n".to_owned());
        let first = told.clone();
        told.push("(b)\n".to_owned());
        assert_eq!((first.text().as_str(), told.text().as_str()), ("(a)\n", "(a)\n(b)\n"));
        for _ in 0..1_000_000 {
            told.push(String::new());
        }
        drop(told);
        assert_eq!(first.text(), "(a)\n");
    }

    #[test]
    fn a_history_ends_with_its_last_script() {
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
