//! Formulas in Markdown: in code blocks, which often are shell transcripts.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use smt::file_access::find;
use smt::lexer::{elements, top_level};
use strategies::{command_line, profile_name};

/// A formula in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Extracted {
    /// The commands of the script, one per line.
    pub text: String,
    /// How the transcript around it runs a solver on it.
    pub invocation: Option<Invocation>,
}

/// A command that runs a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Invocation {
    /// The profile name of the solver.
    pub solver: String,
    /// Its options.
    pub options: Vec<(String, String)>,
}

/// Commands that a script may hold. Anything else in parentheses is output of a solver, or reads files (`include`).
const COMMANDS: [&str; 3] = ["set-logic", "set-info", "set-option"];

/// Prefixes of such commands.
const COMMAND_PREFIXES: [&str; 13] = [
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
pub(crate) fn formulas(markdown: &str) -> Vec<Extracted> {
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
                    found.extend(formulas_in_code(&block));
                }
            }
            _ => {}
        }
    }
    found
}

/// The formulas of a text that is all code: a code block or an attachment. Lines with a shell prompt separate them.
pub(crate) fn formulas_in_code(code: &str) -> Vec<Extracted> {
    let mut found: Vec<Extracted> = Vec::new();
    let mut segment = String::new();
    let mut current = None;
    // Some solvers end a comment at a lone carriage return. Our lexer does not, and would take the rest of the line for comment.
    for line in code.lines().flat_map(|line| line.split('\r')) {
        match shell_command(line) {
            Some(command) => {
                let next = invocation(command);
                // A transcript shows the formula before or after it runs the solver.
                found.extend(script(&segment, current.or_else(|| next.clone())));
                segment.clear();
                if let (Some(next), Some(last)) = (&next, found.last_mut()) {
                    last.invocation.get_or_insert_with(|| next.clone());
                }
                current = next;
            }
            None => {
                segment.push_str(line);
                segment.push('\n');
            }
        }
    }
    found.extend(script(&segment, current));
    found
}

/// The shell command on a line of a transcript.
fn shell_command(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let after_prompt = ["$ ", "> ", "% "].iter().find_map(|prompt| line.strip_prefix(prompt));
    // Without a prompt, a solver name with a file name is a command too.
    after_prompt.or_else(|| (invocation(line).is_some() && line.contains(".smt")).then_some(line))
}

/// The solver that a shell command runs, with its options.
fn invocation(command: &str) -> Option<Invocation> {
    let (program, rest) = command.split_once(char::is_whitespace)?;
    let program = program.rsplit('/').next().unwrap_or(program);
    Some(Invocation { solver: profile_name(program)?.to_owned(), options: command_line(rest) })
}

/// The script in a segment of code, if it has an assertion and a `check-sat`.
fn script(segment: &str, invocation: Option<Invocation>) -> Option<Extracted> {
    let mut text = String::new();
    let (mut asserts, mut checks) = (false, false);
    for item in top_level(segment) {
        // The rest is not SMT-LIB.
        let Ok(item) = item else { break };
        let Some(words) = elements(item) else { continue };
        if is_collected(item, &words) {
            asserts |= words[0].starts_with("assert");
            checks |= words[0].starts_with("check-sat");
            text.push_str(item);
            text.push('\n');
        }
    }
    (asserts && checks).then_some(Extracted { text, invocation })
}

/// Whether a command may be part of a collected script: strangers wrote it, so it must not open files.
fn is_collected(command: &str, words: &[&str]) -> bool {
    let Some(head) = words.first() else { return false };
    let names_path = |word: &&str| !word.starts_with(':') && word.contains(['/', '\\']);
    let known = COMMANDS.contains(head) || COMMAND_PREFIXES.iter().any(|prefix| head.starts_with(prefix));
    known && find(command).is_none() && !(*head == "set-option" && words.iter().any(names_path))
}

/// The links to attached text files, judged by their names.
pub(crate) fn attachments(markdown: &str) -> Vec<String> {
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
    fn formulas_come_from_code_blocks_and_transcripts() {
        let plain = "(assert true)\n(check-sat)\n";
        let found = |text: &str, invocation: Option<(&str, &[(&str, &str)])>| Extracted {
            text: text.to_owned(),
            invocation: invocation.map(|(solver, options)| {
                let pairs = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
                Invocation { solver: solver.to_owned(), options: pairs.collect() }
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
    fn attachments_are_text_files() {
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
    #[test]
    fn commands_that_open_files_are_dropped() {
        let dropped = [
            "(set-option :regular-output-channel \"x\")",
            "(set-option :diagnostic-output-channel x)",
            "(set-option :produce-models true :regular-output-channel \"x\")",
            "(set-option :trace true)",
            "(set-option :trace_file_name \"x\")",
            "(set-option :dump-to true)",
            "(set-option :some.future.option \"/home/user/.profile\")",
            "(set-option :some.future.option ../x)",
            "(set-option ; why\r :out \"x\")",
            "(include \"x\")",
            "(|set-option| :out \"x\")",
            "(set-file \"x\")",
            "(load \"x\")",
            "(echo \"x\")",
        ];
        for command in dropped {
            let code = format!("{command}\n(assert true)\n{command}\n(check-sat)\n");
            let texts: Vec<String> = formulas_in_code(&code).into_iter().map(|found| found.text).collect();
            assert_eq!(texts, ["(assert true)\n(check-sat)\n"], "{command}");
        }
        let kept = ["(set-option :produce-models true)", "(set-logic QF_LIA)", "(set-info :status sat)"];
        for command in kept {
            let code = format!("{command}\n(assert true)\n(check-sat)\n");
            assert_eq!(formulas_in_code(&code)[0].text, code);
        }
    }

    #[test]
    fn a_carriage_return_ends_a_comment() {
        let code = "(assert ; x\r ) (set-option :out \"x\") ;\n true) (check-sat)";
        for found in formulas_in_code(code) {
            assert!(!found.text.contains("set-option"), "{}", found.text);
        }
    }
}
