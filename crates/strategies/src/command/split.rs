//! Divides the output of a program into scripts.

use smt::lexer::{Kind, Lexer};

/// A script in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Printed<'a> {
    /// Its text.
    pub text: &'a str,
    /// Where it begins, in bytes.
    pub start: usize,
}

/// The scripts of an output. Each ends before a `(reset)` or `(exit)`, or at the end. Parts without a command are left out.
pub(super) fn scripts(output: &str) -> Vec<Printed<'_>> {
    let mut lexer = Lexer::new(output);
    let mut found = Vec::new();
    let (mut start, mut depth) = (0, 0usize);
    let mut has_command = false;
    // The beginning of the command, and its tokens if it has only three.
    let (mut command, mut words) = (0, Vec::new());
    let mut add = |start: usize, end: usize, has_command: bool| {
        if has_command {
            found.push(Printed { text: &output[start..end], start });
        }
    };
    loop {
        let Ok(token) = lexer.next_token() else {
            // The parser says what is wrong with the rest.
            has_command = true;
            break;
        };
        let (kind, end) = (token.kind, token.span.end as usize);
        if depth == 0 {
            (command, words) = (token.span.start as usize, Vec::new());
        }
        match kind {
            Kind::End => break,
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if words.len() < 4 {
            words.push(lexer.text(token));
        }
        if depth > 0 {
            continue;
        }
        if matches!(words.as_slice(), ["(", "reset" | "exit", ")"]) {
            add(start, command, has_command);
            (start, has_command) = (end, false);
        } else {
            has_command = true;
        }
    }
    add(start, output.len(), has_command || depth > 0);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_divided() {
        let table: [(&str, &[&str]); 13] = [
            ("", &[]),
            ("; only a comment\n", &[]),
            ("(check-sat)", &["(check-sat)"]),
            ("(check-sat)(exit)\n", &["(check-sat)"]),
            ("(assert a)(reset)(assert b)", &["(assert a)", "(assert b)"]),
            ("(a) ( exit ) (b)\n( reset\n)(exit)", &["(a) ", " (b)\n"]),
            ("(reset)(reset)(a)(exit)", &["(a)"]),
            ("(reset-assertions)(a)", &["(reset-assertions)(a)"]),
            (
                "(echo \"(reset)\")(a |(exit)|) ; (reset)\n(b)",
                &["(echo \"(reset)\")(a |(exit)|) ; (reset)\n(b)"],
            ),
            ("(assert (exit))(a)", &["(assert (exit))(a)"]),
            ("(a)(reset)garbage", &["(a)", "garbage"]),
            ("(a)(exit)(b", &["(a)", "(b"]),
            ("(a)(exit)\"open", &["(a)", "\"open"]),
        ];
        for (output, expected) in table {
            let found = scripts(output);
            let texts: Vec<&str> = found.iter().map(|one| one.text).collect();
            assert_eq!(texts, expected, "{output}");
            assert!(found.iter().all(|one| output[one.start..].starts_with(one.text)), "{output}");
        }
    }
}
