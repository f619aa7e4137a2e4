//! A mirror has what the common store has, fetches only what changed, survives a kill, and pushes what a command changed.

use case::{Class, Origin};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use store::shared::{
    CampaignId, Document, FindingFile, FindingSummary, FindingUpdate, Member, MemberId, NewCampaign,
    NewFinding, Occurrence, Outgoing, SharedCampaign, SharedStore, StrategyEntry, WorkKind, open,
};
use store::{
    Browser, CampaignState, FILE_DOCUMENT, KNOWN_DOCUMENT, KNOWN_FILE, Listed, MemberSums, Merged, Mirror,
    Status, StatusChange, Store, StoreError, Touched, TriageResult,
};
use tempfile::TempDir;

/// Statistics that are numbers.
#[derive(Default)]
struct Sums(BTreeMap<MemberId, u64>, Cell<u32>);

impl MemberSums for Sums {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn set(&mut self, member: MemberId, statistics: &str) {
        self.0.insert(member, statistics.parse().unwrap());
    }

    fn sum(&self) -> String {
        self.1.set(self.1.get() + 1);
        self.0.values().sum::<u64>().to_string()
    }
}

fn origin(index: u64) -> Origin {
    Origin { campaign_seed: 7, strategy: "seeds".into(), seed_hash: "00ff".into(), round: 0, index }
}

fn file(path: &str, content: &str) -> FindingFile {
    FindingFile { path: path.to_owned(), content: content.as_bytes().to_vec() }
}

fn finding(signature: &str, title: &str) -> NewFinding {
    NewFinding {
        signature: signature.to_owned(),
        summary: FindingSummary {
            class: Class::Crash,
            title: title.to_owned(),
            bug: true,
            needs_options: false,
            solvers: r#"[["z3@4.8.10","z3","4.8.10"]]"#.to_owned(),
            reduced_bytes: None,
        },
        origin: origin(1),
        age: Duration::ZERO,
        files: vec![file("case.smt2", "(check-sat)\n"), file("outputs/z3.txt", signature)],
    }
}

/// A store with a campaign and a process, and where its mirrors are.
struct Place {
    folder: TempDir,
    shared: Box<dyn SharedStore>,
    campaign: SharedCampaign,
    member: MemberId,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let mut shared = open(&Place::url_in(folder.path())).unwrap();
        let strategies = vec![StrategyEntry { name: "seeds".to_owned(), turns: None }];
        let campaign = shared
            .create(&NewCampaign {
                name: "nightly".to_owned(),
                seed: 7,
                settings: "{\"seed\":7}".to_owned(),
                requirements: "{}".to_owned(),
                strategies,
                seeds: Vec::new(),
            })
            .unwrap();
        let member = enter(&mut *shared, campaign.id);
        Place { folder, shared, campaign, member }
    }

    fn url_in(folder: &Path) -> String {
        format!("sqlite:{}?sample-pause=1ms", folder.join("common.db").display())
    }

    fn url(&self) -> String {
        Place::url_in(self.folder.path())
    }

    fn send(&mut self, findings: Vec<NewFinding>, occurrences: Vec<(&str, u64)>) {
        let occurrence = |(signature, index): (&str, u64)| Occurrence {
            signature: signature.to_owned(),
            origin: origin(index),
        };
        let occurrences = occurrences.into_iter().map(occurrence).collect();
        self.shared
            .exchange(self.member, &Outgoing { findings, occurrences, ..Outgoing::default() })
            .unwrap();
    }

    fn mirror(&self) -> Mirror {
        Mirror::open(&self.folder.path().join("cache"), &self.url(), &self.campaign).unwrap()
    }

    fn update(&mut self, mirror: &mut Mirror) -> bool {
        mirror.update(&mut *self.shared, &mut Sums::default()).unwrap()
    }

    /// The findings of the store as a folder lists them, by their own counts.
    fn findings(&mut self) -> Vec<(String, String, u64, u64, Option<String>)> {
        let all = self.shared.findings_since(self.campaign.id, 0, 1000).unwrap();
        let mut listed: Vec<_> = all
            .into_iter()
            .map(|one| (one.id, one.summary.title, one.first_seen, one.last_seen, one.merged_into))
            .collect();
        listed.sort();
        listed
    }

    fn id(&mut self, signature: &str) -> String {
        let all = self.shared.findings_since(self.campaign.id, 0, 1000).unwrap();
        all.into_iter().find(|one| one.signature == signature).unwrap().id
    }
}

fn enter(shared: &mut dyn SharedStore, campaign: CampaignId) -> MemberId {
    let member = Member {
        machine: "one".to_owned(),
        process: 12,
        workers: 2,
        version: "0.1.0".to_owned(),
        work: vec![WorkKind::Fuzz],
    };
    shared.enter(campaign, &member).unwrap()
}

fn listed(mirror: &Mirror) -> Vec<Listed> {
    let mut all = Store::open_existing(mirror.folder()).unwrap().all_findings().unwrap();
    all.sort_by(|one, other| one.id.cmp(&other.id));
    all
}

fn keys(mirror: &Mirror) -> Vec<(String, String, u64, u64, Option<String>)> {
    let key = |one: Listed| (one.id, one.title, one.first_seen, one.last_seen, one.merged_into);
    listed(mirror).into_iter().map(key).collect()
}

fn text(mirror: &Mirror, path: &str) -> String {
    std::fs::read_to_string(mirror.folder().join(path)).unwrap_or_default()
}

#[test]
fn a_mirror_has_what_the_store_has() {
    let mut place = Place::new();
    place.send(
        vec![finding("a", "one"), finding("b", "two"), finding("c", "three")],
        vec![("a", 2), ("a", 3)],
    );
    let mut mirror = place.mirror();
    assert!(place.update(&mut mirror));
    assert_eq!(keys(&mirror), place.findings());
    let (a, b) = (place.id("a"), place.id("b"));
    let counts: Vec<u64> = listed(&mirror).iter().map(|one| one.count).collect();
    assert_eq!(counts.iter().sum::<u64>(), 5);
    assert_eq!(text(&mirror, &format!("findings/{a}/outputs/z3.txt")), "a");
    let browser = Browser::open(mirror.folder()).unwrap();
    assert_eq!(browser.occurrences(&a, 0, 10).unwrap().0, 3);

    // Another process decides, merges and reduces.
    let decided = StatusChange { status: Status::Filed, detail: "https://x".to_owned(), changed: 5 };
    let first = StatusChange { status: Status::Triaging, detail: String::new(), changed: 4 };
    let change = |update: FindingUpdate| place.shared.update_finding(place.campaign.id, &update).unwrap();
    let of = |id: &str| FindingUpdate { id: id.to_owned(), ..FindingUpdate::default() };
    let mut change = change;
    change(FindingUpdate { status: Some(first.clone()), ..of(&a) });
    change(FindingUpdate { status: Some(decided.clone()), ..of(&a) });
    change(FindingUpdate { merged_into: Some(Some(a.clone())), ..of(&b) });
    let files = vec![file("case.smt2", "(check-sat)\n"), file("reduced.smt2", "(exit)\n")];
    let summary =
        FindingSummary { reduced_bytes: Some(7), title: "small".to_owned(), ..finding("a", "").summary };
    change(FindingUpdate { summary: Some(summary), files: Some(files), ..of(&a) });
    assert!(place.update(&mut mirror));
    assert_eq!(keys(&mirror), place.findings());
    assert_eq!(browser.status(&a).unwrap(), decided);
    assert_eq!(browser.status_history(&a).unwrap(), [decided, first]);
    assert_eq!(text(&mirror, &format!("findings/{a}/reduced.smt2")), "(exit)\n");
    assert_eq!(text(&mirror, &format!("findings/{a}/outputs/z3.txt")), "");
    let one = Store::open_existing(mirror.folder()).unwrap().find(&a).unwrap();
    assert_eq!((one.reduced_bytes, one.count), (Some(7), 4));
}

#[test]
fn nothing_new_means_nothing_to_do() {
    let mut place = Place::new();
    place.send(vec![finding("a", "one")], vec![]);
    let mut mirror = place.mirror();
    assert!(place.update(&mut mirror));
    let before = Browser::open(mirror.folder()).unwrap();
    let version = before.version().unwrap();
    assert!(!place.update(&mut mirror));
    let mut again = place.mirror();
    assert!(!place.update(&mut again));
    assert_eq!(before.version().unwrap(), version);
}

#[test]
fn statistics_are_those_of_all_processes() {
    let mut place = Place::new();
    let other = enter(&mut *place.shared, place.campaign.id);
    let mut mirror = place.mirror();
    let browser = Browser::open(mirror.folder()).unwrap();
    for (member, statistics, sum) in
        [(place.member, "10", "10"), (other, "5", "15"), (place.member, "20", "25")]
    {
        std::thread::sleep(Duration::from_millis(5));
        let news = Outgoing { statistics: statistics.to_owned(), ..Outgoing::default() };
        place.shared.exchange(member, &news).unwrap();
        assert!(place.update(&mut mirror));
        let campaign = Store::open_existing(mirror.folder()).unwrap().last_campaign().unwrap().unwrap();
        assert_eq!((campaign.progress.totals.as_str(), campaign.state), (sum, CampaignState::Running));
        assert_eq!((campaign.seed, campaign.started), (7, place.campaign.started));
        let samples = Store::open_existing(mirror.folder()).unwrap().samples(campaign.id).unwrap();
        assert_eq!(samples.last().unwrap().1, sum);
    }
    let members = browser.members().unwrap();
    assert_eq!(members, place.shared.members(place.campaign.id).unwrap());
    assert_eq!(members[0].statistics, "20");
    assert_eq!(browser.shared_totals().unwrap().unwrap(), place.shared.totals(place.campaign.id).unwrap());
    let folder = tempfile::tempdir().unwrap();
    Store::open(folder.path()).unwrap();
    let plain = Browser::open(folder.path()).unwrap();
    assert_eq!((plain.members().unwrap().len(), plain.shared_totals().unwrap()), (0, None));
}

#[test]
fn a_command_pushes_what_it_changed() {
    let mut place = Place::new();
    place.send(vec![finding("a", "one"), finding("b", "two")], vec![]);
    let (mut mirror, mut other) = (place.mirror(), place.mirror());
    place.update(&mut mirror);
    let (a, b) = (place.id("a"), place.id("b"));
    mirror.begin_work().unwrap();
    let mut store = Store::open_existing(mirror.folder()).unwrap();
    let folder = mirror.folder().join("findings").join(&a);
    std::fs::write(folder.join("reduced.smt2"), "(exit)").unwrap();
    let result =
        TriageResult { class: Class::WrongUnsat, needs_options: true, title: "small", reduced_bytes: 6 };
    store.triaged(&a, result).unwrap();
    store.merge(&Merged { id: b.clone(), into: a.clone() }).unwrap();
    let mut browser = Browser::open(mirror.folder()).unwrap();
    let decided = StatusChange { status: Status::Ready, detail: String::new(), changed: 9 };
    browser.set_status(&a, &decided).unwrap();
    // A case comes in between, and another process fills the mirror: the changes stay.
    place.send(vec![], vec![("a", 2)]);
    place.update(&mut other);
    assert_eq!(store.find(&a).unwrap().title, "small");
    assert_eq!(
        mirror.push(&mut *place.shared, Touched::Findings(std::slice::from_ref(&a))).unwrap(),
        [a.clone(), b.clone()]
    );
    assert!(mirror.push(&mut *place.shared, Touched::All).unwrap().is_empty());

    let second = tempfile::tempdir().unwrap();
    let mut fresh = Mirror::open(second.path(), &place.url(), &place.campaign).unwrap();
    place.update(&mut fresh);
    place.update(&mut mirror);
    for mirror in [&fresh, &mirror] {
        assert_eq!(keys(mirror), place.findings());
        let one = Store::open_existing(mirror.folder()).unwrap().find(&a).unwrap();
        assert_eq!(
            (one.title.as_str(), one.class, one.reduced_bytes, one.count),
            ("small", Class::WrongUnsat, Some(6), 3)
        );
        assert_eq!(text(mirror, &format!("findings/{a}/reduced.smt2")), "(exit)");
        assert_eq!(
            Browser::open(mirror.folder()).unwrap().status_history(&a).unwrap(),
            std::slice::from_ref(&decided)
        );
    }
}

#[test]
fn what_a_killed_process_left_is_forgotten() {
    let mut place = Place::new();
    place.send(vec![finding("a", "one"), finding("b", "two")], vec![]);
    let mut mirror = place.mirror();
    place.update(&mut mirror);
    let (a, b) = (place.id("a"), place.id("b"));
    mirror.begin_work().unwrap();
    let mut store = Store::open_existing(mirror.folder()).unwrap();
    store.merge(&Merged { id: b.clone(), into: a.clone() }).unwrap();
    let case = mirror.folder().join("findings").join(&a).join("case.smt2");
    std::fs::write(&case, "half").unwrap();
    // The lock of a process ends with it.
    drop(mirror);
    let mut mirror = place.mirror();
    place.update(&mut mirror);
    assert_eq!(keys(&mirror), place.findings());
    assert_eq!(std::fs::read_to_string(&case).unwrap(), "(check-sat)\n");

    // So is a damaged database.
    let database = mirror.folder().join("elenchus.db");
    drop((mirror, store));
    std::fs::write(&database, "nonsense nonsense nonsense").unwrap();
    let mut mirror = place.mirror();
    place.update(&mut mirror);
    assert_eq!(keys(&mirror), place.findings());
}

#[test]
fn work_sees_the_latest_state_and_is_pushed() {
    let mut place = Place::new();
    place.send(vec![finding("a", "one")], vec![]);
    let mut mirror = place.mirror();
    let a = place.id("a");
    let own = a.clone();
    let worked: Result<(), StoreError> = mirror.work(&mut *place.shared, &mut Sums::default(), |store| {
        let folder = store.folder().join(store.find(&own)?.folder);
        std::fs::write(folder.join("report.md"), "wrong").unwrap();
        Ok(vec![own])
    });
    worked.unwrap();
    let files = place.shared.files(place.campaign.id, &a).unwrap();
    assert!(files.contains(&file("report.md", "wrong")), "{files:?}");
}

#[test]
fn two_processes_fill_one_mirror() {
    let mut place = Place::new();
    let many = (0..40).map(|number| finding(&format!("s{number}"), "x")).collect();
    place.send(many, vec![]);
    let (url, campaign) = (place.url(), place.campaign.clone());
    let cache = place.folder.path().join("cache");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut mirror = Mirror::open(&cache, &url, &campaign).unwrap();
                for _ in 0..3 {
                    mirror.update(&mut *open(&url).unwrap(), &mut Sums::default()).unwrap();
                }
            });
        }
    });
    assert_eq!(keys(&place.mirror()), place.findings());
}

#[test]
fn documents_become_files_and_nothing_leaves_the_folder() {
    let mut place = Place::new();
    let mut put = |kind: &str, name: &str| {
        let (kind, name) = (kind.to_owned(), name.to_owned());
        let document = Document { kind, name, revision: 0, body: b"{}".to_vec() };
        assert!(place.shared.put_document(place.campaign.id, &document).unwrap());
    };
    put(KNOWN_DOCUMENT.0, KNOWN_DOCUMENT.1);
    for name in ["operators-1.json", "../outside.json", "elenchus.db", "/tmp/x.json"] {
        put(FILE_DOCUMENT, name);
    }
    let mut mirror = place.mirror();
    assert!(place.update(&mut mirror));
    assert_eq!(
        (text(&mirror, KNOWN_FILE), text(&mirror, "operators-1.json")),
        ("{}".to_owned(), "{}".to_owned())
    );
    assert!(!mirror.folder().parent().unwrap().join("outside.json").exists());
    place.send(vec![NewFinding { files: vec![file("../../x", "x")], ..finding("a", "one") }], vec![]);
    let error = mirror.update(&mut *place.shared, &mut Sums::default()).unwrap_err();
    assert!(error.to_string().contains("../../x"), "{error}");
}
