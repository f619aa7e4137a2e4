//! The table: medians, and ratios to our parser.

use crate::measure::{Measured, measure};
use crate::parsers::{Parser, Workload};

/// A row of the table.
pub struct Row {
    name: String,
    output: &'static str,
    result: Result<Figures, String>,
}

#[derive(Clone)]
struct Figures {
    /// Speed in MB/s.
    speed: f64,
    /// Peak memory in MiB.
    memory: f64,
    /// What could not be parsed.
    remark: String,
}

/// Measures every parser several times, in rounds, so that other load on the machine affects all of them alike. Returns the
/// median speed and the maximum memory.
pub fn medians(parsers: &[&Parser], work: &Workload, runs: usize, progress: impl Fn(&str)) -> Vec<Row> {
    let commands: Vec<_> = parsers.iter().map(|parser| parser.command(work)).collect();
    let mut measured: Vec<Result<Vec<Figures>, String>> = vec![Ok(Vec::new()); parsers.len()];
    for _ in 0..runs {
        for (at, parser) in parsers.iter().enumerate() {
            progress(parser.name());
            let figures = commands[at]
                .clone()
                .and_then(|command| measure(&command))
                .and_then(|measured| figures(&measured, work, parser.continues_after_errors()));
            match (&mut measured[at], figures) {
                (Ok(all), Ok(figures)) => all.push(figures),
                (Ok(_), Err(reason)) => measured[at] = Err(reason),
                (Err(_), _) => {}
            }
        }
    }
    let row = |(parser, measured): (&&Parser, Result<Vec<Figures>, String>)| Row {
        name: parser.name().to_owned(),
        output: parser.output(),
        result: measured.map(median),
    };
    parsers.iter().zip(measured).map(row).collect()
}

fn median(mut all: Vec<Figures>) -> Figures {
    let memory = all.iter().map(|figures| figures.memory).fold(0.0, f64::max);
    all.sort_by(|a, b| a.speed.total_cmp(&b.speed));
    let middle = all.swap_remove(all.len() / 2);
    Figures { memory, ..middle }
}

fn figures(measured: &Measured, work: &Workload, continues_after_errors: bool) -> Result<Figures, String> {
    let lines = || measured.output.lines();
    let value = |word: &str| lines().find_map(|line| line.strip_prefix(word)?.strip_prefix(' '));
    let mut remark = String::new();
    let mut bytes = work.bytes;
    match value("read") {
        Some(counts) => {
            let counts: Vec<usize> = counts.split(' ').filter_map(|count| count.parse().ok()).collect();
            let [good, all, read] = counts[..] else { return Err("invalid figures".into()) };
            let error = value("error").unwrap_or_default();
            if good == 0 {
                return Err(error.chars().take(90).collect());
            }
            if good < all {
                remark = format!("parses {good} of {all}");
            }
            bytes = read;
        }
        // A solver prints nothing but errors. Z3 continues with the next command after an error.
        None => {
            let errors = lines().filter(|line| line.contains("error")).count();
            match lines().find(|line| line.contains("error")) {
                Some(_) if continues_after_errors => remark = format!("rejects {errors} commands"),
                Some(error) => return Err(error.to_owned()),
                None => {}
            }
        }
    }
    let alone: Vec<f64> = lines().filter_map(|line| line.strip_prefix("only ")?.parse().ok()).collect();
    let cpu = if alone.is_empty() { measured.cpu } else { alone.iter().sum() };
    Ok(Figures { speed: bytes as f64 / 1e6 / cpu.max(1e-6), memory: measured.memory, remark })
}

/// Prints all rows. The ratios are our speed over the parser's speed, and its memory over ours.
pub fn print_table(rows: &[Row]) {
    let ours = rows.iter().find(|row| row.name == "elenchus").and_then(|row| row.result.as_ref().ok());
    println!(
        "{:<16} {:<14} {:>8} {:>10} {:>12} {:>14}",
        "parser", "output", "MB/s", "peak MiB", "ours/speed", "memory/ours"
    );
    for Row { name, output, result } in rows {
        match result {
            Ok(Figures { speed, memory, remark }) => {
                let ratio = |of: fn(&Figures, f64, f64) -> f64| {
                    ours.map_or("–".to_owned(), |ours| format!("{:.2}", of(ours, *speed, *memory)))
                };
                let speed_ratio = ratio(|ours, speed, _| ours.speed / speed);
                let memory_ratio = ratio(|ours, _, memory| memory / ours.memory);
                println!(
                    "{name:<16} {output:<14} {speed:>8.2} {memory:>10.0} {speed_ratio:>12} {memory_ratio:>14}  {remark}"
                );
            }
            Err(reason) => println!("{name:<16} {output:<14} failed: {reason}"),
        }
    }
}
