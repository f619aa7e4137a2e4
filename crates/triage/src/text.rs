//! Small helpers for text that people read.

/// The first `length` characters of a text, with an ellipsis if there were more.
pub fn shortened(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A Markdown code block whose fence is longer than any run of backticks inside.
pub fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end())
}

/// A word as a POSIX shell reads it back.
pub fn shell_quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=./:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_shortened_by_characters() {
        assert_eq!(shortened("über", 4), "über");
        assert_eq!(shortened("über uns", 4), "über…");
    }

    #[test]
    fn fences_are_longer_than_what_they_hold() {
        assert_eq!(fenced("smt2", "(a)\n"), "```smt2\n(a)\n```\n");
        assert_eq!(fenced("", "a ```` b"), "`````\na ```` b\n`````\n");
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_split_them() {
        let table = [
            ("smt.relevancy=1", "smt.relevancy=1"),
            ("tactic.default_tactic=(then simplify smt)", "'tactic.default_tactic=(then simplify smt)'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
        ];
        for (word, expected) in table {
            assert_eq!(shell_quoted(word), expected);
        }
    }
}
