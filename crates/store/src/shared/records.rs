//! What several machines say to their common store, and what it answers.

use crate::workflow::StatusChange;
use case::{Class, Origin, Severity};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The number of a campaign in a common store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CampaignId(pub i64);

/// The number of a process that takes part in a campaign. A process that starts again gets another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MemberId(pub i64);

/// A campaign that does not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCampaign {
    /// Its name.
    pub name: String,
    /// The number that all random choices follow from.
    pub seed: u64,
    /// Its settings, as JSON that the campaign crate defines. They never change.
    pub settings: String,
    /// What every process has to agree on, such as versions and signature files, as JSON that the campaign crate defines.
    pub requirements: String,
    /// Its strategies.
    pub strategies: Vec<StrategyEntry>,
    /// Its seeds, in the order of their numbers.
    pub seeds: Vec<SharedSeed>,
}

/// A strategy of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StrategyEntry {
    /// Its name.
    pub name: String,
    /// How many turns it has in this campaign; `None` for as many as there is time for.
    pub turns: Option<u64>,
}

/// A seed script. Its content identifies it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedSeed {
    /// The hash of its text, in hexadecimal.
    pub hash: String,
    /// Its name for people.
    pub name: String,
    /// What the campaign knows about it besides its text, as JSON that the campaign crate defines.
    pub facts: String,
    /// The script.
    pub text: String,
}

/// A campaign in a common store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SharedCampaign {
    /// Its number.
    pub id: CampaignId,
    /// Its name.
    pub name: String,
    /// The number that all random choices follow from.
    pub seed: u64,
    /// Its settings.
    pub settings: String,
    /// What every process has to agree on.
    pub requirements: String,
    /// Its strategies.
    pub strategies: Vec<StrategyEntry>,
    /// When it was started, in milliseconds since 1970 by the clock of the store.
    pub started: u64,
    /// Whether all of its work is done.
    pub finished: bool,
}

/// A process that takes part in a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The name of its machine.
    pub machine: String,
    /// The number of the process on that machine.
    pub process: u32,
    /// How many workers it has.
    pub workers: u32,
    /// The version of the program.
    pub version: String,
    /// What kinds of work it takes.
    pub work: Vec<WorkKind>,
}

/// A process that takes or took part in a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberEntry {
    /// Its number.
    pub id: MemberId,
    /// The process.
    #[serde(flatten)]
    pub member: Member,
    /// When it joined, in milliseconds since 1970 by the clock of the store.
    pub joined: u64,
    /// When the store last heard of it.
    pub seen: u64,
    /// Whether it said that it leaves.
    pub left: bool,
    /// Its statistics since it joined, as JSON that the campaign crate defines; empty if it sent none.
    pub statistics: String,
}

impl MemberEntry {
    /// The processes behind entries. One that fuzzes and does jobs has entered twice, and is one here.
    pub fn processes(entries: Vec<MemberEntry>) -> Vec<MemberEntry> {
        let mut processes: Vec<MemberEntry> = Vec::new();
        for entry in entries {
            let fuzzes = |work: &[WorkKind]| work.contains(&WorkKind::Fuzz);
            let is_same = |earlier: &&mut MemberEntry| {
                let (one, other) = (&earlier.member, &entry.member);
                one.machine == other.machine
                    && one.process == other.process
                    && fuzzes(&one.work)
                    && !fuzzes(&other.work)
            };
            // The latest one: a number of a process may come up again, as in containers.
            match processes.iter_mut().rev().find(is_same) {
                Some(earlier) => {
                    earlier.seen = earlier.seen.max(entry.seen);
                    earlier.left &= entry.left;
                }
                None => processes.push(entry),
            }
        }
        processes
    }
}

/// A kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkKind {
    /// Making and running cases.
    Fuzz,
    /// Reducing a finding, and merging it with others that are the same bug.
    Reduce,
    /// Finding the releases that have a bug.
    Bisect,
    /// Writing the report of a finding.
    Report,
    /// Checking whether the findings still show with a release.
    Regress,
    /// Learning which options are relevant to which operators.
    Learn,
}

impl WorkKind {
    /// All kinds.
    pub const ALL: [WorkKind; 6] = [
        WorkKind::Fuzz,
        WorkKind::Reduce,
        WorkKind::Bisect,
        WorkKind::Report,
        WorkKind::Regress,
        WorkKind::Learn,
    ];

    /// The kinds that are jobs in the queue, the most urgent first.
    pub const JOBS: [WorkKind; 5] =
        [WorkKind::Reduce, WorkKind::Bisect, WorkKind::Report, WorkKind::Regress, WorkKind::Learn];

    /// Its name on the command line and in the store.
    pub fn name(self) -> &'static str {
        match self {
            WorkKind::Fuzz => "fuzz",
            WorkKind::Reduce => "reduce",
            WorkKind::Bisect => "bisect",
            WorkKind::Report => "report",
            WorkKind::Regress => "regress",
            WorkKind::Learn => "learn",
        }
    }
}

impl fmt::Display for WorkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for WorkKind {
    type Err = String;

    fn from_str(name: &str) -> Result<WorkKind, String> {
        WorkKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            let names = WorkKind::ALL.map(WorkKind::name).join(", ");
            format!("`{name}` is not a kind of work; the kinds are {names}")
        })
    }
}

/// Successive turns of one strategy, granted to one process for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Block {
    /// The strategy, by its place in the campaign.
    pub strategy: usize,
    /// Its first turn that is not done.
    pub first: u64,
    /// The turn after its last one.
    pub end: u64,
    /// The number of the grant. The store accepts progress of a block only with its latest grant.
    pub grant: u64,
}

/// How far a process is with a block that it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockProgress {
    /// The block, as it was granted.
    pub block: Block,
    /// The first turn of the block that is not done.
    pub done: u64,
    /// How many cases the turns before that made, counted since the grant.
    pub cases: u64,
    /// The sum of the hashes of these cases, which identifies the set of them.
    pub digest: u64,
}

/// A request for a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    /// The strategy, by its place in the campaign.
    pub strategy: usize,
    /// How many turns.
    pub turns: u64,
}

/// A file of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingFile {
    /// Its path, relative to the folder of the finding.
    pub path: String,
    /// Its content.
    pub content: Vec<u8>,
}

/// What describes a finding in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingSummary {
    /// Its kind.
    pub class: Class,
    /// One line for people.
    pub title: String,
    /// Whether it counts as a bug.
    pub bug: bool,
    /// Whether it does not show with default options.
    pub needs_options: bool,
    /// The solvers that were asked, as JSON in the form that the folder of a campaign keeps.
    pub solvers: String,
    /// The size of the reduced script, once there is one.
    pub reduced_bytes: Option<u64>,
}

/// A finding that a process made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewFinding {
    /// What makes two findings the same.
    pub signature: String,
    /// Its description.
    pub summary: FindingSummary,
    /// The case that showed it first on that process.
    pub origin: Origin,
    /// How long ago that was.
    pub age: Duration,
    /// The files of its folder.
    pub files: Vec<FindingFile>,
}

/// One more case of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Occurrence {
    /// The signature of the finding.
    pub signature: String,
    /// The case.
    pub origin: Origin,
}

/// What a process tells the store every few seconds. The store takes in all of it or nothing, and taking it in twice changes
/// nothing: the answer may be lost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outgoing {
    /// All blocks that the process holds. A block that it does not list is free for others at once; a block whose turns are all
    /// done is never granted again.
    pub progress: Vec<BlockProgress>,
    /// New findings.
    pub findings: Vec<NewFinding>,
    /// More cases of findings. The finding is among those above, or the store has it.
    pub occurrences: Vec<Occurrence>,
    /// The statistics of the process since it joined, as JSON; empty for no change.
    pub statistics: String,
    /// The blocks that it would like to have.
    pub wishes: Vec<Wish>,
    /// Whether it leaves the campaign.
    pub leaves: bool,
}

/// What the store answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Incoming {
    /// The clock of the store, in milliseconds since 1970.
    pub now: u64,
    /// The blocks that the process got. Blocks that others have abandoned come first.
    pub granted: Vec<Block>,
    /// Blocks that the process lists and does not hold any more: another one has them, or they are done.
    pub lost: Vec<Block>,
    /// Strategies that have no turn left to grant now. If nobody holds a block of them either, all their turns are done.
    pub exhausted: Vec<usize>,
    /// Signatures of occurrences whose finding the store does not have: send the finding.
    pub unknown: Vec<String>,
    /// Whether all work of the campaign is done.
    pub finished: bool,
    /// The latest change of a finding.
    pub revision: u64,
}

/// A finding in a common store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedFinding {
    /// Its name, which is also the name of its folder.
    pub id: String,
    /// What makes two findings the same.
    pub signature: String,
    /// Its description.
    pub summary: FindingSummary,
    /// How many cases showed it.
    pub count: u64,
    /// When it was first seen, in milliseconds since 1970 by the clock of the store.
    pub first_seen: u64,
    /// When it was last seen.
    pub last_seen: u64,
    /// The finding that turned out to be the same bug, if any.
    pub merged_into: Option<String>,
    /// What people have decided about it.
    pub status: StatusChange,
    /// The number of its latest change.
    pub revision: u64,
    /// The number of the latest change of its files.
    pub files_revision: u64,
}

/// A change of a finding. What is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindingUpdate {
    /// Its name.
    pub id: String,
    /// Its new description.
    pub summary: Option<FindingSummary>,
    /// The finding that it turned out to be: `Some(None)` for none.
    pub merged_into: Option<Option<String>>,
    /// What people have decided about it. The change is added to its history.
    pub status: Option<StatusChange>,
    /// All files of its folder.
    pub files: Option<Vec<FindingFile>>,
}

/// A job that does not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJob {
    /// The kind of work.
    pub kind: WorkKind,
    /// What it is about: the name of a finding, or a solver. There is at most one unfinished job of a kind and subject.
    pub subject: String,
    /// More about it, as JSON that the program defines.
    pub detail: String,
    /// Jobs with a smaller number go first among those of their kind.
    pub priority: i32,
}

impl NewJob {
    /// The job to reduce a finding, which every new bug gets. The most severe go first.
    pub(crate) fn reduction(finding: &str, summary: &FindingSummary) -> NewJob {
        NewJob {
            kind: WorkKind::Reduce,
            subject: finding.to_owned(),
            detail: "{}".to_owned(),
            priority: Severity::of(summary.class, summary.needs_options) as i32,
        }
    }
}

/// A job that a process holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its number in the queue.
    pub id: i64,
    /// The kind of work.
    pub kind: WorkKind,
    /// What it is about.
    pub subject: String,
    /// More about it.
    pub detail: String,
    /// How often it was begun, this time included.
    pub attempt: u32,
}

/// A job that is not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JobEntry {
    /// Its number in the queue.
    pub id: i64,
    /// The kind of work.
    pub kind: WorkKind,
    /// What it is about.
    pub subject: String,
    /// More about it.
    pub detail: String,
    /// Jobs with a smaller number go first among those of their kind.
    pub priority: i32,
    /// How often it was begun.
    pub attempts: u32,
    /// What becomes of it.
    pub state: JobState,
    /// Why the latest attempt failed; empty if none did.
    pub failure: String,
}

/// What becomes of a job that is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobState {
    /// It waits for a process, perhaps after a pause.
    Waiting,
    /// A process holds it.
    Running,
    /// It failed too often.
    GivenUp,
}

/// A document of a campaign: the known list, the coverage of a solver, learned correlations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// What it is, such as `coverage`.
    pub kind: String,
    /// Its name among those of its kind.
    pub name: String,
    /// How often it was written.
    pub revision: u64,
    /// Its content.
    pub body: Vec<u8>,
}

/// The statistics of a process at some time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberSample {
    /// The process.
    pub member: MemberId,
    /// When, in milliseconds since 1970 by the clock of the store.
    pub at: u64,
    /// Its statistics since it joined, as JSON.
    pub statistics: String,
}

/// The progress of a campaign, from the blocks of all processes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// How many cases were made in turns that are done. A case is counted once, however often a turn was begun.
    pub cases: u64,
    /// The sum of the hashes of these cases.
    pub digest: u64,
    /// For each strategy, how many turns are done.
    pub turns: Vec<u64>,
    /// How many blocks processes hold.
    pub held: u64,
    /// How many findings there are, those that were merged included.
    pub findings: u64,
    /// How many jobs of each kind wait, run, or were given up after too many attempts.
    pub jobs: Vec<JobCount>,
}

/// How many jobs of a kind there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobCount {
    /// The kind.
    pub kind: WorkKind,
    /// Jobs that nobody holds.
    pub waiting: u64,
    /// Jobs that a process holds.
    pub running: u64,
    /// Jobs that failed too often.
    pub failed: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_fuzzes_and_does_jobs_is_one() {
        use WorkKind::{Fuzz, Reduce};
        let entry = |id, machine: &str, process, work: &[WorkKind], seen, left| MemberEntry {
            id: MemberId(id),
            member: Member {
                machine: machine.to_owned(),
                process,
                workers: 1,
                version: String::new(),
                work: work.to_vec(),
            },
            joined: 0,
            seen,
            left,
            statistics: String::new(),
        };
        let entries = vec![
            entry(1, "a", 1, &[Fuzz, Reduce], 10, true),
            entry(2, "a", 1, &[Reduce], 11, true),
            entry(3, "a", 1, &[Fuzz, Reduce], 20, true),
            entry(4, "a", 1, &[Reduce], 21, false),
            entry(5, "b", 1, &[Reduce], 22, false),
        ];
        let processes = MemberEntry::processes(entries);
        let shown: Vec<(i64, u64, bool)> =
            processes.iter().map(|entry| (entry.id.0, entry.seen, entry.left)).collect();
        assert_eq!(shown, [(1, 11, true), (3, 21, false), (5, 22, false)]);
    }
}
