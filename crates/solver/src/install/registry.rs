//! Which solvers can be had and from where: one TOML file a solver.

use serde::Deserialize;
use std::sync::LazyLock;

/// The registry's files, built in.
const FILES: &[(&str, &str)] = &[
    ("alt-ergo", include_str!("../../registry/alt-ergo.toml")),
    ("bitwuzla", include_str!("../../registry/bitwuzla.toml")),
    ("boolector", include_str!("../../registry/boolector.toml")),
    ("cvc4", include_str!("../../registry/cvc4.toml")),
    ("cvc5", include_str!("../../registry/cvc5.toml")),
    ("cvc5-gpl", include_str!("../../registry/cvc5-gpl.toml")),
    ("dreal", include_str!("../../registry/dreal.toml")),
    ("mathsat", include_str!("../../registry/mathsat.toml")),
    ("opensmt", include_str!("../../registry/opensmt.toml")),
    ("smtinterpol", include_str!("../../registry/smtinterpol.toml")),
    ("stp", include_str!("../../registry/stp.toml")),
    ("verit", include_str!("../../registry/verit.toml")),
    ("yices", include_str!("../../registry/yices.toml")),
    ("z3", include_str!("../../registry/z3.toml")),
];

/// A solver that Elenchus knows how to get, or at least how to recognise.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name in `name@release`.
    pub name: String,
    /// The profile that describes it, if that is not called the same.
    profile: Option<String>,
    /// The names of its executable on a PATH.
    pub commands: Vec<String>,
    /// What to do to get it, for people.
    pub obtain: String,
    /// Where it can be fetched from, the first one preferred; none if it cannot be fetched.
    #[serde(default, rename = "source")]
    pub sources: Vec<Source>,
}

impl Entry {
    /// The name of the profile that describes this solver.
    pub fn profile(&self) -> &str {
        self.profile.as_deref().unwrap_or(&self.name)
    }
}

/// One place to fetch releases of a solver from.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Source {
    /// A Python wheel, fetched with the user's pip.
    Wheel(WheelSource),
    /// A package of Debian or Ubuntu, fetched with apt.
    Debian(DebianSource),
}

/// A Python package whose wheels hold a solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WheelSource {
    /// The package's name.
    pub package: String,
    /// The oldest release whose wheels are of use.
    pub oldest: Option<String>,
    /// What to unpack: a name with `/` at its end is a folder, anything else the end of a file's path. The empty
    /// name is everything.
    pub keep: Vec<String>,
    /// What to start.
    pub program: Program,
    /// Whether wheels made for another Python serve as well, since no Python runs them.
    #[serde(default)]
    pub any_python: bool,
}

/// A Debian package that holds a solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DebianSource {
    /// The package's name.
    pub package: String,
    /// What is added to the release to tell this build from that of the other source.
    pub label: Option<String>,
    /// What to start.
    pub program: Program,
}

/// What to start of a solver that was unpacked into a folder.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Program {
    /// An executable, named by the end of its path.
    Executable {
        /// Its path, or the end of it.
        file: String,
    },
    /// The libraries of cvc5, for our own driver.
    Cvc5Library {
        /// The folder that holds them.
        directory: String,
    },
    /// A Python module, for a driver script.
    Python {
        /// The name of the driver.
        driver: String,
        /// The folder to import from.
        directory: String,
    },
}

static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let read = |(name, text): &(&str, &str)| match toml::from_str(text) {
        Ok(entry) => entry,
        Err(error) => panic!("the built-in registry file of {name} is wrong: {error}"),
    };
    FILES.iter().map(read).collect()
});

/// Every known solver, by name.
pub fn entries() -> &'static [Entry] {
    &ENTRIES
}

/// The solver of this name.
pub fn entry(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

/// The solver whose executable is called like the file `file_name`, with anything after it: `z3-debug` is a Z3.
pub fn entry_of_command(file_name: &str) -> Option<&'static Entry> {
    let lower = file_name.to_ascii_lowercase();
    ENTRIES
        .iter()
        .flat_map(|entry| entry.commands.iter().chain([&entry.name]).map(move |command| (command, entry)))
        .filter(|(command, _)| lower.starts_with(&command.to_ascii_lowercase()))
        .max_by_key(|(command, _)| command.len())
        .map(|(_, entry)| entry)
}

#[cfg(test)]
mod tests {
    use super::{entries, entry_of_command};
    use crate::profile::Profile;

    #[test]
    fn every_file_is_valid_and_has_a_profile() {
        for (entry, (name, _)) in entries().iter().zip(super::FILES) {
            assert_eq!(entry.name, *name);
            assert!(Profile::names().any(|profile| profile == entry.profile()), "{name}");
            assert!(!entry.obtain.is_empty());
        }
    }

    #[test]
    fn executables_are_recognised_by_their_name() {
        let table = [
            ("z3", Some("z3")),
            ("z3-4.8.5", Some("z3")),
            ("cvc5-Linux", Some("cvc5")),
            ("yices_smt2_mt", Some("yices")),
            ("bitwuzla-main", Some("bitwuzla")),
            ("veriT", Some("verit")),
            ("solver", None),
        ];
        for (file, name) in table {
            assert_eq!(entry_of_command(file).map(|entry| entry.name.as_str()), name, "{file}");
        }
    }
}
