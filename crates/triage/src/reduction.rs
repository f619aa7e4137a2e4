//! Prepares the reduction of a script that shows a bug: the testers, and the confirmation of the result.

use crate::error::TriageError;
use crate::predicate::{
    Basis, CommandRules, CommandTester, Confirmer, Established, SolverTester, command_settings,
    command_target, is_about_time, test_limit, warmed,
};
use crate::source::SolverSource;
use crate::subject::Subject;
use case::{Answer, Claim};
use reduce::{Abort, Need, Tester, Watcher};
use solver::run::Limits;
use solver::{RunMode, RunRequest, runner};
use std::panic::resume_unwind;
use std::time::{Duration, Instant};

/// Tests a script in fresh processes.
pub type Confirm = Box<dyn FnMut(&str) -> Result<bool, Abort>>;

/// Everything that a reduction needs.
pub struct ReductionPlan {
    /// The script to reduce.
    pub script: String,
    /// A model of the script that every candidate must keep, if there is one.
    pub model: Option<String>,
    /// The evidence, in a sentence.
    pub basis: String,
    /// One tester for each candidate that is tested at the same time.
    pub testers: Vec<Box<dyn Tester>>,
    /// Confirms a result on the plain executables.
    pub confirm: Confirm,
}

/// How candidates are tested.
#[derive(Clone, Copy, Debug)]
pub struct ReductionSettings {
    /// How many candidates are tested at the same time.
    pub jobs: usize,
    /// Whether every test starts a fresh process.
    pub cold: bool,
    /// The limits of a run of the whole script.
    pub limits: Limits,
}

/// Establishes what the subject shows, and prepares its reduction.
pub fn plan_reduction(
    subject: &Subject,
    settings: ReductionSettings,
    source: &dyn SolverSource,
) -> Result<ReductionPlan, TriageError> {
    let ReductionSettings { jobs, cold, limits } = settings;
    let clauses = subject.clauses(source)?;
    let slow = clauses.iter().any(|(clause, _)| matches!(clause.claim, Claim::Slow(_)));
    let mode = if cold || slow { RunMode::OneShot } else { RunMode::Fork };
    let (established, warmed) = std::thread::scope(|scope| {
        // The solvers of the testers start during the first runs.
        let warmed =
            (mode == RunMode::Fork).then(|| scope.spawn(|| warmed(&subject.script, &clauses, limits)));
        let established = subject.establish(&clauses, limits);
        let joined = warmed.map(|warmed| warmed.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (established, joined)
    });
    let (established, warmed) = (established?, warmed.transpose()?);
    let says = |answer| clauses.iter().any(|(clause, _)| clause.claim.answer() == Some(answer));
    if established.basis == Basis::Answers
        && subject.finding.is_some()
        && !(says(Answer::Sat) && says(Answer::Unsat))
        && !(says(Answer::Unknown) && (says(Answer::Sat) || says(Answer::Unsat)))
    {
        return Err(TriageError::other(
            format!("nothing shows any more that this is wrong: {}", subject.predicate),
            "name a solver that gives another answer with --keep 'A says unsat, B says sat'",
        ));
    }
    let (participants, sat_model) = (&established.participants, established.basis.sat_model());
    let mut testers: Vec<Box<dyn Tester>> = Vec::with_capacity(jobs);
    if let Some(warmed) = warmed {
        testers.push(Box::new(SolverTester::with_warmed(participants, warmed, sat_model)));
    }
    while testers.len() < jobs {
        testers.push(Box::new(SolverTester::new(participants, mode, sat_model)?));
    }
    let mut confirmer = Confirmer::new(participants, limits, sat_model)?;
    let confirm = Box::new(move |script: &str| confirmer.confirms(script));
    let (model, basis) = (model_of(&established), basis_sentence(subject, &established.basis));
    Ok(ReductionPlan { script: subject.script.clone(), model, basis, testers, confirm })
}

/// Prepares a reduction that keeps the exit code and output of a command.
pub fn plan_by_command(
    script: String,
    words: &[String],
    rules: &CommandRules,
    settings: ReductionSettings,
) -> Result<ReductionPlan, TriageError> {
    let limits = settings.limits;
    let mut target = command_target(words).ok_or_else(|| {
        TriageError::other("the command is empty", "give a program, as in --cmd ./check.sh")
    })?;
    // The command runs in a scratch folder, where a relative path means something else.
    if target.program.components().count() > 1
        && let Ok(absolute) = std::path::absolute(&target.program)
    {
        target.program = absolute;
    }
    let once = || {
        runner(&target, RunMode::OneShot, &command_settings())?.run(&RunRequest::new(&script).limits(limits))
    };
    let (first, second) = (once()?, once()?);
    if !CommandTester::same(rules, &first, &second) {
        return Err(TriageError::other(
            "two runs of the command on the same script differ",
            "compare only the exit code with --ignore-output, or a part of the output with --match TEXT",
        ));
    }
    let wall = test_limit(first.wall.max(second.wall), limits.wall);
    let tester = |limits: Limits| CommandTester::new(&target, limits, rules.clone(), first.clone());
    let mut testers: Vec<Box<dyn Tester>> = Vec::with_capacity(settings.jobs);
    for _ in 0..settings.jobs {
        testers.push(Box::new(tester(Limits { wall, ..limits })?));
    }
    let mut cold = tester(limits)?;
    let confirm = Box::new(move |script: &str| Ok(cold.test(script, Need::Everything)?.is_some()));
    let basis = format!("must stay: {} of `{}`", first.exit, words.join(" "));
    Ok(ReductionPlan { script, model: None, basis, testers, confirm })
}

/// The evidence for a reduction, in a sentence.
fn basis_sentence(subject: &Subject, basis: &Basis) -> String {
    let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
    match basis {
        Basis::Model { from, .. } => {
            format!("the model of {from} satisfies the script by our own evaluation")
        }
        Basis::RefutedModel { by, .. } => format!("our own evaluation refutes the model of {by}"),
        Basis::Core(found) => {
            format!("the model of {} satisfies the core by our own evaluation", found.from)
        }
        Basis::Misstatement(wrong) => {
            format!("a solver {}, which is wrong by our own evaluation", wrong.said)
        }
        Basis::RejectedProof(rejection) => format!("`{}` rejects the proof", rejection.checker),
        Basis::Itself => format!("shown: {}", subject.predicate),
        Basis::Times(times) => format!(
            "shown: {}: {} of CPU time against {}; a candidate must take at least {}, and at most {} with the others",
            subject.predicate,
            seconds(times.slow),
            seconds(times.fast),
            seconds(times.at_least),
            seconds(times.at_most)
        ),
        Basis::Answers => "only the answers contradict each other; nothing decides which is wrong".to_owned(),
    }
}

/// The result of a reduction.
pub struct Reduction {
    /// The smallest script.
    pub script: String,
    /// A model of it, if one is known.
    pub model: Option<String>,
    /// Whether it was stopped before nothing made the script smaller.
    pub stopped: bool,
}

/// Reduces a script for a limited time, in this thread alone.
pub fn reduce_for(script: &str, established: &Established, time: Duration) -> Result<String, TriageError> {
    let until = Instant::now() + time;
    reduce_until(script, established, &|| Instant::now() >= until).map(|reduction| reduction.script)
}

/// Reduces a script in this thread alone, until nothing makes it smaller or `should_stop` says so.
pub fn reduce_until(
    script: &str,
    established: &Established,
    should_stop: &dyn Fn() -> bool,
) -> Result<Reduction, TriageError> {
    let (participants, sat_model) = (&established.participants, established.basis.sat_model());
    let mode = if is_about_time(participants) { RunMode::OneShot } else { RunMode::Fork };
    let tester = SolverTester::new(participants, mode, sat_model)?;
    let mut testers: Vec<Box<dyn Tester>> = vec![Box::new(tester)];
    let confirmer = Confirmer::new(participants, Limits::default(), sat_model)?;
    let mut watcher = Stoppable { should_stop, confirmer };
    let outcome = reduce::reduce(script, model_of(established), &mut testers, &mut watcher);
    match outcome.aborted {
        Some(Abort(reason)) => Err(TriageError::other(reason, "run the reduction again")),
        None => Ok(Reduction { script: outcome.script, model: outcome.model, stopped: outcome.stopped }),
    }
}

/// The model that every candidate must keep.
fn model_of(established: &Established) -> Option<String> {
    match &established.basis {
        Basis::Model { model, .. } => Some(model.clone()),
        _ => None,
    }
}

/// Stops a reduction on request.
struct Stoppable<'a> {
    should_stop: &'a dyn Fn() -> bool,
    confirmer: Confirmer,
}

impl Watcher for Stoppable<'_> {
    fn should_stop(&self) -> bool {
        (self.should_stop)()
    }

    fn improved(&mut self, _: &str, _: Option<&str>) -> Result<(), Abort> {
        Ok(())
    }

    fn confirm(&mut self, script: &str) -> Result<bool, Abort> {
        self.confirmer.confirms(script)
    }
}
