//! How users name a solver: `z3`, `z3@4.8.10`, `cvc5@latest`, `z3@path`, `./my-z3`.

use super::error::InstallError;
use super::registry::{self, Entry};
use crate::profile::Profiles;
use std::path::PathBuf;

/// A solver as the user names it.
#[derive(Clone, Debug)]
pub enum Spec {
    /// A program at a path.
    Program(PathBuf),
    /// A known solver.
    Known(Entry, Wanted),
}

/// The release that the user means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The newest installed one, or else whatever is available.
    Any,
    /// The newest that can be installed.
    Latest,
    /// The one on the `PATH`.
    OnPath,
    /// The newest package of the distribution.
    Debian,
    /// A release, or the newest one that starts with these numbers.
    Release(String),
}

impl Spec {
    /// Reads `text`.
    pub fn parse(text: &str, profiles: &Profiles) -> Result<Spec, InstallError> {
        if text.contains('/') {
            return Ok(Spec::Program(text.into()));
        }
        let bad = || InstallError::BadSpec { spec: text.to_owned() };
        let (name, release) = match text.split_once('@') {
            Some((name, release)) => (name, Some(release)),
            None => (text, None),
        };
        let plain = |word: &str| {
            !word.is_empty()
                && !word.starts_with(['-', '.'])
                && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+'))
        };
        if !plain(name) || !release.is_none_or(plain) {
            return Err(bad());
        }
        let entry = registry::entry(profiles, name).ok_or_else(|| InstallError::UnknownSolver {
            name: name.to_owned(),
            known: registry::entries(profiles).into_iter().map(|entry| entry.name).collect(),
        })?;
        let wanted = match release {
            None => Wanted::Any,
            Some("latest" | "newest") => Wanted::Latest,
            Some("path") => Wanted::OnPath,
            Some("debian") => Wanted::Debian,
            Some(release) => Wanted::Release(release.to_owned()),
        };
        Ok(Spec::Known(entry, wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::{InstallError, Spec, Wanted};
    use crate::profile::Profiles;

    fn parse(text: &str) -> Result<Spec, InstallError> {
        Spec::parse(text, &Profiles::built_in())
    }

    #[test]
    fn specifications_are_read() {
        let table = [
            ("z3", "z3", Wanted::Any),
            ("cvc5@latest", "cvc5", Wanted::Latest),
            ("z3@4.8.10", "z3", Wanted::Release("4.8.10".into())),
            ("z3@debian", "z3", Wanted::Debian),
            ("cvc4@path", "cvc4", Wanted::OnPath),
        ];
        for (text, name, wanted) in table {
            let Ok(Spec::Known(entry, found)) = parse(text) else { panic!("{text}") };
            assert_eq!((entry.name.as_str(), found), (name, wanted), "{text}");
        }
        assert!(matches!(parse("./z3"), Ok(Spec::Program(_))));
    }

    #[test]
    fn bad_specifications_say_what_is_wrong() {
        let table = [
            ("zzz", "no known solver is called `zzz`"),
            ("", "`` does not name a solver"),
            ("z3@", "`z3@` does not name a solver"),
            ("@4", "`@4` does not name a solver"),
            ("z3@..", "`z3@..` does not name a solver"),
            ("z3@--index-url=x", "`z3@--index-url=x` does not name a solver"),
        ];
        for (text, message) in table {
            assert_eq!(parse(text).unwrap_err().to_string(), message);
        }
    }
}
