//! Where profiles come from: built in, changed or extended by the user's folder and configuration.

use super::Profile;
use super::error::ProfileError;
use super::release::overlay;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::{fs, io};

// `FILES`: the name and text of every file in `profiles/`, sorted by name. The build script writes it.
include!(concat!(env!("OUT_DIR"), "/profiles.rs"));

/// The tables of the built-in profiles.
static BUILT_IN: LazyLock<BTreeMap<&'static str, toml::Table>> = LazyLock::new(|| {
    let read = |(name, text): &(&'static str, &str)| match parse(name, text) {
        Ok(table) => (*name, table),
        Err(error) => panic!("profiles/{name}.toml: {error}"),
    };
    FILES.iter().map(read).collect()
});

/// The table of the profile called `name`.
fn parse(name: &str, text: &str) -> Result<toml::Table, ProfileError> {
    let mut table: toml::Table = text.parse().map_err(ProfileError::syntax)?;
    table.entry("name").or_insert_with(|| name.into());
    Ok(table)
}

/// All profiles of this machine.
#[derive(Clone, Debug, Default)]
pub struct Profiles {
    /// The user's changes by solver name, with their locations.
    changes: BTreeMap<String, Vec<(String, toml::Table)>>,
}

impl Profile {
    /// The names of the built-in profiles, sorted.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.keys().copied()
    }

    /// The built-in profile of the solver called `name`.
    pub fn built_in(name: &str) -> Result<Arc<Profile>, ProfileError> {
        Profiles::built_in().get(name)
    }
}

impl Profiles {
    /// The built-in profiles alone.
    pub fn built_in() -> Profiles {
        Profiles::default()
    }

    /// The built-in profiles and the user's: those in the folder `ELENCHUS_PROFILES`, or in `elenchus/profiles` of the
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

    /// Adds every `NAME.toml` of a folder. A folder that does not exist adds nothing.
    pub fn with_folder(mut self, folder: &Path) -> Result<Profiles, ProfileError> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(self),
            Err(error) => return Err(unreadable(folder, error)),
        };
        for entry in entries {
            let path = entry.map_err(|error| unreadable(folder, error))?.path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                self = self.with_file(&path)?;
            }
        }
        Ok(self)
    }

    /// Adds the profile of the file `NAME.toml`: changes to the built-in profile of that name, or a new solver.
    pub fn with_file(self, path: &Path) -> Result<Profiles, ProfileError> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let location = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|error| unreadable(path, error))?;
        let table = parse(&name, &text).map_err(|error| error.at(Some(location.clone())))?;
        self.with_block(&name, location, table)
    }

    /// Adds changes to the built-in profile of that name, or a new solver. `location` appears in error messages.
    pub fn with_block(
        mut self,
        name: &str,
        location: String,
        mut table: toml::Table,
    ) -> Result<Profiles, ProfileError> {
        table.entry("name").or_insert_with(|| name.into());
        self.changes.entry(name.to_owned()).or_default().push((location, table));
        self.get(name)?;
        Ok(self)
    }

    /// The names of all profiles, sorted.
    pub fn names(&self) -> Vec<&str> {
        let changed = self.changes.keys().map(String::as_str);
        let mut names: Vec<&str> = BUILT_IN.keys().copied().chain(changed).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The profile of the solver called `name`.
    pub fn get(&self, name: &str) -> Result<Arc<Profile>, ProfileError> {
        let table = self.table(name).ok_or_else(|| ProfileError::Unknown {
            name: name.to_owned(),
            known: self.names().into_iter().map(str::to_owned).collect(),
        })?;
        let location = self.changes.get(name).and_then(|changes| changes.last());
        Profile::from_table(table)
            .map(Arc::new)
            .map_err(|error| error.at(location.map(|(location, _)| location.clone())))
    }

    /// The table of the solver called `name`, with all changes.
    pub(crate) fn table(&self, name: &str) -> Option<toml::Table> {
        let changes = self.changes.get(name).map_or(&[][..], Vec::as_slice);
        let built_in = BUILT_IN.get(name);
        if built_in.is_none() && changes.is_empty() {
            return None;
        }
        let mut table = built_in.cloned().unwrap_or_default();
        for (_, change) in changes {
            overlay(&mut table, change.clone());
        }
        Some(table)
    }
}

fn unreadable(path: &Path, error: io::Error) -> ProfileError {
    ProfileError::Unreadable { path: path.display().to_string(), error }
}

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
        assert!(profiles.get("z3").unwrap().session.is_some(), "other keys stay");
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
