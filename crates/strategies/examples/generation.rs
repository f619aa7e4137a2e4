//! The speed of making and printing mutants, without a solver: `generation FOLDER [MUTANTS-PER-SEED] [--json]`.
//!
//! Each strategy opens each seed of the folder once, and opening counts. The time is CPU time if the system reports it, because
//! the machine may be busy.

mod common {
    pub mod clock;
    pub mod seeds;
}

use common::clock::cpu_time;
use common::seeds::seeds;
use smt::Signatures;
use std::path::Path;
use std::time::{Duration, Instant};
use strategies::{Random, StrategyContext, Unchanged, all};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let json = arguments.iter().any(|argument| argument == "--json");
    let mut plain = arguments.iter().filter(|argument| !argument.starts_with("--"));
    let Some(folder) = plain.next() else {
        eprintln!("usage: generation FOLDER [MUTANTS-PER-SEED] [--json]");
        std::process::exit(2);
    };
    let count: usize = plain.next().and_then(|text| text.parse().ok()).unwrap_or(200);
    let seeds = seeds(Path::new(folder));
    if seeds.is_empty() {
        eprintln!("no .smt2 files under {folder}");
        std::process::exit(2);
    }
    let context = StrategyContext::new(Signatures::standard());
    for strategy in all(&context).into_iter().filter(|strategy| strategy.name() != Unchanged::NAME) {
        let (mut made, mut bytes, mut opened, mut unsuitable) = (0u64, 0u64, 0u64, 0u64);
        let mut opening = Duration::ZERO;
        let start = Clock::now();
        for (at, seed) in seeds.iter().enumerate() {
            let begin = Instant::now();
            // A strategy with its own seed gets one turn per seed.
            let mutator = match strategy.own_seed() {
                Some(own) => strategy.open(&own, Random::from_parts(&[0, own.hash, at as u64])),
                None => strategy.open(seed, Random::from_parts(&[0, seed.hash])),
            };
            opening += begin.elapsed();
            let Ok(mut mutator) = mutator else {
                unsuitable += 1;
                continue;
            };
            opened += 1;
            for _ in 0..count {
                let Some(case) = mutator.next_case() else { break };
                made += 1;
                bytes += case.text.len() as u64;
            }
        }
        let seconds = start.seconds();
        let rate = made as f64 / seconds;
        let name = strategy.name();
        if json {
            println!("{{\"strategy\":\"{name}\",\"mutants\":{made},\"cpu_seconds\":{seconds:.6}}}");
        } else {
            println!(
                "{name}: {rate:.0} mutants/CPU-s ({made} mutants of {} bytes on average from {opened} seeds in {seconds:.2} s, \
                 of which {:.2} s opening; {unsuitable} unsuitable seeds)",
                bytes.checked_div(made).unwrap_or(0),
                opening.as_secs_f64(),
            );
        }
    }
}

/// CPU time of this thread if the system reports it, otherwise wall-clock time.
struct Clock {
    cpu: Option<Duration>,
    wall: Instant,
}

impl Clock {
    fn now() -> Self {
        Clock { cpu: cpu_time(), wall: Instant::now() }
    }

    fn seconds(&self) -> f64 {
        match (self.cpu, cpu_time()) {
            (Some(start), Some(end)) => (end - start).as_secs_f64(),
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}
