//! Pages of findings, samples over time, facets and decisions.

use case::{Class, FINDING_FORMAT, Finding, Severity};
use serde_json::json;
use std::path::Path;
use store::{
    Browser, CampaignState, FacetKind, Facets, FindingFilter, FindingOrder, Merged, Progress, Status,
    StatusChange, Store, Texts, TriageResult,
};

/// A finding of a class; the number makes its signature its own.
fn finding(class: Class, number: u64) -> Finding {
    serde_json::from_value(json!({
        "format": FINDING_FORMAT, "class": class, "evidence": [], "predicate": null,
        "signature": { "label": { "script": format!("{class}{number:04x}"), "stated": "sat" } },
        "runs": [{
            "id": "z3@5.4.0", "name": "z3", "version": "5.4.0", "spec": "z3@5.4.0", "command": "z3", "suspect": true,
            "result": { "outcome": "answered" }, "exit": { "code": 0 }, "milliseconds": 1, "stdout": "", "stderr": "",
        }],
        "theories": ["Ints"], "seed_name": format!("seed-{}", number % 3), "lineage": [], "found_by": "0.1.0",
        "origin": {
            "campaign_seed": 1, "strategy": if number.is_multiple_of(2) { "grammar" } else { "opfuzz" },
            "seed_hash": format!("{:04x}", number % 3), "round": 0, "index": number,
        },
    }))
    .unwrap()
}

fn record(store: &mut Store, class: Class, number: u64) -> String {
    let texts = Texts { case: "(check-sat)", seed: "(check-sat)", plain: None };
    store.record(&finding(class, number), texts).unwrap().id().to_owned()
}

fn ids(browser: &Browser, filter: &FindingFilter, order: FindingOrder) -> Vec<String> {
    let page = browser.page(filter, order, 0, 100).unwrap();
    assert_eq!(page.total, page.findings.len() as u64);
    page.findings.into_iter().map(|(listed, _)| listed.id).collect()
}

#[test]
fn the_order_by_severity_is_that_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    for (number, class) in Class::ALL.into_iter().rev().enumerate() {
        for needs_options in [false, true] {
            let id = record(&mut store, class, 2 * number as u64 + u64::from(needs_options));
            store.triaged(&id, TriageResult { class, needs_options, title: "t", reduced_bytes: 1 }).unwrap();
        }
    }
    let browser = Browser::open(folder.path()).unwrap();
    let page = browser.page(&FindingFilter::default(), FindingOrder::Severity, 0, 100).unwrap();
    assert_eq!(page.total, 2 * Class::ALL.len() as u64);
    let severities: Vec<Severity> = page.findings.iter().map(|(listed, _)| listed.severity).collect();
    assert!(severities.is_sorted(), "{severities:?}");
    let listed: Vec<_> = store.findings().unwrap();
    assert!(page.findings.iter().map(|(listed, _)| listed).eq(&listed), "both lists are the same");
}

#[test]
fn findings_are_filtered_and_paged() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let crashes: Vec<String> = (0..4).map(|number| record(&mut store, Class::Crash, number)).collect();
    let slow = record(&mut store, Class::Performance, 9);
    store.merge(&Merged { id: crashes[3].clone(), into: crashes[0].clone() }).unwrap();
    let mut browser = Browser::open(folder.path()).unwrap();
    let all = browser.outdated(100).unwrap();
    assert_eq!(all.len(), 5);
    let facets = all.into_iter().map(|entry| Facets {
        values: vec![
            (FacetKind::Operator, if entry.id == slow { "bvadd" } else { "str.++" }.to_owned()),
            (FacetKind::Strategy, "grammar".to_owned()),
            (FacetKind::Solver, "z3@5.4.0".to_owned()),
        ],
        finding: entry.id,
        stamp: entry.stamp,
    });
    browser.set_facets(&facets.collect::<Vec<_>>()).unwrap();
    assert_eq!(browser.outdated(100).unwrap(), []);
    assert_eq!(browser.facet_values(FacetKind::Operator, 10).unwrap(), ["bvadd", "str.++"]);
    assert_eq!(browser.facet_values(FacetKind::Operator, 1).unwrap(), ["bvadd"]);
    assert_eq!(browser.yields().unwrap().into_values().collect::<Vec<_>>(), [4]);
    let by = |change: &dyn Fn(&mut FindingFilter)| {
        let mut filter = FindingFilter::default();
        change(&mut filter);
        ids(&browser, &filter, FindingOrder::Newest).len()
    };
    let operator = |value: &str| vec![(FacetKind::Operator, value.to_owned())];
    assert_eq!(by(&|_| ()), 4);
    assert_eq!(by(&|filter| filter.merged = true), 5);
    assert_eq!(by(&|filter| filter.class = Some(Class::Crash)), 3);
    assert_eq!(by(&|filter| filter.bug = Some(false)), 1);
    assert_eq!(by(&|filter| filter.facets = operator("bvadd")), 1);
    assert_eq!(by(&|filter| filter.facets = [operator("bvadd"), operator("str.++")].concat()), 0);
    assert_eq!(by(&|filter| filter.text = Some("performance".to_owned())), 1);
    // The signs of a pattern are text.
    assert_eq!(by(&|filter| filter.text = Some("%".to_owned())), 0);
    assert_eq!(by(&|filter| filter.since = Some(u64::MAX >> 1)), 0);
    let page = browser.page(&FindingFilter::default(), FindingOrder::Severity, 1, 2).unwrap();
    assert_eq!((page.total, page.findings.len()), (4, 2));
    let merged = browser.merged_into(&crashes[0]).unwrap();
    assert!(merged.len() == 1 && merged[0].id == crashes[3]);
    let (first, _) = browser.finding(&crashes[0]).unwrap().unwrap();
    assert_eq!(first.count, 2);
    assert_eq!(browser.occurrences(&crashes[0], 0, 10).unwrap().0, 2);
    assert_eq!(browser.similar(&first, 10).unwrap().len(), 2);
    assert_eq!(browser.class_counts().unwrap()[&Class::Crash], 3);
    let (total, seeds) = browser.seeds(0, 10).unwrap();
    assert_eq!((total, seeds.len(), seeds[0].findings), (3, 3, 2));
    // Triage changes what a finding looks like, and so what it can be filtered by.
    store
        .triaged(
            &slow,
            TriageResult { class: Class::Crash, needs_options: false, title: "t", reduced_bytes: 7 },
        )
        .unwrap();
    assert_eq!(browser.outdated(100).unwrap()[0].id, slow);
    assert_eq!(browser.without_releases(10).unwrap()[0].id, slow);
}

#[test]
fn decisions_are_kept_with_their_history() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let (one, other) = (record(&mut store, Class::Crash, 1), record(&mut store, Class::Crash, 2));
    let mut browser = Browser::open(folder.path()).unwrap();
    assert_eq!(browser.status(&one).unwrap(), StatusChange::default());
    let change = |status, detail: &str, changed| StatusChange { status, detail: detail.to_owned(), changed };
    let changes = [change(Status::Triaging, "", 1), change(Status::Filed, "https://example.org/1", 2)];
    changes.iter().for_each(|change| browser.set_status(&one, change).unwrap());
    assert_eq!(browser.status(&one).unwrap(), changes[1]);
    assert_eq!(browser.status_history(&one).unwrap(), [changes[1].clone(), changes[0].clone()]);
    let with = |status| FindingFilter { status: Some(status), ..FindingFilter::default() };
    assert_eq!(ids(&browser, &with(Status::Filed), FindingOrder::Severity), [one]);
    assert_eq!(ids(&browser, &with(Status::New), FindingOrder::Severity), [other]);
    assert_eq!(browser.status_counts().unwrap(), [("filed", 1)].into());
}

#[test]
fn samples_are_spread_over_the_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let id = store.begin(7, "{}").unwrap();
    // A gap in the middle: the campaign was stopped.
    for at in (0..500).chain(1500..2000) {
        store.sample(id, at * 10, &at.to_string()).unwrap();
    }
    let progress = Progress { elapsed: 20_000, totals: "totals".to_owned(), ..Progress::default() };
    store.save(id, CampaignState::Stopped, &progress).unwrap();
    let browser = Browser::open(folder.path()).unwrap();
    let samples = browser.samples_between(id, 0, 20_000, 100).unwrap();
    let times: Vec<u64> = samples.iter().map(|(elapsed, _)| *elapsed).collect();
    assert!(times.is_sorted() && times[0] == 0 && (50..=101).contains(&times.len()), "{times:?}");
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] <= 210 || pair[1] == 15_000), "{times:?}");
    assert_eq!(browser.samples_between(id, 5_000, 14_000, 10).unwrap(), []);
    assert_eq!(browser.samples_between(id, 100, 100, 10).unwrap(), [(100, "10".to_owned())]);
    assert_eq!(browser.totals(id).unwrap(), "totals");
    let entry = browser.campaign(id).unwrap().unwrap();
    assert_eq!((entry.seed, entry.state, entry.elapsed), (7, CampaignState::Stopped, 20_000));
    assert!(Browser::open(Path::new("/nonexistent")).is_err());
}
