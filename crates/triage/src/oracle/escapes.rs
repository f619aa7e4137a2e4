//! Strings that mean one thing by the standard and another to releases from before it: `"\\x41"`, `"\\n"`.

/// Whether a string literal of the script holds a backslash that does not begin an escape of the standard.
pub(crate) fn old_escapes(script: &str) -> bool {
    let bytes = script.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b';' => at = find(bytes, at, b'\n'),
            b'|' => at = find(bytes, at + 1, b'|'),
            b'"' => {
                let end = find(bytes, at + 1, b'"');
                let literal = &bytes[at + 1..end.min(bytes.len())];
                let old = |place: usize| literal[place] == b'\\' && literal.get(place + 1) != Some(&b'u');
                if (0..literal.len()).any(old) {
                    return true;
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    false
}

/// The first place of `byte` from `start` on, or the end.
fn find(bytes: &[u8], start: usize, byte: u8) -> usize {
    bytes.iter().skip(start).position(|one| *one == byte).map_or(bytes.len(), |place| start + place)
}

#[cfg(test)]
mod tests {
    use super::old_escapes;

    #[test]
    fn only_old_escapes_in_strings_count() {
        let table = [
            (r#"(assert (= a "\x41"))"#, true),
            (r#"(assert (= a "x\"))"#, true),
            (r#"(assert (= a "\u{41}\u0041"))"#, false),
            (r#"(assert (= a "plain ""quoted"" text"))"#, false),
            ("; a comment with \"\\x41\"\n(check-sat)", false),
            ("(declare-const |odd \"name| Int)", false),
            ("(assert (= a \"never closed", false),
        ];
        for (script, expected) in table {
            assert_eq!(old_escapes(script), expected, "{script}");
        }
    }
}
