//! Collecting, against a little server that plays GitHub's interface with its faults.

use history::{Clock, CollectError, CollectSettings, Collected, collect};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What the server does to one request in place of answering it.
#[derive(Clone, Debug)]
enum Fault {
    /// Answers with a status and headers.
    Status(u16, Vec<(&'static str, String)>),
    /// Says how long the answer will be, and closes after the first bytes.
    Cut,
    /// Closes without a word.
    Silence,
}

/// Something that happens to what the server holds.
type Change = Box<dyn FnOnce(&mut World) + Send>;

/// What the server holds.
#[derive(Default)]
struct World {
    issues: Vec<Value>,
    comments: BTreeMap<u64, Vec<Value>>,
    files: BTreeMap<String, String>,
    /// Faults for the next requests, first come first served.
    faults: Vec<Fault>,
    /// Done to the world after so many requests.
    changes: Vec<(usize, Change)>,
    log: Vec<String>,
    tokens: Vec<Option<String>>,
    /// So many requests are answered with the note that none is left.
    exhausted_at: Option<(usize, u64)>,
}

struct Server {
    address: String,
    world: Arc<Mutex<World>>,
}

fn serve(world: World) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let world = Arc::new(Mutex::new(world));
    let (shared, base) = (world.clone(), address.clone());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // One request a connection is all that the tests need.
            let _ = answer(stream, &shared, &base);
        }
    });
    Server { address, world }
}

fn answer(mut stream: TcpStream, world: &Mutex<World>, base: &str) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let (mut etag, mut token) = (None, None);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap();
        match name.to_lowercase().as_str() {
            "if-none-match" => etag = Some(value.trim().to_owned()),
            "authorization" => token = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    let target = first.split_whitespace().nth(1).unwrap_or_default().to_owned();
    let mut world = world.lock().unwrap();
    world.log.push(target.clone());
    world.tokens.push(token);
    let requests = world.log.len();
    let due: Vec<_> = {
        let (now, later) =
            std::mem::take(&mut world.changes).into_iter().partition(|(at, _)| *at <= requests);
        world.changes = later;
        now
    };
    for (_, change) in due {
        change(&mut world);
    }
    if !world.faults.is_empty() {
        match world.faults.remove(0) {
            Fault::Silence => return Ok(()),
            Fault::Cut => {
                return write!(
                    stream,
                    "HTTP/1.1 200 OK\r\ncontent-length: 9000\r\nconnection: close\r\n\r\n[{{\"num"
                );
            }
            Fault::Status(status, headers) => return send(&mut stream, status, &headers, ""),
        }
    }
    let mut headers: Vec<(&'static str, String)> = vec![("content-type", "application/json".to_owned())];
    if let Some((at, reset)) = world.exhausted_at.filter(|(at, _)| *at == requests) {
        let _ = at;
        headers.push(("x-ratelimit-remaining", "0".to_owned()));
        headers.push(("x-ratelimit-reset", reset.to_string()));
    }
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let query: BTreeMap<&str, &str> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
    if let Some(text) = world.files.get(path) {
        return send(&mut stream, 200, &headers, text);
    }
    let all: Vec<Value> = if path == "/repos/o/z3/issues" {
        let since = query.get("since").copied().unwrap_or("");
        let mut all: Vec<Value> =
            world.issues.iter().filter(|one| one["updated_at"].as_str().unwrap() >= since).cloned().collect();
        all.sort_by_key(|one| (one["updated_at"].as_str().unwrap().to_owned(), one["number"].as_u64()));
        all
    } else if let Some(number) =
        path.strip_prefix("/repos/o/z3/issues/").and_then(|rest| rest.strip_suffix("/comments"))
    {
        world.comments.get(&number.parse().unwrap()).cloned().unwrap_or_default()
    } else {
        return send(&mut stream, 404, &headers, "{\"message\":\"Not Found\"}");
    };
    // Comments come two a page, however many are asked for, as a server may do.
    let size: usize = if path.ends_with("comments") { 2 } else { query["per_page"].parse().unwrap() };
    let page: usize = query.get("page").map_or(1, |page| page.parse().unwrap());
    let shown: Vec<&Value> = all.iter().skip((page - 1) * size).take(size).collect();
    if all.len() > page * size {
        let kept: Vec<String> = query
            .iter()
            .filter(|(name, _)| **name != "page")
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let link = format!(
            "<{base}{path}?{}&page={}>; rel=\"next\", <{base}{path}?page=99>; rel=\"last\"",
            kept.join("&"),
            page + 1
        );
        headers.push(("link", link));
    }
    let body = serde_json::to_string(&shown).unwrap();
    let tag =
        format!("W/\"{:x}\"", body.bytes().fold(7u64, |hash, byte| hash.wrapping_mul(31) ^ u64::from(byte)));
    if etag.as_ref() == Some(&tag) {
        return send(&mut stream, 304, &[], "");
    }
    headers.push(("etag", tag));
    send(&mut stream, 200, &headers, &body)
}

fn send(stream: &mut TcpStream, status: u16, headers: &[(&str, String)], body: &str) -> std::io::Result<()> {
    let mut text = format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    write!(stream, "{text}\r\n{body}")
}

/// A clock that never waits, and remembers what it was asked for.
struct Watch {
    now: u64,
    waits: Vec<u64>,
}

impl Clock for Watch {
    fn now(&self) -> u64 {
        self.now
    }

    fn wait(&mut self, time: Duration, _: &str) {
        self.now += time.as_secs();
        self.waits.push(time.as_secs());
    }
}

fn formula(number: u64) -> String {
    format!("(declare-const x Int)\n(assert (= x {number}))\n(check-sat)\n")
}

fn issue(number: u64, title: &str, time: &str, comments: u64) -> Value {
    json!({
        "number": number, "title": title, "updated_at": format!("2026-01-{time}T00:00:00Z"), "comments": comments,
        "state": "closed", "labels": [{"id": 1, "name": "bug"}], "user": {"login": "x"},
        "body": format!("It says:\n\n```\n{}```\n", formula(number)),
    })
}

fn many() -> Vec<Value> {
    (1..=9).map(|number| issue(number, "Soundness bug", &format!("{:02}", number + 10), 0)).collect()
}

fn run(server: &Server, out: &Path, watch: &mut Watch) -> Result<Collected, CollectError> {
    let settings = CollectSettings {
        repositories: vec!["o/z3".to_owned()],
        api: server.address.clone(),
        token: Some("secret".to_owned()),
        out: out.to_owned(),
        page: 3,
    };
    collect(&settings, watch, &mut |_| {})
}

fn watch() -> Watch {
    Watch { now: 1000, waits: Vec::new() }
}

/// The formulas of a collection, by file name.
fn files(out: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(out.join("o/z3"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn expected(numbers: impl IntoIterator<Item = u64>) -> Vec<String> {
    let mut names: Vec<String> = numbers.into_iter().map(|number| format!("{number}-0.smt2")).collect();
    names.sort();
    names
}

#[test]
fn formulas_of_bodies_comments_and_attachments() {
    let mut world = World { issues: vec![issue(1, "Crash in rewriter", "11", 3)], ..World::default() };
    let comment = |text: String| json!({"id": 1, "body": text});
    world.comments.insert(
        1,
        vec![
            comment("Thanks.".into()),
            comment(format!(
                "$ see\n```\n$ cat b.smt2\n{}$ z3 smt.arith.solver=2 b.smt2\nunsat\n```",
                formula(77)
            )),
            comment(
                "[b.smt2](BASE/files/5/b.smt2) and [gone](BASE/files/6/gone.txt), [zip](BASE/files/7/a.zip)"
                    .into(),
            ),
        ],
    );
    world.issues.push(issue(2, "Feature request: faster", "12", 0));
    world.issues.push(
        json!({"number": 3, "title": "Fix crash", "updated_at": "2026-01-13T00:00:00Z", "pull_request": {}}),
    );
    world.issues.push(json!({"number": 4, "title": "Crash", "updated_at": "2026-01-14T00:00:00Z", "body": null, "labels": []}));
    world.files.insert("/files/5/b.smt2".into(), formula(55));
    let server = serve(world);
    {
        let mut world = server.world.lock().unwrap();
        let base = server.address.clone();
        let link = world.comments.get_mut(&1).unwrap().last_mut().unwrap();
        *link = json!({"body": link["body"].as_str().unwrap().replace("BASE", &base)});
    }
    let out = tempfile::tempdir().unwrap();
    let collected = run(&server, out.path(), &mut watch()).unwrap();
    assert_eq!((collected.issues, collected.bugs, collected.formulas), (4, 2, 3));
    assert_eq!(files(out.path()), ["1-0.smt2", "1-1.smt2", "1-2.smt2"]);
    let texts: Vec<String> = (0..3)
        .map(|at| std::fs::read_to_string(out.path().join(format!("o/z3/1-{at}.smt2"))).unwrap())
        .collect();
    assert!(texts[0].starts_with("; issue: o/z3#1\n; class: crash\n"), "{}", texts[0]);
    assert!(
        texts[0].ends_with(&formula(1))
            && texts[1].ends_with(&formula(77))
            && texts[2].ends_with(&formula(55))
    );
    assert!(texts[1].contains("; solver: z3\n; options: smt.arith.solver=2\n"), "{}", texts[1]);
    // What was collected can be mined with all that is known of it.
    let all: Vec<_> = files(out.path()).iter().map(|name| out.path().join("o/z3").join(name)).collect();
    let read = history::read(&all).unwrap();
    assert_eq!(read.len(), 3);
    assert_eq!(read[1].solver.as_deref(), Some("z3"));
    assert_eq!(read[1].options, [("smt.arith.solver".to_owned(), "2".to_owned())]);
    let tokens = server.world.lock().unwrap().tokens.clone();
    assert!(tokens.iter().all(|token| token.as_deref() == Some("Bearer secret")));
}

#[test]
fn faults_are_waited_out() {
    let status = |status, headers: &[(&'static str, &str)]| {
        Fault::Status(status, headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect())
    };
    // The faults, and the seconds that are waited for them.
    let table: Vec<(Vec<Fault>, Vec<u64>)> = vec![
        (vec![], vec![]),
        (vec![status(429, &[("retry-after", "7")])], vec![7]),
        (vec![status(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1300")])], vec![301]),
        (vec![status(429, &[])], vec![60]),
        (vec![status(502, &[]), status(500, &[]), status(503, &[])], vec![1, 2, 4]),
        (vec![Fault::Cut, Fault::Silence, Fault::Cut], vec![1, 2, 4]),
        (vec![status(500, &[]), status(403, &[("retry-after", "30")]), Fault::Silence], vec![1, 30, 4]),
    ];
    for (faults, waits) in table {
        let server = serve(World { issues: many(), faults: faults.clone(), ..World::default() });
        let out = tempfile::tempdir().unwrap();
        let mut watch = watch();
        let collected = run(&server, out.path(), &mut watch).unwrap();
        assert_eq!(files(out.path()), expected(1..=9), "{faults:?}");
        assert_eq!((watch.waits, collected.formulas), (waits, 9), "{faults:?}");
    }
}

#[test]
fn an_exhausted_limit_is_waited_for_before_the_next_request() {
    let server = serve(World { issues: many(), exhausted_at: Some((2, 1600)), ..World::default() });
    let out = tempfile::tempdir().unwrap();
    let mut watch = watch();
    run(&server, out.path(), &mut watch).unwrap();
    assert_eq!(watch.waits, [601]);
    assert_eq!(files(out.path()), expected(1..=9));
}

#[test]
fn what_cannot_succeed_is_told() {
    let refused = |status| Fault::Status(status, Vec::new());
    let table = [
        (vec![refused(401)], "status 401", "GITHUB_TOKEN"),
        (vec![refused(403)], "status 403", "GITHUB_TOKEN"),
        (vec![Fault::Silence; 8], "cannot be had", "goes on where it stopped"),
    ];
    for (faults, message, hint) in table {
        let server = serve(World { issues: many(), faults, ..World::default() });
        let out = tempfile::tempdir().unwrap();
        let error = run(&server, out.path(), &mut watch()).unwrap_err();
        assert!(error.to_string().contains(message) && error.hint().contains(hint), "{error}");
    }
    let out = tempfile::tempdir().unwrap();
    for name in ["z3", "a/b/c", "../x", "a/..", "a b/c"] {
        let settings = CollectSettings {
            repositories: vec![name.to_owned()],
            api: "http://127.0.0.1:1".to_owned(),
            token: None,
            out: out.path().to_owned(),
            page: 3,
        };
        let error = collect(&settings, &mut watch(), &mut |_| {}).unwrap_err();
        assert!(matches!(error, CollectError::Repository(_)), "{name}: {error}");
    }
}

#[test]
fn issues_that_change_under_way_are_neither_lost_nor_stale() {
    let mut world = World { issues: many(), ..World::default() };
    // After the first page: one of those that were seen changes, which shifts all pages behind it by one.
    world.changes.push((
        1,
        Box::new(|world: &mut World| {
            world.issues[0]["updated_at"] = json!("2026-02-01T00:00:00Z");
            world.issues[0]["body"] = json!(format!("```\n{}```", formula(100)));
        }),
    ));
    world.changes.push((3, Box::new(|world: &mut World| world.issues.push(issue(10, "Crash", "31", 0)))));
    let server = serve(world);
    let out = tempfile::tempdir().unwrap();
    run(&server, out.path(), &mut watch()).unwrap();
    assert_eq!(files(out.path()), expected(1..=10));
    let text = std::fs::read_to_string(out.path().join("o/z3/1-0.smt2")).unwrap();
    assert!(text.ends_with(&formula(100)), "{text}");
}

#[test]
fn many_issues_of_one_moment_are_paged_through() {
    let issues = (1..=8).map(|number| issue(number, "Invalid model", "11", 0)).collect();
    let server = serve(World { issues, ..World::default() });
    let out = tempfile::tempdir().unwrap();
    run(&server, out.path(), &mut watch()).unwrap();
    assert_eq!(files(out.path()), expected(1..=8));
}

#[test]
fn a_run_that_was_broken_off_goes_on_and_a_later_one_asks_only_for_news() {
    // Whatever request the run dies at, the next one completes it and asks for nothing that is there already.
    for dies_at in 1..6 {
        let mut world = World { issues: many(), ..World::default() };
        world.changes.push((dies_at, Box::new(|world: &mut World| world.faults = vec![Fault::Silence; 8])));
        let server = serve(world);
        let out = tempfile::tempdir().unwrap();
        let first = run(&server, out.path(), &mut watch());
        let before = files(out.path()).len() as u64;
        let second = run(&server, out.path(), &mut watch()).unwrap();
        assert_eq!(files(out.path()), expected(1..=9));
        match first {
            Err(_) => assert_eq!(second.formulas + before, 9, "died at {dies_at}"),
            Ok(first) => assert_eq!((first.formulas, second.formulas), (9, 0)),
        }
        // Nothing is new: one request, answered with 304.
        let third = run(&server, out.path(), &mut watch()).unwrap();
        assert_eq!((third.requests, third.issues), (1, 0));
        // Something is: it is asked for, and nothing else.
        server.world.lock().unwrap().issues.push(issue(11, "Segfault", "28", 0));
        let fourth = run(&server, out.path(), &mut watch()).unwrap();
        assert_eq!((fourth.issues, fourth.formulas), (1, 1));
    }
}

/// A run that is killed has written every issue whole, and the next one takes up the page that was in hand.
#[test]
fn a_run_that_is_killed_in_the_middle_of_a_page_loses_nothing() {
    let server = serve(World { issues: many(), ..World::default() });
    let out = tempfile::tempdir().unwrap();
    let settings = CollectSettings {
        repositories: vec!["o/z3".to_owned()],
        api: server.address.clone(),
        token: None,
        out: out.path().to_owned(),
        page: 5,
    };
    // A panic ends the run between two issues, as a signal would: nothing is cleaned up.
    let killed = std::panic::catch_unwind(|| {
        let mut tell = |progress: &history::Progress| assert!(progress.issue < 3, "killed");
        collect(&settings, &mut watch(), &mut tell)
    });
    assert!(killed.is_err());
    assert_eq!(files(out.path()), expected(1..=3));
    let collected = collect(&settings, &mut watch(), &mut |_| {}).unwrap();
    assert_eq!(collected.formulas, 6);
    assert_eq!(files(out.path()), expected(1..=9));
}
