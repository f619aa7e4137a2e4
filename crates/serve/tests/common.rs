//! The pages of a campaign that several machines share: its processes, and how decisions and actions reach the others.

use campaign::place::CommonPlace;
use case::{Class, FINDING_FORMAT, Origin};
use serde_json::{Value, json};
use serve::data::FolderData;
use serve::{Access, Common, Handler, Jobs, Request, Response, Site};
use solver::install::Settings;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::Status;
use store::shared::{
    CampaignId, FindingFile, FindingSummary, Member, MemberId, NewCampaign, NewFinding, Outgoing,
    SharedStore, StrategyEntry, WorkKind, open,
};
use tempfile::TempDir;
use testing::Postgres;
use triage::QuietSource;

const TOKEN: &str = "0123456789abcdef0123";

/// A store with a campaign, two processes and a finding, and a site about it.
struct Place {
    shared: Box<dyn SharedStore>,
    campaign: CampaignId,
    members: [MemberId; 2],
    finding: String,
    site: Site,
    _folder: TempDir,
    _server: Option<Postgres>,
}

fn member(machine: &str, work: &[WorkKind]) -> Member {
    Member {
        machine: machine.to_owned(),
        process: 12,
        workers: 3,
        version: "0.1.0".to_owned(),
        work: work.to_vec(),
    }
}

fn new_finding() -> NewFinding {
    let origin =
        Origin { campaign_seed: 7, strategy: "grammar".into(), seed_hash: "0f".into(), round: 0, index: 3 };
    let described = json!({
        "format": FINDING_FORMAT, "class": "crash", "evidence": [], "predicate": null,
        "signature": { "label": { "script": "00", "stated": "sat" } }, "runs": [], "theories": ["Ints"],
        "seed_name": "a.smt2", "lineage": [], "found_by": "0.1.0", "origin": origin,
    });
    let file =
        |path: &str, content: String| FindingFile { path: path.to_owned(), content: content.into_bytes() };
    NewFinding {
        signature: "crash of z3".to_owned(),
        summary: FindingSummary {
            class: Class::Crash,
            title: "z3 crashes".to_owned(),
            bug: true,
            needs_options: false,
            solvers: r#"[["z3@4.8.10","z3","4.8.10"]]"#.to_owned(),
            reduced_bytes: None,
        },
        origin,
        age: Duration::ZERO,
        files: vec![
            file("case.smt2", "(check-sat)\n".to_owned()),
            file("finding.json", described.to_string()),
        ],
    }
}

impl Place {
    /// One in each kind of store.
    fn all() -> Vec<Place> {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("common.db").display());
        let mut places = vec![Place::new(&url, folder, None)];
        if let Some(server) = Postgres::start() {
            places.push(Place::new(&server.url(), tempfile::tempdir().unwrap(), Some(server)));
        }
        places
    }

    fn new(url: &str, folder: TempDir, server: Option<Postgres>) -> Place {
        let mut shared = open(url).unwrap();
        let campaign = NewCampaign {
            name: "nightly".to_owned(),
            seed: 7,
            settings: "{\"timeout\":2000}".to_owned(),
            requirements: "{}".to_owned(),
            strategies: vec![StrategyEntry { name: "grammar".to_owned(), turns: None }],
            seeds: Vec::new(),
        };
        let campaign = shared.create(&campaign).unwrap().id;
        let members = [("alpha", &WorkKind::ALL[..]), ("beta", &[WorkKind::Reduce])]
            .map(|(machine, work)| shared.enter(campaign, &member(machine, work)).unwrap());
        let news = Outgoing {
            findings: vec![new_finding()],
            statistics: "{\"cases\":80}".to_owned(),
            ..Outgoing::default()
        };
        shared.exchange(members[0], &news).unwrap();
        let leaving = Outgoing { leaves: true, ..Outgoing::default() };
        shared.exchange(members[1], &leaving).unwrap();
        let finding = shared.findings_since(campaign, 0, 10).unwrap().remove(0).id;
        let cache = folder.path().join("cache");
        let common = Common::follow(CommonPlace::open(url, Some("nightly"), &cache).unwrap()).unwrap();
        let common = Arc::new(common);
        let data = FolderData::open_common(common.clone()).unwrap();
        data.refresh().unwrap();
        let source =
            QuietSource(Settings { install_missing: false, ..Settings::from_environment().unwrap() });
        let jobs = Jobs::start_common(common, Box::new(source)).unwrap();
        let access =
            Access { token: TOKEN.to_owned(), loopback: true, read_only: false, hosts: Vec::new(), port: 1 };
        let site = Site::new(Arc::new(data), access, Some(jobs));
        Place { shared, campaign, members, finding, site, _folder: folder, _server: server }
    }

    fn get(&self, path: &str) -> String {
        let mut request = Request::get(path);
        request.headers.push(("host".to_owned(), "localhost:1".to_owned()));
        let response = self.site.respond(&request);
        assert_eq!(response.status, 200, "{path}");
        String::from_utf8(response.body).unwrap()
    }

    fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.get(path)).unwrap()
    }

    fn post(&self, path: &str, body: &Value) -> Response {
        let mut request = Request::get(path);
        request.method = "POST".to_owned();
        let bearer = format!("Bearer {TOKEN}");
        let headers =
            [("host", "localhost:1"), ("content-type", "application/json"), ("authorization", &bearer)];
        request.headers.extend(headers.map(|(name, value)| (name.to_owned(), value.to_owned())));
        request.body = body.to_string().into_bytes();
        self.site.respond(&request)
    }

    /// Waits until the first job is in a state.
    fn wait_for_job(&self, state: &str) -> Value {
        let begun = Instant::now();
        loop {
            let job = self.json("/api/jobs")[0].take();
            if job["state"] == state {
                return job;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "not {state}: {job}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

#[test]
fn the_processes_of_all_machines_are_shown() {
    for place in Place::all() {
        let machines = &place.json("/api/overview")["machines"];
        let column = |name: &str| -> Vec<Value> {
            machines.as_array().unwrap().iter().map(|machine| machine[name].clone()).collect()
        };
        assert_eq!(column("name"), [json!("alpha"), json!("beta")]);
        assert_eq!(column("state"), [json!("working"), json!("left")]);
        assert_eq!(column("workers"), [json!(3), json!(3)]);
        assert_eq!(column("work")[1], json!(["reduce"]));
        let page = place.get("/");
        for part in ["alpha", "beta", "everything", "working", "left", "running"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(!page.contains("not working"), "{page}");
        // The new bug waits to be reduced.
        let jobs = place.json("/api/overview")["shared"]["jobs"].take();
        let reduce = jobs.as_array().unwrap().iter().find(|count| count["kind"] == "reduce").unwrap();
        assert_eq!(reduce["waiting"], 1, "{jobs}");
        let page = place.get("/campaign");
        assert!(page.contains("elenchus fuzz --store ") && page.contains("--campaign nightly"), "{page}");
        assert!(!page.contains("--resume"), "{page}");
    }
}

#[test]
fn a_decision_is_in_the_store_at_once() {
    for mut place in Place::all() {
        let path = format!("/api/findings/{}/status", place.finding);
        let body = json!({ "status": "filed", "detail": "https://example.org/1" });
        assert_eq!(place.post(&path, &body).status, 200);
        let found = place.shared.findings_since(place.campaign, 0, 10).unwrap().remove(0);
        assert_eq!((found.status.status, &*found.status.detail), (Status::Filed, "https://example.org/1"));
        let shown = place.json(&format!("/api/findings/{}", place.finding));
        assert_eq!(shown["listed"]["status"], "filed");
        assert_eq!(shown["history"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn an_action_waits_for_any_machine() {
    for mut place in Place::all() {
        let path = format!("/api/findings/{}/jobs", place.finding);
        let answer = place.post(&path, &json!({ "action": "bisect" }));
        assert_eq!(answer.status, 202, "{answer:?}");
        let job = place.wait_for_job("waiting");
        assert_eq!((&job["queued"], &job["action"]), (&json!(true), &json!("bisect")));
        // It belongs to all machines.
        assert_eq!(place.post("/api/jobs/1/stop", &json!({})).status, 404);
        let taken = place.shared.take_job(place.members[0], &[WorkKind::Bisect]).unwrap().unwrap();
        assert_eq!((taken.subject.as_str(), taken.detail.as_str()), (&*place.finding, "{\"all\":true}"));
        place.wait_for_job("running");
        assert!(place.shared.finish_job(place.members[0], &taken, None).unwrap());
        let job = place.wait_for_job("done");
        assert_eq!(job["lines"], json!(["a machine of the campaign has done it"]));
    }
}

#[test]
fn what_runs_here_fails_here() {
    for place in Place::all() {
        let path = format!("/api/findings/{}/jobs", place.finding);
        assert_eq!(
            place.post(&path, &json!({ "action": "known", "link": "https://example.org/1" })).status,
            202
        );
        let job = place.wait_for_job("failed");
        assert_eq!(job["queued"], false);
    }
}
