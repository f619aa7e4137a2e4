//! Downloads wheels with the user's pip, and so with its mirrors, proxies and certificates.

use super::error::InstallError;
use super::progress::{Event, Progress};
use super::settings::Settings;
use super::tool;
use super::version::Version;
use super::wheel;
use serde::Deserialize;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Pythons whose wheels are tried if there is none for the user's, for solvers that do not run in Python.
const OTHER_PYTHONS: &[&str] = &["3.13", "3.12", "3.11", "3.10", "3.9", "3.8"];

/// How long an impatient pip waits for each answer of the index.
const IMPATIENT_SECONDS: &str = "5";

/// The Python for which every release so far has wheels, in addition to the user's own.
const USUAL_PYTHON: &str = "3.12";

/// Platforms to query, to distinguish "no such release" from "not for this machine".
const OTHER_PLATFORMS: &[&str] = &[
    "win_amd64",
    "win_arm64",
    "macosx_11_0_arm64",
    "macosx_11_0_x86_64",
    "macosx_13_0_arm64",
    "macosx_13_0_x86_64",
    "macosx_15_0_arm64",
    "manylinux2014_x86_64",
    "manylinux2014_aarch64",
    "manylinux_2_28_x86_64",
    "manylinux_2_34_aarch64",
    "manylinux_2_38_aarch64",
];

/// A downloaded wheel.
pub struct Wheel {
    /// The file.
    pub path: PathBuf,
    /// Its URL.
    pub url: Option<String>,
    /// Its digest, equal to that of the index if the index has one.
    pub sha256: String,
}

/// The user's pip.
pub struct Pip<'a> {
    settings: &'a Settings,
    /// Whether to give up soon if the index does not answer.
    impatient: bool,
}

/// The part of pip's installation report that we need.
#[derive(Deserialize)]
struct Report {
    install: Vec<ReportItem>,
}

#[derive(Deserialize)]
struct ReportItem {
    download_info: DownloadInfo,
}

#[derive(Deserialize)]
struct DownloadInfo {
    url: String,
    #[serde(default)]
    archive_info: ArchiveInfo,
}

#[derive(Default, Deserialize)]
struct ArchiveInfo {
    hash: Option<String>,
    #[serde(default)]
    hashes: std::collections::BTreeMap<String, String>,
}

impl ArchiveInfo {
    /// The SHA-256 in the index; old reports have only the single `hash`.
    fn sha256(&self) -> Option<&str> {
        let single = || self.hash.as_deref().and_then(|hash| hash.strip_prefix("sha256="));
        self.hashes.get("sha256").map(String::as_str).or_else(single)
    }
}

impl<'a> Pip<'a> {
    /// The pip of the Python in the settings.
    pub fn new(settings: &'a Settings) -> Pip<'a> {
        Pip { settings, impatient: false }
    }

    /// The same, but it gives up soon if the index does not answer.
    pub fn impatient(settings: &'a Settings) -> Pip<'a> {
        Pip { settings, impatient: true }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.settings.python);
        command.args(["-m", "pip", "--disable-pip-version-check", "--no-input"]).args(arguments);
        command.env("PYTHONUTF8", "1").env("NO_COLOR", "1").stdin(Stdio::null());
        if self.impatient {
            command.env("PIP_RETRIES", "0").env("PIP_TIMEOUT", IMPATIENT_SECONDS);
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Result<Output, InstallError> {
        let mut command = self.command(arguments);
        tool::bind_to_us(&mut command).output().map_err(|error| self.not_started(error))
    }

    fn not_started(&self, error: std::io::Error) -> InstallError {
        InstallError::MissingTool {
            tool: format!("Python ({}: {error})", self.settings.python.display()),
            help: "install Python 3 with pip (on Debian: `sudo apt-get install python3-pip`), or set ELENCHUS_PYTHON to one".into(),
        }
    }

    /// The version of pip.
    pub fn version(&self) -> Result<String, InstallError> {
        let output = self.run(&["--version"])?;
        if let (false, Refusal::Failed(error)) = (output.status.success(), self.failure("--version", &output))
        {
            return Err(error);
        }
        super::version::version_in(&String::from_utf8_lossy(&output.stdout)).ok_or_else(|| {
            InstallError::ToolFailed {
                command: self.shown("--version"),
                detail: "its output contains no version".into(),
            }
        })
    }

    /// The versions of `package` for this machine, for the user's Python or for any.
    pub fn versions(&self, package: &str, any_python: bool) -> Result<Vec<Version>, InstallError> {
        let mut versions = self.versions_for(package, &[])?;
        if any_python {
            let target = ["--python-version", USUAL_PYTHON, "--only-binary", ":all:"];
            versions.extend(self.versions_for(package, &target)?);
        }
        Ok(versions)
    }

    fn versions_for(&self, package: &str, target: &[&str]) -> Result<Vec<Version>, InstallError> {
        let mut arguments = vec!["index", "versions", package];
        arguments.extend(target);
        let output = self.run(&arguments)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let listed = text.lines().find_map(|line| line.trim().strip_prefix("Available versions:"));
        match listed {
            Some(list) if output.status.success() => Ok(list.split(',').filter_map(Version::parse).collect()),
            _ => match self.failure(&arguments.join(" "), &output) {
                Refusal::NoMatch => self.why_nothing(&arguments).map_or(Ok(Vec::new()), Err),
                Refusal::Failed(error) => Err(error),
            },
        }
    }

    /// Why pip finds nothing: only its debugging output says that the index did not answer.
    fn why_nothing(&self, arguments: &[&str]) -> Option<InstallError> {
        let mut arguments = arguments.to_vec();
        arguments.push("-vv");
        let output = self.run(&arguments).ok()?;
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let line = text.lines().find(|line| {
            line.contains("Could not fetch URL")
                && ["connection error", "ssl certificate", "500 error"].iter().any(|sign| line.contains(sign))
        })?;
        Some(InstallError::Network {
            tool: "pip",
            detail: line.trim().trim_end_matches(" - skipping").to_owned(),
        })
    }

    /// The versions of `package` for other platforms.
    pub fn versions_elsewhere(&self, package: &str) -> Vec<Version> {
        let mut target = vec!["--only-binary", ":all:"];
        for platform in OTHER_PLATFORMS {
            target.extend(["--platform", platform]);
        }
        self.versions_for(package, &target).unwrap_or_default()
    }

    /// Downloads the wheel of exactly this version of `package` into `folder` and checks its digest.
    pub fn fetch(
        &self,
        package: &str,
        version: &str,
        any_python: bool,
        folder: &Path,
        progress: &dyn Progress,
    ) -> Result<Wheel, InstallError> {
        let mut result = self.fetch_for(package, version, None, folder, progress);
        if any_python {
            for python in OTHER_PYTHONS {
                if !matches!(result, Err(Refusal::NoMatch)) {
                    break;
                }
                result = self.fetch_for(package, version, Some(python), folder, progress);
            }
        }
        result.map_err(|refusal| match refusal {
            Refusal::Failed(error) => error,
            // The index lists the version, so it is the platform that does not match.
            Refusal::NoMatch => InstallError::wrong_platform(package, version),
        })
    }

    fn fetch_for(
        &self,
        package: &str,
        version: &str,
        python: Option<&str>,
        folder: &Path,
        progress: &dyn Progress,
    ) -> Result<Wheel, Refusal> {
        progress.event(Event::Fetching { package, total: None });
        let requirement = format!("{package}=={version}");
        let listed = self.index_entry(&requirement, python, folder)?;
        let list = folder.join("requirements.txt");
        let line = match listed.archive_info.sha256() {
            Some(sha256) => format!("{requirement} --hash=sha256:{sha256}\n"),
            None => format!("{requirement}\n"),
        };
        std::fs::write(&list, line).map_err(InstallError::io(&list))?;

        let downloads = folder.join("wheel");
        let temporary = folder.join("tmp");
        for folder in [&downloads, &temporary] {
            std::fs::create_dir_all(folder).map_err(InstallError::io(folder))?;
        }
        let mut command =
            self.command(&["download", "--no-deps", "--only-binary", ":all:", "--progress-bar", "off"]);
        if let Some(python) = python {
            command.args(["--python-version", python]);
        }
        command.arg("--dest").arg(&downloads).arg("--requirement").arg(&list).env("TMPDIR", &temporary);
        let watch = |line: &str| {
            if let Some(total) = size_in_parentheses(line) {
                progress.event(Event::Fetching { package, total: Some(total) });
            }
        };
        let tick = || {
            let bytes = super::cache::disk_use(&temporary).max(super::cache::disk_use(&downloads));
            progress.event(Event::Fetched { bytes });
        };
        let output = tool::run_watched(command, Duration::from_millis(100), watch, tick)
            .map_err(|error| self.not_started(error))?;
        if !output.status.success() {
            return Err(
                self.failure(&format!("download --no-deps --only-binary :all: {requirement}"), &output)
            );
        }
        let path = only_wheel(&downloads)?;
        let sha256 = wheel::sha256_of(&path)?;
        if let Some(expected) = listed.archive_info.sha256()
            && expected != sha256
        {
            return Err(InstallError::Corrupt {
                file: wheel::file_name(&path),
                detail: format!("its SHA-256 is {sha256}, but the index says {expected}"),
            }
            .into());
        }
        Ok(Wheel { path, url: Some(listed.url), sha256 })
    }

    /// The URL and digest in the index for a requirement.
    fn index_entry(
        &self,
        requirement: &str,
        python: Option<&str>,
        folder: &Path,
    ) -> Result<DownloadInfo, Refusal> {
        let report = folder.join("report.json");
        let report_text = report.to_string_lossy();
        let nowhere = folder.join("target");
        let nowhere_text = nowhere.to_string_lossy();
        let mut arguments = vec!["install", "--dry-run", "--ignore-installed", "--no-deps", "--quiet"];
        arguments.extend(["--only-binary", ":all:", "--report", &report_text]);
        if let Some(python) = python {
            arguments.extend(["--python-version", python, "--target", &nowhere_text]);
        }
        arguments.push(requirement);
        let output = self.run(&arguments)?;
        if !output.status.success() {
            return Err(self.failure(&arguments.join(" "), &output));
        }
        let text = std::fs::read_to_string(&report).map_err(InstallError::io(&report))?;
        let unusable =
            |detail: String| InstallError::ToolFailed { command: self.shown(&arguments.join(" ")), detail };
        let parsed: Report = serde_json::from_str(&text).map_err(|error| unusable(error.to_string()))?;
        let item = parsed.install.into_iter().next();
        Ok(item.map(|item| item.download_info).ok_or_else(|| unusable("its report is empty".into()))?)
    }

    fn shown(&self, arguments: &str) -> String {
        format!("{} -m pip {arguments}", self.settings.python.display())
    }

    /// Classifies a failed run of pip.
    fn failure(&self, arguments: &str, output: &Output) -> Refusal {
        let text =
            String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        classify(&text, &self.shown(arguments)).map_or(Refusal::NoMatch, Refusal::Failed)
    }
}

/// Why pip failed.
enum Refusal {
    /// The index has no match.
    NoMatch,
    /// Any other error.
    Failed(InstallError),
}

impl From<InstallError> for Refusal {
    fn from(error: InstallError) -> Refusal {
        Refusal::Failed(error)
    }
}

/// The error in the output `text` of `command`; `None` if the index just has no match.
fn classify(text: &str, command: &str) -> Option<InstallError> {
    let says = |patterns: &[&str]| patterns.iter().any(|pattern| text.contains(pattern));
    let last = |marks: &[&str]| {
        let marked = text.lines().rev().find(|line| marks.iter().any(|mark| line.contains(mark)));
        marked.or(text.lines().last()).unwrap_or("no output").trim().to_owned()
    };
    if says(&["No module named pip"]) {
        return Some(InstallError::MissingTool {
            tool: "pip".into(),
            help: "install it with `python3 -m ensurepip --user`, or on Debian with `sudo apt-get install python3-pip`".into(),
        });
    }
    if says(&["no such option: --report", "no such option: --dry-run", "unknown command \"index\""]) {
        return Some(InstallError::MissingTool {
            tool: "pip 22.2 or newer".into(),
            help: "run `python3 -m pip install --upgrade pip`, in a virtual environment if the system's Python is managed".into(),
        });
    }
    if says(&["THESE PACKAGES DO NOT MATCH THE HASHES", "is invalid", "BadZipFile", "has an invalid wheel"]) {
        return Some(InstallError::Corrupt {
            file: "the downloaded wheel".into(),
            detail: last(&["is invalid", "HASHES", "BadZipFile", "invalid wheel"]),
        });
    }
    let unreachable = [
        "Failed to establish a new connection",
        "connection broken by",
        "ConnectTimeoutError",
        "ReadTimeoutError",
        "ProxyError",
        "SSLError",
        "Temporary failure in name resolution",
        "Max retries exceeded",
        "HTTP error 5",
        "HTTP error 4",
        "Could not fetch URL",
    ];
    if says(&unreachable) {
        let line = last(&unreachable);
        let detail = line.split_once("after connection broken by ").map_or(line.as_str(), |(_, why)| why);
        return Some(InstallError::Network { tool: "pip", detail: detail.to_owned() });
    }
    if says(&["No matching distribution found", "Could not find a version"]) {
        return None;
    }
    Some(InstallError::ToolFailed { command: command.to_owned(), detail: last(&["ERROR:", "error:"]) })
}

/// The wheel in the folder that pip downloaded into.
fn only_wheel(folder: &Path) -> Result<PathBuf, InstallError> {
    let entries = std::fs::read_dir(folder).map_err(InstallError::io(folder))?;
    entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .find(|path| path.extension() == Some(OsStr::new("whl")))
        .ok_or_else(|| InstallError::ToolFailed {
            command: "pip download".into(),
            detail: "succeeded without downloading a wheel".into(),
        })
}

/// The size in a line such as `Downloading z3.whl (38.6 MB)`.
fn size_in_parentheses(line: &str) -> Option<u64> {
    let start = line.trim_start();
    if !start.starts_with("Downloading") && !start.starts_with("Using cached") {
        return None;
    }
    let (_, inside) = line.rsplit_once('(')?;
    let (number, unit) = inside.trim_end().strip_suffix(')')?.split_once(' ')?;
    let scale = match unit {
        "bytes" => 1.0,
        "kB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        _ => return None,
    };
    Some((number.parse::<f64>().ok()? * scale) as u64)
}

#[cfg(test)]
mod tests {
    use super::{classify, size_in_parentheses};

    #[test]
    fn messages_of_pip_are_classified() {
        let table = [
            ("/usr/bin/python3: No module named pip", "cannot find pip, which the installation needs"),
            ("no such option: --report", "cannot find pip 22.2 or newer, which the installation needs"),
            (
                "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(refused)': /simple/z3\nERROR: No matching distribution found for z3",
                "pip could not reach its package index: 'NewConnectionError(refused)': /simple/z3",
            ),
            (
                "ERROR: Wheel 'z3-solver' located at /x.whl is invalid.",
                "the downloaded wheel is corrupt: ERROR: Wheel 'z3-solver' located at /x.whl is invalid.",
            ),
            ("ERROR: disk full", "`pip x` failed: ERROR: disk full"),
        ];
        for (text, message) in table {
            assert_eq!(classify(text, "pip x").unwrap().to_string(), message);
        }
        assert!(classify("ERROR: No matching distribution found for z3-solver==9", "pip x").is_none());
    }

    #[test]
    fn sizes_are_read_from_pip_output() {
        let table = [
            ("  Downloading z3_solver-5.4.0.0.whl (38.6 MB)", Some(38_600_000)),
            ("Using cached a.whl (12 kB)", Some(12_000)),
            ("Saved ./a.whl", None),
            ("Collecting z3 (from -r x)", None),
        ];
        for (line, size) in table {
            assert_eq!(size_in_parentheses(line), size, "{line}");
        }
    }
}
