//! The table: medians, and ratios to ours.

use crate::contenders::{Contender, Work};
use crate::measure::{Measured, measure};

/// One line of the table.
pub struct Line {
    name: String,
    gives: &'static str,
    result: Result<Figures, String>,
}

#[derive(Clone)]
struct Figures {
    /// Millions of bytes a second.
    speed: f64,
    /// MiB.
    memory: f64,
    /// What could not be read.
    remark: String,
}

/// Measures every contender several times, in rounds, so that what else the machine does meets all alike; the median speed
/// counts, and the most memory.
pub fn medians(contenders: &[&Contender], work: &Work, runs: usize, progress: impl Fn(&str)) -> Vec<Line> {
    let commands: Vec<_> = contenders.iter().map(|contender| contender.command(work)).collect();
    let mut measured: Vec<Result<Vec<Figures>, String>> = vec![Ok(Vec::new()); contenders.len()];
    for _ in 0..runs {
        for (at, contender) in contenders.iter().enumerate() {
            progress(contender.name());
            let figures = commands[at]
                .clone()
                .and_then(|command| measure(&command))
                .and_then(|measured| figures(&measured, work, contender.goes_on()));
            match (&mut measured[at], figures) {
                (Ok(all), Ok(figures)) => all.push(figures),
                (Ok(_), Err(reason)) => measured[at] = Err(reason),
                (Err(_), _) => {}
            }
        }
    }
    let line = |(contender, measured): (&&Contender, Result<Vec<Figures>, String>)| Line {
        name: contender.name().to_owned(),
        gives: contender.gives(),
        result: measured.map(median),
    };
    contenders.iter().zip(measured).map(line).collect()
}

fn median(mut all: Vec<Figures>) -> Figures {
    let memory = all.iter().map(|figures| figures.memory).fold(0.0, f64::max);
    all.sort_by(|a, b| a.speed.total_cmp(&b.speed));
    let middle = all.swap_remove(all.len() / 2);
    Figures { memory, ..middle }
}

fn figures(measured: &Measured, work: &Work, goes_on: bool) -> Result<Figures, String> {
    let lines = || measured.output.lines();
    let said = |word: &str| lines().find_map(|line| line.strip_prefix(word)?.strip_prefix(' '));
    let mut remark = String::new();
    let mut bytes = work.bytes;
    match said("read") {
        Some(counts) => {
            let counts: Vec<usize> = counts.split(' ').filter_map(|count| count.parse().ok()).collect();
            let [good, all, read] = counts[..] else { return Err("its figures cannot be read".into()) };
            let error = said("error").unwrap_or_default();
            if good == 0 {
                return Err(error.chars().take(90).collect());
            }
            if good < all {
                remark = format!("reads {good} of {all}");
            }
            bytes = read;
        }
        // A solver: what it prints can only be complaints. Z3 goes on with the next command after one.
        None => {
            let complaints = lines().filter(|line| line.contains("error")).count();
            match lines().find(|line| line.contains("error")) {
                Some(_) if goes_on => remark = format!("refuses {complaints} commands"),
                Some(error) => return Err(error.to_owned()),
                None => {}
            }
        }
    }
    let alone: Vec<f64> = lines().filter_map(|line| line.strip_prefix("only ")?.parse().ok()).collect();
    let cpu = if alone.is_empty() { measured.cpu } else { alone.iter().sum() };
    Ok(Figures { speed: bytes as f64 / 1e6 / cpu.max(1e-6), memory: measured.memory, remark })
}

/// Prints all lines; ratios say how many times as fast ours is, and how many times as much memory the other takes.
pub fn print_table(lines: &[Line]) {
    let ours = lines.iter().find(|line| line.name == "elenchus").and_then(|line| line.result.as_ref().ok());
    println!(
        "{:<16} {:<14} {:>8} {:>10} {:>12} {:>14}",
        "reader", "gives", "MB/s", "peak MiB", "ours/speed", "memory/ours"
    );
    for Line { name, gives, result } in lines {
        match result {
            Ok(Figures { speed, memory, remark }) => {
                let ratio = |of: fn(&Figures, f64, f64) -> f64| {
                    ours.map_or("–".to_owned(), |ours| format!("{:.2}", of(ours, *speed, *memory)))
                };
                let speed_ratio = ratio(|ours, speed, _| ours.speed / speed);
                let memory_ratio = ratio(|ours, _, memory| memory / ours.memory);
                println!(
                    "{name:<16} {gives:<14} {speed:>8.2} {memory:>10.0} {speed_ratio:>12} {memory_ratio:>14}  {remark}"
                );
            }
            Err(reason) => println!("{name:<16} {gives:<14} cannot: {reason}"),
        }
    }
}
