//! A small server that plays GitHub's API, with its faults and with malice.

#![allow(dead_code, reason = "every test file uses a part of it")]

use history::{Clock, CollectError, CollectSettings, Collected, Event, Limits, collect};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What the server does instead of answering a request.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Answers with a status and headers.
    Status(u16, Vec<(&'static str, String)>),
    /// Announces a long answer, and closes after the first bytes.
    Cut,
    /// Closes without an answer.
    Silence,
}

/// A change of the server's data during a run.
type Change = Box<dyn FnOnce(&mut World) + Send>;

/// A fixed answer: status, headers and body.
pub type Fixed = (u16, Vec<(&'static str, String)>, Vec<u8>);

/// A request that the server got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub target: String,
    pub token: Option<String>,
}

/// The data of the server.
#[derive(Default)]
pub struct World {
    pub issues: Vec<Value>,
    pub comments: BTreeMap<u64, Vec<Value>>,
    /// Fixed answers by path.
    pub fixed: BTreeMap<String, Fixed>,
    /// Listings that never end, by path: every page holds the same and links to a next one.
    pub endless: Vec<&'static str>,
    /// Faults of the next requests, in order.
    pub faults: Vec<Fault>,
    /// Changes, each with the number of requests before it.
    pub changes: Vec<(usize, Change)>,
    /// The request whose answer says that no further one is allowed, and until when.
    pub exhausted_at: Option<(usize, u64)>,
    pub log: Vec<Request>,
}

impl World {
    pub fn file(&mut self, path: &str, text: &str) {
        self.fixed.insert(path.to_owned(), (200, Vec::new(), text.as_bytes().to_vec()));
    }
}

pub struct Server {
    /// `http://127.0.0.1:PORT`
    pub address: String,
    pub world: Arc<Mutex<World>>,
}

impl Server {
    pub fn log(&self) -> Vec<Request> {
        self.world.lock().unwrap().log.clone()
    }

    /// The paths that were asked for.
    pub fn targets(&self) -> Vec<String> {
        self.log().into_iter().map(|request| request.target).collect()
    }

    pub fn update(&self, change: impl FnOnce(&mut World)) {
        change(&mut self.world.lock().unwrap());
    }
}

pub fn serve(world: World) -> Server {
    serve_on(TcpListener::bind("127.0.0.1:0").unwrap(), world)
}

pub fn serve_on(listener: TcpListener, world: World) -> Server {
    let address = format!("http://{}", listener.local_addr().unwrap());
    let world = Arc::new(Mutex::new(world));
    let (shared, base) = (world.clone(), address.clone());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // One request per connection is all that the tests need.
            let _ = answer(stream, &shared, &base);
        }
    });
    Server { address, world }
}

/// The address of a port that nobody listens on.
pub fn dead_address() -> String {
    format!("http://{}", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap())
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
    world.log.push(Request { target: target.clone(), token });
    let requests = world.log.len();
    let (due, later) = std::mem::take(&mut world.changes).into_iter().partition(|(at, _)| *at <= requests);
    world.changes = later;
    let due: Vec<(usize, Change)> = due;
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
            Fault::Status(status, headers) => return send(&mut stream, status, &headers, b""),
        }
    }
    let mut headers: Vec<(&'static str, String)> = vec![("content-type", "application/json".to_owned())];
    if let Some((_, reset)) = world.exhausted_at.filter(|(at, _)| *at == requests) {
        headers.push(("x-ratelimit-remaining", "0".to_owned()));
        headers.push(("x-ratelimit-reset", reset.to_string()));
    }
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let query: BTreeMap<&str, &str> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
    if let Some((status, more, body)) = world.fixed.get(path) {
        headers.extend(more.iter().cloned());
        return send(&mut stream, *status, &headers, body);
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
        return send(&mut stream, 404, &headers, b"{\"message\":\"Not Found\"}");
    };
    // Comments come two per page, however many are asked for, as a server may do.
    let size: usize = if path.ends_with("comments") { 2 } else { query["per_page"].parse().unwrap() };
    let page: usize = query.get("page").map_or(1, |page| page.parse().unwrap());
    let endless = world.endless.contains(&path);
    let skipped = if endless { 0 } else { (page - 1) * size };
    let shown: Vec<&Value> = all.iter().skip(skipped).take(size).collect();
    if endless || all.len() > page * size {
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
        return send(&mut stream, 304, &[], b"");
    }
    headers.push(("etag", tag));
    send(&mut stream, 200, &headers, body.as_bytes())
}

fn send(stream: &mut TcpStream, status: u16, headers: &[(&str, String)], body: &[u8]) -> std::io::Result<()> {
    let mut text = format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    write!(stream, "{text}\r\n")?;
    stream.write_all(body)
}

/// A clock that never waits, and records how long it should have.
#[derive(Debug)]
pub struct FakeClock {
    pub now: u64,
    pub waits: Vec<u64>,
}

impl Default for FakeClock {
    fn default() -> FakeClock {
        FakeClock { now: 1000, waits: Vec::new() }
    }
}

impl Clock for FakeClock {
    fn now(&self) -> u64 {
        self.now
    }

    fn wait(&mut self, time: Duration, _: &str) {
        self.now += time.as_secs();
        self.waits.push(time.as_secs());
    }
}

pub fn formula(number: u64) -> String {
    format!("(declare-const x Int)\n(assert (= x {number}))\n(check-sat)\n")
}

pub fn issue(number: u64, title: &str, day: &str, comments: u64) -> Value {
    json!({
        "number": number, "title": title, "updated_at": format!("2026-01-{day}T00:00:00Z"), "comments": comments,
        "state": "closed", "labels": [{"id": 1, "name": "bug"}], "user": {"login": "x"},
        "body": format!("It says:\n\n```\n{}```\n", formula(number)),
    })
}

/// An issue that links to files.
pub fn linking(number: u64, links: &[String]) -> Value {
    let mut issue = issue(number, "Crash", "11", 0);
    let links: Vec<String> = links.iter().map(|link| format!("[file]({link})")).collect();
    issue["body"] = json!(links.join(" "));
    issue
}

pub fn many() -> Vec<Value> {
    (1..=9).map(|number| issue(number, "Soundness bug", &format!("{:02}", number + 10), 0)).collect()
}

pub fn settings(server: &Server, out: &Path) -> CollectSettings {
    CollectSettings {
        repositories: vec!["o/z3".to_owned()],
        api: server.address.clone(),
        token: Some("secret".to_owned()),
        attachment_hosts: Vec::new(),
        out: out.to_owned(),
        page: 3,
        limits: Limits::default(),
    }
}

pub fn run(server: &Server, out: &Path, clock: &mut FakeClock) -> Result<Collected, CollectError> {
    collect(&settings(server, out), clock, &mut |_| {})
}

/// Runs, and returns the reasons of what was skipped too.
pub fn run_with_skips(
    settings: &CollectSettings,
    clock: &mut FakeClock,
) -> (Result<Collected, CollectError>, Vec<String>) {
    let mut skipped = Vec::new();
    let result = collect(settings, clock, &mut |event| {
        if let Event::Skipped { reason, .. } = event {
            skipped.push(reason.clone());
        }
    });
    (result, skipped)
}

/// The names of the collected files.
pub fn files(out: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(out.join("o/z3"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

pub fn text(out: &Path, name: &str) -> String {
    std::fs::read_to_string(out.join("o/z3").join(name)).unwrap()
}

/// The file names of issues with one formula each.
pub fn expected(numbers: impl IntoIterator<Item = u64>) -> Vec<String> {
    let mut names: Vec<String> = numbers.into_iter().map(|number| format!("{number}-0.smt2")).collect();
    names.sort();
    names
}
