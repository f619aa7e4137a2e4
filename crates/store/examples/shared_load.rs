//! How many workers does one PostgreSQL carry? Simulated processes of 8 workers with instant solvers exchange their news every two
//! seconds: 50 cases a second and worker, blocks of ten minutes, findings and statistics of the usual size.
//!
//! ```text
//! cargo run --release -p elenchus-store --features postgres --example shared_load -- [WORKERS]...
//! ```
//!
//! The server runs on this machine, beside the simulation, and writes every commit through to the disk. A line says how many
//! exchanges were answered in a second, how long they took, how many processors the server and the simulation used, and how late the
//! exchanges were: with a delay below the two seconds the server keeps up.

use case::{Class, Origin};
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};
use store::shared::{
    BlockProgress, CampaignId, FindingFile, FindingSummary, Member, NewCampaign, NewFinding, Occurrence,
    Outgoing, SharedStore, StrategyEntry, Wish, WorkKind, open,
};
use testing::Postgres;

const WORKERS: u64 = 8;
const PERIOD: Duration = Duration::from_secs(2);
const CASES_PER_SECOND: u64 = 50;
/// How many cases a turn makes.
const TURN: u64 = 100;
/// Turns of ten minutes.
const BLOCK: u64 = 600 * CASES_PER_SECOND / TURN;
/// One case in so many shows a known bug.
const KNOWN: u64 = 200;
/// One exchange in so many brings a new one.
const NEW: u64 = 100;
/// How long the processes have to join: their first exchanges are the largest.
const BEGINNING: Duration = Duration::from_secs(20);
/// How long a line is measured after that.
const MEASURED: Duration = Duration::from_secs(30);

/// The times of the exchanges of a process: how long they took, and how late they began.
#[derive(Default)]
struct Times {
    took: Vec<Duration>,
    late: Vec<Duration>,
    /// How many calls failed.
    failures: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let counts: Vec<u64> = std::env::args().skip(1).map(|count| count.parse()).collect::<Result<_, _>>()?;
    let counts = if counts.is_empty() { vec![100, 200, 500, 1000, 2000] } else { counts };
    let settings = ["max_connections=1100", "shared_buffers=512MB", "max_wal_size=4GB"];
    let Some(server) = Postgres::start_with(&settings) else { return Ok(()) };
    println!(
        "| workers | exchanges/s | median | 99 % | server CPU | simulation CPU | late, 99 % | failures |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|");
    for count in counts {
        println!("{}", measure(&server, count)?);
    }
    Ok(())
}

/// A line of the table.
fn measure(server: &Postgres, workers: u64) -> Result<String, Box<dyn Error>> {
    let url = server.url();
    let mut store = open(&url)?;
    let campaign = store.create(&campaign(workers))?.id;
    let (measures, stops) = (AtomicBool::new(false), AtomicBool::new(false));
    let processes = workers.div_ceil(WORKERS);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..processes)
            .map(|number| {
                let (url, measures, stops) = (&url, &measures, &stops);
                // Processes do not come all at once.
                let begin = Instant::now()
                    + Duration::from_millis(500)
                    + PERIOD.mul_f64(number as f64 / processes as f64);
                scope.spawn(move || process(open(url)?, campaign, number, begin, measures, stops))
            })
            .collect();
        thread::sleep(BEGINNING);
        let begun = Instant::now();
        let (server_before, own_before) = (server_time(server), own_time());
        measures.store(true, Ordering::Relaxed);
        thread::sleep(MEASURED);
        measures.store(false, Ordering::Relaxed);
        let elapsed = begun.elapsed().as_secs_f64();
        let (server_used, own_used) = (server_time(server) - server_before, own_time() - own_before);
        stops.store(true, Ordering::Relaxed);
        let mut all = Times::default();
        for thread in threads {
            let times = thread.join().expect("no thread panics")?;
            all.took.extend(times.took);
            all.late.extend(times.late);
            all.failures += times.failures;
        }
        all.took.sort_unstable();
        all.late.sort_unstable();
        let at = |list: &[Duration], share: f64| {
            let place = (list.len() as f64 * share) as usize;
            list.get(place.min(list.len().saturating_sub(1))).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
        };
        Ok(format!(
            "| {workers} | {:.1} | {:.1} ms | {:.1} ms | {:.2} | {:.2} | {:.0} ms | {} |",
            all.took.len() as f64 / elapsed,
            at(&all.took, 0.5),
            at(&all.took, 0.99),
            server_used / elapsed,
            own_used / elapsed,
            at(&all.late, 0.99),
            all.failures,
        ))
    })
}

fn campaign(workers: u64) -> NewCampaign {
    let strategy = |place: u32| StrategyEntry { name: format!("strategy {place}"), turns: None };
    NewCampaign {
        name: format!("{workers} workers at {:?}", Instant::now()),
        seed: 1,
        settings: "{}".to_owned(),
        requirements: "{}".to_owned(),
        strategies: (0..30).map(strategy).collect(),
        seeds: Vec::new(),
    }
}

/// Simulates a process until the end.
fn process(
    mut store: Box<dyn SharedStore>,
    campaign: CampaignId,
    number: u64,
    begin: Instant,
    measures: &AtomicBool,
    stops: &AtomicBool,
) -> Result<Times, store::StoreError> {
    let member = Member {
        machine: format!("node{number}"),
        process: 1,
        workers: WORKERS as u32,
        version: "0.1.0".to_owned(),
        work: vec![WorkKind::Fuzz],
    };
    let id = store.enter(campaign, &member)?;
    let mut times = Times::default();
    let mut held: Vec<BlockProgress> = Vec::new();
    let mut next = begin;
    let mut round = number * 7;
    while !stops.load(Ordering::Relaxed) {
        thread::sleep(next.saturating_duration_since(Instant::now()));
        let news = news(number, round, &held);
        let begun = Instant::now();
        let Ok(answer) = store.exchange(id, &news) else {
            times.failures += 1;
            continue;
        };
        if measures.load(Ordering::Relaxed) {
            times.took.push(begun.elapsed());
            times.late.push(begun.saturating_duration_since(next));
        }
        held.retain(|held| held.done < held.block.end && !answer.lost.contains(&held.block));
        held.extend(answer.granted.iter().map(|block| BlockProgress {
            block: *block,
            done: block.first,
            cases: 0,
            digest: 0,
        }));
        // The first blocks of a worker are in work, the others in reserve.
        for held in held.iter_mut().take(WORKERS as usize) {
            held.done += CASES_PER_SECOND * PERIOD.as_secs() / TURN;
            held.cases += CASES_PER_SECOND * PERIOD.as_secs();
            held.digest = held.digest.wrapping_add(held.cases.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            held.done = held.done.min(held.block.end);
        }
        round += 1;
        // Who is late does not hurry after that.
        next = (next + PERIOD).max(Instant::now());
    }
    store.exchange(id, &Outgoing { leaves: true, ..Outgoing::default() })?;
    Ok(times)
}

/// What a process has to say after two seconds.
fn news(number: u64, round: u64, held: &[BlockProgress]) -> Outgoing {
    let cases = WORKERS * CASES_PER_SECOND * PERIOD.as_secs();
    let origin = |index: u64| Origin {
        campaign_seed: 1,
        strategy: format!("strategy {}", index % 30),
        seed_hash: format!("{:016x}", index.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        round,
        index: number * 100_000 + index,
    };
    let finding = |signature: String, index: u64| NewFinding {
        summary: FindingSummary {
            class: Class::Crash,
            title: format!("z3 crashes: {signature}"),
            bug: true,
            needs_options: false,
            solvers: "[[\"z3@4.8.10\",\"z3\",\"4.8.10\"],[\"cvc5@1.2.0\",\"cvc5\",\"1.2.0\"]]".to_owned(),
            reduced_bytes: None,
        },
        signature,
        origin: origin(index),
        age: Duration::from_secs(1),
        files: (0..10)
            .map(|file| FindingFile { path: format!("outputs/{file}.txt"), content: vec![b'a' + file; 3000] })
            .collect(),
    };
    // Everybody meets the same bugs again and again, and now and then a new one.
    let known = |index: u64| format!("known bug {}", (number + round * 3 + index) % 40);
    let mut findings: Vec<NewFinding> = match round.is_multiple_of(NEW) {
        true => vec![finding(format!("bug {number} {round}"), 0)],
        false => Vec::new(),
    };
    // In its first minute it meets those that everybody meets, and sends their files.
    let age = round - number * 7;
    if age < 40 {
        findings.push(finding(format!("known bug {age}"), 1000 + age));
    }
    let occurrences = (1..=cases / KNOWN)
        .map(|index| Occurrence { signature: known(index), origin: origin(index) })
        .collect();
    let lacking = (2 * WORKERS).saturating_sub(held.len() as u64);
    Outgoing {
        progress: held.to_vec(),
        findings,
        occurrences,
        // The numbers change with every exchange, so that the database writes all of them.
        statistics: format!("{{{}\"round\":{round}}}", "\"strategy\":[12345,678,90,1,2,3,4],".repeat(150)),
        wishes: (0..lacking)
            .map(|wish| Wish { strategy: ((number + wish) % 30) as usize, turns: BLOCK })
            .collect(),
        leaves: false,
    }
}

/// The processor time in seconds of the processes whose entries in `/proc` satisfy a condition on process and parent.
fn processor_time(counts: impl Fn(u32, u32) -> bool) -> f64 {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ticks = entries.filter_map(|entry| {
        let process: u32 = entry.file_name().to_str()?.parse().ok()?;
        let text = fs::read_to_string(entry.path().join("stat")).ok()?;
        let fields: Vec<u64> = text
            .rsplit_once(')')?
            .1
            .split_whitespace()
            .skip(1)
            .map(|field| field.parse().unwrap_or(0))
            .collect();
        counts(process, fields[0] as u32).then(|| fields[10] + fields[11])
    });
    // A tick is ten milliseconds on every Linux.
    ticks.sum::<u64>() as f64 / 100.0
}

fn server_time(server: &Postgres) -> f64 {
    let first = server.process().unwrap_or(0);
    processor_time(|process, parent| process == first || parent == first)
}

fn own_time() -> f64 {
    let own = std::process::id();
    processor_time(|process, _| process == own)
}
