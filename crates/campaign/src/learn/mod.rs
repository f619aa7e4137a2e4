//! Learning which options matter to which operations (Algorithm 1 of the Falcon paper): formulas of few operations are solved
//! under changed options, and what changes then is noted: the answer, the functions that are run, the time.
//!
//! Options are changed in groups first, and a group that makes no difference is done with; one that does is halved until
//! single options are left. So each effect that is noted is that of one option alone.

mod correlations;
mod rank_test;

pub use correlations::{Correlations, CorrelationsError, Effects};

use crate::statistics::accepted;
use rank_test::mann_whitney;
use smt::Signatures;
use solver::coverage::{Breakpoints, CoverError, Coverage, Reached};
use solver::run::{Limits, RunSettings};
use solver::{Observation, Outcome, RunError, RunRequest, Target, Way};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use strategies::configurations::{Space, Value};
use strategies::grammar::operations_of;
use strategies::{Grammar, GrammarSettings, Random};

/// How many operations a formula has.
const OPERATIONS: usize = 4;
/// How many formulas are made of each choice of operations.
const FORMULAS: usize = 2;
/// How many options are changed together at first.
const GROUP: usize = 24;
/// Shorter times are too much disturbed to be compared.
const MEASURABLE: Duration = Duration::from_millis(60);
/// A time is looked at more closely if it differs by this factor.
const FACTOR: f64 = 1.6;
/// How often each configuration is run then, and how sure one must be that the times differ.
const REPEATS: usize = 20;
const SURE: f64 = 0.01;
/// Formulas that take longer are of no use: every option is tried on them.
const SLOW: Duration = Duration::from_millis(100);
/// How long a run may take.
const LIMIT: Duration = Duration::from_secs(2);

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

/// What one run showed.
struct Seen {
    observation: Observation,
    reached: Reached,
}

/// How a run differs from the one without changed options.
#[derive(Clone, Copy, PartialEq)]
enum Difference {
    None,
    Conflict,
    Answer,
    Coverage,
    /// The time differs as far as one run can tell.
    Time,
}

/// Learns until the time is over or `stop` is set, and tells how things stand after every formula.
pub fn learn(
    plan: &LearnPlan<'_>,
    learned: &mut Correlations,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&Correlations),
) -> Result<(), LearnError> {
    let until = Instant::now() + plan.time;
    let signatures = Signatures::standard();
    let watched = Breakpoints::beyond_start(plan.target, Way::OneShot, &RunSettings::default());
    let mut learner = Learner { plan, watched: watched.map_err(LearnError::Cover)?, limit: LIMIT, runs: 0 };
    learned.options.extend(plan.space.knobs.iter().map(|knob| knob.name.clone()));
    let over = || stop.load(Ordering::Relaxed) || Instant::now() >= until;
    // What was learned before counts, so that learning goes on instead of doing the same again.
    let mut round = learned.formulas;
    while !over() {
        round += 1;
        let mut random = Random::from_parts(&[plan.seed, round]);
        let mut chosen = plan.operations.clone();
        random.shuffle(&mut chosen);
        chosen.truncate(OPERATIONS);
        let settings = GrammarSettings { operations: chosen.clone(), solver: Some(plan.target.name.clone()) };
        let mut formulas = Grammar::new(signatures.clone(), settings).formulas(random.clone());
        for _ in 0..FORMULAS {
            let Some(case) = formulas.next_case() else { break };
            if over() {
                break;
            }
            let effects = learner.effects(&case.text, &mut random)?;
            if let Some(effects) = effects {
                let found = operations(&signatures, &case.text, &chosen);
                learned.note(&found, &effects);
            }
            learned.runs += std::mem::take(&mut learner.runs);
            tell(learned);
        }
    }
    Ok(())
}

/// Those of the chosen operations that a script has.
fn operations(signatures: &Arc<Signatures>, text: &str, chosen: &[String]) -> BTreeSet<String> {
    operations_of(signatures, text).into_iter().filter(|name| chosen.contains(name)).collect()
}

struct Learner<'a> {
    plan: &'a LearnPlan<'a>,
    watched: Breakpoints,
    /// How long the next run may take.
    limit: Duration,
    runs: u64,
}

impl Learner<'_> {
    fn run(&mut self, script: &str, options: &[String]) -> Result<Seen, LearnError> {
        self.runs += 1;
        let limits = Limits { wall: self.limit, ..Limits::default() };
        let request = RunRequest::new(script).options(options).limits(limits);
        let (observation, reached) = self.watched.run(&request)?;
        Ok(Seen { observation, reached })
    }

    /// What each option does to a formula; nothing for one that is of no use.
    fn effects(
        &mut self,
        script: &str,
        random: &mut Random,
    ) -> Result<Option<BTreeMap<String, Effects>>, LearnError> {
        self.limit = LIMIT;
        let usual = self.run(script, &[])?;
        if usual.observation.outcome != Outcome::Answered || usual.observation.cpu > SLOW {
            return Ok(None);
        }
        // A run that takes far longer than usual has shown what it does.
        self.limit = (usual.observation.wall * 8 + Duration::from_millis(100)).min(LIMIT);
        let values: Vec<Value> = self.plan.space.knobs.iter().map(|knob| knob.other(random)).collect();
        let mut order: Vec<usize> = (0..values.len()).collect();
        random.shuffle(&mut order);
        let mut waiting: Vec<Vec<usize>> = order.chunks(GROUP).map(<[usize]>::to_vec).collect();
        let mut effects: BTreeMap<String, Effects> = BTreeMap::new();
        while let Some(group) = waiting.pop() {
            let options = self.arguments(&group, &values);
            let seen = self.run(script, &options)?;
            let mut difference = difference(&usual, &seen);
            if difference == Difference::Coverage && self.only_read(script, &group, &seen)? {
                difference = Difference::None;
            }
            match group.as_slice() {
                _ if difference == Difference::None => {}
                [only] => {
                    let mut effect = Effects::default();
                    match difference {
                        Difference::Conflict => effect.conflict = 1,
                        Difference::Answer => effect.answer = 1,
                        Difference::Coverage => {
                            effect.coverage = u32::from(self.repeats(script, &options, &group, &seen)?);
                        }
                        Difference::Time => effect.time = u32::from(self.times_differ(script, &options)?),
                        Difference::None => {}
                    }
                    if effect != Effects::default() {
                        effects.insert(self.plan.space.knobs[*only].name.clone(), effect);
                    }
                }
                several => {
                    let (one, other) = several.split_at(several.len() / 2);
                    waiting.extend([one.to_vec(), other.to_vec()]);
                }
            }
        }
        Ok(Some(effects))
    }

    fn arguments(&self, group: &[usize], values: &[Value]) -> Vec<String> {
        let form = &self.plan.target.profile.options.form;
        let argument = |&at: &usize| {
            let knob = &self.plan.space.knobs[at];
            knob.text(values[at]).map(|text| form.argument(&knob.name, &text))
        };
        group.iter().filter_map(argument).collect()
    }

    /// Whether the functions that a run reached are those that are run to read the options of a group, whatever their values: the
    /// same are reached when the options are given their defaults.
    fn only_read(&mut self, script: &str, group: &[usize], seen: &Seen) -> Result<bool, LearnError> {
        let defaults = self.plan.space.defaults();
        let options = self.arguments(group, &defaults);
        let read = self.run(script, &options)?;
        Ok(read.reached == seen.reached)
    }

    /// Whether a difference in what is reached shows again: some formulas are not solved in the same way twice.
    fn repeats(
        &mut self,
        script: &str,
        options: &[String],
        group: &[usize],
        seen: &Seen,
    ) -> Result<bool, LearnError> {
        let again = self.run(script, options)?;
        Ok(again.reached == seen.reached && !self.only_read(script, group, &again)?)
    }

    /// Runs both configurations in turns and compares their times.
    fn times_differ(&mut self, script: &str, options: &[String]) -> Result<bool, LearnError> {
        let (mut usual, mut changed) = (Vec::new(), Vec::new());
        for _ in 0..REPEATS {
            usual.push(self.run(script, &[])?.observation.cpu.as_secs_f64());
            changed.push(self.run(script, options)?.observation.cpu.as_secs_f64());
        }
        Ok(mann_whitney(&usual, &changed) < SURE)
    }
}

/// How a run differs from the usual one.
fn difference(usual: &Seen, seen: &Seen) -> Difference {
    if !accepted(&seen.observation) {
        return Difference::Conflict;
    }
    let (one, other) = (&usual.observation, &seen.observation);
    if one.answers != other.answers || one.outcome != other.outcome {
        return Difference::Answer;
    }
    if usual.reached != seen.reached {
        return Difference::Coverage;
    }
    let (short, long) = (one.cpu.min(other.cpu), one.cpu.max(other.cpu));
    if long >= MEASURABLE && long.as_secs_f64() > FACTOR * short.as_secs_f64() {
        return Difference::Time;
    }
    Difference::None
}
