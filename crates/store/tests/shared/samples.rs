//! Statistics over time, and documents.

use crate::places::{member, on_both};
use std::thread::sleep;
use std::time::Duration;
use store::shared::{Document, Outgoing};

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
