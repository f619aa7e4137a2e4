//! Worker processes that are started again whenever they are killed.

use crate::ground::Ground;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::path::PathBuf;
use std::process::{Child, Stdio};

/// The processes.
pub struct Fleet<'a> {
    ground: &'a Ground,
    store: String,
    campaign: String,
    arguments: Vec<String>,
    workers: Vec<Option<Child>>,
}

impl<'a> Fleet<'a> {
    pub fn start(
        ground: &'a Ground,
        store: &str,
        campaign: &str,
        arguments: &[String],
        count: usize,
    ) -> Fleet<'a> {
        let mut fleet = Fleet {
            ground,
            store: store.to_owned(),
            campaign: campaign.to_owned(),
            arguments: arguments.to_vec(),
            workers: (0..count).map(|_| None).collect(),
        };
        (0..count).for_each(|number| fleet.launch(number));
        fleet
    }

    /// Where a worker prints.
    fn output(&self, number: usize, kind: &str) -> PathBuf {
        self.ground.at(&format!("{}-{number}.{kind}", self.campaign))
    }

    fn launch(&mut self, number: usize) {
        let open = |path| OpenOptions::new().create(true).append(true).open(path).unwrap();
        let out = format!("{}-{number}", self.campaign);
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let more = ["--jobs", "1", "--out", &out];
        let mut command = self.ground.fuzz(&self.store, &self.campaign, &[&arguments[..], &more].concat());
        command.stdout(Stdio::from(open(self.output(number, "out"))));
        command.stderr(Stdio::from(open(self.output(number, "err"))));
        self.workers[number] = Some(command.spawn().unwrap());
    }

    /// Kills a worker, or the next one that runs, and starts it again. Returns whether one ran.
    pub fn kill(&mut self, number: usize) -> bool {
        let count = self.workers.len();
        let running = (0..count).map(|at| (number + at) % count).find(|&at| self.workers[at].is_some());
        let Some(number) = running else { return false };
        if let Some(worker) = &mut self.workers[number] {
            worker.kill().unwrap();
            worker.wait().unwrap();
        }
        self.launch(number);
        true
    }

    /// Looks at the workers. One that could not reach the store at its start tries again. Returns whether all are done.
    pub fn are_done(&mut self) -> bool {
        for number in 0..self.workers.len() {
            let Some(worker) = &mut self.workers[number] else { continue };
            match worker.try_wait().unwrap().map(|status| status.code()) {
                None => {}
                Some(Some(0 | 1)) => self.workers[number] = None,
                Some(Some(2)) if self.errors(number).ends_with("connected\n") => self.launch(number),
                Some(code) => panic!("worker {number} ends with {code:?}: {}", self.errors(number)),
            }
        }
        self.workers.iter().all(Option::is_none)
    }

    pub fn errors(&self, number: usize) -> String {
        fs::read_to_string(self.output(number, "err")).unwrap_or_default()
    }

    /// Everything that the workers printed, killed ones included. The last line of a killed one may be cut.
    pub fn events(&self) -> Vec<Value> {
        let texts =
            (0..self.workers.len()).map(|number| fs::read_to_string(self.output(number, "out")).unwrap());
        let lines = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
        lines.filter_map(|line| serde_json::from_str(&line).ok()).collect()
    }

    /// The signatures of all findings that workers displayed.
    pub fn displayed(&self) -> BTreeSet<String> {
        let found = self.events().into_iter().filter(|event| event["event"] == "found");
        found.map(|event| event["finding"]["signature"].as_str().unwrap().to_owned()).collect()
    }
}

impl Drop for Fleet<'_> {
    fn drop(&mut self) {
        for worker in self.workers.iter_mut().flatten() {
            let _ = worker.kill();
            let _ = worker.wait();
        }
    }
}
