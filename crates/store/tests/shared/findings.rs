//! Every finding is there once, with all of its cases.

use crate::places::{finding, found, on_both, origin, seen};
use case::Class;
use store::shared::{FindingFile, FindingUpdate, JobState, Outgoing, SharedFinding, WorkKind};
use store::{Status, StatusChange};

fn names(findings: &[SharedFinding]) -> Vec<&str> {
    findings.iter().map(|finding| &*finding.signature).collect()
}

#[test]
fn a_finding_comes_back_with_its_files_and_its_case() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        let new = finding("a", 1);
        let answer = one.exchange(found(std::slice::from_ref(&new)));
        let all = one.store.findings_since(one.campaign, 0, 10).unwrap();
        let kept = &all[0];
        assert_eq!((&kept.signature, &kept.summary, kept.count), (&new.signature, &new.summary, 1));
        assert!(kept.id.starts_with("wrong-sat-") && kept.id.len() == 16, "{}", kept.id);
        assert!((answer.now - 61_000..=answer.now - 59_000).contains(&kept.first_seen));
        assert_eq!((kept.revision, kept.merged_into.as_deref()), (answer.revision, None));
        assert_eq!(one.store.files(one.campaign, &kept.id).unwrap(), new.files);
        assert_eq!(one.store.cases(one.campaign, &kept.id).unwrap(), [origin(1)]);
        assert_eq!(one.store.totals(one.campaign).unwrap().findings, 1);
        let files: usize = new.files.iter().map(|file| file.content.len()).sum();
        assert!(one.store.size().unwrap() > files as u64);
    });
}

#[test]
fn the_same_signature_is_one_finding_and_the_same_case_one_occurrence() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        let mut other = place.join(&one);
        one.exchange(found(&[finding("a", 1), finding("b", 1)]));
        other.exchange(found(&[finding("b", 2), finding("a", 1)]));
        for _ in 0..2 {
            other.exchange(seen("a", &[1, 2, 3]));
        }
        let all = one.store.findings_since(one.campaign, 0, 10).unwrap();
        let mut counts: Vec<_> = all.iter().map(|it| (&*it.signature, it.count)).collect();
        counts.sort_unstable();
        assert_eq!(counts, [("a", 3), ("b", 2)]);
    });
}

#[test]
fn other_campaigns_have_other_findings() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        let mut other = place.campaign(&[None]);
        one.exchange(found(&[finding("a", 1)]));
        let answer = other.exchange(seen("a", &[2]));
        assert_eq!(answer.unknown, ["a"]);
        assert!(other.store.findings_since(other.campaign, 0, 10).unwrap().is_empty());
        other.exchange(found(&[finding("a", 1)]));
        assert_eq!(other.store.findings_since(other.campaign, 0, 10).unwrap()[0].count, 1);
    });
}

#[test]
fn occurrences_of_an_unknown_finding_are_asked_back() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        let mut news = seen("a", &[1, 2]);
        news.findings.push(finding("b", 1));
        news.occurrences.extend(seen("b", &[5]).occurrences);
        assert_eq!(one.exchange(news).unknown, ["a"]);
        let all = one.store.findings_since(one.campaign, 0, 10).unwrap();
        assert_eq!((names(&all), all[0].count), (vec!["b"], 2));
    });
}

#[test]
fn changes_are_read_in_their_order_and_in_parts() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        one.exchange(found(&["a", "b", "c"].map(|signature| finding(signature, 1))));
        let first = one.store.findings_since(one.campaign, 0, 2).unwrap();
        let rest = one.store.findings_since(one.campaign, first[1].revision, 2).unwrap();
        assert_eq!((names(&first), names(&rest)), (vec!["a", "b"], vec!["c"]));
        let revision = rest[0].revision;
        assert_eq!(one.exchange(Outgoing::default()).revision, revision);
        // What was there already is no change.
        one.exchange(seen("b", &[1]));
        assert!(one.store.findings_since(one.campaign, revision, 9).unwrap().is_empty());
        let answer = one.exchange(seen("a", &[7]));
        let changed = one.store.findings_since(one.campaign, revision, 9).unwrap();
        assert_eq!((names(&changed), changed[0].revision), (vec!["a"], answer.revision));
        assert!(changed[0].files_revision <= revision);
    });
}

#[test]
fn an_update_changes_what_it_names() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        one.exchange(found(&[finding("a", 1)]));
        let before = one.store.findings_since(one.campaign, 0, 1).unwrap().remove(0);
        let mut summary = before.summary.clone();
        (summary.class, summary.title, summary.reduced_bytes) = (Class::Crash, "reduced".into(), Some(12));
        let files = vec![FindingFile { path: "reduced.smt2".into(), content: b"(exit)".to_vec() }];
        let change = StatusChange { status: Status::Filed, detail: "https://x".into(), changed: 5 };
        let update = FindingUpdate {
            id: before.id.clone(),
            summary: Some(summary.clone()),
            ..FindingUpdate::default()
        };
        one.store.update_finding(one.campaign, &update).unwrap();
        let update = FindingUpdate {
            id: before.id.clone(),
            status: Some(change.clone()),
            files: Some(files.clone()),
            ..FindingUpdate::default()
        };
        for _ in 0..2 {
            one.store.update_finding(one.campaign, &update).unwrap();
        }
        let after = one.store.findings_since(one.campaign, before.revision, 9).unwrap().remove(0);
        assert_eq!((&after.summary, &after.status, after.count), (&summary, &change, 1));
        assert!(after.files_revision > before.files_revision);
        assert_eq!(one.store.files(one.campaign, &before.id).unwrap(), files);
        assert_eq!(one.store.history(one.campaign, &before.id).unwrap(), [change]);
        let unknown = FindingUpdate { id: "crash-0".into(), ..FindingUpdate::default() };
        assert!(one.store.update_finding(one.campaign, &unknown).is_err());
    });
}

#[test]
fn merging_makes_no_chains_and_no_cycles() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        one.exchange(found(&["a", "b", "c"].map(|signature| finding(signature, 1))));
        let all = one.store.findings_since(one.campaign, 0, 9).unwrap();
        let [a, b, c] = [0, 1, 2].map(|place: usize| all[place].id.clone());
        for (from, into) in [(&a, &b), (&b, &c), (&c, &a)] {
            let merged_into = Some(Some(into.clone()));
            let update = FindingUpdate { id: from.clone(), merged_into, ..FindingUpdate::default() };
            one.store.update_finding(one.campaign, &update).unwrap();
        }
        let all = one.store.findings_since(one.campaign, 0, 9).unwrap();
        let into = |id: &str| all.iter().find(|it| it.id == id).unwrap().merged_into.clone();
        assert_eq!([into(&a), into(&b), into(&c)], [Some(c.clone()), Some(c.clone()), None]);
        let update = FindingUpdate { id: a.clone(), merged_into: Some(None), ..FindingUpdate::default() };
        one.store.update_finding(one.campaign, &update).unwrap();
        let all = one.store.findings_since(one.campaign, 0, 9).unwrap();
        assert_eq!(all.iter().find(|it| it.id == a).unwrap().merged_into, None);
    });
}

#[test]
fn a_new_bug_waits_to_be_reduced_once() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        let mut slow = finding("slow", 1);
        slow.summary.bug = false;
        for index in 1..3 {
            one.exchange(found(&[finding("a", index), slow.clone()]));
        }
        let jobs = one.store.jobs(one.campaign).unwrap();
        let all = one.store.findings_since(one.campaign, 0, 9).unwrap();
        let bug = all.iter().find(|it| it.signature == "a").unwrap();
        let kept: Vec<_> = jobs.iter().map(|job| (job.kind, &*job.subject, job.state)).collect();
        assert_eq!(kept, [(WorkKind::Reduce, &*bug.id, JobState::Waiting)]);
    });
}

#[test]
fn long_and_strange_texts_are_kept() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        let long: String = (0..9000).map(|number| format!("{number:x}")).collect();
        let mut strange = finding(&long, 1);
        strange.summary.title = "zero \0 é \u{1f980} ' \\ \"".into();
        one.exchange(found(&[strange, finding("'; --", 1)]));
        let all = one.store.findings_since(one.campaign, 0, 9).unwrap();
        assert_eq!(names(&all), [&*long, "'; --"]);
        assert!(all[0].summary.title.ends_with("é \u{1f980} ' \\ \""));
    });
}
