//! Formulas in what people write: code blocks of Markdown, which often are transcripts of a shell.

use crate::options::{command_line, profile_name};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use smt::lexer::{elements, top_level};

/// A formula in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The commands of the script, one a line.
    pub text: String,
    /// The solver that the transcript around it runs, by profile name, with its options.
    pub run: Option<(String, Vec<(String, String)>)>,
}

/// Heads of commands that a script is made of; what else stands in parentheses is what a solver said.
const COMMANDS: [&str; 14] = [
    "set-",
    "declare-",
    "define-",
    "assert",
    "check-sat",
    "get-",
    "push",
    "pop",
    "reset",
    "exit",
    "minimize",
    "maximize",
    "simplify",
    "eval",
];

/// The formulas in the code blocks of a text, in order.
pub fn formulas(markdown: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut block: Option<String> = None;
    for event in Parser::new_ext(markdown, Options::empty()) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented)) => {
                block = Some(String::new());
            }
            Event::Text(text) => {
                if let Some(block) = &mut block {
                    block.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some(block) = block.take() {
                    found.extend(in_block(&block));
                }
            }
            _ => {}
        }
    }
    found
}

/// The formulas of a text that is nothing but code: a block or an attachment. Lines that a shell's prompt begins cut it.
pub(crate) fn in_block(block: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut segment = String::new();
    let mut run = None;
    for line in block.lines() {
        match prompt(line) {
            Some(command) => {
                let this = ran(command);
                // A formula is shown before or after the solver is run on it.
                let before = run.clone().or_else(|| this.clone());
                found.extend(script(&segment, before));
                segment.clear();
                if let (Some(run), Some(last)) = (&this, found.last_mut()) {
                    let last: &mut Found = last;
                    last.run.get_or_insert_with(|| run.clone());
                }
                run = this;
            }
            None => {
                segment.push_str(line);
                segment.push('\n');
            }
        }
    }
    found.extend(script(&segment, run));
    found
}

/// What follows the prompt of a shell.
fn prompt(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest =
        line.strip_prefix("$ ").or_else(|| line.strip_prefix("> ")).or_else(|| line.strip_prefix("% "));
    match rest {
        Some(rest) => Some(rest),
        // Without a prompt, the name of a solver and of a file are a command too.
        None => (ran(line).is_some() && line.contains(".smt")).then_some(line),
    }
}

/// The solver that a command runs, with its options.
fn ran(command: &str) -> Option<(String, Vec<(String, String)>)> {
    let (program, rest) = command.split_once(char::is_whitespace)?;
    let program = program.rsplit('/').next().unwrap_or(program);
    Some((profile_name(program)?.to_owned(), command_line(rest)))
}

/// The script in a part of a block, if it asserts and asks.
fn script(segment: &str, run: Option<(String, Vec<(String, String)>)>) -> Option<Found> {
    let mut text = String::new();
    let (mut asserts, mut asks) = (false, false);
    for item in top_level(segment) {
        // What cannot be read ends the script: the rest is no SMT-LIB.
        let Ok(item) = item else { break };
        let Some(words) = elements(item) else { continue };
        let Some(head) = words.first() else { continue };
        if COMMANDS.iter().any(|begin| head.starts_with(begin)) {
            asserts |= head.starts_with("assert");
            asks |= head.starts_with("check-sat");
            text.push_str(item);
            text.push('\n');
        }
    }
    (asserts && asks).then_some(Found { text, run })
}

/// The links to attached files that are plain text, by their names.
pub fn attachments(markdown: &str) -> Vec<String> {
    let mut links = Vec::new();
    for event in Parser::new_ext(markdown, Options::empty()) {
        if let Event::Start(Tag::Link { dest_url, .. }) = event {
            let path = dest_url.split(['?', '#']).next().unwrap_or_default();
            let plain = [".smt2", ".smt", ".txt"].iter().any(|ending| path.ends_with(ending));
            if plain && path.contains("/files/") && !links.iter().any(|known| *known == *dest_url) {
                links.push(dest_url.to_string());
            }
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_stand_in_blocks_and_transcripts() {
        let plain = "(assert true)\n(check-sat)\n";
        let found = |text: &str, run: Option<(&str, &[(&str, &str)])>| Found {
            text: text.to_owned(),
            run: run.map(|(solver, options)| {
                let pairs = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
                (solver.to_owned(), pairs.collect())
            }),
        };
        let table = [
            ("No code.\n\n(assert true)(check-sat)", vec![]),
            ("```\n(assert true)\n(check-sat)\n```", vec![found(plain, None)]),
            ("~~~smt2\n(assert true) ; why\n(check-sat)\n~~~", vec![found(plain, None)]),
            ("Indented:\n\n    (assert true)\n    (check-sat)\n", vec![found(plain, None)]),
            ("```\nint main() { return 0; }\n```", vec![]),
            ("```\n(declare-const x Int)\n```", vec![]),
            (
                "```\n$ z3 smt.arith.solver=6 a.smt2\nunsat\n(error \"line 3\")\n$ cat a.smt2\n(assert true)\n(check-sat)\n```",
                vec![found(plain, None)],
            ),
            (
                "```\n$ cat a.smt2\n(assert true)\n(check-sat)\n$ cvc5 --strings-exp a.smt2\nsat\n```",
                vec![found(plain, Some(("cvc5", &[("strings-exp", "true")])))],
            ),
            (
                "```\n(assert true)\n(check-sat)\n```\nand\n```\n(assert false)\n(check-sat)\n```",
                vec![found(plain, None), found("(assert false)\n(check-sat)\n", None)],
            ),
            (
                "```\n(assert true)\n(check-sat)\nsat\n(model\n)\n(:reason-unknown x)\n```",
                vec![found(plain, None)],
            ),
        ];
        for (markdown, expected) in table {
            assert_eq!(formulas(markdown), expected, "{markdown}");
        }
    }

    #[test]
    fn attachments_are_plain_text_files() {
        let text = "See [bug.smt2](https://github.com/x/y/files/1/bug.smt2) and \
                    [all](https://github.com/x/y/files/2/all.zip), [doc](https://example.org/doc.txt), \
                    [t](https://github.com/user-attachments/files/3/t.txt?raw=1).";
        assert_eq!(
            attachments(text),
            [
                "https://github.com/x/y/files/1/bug.smt2",
                "https://github.com/user-attachments/files/3/t.txt?raw=1"
            ]
        );
    }
}
