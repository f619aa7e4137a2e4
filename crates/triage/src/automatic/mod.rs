//! What happens to every finding without being asked: it is shown as plainly as possible, reduced, and identified by what is left.

mod folder;
mod identity;
mod isolate;
mod merging;
mod plainest;
mod relation;
mod saved;

pub use folder::{
    REPORT, TriageProgress, TriageStep, bisect_all, record_reduced, record_triaged, reduce_all, releases_of,
    triage_folder, write_report,
};
pub use identity::{Failure, Identity};
pub use merging::{group_alike, merge_alike};
pub use plainest::plainest;
pub use relation::Relation;
pub use saved::TriagedFinding;

use crate::blame::blame;
use crate::cluster::Facts;
use crate::error::TriageError;
use crate::reduction::{Reduction, reduce_until};
use crate::report::{arguments, title};
use crate::source::SolverSource;
use crate::subject::Subject;
use case::Outcome;
use isolate::isolated;
use solver::run::Limits;

/// Reduces a finding until nothing makes it smaller or `should_stop` says so, and identifies it.
pub fn triage_finding(
    subject: &Subject,
    limits: Limits,
    source: &dyn SolverSource,
    should_stop: &dyn Fn() -> bool,
) -> Result<TriagedFinding, TriageError> {
    let (subject, established) = plainest(subject, limits, source)?;
    let (mut subject, established) =
        isolated(&subject, &established, limits, source)?.unwrap_or((subject, established));
    let Reduction { script, model, stopped } = reduce_until(&subject.script, &established, should_stop)?;
    (subject.script, subject.model) = (script, model);
    Ok(TriagedFinding { finished: !stopped, ..identify(&subject, limits, source)? })
}

/// Identifies a finding by its script, which is reduced as far as possible.
pub fn identify(
    subject: &Subject,
    limits: Limits,
    source: &dyn SolverSource,
) -> Result<TriagedFinding, TriageError> {
    // Evaluation may refute a small model where it could not decide about a large one.
    let (subject, established) = plainest(subject, limits, source)?;
    let blame = blame(&established);
    let suspect = established.participant(blame.first_suspect());
    let mut facts = Facts::of_established(&subject.origin, &subject.script, &established);
    // The claim may name only a part of the message.
    if let Outcome::Crash(crash) = &established.run(blame.first_suspect()).outcome {
        facts.crash = Some(crash.clone());
    }
    let clause = &subject.predicate.clauses[blame.first_suspect().get()];
    Ok(TriagedFinding {
        class: blame.class,
        title: title(&blame, suspect, &facts),
        identity: Identity::new(blame.class, clause, &facts, &subject.script),
        needs_options: !arguments(suspect).is_empty(),
        predicate: subject.predicate,
        script: subject.script,
        model: subject.model,
        finished: true,
    })
}
