//! Errors in profiles.

use std::io;

/// Why a profile is not available.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// No solver has this name.
    #[error("no profile for a solver called `{name}`; the known solvers are {}", known.join(", "))]
    Unknown {
        /// The requested name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// The text is not a profile.
    #[error("{} is not a valid profile: {}", location.as_deref().unwrap_or("the text"), message.trim_end())]
    Invalid {
        /// The file or block, unless the profile is built in.
        location: Option<String>,
        /// What is wrong with it.
        message: String,
    },
    /// A file or folder of profiles cannot be read.
    #[error("cannot read `{path}`: {error}")]
    Unreadable {
        /// The path.
        path: String,
        /// The cause.
        error: io::Error,
    },
}

impl ProfileError {
    pub(super) fn invalid(message: String) -> ProfileError {
        ProfileError::Invalid { location: None, message }
    }

    pub(super) fn syntax(error: toml::de::Error) -> ProfileError {
        ProfileError::invalid(error.to_string())
    }

    /// The error with its location, if it has none yet.
    pub(super) fn at(self, location: Option<String>) -> ProfileError {
        match self {
            ProfileError::Invalid { location: None, message } => ProfileError::Invalid { location, message },
            other => other,
        }
    }
}
