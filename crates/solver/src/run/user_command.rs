//! Runs a program of the user that prints scripts.
//!
//! It is the user's own command, so it is not confined like a solver. Its limits are those of a solver: time, memory, output and files,
//! and everything that it started ends with it.

use super::classify::{Ending, Exit};
use super::error::RunError;
use super::output::Printed;
use super::request::{Limits, RunSettings};
use super::supervisor::{Environment, Launch, Supervisor, ending_of, exit_of, protocol};
use crate::confine::Confinement;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The shell that reads the command.
const SHELL: &str = "/bin/sh";
/// Changes to the folder in which Elenchus was started, then runs the command.
const START: &str = "cd -- \"$1\" && eval \"$2\"";

/// A command of the user.
#[derive(Clone, Copy, Debug, Default)]
pub struct UserCommand<'a> {
    /// The command, for the shell.
    pub command: &'a str,
    /// Its environment variables besides those of Elenchus.
    pub variables: &'a [(&'a str, &'a str)],
}

/// What a command of the user did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandRun {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// How it ended.
    pub exit: Exit,
    /// Why it ended.
    pub ending: Ending,
}

/// A program that is no solver: it runs once, and what it prints is only read.
pub(super) struct Launched<'a> {
    /// The program.
    pub program: &'a Path,
    /// The files that it may use; `None` if it is not confined.
    pub confinement: Option<&'a Arc<Confinement>>,
    /// Its arguments.
    pub arguments: &'a [String],
    /// Its variables.
    pub environment: &'a Environment,
}

impl Launched<'_> {
    /// Runs it under these limits, and waits for its end.
    pub fn run(&self, supervisor: &mut Supervisor, limits: &Limits) -> Result<CommandRun, RunError> {
        supervisor.launch(&Launch {
            program: self.program,
            confinement: self.confinement,
            coverage: None,
            arguments: self.arguments,
            environment: self.environment,
            limits: protocol::Limits {
                wall_ms: (limits.wall.as_millis() as u64).max(1),
                resident: limits.memory,
                file_size: limits.file,
                folder_size: limits.file.saturating_mul(4),
                ..protocol::Limits::default()
            },
            stdin: None,
            server: None,
            preload: None,
        })?;
        let mut printed = Printed::with_room(limits.output);
        let report = supervisor.await_report(&mut printed, limits.wall)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(CommandRun {
            stdout: text(&printed.stdout),
            stderr: text(&printed.stderr),
            exit: exit_of(&report),
            ending: ending_of(&report, printed.overflowed),
        })
    }
}

impl<'a> UserCommand<'a> {
    /// A command without variables and files.
    pub fn plain(command: &'a str) -> UserCommand<'a> {
        UserCommand { command, ..UserCommand::default() }
    }

    /// Runs it in the current folder, and waits for its end. Its temporary files are removed.
    pub fn run(&self, limits: &Limits, settings: &RunSettings) -> Result<CommandRun, RunError> {
        let folder =
            std::env::current_dir().map_err(|error| RunError::Folder { path: PathBuf::from("."), error })?;
        let mut supervisor = settings.supervisors.lend(settings.scratch.as_deref(), true)?;
        let mut environment = Environment::new(false, self.variables.iter().copied());
        environment.set("TMPDIR", &supervisor.folder.work().to_string_lossy());
        let folder = folder.to_string_lossy().into_owned();
        let arguments = ["-c", START, SHELL, &folder, self.command].map(str::to_owned);
        let launched = Launched {
            program: Path::new(SHELL),
            confinement: None,
            arguments: &arguments,
            environment: &environment,
        };
        launched.run(&mut supervisor, limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    fn run(command: &str) -> CommandRun {
        let limits = Limits {
            wall: Duration::from_millis(1500),
            memory: 256 << 20,
            output: 4096,
            ..Limits::default()
        };
        let variables = &[("ELENCHUS_SEED", "7")];
        UserCommand { command, variables }.run(&limits, &RunSettings::default()).unwrap()
    }

    #[test]
    fn commands_end_for_their_reasons() {
        let folder = std::env::current_dir().unwrap();
        let table: [(&str, &str, Exit, Ending); 7] = [
            ("echo \"a $ELENCHUS_SEED\" | tr a b", "b 7\n", Exit::Code(0), Ending::Own),
            ("pwd", &format!("{}\n", folder.display()), Exit::Code(0), Ending::Own),
            ("echo a; exit 3", "a\n", Exit::Code(3), Ending::Own),
            ("/nonexistent/program", "", Exit::Code(127), Ending::Own),
            ("echo a > \"$TMPDIR/b\" && cat \"$TMPDIR/b\"", "a\n", Exit::Code(0), Ending::Own),
            ("echo 'a", "", Exit::Code(2), Ending::Own),
            ("sleep 60 & sleep 60", "", Exit::Signal(9), Ending::Wall),
        ];
        for (command, stdout, exit, ending) in table {
            let seen = run(command);
            assert_eq!((seen.stdout.as_str(), seen.exit, seen.ending), (stdout, exit, ending), "{command}");
        }
        assert!(run("/nonexistent/program").stderr.contains("not found"));
    }

    #[test]
    fn endless_output_is_cut() {
        let seen = run("yes");
        assert_eq!((seen.ending, seen.stdout.len()), (Ending::Output, 4096));
    }

    #[test]
    fn nothing_is_left_behind() {
        // The program in the background would go on for a minute.
        let seen = run("sleep 61.25 >/dev/null 2>&1 & echo $TMPDIR");
        assert!(!Path::new(seen.stdout.trim()).exists() || is_empty(seen.stdout.trim()), "{}", seen.stdout);
        let begin = Instant::now();
        while is_running("61.25") && begin.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(!is_running("61.25"));
    }

    fn is_empty(folder: &str) -> bool {
        std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
    }

    /// Whether a process has this argument.
    fn is_running(argument: &str) -> bool {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let mut lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
        lines.any(|line| line.split(|byte| *byte == 0).any(|word| word == argument.as_bytes()))
    }
}
