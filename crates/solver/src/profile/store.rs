//! Where profiles come from: built in, with the user's folder and configuration laid over them.

use super::{Profile, release::overlay};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, fs, io};

/// The profiles that come with the program, by solver name.
pub(super) const BUILT_IN: &[(&str, &str)] = &[
    ("alt-ergo", include_str!("../../profiles/alt-ergo.toml")),
    ("bitwuzla", include_str!("../../profiles/bitwuzla.toml")),
    ("boolector", include_str!("../../profiles/boolector.toml")),
    ("cvc4", include_str!("../../profiles/cvc4.toml")),
    ("cvc5", include_str!("../../profiles/cvc5.toml")),
    ("dreal", include_str!("../../profiles/dreal.toml")),
    ("mathsat", include_str!("../../profiles/mathsat.toml")),
    ("opensmt", include_str!("../../profiles/opensmt.toml")),
    ("smtinterpol", include_str!("../../profiles/smtinterpol.toml")),
    ("stp", include_str!("../../profiles/stp.toml")),
    ("verit", include_str!("../../profiles/verit.toml")),
    ("yices", include_str!("../../profiles/yices.toml")),
    ("z3", include_str!("../../profiles/z3.toml")),
];

/// All profiles of this machine.
#[derive(Clone, Debug, Default)]
pub struct Profiles {
    /// What the user changes, by solver name, with where it stands.
    changes: BTreeMap<String, Vec<(String, toml::Table)>>,
}

impl Profiles {
    /// The built-in profiles alone.
    pub fn built_in() -> Profiles {
        Profiles::default()
    }

    /// The built-in profiles with those of the user: the folder `ELENCHUS_PROFILES`, or `elenchus/profiles` in the
    /// user's configuration folder.
    pub fn of_user() -> Result<Profiles, ProfileError> {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let configured = || variable("XDG_CONFIG_HOME").filter(|folder| folder.is_absolute());
        let at_home = || std::env::home_dir().map(|home| home.join(".config"));
        let usual = || configured().or_else(at_home).map(|folder| folder.join("elenchus/profiles"));
        match variable("ELENCHUS_PROFILES").or_else(usual) {
            Some(folder) => Profiles::built_in().with_folder(&folder),
            None => Ok(Profiles::built_in()),
        }
    }

    /// Adds every `NAME.toml` of a folder: laid over the built-in profile of that name, or a new one. A folder that
    /// does not exist adds nothing.
    pub fn with_folder(mut self, folder: &Path) -> Result<Profiles, ProfileError> {
        let unreadable = |path: &Path, error: io::Error| ProfileError::Unreadable {
            path: path.display().to_string(),
            error,
        };
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(self),
            Err(error) => return Err(unreadable(folder, error)),
        };
        for entry in entries {
            let path = entry.map_err(|error| unreadable(folder, error))?.path();
            let is_profile = path.extension().is_some_and(|extension| extension == "toml");
            let Some(name) = path.file_stem().filter(|_| is_profile).and_then(|stem| stem.to_str()) else {
                continue;
            };
            let text = fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
            let place = path.display().to_string();
            let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
                ProfileError::Invalid { place: Some(place.clone()), message: error.to_string() }
            })?;
            self = self.with_block(name, place, table)?;
        }
        Ok(self)
    }

    /// Adds one profile, or changes to one, that stands at `place`.
    pub fn with_block(
        mut self,
        name: &str,
        place: String,
        mut table: toml::Table,
    ) -> Result<Profiles, ProfileError> {
        table.entry("name").or_insert_with(|| name.into());
        self.changes.entry(name.to_owned()).or_default().push((place, table));
        self.get(name)?;
        Ok(self)
    }

    /// The names of all profiles, sorted.
    pub fn names(&self) -> Vec<&str> {
        let built_in = BUILT_IN.iter().map(|(name, _)| *name);
        let mut names: Vec<&str> = built_in.chain(self.changes.keys().map(String::as_str)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The profile of the solver called `name`.
    pub fn get(&self, name: &str) -> Result<Arc<Profile>, ProfileError> {
        let built_in = BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
        let changes = self.changes.get(name).map_or(&[][..], Vec::as_slice);
        if built_in.is_none() && changes.is_empty() {
            let known = self.names().into_iter().map(str::to_owned).collect();
            return Err(ProfileError::Unknown { name: name.to_owned(), known });
        }
        let mut table: toml::Table = match built_in {
            Some(text) => {
                text.parse().map_err(|error: toml::de::Error| ProfileError::invalid(error.to_string()))?
            }
            None => toml::Table::new(),
        };
        for (_, change) in changes {
            overlay(&mut table, change.clone());
        }
        let place = changes.last().map(|(place, _)| place.clone());
        Profile::from_table(table).map(Arc::new).map_err(|error| error.at(place))
    }
}

/// Why there is no profile to be had.
#[derive(Debug)]
pub enum ProfileError {
    /// No solver of this name is known.
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// The text is not a profile.
    Invalid {
        /// The file or block it stands in, unless it is built in.
        place: Option<String>,
        /// What is wrong with it.
        message: String,
    },
    /// A file or folder of profiles cannot be read.
    Unreadable {
        /// Which one.
        path: String,
        /// Why.
        error: io::Error,
    },
}

impl ProfileError {
    pub(super) fn invalid(message: String) -> ProfileError {
        ProfileError::Invalid { place: None, message }
    }

    fn at(self, place: Option<String>) -> ProfileError {
        match self {
            ProfileError::Invalid { place: None, message } => ProfileError::Invalid { place, message },
            other => other,
        }
    }
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProfileError::Unknown { name, known } => {
                write!(f, "no profile for a solver called `{name}`; known are {}", known.join(", "))
            }
            ProfileError::Invalid { place: Some(place), message } => {
                write!(f, "{place} is not a valid profile: {}", message.trim_end())
            }
            ProfileError::Invalid { place: None, message } => {
                write!(f, "not a valid profile: {}", message.trim_end())
            }
            ProfileError::Unreadable { path, error } => write!(f, "{path} cannot be read: {error}"),
        }
    }
}

impl std::error::Error for ProfileError {}

#[cfg(test)]
mod tests {
    use super::Profiles;
    use std::fs;

    #[test]
    fn a_users_folder_changes_and_adds_profiles() {
        let folder = std::env::temp_dir().join(format!("elenchus-profiles-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("z3.toml"), "theories = [\"Core\"]\n").unwrap();
        fs::write(folder.join("mine.toml"), "title = \"Mine\"\n").unwrap();
        fs::write(folder.join("notes.txt"), "no profile").unwrap();
        let profiles = Profiles::built_in().with_folder(&folder).unwrap();
        assert_eq!(profiles.get("z3").unwrap().theories, ["Core"]);
        assert!(profiles.get("z3").unwrap().session.is_some(), "what is not named stays");
        assert_eq!(profiles.get("mine").unwrap().title, "Mine");
        fs::write(folder.join("z3.toml"), "theory = 1\n").unwrap();
        let error = Profiles::built_in().with_folder(&folder).unwrap_err().to_string();
        fs::remove_dir_all(&folder).unwrap();
        assert!(error.contains("z3.toml") && error.contains("unknown field `theory`"), "{error}");
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = Profiles::built_in().get("z4").unwrap_err().to_string();
        assert!(error.contains("`z4`") && error.contains("z3"), "{error}");
    }
}
