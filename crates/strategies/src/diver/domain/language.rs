//! Regular languages of strings, with a fixed context before and after the string.

use semantics::value::limits::Limits;
use semantics::value::regex::{Automaton, Regex};
use semantics::value::string::Str;

/// The strings `x` for which `left · x · right` is in a regular language. This expresses quotients without new regular
/// expressions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Language {
    /// The context before.
    pub left: Str,
    /// The context after.
    pub right: Str,
    /// The language of the whole.
    pub regex: Regex,
}

/// Whether a language contains a string; `None` if deciding would take too long.
pub fn accepts(regex: &Regex, text: &Str, limits: &Limits) -> Option<bool> {
    Automaton::new(regex, limits).and_then(|mut automaton| automaton.accepts(text)).ok()
}

impl Language {
    /// The strings of a language.
    pub fn of(regex: Regex) -> Language {
        Language { left: Str::empty(), right: Str::empty(), regex }
    }

    /// The strings that are in this language between the two given ones.
    pub fn between(&self, before: &Str, after: &Str, limits: &Limits) -> Option<Language> {
        let left = Str::concat(&[self.left.clone(), before.clone()], limits).ok()?;
        let right = Str::concat(&[after.clone(), self.right.clone()], limits).ok()?;
        Some(Language { left, right, regex: self.regex.clone() })
    }

    /// Whether there is no context.
    pub fn is_plain(&self) -> bool {
        self.left.is_empty() && self.right.is_empty()
    }

    /// Whether a string is certainly in the language.
    pub fn contains(&self, text: &Str, limits: &Limits) -> bool {
        if self.is_plain() {
            return accepts(&self.regex, text, limits) == Some(true);
        }
        let parts = [self.left.clone(), text.clone(), self.right.clone()];
        match Str::concat(&parts, limits) {
            Ok(whole) => accepts(&self.regex, &whole, limits) == Some(true),
            Err(_) => false,
        }
    }

    /// Whether the language is empty; `None` if deciding would take too long.
    pub fn is_empty(&self, limits: &Limits) -> Option<bool> {
        let frame = Regex::literal(self.left.clone())
            .concat(&Regex::all())
            .concat(&Regex::literal(self.right.clone()));
        let automaton = Automaton::new(&self.regex.intersection(&frame), limits);
        let witness = automaton.and_then(|mut automaton| automaton.witness()).ok()?;
        Some(witness.is_none())
    }

    /// Whether the expression has an unbounded repetition, as in the paper's score.
    pub fn is_unbounded(&self) -> bool {
        self.regex.repeats_without_end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn membership_and_emptiness_are_decided() {
        let limits = Limits::default();
        let from_a = Language::of(Regex::literal(Str::from("a")).concat(&Regex::all()));
        let between = |before: &str, after: &str| {
            from_a.between(&Str::from(before), &Str::from(after), &limits).unwrap()
        };
        let table = [
            (from_a.clone(), "abc", true, false),
            (from_a.clone(), "bc", false, false),
            (between("ab", "c"), "", true, false),
            (between("", "b"), "x", false, false),
            (between("", "b"), "ax", true, false),
            (between("b", ""), "a", false, true),
            (Language::of(Regex::none()), "", false, true),
        ];
        for (language, text, member, empty) in table {
            assert_eq!(language.contains(&Str::from(text), &limits), member, "{language:?} {text}");
            assert_eq!(language.is_empty(&limits), Some(empty), "{language:?}");
        }
        assert!(from_a.is_unbounded() && !Language::of(Regex::literal(Str::from("ab")).opt()).is_unbounded());
    }
}
