//! The speed of histfuzz without a solver, and the part of its instances that type-check.
//!
//! Usage: `history [LIBRARY] [--instances N] [--write FOLDER]`
//!
//! The strategy is opened for every three instances, as in a campaign, and opening counts. The time is CPU time, because the
//! machine may be busy. `--write` keeps the first instances of the full variant.

mod common {
    pub mod clock;
}

use common::clock::cpu_time;
use smt::{Arena, Signatures, parse_script};
use std::process::ExitCode;
use std::sync::Arc;
use strategies::histfuzz::{Library, Variant, built_in};
use strategies::{HistFuzz, HistFuzzSettings, History, Random, Strategy};

/// Instances per opening, as in a campaign.
const TURN: usize = 3;
/// The number of instances to check and write.
const CHECKED: usize = 20_000;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (mut file, mut instances, mut folder) = (None, 300_000usize, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--instances" => {
                instances = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(instances)
            }
            "--write" => folder = arguments.next(),
            _ => file = Some(argument),
        }
    }
    let begin = cpu_time().unwrap_or_default();
    let library = match &file {
        None => built_in(),
        Some(file) => match std::fs::read_to_string(file)
            .map_err(|error| error.to_string())
            .and_then(|text| Library::read(&text).map_err(|error| error.to_string()))
        {
            Ok(library) => Arc::new(library),
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::from(2);
            }
        },
    };
    println!(
        "the library is read in {:.1} ms of CPU time",
        (cpu_time().unwrap_or_default() - begin).as_secs_f64() * 1e3
    );
    for variant in [Variant::Full, Variant::Random, Variant::Normal] {
        let settings = HistFuzzSettings { variant, ..HistFuzzSettings::default() };
        let begin = cpu_time().unwrap_or_default();
        let strategy = HistFuzz::new(
            &Signatures::standard(),
            History { library: library.clone(), file: String::new(), settings },
        );
        let ready = cpu_time().unwrap_or_default() - begin;
        let Some(seed) = strategy.own_seed() else { continue };
        let (mut made, mut bytes) = (0u64, 0u64);
        let mut kept = Vec::new();
        let start = cpu_time().unwrap_or_default();
        for round in 0..(instances / TURN) as u64 {
            let mut mutator = match strategy.open(&seed, Random::from_parts(&[0, seed.hash, round])) {
                Ok(mutator) => mutator,
                Err(unsuitable) => {
                    println!("{variant}: {unsuitable}");
                    break;
                }
            };
            for _ in 0..TURN {
                let Some(case) = mutator.next_case() else { break };
                made += 1;
                bytes += case.text.len() as u64;
                if kept.len() < CHECKED {
                    kept.push(case.text);
                }
            }
        }
        let seconds = (cpu_time().unwrap_or_default() - start).as_secs_f64();
        let mut arena = Arena::default();
        let well_typed = kept
            .iter()
            .filter(|text| {
                if arena.len() > 200_000 {
                    arena = Arena::default();
                }
                parse_script(&mut arena, text).is_ok()
            })
            .count();
        println!(
            "{variant}: {:.0} instances/CPU-s ({made} of {} bytes on average in {seconds:.2} s; ready in {:.1} ms); \
             {:.2} % of {} are well-typed",
            made as f64 / seconds,
            bytes.checked_div(made).unwrap_or(0),
            ready.as_secs_f64() * 1e3,
            100.0 * well_typed as f64 / kept.len().max(1) as f64,
            kept.len(),
        );
        if let Some(folder) = folder.take() {
            for (at, text) in kept.iter().take(1000).enumerate() {
                if let Err(error) = std::fs::write(format!("{folder}/{at:04}.smt2"), text) {
                    eprintln!("{folder}: {error}");
                    return ExitCode::from(2);
                }
            }
        }
    }
    ExitCode::SUCCESS
}
