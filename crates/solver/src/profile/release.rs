//! `[[release]]` entries: what differs in some releases.

use super::error::ProfileError;
use std::cmp::Ordering;

/// A range of releases: conditions such as `>=4.8.5` and `<4.12`, all of which must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    conditions: Vec<(Comparison, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Less,
    AtMost,
    AtLeast,
    More,
    Equal,
}

impl Range {
    /// Reads conditions separated by commas.
    pub fn parse(text: &str) -> Result<Range, ProfileError> {
        let condition = |part: &str| {
            let part = part.trim();
            let signs = [
                ("<=", Comparison::AtMost),
                (">=", Comparison::AtLeast),
                ("<", Comparison::Less),
                (">", Comparison::More),
                ("=", Comparison::Equal),
            ];
            let (rest, comparison) =
                signs.iter().find_map(|(sign, meaning)| Some((part.strip_prefix(sign)?, *meaning)))?;
            let version = rest.trim();
            version.starts_with(|c: char| c.is_ascii_digit()).then(|| (comparison, version.to_owned()))
        };
        let wrong = || {
            ProfileError::invalid(format!("`{text}` is not a range of releases, such as `>=4.8.5, <4.12`"))
        };
        let conditions = text.split(',').map(condition).collect::<Option<Vec<_>>>().ok_or_else(wrong)?;
        Ok(Range { conditions })
    }

    /// Whether the release `version` is in the range; an empty one never is.
    pub fn contains(&self, version: &str) -> bool {
        let holds = |(comparison, bound): &(Comparison, String)| {
            let order = compare_versions(version, bound);
            match comparison {
                Comparison::Less => order.is_lt(),
                Comparison::AtMost => order.is_le(),
                Comparison::AtLeast => order.is_ge(),
                Comparison::More => order.is_gt(),
                Comparison::Equal => order.is_eq(),
            }
        };
        !version.is_empty() && self.conditions.iter().all(holds)
    }
}

/// Orders releases by their numbers, part by part; missing parts count as 0 and letters after a number are ignored.
pub fn compare_versions(a: &str, b: &str) -> Ordering {
    let number = |part: Option<&str>| -> u64 {
        let part = part.unwrap_or("");
        let digits = part.split(|c: char| !c.is_ascii_digit()).find(|digits| !digits.is_empty());
        digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
    };
    let (mut left, mut right) = (a.split('.'), b.split('.'));
    loop {
        match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (l, r) => match number(l).cmp(&number(r)) {
                Ordering::Equal => {}
                order => return order,
            },
        }
    }
}

/// The range of a `[[release]]` entry.
pub(super) fn range_of(entry: &toml::Table) -> Result<Range, ProfileError> {
    match entry.get("range") {
        Some(toml::Value::String(text)) => Range::parse(text),
        _ => Err(ProfileError::invalid(
            "a `[[release]]` entry needs a `range`, such as `range = \">=4.12\"`".into(),
        )),
    }
}

/// Merges a `[[release]]` entry into the profile's table.
pub(super) fn merge_entry(base: &toml::Table, entry: &toml::Table) -> Result<toml::Table, ProfileError> {
    range_of(entry)?;
    let mut merged = base.clone();
    merged.remove("release");
    let mut changes = entry.clone();
    changes.remove("range");
    overlay(&mut merged, changes);
    Ok(merged)
}

/// Merges `changes` into `base`. Tables are merged key by key, other values are replaced. New `patterns` come first and the
/// old ones stay, so that a change need not repeat them.
pub(super) fn overlay(base: &mut toml::Table, changes: toml::Table) {
    for (key, value) in changes {
        match (base.get_mut(&key), value) {
            (Some(toml::Value::Table(below)), toml::Value::Table(above)) => overlay(below, above),
            (Some(toml::Value::Array(below)), toml::Value::Array(mut above)) if key == "patterns" => {
                above.append(below);
                *below = above;
            }
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Range;

    #[test]
    fn ranges_contain_the_right_releases() {
        let table = [
            (">=4.8.5, <4.12", "4.8.5", true),
            (">=4.8.5, <4.12", "4.9.0", true),
            (">=4.8.5, <4.12", "4.12.0", false),
            (">=4.8.5, <4.12", "4.8.10", true),
            ("<4.8.9", "4.8.10", false),
            ("=1.0.3", "1.0.3", true),
            ("=1.0", "1.0.0", true),
            (">1.2", "1.2.0", false),
            ("<=4.5.1", "4.5.1.0.post2", false),
            (">=1", "", false),
        ];
        for (range, version, expected) in table {
            assert_eq!(Range::parse(range).unwrap().contains(version), expected, "{range} {version}");
        }
    }
}
