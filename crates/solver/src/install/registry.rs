//! The solvers that can be named on the command line, as the `[install]` tables of their profiles describe them.

use crate::profile::{Install, Profiles, Source};
use serde::Deserialize;
use std::sync::Arc;

/// A solver that Elenchus can install, or at least recognise.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name in `name@release`.
    pub name: String,
    /// The profile that describes it.
    pub profile: String,
    /// Names of its executable on a `PATH`.
    pub executables: Vec<String>,
    /// One sentence that tells a user how to get it.
    pub obtain: String,
    /// Where to fetch it from, the preferred source first. Empty if the user has to get it.
    pub sources: Vec<Arc<Source>>,
}

/// The part of a profile that the registry needs. Reading no more keeps start-up fast: a whole profile compiles dozens of
/// regular expressions.
#[derive(Deserialize)]
struct Header {
    #[serde(default)]
    executables: Vec<String>,
    #[serde(default)]
    install: Install,
}

/// Every known solver, sorted by name.
pub fn entries(profiles: &Profiles) -> Vec<Entry> {
    let mut found = Vec::new();
    for name in profiles.names() {
        let header: Option<Header> = profiles.table(name).and_then(|table| table.try_into().ok());
        let Some(Header { executables, install }) = header else { continue };
        let entry = |name: String, executables, obtain, sources: Vec<Source>, profile: &str| Entry {
            name,
            profile: profile.to_owned(),
            executables,
            obtain,
            sources: sources.into_iter().map(Arc::new).collect(),
        };
        let obtain = if install.obtain.is_empty() {
            format!("put `{name}` on the PATH or give its path in a `[solver.NAME]` block")
        } else {
            install.obtain
        };
        found.push(entry(name.to_owned(), executables, obtain, install.sources, name));
        for variant in install.variants {
            found.push(entry(variant.name, Vec::new(), variant.obtain, variant.sources, name));
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// The solver of this name.
pub fn entry(profiles: &Profiles, name: &str) -> Option<Entry> {
    entries(profiles).into_iter().find(|entry| entry.name == name)
}

/// The solver whose executable has this file name, or a longer one: `z3-debug` is a Z3.
pub fn entry_of_executable(profiles: &Profiles, file_name: &str) -> Option<Entry> {
    let lower = file_name.to_ascii_lowercase();
    let matched = |entry: &Entry| {
        let names = entry.executables.iter().chain([&entry.name]);
        names.filter(|name| lower.starts_with(&name.to_ascii_lowercase())).map(|name| name.len()).max()
    };
    let known = entries(profiles).into_iter().filter_map(|entry| Some((matched(&entry)?, entry)));
    known.max_by_key(|(length, _)| *length).map(|(_, entry)| entry)
}

#[cfg(test)]
mod tests {
    use super::{entries, entry_of_executable};
    use crate::profile::Profiles;

    #[test]
    fn every_profile_and_every_variant_is_an_entry() {
        let profiles = Profiles::built_in();
        let entries = entries(&profiles);
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        assert!(profiles.names().iter().all(|name| names.contains(name)));
        assert!(names.is_sorted());
        let gpl = entries.iter().find(|entry| entry.name == "cvc5-gpl").unwrap();
        assert_eq!((gpl.profile.as_str(), gpl.sources.len()), ("cvc5", 1));
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
            let entry = entry_of_executable(&Profiles::built_in(), file);
            assert_eq!(entry.map(|entry| entry.name).as_deref(), name, "{file}");
        }
    }
}
