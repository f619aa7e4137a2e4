//! Cross-examination of the evaluator. Elenchus evaluates random ground terms, asks solvers for the same values, and
//! reports every difference: one side is wrong.

mod batch;
mod known_bugs;
mod present;
mod report;
mod track_record;
mod witness;

pub use report::{Disagreement, Report, Row, Tally};
pub use witness::{Claim, Reply};

use batch::{BatchMaker, Evaluated};
use case::SolverIndex;
use smt::Signatures;
use solver::{RunError, Target};
use std::sync::Arc;
use track_record::TrackRecord;
use witness::{Logic, Witness};

/// The largest batch of terms. The first batches are smaller, to find out early which operators a solver refuses.
const BATCH: u64 = 2048;
const FIRST_BATCH: u64 = 128;

/// What to examine.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many terms to generate.
    pub terms: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// Only operators of these theories; empty for all theories.
    pub theories: Vec<String>,
}

impl Plan {
    fn includes(&self, theory: &str) -> bool {
        self.theories.is_empty() || self.theories.iter().any(|name| name == theory)
    }
}

/// A solver together with what it has shown about each operator.
struct Examined {
    witness: Witness,
    track_record: TrackRecord,
}

/// Generates ground terms, evaluates them and compares the values with those of the solvers.
pub fn examine(
    targets: &[Target],
    signatures: &Arc<Signatures>,
    plan: &Plan,
    progress: &mut dyn FnMut(u64),
) -> Result<Report, RunError> {
    let start = |target: &Target| {
        Ok(Examined { witness: Witness::new(target)?, track_record: TrackRecord::default() })
    };
    let mut solvers = targets.iter().map(start).collect::<Result<Vec<_>, RunError>>()?;
    let mut batches = BatchMaker::new(signatures, plan);
    let ids = solvers.iter().map(|solver| solver.witness.id().to_owned()).collect();
    let mut report = Report::new(ids, &batches, signatures, &|theory| plan.includes(theory));
    let mut made = 0;
    while made < plan.terms && !batches.subjects().is_empty() {
        let size = (made / 2).clamp(FIRST_BATCH, BATCH).min(plan.terms - made);
        let batch = batches.next_batch(size);
        report.add_batch(&batch);
        made += size;
        for logic in [Logic::FirstOrder, Logic::HigherOrder] {
            let terms: Vec<&Evaluated> = batch.evaluated.iter().filter(|one| one.logic() == logic).collect();
            let replies = ask_all(&mut solvers, &terms, logic)?;
            for (solver, replies) in SolverIndex::all(solvers.len()).zip(replies) {
                for (evaluated, reply) in replies {
                    solvers[solver.get()].track_record.add(&evaluated.term, &reply);
                    report.add(solver, evaluated, reply);
                }
            }
        }
        progress(made);
    }
    Ok(report)
}

/// Asks all solvers at the same time. Returns the replies of each, with the terms they are about.
fn ask_all<'t>(
    solvers: &mut [Examined],
    terms: &[&'t Evaluated],
    logic: Logic,
) -> Result<Vec<Vec<(&'t Evaluated, Reply)>>, RunError> {
    let ask = |solver: &mut Examined| {
        let Examined { witness, track_record } = solver;
        let supported = |evaluated: &&'t Evaluated| {
            evaluated.term.is_known_to(witness.name()) && !track_record.is_hopeless(&evaluated.term)
        };
        let asked: Vec<&'t Evaluated> = terms.iter().copied().filter(supported).collect();
        let claims: Vec<Claim> = asked.iter().map(|evaluated| evaluated.claim()).collect();
        let replies = witness.ask(&claims, logic)?;
        Ok(asked.into_iter().zip(replies).collect())
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = solvers.iter_mut().map(|solver| scope.spawn(|| ask(solver))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| match thread.join() {
            Ok(replies) => replies,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        running.into_iter().map(join).collect()
    })
}
