//! The runs of a benchmark together: which bugs there are, and who found them when.

use crate::error::BenchError;
use crate::listed::read_listed;
use crate::rank_test::{RankTest, median};
use crate::record::{BugRecord, RunRecord};
use case::files::FileError;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use triage::automatic::group_alike;

/// A bug of a release, with everybody who found it.
#[derive(Clone, Debug, PartialEq)]
pub struct DistinctBug {
    /// The record of the most severe finding of it.
    pub record: BugRecord,
    /// Whether it is one of the listed bugs.
    pub listed: bool,
    /// For each contender, the random number and the seconds of the runs that found it.
    pub found: BTreeMap<String, Vec<(u64, f64)>>,
}

/// The runs on one release.
#[derive(Clone, Debug, PartialEq)]
pub struct ReleaseResults {
    /// The release.
    pub release: String,
    /// The runs of each contender.
    pub runs: BTreeMap<String, Vec<RunRecord>>,
    /// The bugs that they found, the most severe first.
    pub bugs: Vec<DistinctBug>,
    /// How many distinct bugs are listed; `None` if no list was used.
    pub listed: Option<usize>,
}

/// All runs of a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// By release.
    pub releases: Vec<ReleaseResults>,
}

impl Results {
    /// Reads the records in the folder of a benchmark.
    pub fn read(folder: &Path) -> Result<Results, BenchError> {
        let mut of_release: BTreeMap<String, Vec<RunRecord>> = BTreeMap::new();
        for file in files(&folder.join("runs"))? {
            let record = RunRecord::read(&file)?;
            of_release.entry(record.release.clone()).or_default().push(record);
        }
        if of_release.is_empty() {
            let message = format!("{} has no results", folder.display());
            return Err(BenchError::choice(message, "`elenchus bench bugs` makes some"));
        }
        let mut releases = Vec::new();
        for (release, records) in of_release {
            let listed = folder.join("listed").join(format!("{release}.json"));
            let listed = if listed.is_file() { Some(read_listed(&listed)?) } else { None };
            releases.push(ReleaseResults::new(release, records, listed));
        }
        Ok(Results { releases })
    }

    /// The names of all contenders: Elenchus first, then its strategies and variants, then other tools.
    pub fn contenders(&self) -> Vec<String> {
        let mut names: Vec<(bool, bool, String)> = Vec::new();
        for runs in self.releases.iter().flat_map(|release| &release.runs) {
            let is_peer = runs.1.iter().any(|run| run.peer);
            names.push((is_peer, runs.0 != crate::contender::PORTFOLIO, runs.0.clone()));
        }
        names.sort();
        names.dedup();
        names.into_iter().map(|(_, _, name)| name).collect()
    }

    /// The contenders that are other tools.
    pub fn peers(&self) -> BTreeSet<String> {
        let runs = self.releases.iter().flat_map(|release| release.runs.values().flatten());
        runs.filter(|run| run.peer).map(|run| run.contender.clone()).collect()
    }
}

/// The files below a folder, in order.
fn files(folder: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.map_err(|error| FileError::unreadable(&folder, error))?.path();
            match path.is_dir() {
                true => open.push(path),
                false if path.extension().is_some_and(|end| end == "json") => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

impl ReleaseResults {
    /// Groups the bugs of all runs, and of the list.
    fn new(release: String, records: Vec<RunRecord>, listed: Option<Vec<BugRecord>>) -> ReleaseResults {
        let from_list = listed.iter().flatten().map(|bug| (bug, None));
        let from_runs = records.iter().flat_map(|run| run.bugs.iter().map(move |bug| (bug, Some(run))));
        let mut all: Vec<(&BugRecord, Option<&RunRecord>)> = from_list.chain(from_runs).collect();
        all.sort_by_key(|(bug, _)| (bug.severity(), bug.script.len(), bug.title.clone()));
        let groups = group_alike(all.iter().map(|(bug, _)| bug.identity.clone()).collect());
        let mut bugs: BTreeMap<usize, DistinctBug> = BTreeMap::new();
        for ((bug, run), group) in all.iter().zip(&groups) {
            let distinct = bugs.entry(*group).or_insert_with(|| DistinctBug {
                record: all[*group].0.clone(),
                listed: false,
                found: BTreeMap::new(),
            });
            let Some(run) = run else {
                distinct.listed = true;
                continue;
            };
            let times = distinct.found.entry(run.contender.clone()).or_default();
            match times.iter_mut().find(|(seed, _)| *seed == run.seed) {
                Some((_, first)) => *first = first.min(bug.after),
                None => times.push((run.seed, bug.after)),
            }
        }
        let listed = listed.map(|_| bugs.values().filter(|bug| bug.listed).count());
        bugs.retain(|_, bug| !bug.found.is_empty());
        let mut runs: BTreeMap<String, Vec<RunRecord>> = BTreeMap::new();
        for record in records {
            runs.entry(record.contender.clone()).or_default().push(record);
        }
        ReleaseResults { release, runs, bugs: bugs.into_values().collect(), listed }
    }

    /// The indices of the bugs that a contender found in any run.
    pub fn found_by(&self, contender: &str) -> BTreeSet<usize> {
        (0..self.bugs.len()).filter(|&bug| self.bugs[bug].found.contains_key(contender)).collect()
    }

    /// How many bugs each run of a contender found, in the order of the runs.
    pub fn per_run(&self, contender: &str) -> Vec<f64> {
        let runs = self.runs.get(contender).into_iter().flatten();
        runs.map(|run| self.times(contender, run.seed).len() as f64).collect()
    }

    /// When a run found each of its bugs, in order.
    pub fn times(&self, contender: &str, seed: u64) -> Vec<f64> {
        let of_bug = |bug: &DistinctBug| {
            let times = bug.found.get(contender)?;
            times.iter().find(|(number, _)| *number == seed).map(|(_, after)| *after)
        };
        let mut times: Vec<f64> = self.bugs.iter().filter_map(of_bug).collect();
        times.sort_by(f64::total_cmp);
        times
    }

    /// The median time to a bug over the runs of a contender; a run without it took for ever, which is `None`.
    pub fn time_to(&self, contender: &str, bug: &DistinctBug) -> Option<f64> {
        let runs = self.runs.get(contender)?;
        let found = bug.found.get(contender).map(Vec::as_slice).unwrap_or_default();
        let after = |run: &RunRecord| {
            found.iter().find(|(seed, _)| *seed == run.seed).map_or(f64::INFINITY, |(_, after)| *after)
        };
        median(&runs.iter().map(after).collect::<Vec<f64>>()).filter(|time| time.is_finite())
    }

    /// Compares how many bugs the runs of two contenders found.
    pub fn compare(&self, one: &str, other: &str) -> Option<RankTest> {
        RankTest::of(&self.per_run(one), &self.per_run(other))
    }

    /// The core-hours that the runs of a contender had: each had a core for all of its time.
    pub fn core_hours(&self, contender: &str) -> f64 {
        self.runs.get(contender).into_iter().flatten().map(|run| run.limit / 3600.0).sum()
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::environment::Environment;
    use crate::record::FORMAT;
    use case::{Class, Predicate};

    /// A wrong answer of an operator.
    pub fn bug(operator: &str, after: f64) -> BugRecord {
        let identity = serde_json::json!({ "solver": "z3", "failure": "answer", "operators": [operator] });
        BugRecord {
            after,
            class: Class::WrongUnsat,
            title: format!("Z3 4.8.7 answers unsat on a satisfiable script with {operator}"),
            identity: serde_json::from_value(identity).unwrap(),
            predicate: Predicate { clauses: Vec::new() },
            script: format!("(assert ({operator} a))\n(check-sat)\n"),
            needs_options: false,
            cases: 1,
        }
    }

    /// A run that found bugs.
    pub fn run(contender: &str, seed: u64, bugs: Vec<BugRecord>) -> RunRecord {
        RunRecord {
            format: FORMAT,
            contender: contender.to_owned(),
            peer: contender.starts_with("yinyang"),
            command: "elenchus fuzz".to_owned(),
            release: "z3@4.8.7".to_owned(),
            other: "z3@5.4.0".to_owned(),
            seed,
            limit: 600.0,
            wall: 601.0,
            calls: 1000,
            answered: Some(800),
            reported: 3,
            history: Some(10),
            bugs,
            environment: Environment::default(),
        }
    }

    /// Two contenders and a list.
    pub fn sample() -> ReleaseResults {
        let records = vec![
            run("elenchus", 1, vec![bug("bvxnor", 5.0), bug("fp.fma", 60.0)]),
            run("elenchus", 2, vec![bug("bvxnor", 7.0)]),
            run("yinyang-opfuzz", 1, vec![bug("str.replace", 100.0), bug("bvxnor", 90.0)]),
        ];
        ReleaseResults::new(
            "z3@4.8.7".to_owned(),
            records,
            Some(vec![bug("fp.fma", 0.0), bug("fp.rem", 0.0)]),
        )
    }

    #[test]
    fn bugs_of_all_runs_are_grouped_and_compared_with_the_list() {
        let results = sample();
        let named: Vec<(&str, bool, usize)> = results
            .bugs
            .iter()
            .map(|bug| (bug.record.title.rsplit(' ').next().unwrap(), bug.listed, bug.found.len()))
            .collect();
        assert_eq!(named, [("bvxnor", false, 2), ("fp.fma", true, 1), ("str.replace", false, 1)]);
        assert_eq!(results.listed, Some(2), "a listed bug that nobody found counts");
        assert_eq!(results.per_run("elenchus"), [2.0, 1.0]);
        assert_eq!(results.times("elenchus", 1), [5.0, 60.0]);
        let [both, fma, _] = &results.bugs[..] else { panic!() };
        assert_eq!(results.time_to("elenchus", both), Some(6.0));
        assert_eq!(results.time_to("elenchus", fma), None, "half of the runs did not find it");
        assert_eq!(results.found_by("yinyang-opfuzz").len(), 2);
        assert_eq!(results.core_hours("elenchus"), 1.0 / 3.0);
    }

    #[test]
    fn records_are_read_from_files() {
        let root = tempfile::tempdir().unwrap();
        assert!(Results::read(root.path()).is_err(), "nothing is there");
        let record = run("elenchus", 1, vec![bug("bvxnor", 5.0)]);
        let file = root.path().join("runs/z3@4.8.7/elenchus-10m-1.json");
        record.write(&file).unwrap();
        assert_eq!(RunRecord::read(&file).unwrap(), record);
        let results = Results::read(root.path()).unwrap();
        assert_eq!((results.releases.len(), results.contenders()), (1, vec!["elenchus".to_owned()]));
        std::fs::write(&file, "{}").unwrap();
        assert!(Results::read(root.path()).is_err());
    }
}
