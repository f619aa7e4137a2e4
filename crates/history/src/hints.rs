//! The hints of this crate's errors.

use crate::error::CollectError;
use case::Hinted;

impl Hinted for CollectError {
    fn hint(&self) -> Option<String> {
        Some(CollectError::hint(self).to_owned())
    }
}
