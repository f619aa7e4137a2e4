//! What takes part in a benchmark.

use crate::error::BenchError;
use crate::peers::{PEERS, Peer, peer};
use std::path::PathBuf;

/// The name of Elenchus as users run it.
pub const PORTFOLIO: &str = "elenchus";

/// A tool under a name.
#[derive(Clone)]
pub struct Contender {
    /// Its name in tables and files.
    pub name: String,
    /// What it is.
    pub tool: Tool,
}

/// What fuzzes.
#[derive(Clone)]
pub enum Tool {
    /// Elenchus.
    Elenchus {
        /// The program; `None` for the running one.
        program: Option<PathBuf>,
        /// Further arguments of `elenchus fuzz`.
        flags: Vec<String>,
    },
    /// Another fuzzer.
    Peer(&'static dyn Peer),
}

impl Contender {
    /// Elenchus with its default settings.
    pub fn portfolio() -> Contender {
        Contender::flags(PORTFOLIO, Vec::new())
    }

    /// One strategy of Elenchus alone.
    pub fn strategy(name: &str) -> Contender {
        Contender::flags(name, vec!["--strategy".to_owned(), name.to_owned()])
    }

    /// Elenchus with other flags, as in `picked=--strategy typefuzz,histfuzz --timeout 300ms`.
    pub fn variant(text: &str) -> Result<Contender, BenchError> {
        let (name, flags) = named(text, "--variant NAME='FLAGS of elenchus fuzz'")?;
        Ok(Contender::flags(name, flags.split_whitespace().map(str::to_owned).collect()))
    }

    /// Another build of Elenchus, as in `old=/tmp/old/elenchus`.
    pub fn program(text: &str) -> Result<Contender, BenchError> {
        let (name, program) = named(text, "--program NAME=FILE")?;
        let program = PathBuf::from(program);
        if !program.is_file() {
            let message = format!("there is no program {}", program.display());
            return Err(BenchError::choice(
                message,
                "name a build of Elenchus, as in --program old=./old/elenchus",
            ));
        }
        let tool = Tool::Elenchus { program: Some(program), flags: Vec::new() };
        Ok(Contender { name: checked(name)?, tool })
    }

    /// Another tool, by its name.
    pub fn peer(name: &str) -> Result<Contender, BenchError> {
        let found = peer(name).ok_or_else(|| {
            let names: Vec<&str> = PEERS.iter().map(|peer| peer.name()).collect();
            BenchError::choice(format!("`{name}` is not a peer"), format!("peers are {}", names.join(", ")))
        })?;
        Ok(Contender { name: name.to_owned(), tool: Tool::Peer(found) })
    }

    fn flags(name: &str, flags: Vec<String>) -> Contender {
        Contender { name: name.to_owned(), tool: Tool::Elenchus { program: None, flags } }
    }

    /// Its name as a file name.
    pub fn file_name(&self) -> String {
        self.name.replace([':', '+', '=', '/', '\'', ' '], "-")
    }
}

fn named<'a>(text: &'a str, form: &str) -> Result<(&'a str, &'a str), BenchError> {
    let parts = text.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty());
    parts.ok_or_else(|| BenchError::choice(format!("`{text}` has no name"), format!("as in {form}")))
}

fn checked(name: &str) -> Result<String, BenchError> {
    match name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) {
        true => Ok(name.to_owned()),
        false => Err(BenchError::choice(format!("`{name}` is not a name"), "use letters, digits, - and _")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contenders_are_read_from_the_command_line() {
        let Ok(Contender { name, tool: Tool::Elenchus { program: None, flags } }) =
            Contender::variant("picked=--strategy typefuzz,swap --timeout 300ms")
        else {
            panic!("a variant is a set of flags")
        };
        assert_eq!((name.as_str(), flags.len(), flags[3].as_str()), ("picked", 4, "300ms"));
        assert_eq!(Contender::strategy("diver:published").file_name(), "diver-published");
        let wrong = [
            Contender::variant("picked").err(),
            Contender::variant("=--cold").err(),
            Contender::program("old=/nonexistent/elenchus").err(),
            Contender::peer("ddsmt").err(),
        ];
        assert!(wrong.iter().all(Option::is_some));
    }
}
