//! Runs under options that can be compared: what they reach differs by what the options do, and not by their being set.
//!
//! To set an option runs functions that only read it. So in runs that are compared the same options are set, to their defaults or to
//! other values. A warm solver gets them as commands of the script. That costs time for each of them, so only a few are set in all runs,
//! of every kind and every family, and the functions that setting all of them runs beyond that are left out of account. A new process
//! gets all of them on its command line.

use super::sight::{Difference, Sight, difference};
use super::{LearnError, LearnPlan};
use solver::coverage::{Coverage, Reached, watch};
use solver::run::{Limits, RunSettings};
use solver::{Outcome, RunMode, RunRequest};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use strategies::Random;
use strategies::configurations::{Knob, KnobKind, Space, Value};

/// A formula that every solver answers.
const LEAST: &str = "(set-logic QF_UF)\n(declare-const x Bool)\n(assert x)\n(check-sat)\n";

/// How long a run may take.
pub const LIMIT: Duration = Duration::from_secs(2);

/// How many other values of each option are read to see what reading them runs.
const VALUES: usize = 6;

/// An option with another value.
#[derive(Clone, Copy)]
pub struct Change {
    /// Its place in the space.
    pub knob: usize,
    /// The value.
    pub value: Value,
}

/// A solver to run formulas on under changed options.
pub struct Bench<'a> {
    plan: &'a LearnPlan<'a>,
    watched: Box<dyn Coverage>,
    /// Whether options are commands of the script.
    warm: bool,
    /// The options that are set in every run.
    stated: BTreeSet<usize>,
    /// What is reached because options are set, and says nothing.
    noise: Reached,
    /// Whether a run must be compared with one that sets the same options, since the solver does not take all of them together.
    paired: bool,
    /// How long the next run may take.
    pub limit: Duration,
    /// How many runs there were.
    pub runs: u64,
}

impl<'a> Bench<'a> {
    /// A bench of warm solvers; nothing if the options of this one stand on its command line only.
    pub fn warm(plan: &'a LearnPlan<'a>) -> Result<Option<Bench<'a>>, LearnError> {
        let profile = plan.target.profile.at(&plan.target.version);
        if profile.options.form.in_script.is_none()
            || profile.fork.is_none_or(|fork| fork.late_options.is_none())
        {
            return Ok(None);
        }
        let mut bench = Bench::new(plan, true)?;
        let sayable = |&knob: &usize| bench.command(knob, plan.space.knobs[knob].default).is_some();
        let all: BTreeSet<usize> = (0..plan.space.knobs.len()).filter(sayable).collect();
        bench.stated = representatives(&plan.space, &all);
        let few = bench.run(LEAST, &[], &[])?;
        let defaults = bench.commands(&all, |knob| knob.default);
        let whole = bench.run(&format!("{defaults}{LEAST}"), &[], &[])?;
        bench.paired = !few.is_answered() || !whole.is_answered();
        if !bench.paired {
            let mut noise = few.apart(&whole);
            // Other values may be read by other functions. Set back to their defaults, they do nothing else.
            let mut random = Random::new(plan.seed);
            for _ in 0..VALUES {
                let others = bench.commands(&all, |knob| knob.other(&mut random));
                noise.add(&few.apart(&bench.run(&format!("{others}{defaults}{LEAST}"), &[], &[])?));
            }
            bench.noise = noise;
        }
        Ok(Some(bench))
    }

    /// A bench of new processes.
    pub fn cold(plan: &'a LearnPlan<'a>) -> Result<Bench<'a>, LearnError> {
        let mut bench = Bench::new(plan, false)?;
        bench.stated = (0..plan.space.knobs.len()).collect();
        bench.paired = !bench.run(LEAST, &[], &[])?.is_answered();
        Ok(bench)
    }

    fn new(plan: &'a LearnPlan<'a>, warm: bool) -> Result<Bench<'a>, LearnError> {
        let mode = if warm { RunMode::Fork } else { RunMode::OneShot };
        let watched = watch(plan.target, mode, &RunSettings::default()).map_err(LearnError::Cover)?;
        let (stated, noise) = (BTreeSet::new(), Reached::default());
        Ok(Bench { plan, watched, warm, stated, noise, paired: false, limit: LIMIT, runs: 0 })
    }

    /// The name of the option that a change is about.
    pub fn name(&self, change: &Change) -> &str {
        &self.plan.space.knobs[change.knob].name
    }

    /// Whether a change can be said here.
    pub fn takes(&self, change: &Change) -> bool {
        let default = self.plan.space.knobs[change.knob].default;
        !self.warm || [default, change.value].iter().all(|value| self.command(change.knob, *value).is_some())
    }

    /// What is usual for a script: two runs, since some are not solved in the same way twice. Nothing if it is not answered.
    pub fn usual(&mut self, script: &str) -> Result<Option<Sight>, LearnError> {
        let mut usual = self.run(script, &[], &[])?;
        if !usual.is_answered() {
            return Ok(None);
        }
        usual.add(&self.run(script, &[], &[])?);
        Ok(Some(usual))
    }

    /// The difference that a group of changes makes to a script, and how many functions it has run that are not run otherwise. What a single
    /// one does must show twice.
    pub fn compare(
        &mut self,
        script: &str,
        usual: &Sight,
        group: &[Change],
    ) -> Result<(Difference, u32), LearnError> {
        let mut seen = self.run(script, group, group)?;
        let found = difference(usual, &seen);
        if found != Difference::Coverage {
            return Ok((found, seen.beyond(usual)));
        }
        if group.len() == 1 {
            seen.add(&self.run(script, group, group)?);
        }
        if !self.paired {
            return Ok((difference(usual, &seen), seen.beyond(usual)));
        }
        let without = self.run(script, &[], group)?;
        Ok((difference(&without, &seen), seen.beyond(&without)))
    }

    /// Runs a script with some options changed, and others set to their defaults.
    pub fn run(&mut self, script: &str, changed: &[Change], stated: &[Change]) -> Result<Sight, LearnError> {
        let mut sight = self.run_within(script, changed, stated, self.limit)?;
        let seen = &sight.observation;
        if seen.outcome == Outcome::Timeout && seen.cpu < self.limit / 2 {
            // The machine was busy with other things.
            sight = self.run_within(script, changed, stated, self.limit.max(LIMIT))?;
        }
        Ok(sight)
    }

    fn run_within(
        &mut self,
        script: &str,
        changed: &[Change],
        stated: &[Change],
        wall: Duration,
    ) -> Result<Sight, LearnError> {
        self.runs += 1;
        let knobs = &self.plan.space.knobs;
        let mut set: BTreeSet<usize> = stated.iter().map(|change| change.knob).collect();
        if !self.paired {
            set.extend(&self.stated);
        }
        let limits = Limits { wall, ..Limits::default() };
        let (observation, reached) = if self.warm {
            // A command may be taken back by another one, so that what is set in all runs is set in this one too.
            let defaults = self.commands(&set, |knob| knob.default);
            let changes = changed.iter().filter_map(|change| self.command(change.knob, change.value));
            let text = format!("{defaults}{}{script}", changes.collect::<String>());
            self.watched.run(&RunRequest::new(&text).limits(limits))?
        } else {
            let changes = changed.iter().map(|change| (change.knob, change.value));
            let mut values: BTreeMap<usize, Value> =
                set.iter().map(|&knob| (knob, knobs[knob].default)).collect();
            values.extend(changes);
            let options: Vec<String> =
                values.into_iter().filter_map(|(knob, value)| self.argument(knob, value)).collect();
            self.watched.run(&RunRequest::new(script).options(&options).limits(limits))?
        };
        Ok(Sight::new(observation, reached.without(&self.noise)))
    }

    /// Options as commands, with the values that `value` gives them; what cannot be said is left out.
    fn commands(&self, all: &BTreeSet<usize>, mut value: impl FnMut(&Knob) -> Value) -> String {
        let knobs = &self.plan.space.knobs;
        all.iter().filter_map(|&knob| self.command(knob, value(&knobs[knob]))).collect()
    }

    /// An option as a command. All stand on one line with the script's first, so that they move no line of it.
    fn command(&self, knob: usize, value: Value) -> Option<String> {
        let knob = &self.plan.space.knobs[knob];
        self.plan.target.profile.options.form.command(&knob.name, &knob.text(value)?)
    }

    /// An option as an argument.
    fn argument(&self, knob: usize, value: Value) -> Option<String> {
        let knob = &self.plan.space.knobs[knob];
        Some(self.plan.target.profile.options.form.argument(&knob.name, &knob.text(value)?))
    }
}

/// The first option of each kind in each family, among some.
fn representatives(space: &Space, among: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut met = BTreeSet::new();
    let mut first = |&knob: &usize| {
        let knob = &space.knobs[knob];
        let kind = match knob.kind {
            KnobKind::Bool => 0,
            KnobKind::Int { .. } => 1,
            KnobKind::Real { .. } => 2,
            KnobKind::Words(_) => 3,
        };
        met.insert((knob.name.split('.').next().unwrap_or_default(), kind))
    };
    among.iter().copied().filter(|knob| first(knob)).collect()
}
