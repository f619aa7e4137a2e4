//! TypeFuzz, OpFuzz and semantic fusion as yinyang has them, a package on PyPI.

use super::{Counts, Peer, PeerTask, installed, scripts_of};
use crate::error::BenchError;
use crate::judge::Reported;
use crate::plan::Plan;
use crate::seeds::{Status, status};
use case::text::shell_quoted;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The release that is installed.
const PACKAGE: &str = "yinyang==0.3.0";
/// How many mutants it makes of a seed. With the 300 of its default, ten minutes would see a few dozen seeds.
const MUTANTS: u32 = 30;
/// How many seeds a process gets. A seed that it cannot type ends the process; each start takes a quarter of a second.
const BATCH: usize = 8;

/// One of the programs of yinyang.
pub struct Yinyang {
    name: &'static str,
    about: &'static str,
    program: &'static str,
}

impl Yinyang {
    pub const TYPEFUZZ: Yinyang = Yinyang {
        name: "yinyang-typefuzz",
        about: "TypeFuzz of yinyang 0.3.0, from PyPI",
        program: "typefuzz",
    };
    pub const OPFUZZ: Yinyang =
        Yinyang { name: "yinyang-opfuzz", about: "OpFuzz of yinyang 0.3.0, from PyPI", program: "opfuzz" };
    pub const FUSION: Yinyang = Yinyang {
        name: "yinyang-fusion",
        about: "semantic fusion of yinyang 0.3.0, from PyPI",
        program: "yinyang",
    };
}

impl Peer for Yinyang {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn home(&self, plan: &Plan, _: &str) -> Result<PathBuf, BenchError> {
        installed(plan, "yinyang", &[PACKAGE])
    }

    fn version(&self, _: &Path) -> String {
        PACKAGE.to_owned()
    }

    fn command(&self, task: &PeerTask<'_>) -> Result<String, BenchError> {
        let solvers = format!("{};{}", task.solver(&task.release)?, task.solver(&task.other)?);
        let list = |name: &str, seeds: &[PathBuf]| {
            let lines: Vec<String> = seeds.iter().map(|seed| seed.display().to_string()).collect();
            case::files::write(&task.work.join(name), &(lines.join("\n") + "\n"))
        };
        let home = shell_quoted(&task.home.display().to_string());
        let run = |name: &str, oracle: &str| {
            format!(
                "xargs -d '\\n' -a {name} -n {BATCH} env PYTHONPATH={home} {home}/bin/{} {oracle}-i {MUTANTS} -t {} -b bugs -s scratch {}",
                self.program,
                task.timeout_seconds(),
                shell_quoted(&solvers)
            )
        };
        if self.program != "yinyang" {
            list("seeds", &task.seeds)?;
            return Ok(format!("while :; do {}; done", run("seeds", "")));
        }
        // It fuses seeds of one status, which it must be told. The two take turns, a batch each.
        let mut commands = Vec::new();
        for known in [Status::Sat, Status::Unsat] {
            let seeds: Vec<PathBuf> =
                task.seeds.iter().filter(|seed| status(seed) == Some(known)).cloned().collect();
            for (number, some) in seeds.chunks(BATCH * 8).enumerate() {
                let name = format!("{}-{number}", known.word());
                list(&name, some)?;
                commands.push((number, run(&name, &format!("-o {} ", known.word()))));
            }
        }
        if commands.is_empty() {
            let hint = "put them into folders named sat and unsat, or declare (set-info :status sat)";
            return Err(BenchError::choice("no seed has a known status", hint));
        }
        commands.sort_by_key(|(number, _)| *number);
        let commands: Vec<String> = commands.into_iter().map(|(_, command)| command).collect();
        Ok(format!("while :; do {}; done", commands.join("; ")))
    }

    fn reported(&self, work: &Path, start: SystemTime) -> Vec<Reported> {
        scripts_of(&work.join("bugs"), start)
    }

    fn counts(&self, printed: &str) -> Counts {
        counts(printed)
    }
}

/// Adds up the last line of statistics of each process, such as `Performed 108 solver calls (107.5 calls/s, eff: 98.1%, …)`.
fn counts(printed: &str) -> Counts {
    let (mut total, mut last) = (Counts::default(), Counts::default());
    // On a terminal the next line replaces the last one.
    for line in printed.split(['\n', '\r']) {
        if line.contains("Strategy: ") {
            total = sum(total, std::mem::take(&mut last));
        } else if let Some(read) = statistics(line) {
            last = read;
        }
    }
    sum(total, last)
}

fn sum(one: Counts, other: Counts) -> Counts {
    Counts {
        calls: one.calls + other.calls,
        answered: Some(one.answered.unwrap_or(0) + other.answered.unwrap_or(0)),
    }
}

fn statistics(line: &str) -> Option<Counts> {
    let rest = line.split_once("Performed ")?.1;
    let calls: u64 = rest.split(' ').next()?.parse().ok()?;
    let effective: f64 = rest.split_once("eff: ")?.1.split('%').next()?.parse().ok()?;
    Some(Counts { calls, answered: Some((calls as f64 * effective / 100.0).round() as u64) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_several_processes_add_up() {
        let text = "[t] Strategy: typefuzz, 2 testing targets, 8 seeds
[t] Performed 108 solver calls (107.5 calls/s, eff: 100.0%, 53.8 mutants/s)
[t] Performed 150 solver calls (104.5 calls/s, eff: 50.0%, 52.2 mutants/s)\r[t] Performed 200 solver calls (104.5 calls/s, eff: 50.0%, 52.2 mutants/s)
Runtime error at Typechecker.py:167
[t] Strategy: typefuzz, 2 testing targets, 8 seeds
[t] Performed 10 solver calls (1.0 calls/s, eff: 90.0%, 0.5 mutants/s)
";
        assert_eq!(counts(text), Counts { calls: 210, answered: Some(109) });
        assert_eq!(counts("").calls, 0);
    }
}
