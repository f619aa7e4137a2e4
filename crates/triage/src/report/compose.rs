//! Composes a report from runs of the plain executables.

use super::command::{arguments, command};
use super::content::{Report, SolverResult};
use super::evidence::{model_values, readable_model};
use super::needed_model::needed_model;
use super::pinned::with_model;
use super::policy::{Newest, options_in, policy};
use crate::blame::{Blame, blame};
use crate::cluster::{Facts, stored_facts};
use crate::distinguishing_functions::{NoDistinguishingFunctions, functions_of};
use crate::error::TriageError;
use crate::oracle::{Evaluated, ModelJudge, ModelOpinion, run_result};
use crate::predicate::{AskModel, Basis, Established, Participant, is_empty_model};
use crate::releases::{self, Effort, Probe, Releases};
use crate::source::SolverSource;
use crate::subject::Subject;
use case::{Claim, Class, Outcome, ParticipantIndex, Severity, Statement};
use solver::run::{Limits, Want};
use solver::{Observation, RunError, RunRequest};
use std::path::Path;

/// How a report is made.
#[derive(Clone, Copy, Debug)]
pub struct ReportSettings<'a> {
    /// The folder of the campaign, to find likely duplicates.
    pub out: &'a Path,
    /// The limits of a run.
    pub limits: Limits,
    /// Whether to test other releases.
    pub bisect: bool,
}

/// Composes the report of a subject. `note` receives what is being done and what could not be found out.
pub fn report(
    subject: &Subject,
    settings: &ReportSettings<'_>,
    source: &dyn SolverSource,
    note: &mut dyn FnMut(String),
) -> Result<Report, TriageError> {
    let clauses = subject.clauses(source)?;
    let established = subject.establish(&clauses, settings.limits)?;
    let releases = tested_releases(subject, &established, settings, source, note)?;
    let blame = blame(&established);
    let suspect = established.participant(blame.first_suspect());
    let newest = Newest::of(suspect, releases.as_ref(), source);
    let script = shown_script(&subject.script, suspect);
    let printed = match suspect.claim {
        // A second run would take another time.
        Claim::Slow(_) => Printed::slow(suspect, established.run(blame.first_suspect())),
        _ => Printed::of_run(suspect, &script, settings.limits)?,
    };
    let (model, values) = model_and_values(subject, &established);
    let mut facts = Facts::of_established(&subject.origin, &subject.script, &established)
        .with_releases(releases.as_ref());
    let distinguishing_functions = match facts.needs_functions().then(|| functions_of(subject, &established))
    {
        Some(Ok(found)) => Some(found),
        Some(Err(NoDistinguishingFunctions::Kind)) | None => None,
        Some(Err(why)) => {
            note(format!("the distinguishing functions are unknown: {why}"));
            None
        }
    };
    facts.functions =
        distinguishing_functions.as_ref().map(|found| found.functions.clone()).unwrap_or_default();
    let duplicates = stored_facts(settings.out)
        .into_iter()
        .filter(|other| other.name != facts.name && other.is_same(&facts))
        .map(|other| other.name)
        .collect();
    let name = &suspect.target.profile.title;
    let version = &suspect.target.version;
    Ok(Report {
        title: title(&blame, suspect, &facts),
        class: blame.class,
        severity: Severity::of(blame.class, !arguments(suspect).is_empty()),
        solver: format!("{name} {version}"),
        command: command(suspect),
        expected: expected(&blame).to_owned(),
        actual: printed.output,
        ended: printed.ended,
        blame: match blame.own_check {
            true => format!("{}. {}", blame.reason, about_own_check(suspect, subject, settings.limits)?),
            false => blame.reason.clone(),
        },
        others: others(&established, &blame.suspects),
        with_model: match &established.basis {
            basis if basis.holds_always() => Vec::new(),
            Basis::Model { model, .. } => {
                results_with_model(&subject.script, model, &established, settings.limits)?
            }
            Basis::Core(found) => {
                results_with_model(&found.alone, &found.model, &established, settings.limits)?
            }
            _ => Vec::new(),
        },
        options: arguments(suspect).into_iter().chain(options_in(&subject.script)).collect(),
        policy: policy(suspect, &subject.script, &newest, &blame, settings.limits)?,
        signature: facts.signature(),
        origin: subject.origin.clone(),
        releases,
        duplicates,
        distinguishing_functions,
        model,
        values,
        script,
    })
}

/// The releases of the suspect: those saved for this very script, or those tested now.
fn tested_releases(
    subject: &Subject,
    established: &Established,
    settings: &ReportSettings<'_>,
    source: &dyn SolverSource,
    note: &mut dyn FnMut(String),
) -> Result<Option<Releases>, TriageError> {
    if let Some(saved) = subject.folder().and_then(|folder| Releases::saved(folder, &subject.script)) {
        return Ok(Some(saved));
    }
    if !settings.bisect {
        return Ok(None);
    }
    note("testing other releases".to_owned());
    let mut tested = |probe: &Probe| note(format!("{} is {}", probe.release, probe.state.word()));
    let found =
        releases::bisect(&subject.script, established, settings.limits, Effort::Bisect, source, &mut tested);
    match found {
        Ok(found) => {
            if let Some(folder) = subject.folder() {
                found.save(folder, &subject.script)?;
            }
            Ok(Some(found))
        }
        Err(error) if error.is_cancelled() => Err(error),
        Err(error) => {
            note(error.to_string());
            Ok(None)
        }
    }
}

/// The model that decides the case, and the values of all subterms under it.
fn model_and_values(subject: &Subject, established: &Established) -> (Option<String>, Option<String>) {
    let shown = |model: &str| (!is_empty_model(model)).then(|| readable_model(model));
    let of = |script: &str, model: &str| (shown(model), model_values(script, model));
    match &established.basis {
        Basis::Model { model, .. } => of(&subject.script, &needed_model(&subject.script, model)),
        Basis::RefutedModel { by, .. } => {
            let runs = established.participants.iter().zip(&established.seen);
            let mut models = runs.filter(|(one, _)| one.target.id == *by).filter_map(|(_, run)| run.model());
            of(&subject.script, models.next().unwrap_or_default())
        }
        Basis::Core(found) => of(&found.alone, &found.model),
        Basis::Misstatement(wrong) => (None, Some(wrong.explanation.clone())),
        Basis::RejectedProof(_) | Basis::Itself | Basis::Answers | Basis::Times(_) => (None, None),
    }
}

/// One line for people: who is wrong, under which options, how, and with which operators.
pub(crate) fn title(blame: &Blame, suspect: &Participant, facts: &Facts) -> String {
    let mut solver = format!("{} {}", suspect.target.profile.title, suspect.target.version);
    if !suspect.options.is_empty() {
        solver.push_str(&format!(" ({})", suspect.options.join(" ")));
    }
    let operators: Vec<&str> = facts.operators.iter().map(String::as_str).take(4).collect();
    let with = if operators.is_empty() { String::new() } else { format!(" with {}", operators.join(", ")) };
    match blame.class {
        Class::WrongUnsat => format!("{solver} answers unsat on a satisfiable script{with}"),
        Class::WrongSat => format!("{solver} answers sat on an unsatisfiable script{with}"),
        Class::Crash => {
            let crash = facts.crash.as_ref().map_or_else(String::new, |crash| format!(": {}", crash.short()));
            format!("{solver} crashes{with}{crash}")
        }
        Class::InvalidModel if blame.own_check => format!("{solver} fails its own model check{with}"),
        Class::InvalidModel => format!("{solver} returns an invalid model{with}"),
        Class::InvalidProof if blame.own_check => format!("{solver} fails its own proof check{with}"),
        Class::InvalidProof => format!("{solver} returns a proof that a checker rejects{with}"),
        Class::InvalidCore => format!("{solver} returns a satisfiable unsat core{with}"),
        class @ (Class::WrongRewrite
        | Class::WrongValue
        | Class::WrongOptimum
        | Class::WrongConsequence
        | Class::RepeatedModel
        | Class::WrongPrinting) => {
            format!("{solver} {}{with}", Statement::fault(class).unwrap_or_default())
        }
        Class::Performance => format!("{solver} is far slower than another solver{with}"),
        Class::Incompleteness => format!("{solver} gives up on a script that another solver answers{with}"),
        Class::StateLeak => format!("{solver} answers differently after other scripts{with}"),
        Class::WrongLabel => format!("{solver} contradicts the label of a script{with}"),
        Class::Contradiction if blame.decided => format!("{solver} contradicts itself{with}"),
        Class::Contradiction => format!("{solver} and another solver contradict each other{with}"),
    }
}

fn expected(blame: &Blame) -> &'static str {
    match blame.class {
        Class::WrongUnsat => "sat (or unknown)",
        Class::WrongSat => "unsat (or unknown)",
        Class::InvalidModel if blame.own_check => "a model that the solver's own check accepts",
        Class::InvalidModel => "a model that makes every assertion true",
        Class::InvalidProof if blame.own_check => "a proof that the solver's own check accepts",
        Class::InvalidProof => "a proof that a checker accepts",
        Class::InvalidCore => "an unsatisfiable core",
        class @ (Class::WrongRewrite
        | Class::WrongValue
        | Class::WrongOptimum
        | Class::WrongConsequence
        | Class::RepeatedModel
        | Class::WrongPrinting) => Statement::expected(class).unwrap_or_default(),
        Class::Crash => "an answer or an error message",
        Class::Performance => "an answer in about the time that other solvers take",
        Class::Incompleteness => "an answer, as to a script from which it follows",
        Class::StateLeak => "the same answer as in a fresh process",
        Class::WrongLabel => "the answer that the script states",
        Class::Contradiction if blame.decided => "the same answer both times",
        Class::Contradiction => "the same answer from both",
    }
}

/// The script to run. If the bug is in the model, the script asks for it.
fn shown_script(script: &str, suspect: &Participant) -> String {
    let mut shown = suspect.script(script).into_owned();
    if suspect.claim != Claim::WrongModel {
        return shown;
    }
    let profile = suspect.target.profile.at(&suspect.target.version);
    if profile.ask.models.is_some_and(|ask| !ask.args.is_empty()) && !shown.contains(":produce-models") {
        shown.insert_str(0, "(set-option :produce-models true)\n");
    }
    if !shown.contains("(get-model)") {
        shown = format!("{}\n(get-model)\n", shown.trim_end());
    }
    shown
}

/// What a run of the plain executable printed, and how it ended if that is not in the output.
struct Printed {
    output: String,
    ended: Option<String>,
}

impl Printed {
    /// Runs the plain executable on the script as it is shown.
    fn of_run(suspect: &Participant, script: &str, limits: Limits) -> Result<Printed, RunError> {
        let want = Want { model: false, ..suspect.want(AskModel::IfClaimed) };
        let request = RunRequest::new(script).options(&suspect.options).limits(limits).want(want);
        let seen = suspect.run_once(&request)?;
        let output = output(&seen);
        let ended = match &seen.outcome {
            Outcome::Crash(crash) if !output.contains(&crash.cause_key()) => Some(crash.to_string()),
            _ => None,
        };
        Ok(Printed { output, ended })
    }

    /// A run that took long.
    fn slow(suspect: &Participant, seen: &Observation) -> Printed {
        Printed { output: output(seen), ended: Some(timed(suspect, seen).text()) }
    }
}

fn output(seen: &Observation) -> String {
    format!("{}{}", seen.stdout, seen.stderr).trim().to_owned()
}

/// What our own evaluation says about a model that the solver's own check rejects.
fn about_own_check(
    suspect: &Participant,
    subject: &Subject,
    limits: Limits,
) -> Result<&'static str, RunError> {
    let want = Want { model: true, ..Want::default() };
    let request = RunRequest::new(&subject.script).options(&suspect.options).limits(limits).want(want);
    let seen = suspect.run_once(&request)?;
    Ok(match seen.model().map(|model| Evaluated::default().opinion(&subject.script, model)) {
        Some(ModelOpinion::Confirmed) => {
            "The model that `(get-model)` prints makes every assertion true by our own evaluation, so the fault is in the check"
        }
        Some(ModelOpinion::Refuted { .. }) => {
            "The model that `(get-model)` prints makes an assertion false by our own evaluation"
        }
        _ => "Our own evaluation cannot decide whether the model is valid",
    })
}

/// What the solvers that are not to blame do.
fn others(established: &Established, suspects: &[ParticipantIndex]) -> Vec<SolverResult> {
    let result = |index| {
        let (participant, seen) = (established.participant(index), established.run(index));
        match established.basis {
            Basis::Times(_) => timed(participant, seen),
            _ => result(participant, seen),
        }
    };
    let all = ParticipantIndex::all(established.participants.len());
    let is_suspect = |participant: &Participant| {
        suspects.iter().any(|&suspect| established.participant(suspect).target.id == participant.target.id)
    };
    let is_other = |index: &ParticipantIndex| {
        let participant = established.participant(*index);
        // A solver that contradicts itself is a suspect twice. One that satisfies its own core is no other solver.
        !is_suspect(participant) || (suspects.first() != Some(index) && participant.is_plain())
    };
    all.filter(is_other).map(result).collect()
}

/// What all participants, including the wrong one, do when the model replaces the declarations.
fn results_with_model(
    script: &str,
    model: &str,
    established: &Established,
    limits: Limits,
) -> Result<Vec<SolverResult>, RunError> {
    let Some(script) = with_model(script, model) else { return Ok(Vec::new()) };
    let run = |participant: &Participant| {
        let request = RunRequest::new(&script).options(&participant.options).limits(limits);
        Ok(result(participant, &participant.run_once(&request)?))
    };
    established.participants.iter().map(run).collect()
}

fn result(participant: &Participant, seen: &Observation) -> SolverResult {
    SolverResult { solver: participant.name(), result: run_result(seen), cpu_ms: None }
}

fn timed(participant: &Participant, seen: &Observation) -> SolverResult {
    SolverResult { cpu_ms: Some(seen.cpu.as_millis() as u64), ..result(participant, seen) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use case::Predicate;
    use solver::{Profile, Target};

    #[test]
    fn a_script_asks_for_its_model_by_itself() {
        let table = [
            ("z3", "(check-sat)\n(get-model)\n"),
            ("cvc5", "(set-option :produce-models true)\n(check-sat)\n(get-model)\n"),
        ];
        for (name, expected) in table {
            let clause = Predicate::parse("a gives a wrong model").unwrap().clauses.remove(0);
            let target = Target::executable(name, name, Profile::built_in(name).unwrap());
            let suspect = Participant::new(&clause, &target, Limits::default());
            assert_eq!(shown_script("(check-sat)\n", &suspect), expected);
            assert_eq!(command(&suspect), format!("{name} bug.smt2"));
        }
    }
}
