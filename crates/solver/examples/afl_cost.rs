//! Measures a script on an AFL build, with and without its fork server: `afl_cost PROGRAM [--runs N]`.

use solver::CoverageSource;
use solver::coverage::watch;
use solver::run::RunSettings;
use solver::{Profile, RunMode, RunRequest, Target};
use std::error::Error;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().ok_or("name an AFL build")?;
    let runs = match arguments.next() {
        Some(_) => arguments.next().ok_or("how many runs?")?.parse()?,
        None => 400,
    };
    let profile = Profile::built_in("z3")?;
    let target = Target { coverage: CoverageSource::Afl, ..Target::executable("program", program, profile) };
    let mut run_modes = Vec::new();
    for mode in [RunMode::OneShot, RunMode::Fork] {
        run_modes.push((mode, watch(&target, mode, &RunSettings::default())?, Vec::new()));
    }
    // Alternating, so that other load affects both equally.
    for _ in 0..runs {
        for (_, watched, times) in &mut run_modes {
            let begun = Instant::now();
            watched.run(&RunRequest::new("(check-sat)\n"))?;
            times.push(begun.elapsed());
        }
    }
    for (mode, watched, times) in &mut run_modes {
        times.sort();
        let middle: Duration = times[times.len() / 2];
        println!("{mode}: {:.2} ms a script, {} edges", middle.as_secs_f64() * 1000.0, watched.points());
    }
    Ok(())
}
