//! The hints of this crate's errors, for whoever shows errors of any kind.

use crate::install::InstallError;
use crate::run::RunError;
use case::Hinted;

impl Hinted for RunError {
    fn hint(&self) -> Option<String> {
        Some(RunError::hint(self).to_owned())
    }
}

impl Hinted for InstallError {
    fn hint(&self) -> Option<String> {
        Some(InstallError::hint(self))
    }
}
