//! How far a CI run came. A retry goes no further: it might find what the first run had no time for.

use crate::settings::{Settings, settings_text};
use serde::{Deserialize, Serialize};
use smt::FixedHasher;
use solver::Target;
use std::hash::Hasher;
use std::path::Path;

/// The file in the folder of the findings.
const FILE: &str = "ci.json";

/// How far a run came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Extent {
    /// Identifies the builds and the settings.
    key: String,
    /// How many seeds ran.
    pub seeds: u64,
    /// How many cases fuzzing made.
    pub cases: u64,
}

impl Extent {
    /// How far a run came with these builds and settings.
    pub fn new(key: String, seeds: u64, cases: u64) -> Extent {
        Extent { key, seeds, cases }
    }

    /// How far the first run in a folder came, if it had the same key.
    pub fn of_first_run(folder: &Path, key: &str) -> Option<Extent> {
        let text = std::fs::read_to_string(folder.join(FILE)).ok()?;
        serde_json::from_str(&text).ok().filter(|extent: &Extent| extent.key == key)
    }

    /// Saves it for retries. Without it, a retry runs as long as it may.
    pub fn save(&self, folder: &Path) {
        let file = folder.join(FILE);
        if let Err(error) = std::fs::write(&file, format!("{:#}\n", serde_json::json!(self))) {
            tracing::warn!("cannot save `{}`: {error}", file.display());
        }
    }
}

/// Identifies the builds and the settings of a run. A build is identified by its content: a new one may have the old path.
pub(super) fn key(settings: &Settings, builds: [&Target; 2]) -> String {
    let mut hasher = FixedHasher::default();
    for build in builds {
        // A program that cannot be read still has its name in the settings.
        hasher.write(&std::fs::read(&build.program).unwrap_or_default());
    }
    hasher.write(settings_text(settings).as_bytes());
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use solver::Profile;

    #[test]
    fn only_a_retry_is_limited() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Extent::of_first_run(folder.path(), "a"), None);
        let extent = Extent::new("a".to_owned(), 240, 700);
        extent.save(folder.path());
        assert_eq!(Extent::of_first_run(folder.path(), "a"), Some(extent));
        assert_eq!(Extent::of_first_run(folder.path(), "b"), None);
        std::fs::write(folder.path().join(FILE), "{").unwrap();
        assert_eq!(Extent::of_first_run(folder.path(), "a"), None);
    }

    #[test]
    fn another_build_or_setting_is_another_run() {
        let folder = tempfile::tempdir().unwrap();
        let program = |name: &str, content: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            Target::executable(name, path, Profile::built_in("z3").unwrap())
        };
        let (one, two) = (program("one", "1"), program("two", "2"));
        let settings = Settings::default();
        let first = key(&settings, [&one, &two]);
        assert_eq!(first, key(&settings, [&one, &two]));
        assert_ne!(first, key(&settings, [&two, &one]));
        assert_ne!(first, key(&Settings { time: Some(1), ..settings.clone() }, [&one, &two]));
        program("one", "a new build");
        assert_ne!(first, key(&settings, [&one, &two]));
    }
}
