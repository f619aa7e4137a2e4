//! Where solvers are installed and searched, and the parts of the user's configuration about solvers.

use super::error::InstallError;
use crate::acceleration::{self, Acceleration};
use crate::profile::Profiles;
use crate::target::CoverageSource;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where solvers are installed and searched.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The cache: everything in it can be fetched again.
    pub cache: PathBuf,
    /// The Python whose pip fetches packages.
    pub python: PathBuf,
    /// The program with our drivers of solver libraries, started with `__drive`.
    pub driver: PathBuf,
    /// The folders with executables, in the format of the variable `PATH`.
    pub search_path: OsString,
    /// Whether a missing solver is installed on demand.
    pub install_missing: bool,
    /// The `[solver.NAME]` blocks of the configuration.
    pub blocks: BTreeMap<String, SolverBlock>,
    /// The profiles, built in and the user's.
    pub profiles: Profiles,
    /// Which techniques make runs fast.
    pub acceleration: Acceleration,
    /// Ends searches and downloads when it is set.
    pub cancel: Arc<AtomicBool>,
}

/// A `[solver.NAME]` block: the user's own solver.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolverBlock {
    /// The program, absolute or relative to the configuration file.
    pub path: PathBuf,
    /// The profile that describes it. The default is guessed from the name of the program.
    pub profile: Option<String>,
    /// Arguments in front of all others.
    #[serde(default)]
    pub args: Vec<String>,
    /// Environment variables.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Its release. The default is what the program prints for `--version`.
    pub version: Option<String>,
    /// How its coverage is measured: `breakpoints`, `afl`, `gcov` or `llvm`.
    #[serde(default)]
    pub coverage: CoverageSource,
}

impl Settings {
    /// Default settings with this cache folder and this driver program.
    pub fn new(cache: PathBuf, driver: PathBuf) -> Settings {
        Settings {
            cache,
            python: "python3".into(),
            driver,
            search_path: std::env::var_os("PATH").unwrap_or_default(),
            install_missing: true,
            blocks: BTreeMap::new(),
            profiles: Profiles::built_in(),
            acceleration: Acceleration::default(),
            cancel: Arc::default(),
        }
    }

    /// Fails if the caller wants no more.
    pub(crate) fn check_cancelled(&self) -> Result<(), InstallError> {
        if self.cancel.load(Ordering::Relaxed) { Err(InstallError::Cancelled) } else { Ok(()) }
    }

    /// The settings of the environment: `ELENCHUS_CACHE` or the XDG cache folder, `ELENCHUS_PYTHON` or `python3`,
    /// `ELENCHUS_DRIVER` or the running program, `ELENCHUS_PERFORMANCE`, and the user's profiles.
    pub fn from_environment() -> Result<Settings, InstallError> {
        let variable =
            |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache = match variable("ELENCHUS_CACHE") {
            Some(folder) => std::path::absolute(&folder).map_err(InstallError::io(folder))?,
            None => variable("XDG_CACHE_HOME")
                .filter(|folder| folder.is_absolute())
                .or_else(|| std::env::home_dir().map(|home| home.join(".cache")))
                .ok_or_else(|| InstallError::MissingTool {
                    tool: "a home folder".into(),
                    help: "set ELENCHUS_CACHE to a folder for solvers".into(),
                })?
                .join("elenchus"),
        };
        let driver = match variable("ELENCHUS_DRIVER") {
            Some(program) => program,
            None => std::env::current_exe().map_err(InstallError::io("the running program"))?,
        };
        let mut settings = Settings::new(cache, driver);
        if let Some(python) = variable("ELENCHUS_PYTHON") {
            settings.python = python;
        }
        settings.profiles = Profiles::of_user()?;
        settings.acceleration = acceleration_of_environment()?.unwrap_or_default();
        Ok(settings)
    }

    /// Reads the tables `[solver.NAME]`, `[profile.NAME]` and `[performance]` of a configuration file and ignores the others.
    pub fn read_config(&mut self, file: &Path) -> Result<(), InstallError> {
        let text = std::fs::read_to_string(file).map_err(InstallError::io(file))?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let location = file.display().to_string();
        let config = parse_config(&text, &location, folder)?;
        self.blocks.extend(config.solver);
        if let (Some(acceleration), None) = (config.performance, acceleration_of_environment()?) {
            self.acceleration = acceleration;
        }
        for (name, table) in config.profile {
            let location = format!("[profile.{name}] of {location}");
            self.profiles = std::mem::take(&mut self.profiles).with_block(&name, location, table)?;
        }
        Ok(())
    }

    /// Reads `elenchus.toml` in the current folder, if it exists.
    pub fn read_default_config(&mut self) -> Result<(), InstallError> {
        let file = Path::new("elenchus.toml");
        if file.is_file() { self.read_config(file) } else { Ok(()) }
    }
}

/// The tables of a configuration file that this crate reads.
#[derive(Deserialize)]
struct Config {
    #[serde(default)]
    solver: BTreeMap<String, SolverBlock>,
    #[serde(default)]
    profile: BTreeMap<String, toml::Table>,
    performance: Option<Acceleration>,
}

/// The switches in the environment, which take precedence over those of the configuration.
fn acceleration_of_environment() -> Result<Option<Acceleration>, InstallError> {
    let Ok(text) = std::env::var(acceleration::VARIABLE) else { return Ok(None) };
    Acceleration::parse(&text).map(Some).map_err(|name| InstallError::BadConfig {
        location: acceleration::VARIABLE.to_owned(),
        detail: format!("`{name}` is not the name of a switch"),
    })
}

/// Parses a configuration file in `folder`.
fn parse_config(text: &str, location: &str, folder: &Path) -> Result<Config, InstallError> {
    let mut config: Config = toml::from_str(text).map_err(|error| InstallError::BadConfig {
        location: location.to_owned(),
        detail: error.to_string().trim_end().to_owned(),
    })?;
    for block in config.solver.values_mut() {
        // A bare name is searched on the PATH; any other path is relative to the file.
        if block.path.components().count() > 1 || block.path.is_absolute() {
            block.path = folder.join(&block.path);
        }
    }
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::{Acceleration, Settings, parse_config};
    use std::path::Path;

    #[test]
    fn blocks_are_read_and_other_tables_are_ignored() {
        let text = "threads = 3\n[performance]\nprefork = false\n[solver.mine]\npath = \"build/z3\"\nargs = [\"-st\"]\n[solver.other]\npath = \"cvc5\"\n[report]\nx = 1\n";
        let config = parse_config(text, "elenchus.toml", Path::new("/project")).unwrap();
        assert_eq!(config.performance, Some(Acceleration { prefork: false, ..Acceleration::ALL }));
        let blocks = config.solver;
        assert_eq!(blocks["mine"].path, Path::new("/project/build/z3"));
        assert_eq!(blocks["mine"].args, ["-st"]);
        assert_eq!(blocks["other"].path, Path::new("cvc5"));
    }

    #[test]
    fn a_wrong_key_is_named() {
        let text = "[solver.z]\npath = \"z3\"\nprofil = \"z3\"\n";
        let message = parse_config(text, "elenchus.toml", Path::new("")).err().unwrap().to_string();
        assert!(message.contains("profil") && message.contains("elenchus.toml"), "{message}");
    }

    #[test]
    fn a_profile_block_changes_the_built_in_profile() {
        let file = std::env::temp_dir().join(format!("elenchus-config-{}.toml", std::process::id()));
        let mut settings = Settings::new("/cache".into(), "/driver".into());
        std::fs::write(&file, "[profile.z3]\ntheories = [\"Core\"]\n").unwrap();
        settings.read_config(&file).unwrap();
        assert_eq!(settings.profiles.get("z3").unwrap().theories, ["Core"]);
        std::fs::write(&file, "[profile.z3]\ntheory = 1\n").unwrap();
        let message = settings.read_config(&file).unwrap_err().to_string();
        std::fs::remove_file(&file).unwrap();
        assert!(message.contains("[profile.z3]") && message.contains("theory"), "{message}");
    }
}
