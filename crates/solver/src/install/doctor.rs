//! Whether everything is in order: the tools that installing needs, the cache, and every solver that is there.

use super::cache::{Cache, disk_use};
use super::debian::Apt;
use super::error::InstallError;
use super::pip::Pip;
use super::resolve::{discover, resolve};
use super::settings::Settings;
use super::start::{command_of, target_of};
use super::tool;
use super::version::Version;
use crate::target::Target;
use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

/// The oldest pip that can report what it would install.
const OLDEST_PIP: &str = "22.2";

/// How long a solver may take for the tiny script.
const SCRIPT_LIMIT: Duration = Duration::from_secs(20);

/// Logics to try the tiny script under: no single one is known to all solvers.
const LOGICS: &[&str] = &["QF_BV", "QF_UF", "QF_NRA"];

/// How a check went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// All is well.
    Good,
    /// Something that only some solvers need is missing.
    Limited,
    /// Something does not work.
    Broken,
}

/// The result of one check.
#[derive(Clone, Debug)]
pub struct Check {
    /// What was checked.
    pub subject: String,
    /// How it went.
    pub health: Health,
    /// What was found.
    pub detail: String,
    /// What to do, if there is something to do.
    pub advice: Option<String>,
}

impl Check {
    fn good(subject: impl Into<String>, detail: impl Into<String>) -> Check {
        Check { subject: subject.into(), health: Health::Good, detail: detail.into(), advice: None }
    }

    fn bad(subject: impl Into<String>, health: Health, error: &InstallError) -> Check {
        Check { subject: subject.into(), health, detail: error.to_string(), advice: Some(error.hint()) }
    }
}

/// Checks everything.
pub fn doctor(settings: &Settings) -> Vec<Check> {
    let mut checks = vec![check_pip(settings), check_apt(settings), check_cache(settings)];
    for installed in Cache::new(&settings.cache).installed() {
        checks.push(match target_of(&installed, settings) {
            Ok(target) => {
                let mut check = check_target(&target, &settings.cache);
                if check.health == Health::Broken {
                    check.advice = Some(format!(
                        "`elenchus solver remove {0}` and `elenchus solver install {0}` fetch it anew",
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

fn check_apt(settings: &Settings) -> Check {
    match Apt::new(settings) {
        Ok(_) => Check::good("apt", "packages of the distribution can be fetched"),
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

/// Lets a solver answer a question whose answer is known, with a file in `folder`.
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
        let output = tool::probe(command, SCRIPT_LIMIT);
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
        detail: format!("does not answer a script of two clauses: {last}"),
        advice: Some(format!("run `{}` by hand on a small script", target.program.display())),
    }
}

/// The first line a failed program said, with how it ended.
fn describe(output: &Output) -> String {
    let text =
        [&output.stderr[..], &output.stdout[..]].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let line = text.iter().flat_map(|text| text.lines()).find(|line| !line.trim().is_empty());
    format!("{} ({})", line.unwrap_or("it says nothing"), output.status)
}
