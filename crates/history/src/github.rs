//! The parts of GitHub's answers that the collector uses.

use serde::Deserialize;

/// A time such as `2026-01-31T12:00:00Z`. Sorts by time, and holds nothing but digits and punctuation.
///
/// Everything else is refused: the time goes into URLs and into the first lines of collected files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Timestamp(String);

impl Timestamp {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Timestamp {
    type Error = String;

    fn try_from(text: String) -> Result<Timestamp, String> {
        const PATTERN: &[u8] = b"dddd-dd-ddTdd:dd:ddZ";
        let fits = |(byte, pattern): (u8, u8)| match pattern {
            b'd' => byte.is_ascii_digit(),
            _ => byte == pattern,
        };
        match text.len() == PATTERN.len() && text.bytes().zip(PATTERN.iter().copied()).all(fits) {
            true => Ok(Timestamp(text)),
            false => Err(format!("{text:?} is not a time such as 2026-01-31T12:00:00Z")),
        }
    }
}

/// An issue.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Issue {
    pub number: u64,
    #[serde(default)]
    pub title: String,
    #[serde(default)]
    pub body: Option<String>,
    #[serde(default)]
    pub labels: Vec<Label>,
    #[serde(default)]
    pub comments: u64,
    pub updated_at: Timestamp,
    /// Set for pull requests, which the API lists among the issues.
    #[serde(default)]
    pub pull_request: Option<serde_json::Value>,
}

/// A label. Old answers have plain words.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Label {
    Word(String),
    Named { name: Option<String> },
}

/// A comment.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Comment {
    #[serde(default)]
    pub body: Option<String>,
}

/// Words of titles and labels with the class of bug that they indicate, worst first.
const WORDS: [(&str, &str); 21] = [
    ("soundness", "soundness"),
    ("unsound", "soundness"),
    ("refutation", "soundness"),
    ("incorrect", "soundness"),
    ("wrong", "soundness"),
    ("inconsistent", "soundness"),
    ("unexpected sat", "soundness"),
    ("unexpected unsat", "soundness"),
    ("invalid model", "invalid-model"),
    ("model validation", "invalid-model"),
    ("bad model", "invalid-model"),
    ("model is wrong", "invalid-model"),
    ("crash", "crash"),
    ("segfault", "crash"),
    ("segmentation", "crash"),
    ("assertion", "crash"),
    ("assert failure", "crash"),
    ("violation", "crash"),
    ("fatal failure", "crash"),
    ("internal error", "crash"),
    ("unreachable code", "crash"),
];

impl Issue {
    /// The class of bug that title and labels indicate; `None` for anything else.
    pub fn class(&self) -> Option<&'static str> {
        if self.pull_request.is_some() {
            return None;
        }
        let mut text = self.title.to_lowercase();
        for label in &self.labels {
            text.push('\n');
            text.push_str(
                &match label {
                    Label::Word(word) => word.as_str(),
                    Label::Named { name } => name.as_deref().unwrap_or_default(),
                }
                .to_lowercase(),
            );
        }
        WORDS.iter().find(|(word, _)| text.contains(word)).map(|(_, class)| *class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_labels_give_the_class() {
        let table = [
            (
                r#"{"number":1,"title":"Soundness bug on QF_S","updated_at":"2026-01-31T12:00:00Z"}"#,
                Some("soundness"),
            ),
            (
                r#"{"number":1,"title":"Invalid Model for arrays","updated_at":"2026-01-31T12:00:00Z"}"#,
                Some("invalid-model"),
            ),
            (r#"{"number":1,"title":"Feature request","updated_at":"2026-01-31T12:00:00Z"}"#, None),
            (
                r#"{"number":1,"title":"Help","labels":[{"name":"crash"}],"updated_at":"2026-01-31T12:00:00Z"}"#,
                Some("crash"),
            ),
            (
                r#"{"number":1,"title":"Help","labels":["Assertion"],"updated_at":"2026-01-31T12:00:00Z"}"#,
                Some("crash"),
            ),
            (
                r#"{"number":1,"title":"Fix crash","pull_request":{"url":"x"},"updated_at":"2026-01-31T12:00:00Z"}"#,
                None,
            ),
        ];
        for (text, class) in table {
            let issue: Issue = serde_json::from_str(text).unwrap();
            assert_eq!(issue.class(), class, "{text}");
        }
    }
    #[test]
    fn times_hold_nothing_else() {
        let table = [
            ("2026-01-31T12:00:00Z", true),
            ("", false),
            ("2026-01-31", false),
            ("2026-01-31T12:00:00Z\n(exit)", false),
            ("2026-01-31T12:00:00\n", false),
            ("2026-01-31T12:00:00+02:00", false),
            ("２026-01-31T12:00:0", false),
            ("(assert (= x y)) ; z", false),
        ];
        for (text, valid) in table {
            assert_eq!(Timestamp::try_from(text.to_owned()).is_ok(), valid, "{text:?}");
        }
    }
}
