//! The hints of this crate's errors.

use crate::error::CollectError;
use crate::sources::ReadError;
use case::Hinted;

impl Hinted for CollectError {
    fn hint(&self) -> Option<String> {
        Some(CollectError::hint(self).to_owned())
    }
}

impl Hinted for ReadError {
    fn hint(&self) -> Option<String> {
        Some("name files, folders with .smt2 files, or folders of campaigns".to_owned())
    }
}
