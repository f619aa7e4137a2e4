//! Servers crash, networks stall, and nothing is lost or counted twice.

use crate::places::{Process, digest, finding, found, new_campaign, origin, seen};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};
use store::StoreError;
use store::shared::{Incoming, Outgoing, SharedStore, Wish, open};
use testing::{Postgres, Proxy};

/// A process of a campaign, through a port.
fn process(server: &Postgres, port: u16, options: &str) -> Process {
    let mut store = open(&format!("{}&{options}", server.url_at(port, "postgres"))).unwrap();
    let campaign = store.create(&new_campaign("faults", &[Some(60), Some(60)])).unwrap();
    Process::enter(store, campaign.id)
}

/// Exchanges until there is an answer.
fn insist(process: &mut Process, news: &Outgoing) -> Incoming {
    let until = Instant::now() + Duration::from_secs(120);
    loop {
        match process.store.exchange(process.id, news) {
            Ok(answer) => return answer,
            Err(error) => {
                assert!(!error.is_lasting() && Instant::now() < until, "{error}");
                sleep(Duration::from_millis(20));
            }
        }
    }
}

/// Does turns until the campaign is finished. Every turn shows a finding that all have, and one of its own.
fn work(mut process: Process, exchanges: &AtomicUsize) {
    let mut news = Outgoing::default();
    loop {
        news.wishes = vec![Wish { strategy: 0, turns: 2 }, Wish { strategy: 1, turns: 3 }];
        news.progress.clone_from(&process.held);
        let answer = insist(&mut process, &news);
        exchanges.fetch_add(1, Ordering::Relaxed);
        news = Outgoing::default();
        if answer.finished {
            return;
        }
        process.held.retain(|held| !answer.lost.contains(&held.block) && held.done < held.block.end);
        process.held.extend(answer.granted.iter().map(|block| store::shared::BlockProgress {
            block: *block,
            done: block.first,
            cases: 0,
            digest: 0,
        }));
        for place in 0..process.held.len() {
            let (strategy, turn) = (process.held[place].block.strategy, process.held[place].done);
            process.work(place, turn + 1);
            let case = strategy as u64 * 1000 + turn;
            news.findings.push(finding(&format!("of {case}"), case));
            news.findings.push(finding("of all", case));
            news.occurrences.extend(seen("of all", &[case]).occurrences);
        }
        sleep(Duration::from_millis(10));
    }
}

/// Asserts that every turn counts once and every finding is there once, with every case.
fn check(store: &mut dyn SharedStore) {
    let campaign = store.campaign("faults").unwrap().unwrap().id;
    let totals = store.totals(campaign).unwrap();
    let expected = (0..60).chain(0..60).map(digest).fold(0, u64::wrapping_add);
    assert_eq!((totals.cases, totals.digest, totals.turns), (1200, expected, vec![60, 60]));
    let all = store.findings_since(campaign, 0, 1000).unwrap();
    let signatures: BTreeSet<&str> = all.iter().map(|it| &*it.signature).collect();
    assert_eq!((all.len(), signatures.len()), (121, 121));
    for finding in &all {
        let cases = store.cases(campaign, &finding.id).unwrap();
        let expected = if finding.signature == "of all" { 120 } else { 1 };
        assert_eq!((finding.count, cases.len()), (expected, expected as usize), "{}", finding.signature);
    }
    assert_eq!(store.jobs(campaign).unwrap().len(), 121);
}

#[test]
fn a_server_that_is_killed_in_mid_exchange_loses_nothing() {
    let Some(mut server) = Postgres::start() else { return };
    let port = server.port();
    let processes: Vec<Process> = (0..4).map(|_| process(&server, port, "call-timeout=5s")).collect();
    let exchanges = AtomicUsize::new(0);
    thread::scope(|scope| {
        for process in processes {
            scope.spawn(|| work(process, &exchanges));
        }
        for round in 1..=4 {
            let until = Instant::now() + Duration::from_secs(20);
            while exchanges.load(Ordering::Relaxed) < 12 * round && Instant::now() < until {
                sleep(Duration::from_millis(1));
            }
            server.restart();
        }
    });
    check(&mut *open(&server.url()).unwrap());
}

#[test]
fn a_network_that_stalls_or_breaks_loses_nothing_and_holds_nobody_up() {
    let Some(server) = Postgres::start() else { return };
    let proxy = Proxy::start(server.port());
    let slow: Vec<Process> = (0..2).map(|_| process(&server, proxy.port(), "call-timeout=300ms")).collect();
    let direct: Vec<Process> = (0..2).map(|_| process(&server, server.port(), "call-timeout=5s")).collect();
    let exchanges = AtomicUsize::new(0);
    thread::scope(|scope| {
        for process in slow.into_iter().chain(direct) {
            scope.spawn(|| work(process, &exchanges));
        }
        for round in 0..8 {
            sleep(Duration::from_millis(150));
            match round % 3 {
                0 => proxy.stall(true),
                1 => proxy.stall_after(100 + 700 * round),
                _ => proxy.cut(),
            }
            sleep(Duration::from_millis(400));
            proxy.stall(false);
        }
    });
    check(&mut *open(&server.url()).unwrap());
}

#[test]
fn a_stalled_process_gets_an_error_in_time_and_goes_on_later() {
    let Some(server) = Postgres::start() else { return };
    let proxy = Proxy::start(server.port());
    let mut one = process(&server, proxy.port(), "call-timeout=500ms");
    let mut other = process(&server, server.port(), "call-timeout=5s");
    one.ask(&[(0, 5)]);
    // The request arrives, and the answer does not.
    for bytes in [0, 200, 600] {
        proxy.stall_after(bytes);
        let begun = Instant::now();
        let mut news = found(&[finding("stalled", 1)]);
        news.progress.clone_from(&one.held);
        let error = one.store.exchange(one.id, &news).unwrap_err();
        assert!(matches!(error, StoreError::Unreachable { .. }) && !error.is_lasting(), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(3));
        let begun = Instant::now();
        other.exchange(found(&[finding("stalled", 2)]));
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        proxy.stall(false);
    }
    one.exchange(found(&[finding("stalled", 1)]));
    assert_eq!(one.store.findings_since(one.campaign, 0, 9).unwrap()[0].count, 2);
}

#[test]
fn a_connection_that_broke_is_replaced_without_an_error() {
    let Some(mut server) = Postgres::start() else { return };
    let proxy = Proxy::start(server.port());
    let mut one = process(&server, proxy.port(), "call-timeout=5s");
    for _ in 0..3 {
        proxy.cut();
        one.ask(&[]);
    }
    server.restart();
    one.ask(&[]);
    server.kill();
    let error = one.store.exchange(one.id, &Outgoing::default()).unwrap_err();
    assert!(matches!(error, StoreError::Unreachable { .. }), "{error}");
    server.restart();
    one.exchange(found(&[finding("later", 1)]));
    let name = one.store.findings_since(one.campaign, 0, 9).unwrap().remove(0).id;
    assert_eq!(one.store.cases(one.campaign, &name).unwrap(), [origin(1)]);
}

#[test]
fn a_server_that_is_not_there_is_named_without_the_password() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("postgres://me:secret@127.0.0.1:{port}/db?sslmode=disable");
    let Err(error) = open(&url) else { panic!("nobody listens") };
    let text = format!("{error} {error:?}");
    assert!(!error.is_lasting() && text.contains("me:***@127.0.0.1"), "{text}");
    assert!(text.contains("Connection refused") && !text.contains("secret"), "{text}");
}
