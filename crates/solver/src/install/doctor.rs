//! `elenchus solver doctor`: checks the tools of the installer, the cache, and every available solver.

use super::cache::{Cache, disk_use};
use super::debian::Apt;
use super::error::InstallError;
use super::newest::newest;
use super::pip::Pip;
use super::resolve::{discover, resolve};
use super::settings::Settings;
use super::start::{command_of, target_of};
use super::tool;
use super::version::Version;
use crate::confine;
use crate::target::Target;
use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

/// The oldest pip that can report what it would install.
const OLDEST_PIP: &str = "22.2";

/// The solver to ask the package index for.
const INDEXED: &str = "z3";

/// Where Linux says when a program gets huge pages.
const HUGE_PAGES: &str = "/sys/kernel/mm/transparent_hugepage/enabled";

/// How long a solver may take for the test script.
const SCRIPT_LIMIT: Duration = Duration::from_secs(20);

/// Logics for the test script: no single one is supported by all solvers.
const LOGICS: &[&str] = &["QF_BV", "QF_UF", "QF_NRA"];

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// It works.
    Good,
    /// Something is missing that only some solvers need.
    Limited,
    /// Something does not work.
    Broken,
}

/// The result of one check.
#[derive(Clone, Debug)]
pub struct Check {
    /// What was checked.
    pub subject: String,
    /// The result.
    pub health: Health,
    /// What was found.
    pub detail: String,
    /// What the user can do about it.
    pub advice: Option<String>,
}

impl Check {
    /// What was found, and what to do about it.
    pub fn lines(&self) -> Vec<String> {
        let mark = match self.health {
            Health::Good => "ok     ",
            Health::Limited => "limited",
            Health::Broken => "BROKEN ",
        };
        let mut lines = vec![format!("{mark}  {}: {}", self.subject, self.detail)];
        lines.extend(self.advice.as_ref().map(|advice| format!("         help: {advice}")));
        lines
    }

    fn good(subject: impl Into<String>, detail: impl Into<String>) -> Check {
        Check { subject: subject.into(), health: Health::Good, detail: detail.into(), advice: None }
    }

    fn bad(subject: impl Into<String>, health: Health, error: &InstallError) -> Check {
        Check { subject: subject.into(), health, detail: error.to_string(), advice: Some(error.hint()) }
    }
}

/// Checks everything.
pub fn doctor(settings: &Settings) -> Vec<Check> {
    let pip = check_pip(settings);
    let index = (pip.health == Health::Good).then(|| check_index(settings));
    let mut checks = vec![pip];
    checks.extend(index);
    let huge_pages = check_huge_pages(fs::read_to_string(HUGE_PAGES).ok().as_deref());
    checks.extend([check_apt(settings), check_cache(settings), check_confinement(), huge_pages]);
    for installed in Cache::new(&settings.cache).installed() {
        checks.push(match target_of(&installed, settings) {
            Ok(target) => {
                let mut check = check_target(&target, &settings.cache);
                if check.health == Health::Broken {
                    check.advice = Some(format!(
                        "run `elenchus solver remove {0}` and `elenchus solver install {0}` to reinstall it",
                        installed.id()
                    ));
                }
                check
            }
            Err(error) => Check::bad(installed.id(), Health::Broken, &error),
        });
    }
    for name in settings.blocks.keys() {
        checks.push(match resolve(name, settings) {
            Ok(target) => check_target(&target, &settings.cache),
            Err(error) => Check::bad(format!("[solver.{name}]"), Health::Broken, &error),
        });
    }
    checks.extend(discover(settings).iter().map(|target| check_target(target, &settings.cache)));
    checks
}

fn check_pip(settings: &Settings) -> Check {
    match Pip::new(settings).version() {
        Err(error) => Check::bad("pip", Health::Broken, &error),
        Ok(version) if Version::parse(&version) < Version::parse(OLDEST_PIP) => Check {
            subject: "pip".into(),
            health: Health::Broken,
            detail: format!("pip {version} is too old: {OLDEST_PIP} or newer is needed"),
            advice: Some("run `python3 -m pip install --upgrade pip`".into()),
        },
        Ok(version) => Check::good("pip", format!("pip {version} of {}", settings.python.display())),
    }
}

/// Asks the package index for a solver.
fn check_index(settings: &Settings) -> Check {
    let subject = "package index";
    match newest(INDEXED, settings) {
        Ok(Some(newest)) => Check::good(subject, format!("has {INDEXED} {}", newest.release())),
        Ok(None) => Check {
            subject: subject.into(),
            health: Health::Limited,
            detail: format!("has no release of {INDEXED} for this machine"),
            advice: Some("check the index that pip uses: `python3 -m pip config list`".into()),
        },
        Err(error) => Check::bad(subject, Health::Broken, &error),
    }
}

fn check_apt(settings: &Settings) -> Check {
    match Apt::new(settings) {
        Ok(_) => Check::good("apt", "apt-get, apt-cache and dpkg-deb can be run"),
        Err(error) => Check::bad("apt", Health::Limited, &error),
    }
}

fn check_cache(settings: &Settings) -> Check {
    let probe = settings.cache.join(format!("doctor-{}", std::process::id()));
    let written = fs::create_dir_all(&settings.cache)
        .and_then(|()| fs::write(&probe, "x"))
        .and_then(|()| fs::remove_file(&probe));
    match written {
        Ok(()) => {
            let megabytes = disk_use(&settings.cache) / 1_000_000;
            Check::good("cache", format!("{} holds {megabytes} MB", settings.cache.display()))
        }
        Err(error) => {
            Check::bad("cache", Health::Broken, &InstallError::Io { path: settings.cache.clone(), error })
        }
    }
}

/// Says what solvers can do to the user on this machine.
fn check_confinement() -> Check {
    let subject = "confinement";
    let advice = |text: &str| Some(text.to_owned());
    let limited =
        |detail: String, advice| Check { subject: subject.into(), health: Health::Limited, detail, advice };
    if !confine::is_on() {
        let detail = format!("solvers run with all rights of the user, since {} is set", confine::VARIABLE);
        return limited(detail, advice("unset the variable"));
    }
    let support = confine::support();
    match &support.missing()[..] {
        [] => Check::good(
            subject,
            format!("solvers reach only their own files (Landlock {}), and no network", support.landlock),
        ),
        missing => limited(
            missing.join("; "),
            advice("use Linux 6.12 or newer with Landlock, or run Elenchus in a container"),
        ),
    }
}

/// Says whether fork servers get huge pages, from the content of [`HUGE_PAGES`]. Without them they are only slower.
fn check_huge_pages(setting: Option<&str>) -> Check {
    let subject = "huge pages";
    let limited = |detail: &str, advice: Option<String>| Check {
        subject: subject.into(),
        health: Health::Limited,
        detail: format!("{detail}, so warm solvers start more slowly"),
        advice,
    };
    match setting {
        Some(text) if text.contains("[never]") => {
            let advice = format!("as root, write `madvise` into {HUGE_PAGES}");
            limited("the system has turned them off", Some(advice))
        }
        Some(_) => Check::good(subject, "the system gives them to programs that ask"),
        None => limited("the system has none", None),
    }
}

/// Runs a script with a known answer, from a file in `folder`.
fn check_target(target: &Target, folder: &Path) -> Check {
    let script = folder.join(format!("doctor-{}.smt2", std::process::id()));
    let mut last = String::new();
    for logic in LOGICS {
        let text = format!(
            "(set-logic {logic})\n(declare-fun p () Bool)\n(declare-fun q () Bool)\n(assert (or p q))\n(assert (not p))\n(check-sat)\n(exit)\n"
        );
        if let Err(error) = fs::write(&script, text) {
            return Check::bad(&target.id, Health::Broken, &InstallError::Io { path: script, error });
        }
        let mut command = command_of(target);
        command.arg(&script);
        let output = tool::probe(&command, SCRIPT_LIMIT);
        let _ = fs::remove_file(&script);
        match output {
            Ok(output)
                if String::from_utf8_lossy(&output.stdout).lines().any(|line| line.trim() == "sat") =>
            {
                return Check::good(&target.id, format!("answers (version {})", target.version));
            }
            Ok(output) => last = describe(&output),
            Err(error) => last = format!("cannot be started: {error}"),
        }
    }
    Check {
        subject: target.id.clone(),
        health: Health::Broken,
        detail: format!("does not answer a script with two clauses: {last}"),
        advice: Some(format!("run `{}` by hand on a small script", target.program.display())),
    }
}

/// The first line of a failed program's output, and its exit status.
fn describe(output: &Output) -> String {
    let text =
        [&output.stderr[..], &output.stdout[..]].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let line = text.iter().flat_map(|text| text.lines()).find(|line| !line.trim().is_empty());
    format!("{} ({})", line.unwrap_or("no output"), output.status)
}

#[cfg(test)]
mod tests {
    use super::{Health, check_huge_pages};

    #[test]
    fn missing_huge_pages_are_said() {
        for (setting, health) in [
            (Some("always [madvise] never\n"), Health::Good),
            (Some("[always] madvise never\n"), Health::Good),
            (Some("always madvise [never]\n"), Health::Limited),
            (None, Health::Limited),
        ] {
            assert_eq!(check_huge_pages(setting).health, health, "{setting:?}");
        }
    }
}
