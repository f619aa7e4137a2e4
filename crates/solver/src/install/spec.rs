//! What a user can write to name a solver: `z3`, `z3@4.8.10`, `cvc5@latest`, `z3@path`, `./my-z3`.

use super::error::InstallError;
use super::registry::{self, Entry};
use std::path::PathBuf;

/// A solver as the user names it.
#[derive(Clone, Debug)]
pub enum Spec {
    /// A program at a path.
    Program(PathBuf),
    /// A known solver.
    Known(&'static Entry, Wanted),
}

/// Which of the releases of a solver is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Whichever is at hand, the newest first.
    Any,
    /// The newest that can be had.
    Latest,
    /// The one on the PATH.
    OnPath,
    /// The newest from the distribution's own packages.
    Debian,
    /// A release, or the newest of those whose numbers start like it.
    Release(String),
}

impl Spec {
    /// Reads `text`.
    pub fn parse(text: &str) -> Result<Spec, InstallError> {
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
        let entry = registry::entry(name).ok_or_else(|| InstallError::UnknownSolver {
            name: name.to_owned(),
            known: registry::entries().iter().map(|entry| entry.name.clone()).collect(),
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
    use super::{Spec, Wanted};

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
            let Ok(Spec::Known(entry, found)) = Spec::parse(text) else { panic!("{text}") };
            assert_eq!((entry.name.as_str(), found), (name, wanted), "{text}");
        }
        assert!(matches!(Spec::parse("./z3"), Ok(Spec::Program(_))));
    }

    #[test]
    fn bad_specifications_say_what_is_wrong() {
        let table = [
            ("zzz", "there is no known solver called `zzz`"),
            ("", "`` does not name a solver"),
            ("z3@", "`z3@` does not name a solver"),
            ("@4", "`@4` does not name a solver"),
            ("z3@..", "`z3@..` does not name a solver"),
            ("z3@--index-url=x", "`z3@--index-url=x` does not name a solver"),
        ];
        for (text, message) in table {
            assert_eq!(Spec::parse(text).unwrap_err().to_string(), message);
        }
    }
}
