//! Function coverage of a build with `-fprofile-instr-generate`: the program writes its counters when it ends, and `llvm-profdata`
//! reads them.
//!
//! All counters are read after each run, so this is for evaluation rather than for guidance. A run that crashes or is killed
//! writes none.

use super::data_folder::DataFolder;
use super::functions::CoverError;
use super::source::MINIMAL_SCRIPT;
use super::{Coverage, CoveragePoint, Reached};
use crate::run::{Observation, RunError, RunMode, RunRequest, RunSettings, Runner, runner};
use crate::target::Target;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program that reads counters.
const TOOL: &str = "llvm-profdata";
/// The variable with its path, in the solver's block or the environment.
const NAMED: &str = "LLVM_PROFDATA";

/// Runs scripts on a build with `-fprofile-instr-generate`.
pub struct Llvm {
    folder: DataFolder,
    /// The program that reads these counters.
    tool: PathBuf,
    runner: Box<dyn Runner>,
    /// The functions with their points.
    points: BTreeMap<String, CoveragePoint>,
    names: Vec<String>,
}

impl Llvm {
    /// Measures a build. A build that writes no counters, or whose counters no tool can read, is an error.
    pub fn new(target: &Target, settings: &RunSettings) -> Result<Llvm, CoverError> {
        let folder = DataFolder::new(settings.scratch.as_deref(), "llvm").map_err(CoverError::Exchange)?;
        let mut target = target.clone();
        let named =
            target.env.iter().rfind(|(name, _)| name == NAMED).map(|(_, value)| OsString::from(value));
        // Each process of the solver writes its own file.
        let files = folder.path().join("%p.profraw");
        target.env.push(("LLVM_PROFILE_FILE".to_owned(), files.to_string_lossy().into_owned()));
        let not_instrumented = |why: String| CoverError::NotInstrumented(target.program.clone(), why);
        let mut runner = runner(&target, RunMode::OneShot, settings)
            .map_err(|error| not_instrumented(error.to_string()))?;
        runner.run(&RunRequest::new(MINIMAL_SCRIPT)).map_err(|error| not_instrumented(error.to_string()))?;
        let files = folder.files("profraw").map_err(CoverError::Exchange)?;
        if files.is_empty() {
            return Err(not_instrumented("it writes no counters when it ends".to_owned()));
        }
        let tools = match named.or_else(|| std::env::var_os(NAMED)) {
            Some(named) => vec![PathBuf::from(named)],
            None => tools(&std::env::var_os("PATH").unwrap_or_default()),
        };
        // The format depends on the release of the compiler, so not every tool reads it.
        let mut why = format!("no {TOOL} on the path");
        for tool in tools {
            match read(&tool, &files) {
                Ok(counted) => {
                    let names: Vec<String> = counted.into_keys().collect();
                    let points = names
                        .iter()
                        .enumerate()
                        .map(|(point, name)| (name.clone(), CoveragePoint(point)))
                        .collect();
                    return Ok(Llvm { folder, tool, runner, points, names });
                }
                Err(error) => why = format!("{} does not read its counters: {error}", tool.display()),
            }
        }
        Err(not_instrumented(why))
    }
}

impl Coverage for Llvm {
    fn points(&self) -> usize {
        self.names.len()
    }

    fn kind(&self) -> &'static str {
        "functions"
    }

    fn name(&self, point: CoveragePoint) -> Option<&str> {
        // The names of static functions start with their file.
        self.names.get(point.get()).map(|name| name.rsplit([':', ';']).next().unwrap_or(name))
    }

    fn run(&mut self, request: &RunRequest<'_>) -> Result<(Observation, Reached), RunError> {
        let failed = |error| RunError::Supervisor { error };
        self.folder.clear("profraw").map_err(failed)?;
        let observation = self.runner.run(request)?;
        let files = self.folder.files("profraw").map_err(failed)?;
        let mut reached = Reached::default();
        for (name, _) in read(&self.tool, &files).map_err(failed)?.iter().filter(|(_, ran)| **ran) {
            if let Some(&point) = self.points.get(name) {
                reached.insert(point);
            }
        }
        Ok((observation, reached))
    }
}

/// The tools on a path: the one without a number first, then by descending release.
fn tools(path: &OsStr) -> Vec<PathBuf> {
    let (mut plain, mut numbered) = (Vec::new(), Vec::new());
    for folder in std::env::split_paths(path) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(TOOL)) else { continue };
            if rest.is_empty() {
                plain.push(entry.path());
            } else if let Some(number) = rest.strip_prefix('-').and_then(|rest| rest.parse::<u32>().ok()) {
                numbered.push((number, entry.path()));
            }
        }
    }
    numbered.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    plain.into_iter().chain(numbered.into_iter().map(|(_, path)| path)).collect()
}

/// All functions in some files of counters, with whether they ran.
fn read(tool: &Path, files: &[PathBuf]) -> io::Result<BTreeMap<String, bool>> {
    let mut counted = BTreeMap::new();
    for file in files {
        let output = Command::new(tool)
            .args(["show", "--all-functions", "--counts"])
            .arg(file)
            .stdin(Stdio::null())
            .output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(io::Error::other(said.lines().next().unwrap_or("it failed").to_owned()));
        }
        for (name, ran) in functions(&String::from_utf8_lossy(&output.stdout)) {
            *counted.entry(name).or_default() |= ran;
        }
    }
    Ok(counted)
}

/// The functions in the output of the tool: a name with a colon, then its counters, indented further.
fn functions(printed: &str) -> Vec<(String, bool)> {
    let mut found: Vec<(String, bool)> = Vec::new();
    for line in printed.lines() {
        if let Some(name) = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')) {
            found.extend(name.strip_suffix(':').map(|name| (name.to_owned(), false)));
        } else if let (Some((what, counts)), Some((_, ran))) =
            (line.trim().split_once(": "), found.last_mut())
        {
            let counts = counts.trim_matches(['[', ']']).split(", ");
            let any = counts.filter_map(|count| count.parse::<u64>().ok()).any(|count| count > 0);
            *ran |= any && ["Function count", "Block counts"].contains(&what);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_tool_prints() {
        let printed = "Counters:\n  main:\n    Hash: 0xcbb45ed58dd596f1\n    Counters: 3\n    Function count: 1\n    \
                       Block counts: [0, 4]\n  program.c:only_here:\n    Hash: 0x18\n    Counters: 1\n    Function count: 0\n    \
                       Block counts: []\n  _ZN1a1bEv:\n    Hash: 0x18\n    Counters: 2\n    Function count: 0\n    \
                       Block counts: [2]\nInstrumentation level: Front-end\nFunctions shown: 3\nTotal functions: 3\n\
                       Maximum function count: 1\n";
        let expected = [("main", true), ("program.c:only_here", false), ("_ZN1a1bEv", true)];
        assert_eq!(functions(printed), expected.map(|(name, ran)| (name.to_owned(), ran)));
    }

    #[test]
    fn tools_of_all_releases() {
        let folder = tempfile::tempdir().unwrap();
        for name in
            ["llvm-profdata-9", "llvm-profdata-14", "llvm-profdata", "llvm-profdata-old", "llvm-cov-14"]
        {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let found = tools(folder.path().as_os_str());
        let names: Vec<_> = found.iter().filter_map(|path| path.file_name()?.to_str()).collect();
        assert_eq!(names, ["llvm-profdata", "llvm-profdata-14", "llvm-profdata-9"]);
    }
}
