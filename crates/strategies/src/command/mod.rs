//! External generators: any program that prints SMT-LIB scripts is a strategy.
//!
//! A campaign runs the command with a random number and takes the scripts apart that it prints. What it printed is stored with a
//! finding, as the answers of solvers to other strategies are, so that a case can be made again without the program.

mod name;
mod split;
#[cfg(test)]
mod tests;

pub(crate) use name::parse;
pub use name::split_names;

use crate::api::{
    GeneratorRun, Mutator, Questioner, Recorded, Setting, Strategy, TechniqueSettings, Unsuitable, Variant,
};
use crate::kit::random::Random;
use crate::seeds::stated_answers;
use case::{Answer, Case, Expectation, Seed, Step};
use smt::{Arena, Signatures, Span, parse_script};
use split::Printed;
use std::collections::VecDeque;
use std::sync::Arc;

/// What the number replaces in a command.
const PLACE: &str = "{seed}";
/// Random numbers are below this, so that they fit into 32 bits with a sign.
const NUMBERS: u64 = 1 << 31;
/// The number of runs without a usable script before a turn ends.
const MOST_RUNS: usize = 10;
/// The number of runs that print nothing before a turn ends: each may have taken all of its time.
const MOST_SILENT: usize = 3;
/// A turn ends after this many printed bytes, since they are stored with a finding.
const MOST_TEXT: usize = 4 << 20;

/// The limits of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandSettings {
    /// Its time, in seconds.
    pub seconds: u64,
    /// Its memory, in MiB.
    pub megabytes: u64,
    /// Its output, in KiB.
    pub kilobytes: u64,
}

impl Default for CommandSettings {
    fn default() -> Self {
        CommandSettings { seconds: 10, megabytes: 2048, kilobytes: 1024 }
    }
}

impl TechniqueSettings for CommandSettings {
    const VARIANTS: &'static [Variant] = &[];

    fn variant(&self, _name: &str) -> Option<Self> {
        None
    }

    fn settings(&mut self) -> Vec<Setting<'_>> {
        let CommandSettings { seconds, megabytes, kilobytes } = self;
        vec![
            Setting::new("seconds", "", "most seconds of a run", seconds),
            Setting::new("megabytes", "", "most memory of a run, in MiB", megabytes),
            Setting::new("kilobytes", "", "most output of a run, in KiB", kilobytes),
        ]
    }
}

/// The strategy `command:'COMMAND'`.
pub struct Command {
    name: String,
    signatures: Arc<Signatures>,
    settings: CommandSettings,
    command: String,
}

impl Command {
    /// The strategy's name, without a command.
    pub const NAME: &'static str = "command";

    /// Scripts over these operators that a command prints.
    pub fn new(signatures: Arc<Signatures>, settings: CommandSettings, command: &str) -> Self {
        let name = format!("{}{command}", name::PREFIX);
        Command { name, signatures, settings, command: command.to_owned() }
    }

    /// The same with the name that states its settings.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Command { name: name.to_owned(), ..self }
    }
}

impl Strategy for Command {
    fn name(&self) -> &str {
        &self.name
    }

    fn own_seed(&self) -> Option<Seed> {
        let lines: Vec<String> = self.command.lines().map(|line| format!("; {line}\n")).collect();
        Some(Seed::new(Command::NAME, lines.concat()))
    }

    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        Ok(Box::new(CommandMutator {
            signatures: self.signatures.clone(),
            settings: self.settings.clone(),
            command: self.command.clone(),
            random,
            waiting: VecDeque::new(),
            recorded: Recorded::new(&seed.dialogue),
            printed: 0,
        }))
    }
}

/// Runs the command as often as a turn needs cases.
struct CommandMutator {
    signatures: Arc<Signatures>,
    settings: CommandSettings,
    command: String,
    random: Random,
    /// Cases of the last run.
    waiting: VecDeque<Case>,
    recorded: Recorded,
    /// The number of bytes that the runs of this turn printed.
    printed: usize,
}

impl CommandMutator {
    /// Takes the scripts of an output.
    fn read(&mut self, output: &str, command: &str, questioner: &mut dyn Questioner) {
        let printed = split::scripts(output);
        let count = printed.len();
        for (at, script) in printed.into_iter().enumerate() {
            let step = Step {
                action: "generate".into(),
                before: command.to_owned(),
                after: format!("script {} of {count}", at + 1),
            };
            match self.case(&script, output, command) {
                Ok(case) => self.waiting.push_back(Case { lineage: vec![step], ..case }),
                Err(problem) => questioner.reject(problem),
            }
        }
    }

    /// A printed script as a case, or why it cannot be one.
    fn case(&self, script: &Printed<'_>, output: &str, command: &str) -> Result<Case, String> {
        let mut arena = Arena::new(self.signatures.clone());
        let parsed = parse_script(&mut arena, script.text).map_err(|errors| {
            let Some(mut error) = errors.into_iter().next() else { return String::new() };
            let (start, end) = (error.span.start as usize, error.span.end as usize);
            error.span = Span::new(script.start + start, script.start + end);
            error.render(&format!("the output of `{command}`"), output)
        })?;
        let mut text = format!("{}\n", script.text.trim());
        if !parsed.commands.iter().any(smt::Command::is_check) {
            text.push_str("(check-sat)\n");
        }
        let answers = stated_answers(&text);
        let expectation = match answers.iter().any(|answer| *answer != Answer::Unknown) {
            true => Expectation::Labelled { answers },
            false => Expectation::Unknown,
        };
        let features = arena.features(&parsed);
        let (solvers, theories) = (features.solvers, features.theories);
        Ok(Case { text, expectation, lineage: Vec::new(), solvers, theories })
    }
}

impl Mutator for CommandMutator {
    fn next_case(&mut self) -> Option<Case> {
        let mut recorded = std::mem::take(&mut self.recorded);
        let case = self.next_case_with(&mut recorded);
        self.recorded = recorded;
        case
    }

    fn next_case_with(&mut self, questioner: &mut dyn Questioner) -> Option<Case> {
        let mut silent = 0;
        for _ in 0..MOST_RUNS {
            if let Some(case) = self.waiting.pop_front() {
                return Some(case);
            }
            if silent == MOST_SILENT || self.printed > MOST_TEXT {
                return None;
            }
            let number = self.random.below(NUMBERS);
            let command = self.command.replace(PLACE, &number.to_string());
            let CommandSettings { seconds, megabytes, kilobytes } = self.settings;
            let run = GeneratorRun { command: command.clone(), number, seconds, megabytes, kilobytes };
            let output = questioner.generate(&run)?.text;
            silent += usize::from(output.is_empty());
            self.printed += output.len();
            self.read(&output, &command, questioner);
        }
        self.waiting.pop_front()
    }
}
