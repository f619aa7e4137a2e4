//! Runs the programs of external generators, and says what is wrong with them.

use crate::config::ConfigError;
use crate::replay::random_for;
use case::text::collapsed;
use solver::RunError;
use solver::run::{CommandRun, Ending, Exit, Limits, RunSettings, UserCommand};
use std::time::Duration;
use strategies::{Command, GeneratorRun, Learned, LiveQuestion, Questioner, Strategy, technique};

/// The variable with the random number of a run.
const VARIABLE: &str = "ELENCHUS_SEED";
/// The longest message of a program that is shown, in characters.
const MOST_SHOWN: usize = 300;

/// Runs a program. Returns what it printed, or what went wrong.
pub fn run_generator(run: &GeneratorRun, settings: &RunSettings) -> Result<Result<String, String>, RunError> {
    let limits = Limits {
        wall: Duration::from_secs(run.seconds.max(1)),
        memory: run.megabytes.max(1) << 20,
        output: run.kilobytes.max(1) << 10,
        ..Limits::default()
    };
    let number = run.number.to_string();
    let command = UserCommand { variables: &[(VARIABLE, &number)], ..UserCommand::plain(&run.command) };
    let seen = command.run(&limits, settings)?;
    Ok(match problem(&seen, run) {
        Some(problem) => Err(format!("`{}` {problem}", run.command)),
        None => Ok(seen.stdout),
    })
}

/// Why the output of a run is not used, if so.
fn problem(seen: &CommandRun, run: &GeneratorRun) -> Option<String> {
    let said = match collapsed(&seen.stderr) {
        none if none.is_empty() => String::new(),
        text => format!(": {}", case::text::head(&text, MOST_SHOWN)),
    };
    match (seen.ending, seen.exit) {
        (Ending::Wall, _) => Some(format!("did not end within {} s (setting `seconds`)", run.seconds)),
        (Ending::Memory, _) => {
            Some(format!("used more than {} MiB of memory (setting `megabytes`)", run.megabytes))
        }
        (Ending::Output, _) => {
            Some(format!("printed or wrote more than {} KiB (setting `kilobytes`)", run.kilobytes))
        }
        (Ending::Own, Exit::Code(0)) if seen.stdout.trim().is_empty() => {
            Some(format!("printed nothing{said}"))
        }
        (Ending::Own, Exit::Code(0)) => None,
        (Ending::Own, exit) => Some(format!("ended with {exit}{said}")),
    }
}

/// The answer to a strategy that asked for a run. A failed run has no text.
pub fn output_of_run(question: usize, printed: String) -> Learned {
    Learned { question, solver: Command::NAME.to_owned(), sat: None, text: printed }
}

/// Makes the first case of each external generator, so that one that cannot work is an error before the campaign starts.
pub fn try_generators<'a>(
    strategies: impl IntoIterator<Item = &'a dyn Strategy>,
    campaign_seed: u64,
) -> Result<(), ConfigError> {
    for strategy in strategies {
        if technique(strategy.name()).is_none_or(|technique| technique.name != Command::NAME) {
            continue;
        }
        let Some(seed) = strategy.own_seed() else { continue };
        let random = random_for(campaign_seed, strategy, &seed, 0);
        let mut trial = Trial::default();
        let mutator = strategy.open(&seed, random);
        let case = mutator.ok().and_then(|mut mutator| mutator.next_case_with(&mut trial));
        if let Some(error) = trial.failed {
            return Err(ConfigError::Run(error));
        }
        if case.is_none() {
            let name = strategy.name().to_owned();
            let problem = trial.problems.into_iter().next().unwrap_or_default();
            return Err(ConfigError::Generator { name, runs: trial.runs, problem, last: trial.last });
        }
    }
    Ok(())
}

/// The runs before a campaign.
#[derive(Default)]
struct Trial {
    settings: RunSettings,
    runs: usize,
    /// The command of the last run.
    last: String,
    problems: Vec<String>,
    failed: Option<RunError>,
}

impl Questioner for Trial {
    fn ask(&mut self, _question: &LiveQuestion) -> Option<Learned> {
        None
    }

    fn generate(&mut self, run: &GeneratorRun) -> Option<Learned> {
        self.runs += 1;
        self.last.clone_from(&run.command);
        match run_generator(run, &self.settings) {
            Ok(Ok(printed)) => Some(output_of_run(self.runs - 1, printed)),
            Ok(Err(problem)) => {
                self.problems.push(problem);
                Some(output_of_run(self.runs - 1, String::new()))
            }
            Err(error) => {
                self.failed = Some(error);
                None
            }
        }
    }

    fn reject(&mut self, problem: String) {
        self.problems.push(problem);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_says_what_is_wrong() {
        let run = GeneratorRun {
            command: "./gen 5".to_owned(),
            number: 5,
            seconds: 10,
            megabytes: 64,
            kilobytes: 16,
        };
        let seen = |stdout: &str, stderr: &str, exit, ending| CommandRun {
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
            exit,
            ending,
        };
        let table = [
            (seen("(check-sat)", "a warning", Exit::Code(0), Ending::Own), None),
            (seen(" \n", "", Exit::Code(0), Ending::Own), Some("printed nothing")),
            (seen("", "no\n grammar", Exit::Code(0), Ending::Own), Some("printed nothing: no grammar")),
            (
                seen("(check-sat)", "sh: ./gen: not found", Exit::Code(127), Ending::Own),
                Some("ended with exit code 127: sh: ./gen: not found"),
            ),
            (seen("", "", Exit::Signal(11), Ending::Own), Some("ended with SIGSEGV")),
            (
                seen("(check-sat)", "", Exit::Signal(9), Ending::Wall),
                Some("did not end within 10 s (setting `seconds`)"),
            ),
            (
                seen("", "", Exit::Signal(9), Ending::Memory),
                Some("used more than 64 MiB of memory (setting `megabytes`)"),
            ),
            (
                seen("(check-sat)", "", Exit::Signal(9), Ending::Output),
                Some("printed or wrote more than 16 KiB (setting `kilobytes`)"),
            ),
        ];
        for (seen, expected) in table {
            assert_eq!(problem(&seen, &run).as_deref(), expected, "{seen:?}");
        }
    }
}
