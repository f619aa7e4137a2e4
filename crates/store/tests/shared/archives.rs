//! A campaign that is copied to another store and back is the same.

use crate::places::{Process, finding, new_campaign, on_both, seen, unique_name};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use store::shared::{
    Document, FindingFile, FindingUpdate, JobState, MemberId, NewJob, Outgoing, Part, SharedStore, WorkKind,
    copy, export, open,
};
use store::{Status, StatusChange, StoreError};
use testing::Postgres;

/// Something that happens in a campaign.
#[derive(Clone, Debug)]
enum Event {
    Enter,
    Leave(usize),
    Ask(usize, usize, u64),
    Work(usize, usize, u64),
    Find(usize, String, u64, Vec<u8>),
    See(usize, String, u64),
    Decide(usize, usize, String),
    Merge(usize, usize),
    Write(String, Vec<u8>),
    Add(usize, String, i32),
    Take(bool),
}

fn event() -> impl Strategy<Value = Event> {
    let signature = || prop_oneof!["[a-d]", "\\PC{0,20}"];
    prop_oneof![
        Just(Event::Enter),
        (0usize..9).prop_map(Event::Leave),
        (0usize..9, 0usize..2, 1u64..7).prop_map(|(who, strategy, turns)| Event::Ask(who, strategy, turns)),
        (0usize..9, 0usize..9, 1u64..4).prop_map(|(who, block, turns)| Event::Work(who, block, turns)),
        (0usize..9, signature(), 0u64..5, any::<Vec<u8>>())
            .prop_map(|(who, signature, case, file)| Event::Find(who, signature, case, file)),
        (0usize..9, signature(), any::<u64>()).prop_map(|(who, what, case)| Event::See(who, what, case)),
        (0usize..9, 0usize..6, "\\PC{0,9}")
            .prop_map(|(which, status, why)| Event::Decide(which, status, why)),
        (0usize..9, 0usize..9).prop_map(|(which, into)| Event::Merge(which, into)),
        ("[a-c]", any::<Vec<u8>>()).prop_map(|(name, body)| Event::Write(name, body)),
        (0usize..5, "[a-f]", -3i32..4).prop_map(|(kind, about, priority)| Event::Add(kind, about, priority)),
        any::<bool>().prop_map(Event::Take),
    ]
}

/// Lets something happen.
fn happen(processes: &mut Vec<Process>, open: &dyn Fn() -> Box<dyn SharedStore>, event: &Event) {
    let campaign = processes[0].campaign;
    let count = processes.len();
    let finding_name = |store: &mut dyn SharedStore, which: usize| {
        let all = store.findings_since(campaign, 0, 100).unwrap();
        (!all.is_empty()).then(|| all[which % all.len()].id.clone())
    };
    match event {
        Event::Enter => processes.push(Process::enter(open(), campaign)),
        Event::Leave(who) => {
            let process = &mut processes[who % count];
            process.exchange(Outgoing { leaves: true, statistics: "{}".into(), ..Outgoing::default() });
            process.held.clear();
        }
        Event::Ask(who, strategy, turns) => {
            processes[who % count].ask(&[(*strategy, *turns)]);
        }
        Event::Work(who, block, turns) => {
            let process = &mut processes[who % count];
            if let Some(held) = process.held.get(*block).copied() {
                process.work(*block, held.block.end.min(held.done + turns));
                let statistics = format!("{{\"turns\":{turns}}}");
                process.exchange(Outgoing { statistics, ..Outgoing::default() });
            }
        }
        Event::Find(who, signature, case, file) => {
            let mut new = finding(signature, *case);
            new.files.push(FindingFile { path: "z".into(), content: file.clone() });
            processes[who % count].exchange(Outgoing { findings: vec![new], ..Outgoing::default() });
        }
        Event::See(who, signature, case) => {
            processes[who % count].exchange(seen(signature, &[*case]));
        }
        Event::Decide(which, status, why) => {
            let store = &mut *processes[0].store;
            let Some(id) = finding_name(store, *which) else { return };
            let status = StatusChange { status: Status::ALL[*status], detail: why.clone(), changed: 0 };
            let update = FindingUpdate { id, status: Some(status), ..FindingUpdate::default() };
            store.update_finding(campaign, &update).unwrap();
        }
        Event::Merge(which, into) => {
            let store = &mut *processes[0].store;
            let (Some(id), into) = (finding_name(store, *which), finding_name(store, *into)) else { return };
            let update = FindingUpdate { id, merged_into: Some(into), ..FindingUpdate::default() };
            store.update_finding(campaign, &update).unwrap();
        }
        Event::Write(name, body) => {
            let store = &mut *processes[0].store;
            let revision = store.document(campaign, "k", name).unwrap().map_or(0, |kept| kept.revision);
            let document = Document { kind: "k".into(), name: name.clone(), revision, body: body.clone() };
            assert!(store.put_document(campaign, &document).unwrap());
        }
        Event::Add(kind, about, priority) => {
            let (kind, detail) = (WorkKind::JOBS[*kind], format!("{{\"é\":\"{about}\"}}"));
            let job = NewJob { kind, subject: about.clone(), detail, priority: *priority };
            processes[0].store.add_jobs(campaign, &[job]).unwrap();
        }
        Event::Take(fails) => {
            let Process { store, id, .. } = &mut processes[0];
            if let Some(job) = store.take_job(*id, &WorkKind::JOBS).unwrap()
                && *fails
            {
                assert!(store.finish_job(*id, &job, Some("why")).unwrap());
            }
        }
    }
}

/// All parts of a campaign, without what may differ between stores: numbers of rows, and who holds a job.
fn parts(store: &mut dyn SharedStore, name: &str) -> Vec<Part> {
    let id = store.campaign(name).unwrap().unwrap().id;
    let mut parts = export(store, id).unwrap();
    let mut members = Vec::new();
    for part in &mut parts {
        match part {
            Part::Campaign(campaign) => campaign.campaign.id = store::shared::CampaignId(0),
            Part::Members(all) => {
                members = all.iter().map(|entry| entry.id).collect();
                all.iter_mut().zip(0..).for_each(|(entry, place)| entry.id = MemberId(place));
            }
            Part::Blocks(all) => all.iter_mut().for_each(|block| {
                block.member = block.member.map(|member| place_of(&members, member));
            }),
            Part::Samples(some) => {
                some.iter_mut().for_each(|sample| sample.member = place_of(&members, sample.member));
            }
            Part::Jobs(all) => {
                all.sort_by(|a, b| (a.kind.name(), &a.subject).cmp(&(b.kind.name(), &b.subject)));
                for job in all {
                    job.id = 0;
                    if job.state == JobState::Running {
                        job.state = JobState::Waiting;
                    }
                }
            }
            _ => {}
        }
    }
    parts.sort_by_key(|part| match part {
        Part::Finding(finding) => (1, finding.finding.id.clone()),
        Part::Campaign(_) | Part::Seeds(_) | Part::Members(_) | Part::Blocks(_) | Part::Samples(_) => {
            (0, String::new())
        }
        _ => (2, String::new()),
    });
    parts
}

fn place_of(members: &[MemberId], member: MemberId) -> MemberId {
    MemberId(members.iter().position(|one| *one == member).unwrap() as i64)
}

/// Copies random campaigns from one kind of store to the other and back.
fn goes_around(first: &dyn Fn() -> String, second: &dyn Fn() -> String) {
    let mut runner = TestRunner::new(Config { cases: 25, failure_persistence: None, ..Config::default() });
    let events = prop::collection::vec(event(), 1..40);
    runner
        .run(&events, |events| {
            let (start, middle, end) = (first(), second(), first());
            let open_start = || open(&start).unwrap();
            let name = unique_name();
            let mut store = open_start();
            let campaign = store.create(&new_campaign(&name, &[Some(30), None])).unwrap();
            let mut processes = vec![Process::enter(store, campaign.id)];
            for event in &events {
                happen(&mut processes, &open_start, event);
            }
            drop(processes);
            let [mut start, mut middle, mut end] = [start, middle, end].map(|url| open(&url).unwrap());
            copy(&mut *start, &mut *middle, &name).unwrap();
            copy(&mut *middle, &mut *end, &name).unwrap();
            let original = parts(&mut *start, &name);
            prop_assert_eq!(&parts(&mut *middle, &name), &original);
            prop_assert_eq!(&parts(&mut *end, &name), &original);
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_campaign_goes_from_sqlite_to_postgresql_and_back_and_the_other_way() {
    let Some(server) = Postgres::start() else { return };
    let mut administrator = postgres::Client::connect(&server.url(), postgres::NoTls).unwrap();
    for number in 0..2 {
        administrator.batch_execute(&format!("CREATE DATABASE d{number}")).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let number = std::cell::Cell::new(0);
    let file = || {
        number.set(number.get() + 1);
        format!("sqlite:{}", folder.path().join(format!("{}.db", number.get())).display())
    };
    // A campaign comes from one database and returns to the other.
    let turn = std::cell::Cell::new(0);
    let database = || {
        turn.set(1 - turn.get());
        server.url().replace("/postgres?", &format!("/d{}?", turn.get()))
    };
    goes_around(&file, &database);
    goes_around(&database, &file);
}

#[test]
fn a_copy_is_complete_or_not_there() {
    on_both(|place| {
        let mut one = place.campaign(&[Some(3)]);
        one.exchange(crate::places::found(&[finding("a", 1)]));
        let parts = export(&mut *one.store, one.campaign).unwrap();
        let Part::Campaign(first) = &parts[0] else { panic!("the campaign comes first") };
        let name = first.campaign.name.clone();
        let folder = tempfile::tempdir().unwrap();
        let mut other = open(&format!("sqlite:{}", folder.path().join("a.db").display())).unwrap();
        let end = parts.len() - 1;
        let error = other.import(&mut parts[..end].iter().cloned()).unwrap_err();
        assert!(matches!(error, StoreError::Incomplete), "{error}");
        assert_eq!(other.campaign(&name).unwrap(), None);
        copy(&mut *one.store, &mut *other, &name).unwrap();
        let error = copy(&mut *one.store, &mut *other, &name).unwrap_err();
        assert!(matches!(error, StoreError::Taken { .. }), "{error}");
        // Work goes on in the copy.
        let campaign = other.campaign(&name).unwrap().unwrap().id;
        let mut process = Process::enter(other, campaign);
        process.ask(&[(0, 3)]);
        process.work(0, 3);
        assert!(process.ask(&[]).finished);
    });
}
