//! Runs a program on files, confined and limited like a solver.

use super::error::RunError;
use super::request::{Limits, RunSettings};
use super::supervisor::{Environment, resolve_program};
use super::user_command::{CommandRun, Launched};
use crate::confine::{self, Confinement};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A program that may read its own files, those that its arguments name, and what is in the folders of these.
#[derive(Clone, Debug)]
pub(crate) struct ConfinedProgram {
    program: PathBuf,
    arguments: Vec<String>,
    /// The files that it may use; `None` if nothing is confined.
    confinement: Option<Arc<Confinement>>,
}

impl ConfinedProgram {
    /// The program with these arguments, whose relative paths start in the current folder.
    pub fn new(program: &str, arguments: &[String]) -> ConfinedProgram {
        let program = resolve_program(Path::new(program));
        let arguments: Vec<String> = arguments.iter().map(|word| with_absolute_path(word)).collect();
        let folders = arguments.iter().filter_map(|word| path_of(word).parent()?.to_str().map(str::to_owned));
        let readable: Vec<String> = arguments.iter().cloned().chain(folders).collect();
        let confinement = confine::is_on().then(|| Arc::new(Confinement::new(&program, &readable, [])));
        ConfinedProgram { program, arguments, confinement }
    }

    /// The file that is started.
    pub fn path(&self) -> &Path {
        &self.program
    }

    /// Runs it. Each file has a name and a text, and stands in its working folder; the variable with this name has the path, and so has
    /// every argument in place of `{name}`.
    pub fn run(
        &self,
        files: &[(&str, &str)],
        limits: &Limits,
        settings: &RunSettings,
    ) -> Result<CommandRun, RunError> {
        let mut supervisor = settings.supervisors.lend(settings.scratch.as_deref(), true)?;
        let mut environment = Environment::new(self.confinement.is_some(), []);
        let mut arguments = self.arguments.clone();
        for (name, text) in files {
            let path = supervisor.folder.work().join(name);
            std::fs::write(&path, text).map_err(|error| RunError::Folder { path: path.clone(), error })?;
            let path = path.to_string_lossy();
            environment.set(name, &path);
            for argument in &mut arguments {
                *argument = argument.replace(&format!("{{{name}}}"), &path);
            }
        }
        let launched = Launched {
            program: &self.program,
            confinement: self.confinement.as_ref(),
            arguments: &arguments,
            environment: &environment,
        };
        launched.run(&mut supervisor, limits)
    }
}

/// The path in an argument such as `FILE` or `--include=FILE`.
fn path_of(word: &str) -> &Path {
    Path::new(word.split_once('=').map_or(word, |(_, value)| value))
}

/// The argument with an absolute path, if it names something in the current folder or below. A plain word, such as `check`, is a
/// command of the program.
fn with_absolute_path(word: &str) -> String {
    let path = path_of(word);
    let is_path = path.components().count() > 1 || path.extension().is_some();
    match std::path::absolute(path) {
        Ok(absolute) if path.is_relative() && is_path && path.exists() => {
            let before = &word[..word.len() - path.as_os_str().len()];
            format!("{before}{}", absolute.display())
        }
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_start_in_the_current_folder() {
        let here = std::env::current_dir().unwrap();
        let table = [
            ("Cargo.toml", format!("{}/Cargo.toml", here.display())),
            ("--include=src/lib.rs", format!("--include={}/src/lib.rs", here.display())),
            ("src", "src".to_owned()),
            ("{proof}", "{proof}".to_owned()),
            ("", String::new()),
        ];
        for (word, expected) in table {
            assert_eq!(with_absolute_path(word), expected);
        }
    }

    #[test]
    fn a_program_reads_its_files_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name).display().to_string();
        for name in ["rules/all", "rules/one", "secret"] {
            std::fs::create_dir_all(folder.path().join("rules")).unwrap();
            std::fs::write(place(name), name).unwrap();
        }
        let script =
            format!("cat \"$1\" {} \"$2\" {} 2>/dev/null; true", place("rules/one"), place("secret"));
        let arguments = ["-c".to_owned(), script, "sh".to_owned(), place("rules/all"), "{proof}".to_owned()];
        let run = |program: &ConfinedProgram| {
            let files = [("proof", "(step)")];
            program.run(&files, &Limits::default(), &RunSettings::default()).unwrap().stdout
        };
        let mut program = ConfinedProgram::new("sh", &arguments);
        if program.confinement.is_some() && confine::support().landlock > 0 {
            assert_eq!(run(&program), "rules/allrules/one(step)");
        }
        program.confinement = None;
        assert_eq!(run(&program), "rules/allrules/one(step)secret");
    }
}
