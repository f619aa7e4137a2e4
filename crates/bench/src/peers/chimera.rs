//! Chimera (merlin-cs/Chimera), from a clone of its repository: Once4All, Aries and a new HistFuzz behind one command.
//!
//! The clone comes with formulas that broke all releases. Here its HistFuzz extracts its corpus from the history of the release instead,
//! by its own command, before its time begins. The generators of Once4All were written by a language model from the documentation of
//! solvers, and Aries works from the seeds.

use super::{Counts, Peer, PeerTask, copy_history, installed, scripts_of};
use crate::error::BenchError;
use crate::judge::Reported;
use crate::plan::Plan;
use case::files::{FileError, read_text};
use case::text::shell_quoted;
use solver::Target;
use solver::run::{Exit, Limits, RunSettings, UserCommand};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The name of its clone.
const CLONE: &str = "chimera";
/// What it needs besides Python.
const PACKAGES: &[&str] = &["antlr4-python3-runtime==4.9.2", "snake-egg==0.1.0"];
/// How long the extraction of a corpus may take.
const PATIENCE: Duration = Duration::from_secs(1800);
/// The corpus of a release.
const CORPUS: &str = "corpus";
/// How many scripts a process makes. It counts them when it ends.
const ITERATIONS: u32 = 100;

/// One of the techniques of Chimera.
pub struct Chimera {
    name: &'static str,
    about: &'static str,
    mode: &'static str,
}

impl Chimera {
    pub const ONCE4ALL: Chimera = Chimera {
        name: "chimera-once4all",
        about: "Once4All of Chimera, from a clone of merlin-cs/Chimera (--clone chimera=FOLDER)",
        mode: "once4all",
    };
    pub const ARIES: Chimera =
        Chimera { name: "chimera-aries", about: "Aries of Chimera, from the same clone", mode: "aries" };
    pub const HISTFUZZ: Chimera = Chimera {
        name: "chimera-histfuzz",
        about: "HistFuzz of Chimera, from the same clone",
        mode: "histfuzz",
    };

    fn uses_history(&self) -> bool {
        self.mode == "histfuzz"
    }

    /// Extracts the corpus of a release from its history.
    fn extract(&self, plan: &Plan, release: &str, packages: &Path, home: &Path) -> Result<(), BenchError> {
        let _ = fs::remove_dir_all(home);
        copy_history(plan, release, self.name, &home.join("formulas"))?;
        let line = format!(
            "cd {} && PYTHONPATH={} python3 -m chimera corpus extract --formula-store formulas --resource-output {CORPUS}.new && mv {CORPUS}.new {CORPUS}",
            quoted(home),
            quoted(packages)
        );
        self.run(&line, "it cannot extract a corpus", home)
    }

    fn run(&self, line: &str, failure: &str, folder: &Path) -> Result<(), BenchError> {
        let limits = Limits { wall: PATIENCE, memory: crate::own::MEMORY, ..Limits::default() };
        let ended = UserCommand::plain(line).run(&limits, &RunSettings::default())?;
        if ended.exit == Exit::Code(0) {
            return Ok(());
        }
        let reason = format!("{failure}: {}", case::text::one_line(&ended.stderr, 300));
        Err(BenchError::Tool { contender: self.name.to_owned(), reason, folder: folder.to_owned() })
    }
}

impl Peer for Chimera {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn home(&self, plan: &Plan, release: &str) -> Result<PathBuf, BenchError> {
        let clone = plan.clones.get(CLONE).filter(|folder| folder.join("chimera/chimera_cli.py").is_file());
        let clone = clone.ok_or_else(|| {
            let message = format!("{} runs from a clone of its repository, and none is named", self.name);
            BenchError::choice(message, "as in --clone chimera=../Chimera")
        })?;
        let packages = std::path::absolute(installed(plan, CLONE, PACKAGES)?)
            .map_err(|error| FileError::unwritable(&plan.out, error))?;
        if !packages.join("generators").is_dir() {
            let line = format!("cp -r {0}/chimera {0}/generators {1}", quoted(clone), quoted(&packages));
            self.run(&line, "it cannot be copied", &packages)?;
        }
        if !self.uses_history() {
            return Ok(packages);
        }
        let home = packages.with_file_name(format!("{}-{release}", self.name));
        if !home.join(CORPUS).is_dir() {
            self.extract(plan, release, &packages, &home)?;
        }
        Ok(home)
    }

    fn version(&self, _: &Path) -> String {
        "Chimera 2 (a clone)".to_owned()
    }

    fn command(&self, task: &PeerTask<'_>) -> Result<String, BenchError> {
        let (packages, input) = match self.mode {
            "histfuzz" => {
                let corpus = task.home.join(CORPUS);
                (task.home.with_file_name(CLONE), format!("--corpus-dir {}", quoted(&corpus)))
            }
            "aries" => {
                task.link_seeds(&task.work.join("seeds"))?;
                (task.home.to_owned(), "--seed-dir seeds".to_owned())
            }
            _ => (task.home.to_owned(), String::new()),
        };
        let (release, mut other) = (name(&task.release), name(&task.other));
        // Two solvers must not have one name, which also decides about theories and options.
        if release == other {
            other.push_str("-other");
        }
        Ok(format!(
            "seed=0; while :; do seed=$((seed + 1)); PYTHONPATH={} python3 -u -m chimera run {} --seed $seed --iterations {ITERATIONS} \
             --solver1-name {release} --solver1-bin {} --solver2-name {other} --solver2-bin {} --solver-timeout {} \
             --detect-invalid-models --output-dir bugs/$seed --temp-dir scratch {input}; done",
            quoted(&packages),
            self.mode,
            shell_quoted(&task.plain(&task.release)?),
            shell_quoted(&task.plain(&task.other)?),
            task.timeout_seconds(),
        ))
    }

    fn reported(&self, work: &Path, start: SystemTime) -> Vec<Reported> {
        // It keeps all scripts, each with a description of what is wrong.
        let is_wrong = |reported: &Reported| {
            let description = read_text(&reported.file.with_file_name("manifest.json")).unwrap_or_default();
            has_findings(&description)
        };
        scripts_of(&work.join("bugs"), start).into_iter().filter(is_wrong).collect()
    }

    fn counts(&self, printed: &str) -> Counts {
        counts(printed)
    }
}

fn quoted(path: &Path) -> String {
    shell_quoted(&path.display().to_string())
}

/// What it calls a solver.
fn name(target: &Target) -> String {
    if target.name == "cvc4" { "cvc5".to_owned() } else { target.name.clone() }
}

fn has_findings(description: &str) -> bool {
    let read: Option<serde_json::Value> = serde_json::from_str(description).ok();
    read.is_some_and(|read| read["findings"].as_array().is_some_and(|found| !found.is_empty()))
}

/// Adds up the lines such as `[Stats] elapsed=36.0s  iters=63  …` that each process ends with. Each script is run on two solvers. It does
/// not count answers.
fn counts(printed: &str) -> Counts {
    let iterations = printed
        .lines()
        .filter(|line| line.starts_with("[Stats]"))
        .filter_map(|line| line.split_once("iters=")?.1.split_whitespace().next()?.parse::<u64>().ok());
    Counts { calls: 2 * iterations.sum::<u64>(), answered: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_of_all_processes_count_twice() {
        let text = "chimera INFO starting\n[Stats] elapsed=36.0s  iters=63  generated=63  bugs=0\n[Stats] elapsed=1s  iters=7  bugs=1\n";
        assert_eq!(counts(text), Counts { calls: 140, answered: None });
        assert_eq!(counts(""), Counts::default());
    }

    #[test]
    fn descriptions_say_whether_something_is_wrong() {
        let table = [
            (r#"{"findings": []}"#, false),
            (r#"{"findings": [{"kind": "CRASH"}]}"#, true),
            (r#"{"case_id": "a"}"#, false),
            ("", false),
        ];
        for (description, expected) in table {
            assert_eq!(has_findings(description), expected, "{description}");
        }
    }
}
