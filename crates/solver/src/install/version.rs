//! Release numbers as package registries and solvers write them.

use std::cmp::Ordering;
use std::fmt;

/// How many leading numbers identify a release; the rest counts builds of it.
const RELEASE_PARTS: usize = 3;

/// A release number such as `4.5.1.0.post2` or `1.0.3-1`: ordered by its numbers, then by its rebuild.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    text: String,
    numbers: Vec<u64>,
    rebuild: u64,
}

impl Version {
    /// Reads a version that starts with a number.
    pub fn parse(text: &str) -> Option<Version> {
        let text = text.trim();
        let mut numbers = Vec::new();
        let mut rebuild = 0;
        for part in text.trim_start_matches('v').split('.') {
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            if digits > 0 {
                numbers.push(part[..digits].parse().ok()?);
            } else if let Some(number) = part.strip_prefix("post") {
                rebuild = number.parse().ok()?;
            }
            if digits < part.len() {
                break;
            }
        }
        if numbers.is_empty() { None } else { Some(Version { text: text.to_owned(), numbers, rebuild }) }
    }

    /// The text it was read from.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The release number without the packager's counters: `4.5.1` for `4.5.1.0.post2`.
    pub fn release(&self) -> String {
        let parts: Vec<String> = self.numbers.iter().take(RELEASE_PARTS).map(u64::to_string).collect();
        parts.join(".")
    }

    /// Whether this version starts with the numbers of `prefix`, as `4.8.17` starts with `4.8`.
    pub fn starts_with(&self, prefix: &Version) -> bool {
        self.numbers.starts_with(&prefix.numbers)
    }

    /// The numbers without trailing zeros, so that 1.2 equals 1.2.0.
    fn significant(&self) -> &[u64] {
        let zeros = self.numbers.iter().rev().take_while(|number| **number == 0).count();
        &self.numbers[..self.numbers.len() - zeros]
    }

    /// Whether both are the same release, whoever built it.
    pub fn same_release(&self, other: &Version) -> bool {
        let cut = |version: &Version| {
            let numbers = version.significant();
            numbers[..numbers.len().min(RELEASE_PARTS)].to_vec()
        };
        let trimmed = |mut numbers: Vec<u64>| {
            while numbers.last() == Some(&0) {
                numbers.pop();
            }
            numbers
        };
        trimmed(cut(self)) == trimmed(cut(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.significant()
            .cmp(other.significant())
            .then(self.rebuild.cmp(&other.rebuild))
            .then_with(|| self.text.cmp(&other.text))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The first word of `text` that looks like a release number; `text` is what a program prints for `--version`.
pub fn version_in(text: &str) -> Option<String> {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')' | '[' | ']' | '"' | ';'))
        .map(|word| word.trim_start_matches('v').trim_end_matches(['.', ':']))
        .find(|word| {
            word.starts_with(|c: char| c.is_ascii_digit())
                && word.contains('.')
                && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+'))
        })
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{Version, version_in};

    #[test]
    fn releases_omit_the_counters_of_packagers() {
        let table = [
            ("4.8.5.0", "4.8.5"),
            ("4.5.1.0.post2", "4.5.1"),
            ("5.4.0.0", "5.4.0"),
            ("1.8-3", "1.8"),
            ("1.0.3-1", "1.0.3"),
            ("4.8.12-3.1", "4.8.12"),
            ("2.6.5.post24", "2.6.5"),
            ("3.2.4.38488416565", "3.2.4"),
        ];
        for (text, release) in table {
            assert_eq!(Version::parse(text).unwrap().release(), release, "{text}");
        }
        assert_eq!(Version::parse("latest"), None);
        assert_eq!(Version::parse(""), None);
    }

    #[test]
    fn versions_are_ordered_by_number_and_rebuild() {
        let ascending = ["4.4.2.1", "4.5.1.0", "4.5.1.0.post1", "4.5.1.0.post2", "4.8.9", "4.8.10", "5.0"];
        for pair in ascending.windows(2) {
            let (low, high) = (Version::parse(pair[0]).unwrap(), Version::parse(pair[1]).unwrap());
            assert!(low < high, "{low} < {high}");
        }
    }

    #[test]
    fn a_release_is_the_same_whoever_built_it() {
        let same = [("4.8.5.0", "4.8.5"), ("1.8-3", "1.8"), ("1.2", "1.2.0"), ("5.0.0.0", "5.0.0")];
        let other = [("4.8.5", "4.8.15"), ("4.8.12", "4.8.1")];
        let is_same =
            |(a, b): (&str, &str)| Version::parse(a).unwrap().same_release(&Version::parse(b).unwrap());
        assert!(same.into_iter().all(is_same));
        assert!(!other.into_iter().any(is_same));
    }

    #[test]
    fn versions_are_found_in_the_output_of_programs() {
        let table = [
            ("Z3 version 5.4.0 - 64 bit", Some("5.4.0")),
            (
                "This is cvc5 version 1.0.3 [git tag 1.0.3 branch HEAD]\ncompiled with GCC version 12.2.0",
                Some("1.0.3"),
            ),
            ("This is CVC4 version 1.8\n", Some("1.8")),
            ("Yices 2.6.5\nCopyright SRI International.", Some("2.6.5")),
            ("0.9.1", Some("0.9.1")),
            ("dReal v4.21.06.2 (release)", Some("4.21.06.2")),
            ("MathSAT5 version 5.6.10 (abc) (Feb 3 2023)", Some("5.6.10")),
            ("command not found", None),
        ];
        for (printed, version) in table {
            assert_eq!(version_in(printed).as_deref(), version, "{printed}");
        }
    }
}
