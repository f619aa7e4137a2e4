//! Preprocesses the text of a model: replaces solver-specific syntax by SMT-LIB terms.

use crate::value::limits::Limits;
use crate::value::real::Real;

use super::roots;

/// The escape sequences in a model's strings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StringDialect {
    /// Since SMT-LIB 2.6: `\u{41}`.
    #[default]
    Standard,
    /// Of older solver releases: `\x41`, `\n`.
    Legacy,
}

/// A preprocessed model.
#[derive(Default)]
pub(super) struct Preprocessed {
    /// The text without comments, with a name in place of each algebraic number.
    pub(super) text: String,
    /// The algebraic numbers, in the order of their names.
    pub(super) roots: Vec<Real>,
    /// Sorts with the elements that comments list.
    pub(super) elements: Vec<(String, Vec<String>)>,
}

/// The name of the algebraic number with this index.
pub(super) fn root_name(index: usize) -> String {
    format!("@root!{index}")
}

/// Preprocesses a model's text.
pub(super) fn preprocess(text: &str, dialect: StringDialect, limits: &Limits) -> Preprocessed {
    let mut preprocessed = Preprocessed::default();
    let strings = dialect == StringDialect::Legacy && text.contains('"');
    if !strings && !text.contains(';') && !text.contains("root-o") && !text.contains("real_algebraic") {
        preprocessed.text.push_str(text);
        return preprocessed;
    }
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '"' => {
                let length = quoted_length(rest, '"');
                preprocessed.string(&rest[..length], dialect);
                length
            }
            '|' => {
                let length = quoted_length(rest, '|');
                preprocessed.text.push_str(&rest[..length]);
                length
            }
            ';' => {
                let length = rest.find('\n').unwrap_or(rest.len());
                preprocessed.comment(&rest[1..length]);
                length
            }
            '(' => preprocessed.list(rest, limits),
            // CVC4's models and Z3's answers to `get-value` name elements without a sort.
            '@' | 'A'..='Z' | 'a'..='z' | '_' | '$' | '~' => {
                let length =
                    rest.find(|c: char| c.is_whitespace() || "()\";|".contains(c)).unwrap_or(rest.len());
                preprocessed.text.push_str(&rest[..length]);
                length
            }
            other => {
                preprocessed.text.push(other);
                other.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    preprocessed
}

/// The length of a string or quoted symbol with its quotes. A doubled quote ends one string and begins the next.
fn quoted_length(text: &str, quote: char) -> usize {
    text[1..].find(quote).map_or(text.len(), |end| end + 2)
}

/// The length of a parenthesised list, if it is closed.
fn list_length(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

impl Preprocessed {
    fn string(&mut self, literal: &str, dialect: StringDialect) {
        match dialect {
            StringDialect::Standard => self.text.push_str(literal),
            StringDialect::Legacy => self.text.push_str(&modern_escapes(literal)),
        }
    }

    /// Consumes an opening parenthesis, or the whole list if it is an algebraic number. Returns the length.
    fn list(&mut self, rest: &str, limits: &Limits) -> usize {
        const CVC5: &str = "(_ real_algebraic_number <";
        let number = if rest.starts_with("(root-obj ") || rest.starts_with("(root-of-with-interval ") {
            list_length(rest).and_then(|length| Some((roots::read_term(&rest[..length], limits)?, length)))
        } else if let Some(inner) = rest.strip_prefix(CVC5) {
            inner
                .find(">)")
                .and_then(|end| Some((roots::read_bracketed(&inner[..end], limits)?, CVC5.len() + end + 2)))
        } else {
            None
        };
        match number {
            Some((number, length)) => {
                self.text.push_str(&root_name(self.roots.len()));
                self.roots.push(number);
                length
            }
            None => {
                self.text.push('(');
                1
            }
        }
    }

    /// Reads a comment: cvc5 and CVC4 list the elements of an uninterpreted sort in comments.
    fn comment(&mut self, comment: &str) {
        let comment = comment.trim_start_matches(';').trim();
        if let Some((sort, _)) =
            comment.strip_prefix("cardinality of ").and_then(|statement| statement.rsplit_once(" is "))
        {
            self.elements.push((sort.trim().to_owned(), Vec::new()));
        } else if let Some(element) = comment.strip_prefix("rep:")
            && let Some((_, elements)) = self.elements.last_mut()
        {
            elements.push(element.trim().to_owned());
        }
    }
}

/// Rewrites string escapes of versions before SMT-LIB 2.6, such as `\x41` and `
/// `.
fn modern_escapes(literal: &str) -> String {
    let mut out = String::with_capacity(literal.len());
    let mut rest = literal;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let hex = rest.strip_prefix('x').and_then(|digits| digits.get(..2));
        let (code, taken) =
            match (hex.and_then(|digits| u32::from_str_radix(digits, 16).ok()), rest.chars().next()) {
                (Some(code), _) => (Some(code), 3),
                (None, Some('a')) => (Some(7), 1),
                (None, Some('b')) => (Some(8), 1),
                (None, Some('t')) => (Some(9), 1),
                (None, Some('n')) => (Some(10), 1),
                (None, Some('v')) => (Some(11), 1),
                (None, Some('f')) => (Some(12), 1),
                (None, Some('r')) => (Some(13), 1),
                (None, Some('e')) => (Some(27), 1),
                (None, Some('\\')) => (Some(92), 1),
                _ => (None, 0),
            };
        match code {
            Some(code) => out.push_str(&format!("\\u{{{code:x}}}")),
            None => out.push('\\'),
        }
        rest = &rest[taken..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solver_syntax_becomes_smtlib() {
        let table = [
            ("(define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 1))", "(define-fun x () Real @root!0)"),
            ("(f (_ real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>))", "(f @root!0)"),
            ("(root-obj \"broken", "(root-obj \"broken"),
            ("\"a;b\" ; gone\n|c;d|", "\"a;b\" \n|c;d|"),
            ("\"say \"\"(root-obj x 1)\"\"\"", "\"say \"\"(root-obj x 1)\"\"\""),
        ];
        for (text, expected) in table {
            assert_eq!(preprocess(text, StringDialect::Standard, &Limits::default()).text, expected);
        }
    }

    #[test]
    fn legacy_escapes_become_standard_ones() {
        let table = [
            ("\"\\x41b\"", "\"\\u{41}b\""),
            ("\"\\n\\\\\"", "\"\\u{a}\\u{5c}\""),
            ("\"\\xZZ\"", "\"\\xZZ\""),
        ];
        for (text, expected) in table {
            assert_eq!(preprocess(text, StringDialect::Legacy, &Limits::default()).text, expected);
        }
    }

    #[test]
    fn comments_list_elements() {
        let text = "; cardinality of U is 2\n; rep: (as @U_0 U)\n; rep: (as @U_1 U)\n";
        let preprocessed = preprocess(text, StringDialect::Standard, &Limits::default());
        let elements = vec!["(as @U_0 U)".to_owned(), "(as @U_1 U)".to_owned()];
        assert_eq!(preprocessed.elements, [("U".to_owned(), elements)]);
    }
}
