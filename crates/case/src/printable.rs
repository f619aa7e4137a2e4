//! Text from solvers, scripts and file names, made safe for a terminal.

use std::borrow::Cow;

/// Whether a character does something to a terminal besides standing there: it moves the cursor, changes colours or titles, or
/// reverses the order of the text around it.
fn is_active(c: char) -> bool {
    let reverses = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    reverses || (c.is_control() && !matches!(c, '\n' | '\t'))
}

/// The text with every control character but line breaks and tabs as `\u001b`. JSON stays JSON.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_active) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_active(c) {
            true => safe.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => safe.push(c),
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn control_characters_are_spelled_out() {
        let table = [
            ("plain text\n\twith lines, ü and 漢字", "plain text\n\twith lines, ü and 漢字"),
            ("\x1b[2J\x1b]0;title\x07", "\\u001b[2J\\u001b]0;title\\u0007"),
            ("over\rwritten\x08\x7f", "over\\u000dwritten\\u0008\\u007f"),
            ("\u{9b}31m", "\\u009b31m"),
            ("\u{202e}txt.exe\u{2066}", "\\u202etxt.exe\\u2066"),
            ("\0", "\\u0000"),
        ];
        for (text, expected) in table {
            assert_eq!(printable(text), expected);
        }
        let json = serde_json::json!({ "text": "\u{9b}31m\x1b" }).to_string();
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&printable(&json)).unwrap()["text"],
            "\u{9b}31m\x1b"
        );
    }
}
