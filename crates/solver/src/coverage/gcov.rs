//! Function coverage of a build with `--coverage`: the program writes its counters when it ends, and `gcov` reads them.
//!
//! All counters are read after each run, so this is for evaluation rather than for guidance. A run that crashes or is killed
//! writes none.

use super::data_folder::DataFolder;
use super::functions::CoverError;
use super::source::MINIMAL_SCRIPT;
use super::{Coverage, CoveragePoint, Reached};
use crate::run::{Observation, RunError, RunMode, RunRequest, RunSettings, Runner, runner};
use crate::target::Target;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs scripts on a build with `--coverage`.
pub struct Gcov {
    counters: Counters,
    runner: Box<dyn Runner>,
    /// The functions, by file, line and name, with their points.
    points: BTreeMap<Function, CoveragePoint>,
    names: Vec<String>,
}

/// A function as gcov names it.
type Function = (String, u64, String);

/// The output of gcov for one file of counters.
#[derive(Deserialize)]
struct Report {
    files: Vec<FileReport>,
}

#[derive(Deserialize)]
struct FileReport {
    file: String,
    functions: Vec<FunctionReport>,
}

#[derive(Deserialize)]
struct FunctionReport {
    demangled_name: String,
    start_line: u64,
    execution_count: u64,
}

impl Gcov {
    /// Measures a build. A build that writes no counters is an error.
    pub fn new(target: &Target, settings: &RunSettings) -> Result<Gcov, CoverError> {
        let folder = DataFolder::new(settings.scratch.as_deref(), "gcov").map_err(CoverError::Exchange)?;
        let counters = Counters { folder };
        let mut target = target.clone();
        target.env.push(("GCOV_PREFIX".to_owned(), counters.folder.path().to_string_lossy().into_owned()));
        target.env.push(("GCOV_PREFIX_STRIP".to_owned(), "0".to_owned()));
        let not_instrumented = |why: String| CoverError::NotInstrumented(target.program.clone(), why);
        let mut runner = runner(&target, RunMode::OneShot, settings)
            .map_err(|error| not_instrumented(error.to_string()))?;
        runner.run(&RunRequest::new(MINIMAL_SCRIPT)).map_err(|error| not_instrumented(error.to_string()))?;
        let counted = counters.read().map_err(|error| not_instrumented(error.to_string()))?;
        if counted.is_empty() {
            return Err(not_instrumented("it writes no counters when it ends".to_owned()));
        }
        let names = counted.keys().map(|(_, _, name)| name.clone()).collect();
        let points = counted
            .into_keys()
            .enumerate()
            .map(|(point, function)| (function, CoveragePoint(point)))
            .collect();
        Ok(Gcov { counters, runner, points, names })
    }
}

impl Coverage for Gcov {
    fn points(&self) -> usize {
        self.names.len()
    }

    fn kind(&self) -> &'static str {
        "functions"
    }

    fn name(&self, point: CoveragePoint) -> Option<&str> {
        self.names.get(point.get()).map(String::as_str)
    }

    fn run(&mut self, request: &RunRequest<'_>) -> Result<(Observation, Reached), RunError> {
        let failed = |error| RunError::Supervisor { error };
        self.counters.folder.clear("gcda").map_err(failed)?;
        let observation = self.runner.run(request)?;
        let mut reached = Reached::default();
        for (function, count) in self.counters.read().map_err(failed)? {
            if let Some(&point) = self.points.get(&function).filter(|_| count > 0) {
                reached.insert(point);
            }
        }
        Ok((observation, reached))
    }
}

/// The counters of the program, in folders named like those of its object files.
struct Counters {
    folder: DataFolder,
}

impl Counters {
    /// How often each function ran.
    fn read(&self) -> io::Result<BTreeMap<Function, u64>> {
        let files = self.folder.files("gcda")?;
        let mut counted = BTreeMap::new();
        if files.is_empty() {
            return Ok(counted);
        }
        for file in &files {
            self.bring_notes(file)?;
        }
        let output = Command::new("gcov")
            .args(["--json-format", "--stdout"])
            .args(&files)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()?;
        for line in output.stdout.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{")) {
            let report: Report = serde_json::from_slice(line).map_err(io::Error::other)?;
            for file in report.files {
                for function in file.functions {
                    let key = (file.file.clone(), function.start_line, function.demangled_name);
                    *counted.entry(key).or_default() += function.execution_count;
                }
            }
        }
        Ok(counted)
    }

    /// Links the compiler's notes next to the counters, where gcov expects them.
    fn bring_notes(&self, counters: &Path) -> io::Result<()> {
        let notes = counters.with_extension("gcno");
        if notes.symlink_metadata().is_ok() {
            return Ok(());
        }
        let inner = notes.strip_prefix(self.folder.path()).map_err(io::Error::other)?;
        std::os::unix::fs::symlink(Path::new("/").join(inner), notes)
    }
}
