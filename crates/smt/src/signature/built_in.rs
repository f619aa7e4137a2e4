//! The signatures that ship with the crate.

use super::table::Signatures;
use std::sync::{Arc, OnceLock};

/// The signature files that are part of the program: file name and text.
pub const BUILT_IN: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/signatures.rs"));

static STANDARD: OnceLock<Arc<Signatures>> = OnceLock::new();

impl Signatures {
    /// The signatures in force: the built-in ones, or what [`Signatures::set_standard`] put there.
    pub fn standard() -> Arc<Signatures> {
        STANDARD.get_or_init(|| Arc::new(Signatures::built_in())).clone()
    }

    /// Puts other signatures in the place of the built-in ones, for the whole program. Call it before anything else is done;
    /// answers whether it was early enough.
    pub fn set_standard(signatures: Signatures) -> bool {
        STANDARD.set(Arc::new(signatures)).is_ok()
    }

    /// The built-in signatures, to add to.
    pub fn built_in() -> Signatures {
        let mut signatures = Signatures::empty();
        for (file, text) in BUILT_IN {
            if let Err(error) = signatures.load(text) {
                panic!("the built-in signature file is broken:\n{}", error.render(file, text));
            }
        }
        signatures
    }
}
