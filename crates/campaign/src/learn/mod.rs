//! Learning which options matter to which operations (Algorithm 1 of the Falcon paper): formulas of few operations are solved
//! under changed options, and what changes then is noted: the answer, the functions that are run, the time.
//!
//! Several operations stand in a formula, and only some have to do with what an option does. So every effect is put to the
//! test: it is due to an operation if it is gone when the operation is, with all else left as it was.

mod bench;
mod correlations;
mod effects;
mod groups;
mod rank_test;
mod sight;

pub use correlations::{Correlations, CorrelationsError, Effects};
pub use effects::Seen;

use effects::Learner;
use smt::Signatures;
use solver::coverage::CoverError;
use solver::{RunError, Target};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use strategies::configurations::Space;
use strategies::grammar::{operations_of, without};
use strategies::{Grammar, GrammarSettings, Random};

/// The most operations that a formula has.
const OPERATIONS: u64 = 4;
/// How many formulas are made of each choice of operations.
const FORMULAS: usize = 2;

/// What is to be learned about.
pub struct LearnPlan<'a> {
    /// The solver.
    pub target: &'a Target,
    /// Its options.
    pub space: Space,
    /// The operations.
    pub operations: Vec<String>,
    /// How long.
    pub time: Duration,
    /// The number from which all random choices follow.
    pub seed: u64,
}

/// Why nothing can be learned.
#[derive(Debug)]
pub enum LearnError {
    /// The solver cannot be watched.
    Cover(CoverError),
    /// The solver cannot be run.
    Run(RunError),
}

impl From<RunError> for LearnError {
    fn from(error: RunError) -> LearnError {
        LearnError::Run(error)
    }
}

/// Learns until the time is over, nothing is left to try or `stop` is set, and tells how things stand after every formula.
pub fn learn(
    plan: &LearnPlan<'_>,
    learned: &mut Correlations,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&Correlations),
) -> Result<(), LearnError> {
    let signatures = Signatures::standard();
    let mut learner = Learner::new(plan)?;
    let until = Instant::now() + plan.time;
    learned.options.extend(plan.space.knobs.iter().map(|knob| knob.name.clone()));
    let over = || stop.load(Ordering::Relaxed) || Instant::now() >= until;
    // What was learned before counts, so that learning goes on instead of doing the same again.
    let mut round = learned.formulas;
    // How often an operation was chosen and nothing was learned about it: some can hardly ever be left out.
    let mut vain: BTreeMap<String, u32> = BTreeMap::new();
    let settled = |learned: &Correlations| plan.space.knobs.iter().all(|knob| learned.is_settled(&knob.name));
    while !over() && !settled(learned) {
        round += 1;
        let mut random = Random::from_parts(&[plan.seed, round]);
        let mut chosen = plan.operations.clone();
        random.shuffle(&mut chosen);
        // Those come first that have been tried the least.
        let tried =
            |name: &String| [&learned.operations, &vain].iter().filter_map(|of| of.get(name)).sum::<u32>();
        chosen.sort_by_cached_key(tried);
        chosen.truncate(1 + random.below(OPERATIONS) as usize);
        let settings = GrammarSettings { operations: chosen.clone(), solver: Some(plan.target.name.clone()) };
        let mut formulas = Grammar::new(signatures.clone(), settings).formulas(random.clone());
        for _ in 0..FORMULAS {
            let Some(case) = formulas.next_case() else { break };
            if over() {
                break;
            }
            let controls: BTreeMap<String, String> = operations(&signatures, &case.text, &chosen)
                .into_iter()
                .filter_map(|name| without(&signatures, &case.text, &name).map(|text| (name, text)))
                .collect();
            let seen = match controls.is_empty() {
                true => None,
                false => learner.effects(&case.text, &controls, learned, &mut random)?,
            };
            let met = |name: &String| seen.as_ref().is_some_and(|seen| seen.due.contains_key(name));
            for name in chosen.iter().filter(|name| !met(name)) {
                *vain.entry(name.clone()).or_default() += 1;
            }
            if let Some(seen) = &seen {
                learned.note(seen);
            }
            learned.runs += learner.take_runs();
            tell(learned);
        }
    }
    Ok(())
}

/// Those of the chosen operations that a script has.
fn operations(signatures: &Arc<Signatures>, text: &str, chosen: &[String]) -> BTreeSet<String> {
    operations_of(signatures, text).into_iter().filter(|name| chosen.contains(name)).collect()
}
