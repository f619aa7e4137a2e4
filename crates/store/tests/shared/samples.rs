//! Statistics over time, and documents.

use crate::places::{Place, Process, member, on_both};
use std::thread::sleep;
use std::time::Duration;
use store::shared::{Document, Outgoing};

const MINUTE: u64 = 60 * 1000;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

fn statistics(text: &str) -> Outgoing {
    Outgoing { statistics: text.to_owned(), ..Outgoing::default() }
}

#[test]
fn members_show_their_latest_statistics() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        one.exchange(statistics("{\"cases\":1}"));
        sleep(Duration::from_millis(5));
        let answer = one.exchange(statistics("{\"cases\":2}"));
        one.exchange(Outgoing::default());
        let kept = one.store.members(one.campaign).unwrap().remove(0);
        assert_eq!((kept.id, &kept.member, kept.left), (one.id, &member(), false));
        assert_eq!(kept.statistics, "{\"cases\":2}");
        assert!(kept.joined <= answer.now && kept.seen >= answer.now);
    });
}

#[test]
fn samples_are_kept_now_and_then_and_at_the_end() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        one.exchange(statistics("1"));
        sleep(Duration::from_millis(5));
        one.exchange(statistics("2"));
        sleep(Duration::from_millis(5));
        one.exchange(Outgoing { leaves: true, ..statistics("3") });
        let all = one.store.samples(one.campaign, 0).unwrap();
        assert_eq!(
            all.iter().map(|it| (it.member, &*it.statistics)).collect::<Vec<_>>(),
            [(one.id, "1"), (one.id, "3")]
        );
        assert_eq!(one.store.samples(one.campaign, all[1].at).unwrap().len(), 1);
    });
}

/// Adds samples of a process at these times.
fn insert(place: &Place, process: &Process, times: &[u64]) {
    let row = |time: &u64| format!("({}, {time}, '{{}}')", process.id.0);
    let rows: Vec<String> = times.iter().map(row).collect();
    place
        .execute(&format!("INSERT INTO elenchus.sample (member, at, statistics) VALUES {}", rows.join(", ")));
}

/// The times of the samples of all processes of a campaign.
fn times(process: &mut Process) -> Vec<u64> {
    process.store.samples(process.campaign, 0).unwrap().iter().map(|sample| sample.at).collect()
}

#[test]
fn old_samples_become_fewer_and_the_latest_of_each_time_stays() {
    on_both(|place| {
        let (mut one, mut other) = (place.campaign(&[None]), place.campaign(&[None]));
        let now = one.exchange(Outgoing::default()).now;
        other.exchange(Outgoing::default());
        let hour_of = |age: u64| (now - age) / HOUR * HOUR;
        let (weeks, days, new) = (hour_of(8 * DAY), hour_of(3 * DAY), hour_of(DAY - 2 * HOUR));
        let all = [
            // Of a week ago, one in an hour stays.
            [weeks, weeks + 10 * MINUTE, weeks + HOUR - 1, weeks + HOUR],
            // Of a day ago, one in ten minutes.
            [days, days + 1, days + 10 * MINUTE - 1, days + 20 * MINUTE],
            [new, new + 1, new + MINUTE, new + 10 * MINUTE],
        ]
        .concat();
        let rest = [&all[2..4], &all[6..]].concat();
        let mut joined = place.join(&one);
        for process in [&one, &other] {
            insert(place, process, &all);
        }
        insert(place, &joined, &all[..1]);
        // Not yet: that was done when the campaign began.
        one.exchange(Outgoing::default());
        assert_eq!(times(&mut one).len(), all.len() + 1);
        let campaign = one.campaign.0;
        place.execute(&format!("UPDATE elenchus.campaign SET rolled_up = 1 WHERE id = {campaign}"));
        joined.exchange(Outgoing::default());
        // Each process has its own latest.
        assert_eq!(times(&mut one), [&all[..1], &rest[..]].concat());
        assert_eq!(times(&mut other), all);
    });
}

#[test]
fn a_document_is_written_only_by_who_has_read_the_latest() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        let mut other = place.join(&one);
        let new = |revision, body: &[u8]| Document {
            kind: "coverage".into(),
            name: "z3".into(),
            revision,
            body: body.to_vec(),
        };
        assert_eq!(one.store.document(one.campaign, "coverage", "z3").unwrap(), None);
        assert!(one.store.put_document(one.campaign, &new(0, b"a\0")).unwrap());
        assert!(!other.store.put_document(one.campaign, &new(0, b"b")).unwrap());
        let kept = other.store.document(one.campaign, "coverage", "z3").unwrap().unwrap();
        assert_eq!(kept, new(1, b"a\0"));
        assert!(other.store.put_document(one.campaign, &new(1, b"b")).unwrap());
        assert!(!one.store.put_document(one.campaign, &new(1, b"c")).unwrap());
        assert_eq!(one.store.documents(one.campaign, "coverage").unwrap(), [new(2, b"b")]);
        assert_eq!(one.store.documents(one.campaign, "known").unwrap(), []);
    });
}
