//! Commands on a campaign in a common store, and what becomes of its findings in several processes.

use case::{Class, Origin};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use store::Store;
use store::shared::{
    FindingFile, FindingSummary, JobState, Member, NewCampaign, NewFinding, Outgoing, SharedStore,
    StrategyEntry, WorkKind, open,
};

/// A machine: a folder for its cache, with the solvers of this one.
fn machine(folder: &Path, name: &str) -> PathBuf {
    let cache = folder.join(name);
    std::fs::create_dir(&cache).unwrap();
    let solvers = solver::install::Settings::from_environment().unwrap().cache;
    for entry in std::fs::read_dir(solvers).into_iter().flatten().flatten() {
        if entry.file_name() != "mirrors" {
            std::os::unix::fs::symlink(entry.path(), cache.join(entry.file_name())).unwrap();
        }
    }
    cache
}

fn command(folder: &Path, cache: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
    command.current_dir(folder).args(arguments).env("ELENCHUS_CACHE", cache);
    for name in ["ELENCHUS_STORE", "ELENCHUS_CAMPAIGN"] {
        command.env_remove(name);
    }
    command
}

fn ran(mut command: Command) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.code(), String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr))
}

/// Starts a campaign whose fuzzing is done, with these findings.
fn campaign(url: &str, settings: &str, findings: Vec<NewFinding>) -> Box<dyn SharedStore> {
    let mut shared = open(url).unwrap();
    let campaign = shared
        .create(&NewCampaign {
            name: "nightly".to_owned(),
            seed: 7,
            settings: settings.to_owned(),
            requirements: "{}".to_owned(),
            strategies: vec![StrategyEntry { name: "seeds".to_owned(), turns: Some(0) }],
            seeds: Vec::new(),
        })
        .unwrap();
    let member = Member {
        machine: "host-a".to_owned(),
        process: 12,
        workers: 2,
        version: "0.1.0".to_owned(),
        work: vec![WorkKind::Fuzz],
    };
    let member = shared.enter(campaign.id, &member).unwrap();
    shared.exchange(member, &Outgoing { findings, leaves: true, ..Outgoing::default() }).unwrap();
    shared
}

fn crash() -> NewFinding {
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
        origin: Origin {
            campaign_seed: 7,
            strategy: "seeds".into(),
            seed_hash: "00ff".into(),
            round: 0,
            index: 1,
        },
        age: Duration::ZERO,
        files: vec![FindingFile { path: "case.smt2".to_owned(), content: b"(check-sat)\n".to_vec() }],
    }
}

#[test]
fn commands_read_a_common_store() {
    let folder = tempfile::tempdir().unwrap();
    let cache = machine(folder.path(), "one");
    let elenchus = |arguments: &[&str]| ran(command(folder.path(), &cache, arguments));
    let url = format!("sqlite:{}", folder.path().join("common.db").display());
    campaign(&url, "{}", vec![crash()]);
    let at = ["--store", url.as_str()];
    let (code, text) = elenchus(&[&["findings"], &at[..]].concat());
    assert!(code == Some(0) && text.contains("z3 crashes"), "{text}");
    let (code, text) = elenchus(&[&["findings", "--json", "--campaign", "nightly"], &at[..]].concat());
    let listed: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &listed[0]["count"]), (Some(0), &Value::from(1)), "{text}");
    let mut by_environment = command(folder.path(), &cache, &["findings"]);
    by_environment.env("ELENCHUS_STORE", &url);
    assert!(ran(by_environment).1.contains("z3 crashes"));

    let (code, text) = elenchus(&[&["store", "status"], &at[..]].concat());
    assert_eq!(code, Some(0), "{text}");
    for part in ["nightly: finished", "1 finding", "1 left", "reduce: 1 waiting, 0 running, 0 failed"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let (_, text) = elenchus(&[&["store", "status", "--json"], &at[..]].concat());
    let status: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(status["campaigns"][0]["members"][0]["machine"], "host-a", "{text}");
    let (code, text) = elenchus(&[&["store", "migrate"], &at[..]].concat());
    assert!(code == Some(0) && text.contains("layout"), "{text}");

    let queue = [&["regress", "--solver", "z3@4.8.10", "--queue"], &at[..]].concat();
    let (code, text) = elenchus(&queue);
    assert!(code == Some(0) && text.contains("Queued: regress z3@4.8.10 for nightly"), "{text}");
    let (code, text) = elenchus(&[&["learn", "--solver", "z3", "--time", "1s", "--queue"], &at[..]].concat());
    assert!(code == Some(0) && text.contains("Queued: learn z3"), "{text}");
    let (_, text) = elenchus(&[&["store", "status"], &at[..]].concat());
    assert!(text.contains("regress: 1 waiting") && text.contains("learn: 1 waiting"), "{text}");
    let (code, text) = elenchus(&[&["known", "list"], &at[..]].concat());
    assert_eq!((code, text.as_str()), (Some(0), ""));

    let (code, text) = elenchus(&[&["store", "export", "--to", "copy.db"], &at[..]].concat());
    assert!(code == Some(0) && text.contains("Copied nightly"), "{text}");
    let (code, text) = elenchus(&["store", "import", "copy.db", "--store", "sqlite:second.db"]);
    assert!(code == Some(0) && text.contains("Copied nightly"), "{text}");
    let (_, text) = elenchus(&["findings", "--store", "sqlite:second.db"]);
    assert!(text.contains("z3 crashes"), "{text}");
}

#[test]
fn what_is_wrong_with_a_store_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let cache = machine(folder.path(), "one");
    let url = format!("sqlite:{}", folder.path().join("common.db").display());
    campaign(&url, "{}", vec![]);
    let table: [(&[&str], &str); 8] = [
        (&["findings", "--store", &url, "--out", "x"], "cannot be used with"),
        (&["findings", "--store", &url, "--campaign", "daily"], "has no campaign `daily`"),
        (&["findings", "--campaign", "nightly"], "no store is named"),
        (
            &["findings", "--store", "postgres://me:secret@127.0.0.1:1/x"],
            "can read the password in postgres://me:***@",
        ),
        (&["findings", "--store", "magic:x"], "is not the URL of a store"),
        (&["store", "status"], "ELENCHUS_STORE"),
        (&["store", "import", "missing.db", "--store", &url], "no such file: missing.db"),
        (&["regress", "--solver", "z3", "--queue"], "no store is named"),
    ];
    for (arguments, expected) in table {
        let (code, text) = ran(command(folder.path(), &cache, arguments));
        assert_eq!(code, Some(2), "{arguments:?}\n{text}");
        assert!(text.contains(expected) && !text.contains("secret"), "{arguments:?}\n{text}");
    }
}

/// The findings of a folder as its process sends them.
fn findings_of(out: &Path) -> (String, Vec<NewFinding>) {
    let local = Store::open_existing(out).unwrap();
    let settings = local.last_campaign().unwrap().unwrap().settings;
    let new = local.all_findings().unwrap().into_iter().map(|listed| {
        let (finding, ..) = local.read(&listed).unwrap();
        let folder = out.join(&listed.folder);
        let file = |path: &str| FindingFile {
            path: path.to_owned(),
            content: std::fs::read(folder.join(path)).unwrap_or_default(),
        };
        let solvers: Vec<_> = finding.runs.iter().map(|run| (&run.id, &run.name, &run.version)).collect();
        NewFinding {
            signature: listed.signature.clone(),
            summary: FindingSummary {
                class: listed.class,
                title: listed.title.clone(),
                bug: listed.bug,
                needs_options: false,
                solvers: serde_json::json!(solvers).to_string(),
                reduced_bytes: None,
            },
            origin: finding.origin.clone(),
            age: Duration::ZERO,
            files: ["case.smt2", "seed.smt2", "finding.json", "README.md"].map(file).to_vec(),
        }
    });
    (settings, new.collect())
}

/// Ends a process with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn findings_are_reduced_bisected_and_reported_by_processes_that_may_die() {
    let folder = tempfile::tempdir().unwrap();
    let caches = ["one", "two", "three"].map(|name| machine(folder.path(), name));
    let elenchus = |arguments: &[&str]| ran(command(folder.path(), &caches[2], arguments));
    let (code, text) = elenchus(&["solver", "install", "z3@4.8.10", "z3@5.4.0"]);
    if code != Some(0) {
        return testing::skip(text);
    }
    std::fs::create_dir(folder.path().join("seeds")).unwrap();
    let half = "(declare-const x Int)\n(assert (not (is_int (to_real (/ 1 2)))))\n(check-sat)\n";
    let sign = "(declare-const a Int)\n(declare-const b Int)\n(assert (> b 3))\n(assert (= \"-1\" (str.from_int a)))\n(check-sat)\n";
    for (name, script) in [("half.smt2", half), ("sign.smt2", sign)] {
        std::fs::write(folder.path().join("seeds").join(name), script).unwrap();
    }
    let solvers = ["--solver", "z3@4.8.10", "--solver", "z3@5.4.0"];
    let fuzz = ["fuzz", "seeds", "--strategy", "seeds", "--no-triage", "--jobs", "1", "--out", "out"];
    let (code, text) = elenchus(&[&fuzz[..], &solvers].concat());
    assert_eq!(code, Some(1), "{text}");

    let (settings, findings) = findings_of(&folder.path().join("out"));
    let count = findings.len();
    assert!(count >= 2);
    let url = format!("sqlite:{}?job-lease=2s&retry-pause=1s", folder.path().join("common.db").display());
    let mut shared = campaign(&url, &settings, findings);
    let id = shared.campaign("nightly").unwrap().unwrap().id;
    let only = ["fuzz", "--store", &url, "--campaign", "nightly", "--only", "reduce,bisect,report"];
    let start = |cache: &Path| {
        let mut command = command(folder.path(), cache, &only);
        Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    };
    // The first process dies in the middle of a job.
    let mut first = start(&caches[0]);
    let begun = Instant::now();
    let is_running = |shared: &mut dyn SharedStore| {
        shared.jobs(id).unwrap().iter().any(|job| job.state == JobState::Running)
    };
    while !is_running(&mut *shared) {
        assert!(begun.elapsed() < Duration::from_secs(60), "no job was begun: {:?}", first.0.try_wait());
        std::thread::sleep(Duration::from_millis(5));
    }
    first.0.kill().unwrap();
    let mut second = start(&caches[1]);
    let status = loop {
        if let Some(status) = second.0.try_wait().unwrap() {
            break status;
        }
        assert!(begun.elapsed() < Duration::from_secs(500), "{:?}", shared.jobs(id));
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(status.success(), "{status}");
    assert!(shared.jobs(id).unwrap().is_empty(), "{:?}", shared.jobs(id));

    // A third machine has it all, and its own copy is pushed by a command.
    let (code, text) = elenchus(&["findings", "--store", &url, "--json"]);
    assert_eq!(code, Some(0), "{text}");
    let listed: Value = serde_json::from_str(&text).unwrap();
    // Some of them turned out to be one bug.
    let left = listed.as_array().unwrap().len();
    assert!((2..=count).contains(&left), "{text}");
    for one in listed.as_array().unwrap() {
        let id = one["id"].as_str().unwrap();
        assert!(one["reduced_bytes"].as_u64().unwrap() < sign.len() as u64, "{one}");
        let (code, text) = elenchus(&["show", id, "--store", &url]);
        assert!(code == Some(0) && text.contains("right again since z3@4."), "{text}");
    }
    let first = listed[0]["id"].as_str().unwrap();
    let (code, text) = elenchus(&["regress", "--store", &url, "--solver", "z3@5.4.0"]);
    assert!(code == Some(0) && text.contains(&format!("{left} fixed")), "{text}");
    let files = shared.files(id, first).unwrap();
    assert!(files.iter().any(|file| file.path == "regress.json"), "{:?}", files.len());
    let (code, text) = elenchus(&["known", "add", first, "--link", "https://example.org/1", "--store", &url]);
    assert_eq!(code, Some(0), "{text}");
    let (_, text) = elenchus(&["known", "list", "--store", &url]);
    assert!(text.contains("https://example.org/1"), "{text}");
    let (_, text) = elenchus(&["findings", "--new", "--store", &url]);
    assert!(!text.contains(first), "{text}");
}
