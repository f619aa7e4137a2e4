//! Whatever fails, nothing is lost, nothing is stored twice, and the same cases are made.

use crate::fleet::Fleet;
use crate::ground::{BUGS, Ground, start};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use store::shared::{SharedFinding, Totals, open};
use testing::{Postgres, Proxy};

/// How large a test is.
#[derive(Clone, Copy, Debug)]
struct Size {
    processes: usize,
    cases: u64,
    /// How often the database and workers are killed, and how often the connection stalls.
    database: usize,
    workers: usize,
    stalls: usize,
}

impl Size {
    /// The size, with what `ELENCHUS_FAULTS` says.
    fn changed_by_environment(mut self) -> Size {
        for pair in std::env::var("ELENCHUS_FAULTS").unwrap_or_default().split(',') {
            let Some((name, value)) = pair.split_once(':') else { continue };
            let value: usize = value.parse().unwrap();
            match name {
                "processes" => self.processes = value,
                "cases" => self.cases = value as u64,
                "database" => self.database = value,
                "workers" => self.workers = value,
                "stalls" => self.stalls = value,
                _ => panic!("there is no number of {name}"),
            }
        }
        self
    }
}

/// What fails.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Database,
    Worker(usize),
    Stall,
}

/// The faults, each kind spread over the whole time.
fn faults(size: Size) -> Vec<Fault> {
    fn spread(count: usize, fault: impl Fn(usize) -> Fault) -> Vec<(usize, Fault)> {
        (0..count).map(|at| ((2 * at + 1) * 1000 / (2 * count), fault(at))).collect()
    }
    let database = spread(size.database, |_| Fault::Database);
    let workers = spread(size.workers, Fault::Worker);
    let stalls = spread(size.stalls, |_| Fault::Stall);
    let mut all = [database, workers, stalls].concat();
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, fault)| fault).collect()
}

/// The progress of a campaign, and its findings.
fn state(store: &str, campaign: &str) -> (Totals, Vec<SharedFinding>) {
    let mut common = open(store).unwrap();
    let campaign = common.campaign(campaign).unwrap().unwrap();
    assert!(campaign.finished);
    let findings = common.findings_since(campaign.id, 0, 10_000).unwrap();
    for finding in &findings {
        assert_eq!(common.cases(campaign.id, &finding.id).unwrap().len() as u64, finding.count);
        let files = common.files(campaign.id, &finding.id).unwrap();
        assert!(files.iter().any(|file| file.path == "finding.json"), "{}", finding.id);
    }
    (common.totals(campaign.id).unwrap(), findings)
}

/// Checks a disturbed campaign against a calm one.
fn check(fleet: &Fleet<'_>, store: &str) {
    let (calm, _) = state(store, "calm");
    let (totals, findings) = state(store, "wild");
    assert_eq!((totals.cases, totals.digest), (calm.cases, calm.digest));
    assert_eq!((totals.turns, totals.held), (calm.turns, 0));
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    findings.iter().for_each(|finding| *times.entry(&finding.signature).or_default() += 1);
    let displayed = fleet.displayed();
    assert!(displayed.len() > BUGS / 2, "{displayed:?}");
    for signature in &displayed {
        assert_eq!(times.get(signature.as_str()), Some(&1), "{signature}");
    }
    println!(
        "{} cases with digest {:016x} in both campaigns; {} findings displayed, all of them in the store once",
        totals.cases,
        totals.digest,
        displayed.len()
    );
}

/// Fuzzes in one process without any fault.
fn fuzz_calmly(ground: &Ground, store: &str, arguments: &[String]) {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = ground.run(store, "calm", &[&arguments[..], &["--jobs", "4"]].concat());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn nothing_is_lost_or_stored_twice_in_a_file() {
    let ground = Ground::new();
    let store = format!("sqlite:{}?block-lease=2s", ground.at("common.db").display());
    let arguments = start(150);
    fuzz_calmly(&ground, &store, &arguments);
    let mut fleet = Fleet::start(&ground, &store, "wild", &arguments, 2);
    let began = Instant::now();
    let mut kills = 0;
    while !fleet.are_done() {
        assert!(began.elapsed() < Duration::from_secs(120), "{}{}", fleet.errors(0), fleet.errors(1));
        if kills < 2 && began.elapsed() > Duration::from_millis(900) * (kills + 1) {
            kills += u32::from(fleet.kill(kills as usize));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    check(&fleet, &store);
}

#[test]
fn nothing_is_lost_or_stored_twice_in_postgresql() {
    let usual = Size { processes: 3, cases: 700, database: 2, workers: 2, stalls: 2 };
    let size = usual.changed_by_environment();
    let Some(mut server) = Postgres::start() else { return };
    let proxy = Proxy::start(server.port());
    let ground = Ground::new();
    let direct = format!("{}&block-lease=3s", server.url());
    let store = format!("{}&block-lease=3s", server.url_at(proxy.port(), "postgres"));
    let arguments = start(size.cases);
    fuzz_calmly(&ground, &direct, &arguments);
    let began = Instant::now();
    let mut fleet = Fleet::start(&ground, &store, "wild", &arguments, size.processes);
    let mut faults = faults(size).into_iter();
    let (mut next, mut done) = (began + Duration::from_secs(1), 0);
    let wanted = size.database + size.workers + size.stalls;
    while !fleet.are_done() {
        let limit = Duration::from_secs(90 + 15 * (size.database + size.stalls) as u64 + size.cases / 10);
        assert!(began.elapsed() < limit, "{:?}", fleet.events().last());
        if Instant::now() >= next
            && let Some(fault) = faults.next()
        {
            match fault {
                Fault::Database => {
                    server.kill();
                    std::thread::sleep(Duration::from_millis(700));
                    server.restart();
                }
                Fault::Worker(number) => assert!(fleet.kill(number)),
                Fault::Stall => {
                    // In the middle of a message.
                    proxy.stall_after(300);
                    std::thread::sleep(Duration::from_millis(1500));
                    proxy.stall(false);
                }
            }
            done += 1;
            next = Instant::now() + Duration::from_millis(700);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    println!("{size:?}: {done} faults in {:?}", began.elapsed());
    assert_eq!(done, wanted, "the campaign needs more cases");
    check(&fleet, &direct);
}
