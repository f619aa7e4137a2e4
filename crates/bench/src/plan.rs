//! What a benchmark runs.

use crate::contender::Contender;
use crate::history::History;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Everything that the runs of a benchmark share.
#[derive(Clone)]
pub struct Plan {
    /// The releases to fuzz, such as `z3@4.8.10`.
    pub releases: Vec<String>,
    /// The solver beside each of them, by the name of the release's solver, such as `z3@5.4.0`.
    pub others: BTreeMap<String, String>,
    /// Who takes part.
    pub contenders: Vec<Contender>,
    /// The seed scripts.
    pub seeds: Vec<PathBuf>,
    /// How long each run takes.
    pub time: Duration,
    /// How often each run is repeated, with random numbers from `first` on.
    pub repeat: u64,
    /// The first random number.
    pub first: u64,
    /// The time limit of a solver.
    pub timeout: Duration,
    /// A folder with `index.tsv` and `bugs.tsv`: formulas that broke solvers, and which releases they break.
    pub bugs: Option<PathBuf>,
    /// The history of each release.
    pub histories: BTreeMap<String, History>,
    /// The folders of tools that the user has cloned, by peer.
    pub clones: BTreeMap<String, PathBuf>,
    /// The folder of the benchmark.
    pub out: PathBuf,
    /// The running program.
    pub program: PathBuf,
    /// Whether the files of runs stay.
    pub keep: bool,
}

/// A run to do.
#[derive(Clone)]
pub struct Task {
    /// Who runs.
    pub contender: Contender,
    /// The release.
    pub release: String,
    /// The random number.
    pub seed: u64,
}

impl Plan {
    /// All runs: contenders take turns, so that what happens to the machine meanwhile affects all of them.
    pub fn tasks(&self) -> Vec<Task> {
        let mut tasks = Vec::new();
        for seed in self.first..self.first + self.repeat {
            for release in &self.releases {
                for contender in &self.contenders {
                    tasks.push(Task { contender: contender.clone(), release: release.clone(), seed });
                }
            }
        }
        tasks
    }

    /// The solver beside a release.
    pub fn other(&self, release: &str) -> &str {
        let name = release.split('@').next().unwrap_or(release);
        self.others.get(name).map_or("z3@latest", String::as_str)
    }

    /// The record of a run.
    pub fn record_file(&self, task: &Task) -> PathBuf {
        let minutes = self.time.as_secs_f64() / 60.0;
        let name = format!("{}-{minutes}m-{}.json", task.contender.file_name(), task.seed);
        self.out.join("runs").join(&task.release).join(name)
    }

    /// The folder for the files of a run.
    pub fn work_folder(&self, release: &str, contender: &str, seed: u64) -> PathBuf {
        self.out.join("scratch").join(format!("{release}-{contender}-{seed}"))
    }

    /// The file with the listed bugs of a release.
    pub fn listed_file(&self, release: &str) -> PathBuf {
        self.out.join("listed").join(format!("{release}.json"))
    }

    /// A command with names in place of the paths of this machine: those given, and those that all runs share.
    pub fn without_places<'a>(
        &'a self,
        command: &str,
        places: impl IntoIterator<Item = (&'a Path, &'a str)>,
    ) -> String {
        let seeds = self.seeds.iter().map(|seed| (seed.as_path(), "SEEDS"));
        let all = seeds.chain([(self.program.as_path(), "elenchus"), (self.out.as_path(), "OUT")]);
        let mut all: Vec<(String, &str)> =
            all.chain(places).map(|(path, name)| (path.display().to_string(), name)).collect();
        // A path may lie in another one.
        all.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        let all = all.iter().filter(|(path, _)| !path.is_empty());
        all.fold(command.to_owned(), |text, (path, name)| text.replace(path, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan {
            releases: vec!["z3@4.8.7".to_owned(), "cvc5@1.0.3".to_owned()],
            others: BTreeMap::from([("z3".to_owned(), "z3@5.4.0".to_owned())]),
            contenders: vec![Contender::portfolio(), Contender::strategy("swap")],
            seeds: Vec::new(),
            time: Duration::from_secs(90),
            repeat: 2,
            first: 5,
            timeout: Duration::from_secs(2),
            bugs: None,
            histories: BTreeMap::new(),
            clones: BTreeMap::new(),
            out: PathBuf::from("out"),
            program: PathBuf::new(),
            keep: false,
        }
    }

    #[test]
    fn contenders_take_turns_and_each_run_has_its_record() {
        let plan = plan();
        let tasks = plan.tasks();
        let named: Vec<String> = tasks
            .iter()
            .map(|task| format!("{} {} {}", task.seed, task.release, task.contender.name))
            .collect();
        assert_eq!(
            (named.len(), named[0].as_str(), named[1].as_str()),
            (8, "5 z3@4.8.7 elenchus", "5 z3@4.8.7 swap")
        );
        assert_eq!(plan.record_file(&tasks[1]), PathBuf::from("out/runs/z3@4.8.7/swap-1.5m-5.json"));
        assert_eq!(plan.other("z3@4.8.7"), "z3@5.4.0");
    }

    #[test]
    fn commands_name_no_places_of_the_machine() {
        let mut plan = plan();
        plan.out = PathBuf::from("/a/b");
        plan.program = PathBuf::from("/a/elenchus");
        plan.seeds = vec![PathBuf::from("/a/seeds")];
        let text = "/a/elenchus fuzz /a/seeds --out /a/b/scratch/x -- /s/z3";
        let shown = plan.without_places(text, [(Path::new("/s/z3"), "z3@4.8.7")]);
        assert_eq!(shown, "elenchus fuzz SEEDS --out OUT/scratch/x -- z3@4.8.7");
    }
}
