//! The user's signature files. They are part of a campaign and of each finding: resuming and replaying need the same operators.

use crate::outcome::Failure;
use case::SignatureFile;
use case::files::read_text;
use smt::Signatures;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The files of the user.
static GIVEN: OnceLock<Vec<SignatureFile>> = OnceLock::new();

/// Loads files of the user beside the built-in ones.
pub fn load(paths: &[PathBuf]) -> Result<(), Failure> {
    let read =
        |path: &PathBuf| Ok(SignatureFile { name: path.display().to_string(), text: read_text(path)? });
    let files: Vec<SignatureFile> = paths.iter().map(read).collect::<Result<_, Failure>>()?;
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
pub fn require(files: &[SignatureFile], owner: &str) -> Result<(), Failure> {
    let texts = |files: &[SignatureFile]| files.iter().map(|file| file.text.clone()).collect::<Vec<_>>();
    if given().is_empty() {
        return if files.is_empty() { Ok(()) } else { install(files) };
    }
    if texts(given()) == texts(files) {
        return Ok(());
    }
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let made_with = if names.is_empty() { "no signature files".to_owned() } else { names.join(", ") };
    Err(Failure::new(format!("{owner} was made with {made_with}, not with the files of --signatures"))
        .hint("leave out --signatures: the files of the campaign are stored with it"))
}

/// Makes built-in and given operators the default of the program.
fn install(files: &[SignatureFile]) -> Result<(), Failure> {
    let mut signatures = Signatures::built_in();
    for file in files {
        signatures.load(&file.text).map_err(|error| {
            Failure::new(format!("invalid signature file\n{}", error.render(&file.name, &file.text)))
                .hint("docs/signatures.md describes the format")
        })?;
    }
    if !Signatures::set_standard(signatures) {
        return Err(Failure::new("the signature files come too late: operators are in use already")
            .hint("give them with --signatures on the command line"));
    }
    Ok(())
}
