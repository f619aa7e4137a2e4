//! String literals that the standard and older releases read differently, such as `"\\x41"` and `"\\n"`.

/// Whether a string literal of the script has a backslash that does not begin a standard escape.
pub(crate) fn old_escapes(script: &str) -> bool {
    let old = |literal: &[u8], at: usize| literal[at] == b'\\' && literal.get(at + 1) != Some(&b'u');
    literals(script).any(|literal| (0..literal.len()).any(|at| old(literal, at)))
}

/// The largest character that a standard escape writes in a string literal of the script; 0 if there is no backslash. A release
/// that does not support the escape reads a different script.
pub fn largest_escape(script: &str) -> u32 {
    let escapes = |literal: &[u8]| {
        let text = String::from_utf8_lossy(literal).into_owned();
        let largest = text.split("\\u").skip(1).filter_map(|rest| {
            let digits = match rest.strip_prefix('{') {
                Some(braced) => braced.split('}').next(),
                None => rest.get(..4),
            };
            u32::from_str_radix(digits?, 16).ok()
        });
        // Releases without support for escapes may read any backslash differently.
        largest.max().unwrap_or(0).max(u32::from(text.contains('\\')))
    };
    literals(script).map(escapes).max().unwrap_or(0)
}

/// The contents of string literals. A doubled quote begins a new literal.
fn literals(script: &str) -> impl Iterator<Item = &[u8]> {
    let bytes = script.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            match bytes[at] {
                b';' => at = find(bytes, at, b'\n'),
                b'|' => at = find(bytes, at + 1, b'|'),
                b'"' => {
                    let end = find(bytes, at + 1, b'"');
                    let literal = &bytes[at + 1..end.min(bytes.len())];
                    at = end + 1;
                    return Some(literal);
                }
                _ => {}
            }
            at += 1;
        }
        None
    })
}

/// The position of the first `byte` from `start` on, or the end.
fn find(bytes: &[u8], start: usize, byte: u8) -> usize {
    bytes.iter().skip(start).position(|one| *one == byte).map_or(bytes.len(), |offset| start + offset)
}

#[cfg(test)]
mod tests {
    use super::{largest_escape, old_escapes};

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

    #[test]
    fn the_largest_escape_is_found() {
        let table = [
            (r#"(assert (= a "plain"))"#, 0),
            (r#"(assert (= a "\u{0}"))"#, 1),
            (r#"(assert (= a "\u0041\u{2ffff}" "\u{ff}"))"#, 0x2ffff),
            (r#"(assert (= a "\uzz \u{}" "\u"))"#, 1),
            ("; \"\\u{41}\"\n(check-sat)", 0),
        ];
        for (script, expected) in table {
            assert_eq!(largest_escape(script), expected, "{script}");
        }
    }
}
