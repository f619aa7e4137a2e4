//! How long it takes to find the operators of a case, and how many operators the cases of a strategy contain:
//! `operator_scan STRATEGY CASES [CASES-PER-TURN [FOLDER]]`.
//!
//! The strategy must not need seeds. No solver runs, so operators that a release rejects count too. The cases are written to the
//! folder, if there is one; the first line of each says which solvers it is for.

use campaign::{OperatorCount, OperatorReach};
use smt::Signatures;
use solver::{Profile, Target};
use std::error::Error;
use std::time::{Duration, Instant};
use strategies::{Random, StrategyContext, by_name};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().ok_or("which strategy?")?;
    let count: usize = arguments.next().ok_or("how many cases?")?.parse()?;
    let per_turn: usize = arguments.next().map_or(Ok(50), |text| text.parse())?;
    let written = arguments.next();
    let strategy = by_name(&name, &StrategyContext::new(Signatures::standard()))?;
    let seed = strategy.own_seed().ok_or("the strategy needs seeds")?;
    let targets = ["z3", "cvc5"].map(|name| {
        let profile = Profile::built_in(name).expect("a built-in profile");
        Target::executable(name, name, profile)
    });
    let folder = tempfile::tempdir()?;
    let reach = OperatorReach::open(&targets, folder.path(), 1);
    let mut scanner = reach.scanner();
    let (mut made, mut bytes, mut making, mut scanning) = (0usize, 0usize, Duration::ZERO, Duration::ZERO);
    for turn in 0.. {
        let random = Random::from_parts(&[1, seed.hash, turn]);
        let mut mutator = strategy.open(&seed, random).map_err(|reason| reason.to_string())?;
        for _ in 0..per_turn {
            let started = Instant::now();
            let Some(case) = mutator.next_case() else { break };
            making += started.elapsed();
            let started = Instant::now();
            let found = scanner.scan(&case.text);
            for (at, target) in targets.iter().enumerate() {
                if case.solvers.as_ref().is_none_or(|solvers| solvers.contains(&target.name)) {
                    reach.record(at, found);
                }
            }
            scanning += started.elapsed();
            if let Some(folder) = &written {
                let solvers: Vec<String> = case.solvers.iter().flatten().cloned().collect();
                let text = format!("; {} {}\n{}", made, solvers.join(" "), case.text);
                std::fs::write(format!("{folder}/{made:06}.smt2"), text)?;
            }
            made += 1;
            bytes += case.text.len();
            if made.is_power_of_two() && made >= 128 || made == count {
                let counts = reach.counts().map(|(id, count)| format!("{id}: {}", shown(count)));
                println!("{made} cases: {}", counts.collect::<Vec<_>>().join("; "));
            }
            if made == count {
                let micros = |time: Duration| time.as_secs_f64() * 1e6 / made as f64;
                println!(
                    "{} bytes per case, {:.1} µs to make one, {:.2} µs to find its operators",
                    bytes / made,
                    micros(making),
                    micros(scanning)
                );
                for (id, names) in reach.not_asked() {
                    println!("{id}: not asked: {}", names.join(" "));
                }
                return Ok(());
            }
        }
    }
    Ok(())
}

fn shown(count: OperatorCount) -> String {
    let OperatorCount { operators, known_operators, pairs, known_pairs } = count;
    format!("{operators} of {known_operators} operators, {pairs} of {known_pairs} pairs")
}
