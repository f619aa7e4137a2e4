//! Errors that say what to do next.

/// An error with a hint for the user.
pub trait Hinted: std::error::Error {
    /// The next step for the user, if there is one.
    fn hint(&self) -> Option<String>;
}
