//! A tester that runs any command: its exit code and output must stay the same.

use super::tester::shorter_limit;
use reduce::{Abort, Need, Reproduced, Tester};
use solver::run::{Limits, RunSettings};
use solver::{Observation, Outcome, Profile, RunError, RunMode, RunRequest, Runner, Target, runner};
use std::sync::Arc;
use std::time::Duration;

/// What must stay the same about a command's run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandRules {
    /// Compare only the exit code.
    pub ignore_output: bool,
    /// The output need not stay the same, but must contain this text.
    pub matching: Option<String>,
}

/// The target that runs a command; `None` if there are no words.
pub fn command_target(words: &[String]) -> Option<Target> {
    let (program, args) = words.split_first()?;
    let profile =
        Profile::parse("name = \"command\"\n[start]\nfile = [\"{file}\"]\naddress_space_limit = false\n")
            .ok()?;
    Some(Target { args: args.to_vec(), ..Target::executable(program, program, Arc::new(profile)) })
}

/// The settings of its runs. The user wrote the command, so it has the user's rights.
pub fn command_settings() -> RunSettings {
    RunSettings { unconfined: true, ..RunSettings::default() }
}

/// Runs a command on candidates and compares with its first run.
pub struct CommandTester {
    runner: Box<dyn Runner>,
    limits: Limits,
    rules: CommandRules,
    first: Observation,
    /// How long the last test took.
    took: Duration,
}

impl CommandTester {
    /// A tester that accepts what behaves like the run `first`.
    pub fn new(
        target: &Target,
        limits: Limits,
        rules: CommandRules,
        first: Observation,
    ) -> Result<CommandTester, RunError> {
        let runner = runner(target, RunMode::OneShot, &command_settings())?;
        Ok(CommandTester { runner, limits, rules, first, took: Duration::ZERO })
    }

    /// Whether a run behaves like the first one.
    pub fn same(rules: &CommandRules, first: &Observation, seen: &Observation) -> bool {
        let limit = |run: &Observation| {
            matches!(run.outcome, Outcome::Timeout | Outcome::OutOfMemory | Outcome::OutputLimit)
        };
        if seen.exit != first.exit || limit(seen) != limit(first) {
            return false;
        }
        match &rules.matching {
            Some(text) => seen.stdout.contains(text.as_str()) || seen.stderr.contains(text.as_str()),
            None => rules.ignore_output || (seen.stdout == first.stdout && seen.stderr == first.stderr),
        }
    }
}

impl Tester for CommandTester {
    fn test(&mut self, script: &str, need: Need) -> Result<Option<Reproduced>, Abort> {
        if need == Need::NewModel {
            // A command returns no models.
            return Ok(None);
        }
        let request = RunRequest::new(script).limits(self.limits);
        let seen = self.runner.run(&request).map_err(|error| Abort(error.to_string()))?;
        self.took = seen.wall;
        let same = CommandTester::same(&self.rules, &self.first, &seen);
        if same {
            self.limits.wall = shorter_limit(seen.wall, self.limits.wall);
        }
        Ok(same.then(Reproduced::default))
    }

    fn took(&self) -> Duration {
        self.took
    }
}
