//! Downloads packages of Debian and Ubuntu with apt and unpacks them without root.
//!
//! apt checks its downloads against the signed package lists. Where the machine has no lists, as in most container
//! images, we download them into the cache.

use super::cache::{Package, Staging};
use super::error::InstallError;
use super::progress::{Event, Progress};
use super::settings::Settings;
use super::tool;
use super::version::Version;
use super::wheel;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

/// How long our own package lists are used before they are downloaded again.
const LISTS_LAST: Duration = Duration::from_secs(24 * 60 * 60);

/// The machine's apt.
pub struct Apt<'a> {
    settings: &'a Settings,
    /// The folder of our own package lists.
    state: PathBuf,
    /// Whether to use our own lists instead of the machine's.
    own_lists: bool,
}

/// Unpacked packages.
pub struct Unpacked {
    /// The packages.
    pub packages: Vec<Package>,
    /// Folders with shared libraries, relative to the folder they were unpacked into.
    pub libraries: Vec<String>,
}

impl<'a> Apt<'a> {
    /// apt, if the machine has it.
    pub fn new(settings: &'a Settings) -> Result<Apt<'a>, InstallError> {
        let apt = Apt { settings, state: settings.cache.join("apt"), own_lists: false };
        for tool in ["apt-get", "apt-cache", "dpkg-deb"] {
            apt.run(Command::new(tool).arg("--version"))?;
        }
        Ok(apt)
    }

    fn run(&self, command: &mut Command) -> Result<Output, InstallError> {
        let program = command.get_program().to_string_lossy().into_owned();
        tool::bind_to_us(command).env("LC_ALL", "C").stdin(Stdio::null()).output().map_err(|_| InstallError::MissingTool {
            tool: program,
            help: "this release is a package of Debian or Ubuntu and needs apt; on other systems download or build the solver and \
                   give its path, or choose a release from `elenchus solver list --available`"
                .into(),
        })
    }

    fn apt(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(["-o", "Debug::NoLocking=1"]);
        if self.own_lists {
            let option = |name: &str, folder: &str| format!("{name}={}", self.state.join(folder).display());
            command.arg("-o").arg(option("Dir::State::lists", "lists"));
            command.arg("-o").arg(option("Dir::Cache", "cache"));
        }
        command.args(arguments);
        command
    }

    /// The versions of `package` in the machine's lists, or else in our own.
    pub fn versions(mut self, package: &str) -> Result<Vec<Version>, InstallError> {
        self.find(package)
    }

    /// Like [`Apt::versions`], and remembers which lists have the package.
    fn find(&mut self, package: &str) -> Result<Vec<Version>, InstallError> {
        let found = self.listed(package)?;
        if !found.is_empty() {
            return Ok(found);
        }
        self.own_lists = true;
        self.refresh()?;
        self.listed(package)
    }

    fn listed(&self, package: &str) -> Result<Vec<Version>, InstallError> {
        let output = self.run(&mut self.apt("apt-cache", &["madison", package]))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let binary = text.lines().filter(|line| !line.trim_end().ends_with("Sources"));
        Ok(binary.filter_map(|line| Version::parse(line.split('|').nth(1)?)).collect())
    }

    /// Downloads our own lists unless they are recent.
    fn refresh(&self) -> Result<(), InstallError> {
        let stamp = self.state.join("fetched");
        let age = stamp.metadata().and_then(|data| data.modified()).ok();
        let age = age.and_then(|time| SystemTime::now().duration_since(time).ok());
        if age.is_some_and(|age| age < LISTS_LAST) {
            return Ok(());
        }
        for folder in ["lists/partial", "cache/archives/partial"] {
            let folder = self.state.join(folder);
            std::fs::create_dir_all(&folder).map_err(InstallError::io(&folder))?;
        }
        let output =
            self.run(&mut self.apt("apt-get", &["--quiet", "-o", "APT::Sandbox::User=", "update"]))?;
        let text = String::from_utf8_lossy(&output.stderr);
        if !output.status.success()
            || text.contains("Failed to fetch")
            || text.contains("Some index files failed")
        {
            return Err(InstallError::Network { tool: "apt", detail: last_error(&output) });
        }
        std::fs::write(&stamp, "").map_err(InstallError::io(&stamp))
    }

    /// The packages to download for `package`, with versions: itself and its missing dependencies.
    fn needed(&self, package: &str, version: &str) -> Result<Vec<(String, String)>, InstallError> {
        let wanted = format!("{package}={version}");
        let arguments = ["--simulate", "--no-install-recommends", "install", &wanted];
        let output = self.run(&mut self.apt("apt-get", &arguments))?;
        if !output.status.success() {
            return Err(InstallError::ToolFailed {
                command: format!("apt-get {}", arguments.join(" ")),
                detail: last_error(&output),
            });
        }
        let mut needed = simulated_installs(&String::from_utf8_lossy(&output.stdout));
        if !needed.iter().any(|(name, _)| name == package) {
            // It is installed on this machine, and so are its libraries.
            needed.push((package.to_owned(), version.to_owned()));
        }
        Ok(needed)
    }

    /// Downloads exactly this version of `package` with its libraries and unpacks all into `folder`.
    pub fn fetch(
        mut self,
        package: &str,
        version: &str,
        staging: &Staging,
        folder: &Path,
        progress: &dyn Progress,
    ) -> Result<Unpacked, InstallError> {
        progress.event(Event::Fetching { package, total: None });
        self.find(package)?;
        let needed = self.needed(package, version)?;
        let downloads = staging.subfolder("debs")?;
        let names: Vec<String> = needed.iter().map(|(name, version)| format!("{name}={version}")).collect();
        let mut command = self.apt("apt-get", &["--quiet", "-o", "APT::Sandbox::User=", "download"]);
        command.args(&names).current_dir(&downloads).env("LC_ALL", "C").stdin(Stdio::null());
        let go_on = || {
            progress.event(Event::Fetched { bytes: super::cache::disk_use(&downloads) });
            self.settings.check_cancelled().is_ok()
        };
        let output = tool::run_watched(command, Duration::from_millis(100), |_| {}, go_on)
            .map_err(InstallError::io("apt-get"))?;
        self.settings.check_cancelled()?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            let detail = last_error(&output);
            return Err(if text.contains("Hash Sum mismatch") {
                InstallError::Corrupt { file: format!("the package {package}"), detail }
            } else {
                InstallError::Network { tool: "apt", detail }
            });
        }
        self.unpack(&downloads, folder, progress)
    }

    fn unpack(
        &self,
        downloads: &Path,
        folder: &Path,
        progress: &dyn Progress,
    ) -> Result<Unpacked, InstallError> {
        let entries = std::fs::read_dir(downloads).map_err(InstallError::io(downloads))?;
        let mut files: Vec<PathBuf> =
            entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
        files.sort();
        let size = |file: &PathBuf| file.metadata().map_or(0, |data| data.len());
        progress.event(Event::Unpacking { total: files.iter().map(size).sum() });
        let mut packages = Vec::new();
        let mut done = 0;
        for file in &files {
            let output = self.run(Command::new("dpkg-deb").arg("--extract").arg(file).arg(folder))?;
            if !output.status.success() {
                return Err(InstallError::Corrupt {
                    file: wheel::file_name(file),
                    detail: last_error(&output),
                });
            }
            let sha256 = wheel::sha256_of(file)?;
            packages.push(Package { file: wheel::file_name(file), url: None, sha256 });
            done += size(file);
            progress.event(Event::Unpacked { bytes: done });
        }
        Ok(Unpacked { packages, libraries: library_folders(folder)? })
    }
}

/// The `Inst` lines of a simulated installation: missing packages with their versions.
fn simulated_installs(text: &str) -> Vec<(String, String)> {
    let parse = |line: &str| {
        let (name, rest) = line.strip_prefix("Inst ")?.split_once(' ')?;
        // `Inst NAME [OLD] (NEW …)` would upgrade an installed package, which works as it is.
        let version = rest.strip_prefix('(')?.split([' ', ')']).next()?;
        Some((name.to_owned(), version.to_owned()))
    };
    text.lines().filter_map(parse).collect()
}

/// The folders under `root` with shared libraries, relative to it, sorted.
fn library_folders(root: &Path) -> Result<Vec<String>, InstallError> {
    let mut found = Vec::new();
    let mut pending = vec![root.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder).map_err(InstallError::io(&folder))?.flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                pending.push(path);
            } else if entry.file_name().to_string_lossy().contains(".so")
                && let Ok(relative) = folder.strip_prefix(root)
            {
                found.push(relative.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// The last error message on standard error.
fn last_error(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let error = text.lines().rev().find(|line| line.starts_with("E:") || line.contains("error"));
    error.or(text.lines().last()).unwrap_or("no output").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::simulated_installs;

    #[test]
    fn only_missing_packages_are_downloaded() {
        let text = "Reading package lists...\nInst libcln6 (1.3.6-4 Debian:12.14/oldstable [amd64])\n\
                    Inst libc6 [2.36-9] (2.36-10 Debian:12 [amd64])\nInst cvc4 (1.8-3 Debian:12.14/oldstable [amd64])\n\
                    Conf cvc4 (1.8-3 Debian:12.14/oldstable [amd64])\n";
        let expected = [("libcln6", "1.3.6-4"), ("cvc4", "1.8-3")].map(|(n, v)| (n.to_owned(), v.to_owned()));
        assert_eq!(simulated_installs(text), expected);
    }
}
