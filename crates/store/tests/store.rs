//! What is kept comes back, the same signature is counted, and every kind of bad folder has its own message.

use case::{
    AskedScript, Claim, Class, Clause, Crash, CrashPattern, Evidence, Exit, Expectation, FINDING_FORMAT,
    Finding, Hinted, Origin, Outcome, Predicate, RunResult, Signature, SolverRun, Step,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use store::{
    CampaignState, Merged, Parcel, Position, Progress, Recorded, Spool, Store, StoreError, Texts,
    TriageResult,
};

fn finding(message: &str, index: u64) -> Finding {
    let crash = Crash::message(message);
    Finding {
        format: FINDING_FORMAT,
        class: Class::Crash,
        signature: Signature::Crash {
            solver: "z3".into(),
            crash: crash.clone(),
            theories: BTreeSet::from(["Ints".into()]),
        },
        evidence: vec![Evidence::Crashed { solver: "z3@4.8.10".into(), crash: crash.clone() }],
        predicate: Some(Predicate {
            clauses: vec![Clause {
                spec: "../bin/z3".into(),
                options: Vec::new(),
                claim: Claim::Crashes(CrashPattern::Like(crash.clone())),
            }],
        }),
        runs: vec![SolverRun {
            checks: Vec::new(),
            id: "../bin/z3".into(),
            name: "z3".into(),
            version: "4.8.10".into(),
            spec: "../bin/z3".into(),
            options: Vec::new(),
            command: "z3 case.smt2".into(),
            asked: AskedScript::Case,
            result: RunResult { outcome: Outcome::Crash(crash), answers: Vec::new() },
            exit: Exit::Signal(11),
            milliseconds: 3,
            suspect: true,
            stdout: "```\n".into(),
            stderr: String::new(),
        }],
        models: true,
        own_checks: false,
        theories: BTreeSet::from(["Ints".into()]),
        origin: Origin {
            campaign_seed: u64::MAX,
            strategy: "seeds".into(),
            seed_hash: "00ff".into(),
            round: 0,
            index,
        },
        seed_name: "a.smt2".into(),
        lineage: vec![Step { action: "replace".into(), before: "a".into(), after: "b".into() }],
        learned: Vec::new(),
        dialogue: Vec::new(),
        expectation: Expectation::Unknown,
        signature_files: Vec::new(),
        found_by: "0.1.0".into(),
    }
}

const TEXTS: Texts<'static> = Texts { case: "(check-sat)\n", seed: "(exit)\n", plain: None };

#[test]
fn the_same_signature_is_counted_not_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let Recorded::New { id } = store.record(&finding("s", 1), TEXTS).unwrap() else { panic!("not new") };
    assert_eq!(store.record(&finding("s", 2), TEXTS).unwrap(), Recorded::Again { id: id.clone(), count: 2 });
    assert_eq!(store.record(&finding("s", 2), TEXTS).unwrap(), Recorded::Repeated { id: id.clone() });
    assert!(matches!(store.record(&finding("t", 2), TEXTS).unwrap(), Recorded::New { .. }));
    let listed = store.findings().unwrap();
    assert_eq!(listed.iter().map(|one| one.count).collect::<Vec<_>>(), [2, 1]);
    let (back, case, seed) = store.read(&store.find(&id).unwrap()).unwrap();
    assert_eq!((back, case.as_str(), seed.as_str()), (finding("s", 1), TEXTS.case, TEXTS.seed));
    let finding_folder = folder.path().join("findings").join(&id);
    for name in ["README.md", "lineage.txt", "outputs/_bin_z3.txt"] {
        assert!(finding_folder.join(name).is_file(), "{name}");
    }
}

#[test]
fn merged_findings_are_counted_for_the_one_that_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let ids: Vec<String> = ["a", "b", "c", "d"]
        .iter()
        .map(|name| store.record(&finding(name, 1), TEXTS).unwrap().id().to_owned())
        .collect();
    let result =
        TriageResult { class: Class::WrongUnsat, needs_options: false, title: "reduced", reduced_bytes: 30 };
    store.triaged(&ids[3], result).unwrap();
    for (from, to) in [(1, 0), (0, 3)] {
        store.merge(&Merged { id: ids[from].clone(), into: ids[to].clone() }).unwrap();
    }
    store.count_case(&ids[1], &finding("b", 2).origin).unwrap();
    let listed: Vec<(String, u64)> =
        store.findings().unwrap().into_iter().map(|listed| (listed.id, listed.count)).collect();
    assert_eq!(listed, [(ids[3].clone(), 4), (ids[2].clone(), 1)]);
    let [first, last] = [0, 3].map(|index| store.find(&ids[index]).unwrap());
    assert_eq!((first.merged_into.as_deref(), last.merged_into), (Some(ids[3].as_str()), None));
    assert_eq!((last.title.as_str(), last.reduced_bytes), ("reduced", Some(30)));
}

#[test]
fn a_finding_is_named_by_a_part_of_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let id = store.record(&finding("s", 1), TEXTS).unwrap().id().to_owned();
    let digits = id.rsplit('-').next().unwrap().to_owned();
    assert_eq!(store.find(&digits[..4]).unwrap().id, id);
    assert_eq!(store.find("crash").unwrap().id, id);
    store.record(&finding("t", 1), TEXTS).unwrap();
    for (asked, candidates) in [("crash", 2), ("nothing", 0), ("", 0)] {
        let Err(StoreError::NoSuchFinding { candidates: found, .. }) = store.find(asked) else { panic!() };
        assert_eq!(found.len(), candidates, "{asked}");
    }
}

#[test]
fn progress_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    assert_eq!(store.last_campaign().unwrap(), None);
    let id = store.begin(u64::MAX, "{}").unwrap();
    let position = Position { unit: 4, strategy: "seeds".into(), seed_hash: "ab".into(), round: 1, index: 7 };
    let mut progress =
        Progress { turns: vec![9, 2], workers: vec![position], elapsed: 1234, totals: "{}".into() };
    store.save(id, CampaignState::Running, &progress).unwrap();
    progress.workers.clear();
    progress.turns = vec![10, 2];
    store.save(id, CampaignState::Stopped, &progress).unwrap();
    store.sample(id, 5, "x").unwrap();
    drop(store);
    let store = Store::open_existing(folder.path()).unwrap();
    let campaign = store.last_campaign().unwrap().unwrap();
    assert_eq!(
        (campaign.seed, campaign.state, campaign.progress),
        (u64::MAX, CampaignState::Stopped, progress)
    );
    assert_eq!(store.samples(id).unwrap(), [(5, "x".to_owned())]);
}

#[test]
fn an_unfinished_folder_of_a_killed_process_goes_away() {
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(folder.path()).unwrap());
    let left = folder.path().join("findings/.unfinished-crash-1");
    fs::create_dir(&left).unwrap();
    fs::write(left.join("case.smt2"), "(").unwrap();
    drop(Store::open(folder.path()).unwrap());
    assert!(!left.exists());
}

fn why_not(folder: &Path) -> String {
    Store::open(folder).err().expect("must fail").to_string()
}

#[test]
fn bad_folders_say_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("elenchus.db"), "this is a text file, long enough to have a header")
        .unwrap();
    assert!(why_not(folder.path()).contains("was not written by elenchus"));

    let other = tempfile::tempdir().unwrap();
    let held = Store::open(other.path()).unwrap();
    assert!(why_not(other.path()).contains("another campaign is writing"));
    drop(held);
    assert!(Store::open(other.path()).is_ok());

    let file = tempfile::NamedTempFile::new().unwrap();
    assert!(Store::open(&file.path().join("x")).is_err());
    let missing = Store::open_existing(tempfile::tempdir().unwrap().path()).err().unwrap();
    assert!(missing.to_string().contains("there is no campaign"));
    assert!(missing.hint().unwrap().contains("elenchus fuzz"));
    // A system folder that nobody, not even root, can write to.
    if Path::new("/proc/self").exists() {
        assert!(Store::open(Path::new("/proc/self/elenchus")).is_err());
    }
}

#[test]
fn another_programs_database_and_a_newer_layout_are_left_alone() {
    let table = [
        ("CREATE TABLE mine (x)", "another program has written it"),
        ("PRAGMA application_id = 1164731758; PRAGMA user_version = 99", "layout 99"),
        ("PRAGMA application_id = 1164731758; PRAGMA user_version = 1", "has format 1"),
    ];
    for (statement, message) in table {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("elenchus.db");
        let other = rusqlite::Connection::open(&path).unwrap();
        other.execute_batch(statement).unwrap();
        drop(other);
        let said = why_not(folder.path());
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn a_finding_of_an_older_version_is_refused_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let id = store.record(&finding("s", 1), TEXTS).unwrap().id().to_owned();
    let listed = store.find(&id).unwrap();
    let path = folder.path().join(&listed.folder).join("finding.json");
    fs::write(&path, r#"{"class": "crash", "title": "z3 crashes", "evidence": ["it died"]}"#).unwrap();
    let error = store.read(&listed).unwrap_err();
    assert!(matches!(error, StoreError::OtherFormat { found: 1, .. }), "{error}");
    assert_eq!(error.to_string().lines().count(), 1);
}

#[test]
fn cases_wait_until_the_common_store_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let texts = Texts { case: "(check-sat)", seed: "(exit)", plain: None };
    store.record(&finding("before", 0), texts).unwrap();
    store.spool_for("ours");
    for (message, index) in [("one", 1), ("one", 2), ("before", 3), ("one", 2)] {
        store.record(&finding(message, index), texts).unwrap();
    }
    let mut spool = Spool::open(folder.path(), "ours").unwrap();
    assert_eq!(spool.waiting().unwrap(), 2);
    assert!(Spool::open(folder.path(), "theirs").unwrap().parcel(9, 1 << 20).unwrap().is_empty());
    let indices = |parcel: &Parcel| {
        let findings = parcel.findings.iter().map(|finding| finding.origin.index).collect::<Vec<_>>();
        (findings, parcel.occurrences.iter().map(|case| case.origin.index).collect::<Vec<_>>())
    };
    let first = spool.parcel(2, 1 << 20).unwrap();
    assert_eq!((indices(&first), first.is_cut), ((vec![1], vec![2]), true));
    let paths: Vec<&str> = first.findings[0].files.iter().map(|file| file.path.as_str()).collect();
    assert!(paths.contains(&"case.smt2") && paths.contains(&"finding.json"), "{paths:?}");
    assert!(paths.iter().any(|path| path.starts_with("outputs/")), "{paths:?}");
    assert_eq!(
        indices(&spool.parcel(9, 0).unwrap()),
        (vec![1], vec![]),
        "the files of one finding are enough"
    );
    spool.delivered(&first, &[]).unwrap();
    let rest = spool.parcel(9, 1 << 20).unwrap();
    assert_eq!((indices(&rest), rest.is_cut), ((vec![3], vec![]), false));
    spool.delivered(&rest, &[]).unwrap();
    assert!(spool.parcel(9, 1 << 20).unwrap().is_empty());
    // A store that has lost a finding gets it again.
    store.record(&finding("one", 4), texts).unwrap();
    let again = spool.parcel(9, 1 << 20).unwrap();
    assert_eq!(indices(&again), (vec![], vec![4]));
    spool.delivered(&again, &[finding("one", 4).signature.key()]).unwrap();
    assert_eq!(indices(&spool.parcel(9, 1 << 20).unwrap()), (vec![4], vec![]));
}
