//! STORM (Practical-Formal-Methods/storm), from a clone of its repository.
//!
//! It knows from Z3's Python package whether a seed is satisfiable, and keeps only scripts that a solver calls unsatisfiable. A seed that
//! the package cannot parse would end the process, so it gets only seeds that can be parsed, some dozens at a time.

use super::{Counts, Peer, PeerTask, installed, scripts_of};
use crate::error::BenchError;
use crate::judge::Reported;
use crate::plan::Plan;
use case::files::{FileError, write};
use case::text::shell_quoted;
use solver::run::{Exit, Limits, RunSettings, UserCommand};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Its name.
const NAME: &str = "storm";
/// What it needs besides Python.
const PACKAGES: &[&str] = &["termcolor==2.5.0", "z3-solver==4.13.0.0"];
/// How many mutants it makes of a seed. With the thousand of its default, ten minutes would see a few seeds; with much fewer, most of its
/// time would be the preparation of seeds.
const MUTANTS: u32 = 200;
/// The folder of its seeds. It takes the name for their logic, which its mutants declare.
const LOGIC: &str = "ALL";
/// Starts it with other constants, with the processes that it expects on every version of Python, and with some of the seeds.
const START: &str = r#"
import multiprocessing, random, sys
multiprocessing.set_start_method("fork")
import z3
import storm.__main__ as storm
from storm.parameters import parameters
number, mutants, timeout = (int(sys.argv.pop(1)) for _ in range(3))
parameters.update(number_of_mutants=mutants, solver_timeout=timeout, mutant_generation_timeout=60, mutant_running_timeout=120)

def is_parsable(path):
    # It parses each seed twice, which fails if a seed declares sorts.
    context = z3.Context()
    try:
        return all(len(z3.parse_smt2_file(path, ctx=context)) > 0 for _ in range(2))
    except z3.Z3Exception:
        return False

all_seeds = storm.get_all_smt_files_recursively
def some_seeds(folder):
    seeds = sorted(all_seeds(folder))
    return [seed for seed in random.Random(number).sample(seeds, min(50, len(seeds))) if is_parsable(seed)]
storm.get_all_smt_files_recursively = some_seeds
storm.main()
"#;
/// What its set-up would write: the folder that it works in.
const CONFIG: &str = "import os\nconfig = {\"home\": os.getcwd()}\n";

/// STORM.
pub struct Storm;

impl Peer for Storm {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "STORM of FSE 2020, from a clone of Practical-Formal-Methods/storm (--clone storm=FOLDER)"
    }

    fn home(&self, plan: &Plan, _: &str) -> Result<PathBuf, BenchError> {
        let clone = plan.clones.get(NAME).filter(|folder| folder.join("storm/__main__.py").is_file());
        let clone = clone.ok_or_else(|| {
            let message = "storm runs from a clone of its repository, and none is named";
            BenchError::choice(message, "as in --clone storm=../storm")
        })?;
        let home = installed(plan, NAME, PACKAGES)?;
        if !home.join("start.py").is_file() {
            copy_folder(&clone.join(NAME), &home)?;
            write(&home.join("storm/config.py"), CONFIG)?;
            write(&home.join("start.py"), START)?;
        }
        Ok(home)
    }

    fn version(&self, _: &Path) -> String {
        "STORM (a clone)".to_owned()
    }

    fn command(&self, task: &PeerTask<'_>) -> Result<String, BenchError> {
        task.link_seeds(&task.work.join("seeds").join(LOGIC))?;
        // The name decides how it asks for incremental mode, which is the same in cvc5 and its predecessor.
        let name = if task.release.name == "cvc5" { "cvc4" } else { &task.release.name };
        let home = shell_quoted(&task.home.display().to_string());
        Ok(format!(
            "seed=0; while :; do seed=$((seed + 1)); PYTHONPATH={home} TERM=dumb python3 -u {home}/start.py $seed {MUTANTS} {} \
             --benchmark=seeds --theory={LOGIC} --seed=$seed --solver={name} --solverbin={}; done",
            task.timeout_seconds(),
            shell_quoted(&task.solver(&task.release)?),
        ))
    }

    fn reported(&self, work: &Path, start: SystemTime) -> Vec<Reported> {
        // Beside each script it keeps the seed, under the name that it has here.
        let is_mutant = |reported: &Reported| {
            let name = reported.file.file_stem().unwrap_or_default().to_string_lossy();
            !name.bytes().all(|byte| byte.is_ascii_digit())
        };
        scripts_of(&work.join("temp/soundness"), start).into_iter().filter(is_mutant).collect()
    }

    fn counts(&self, printed: &str) -> Counts {
        counts(printed)
    }
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), BenchError> {
    let quoted = |path: &Path| shell_quoted(&path.display().to_string());
    let line = format!("cp -r {} {}", quoted(from), quoted(to));
    let ended = UserCommand::plain(&line).run(&Limits::default(), &RunSettings::default())?;
    if ended.exit != Exit::Code(0) {
        return Err(FileError::unwritable(to, case::text::one_line(&ended.stderr, 300)).into());
    }
    Ok(())
}

/// Counts the lines about its mutants, such as `[z3] [core: 0] [seed_file: 3] [7/30] [ALL] sat`.
fn counts(printed: &str) -> Counts {
    let runs = printed.lines().filter_map(|line| Some(line.split_once("[seed_file: ")?.1));
    let (mut calls, mut answered) = (0, 0);
    for run in runs {
        calls += 1;
        answered += u64::from(run.contains("sat"));
    }
    Counts { calls, answered: Some(answered) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_mutants_are_counted() {
        let text = "####### [0] seed: a.smt2: sat
[z3]\t[core: 0]\t[seed_file: 0]\t\t[1/3]\t\t[ALL]\tsat
[z3]\t[core: 0]\t[seed_file: 0]\t\t[2/3]\t\t[ALL]\t\u{1b}[1m\u{1b}[31munsat\u{1b}[0m
SOUNDNESS BUG
[z3]\t[core: 0]\t[seed_file: 0]\t\t[3/3]\t\t[ALL]\ttimeout
";
        assert_eq!(counts(text), Counts { calls: 3, answered: Some(2) });
        assert_eq!(counts("").calls, 0);
    }
}
