//! The signatures that ship with the crate.

use super::table::Signatures;
use std::sync::{Arc, OnceLock};

/// The built-in signature files: name and text. The build script collects them from `signatures/`.
const BUILT_IN: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/signatures.rs"));

static STANDARD: OnceLock<Arc<Signatures>> = OnceLock::new();

impl Signatures {
    /// The default signatures: the built-in ones, or those passed to [`Signatures::set_standard`].
    pub fn standard() -> Arc<Signatures> {
        STANDARD.get_or_init(|| Arc::new(Signatures::built_in())).clone()
    }

    /// Replaces the default signatures of the whole program. Returns `false` if they are in use already, so call it first.
    pub fn set_standard(signatures: Signatures) -> bool {
        STANDARD.set(Arc::new(signatures)).is_ok()
    }

    /// Loads the built-in signatures.
    pub fn built_in() -> Signatures {
        let mut signatures = Signatures::empty();
        for (file, text) in BUILT_IN {
            if let Err(error) = signatures.load(text) {
                panic!("invalid built-in signature file:\n{}", error.render(file, text));
            }
        }
        signatures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_built_in() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("signatures");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder of signature files")
            .map(|entry| entry.expect("a directory entry").file_name().to_string_lossy().into_owned())
            .collect();
        files.sort();
        let built_in: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
        assert_eq!(files, built_in);
    }
}
