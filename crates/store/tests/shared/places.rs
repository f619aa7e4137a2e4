//! The stores that the tests run on, and what they put into them.

use case::{Class, Origin};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use store::shared::{
    BlockProgress, CampaignId, FindingFile, FindingSummary, Incoming, Member, MemberId, NewCampaign,
    NewFinding, Occurrence, Outgoing, SharedSeed, SharedStore, StrategyEntry, Wish, WorkKind, open,
};
use testing::Postgres;

/// A store that a test may open as often as it likes.
pub struct Place {
    url: String,
    _folder: Option<tempfile::TempDir>,
}

/// The server of all tests that run now, each of which has a campaign of its own.
fn server() -> Option<Arc<Postgres>> {
    static SERVER: Mutex<Weak<Postgres>> = Mutex::new(Weak::new());
    let mut kept = SERVER.lock().unwrap();
    if let Some(server) = kept.upgrade() {
        return Some(server);
    }
    let server = Arc::new(Postgres::start()?);
    *kept = Arc::downgrade(&server);
    Some(server)
}

/// Runs a test on both kinds of stores.
pub fn on_both(test: impl Fn(&Place)) {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("shared.db").display());
    test(&Place { url, _folder: Some(folder) });
    if let Some(server) = server() {
        test(&Place { url: server.url(), _folder: None });
    }
}

impl Place {
    pub fn open(&self, options: &str) -> Box<dyn SharedStore> {
        let separator = if self.url.contains('?') { '&' } else { '?' };
        open(&format!("{}{separator}{options}", self.url)).unwrap()
    }

    /// Runs statements of SQL that both kinds of databases know. Tables have the schema `elenchus`.
    pub fn execute(&self, sql: &str) {
        match self.url.strip_prefix("sqlite:") {
            Some(path) => {
                let file = rusqlite::Connection::open(path).unwrap();
                file.busy_timeout(Duration::from_secs(60)).unwrap();
                file.execute_batch(&sql.replace("elenchus.", "")).unwrap();
            }
            None => {
                let mut server = postgres::Client::connect(&self.url, postgres::NoTls).unwrap();
                server.batch_execute(sql).unwrap();
            }
        }
    }

    /// A process in a new campaign with strategies of so many turns.
    pub fn campaign(&self, turns: &[Option<u64>]) -> Process {
        self.campaign_with(turns, "block-lease=15min")
    }

    /// The same, with other times.
    pub fn campaign_with(&self, turns: &[Option<u64>], options: &str) -> Process {
        let mut store = self.open(options);
        let campaign = store.create(&new_campaign(&unique_name(), turns)).unwrap();
        Process::enter(store, campaign.id)
    }

    /// One more process in the campaign of another one.
    pub fn join(&self, other: &Process) -> Process {
        self.join_with(other, "block-lease=15min")
    }

    /// The same, with other times.
    pub fn join_with(&self, other: &Process, options: &str) -> Process {
        Process::enter(self.open(options), other.campaign)
    }
}

pub fn unique_name() -> String {
    static NUMBER: Mutex<u32> = Mutex::new(0);
    let mut number = NUMBER.lock().unwrap();
    *number += 1;
    format!("campaign {number}")
}

pub fn new_campaign(name: &str, turns: &[Option<u64>]) -> NewCampaign {
    NewCampaign {
        name: name.to_owned(),
        seed: u64::MAX - 3,
        settings: "{\"a\":1}".to_owned(),
        requirements: "{}".to_owned(),
        strategies: turns
            .iter()
            .enumerate()
            .map(|(place, turns)| StrategyEntry { name: format!("strategy {place}"), turns: *turns })
            .collect(),
        seeds: ["(check-sat)\n", "(exit) ; é\n"]
            .into_iter()
            .enumerate()
            .map(|(number, text)| SharedSeed {
                hash: format!("{number:016x}"),
                name: format!("{number}.smt2"),
                facts: "{}".to_owned(),
                text: text.to_owned(),
            })
            .collect(),
    }
}

pub fn member() -> Member {
    Member {
        machine: "a".to_owned(),
        process: 7,
        workers: 2,
        version: "0.1.0".to_owned(),
        work: vec![WorkKind::Fuzz, WorkKind::Reduce],
    }
}

/// A process that takes part in a campaign.
pub struct Process {
    pub store: Box<dyn SharedStore>,
    pub campaign: CampaignId,
    pub id: MemberId,
    /// The blocks that it works on.
    pub held: Vec<BlockProgress>,
}

impl Process {
    pub fn enter(mut store: Box<dyn SharedStore>, campaign: CampaignId) -> Process {
        let id = store.enter(campaign, &member()).unwrap();
        Process { store, campaign, id, held: Vec::new() }
    }

    /// Sends news together with its progress, and takes in the answer.
    pub fn exchange(&mut self, news: Outgoing) -> Incoming {
        let news = Outgoing { progress: self.held.clone(), ..news };
        let answer = self.store.exchange(self.id, &news).unwrap();
        self.held.retain(|held| !answer.lost.contains(&held.block) && held.done < held.block.end);
        self.held.extend(answer.granted.iter().map(|block| BlockProgress {
            block: *block,
            done: block.first,
            cases: 0,
            digest: 0,
        }));
        answer
    }

    /// Asks for blocks: pairs of a strategy and a number of turns.
    pub fn ask(&mut self, wishes: &[(usize, u64)]) -> Incoming {
        let wishes = wishes.iter().map(|&(strategy, turns)| Wish { strategy, turns }).collect();
        self.exchange(Outgoing { wishes, ..Outgoing::default() })
    }

    /// Works on the block at a place until a turn. Every turn makes ten cases with huge hashes.
    pub fn work(&mut self, place: usize, until: u64) {
        let held = &mut self.held[place];
        held.cases += 10 * (until - held.done);
        held.digest = (held.done..until).fold(held.digest, |sum, turn| sum.wrapping_add(digest(turn)));
        held.done = until;
    }
}

/// The sum of the hashes of the cases of a turn.
pub fn digest(turn: u64) -> u64 {
    (turn + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

pub fn origin(index: u64) -> Origin {
    Origin {
        campaign_seed: u64::MAX,
        strategy: "seeds".to_owned(),
        seed_hash: "00ff".to_owned(),
        round: 3,
        index,
    }
}

pub fn finding(signature: &str, index: u64) -> NewFinding {
    NewFinding {
        signature: signature.to_owned(),
        summary: FindingSummary {
            class: Class::WrongSat,
            title: format!("title of {signature}"),
            bug: true,
            needs_options: false,
            solvers: "[[\"z3@4.8.10\",\"z3\",\"4.8.10\"]]".to_owned(),
            reduced_bytes: None,
        },
        origin: origin(index),
        age: Duration::from_secs(60),
        files: vec![
            FindingFile { path: "case.smt2".to_owned(), content: b"(check-sat)\n".to_vec() },
            FindingFile { path: "outputs/a.txt".to_owned(), content: vec![0, 255, 10] },
        ],
    }
}

pub fn found(findings: &[NewFinding]) -> Outgoing {
    Outgoing { findings: findings.to_vec(), ..Outgoing::default() }
}

pub fn seen(signature: &str, indices: &[u64]) -> Outgoing {
    let occurrence = |&index: &u64| Occurrence { signature: signature.to_owned(), origin: origin(index) };
    Outgoing { occurrences: indices.iter().map(occurrence).collect(), ..Outgoing::default() }
}
