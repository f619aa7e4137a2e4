//! Runs the case of a finding again.

use crate::command_line::command_line;
use case::table::{align, row};
use case::{AskedScript, Class, Finding, Learned, SolverRun};
use solver::run::{Limits, RunSettings, Want, plain_script};
use solver::{Observation, RunMode, RunRequest, Target, runner};
use triage::{Bug, Evaluated, Question, Rules, SolverSource, Subject, TriageError, Witness};

/// The case of a finding, run again.
pub struct Rerun {
    /// What each solver did.
    pub runs: Vec<(Target, Observation)>,
    /// The bugs that these runs show.
    pub bugs: Vec<Bug>,
    /// Why the core or statement of the finding, which another solver refutes, is still wrong.
    pub refuted: Option<String>,
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
    let plain = plain_script(case);
    let repeated = |run: &SolverRun| Repeated {
        spec: run.spec.clone(),
        options: run.options.clone(),
        asked: run.asked,
        id: Some(run.id.clone()),
    };
    let repeated: Vec<Repeated> = match solvers.is_empty() {
        true => finding.runs.iter().map(repeated).collect(),
        false => solvers.iter().flat_map(|spec| Repeated::of_solver(finding, spec)).collect(),
    };
    let want = Want { model: finding.models, check_models: finding.own_checks, ..Want::default() };
    let mut runs: Vec<(Target, Observation)> = Vec::new();
    for Repeated { spec, options, asked, id } in repeated {
        let mut target = source.resolve(&spec)?.configured(&options);
        let (script, file) = match asked {
            AskedScript::Plain => (plain.as_str(), "plain.smt2"),
            AskedScript::Case | AskedScript::CoreAlone | AskedScript::Doubt => (case, "case.smt2"),
        };
        before(&command_line(&target, &want, script, file));
        let mut runner = runner(&target, RunMode::OneShot, &RunSettings::default())?;
        let observation = runner.run(&RunRequest::new(script).limits(limits).want(want))?;
        target.id = id.unwrap_or(target.id);
        runs.push((target, observation));
    }
    let premise: &[Learned] =
        if strategies::keeps_answers(&finding.origin.strategy) { &finding.learned } else { &[] };
    let question =
        Question { script: case, expectation: &finding.expectation, theories: &finding.theories, premise };
    let rules = Rules { incompleteness: finding.class == Class::Incompleteness, ..Rules::default() };
    let witnesses: Vec<Witness<'_>> = runs
        .iter()
        .map(|(target, observation)| Witness { id: &target.id, name: &target.name, observation })
        .collect();
    let bugs = triage::judge(&question, &witnesses, &mut Evaluated::default(), &rules).bugs;
    let is_refuted = |run: &SolverRun| matches!(run.asked, AskedScript::CoreAlone | AskedScript::Doubt);
    let refuted = match finding.runs.iter().any(is_refuted) {
        true => refuted(finding, case, limits, source)?,
        false => None,
    };
    Ok(Rerun { runs, bugs, refuted })
}

/// A run to repeat.
struct Repeated {
    spec: String,
    options: Vec<String>,
    asked: AskedScript,
    /// The name of the run, if it is not that of the solver.
    id: Option<String>,
}

impl Repeated {
    /// The runs of another solver on the script of a finding, and on its plain form if that was asked too.
    fn of_solver(finding: &Finding, spec: &str) -> Vec<Repeated> {
        let run = |asked, id| Repeated { spec: spec.to_owned(), options: Vec::new(), asked, id };
        let mut runs = vec![run(AskedScript::Case, None)];
        if finding.runs.iter().any(|run| run.asked == AskedScript::Plain) {
            runs.push(run(AskedScript::Plain, Some(format!("{spec} plainly"))));
        }
        runs
    }
}

/// Why the core or statement of a finding is wrong; `None` if it no longer is.
fn refuted(
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
        self.refuted.is_some() || self.bugs.iter().any(|bug| bug.class.is_bug())
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
