//! Where a solver comes from.

use serde::Deserialize;

/// `[install]`: how to get the solver.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Install {
    /// One sentence that tells a user how to get it.
    #[serde(default)]
    pub obtain: String,
    /// `[[install.source]]`: where the installer fetches it from, the preferred source first.
    #[serde(default, rename = "source")]
    pub sources: Vec<Source>,
    /// `[[install.variant]]`: other builds of the solver, each with a name of its own.
    #[serde(default, rename = "variant")]
    pub variants: Vec<Variant>,
}

/// Another build of a solver, described by the same profile.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// The name in `name@release`.
    pub name: String,
    /// One sentence that tells a user how to get it.
    pub obtain: String,
    /// Where the installer fetches it from, the preferred source first.
    #[serde(default, rename = "source")]
    pub sources: Vec<Source>,
}

/// A package registry with releases of a solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Source {
    /// A Python wheel, fetched with the user's pip.
    Wheel(WheelSource),
    /// A package of Debian or Ubuntu, fetched with apt.
    Debian(DebianSource),
}

/// A Python package whose wheels contain a solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WheelSource {
    /// The package's name.
    pub package: String,
    /// The oldest usable release.
    pub oldest: Option<String>,
    /// The files to unpack: `folder/`, the end of a file's path, or `""` for everything.
    pub keep: Vec<String>,
    /// What to start.
    pub program: Program,
    /// Whether wheels for another Python work as well, because the solver does not run in Python.
    #[serde(default)]
    pub any_python: bool,
}

/// A Debian package that contains a solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DebianSource {
    /// The package's name.
    pub package: String,
    /// A suffix of the release that distinguishes this build from that of another source.
    pub label: Option<String>,
    /// What to start.
    pub program: Program,
}

/// What to start once a package has been unpacked.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Program {
    /// An executable.
    Executable {
        /// Its path, or the end of it.
        file: String,
    },
    /// A shared library, run by one of our drivers.
    #[serde(alias = "cvc5-library")]
    Library {
        /// The driver. Manifests of earlier versions name none: there was only that of cvc5.
        #[serde(default = "first_library_driver")]
        driver: String,
        /// The folder that contains the library.
        directory: String,
    },
    /// A Python module, run by a driver script.
    Python {
        /// The driver.
        driver: String,
        /// The folder to import from.
        directory: String,
    },
}

fn first_library_driver() -> String {
    "cvc5".to_owned()
}
