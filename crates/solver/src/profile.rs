//! What is special about each solver, as data: one TOML file a solver, built in.

use serde::Deserialize;
use std::fmt;
use std::sync::Arc;

/// The profiles that come with the program, by solver name.
const BUILT_IN: &[(&str, &str)] = &[
    ("bitwuzla", include_str!("../profiles/bitwuzla.toml")),
    ("boolector", include_str!("../profiles/boolector.toml")),
    ("cvc4", include_str!("../profiles/cvc4.toml")),
    ("cvc5", include_str!("../profiles/cvc5.toml")),
    ("dreal", include_str!("../profiles/dreal.toml")),
    ("mathsat", include_str!("../profiles/mathsat.toml")),
    ("opensmt", include_str!("../profiles/opensmt.toml")),
    ("smtinterpol", include_str!("../profiles/smtinterpol.toml")),
    ("stp", include_str!("../profiles/stp.toml")),
    ("yices", include_str!("../profiles/yices.toml")),
    ("z3", include_str!("../profiles/z3.toml")),
];

/// What is known about one solver.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The solver's name, as in `z3@5.4.0`.
    pub name: String,
}

impl Profile {
    /// The names of the built-in profiles, sorted.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// The built-in profile of the solver called `name`.
    pub fn built_in(name: &str) -> Result<Arc<Profile>, ProfileError> {
        let (_, text) = BUILT_IN
            .iter()
            .find(|(known, _)| *known == name)
            .ok_or_else(|| ProfileError::Unknown { name: name.to_owned() })?;
        Profile::parse(text).map(Arc::new)
    }

    /// Reads a profile from the text of its TOML file.
    pub fn parse(text: &str) -> Result<Profile, ProfileError> {
        toml::from_str(text).map_err(|error| ProfileError::Invalid { message: error.to_string() })
    }
}

/// Why there is no profile to be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProfileError {
    /// No solver of this name is known.
    Unknown {
        /// The name that was asked for.
        name: String,
    },
    /// The text is not a profile.
    Invalid {
        /// What is wrong with it, with the place.
        message: String,
    },
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProfileError::Unknown { name } => write!(f, "no profile for a solver called `{name}`"),
            ProfileError::Invalid { message } => write!(f, "not a valid profile: {message}"),
        }
    }
}

impl std::error::Error for ProfileError {}

#[cfg(test)]
mod tests {
    use super::Profile;

    #[test]
    fn every_built_in_profile_is_valid_and_carries_its_own_name() {
        for name in Profile::names() {
            assert_eq!(Profile::built_in(name).unwrap().name, name);
        }
    }
}
