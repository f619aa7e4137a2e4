//! The servers that the tests start.

use crate::alone::{alone, is_alone};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};
use testing::Postgres;

/// The next test runs this in a process of its own. Elsewhere it does nothing.
#[test]
fn waits_with_a_server() {
    if !is_alone() {
        return;
    }
    let Some(server) = Postgres::start() else { return };
    println!("\nserver:{}:{}", server.process().unwrap(), server.log().display());
    sleep(Duration::from_secs(60));
}

#[test]
fn a_server_ends_with_a_test_that_is_killed() {
    if Postgres::start().is_none() {
        return;
    }
    let mut test = alone("servers::waits_with_a_server").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(test.stdout.take().unwrap()).lines().map_while(Result::ok);
    let line = lines.find(|line| line.starts_with("server:")).expect("the server starts");
    let parts: Vec<&str> = line.splitn(3, ':').collect();
    let (process, folder) = (Path::new("/proc").join(parts[1]), Path::new(parts[2]).parent().unwrap());
    assert!(process.exists() && folder.exists(), "{line}");
    test.kill().unwrap();
    test.wait().unwrap();
    let until = Instant::now() + Duration::from_secs(20);
    while (process.exists() || folder.exists()) && Instant::now() < until {
        sleep(Duration::from_millis(20));
    }
    assert!(!process.exists() && !folder.exists(), "{line}");
}
