//! Helpers for text that people read: shorten it, fit it on one line, quote it for Markdown, HTML and shells.

/// The first `length` characters of a text.
pub fn head(text: &str, length: usize) -> &str {
    text.char_indices().nth(length).map_or(text, |(end, _)| &text[..end])
}

/// The first `length` characters of a text, with an ellipsis if there were more.
pub fn shortened(text: &str, length: usize) -> String {
    let head = head(text, length);
    if head.len() < text.len() { format!("{head}…") } else { head.to_owned() }
}

/// The first line of a text.
pub fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// The text on one line: all white space becomes single spaces.
pub fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning of a text on one line.
pub fn one_line(text: &str, length: usize) -> String {
    shortened(&collapsed(text), length)
}

/// A Markdown code block whose fence is longer than any run of backticks inside.
pub fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end())
}

/// The element of every HTML page that forbids scripts, and everything from elsewhere.
pub const CONTENT_POLICY: &str =
    r#"<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">"#;

/// The text escaped for HTML.
pub fn html_escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// A word quoted for a POSIX shell.
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
        assert_eq!((head("über uns", 4), head("über", 9)), ("über", "über"));
    }

    #[test]
    fn one_line_has_single_spaces() {
        assert_eq!(collapsed(" a\n  b\tc "), "a b c");
        assert_eq!(one_line(" a\n  b c", 3), "a b…");
    }

    #[test]
    fn html_text_has_no_markup() {
        assert_eq!(html_escaped("<a href='x'>\"&"), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;");
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
