//! Where solvers are kept and looked for, and what the user's configuration says of them.

use super::error::InstallError;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where solvers are kept and looked for.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder for everything that can be fetched again.
    pub cache: PathBuf,
    /// The Python whose pip fetches packages.
    pub python: PathBuf,
    /// The program that holds our drivers of solver libraries, started with `__drive`.
    pub driver: PathBuf,
    /// The folders to look for executables in, in the form of the variable PATH.
    pub search_path: OsString,
    /// Whether a solver that is not there may be installed when it is asked for.
    pub install_missing: bool,
    /// The `[solver.NAME]` blocks of the configuration.
    pub blocks: BTreeMap<String, SolverBlock>,
}

/// A `[solver.NAME]` block: a solver of the user's own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolverBlock {
    /// The program, absolute or relative to the configuration file.
    pub path: PathBuf,
    /// Which profile describes it; guessed from the program's name if absent.
    pub profile: Option<String>,
    /// Arguments that come first.
    #[serde(default)]
    pub args: Vec<String>,
    /// Variables added to its environment.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Its release; asked from the program if absent.
    pub version: Option<String>,
}

impl Settings {
    /// The settings that the environment asks for: `ELENCHUS_CACHE` or the XDG cache folder, `ELENCHUS_PYTHON` or
    /// `python3`, `ELENCHUS_DRIVER` or the running program.
    pub fn from_environment() -> Result<Settings, InstallError> {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache = match variable("ELENCHUS_CACHE") {
            Some(folder) => std::path::absolute(&folder).map_err(InstallError::io(folder))?,
            None => variable("XDG_CACHE_HOME")
                .filter(|folder| folder.is_absolute())
                .or_else(|| std::env::home_dir().map(|home| home.join(".cache")))
                .ok_or_else(|| InstallError::MissingTool {
                    tool: "a home folder".into(),
                    help: "set ELENCHUS_CACHE to the folder that solvers shall be kept in".into(),
                })?
                .join("elenchus"),
        };
        let driver = match variable("ELENCHUS_DRIVER") {
            Some(program) => program,
            None => std::env::current_exe().map_err(InstallError::io("the running program"))?,
        };
        Ok(Settings {
            cache,
            python: variable("ELENCHUS_PYTHON").unwrap_or_else(|| "python3".into()),
            driver,
            search_path: std::env::var_os("PATH").unwrap_or_default(),
            install_missing: true,
            blocks: BTreeMap::new(),
        })
    }

    /// Adds the `[solver.NAME]` blocks of the configuration file `file`; its other tables are not looked at.
    pub fn read_config(&mut self, file: &Path) -> Result<(), InstallError> {
        let text = std::fs::read_to_string(file).map_err(InstallError::io(file))?;
        let folder = file.parent().unwrap_or(Path::new(""));
        self.blocks.extend(parse_blocks(&text, &file.display().to_string(), folder)?);
        Ok(())
    }

    /// Adds the blocks of `elenchus.toml` in the current folder, if there is such a file.
    pub fn read_default_config(&mut self) -> Result<(), InstallError> {
        let file = Path::new("elenchus.toml");
        if file.is_file() { self.read_config(file) } else { Ok(()) }
    }
}

/// The `[solver.NAME]` blocks in the text of a configuration file that stands in `folder`.
fn parse_blocks(
    text: &str,
    place: &str,
    folder: &Path,
) -> Result<BTreeMap<String, SolverBlock>, InstallError> {
    #[derive(Deserialize)]
    struct Config {
        #[serde(default)]
        solver: BTreeMap<String, SolverBlock>,
    }
    let config: Config = toml::from_str(text)
        .map_err(|error| InstallError::BadConfig { place: place.to_owned(), detail: error.to_string() })?;
    let at_home = |(name, mut block): (String, SolverBlock)| {
        if block.path.components().count() > 1 || block.path.is_absolute() {
            block.path = folder.join(&block.path);
        }
        (name, block)
    };
    Ok(config.solver.into_iter().map(at_home).collect())
}

#[cfg(test)]
mod tests {
    use super::parse_blocks;
    use std::path::Path;

    #[test]
    fn blocks_are_read_and_other_tables_are_left_alone() {
        let text = "threads = 3\n[solver.mine]\npath = \"build/z3\"\nargs = [\"-st\"]\n[solver.other]\npath = \"cvc5\"\n[report]\nx = 1\n";
        let blocks = parse_blocks(text, "elenchus.toml", Path::new("/project")).unwrap();
        assert_eq!(blocks["mine"].path, Path::new("/project/build/z3"));
        assert_eq!(blocks["mine"].args, ["-st"]);
        assert_eq!(blocks["other"].path, Path::new("cvc5"));
    }

    #[test]
    fn a_wrong_key_is_named() {
        let error =
            parse_blocks("[solver.z]\npath = \"z3\"\nprofil = \"z3\"\n", "elenchus.toml", Path::new(""));
        let message = error.unwrap_err().to_string();
        assert!(message.contains("profil") && message.contains("elenchus.toml"), "{message}");
    }
}
