//! The user's signature files. They are part of a campaign and of each finding: resuming and replaying need the same operators.

use super::ConfigError;
use case::SignatureFile;
use case::files::read_text;
use smt::Signatures;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The files of the user.
static GIVEN: OnceLock<Vec<SignatureFile>> = OnceLock::new();

/// Loads files of the user beside the built-in ones.
pub fn load(paths: &[PathBuf]) -> Result<(), ConfigError> {
    let read =
        |path: &PathBuf| Ok(SignatureFile { name: path.display().to_string(), text: read_text(path)? });
    let files: Vec<SignatureFile> = paths.iter().map(read).collect::<Result<_, ConfigError>>()?;
    if !files.is_empty() {
        install(&files)?;
        GIVEN.get_or_init(|| files);
    }
    Ok(())
}

/// The files of the user.
pub fn given() -> &'static [SignatureFile] {
    GIVEN.get().map_or(&[], Vec::as_slice)
}

/// Loads the files that a campaign or a finding (`owner`) was made with. Refuses if the command line gave others.
pub fn require(files: &[SignatureFile], owner: &str) -> Result<(), ConfigError> {
    let texts = |files: &[SignatureFile]| files.iter().map(|file| file.text.clone()).collect::<Vec<_>>();
    if given().is_empty() {
        return if files.is_empty() { Ok(()) } else { install(files) };
    }
    if texts(given()) == texts(files) {
        return Ok(());
    }
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let made_with = if names.is_empty() { "no signature files".to_owned() } else { names.join(", ") };
    Err(ConfigError::OtherSignatures { owner: owner.to_owned(), made_with })
}

/// Makes built-in and given operators the default of the program.
fn install(files: &[SignatureFile]) -> Result<(), ConfigError> {
    let mut signatures = Signatures::built_in();
    for file in files {
        let loaded = signatures.load(&file.text);
        loaded.map_err(|error| ConfigError::Signatures(error.render(&file.name, &file.text)))?;
    }
    if Signatures::set_standard(signatures) { Ok(()) } else { Err(ConfigError::LateSignatures) }
}
