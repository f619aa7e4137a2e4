//! The parts of GitHub's answers that matter here.

use serde::Deserialize;

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
    pub updated_at: String,
    /// There for pull requests, which the interface lists among the issues.
    #[serde(default)]
    pub pull_request: Option<serde_json::Value>,
}

/// A label; old answers have them as plain words.
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

/// What titles and labels say, with the class of bug that it means; the worse first.
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
    /// The class of bug that title and labels speak of; nothing if they speak of none.
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
    fn titles_and_labels_say_what_is_wrong() {
        let table = [
            (r#"{"number":1,"title":"Soundness bug on QF_S","updated_at":""}"#, Some("soundness")),
            (r#"{"number":1,"title":"Invalid Model for arrays","updated_at":""}"#, Some("invalid-model")),
            (r#"{"number":1,"title":"Feature request","updated_at":""}"#, None),
            (r#"{"number":1,"title":"Help","labels":[{"name":"crash"}],"updated_at":""}"#, Some("crash")),
            (r#"{"number":1,"title":"Help","labels":["Assertion"],"updated_at":""}"#, Some("crash")),
            (r#"{"number":1,"title":"Fix crash","pull_request":{"url":"x"},"updated_at":""}"#, None),
        ];
        for (text, class) in table {
            let issue: Issue = serde_json::from_str(text).unwrap();
            assert_eq!(issue.class(), class, "{text}");
        }
    }
}
