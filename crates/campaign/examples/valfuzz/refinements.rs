//! Table V: each refinement on formulas with a known bug of a release, judged by that release's answers to the mutants and, as
//! in the paper, to the questions about the meta-formula.

use crate::known::{Judges, Known, Wrong, known};
use crate::measure::settings;
use crate::statistics::{mean_and_deviation, welch};
use crate::{Failure, Request, questioner};
use campaign::SolverQuestioner;
use smt::Signatures;
use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Duration;
use strategies::{Case, Random, Seed, TechniqueSettings, ValFuzz, ValFuzzSettings};

/// Runs of the baseline with one mutant per file: a bug that shows every time is trivial.
const TRIVIAL_RUNS: u64 = 10;

/// Formulas that take more CPU time to judge are not used.
const QUICK: Duration = Duration::from_millis(150);

/// A bug: the number of its formula and its class.
type Bug = (usize, Wrong);

/// The bugs of one run over all formulas.
#[derive(Clone, Debug, Default)]
struct Found {
    bugs: BTreeSet<Bug>,
    calls: u64,
}

impl Found {
    fn soundness(&self) -> f64 {
        self.bugs.iter().filter(|(_, wrong)| *wrong == Wrong::Soundness).count() as f64
    }

    /// Non-trivial bugs per thousand questions, enforcements and mutants alike.
    fn rate(&self, trivial: &BTreeSet<Bug>, soundness: bool) -> f64 {
        let counts = |bug: &&Bug| !trivial.contains(bug) && (!soundness || bug.1 == Wrong::Soundness);
        1000.0 * self.bugs.iter().filter(counts).count() as f64 / self.calls.max(1) as f64
    }
}

/// The formulas and solvers of all runs.
struct Bench {
    files: Vec<Known>,
    enforcing: SolverQuestioner,
    judges: Judges,
}

impl Bench {
    /// Runs of one configuration, file by file, so that solvers stay warm.
    fn runs(&mut self, settings: &ValFuzzSettings, numbers: Range<u64>) -> Result<Vec<Found>, Failure> {
        let mut found: Vec<Found> = numbers.clone().map(|_| Found::default()).collect();
        for number in 0..self.files.len() {
            eprint!("\r{number} of {} formulas ", self.files.len());
            for (run, found) in numbers.clone().zip(&mut found) {
                self.file(number, settings, run, found)?;
            }
        }
        eprint!("\r{:40}\r", "");
        Ok(found)
    }

    /// One run on one formula. A turn ends when everything is covered. If mutants were screened, further turns with other choices
    /// use the remaining iterations.
    fn file(
        &mut self,
        number: usize,
        settings: &ValFuzzSettings,
        run: u64,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let file = &self.files[number];
        let seed = Seed::new(file.formula.clone(), file.text.as_str());
        let (mut turn, mut left) = (0, settings.limit);
        while left > 0 {
            let random = Random::from_parts(&[run, seed.hash, turn]);
            turn += 1;
            let now = ValFuzzSettings { limit: left, ..settings.clone() };
            let strategy = ValFuzz::new(Signatures::standard(), now);
            let Ok(mut mutator) = strategy.open_seed(&seed, random) else { break };
            self.enforcing.begin();
            while let Some(mutant) = mutator.next_mutant(&mut self.enforcing) {
                // A question about the meta-formula already counts as an enforcement.
                found.calls += u64::from(!mutant.is_test);
                if let Some(wrong) = self.judges.judge(&file.release, &mutant.case)? {
                    found.bugs.insert((number, wrong));
                }
            }
            let tally = mutator.tally();
            found.calls += tally.enforcements;
            if !settings.screen || tally.iterations == 0 {
                break;
            }
            left = left.saturating_sub(tally.iterations as usize);
        }
        Ok(())
    }
}

/// Prints the table.
pub fn run(request: &Request) -> Result<(), Failure> {
    let mut judges = Judges::default();
    let all = known(&request.path)?;
    let mut files = Vec::new();
    for file in &all {
        let seed = Seed::new(file.formula.clone(), file.text.as_str());
        let opens = |preset: &str| -> Result<bool, Failure> {
            let strategy = ValFuzz::new(Signatures::standard(), settings(preset, 1)?);
            Ok(strategy.open_seed(&seed, Random::new(0)).is_ok())
        };
        let case = Case { text: file.text.clone(), ..Case::default() };
        // Old releases parse escapes differently.
        let plain = !file.text.contains('\\');
        if !plain || !opens("SKOLU")? || judges.judge(&file.release, &case)?.is_none() {
            continue;
        }
        // Again with warm solvers: a slow formula would be slow thousands of times.
        judges.cpu = Duration::ZERO;
        let wrong = judges.judge(&file.release, &case)?;
        if wrong.is_some() && judges.cpu < QUICK {
            files.push((file.clone(), wrong));
        }
    }
    let count = files.len();
    // Wrong answers come first: the table is about them.
    files.sort_by_key(|(_, wrong)| *wrong != Some(Wrong::Soundness));
    files.truncate(request.files);
    let taken = files.len();
    let sound = files.iter().filter(|(_, wrong)| *wrong == Some(Wrong::Soundness)).count();
    let files: Vec<Known> = files.into_iter().map(|(file, _)| file).collect();
    println!("{} known formulas; {count} have constants and show a bug quickly;", all.len());
    println!(
        "{taken} of them are used, {sound} with a wrong answer; {} iterations per file and run",
        request.iterations
    );
    let mut bench = Bench { files, enforcing: questioner()?, judges };
    let mut trivial: Option<BTreeSet<Bug>> = None;
    for found in bench.runs(&settings("RBASE", 1)?, 1000..1000 + TRIVIAL_RUNS)? {
        trivial = Some(match trivial {
            None => found.bugs,
            Some(before) => before.intersection(&found.bugs).copied().collect(),
        });
    }
    let trivial = trivial.unwrap_or_default();
    let soundness = trivial.iter().filter(|(_, wrong)| *wrong == Wrong::Soundness).count();
    println!("trivial: {} bugs, {soundness} of them of soundness", trivial.len());
    println!();
    println!(
        "| strategy | n | soundness bugs | all bugs | soundness bugs / 1000 calls | all bugs / 1000 calls | calls | p against RBASE |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut presets: Vec<String> = request.presets.clone();
    if presets.is_empty() {
        presets.extend(ValFuzzSettings::VARIANTS.iter().map(|variant| variant.name.to_owned()));
        presets.push("default".to_owned());
    }
    let mut first: Option<Vec<f64>> = None;
    for preset in presets {
        let (preset, runs) = match preset.split_once('=') {
            Some((name, runs)) => (name, runs.parse()?),
            None => (preset.as_str(), request.runs),
        };
        let settings = settings(preset, request.iterations)?;
        let all_runs = bench.runs(&settings, 0..runs)?;
        let column = |of: &dyn Fn(&Found) -> f64| all_runs.iter().map(of).collect::<Vec<f64>>();
        let shown = |sample: &[f64]| {
            let (mean, deviation) = mean_and_deviation(sample);
            format!("{mean:.2} ± {deviation:.2}")
        };
        let sound = column(&Found::soundness);
        let calls = column(&|found| found.calls as f64);
        let p =
            first.as_ref().map_or_else(|| "–".to_owned(), |first| format!("{:.2e}", welch(first, &sound)));
        println!(
            "| {preset} | {runs} | {} | {} | {} | {} | {:.0} | {p} |",
            shown(&sound),
            shown(&column(&|found| found.bugs.len() as f64)),
            shown(&column(&|found| found.rate(&trivial, true))),
            shown(&column(&|found| found.rate(&trivial, false))),
            mean_and_deviation(&calls).0,
        );
        first.get_or_insert(sound);
    }
    Ok(())
}
