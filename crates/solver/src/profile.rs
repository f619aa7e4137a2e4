//! Everything specific to a solver, as data: one TOML file per solver in `profiles/`.
//!
//! The build script finds the files, so a new solver is a new file. A user changes or adds profiles with files of their own
//! (see [`Profiles`]). The fields of [`Profile`] are the keys of the file; an unknown key is an error.

mod error;
mod install;
mod modes;
mod options;
mod pattern;
mod release;
mod store;

pub use error::ProfileError;
pub use install::{DebianSource, Install, Program, Source, Variant, WheelSource};
pub use modes::{Addition, Ask, Examine, Fork, ForkLogic, Incremental, Kept, Session, Start, Stop};
pub use options::{Catalogue, CatalogueFormat, OptionForm, OptionRules};
pub use pattern::{Expression, Pattern, PatternKind, Stream};
pub use release::{Range, compare_versions};
pub use store::Profiles;

use serde::Deserialize;
use std::borrow::Cow;

/// Everything that Elenchus knows about one solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The solver's name, as in `z3@5.4.0`. The default is the name of the file.
    pub name: String,
    /// The name as people write it.
    #[serde(default)]
    pub title: String,
    /// Names of the executable on the `PATH`, the preferred one first.
    #[serde(default)]
    pub executables: Vec<String>,
    /// The signature files whose operators the solver supports.
    #[serde(default)]
    pub theories: Vec<String>,
    /// The largest character in a string escape such as `\u{ff}`; 0 if the solver knows no escapes.
    #[serde(default = "largest_character")]
    pub max_escape: u32,
    /// Tactics for `check-sat-using` that answer the same question as `check-sat`, or give up.
    #[serde(default)]
    pub tactics: Vec<String>,
    /// Tactics for `apply` whose goals have exactly the solutions of the assertions.
    #[serde(default)]
    pub equivalent_tactics: Vec<String>,
    /// Where to get it.
    #[serde(default)]
    pub install: Install,
    /// How to start it.
    #[serde(default)]
    pub start: Start,
    /// What to add to a run for models, cores, limits and other features.
    #[serde(default)]
    pub ask: Ask,
    /// How to run several scripts with a reset in between. Absent if the solver cannot.
    #[serde(default)]
    pub session: Option<Session>,
    /// How to run scripts between push and pop. Absent if the solver cannot.
    #[serde(default)]
    pub incremental: Option<Incremental>,
    /// How to make it a fork server. Absent if that does not work.
    #[serde(default)]
    pub fork: Option<Fork>,
    /// Its options: which to fuzz, how to set them, how to list them.
    #[serde(default)]
    pub options: OptionRules,
    /// How to ask many small questions in a row, for `elenchus examine`.
    #[serde(default)]
    pub examine: Examine,
    /// `[[patterns]]`: how to recognise outcomes in the output. The first match of a kind wins.
    #[serde(default)]
    pub patterns: Vec<Pattern>,
    /// The error message about an unknown operator; the first group is the operator.
    pub unknown_operator: Option<Expression>,
    /// Numbers in models that are rounded and therefore prove nothing.
    pub rounded_numbers: Option<Expression>,
    /// Exit codes that mean a crash even without a signal, as when a handler ends the process.
    #[serde(default)]
    pub crash_codes: Vec<i32>,
    /// Exit codes that mean that memory ran out.
    #[serde(default)]
    pub memory_codes: Vec<i32>,
    /// `[[release]]`: what differs in some releases. Each entry has a `range`, such as `">=4.8, <4.12"`, and the keys
    /// that change.
    #[serde(default)]
    pub release: Vec<toml::Table>,
    /// The table it was read from, for [`Profile::at`].
    #[serde(skip)]
    source: toml::Table,
}

/// The largest character of SMT-LIB's strings.
fn largest_character() -> u32 {
    0x2_FFFF
}

impl Profile {
    /// The operator that an error message calls unknown.
    pub fn unknown_operator<'m>(&self, message: &'m str) -> Option<&'m str> {
        self.unknown_operator.as_ref()?.first_group(message)
    }

    /// The model with every rounded number written `(rounded 1.414214)`, so that no reader takes it for an exact value.
    pub fn mark_rounded<'m>(&self, model: &'m str) -> Cow<'m, str> {
        self.rounded_numbers
            .as_ref()
            .map_or(Cow::Borrowed(model), |rounded| rounded.replace_all(model, "(rounded $0)"))
    }

    /// Reads a profile from the text of its TOML file.
    pub fn parse(text: &str) -> Result<Profile, ProfileError> {
        Profile::from_table(text.parse().map_err(ProfileError::syntax)?)
    }

    /// Reads a profile from a table and checks that it is valid for every release with an entry of its own.
    pub fn from_table(table: toml::Table) -> Result<Profile, ProfileError> {
        let profile = Profile::read(table)?;
        for entry in &profile.release {
            Profile::read(release::merge_entry(&profile.source, entry)?)?;
        }
        Ok(profile)
    }

    fn read(table: toml::Table) -> Result<Profile, ProfileError> {
        let mut profile: Profile = table.clone().try_into().map_err(ProfileError::syntax)?;
        profile.source = table;
        Ok(profile)
    }

    /// The profile of one release. An unknown release (an empty version) has the plain profile.
    pub fn at(&self, version: &str) -> Profile {
        let mut table = self.source.clone();
        for entry in &self.release {
            if release::range_of(entry).is_ok_and(|range| range.contains(version)) {
                // Cannot fail: `from_table` has checked every entry.
                table = release::merge_entry(&table, entry).unwrap_or(table);
            }
        }
        Profile::read(table).unwrap_or_else(|_| self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::{Kept, Profile};

    #[test]
    fn every_built_in_profile_is_valid_and_complete() {
        for name in Profile::names() {
            let profile = Profile::built_in(name).unwrap();
            assert_eq!(profile.name, name);
            assert!(!profile.theories.is_empty(), "{name} supports no theory");
            assert!(profile.theories.iter().any(|theory| theory == "Core"), "{name} does not support Core");
            assert!(!profile.executables.is_empty(), "{name} has no executable");
            assert!(profile.start.file.iter().any(|word| word == "{file}"), "{name} reads no file");
            assert!(!profile.title.is_empty(), "{name} has no title");
            assert!(!profile.install.obtain.is_empty(), "{name} does not say how to get it");
        }
    }

    #[test]
    fn wrong_keys_and_values_are_reported() {
        let table = [
            ("name = 1", "string"),
            ("name = \"x\"\nspeed = 3", "unknown field `speed`"),
            ("name = \"x\"\n[session]\nkeeps = \"most\"", "most"),
            ("name = \"x\"\n[[patterns]]\nkind = \"crash\"\nregex = \"(\"", "regex"),
            ("name = \"x\"\n[[patterns]]\nkind = \"oops\"\nregex = \"a\"", "oops"),
            ("name = \"x\"\n[[release]]\nversion = \"4\"", "range"),
            ("name = \"x\"\n[[release]]\nrange = \">=4\"\nspeed = 1", "unknown field `speed`"),
            ("name = \"x\"\n[[release]]\nrange = \"about 4\"", "about 4"),
        ];
        for (text, expected) in table {
            let error = Profile::parse(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn a_release_entry_changes_only_the_keys_it_names() {
        let text = "name = \"x\"\ntheories = [\"Core\"]\n[session]\nkeeps = \"all\"\nscripts = 5\n\
                    [[release]]\nrange = \"<2.0\"\nsession = { keeps = \"none\" }\n";
        let profile = Profile::parse(text).unwrap();
        let old = profile.at("1.9.3").session.unwrap();
        assert_eq!((old.keeps, old.scripts), (Kept::None, 5));
        assert_eq!(profile.at("2.0").session.unwrap().keeps, Kept::All);
        assert_eq!(profile.at("").session.unwrap().keeps, Kept::All);
    }

    #[test]
    fn option_rules_cover_families() {
        let text = "name = \"x\"\n[options.changes_question]\n\"fp.*\" = \"engine of Horn clauses\"\ntimeout = \"stops\"\n";
        let rules = Profile::parse(text).unwrap().options;
        assert_eq!(rules.changes_question("fp.engine"), Some("engine of Horn clauses"));
        assert_eq!(rules.changes_question("timeout"), Some("stops"));
        assert_eq!(rules.changes_question("timeouts"), None);
    }
}
