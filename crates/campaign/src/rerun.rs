//! Runs the case of a finding again.

use crate::command_line::command_line;
use case::table::{align, row};
use case::{Class, Finding};
use solver::run::{Limits, RunSettings, Want};
use solver::{Observation, RunMode, RunRequest, Target, runner};
use triage::{Bug, Evaluated, Question, Rules, SolverSource, Subject, TriageError, Witness};

/// The case of a finding, run again.
pub struct Rerun {
    /// What each solver did.
    pub runs: Vec<(Target, Observation)>,
    /// The bugs that these runs show.
    pub bugs: Vec<Bug>,
    /// Why the unsat core of the finding is still wrong.
    pub wrong_core: Option<String>,
}

/// Runs the case of a finding in fresh processes: on the solvers of the finding, or on the given ones. Calls `before` with each
/// command line.
pub fn rerun(
    finding: &Finding,
    case: &str,
    solvers: Vec<String>,
    limits: Limits,
    source: &dyn SolverSource,
    before: &mut dyn FnMut(&str),
) -> Result<Rerun, TriageError> {
    let specs: Vec<(String, Vec<String>)> = match solvers.is_empty() {
        true => finding.runs.iter().map(|run| (run.spec.clone(), run.options.clone())).collect(),
        false => solvers.into_iter().map(|spec| (spec, Vec::new())).collect(),
    };
    let want = Want { model: finding.models, check_models: finding.own_checks, ..Want::default() };
    let mut runs: Vec<(Target, Observation)> = Vec::new();
    for (spec, options) in &specs {
        let target = source.resolve(spec)?.configured(options);
        before(&command_line(&target, &want, case, "case.smt2"));
        let mut runner = runner(&target, RunMode::OneShot, &RunSettings::default())?;
        let observation = runner.run(&RunRequest::new(case).limits(limits).want(want))?;
        runs.push((target, observation));
    }
    let question = Question { script: case, expectation: &finding.expectation, theories: &finding.theories };
    let witnesses: Vec<Witness<'_>> = runs
        .iter()
        .map(|(target, observation)| Witness { id: &target.id, name: &target.name, observation })
        .collect();
    let bugs = triage::judge(&question, &witnesses, &mut Evaluated::default(), &Rules::default()).bugs;
    let wrong_core = match finding.class {
        Class::InvalidCore => wrong_core(finding, case, limits, source)?,
        _ => None,
    };
    Ok(Rerun { runs, bugs, wrong_core })
}

/// Why the unsat core of a finding is wrong; `None` if it no longer is.
fn wrong_core(
    finding: &Finding,
    case: &str,
    limits: Limits,
    source: &dyn SolverSource,
) -> Result<Option<String>, TriageError> {
    let Some(predicate) = finding.predicate.clone() else { return Ok(None) };
    let clauses = Subject::of_script(case.to_owned(), predicate, "").clauses(source)?;
    let established = triage::predicate::establish(case, &clauses, limits)?;
    Ok(established.ok().map(|established| triage::blame(&established).reason))
}

impl Rerun {
    /// Whether the runs show a bug, not only a candidate.
    pub fn shows_bug(&self) -> bool {
        self.wrong_core.is_some() || self.bugs.iter().any(|bug| bug.class.is_bug())
    }

    /// A table of what the solvers did when the case was found and do now.
    pub fn table(&self, finding: &Finding) -> Vec<String> {
        let mut rows = vec![row(["solver", "when found", "now", "ms"])];
        for (target, observation) in &self.runs {
            let before = finding.runs.iter().find(|run| run.id == target.id);
            rows.push(vec![
                target.id.clone(),
                before.map_or_else(String::new, |run| run.result.to_string()),
                triage::run_result(observation).to_string(),
                observation.wall.as_millis().to_string(),
            ]);
        }
        align(&rows)
    }
}
