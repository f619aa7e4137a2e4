//! Learns which options matter to which operations (Algorithm 1 of the Falcon paper): it solves small formulas under changed
//! options and records what changes: the answer, the functions that run, the time.
//!
//! A formula has several operations, and only some are responsible for the effect of an option. So every effect is tested: an
//! operation is responsible if the effect vanishes when only that operation is removed.

mod bench;
mod comparison;
mod correlations;
mod effects;
mod groups;
mod learner;
mod plan;
mod rank_test;

pub use correlations::{Correlations, CorrelationsError};
pub use effects::{Effects, Seen};
pub use plan::{LearnError, LearnPlan};

use learner::Learner;
use smt::Signatures;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use strategies::grammar::{operations_of, without};
use strategies::{Grammar, GrammarSettings, Random};

/// The most operations in a formula.
const OPERATIONS: u64 = 4;
/// How many formulas to generate for each choice of operations.
const FORMULAS: usize = 2;

/// Learns until the time limit, until every option is settled, or until `stop` is set. Calls `progress` after every formula.
pub fn learn(
    plan: &LearnPlan<'_>,
    learned: &mut Correlations,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Correlations),
) -> Result<(), LearnError> {
    let signatures = Signatures::standard();
    let mut learner = Learner::new(plan)?;
    let until = Instant::now() + plan.time;
    learned.options.extend(plan.space.knobs.iter().map(|knob| knob.name.clone()));
    let over = || stop.load(Ordering::Relaxed) || Instant::now() >= until;
    // Rounds continue from earlier sessions, so no formula is repeated.
    let mut round = learned.formulas;
    // How often an operation was chosen in vain: some can hardly ever be removed.
    let mut vain: BTreeMap<String, u32> = BTreeMap::new();
    let settled = |learned: &Correlations| plan.space.knobs.iter().all(|knob| learned.is_settled(&knob.name));
    while !over() && !settled(learned) {
        round += 1;
        let mut random = Random::from_parts(&[plan.seed, round]);
        let mut chosen = plan.operations.clone();
        random.shuffle(&mut chosen);
        // The least tried operations come first.
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
            let was_tried = |name: &String| seen.as_ref().is_some_and(|seen| seen.due.contains_key(name));
            for name in chosen.iter().filter(|name| !was_tried(name)) {
                *vain.entry(name.clone()).or_default() += 1;
            }
            if let Some(seen) = &seen {
                learned.add(seen);
            }
            learned.runs += learner.take_runs();
            progress(learned);
        }
    }
    Ok(())
}

/// Like [`learn`], and saves what was learned after every formula, so that an interruption loses nothing.
pub fn learn_into(
    file: &Path,
    plan: &LearnPlan<'_>,
    learned: &mut Correlations,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Correlations),
) -> Result<(), LearnError> {
    let mut failed = None;
    let ended = learn(plan, learned, stop, &mut |learned| {
        failed = learned.write(file).err().or(failed.take());
        progress(learned);
    });
    failed.map_or(Ok(()), Err)?;
    ended?;
    Ok(learned.write(file)?)
}

/// The chosen operations that occur in a script.
fn operations(signatures: &Arc<Signatures>, text: &str, chosen: &[String]) -> BTreeSet<String> {
    operations_of(signatures, text).into_iter().filter(|name| chosen.contains(name)).collect()
}
