//! HistFuzz's prototype (CGCL-codes/HistFuzz), from a clone of its repository.
//!
//! The clone comes with what its authors mined from bugs of all releases. Here it mines the history of the release instead, by its own
//! code and with the thresholds of the paper, before its time begins.

use super::{Counts, Peer, PeerTask, copy_history, installed, scripts_of};
use crate::error::BenchError;
use crate::judge::Reported;
use crate::plan::Plan;
use case::files::write;
use case::text::shell_quoted;
use solver::run::{Exit, Limits, RunSettings, UserCommand};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Its name.
const NAME: &str = "histfuzz";
/// What it needs besides Python.
const PACKAGES: &[&str] = &["antlr4-python3-runtime==4.9.2", "efficient-apriori==2.0.3", "github3.py"];
/// How long mining may take.
const PATIENCE: Duration = Duration::from_secs(1800);
/// The file that says that mining is done.
const READY: &str = "mined";
/// Mines formulas by the functions that its `--update` calls after it has collected them.
const MINE: &str = r#"
import os, sys
sys.path.insert(0, os.getcwd())
from src.building_blocks import export_buggy_seed
from src.skeleton import export_skeleton
from src.association import export_association_rules
export_buggy_seed("formulas", "seeds")
export_skeleton("formulas", "skeletons/skeleton.smt2")
export_association_rules("formulas", "config/rules.txt", 10, 0.5)
"#;

/// HistFuzz.
pub struct HistFuzz;

impl Peer for HistFuzz {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "HistFuzz of ICSE 2023, from a clone of CGCL-codes/HistFuzz (--clone histfuzz=FOLDER)"
    }

    fn home(&self, plan: &Plan, release: &str) -> Result<PathBuf, BenchError> {
        let clone = plan.clones.get(NAME).filter(|folder| folder.join("bin/histfuzz").is_file());
        let clone = clone.ok_or_else(|| {
            let message = "histfuzz runs from a clone of its repository, and none is named";
            BenchError::choice(message, "as in --clone histfuzz=../HistFuzz")
        })?;
        let home = plan.out.join("peers").join(format!("{NAME}-{release}"));
        if home.join(READY).is_file() {
            return Ok(home);
        }
        let packages = installed(plan, NAME, PACKAGES)?;
        let _ = fs::remove_dir_all(&home);
        copy_history(plan, release, NAME, &home.join("formulas"))?;
        write(&home.join("mine.py"), MINE)?;
        let quoted = |path: &Path| shell_quoted(&path.display().to_string());
        let line = format!(
            "cd {} && for part in bin src config skeletons; do cp -r {}/$part . || exit; done && PYTHONPATH={} python3 mine.py",
            quoted(&home),
            quoted(&std::path::absolute(clone).unwrap_or_else(|_| clone.clone())),
            quoted(&packages)
        );
        let limits = Limits { wall: PATIENCE, memory: crate::own::MEMORY, ..Limits::default() };
        let ended = UserCommand::plain(&line).run(&limits, &RunSettings::default())?;
        if ended.exit != Exit::Code(0) {
            let reason = format!("it cannot mine the history: {}", case::text::one_line(&ended.stderr, 300));
            return Err(BenchError::Tool { contender: NAME.to_owned(), reason, folder: home });
        }
        write(&home.join(READY), "")?;
        Ok(home)
    }

    fn version(&self, _: &Path) -> String {
        "HistFuzz (a clone)".to_owned()
    }

    fn command(&self, task: &PeerTask<'_>) -> Result<String, BenchError> {
        let packages = task.home.with_file_name(NAME);
        let quoted = |path: &Path| shell_quoted(&path.display().to_string());
        let name = |name: &str| if name == "cvc4" { "cvc5".to_owned() } else { name.to_owned() };
        // It has a limit of ten seconds of its own, adds its own options, and pins itself to a core.
        let core = task.core.unwrap_or(0);
        Ok(format!(
            "cp -r {home}/bin {home}/src {home}/config {home}/skeletons {home}/seeds . && mkdir -p temp && \
             while :; do PYTHONPATH={} python3 bin/histfuzz --core={core} --solver1={} --solver2={} --solverbin1={} --solverbin2={}; done",
            quoted(&packages),
            name(&task.release.name),
            name(&task.other.name),
            task.limited(&task.release)?,
            task.limited(&task.other)?,
            home = quoted(task.home),
        ))
    }

    fn reported(&self, work: &Path, start: SystemTime) -> Vec<Reported> {
        let kinds = fs::read_dir(work.join("temp")).into_iter().flatten().flatten();
        // `scripts` has what it runs at the moment.
        let kinds =
            kinds.map(|entry| entry.path()).filter(|path| path.is_dir() && !path.ends_with("scripts"));
        kinds.flat_map(|kind| scripts_of(&kind, start)).collect()
    }

    fn counts(&self, printed: &str) -> Counts {
        counts(printed)
    }
}

/// Reads the last line such as `120 test instances solved  |  1 bug found`. Each instance is run on two solvers. It does not count answers.
fn counts(printed: &str) -> Counts {
    let mut numbers = printed
        .lines()
        .filter_map(|line| line.split_once(" test instances solved")?.0.trim().parse::<u64>().ok());
    Counts { calls: 2 * numbers.next_back().unwrap_or(0), answered: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_count_twice() {
        let text = "10 test instances solved  |  0 bug found\nCreating a bug folder at: x\n25 test instances solved  |  2 bugs found\n";
        assert_eq!(counts(text), Counts { calls: 50, answered: None });
        assert_eq!(counts(""), Counts::default());
    }
}
