//! The site as programs see it: the interface and its description, what is refused, and the texts of a finding.

use case::FINDING_FORMAT;
use serde_json::{Value, json};
use serve::data::FolderData;
use serve::{Access, Handler, Jobs, OPENAPI, Request, Response, Site};
use solver::install::Settings;
use std::path::Path;
use std::sync::Arc;
use store::{CampaignState, Progress, Store, Texts};
use triage::QuietSource;
use triage::releases::{Probe, Releases, State};

const TOKEN: &str = "0123456789abcdef0123";
const SCRIPT: &str = "(declare-const x Int)\n(assert (> x \"<script>\"))\n(check-sat)\n";

/// A site about a folder with one campaign and one finding, and the name of the finding.
fn site(folder: &Path) -> (Site, String) {
    let mut store = Store::open(folder).unwrap();
    let campaign = store.begin(7, "{\"timeout\":2000}").unwrap();
    store.sample(campaign, 10, "{\"cases\":5}").unwrap();
    let progress = Progress { elapsed: 20, ..Progress::default() };
    store.save(campaign, CampaignState::Stopped, &progress).unwrap();
    let finding = json!({
        "format": FINDING_FORMAT, "class": "crash", "evidence": [], "predicate": null,
        "signature": { "label": { "script": "00", "stated": "sat" } }, "runs": [], "theories": ["Ints"],
        "seed_name": "a.smt2", "lineage": [], "found_by": "0.1.0",
        "origin": { "campaign_seed": 7, "strategy": "grammar", "seed_hash": "0f", "round": 0, "index": 3 },
    });
    let texts = Texts { case: SCRIPT, seed: "(check-sat)\n", plain: None };
    let id = store.record(&serde_json::from_value(finding).unwrap(), texts).unwrap().id().to_owned();
    let access =
        Access { token: TOKEN.to_owned(), loopback: true, read_only: false, hosts: Vec::new(), port: 1 };
    let data = FolderData::open(folder).unwrap();
    data.refresh().unwrap();
    let source = QuietSource(Settings { install_missing: false, ..Settings::from_environment().unwrap() });
    let jobs = Jobs::start(folder, &folder.join("known.json"), Box::new(source)).unwrap();
    (Site::new(Arc::new(data), access, Some(jobs)), id)
}

fn get(site: &Site, path: &str) -> Response {
    let mut request = Request::get(path);
    request.headers.push(("host".to_owned(), "localhost:1".to_owned()));
    site.respond(&request)
}

fn post(site: &Site, path: &str, body: &str, token: &str) -> Response {
    let mut request = Request::get(path);
    request.method = "POST".to_owned();
    let headers = [("host", "localhost:1"), ("content-type", "application/json"), ("authorization", token)];
    request.headers.extend(headers.map(|(name, value)| (name.to_owned(), value.to_owned())));
    request.body = body.as_bytes().to_vec();
    site.respond(&request)
}

fn json_of(response: &Response) -> Value {
    serde_json::from_slice(&response.body).unwrap_or_else(|error| panic!("{error}: {response:?}"))
}

#[test]
fn every_described_address_answers_as_described() {
    let folder = tempfile::tempdir().unwrap();
    let (site, id) = site(folder.path());
    let bearer = format!("Bearer {TOKEN}");
    let description: Value = serde_json::from_str(OPENAPI).unwrap();
    assert_eq!(json_of(&get(&site, "/api/openapi.json")), description);
    for (path, methods) in description["paths"].as_object().unwrap() {
        let number = if path.contains("/campaigns/") { "1" } else { &id };
        let address = path.replace("{id}", number).replace("{number}", "1");
        if !methods["get"].is_null() {
            let response = get(&site, &address);
            assert_eq!(response.status, 200, "{path}");
            assert!(
                !methods["get"]["responses"]["200"]["content"][response.kind].is_null(),
                "{path}: {}",
                response.kind
            );
            if !methods["get"]["responses"]["404"].is_null() && path.contains('{') {
                let unknown = path.replace("{id}", "none");
                assert_eq!(get(&site, &unknown).status, 404, "{unknown}");
            }
        }
        if !methods["post"].is_null() {
            assert_eq!(post(&site, &address, "{}", "").status, 401, "{path}");
            let response = post(&site, &address, "{}", &bearer);
            assert!(
                !methods["post"]["responses"][response.status.to_string()].is_null(),
                "{path}: {response:?}"
            );
            assert!(json_of(&response)["error"].is_string(), "{path}");
        }
    }
    // The schemas name what the answers have.
    let findings =
        json_of(&get(&site, "/api/findings?class=crash&status=new&theory=Ints&strategy=grammar&q=crash"));
    assert_eq!(findings["total"], 1);
    for name in description["components"]["schemas"]["Finding"]["properties"].as_object().unwrap().keys() {
        assert!(
            !findings["findings"][0][name].is_null()
                || ["reduced_bytes", "merged_into"].contains(&name.as_str()),
            "{name}"
        );
    }
    assert_eq!(json_of(&get(&site, "/api/findings?class=performance"))["total"], 0);
    assert_eq!(get(&site, "/api/findings?class=nonsense").status, 404);
    assert_eq!(json_of(&get(&site, "/api/campaigns/1"))["samples"][0]["statistics"]["cases"], 5);
}

#[test]
fn a_status_needs_what_belongs_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let (site, id) = site(folder.path());
    let bearer = format!("Bearer {TOKEN}");
    let path = format!("/api/findings/{id}/status");
    let table = [
        ("{\"status\":\"filed\"}", 400),
        ("{\"status\":\"odd\"}", 400),
        ("not json", 400),
        ("{\"status\":\"fixed\",\"detail\":\"5.4.1\"}", 200),
        ("{\"status\":\"not-a-bug\",\"detail\":\"<b>no</b>\"}", 200),
    ];
    for (body, expected) in table {
        assert_eq!(post(&site, &path, body, &bearer).status, expected, "{body}");
    }
    let history = &json_of(&get(&site, &format!("/api/findings/{id}")))["history"];
    assert_eq!(history.as_array().unwrap().len(), 2);
    let page = String::from_utf8(get(&site, &format!("/findings/{id}")).body).unwrap();
    assert!(page.contains("&lt;b&gt;no&lt;/b&gt;") && !page.contains("<b>no"), "{page}");
    assert_eq!(post(&site, "/api/findings/none/status", "{\"status\":\"ready\"}", &bearer).status, 404);
}

#[test]
fn a_failed_action_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let (site, id) = site(folder.path());
    let bearer = format!("Bearer {TOKEN}");
    let path = format!("/api/findings/{id}/jobs");
    assert_eq!(post(&site, &path, "{\"action\":\"known\"}", &bearer).status, 400);
    assert_eq!(post(&site, &path, "{\"action\":\"reduce\"}", &bearer).status, 202);
    let job = loop {
        let job = json_of(&get(&site, "/api/jobs"))[0].take();
        if !["waiting", "running"].contains(&job["state"].as_str().unwrap()) {
            break job;
        }
        std::thread::yield_now();
    };
    assert_eq!(job["state"], "failed");
    assert!(job["lines"][0].as_str().unwrap().contains("no plain run can show"), "{job}");
}

#[test]
fn texts_are_texts_and_nothing_else_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let (site, id) = site(folder.path());
    let text = get(&site, &format!("/findings/{id}/case.smt2"));
    assert_eq!(
        (text.kind, String::from_utf8(text.body).unwrap().as_str()),
        ("text/plain; charset=utf-8", SCRIPT)
    );
    for path in [
        format!("/findings/{id}/finding.json"),
        format!("/findings/{id}/..%2f..%2felenchus.db"),
        "/findings/..%2f..".to_owned(),
        "/assets/../elenchus.db".to_owned(),
        "/nowhere".to_owned(),
    ] {
        assert_eq!(get(&site, &path).status, 404, "{path}");
    }
    let mut written = Vec::new();
    get(&site, "/").write(&mut written, true, true).unwrap();
    let head = String::from_utf8(written).unwrap();
    for header in [
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self';",
        "X-Content-Type-Options: nosniff",
        "X-Frame-Options: DENY",
        "Referrer-Policy: same-origin",
    ] {
        assert!(head.contains(header), "{header} is not in {head:.900}");
    }
    assert!(!head.contains("style=") && !head.contains("onclick") && !head.contains("<script>"));
}

#[test]
fn releases_that_were_not_tested_are_shown_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let (site, id) = site(folder.path());
    let probe = |release: &str, state| Probe {
        release: release.to_owned(),
        state,
        result: None,
        cpu_ms: None,
        note: None,
    };
    let found = Releases {
        solver: "z3".to_owned(),
        probes: vec![probe("z3@4.8.7", State::Good), probe("z3@4.8.10", State::Bad)],
        untested: ["z3@4.8.9", "z3@5.4.0"].map(str::to_owned).to_vec(),
        first_bad: "z3@4.8.10".to_owned(),
        no_good_before: false,
        first_good: None,
        newest: None,
        undecided: false,
    };
    found.save(&folder.path().join("findings").join(&id), SCRIPT).unwrap();
    let releases = &json_of(&get(&site, &format!("/api/findings/{id}")))["releases"];
    assert_eq!(releases["untested"], json!(["z3@4.8.9", "z3@5.4.0"]));
    let description: Value = serde_json::from_str(OPENAPI).unwrap();
    let described = description["components"]["schemas"]["Releases"]["properties"].as_object().unwrap();
    assert!(described.keys().all(|name| releases.get(name).is_some()), "{releases}");
    let page = String::from_utf8(get(&site, &format!("/findings/{id}")).body).unwrap();
    let cells = [
        "4.8.7</b><span>good",
        "4.8.9</b><span>not tested",
        "4.8.10</b><span>bad",
        "5.4.0</b><span>not tested",
    ];
    let places = cells.map(|cell| page.find(cell).unwrap_or_else(|| panic!("{cell} is not on {page}")));
    assert!(places.is_sorted(), "{places:?}");
    assert!(page.contains("2 of 4 releases were tested"), "{page}");
}
