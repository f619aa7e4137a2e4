//! The library of histfuzz: which file, and reading it.

use super::ConfigError;
use crate::settings::HistorySettings;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use strategies::histfuzz::{FromSeed, Library, Variant, built_in};
use strategies::{HistFuzzSettings, History};

/// The library file that `elenchus history mine` writes, and that campaigns read if it exists.
pub const DEFAULT_LIBRARY: &str = "elenchus-history.txt";

/// The default library file in the current folder, if it exists.
pub fn default_library() -> Option<PathBuf> {
    Path::new(DEFAULT_LIBRARY).is_file().then(|| PathBuf::from(DEFAULT_LIBRARY))
}

/// Reads a library file.
pub fn read_library(file: &Path) -> Result<Library, ConfigError> {
    let bytes = std::fs::read(file)
        .map_err(|error| ConfigError::UnreadableLibrary { file: file.to_owned(), error })?;
    Library::read(&String::from_utf8_lossy(&bytes))
        .map_err(|error| ConfigError::InvalidLibrary { file: file.to_owned(), error })
}

/// The history that a campaign's settings describe.
pub fn history(settings: &HistorySettings) -> Result<History, ConfigError> {
    load(settings.library.as_deref(), settings.for_strategy().map_err(ConfigError::Variant)?)
}

/// The history that the seed of a case describes; `None` if the case was made from a script.
pub fn history_of_seed(seed: &str) -> Result<Option<History>, ConfigError> {
    let Some(own) = FromSeed::read(seed) else { return Ok(None) };
    let file = (!own.file.is_empty()).then(|| PathBuf::from(&own.file));
    load(file.as_deref(), own.settings).map(Some)
}

fn load(file: Option<&Path>, settings: HistFuzzSettings) -> Result<History, ConfigError> {
    let (library, name) = match file {
        Some(file) => (Arc::new(read_library(file)?), file.display().to_string()),
        None => (built_in(), String::new()),
    };
    if settings.variant == Variant::Normal && library.normal.is_empty() {
        return Err(ConfigError::NoNormalSkeletons);
    }
    if library.skeletons.is_empty() {
        return Err(ConfigError::EmptyLibrary);
    }
    Ok(History { library, file: name, settings })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_that_cannot_be_used_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("library.txt");
        assert!(matches!(read_library(&file), Err(ConfigError::UnreadableLibrary { .. })));
        std::fs::write(&file, "nonsense").unwrap();
        assert!(matches!(read_library(&file), Err(ConfigError::InvalidLibrary { .. })));
        std::fs::write(&file, Library::default().write()).unwrap();
        let settings = HistorySettings { library: Some(file), ..HistorySettings::default() };
        assert!(matches!(history(&settings), Err(ConfigError::EmptyLibrary)));
        assert!(history(&HistorySettings::default()).is_ok());
        let settings = HistorySettings { variant: "x".to_owned(), ..HistorySettings::default() };
        assert!(matches!(history(&settings), Err(ConfigError::Variant(_))));
        assert!(history_of_seed("(check-sat)").unwrap().is_none());
    }
}
