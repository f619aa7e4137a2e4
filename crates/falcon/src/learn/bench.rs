//! Comparable runs under options: their coverage differs by what the options do, not by setting them.
//!
//! Setting an option runs the functions that parse it. So all compared runs set the same options, to their defaults or to
//! other values. A warm solver gets them as commands of the script. Each command costs time, so only a few options are set
//! in every run, one of each kind and family; the functions that setting the others runs in addition are ignored. A fresh
//! process gets all options on its command line.

use super::comparison::{Difference, Sample, difference};
use super::plan::{LearnError, LearnPlan};
use crate::space::{Knob, KnobKind, Space, Value};
use solver::coverage::{Coverage, Reached, watch};
use solver::run::{Limits, RunSettings};
use solver::{Outcome, RunMode, RunRequest};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use strategies::Random;

/// A formula that every solver answers.
const TRIVIAL: &str = "(set-logic QF_UF)\n(declare-const x Bool)\n(assert x)\n(check-sat)\n";

/// The time limit of a run.
pub const LIMIT: Duration = Duration::from_secs(2);

/// How many other values of each option are set, to find the functions that parse them.
const VALUES: usize = 6;

/// An option set to another value than its default.
#[derive(Clone, Copy)]
pub struct Change {
    /// The position of the option in the space.
    pub knob: usize,
    /// The value.
    pub value: Value,
}

/// A solver that runs formulas under changed options.
pub struct Bench<'a> {
    plan: &'a LearnPlan<'a>,
    watched: Box<dyn Coverage>,
    /// Whether options are set by commands of the script.
    warm: bool,
    /// The options that are set in every run.
    stated: BTreeSet<usize>,
    /// Functions that run only because options are set.
    noise: Reached,
    /// Whether each run needs a reference run that sets the same options, since the solver rejects all of them together.
    paired: bool,
    /// The time limit of the next run.
    pub limit: Duration,
    /// The number of runs so far.
    pub runs: u64,
}

impl<'a> Bench<'a> {
    /// A bench with a warm solver; `None` if the solver takes options on its command line only.
    pub fn warm(plan: &'a LearnPlan<'a>) -> Result<Option<Bench<'a>>, LearnError> {
        let profile = plan.target.profile.at(&plan.target.version);
        if profile.options.form.in_script.is_none()
            || profile.fork.is_none_or(|fork| fork.late_options.is_none())
        {
            return Ok(None);
        }
        let mut bench = Bench::new(plan, true)?;
        let expressible = |&knob: &usize| bench.command(knob, plan.space.knobs[knob].default).is_some();
        let all: BTreeSet<usize> = (0..plan.space.knobs.len()).filter(expressible).collect();
        bench.stated = representatives(&plan.space, &all);
        let few = bench.run(TRIVIAL, &[], &[])?;
        let defaults = bench.commands(&all, |knob| knob.default);
        let whole = bench.run(&format!("{defaults}{TRIVIAL}"), &[], &[])?;
        bench.paired = !few.is_answered() || !whole.is_answered();
        if !bench.paired {
            let mut noise = few.symmetric_difference(&whole);
            // Other values may be parsed by other functions. The defaults that follow undo every other effect.
            let mut random = Random::new(plan.seed);
            for _ in 0..VALUES {
                let others = bench.commands(&all, |knob| knob.other(&mut random));
                noise.add(&few.symmetric_difference(&bench.run(
                    &format!("{others}{defaults}{TRIVIAL}"),
                    &[],
                    &[],
                )?));
            }
            bench.noise = noise;
        }
        Ok(Some(bench))
    }

    /// A bench with a fresh process for each run.
    pub fn cold(plan: &'a LearnPlan<'a>) -> Result<Bench<'a>, LearnError> {
        let mut bench = Bench::new(plan, false)?;
        bench.stated = (0..plan.space.knobs.len()).collect();
        bench.paired = !bench.run(TRIVIAL, &[], &[])?.is_answered();
        Ok(bench)
    }

    fn new(plan: &'a LearnPlan<'a>, warm: bool) -> Result<Bench<'a>, LearnError> {
        let mode = if warm { RunMode::Fork } else { RunMode::OneShot };
        let watched = watch(plan.target, mode, &RunSettings::default()).map_err(LearnError::Cover)?;
        let (stated, noise) = (BTreeSet::new(), Reached::default());
        Ok(Bench { plan, watched, warm, stated, noise, paired: false, limit: LIMIT, runs: 0 })
    }

    /// The name of the option that a change sets.
    pub fn name(&self, change: &Change) -> &str {
        &self.plan.space.knobs[change.knob].name
    }

    /// Whether this bench can make a change.
    pub fn takes(&self, change: &Change) -> bool {
        let default = self.plan.space.knobs[change.knob].default;
        !self.warm || [default, change.value].iter().all(|value| self.command(change.knob, *value).is_some())
    }

    /// The reference for a script: two runs, since some scripts are solved differently each time. `None` if it is not answered.
    pub fn reference(&mut self, script: &str) -> Result<Option<Sample>, LearnError> {
        let mut reference = self.run(script, &[], &[])?;
        if !reference.is_answered() {
            return Ok(None);
        }
        reference.add(&self.run(script, &[], &[])?);
        Ok(Some(reference))
    }

    /// The difference that a group of changes makes to a script, and how many functions only run with it. The coverage effect
    /// of a single change must show twice.
    pub fn compare(
        &mut self,
        script: &str,
        reference: &Sample,
        group: &[Change],
    ) -> Result<(Difference, u32), LearnError> {
        let mut seen = self.run(script, group, group)?;
        let found = difference(reference, &seen);
        if found != Difference::Coverage {
            return Ok((found, seen.beyond(reference)));
        }
        if group.len() == 1 {
            seen.add(&self.run(script, group, group)?);
        }
        if !self.paired {
            return Ok((difference(reference, &seen), seen.beyond(reference)));
        }
        let without = self.run(script, &[], group)?;
        Ok((difference(&without, &seen), seen.beyond(&without)))
    }

    /// Runs a script with some options changed. The options in `stated` are set explicitly, to their defaults if unchanged.
    pub fn run(&mut self, script: &str, changed: &[Change], stated: &[Change]) -> Result<Sample, LearnError> {
        let mut sample = self.run_within(script, changed, stated, self.limit)?;
        let seen = &sample.observation;
        if seen.outcome == Outcome::Timeout && seen.cpu < self.limit / 2 {
            // The machine was busy.
            sample = self.run_within(script, changed, stated, self.limit.max(LIMIT))?;
        }
        Ok(sample)
    }

    fn run_within(
        &mut self,
        script: &str,
        changed: &[Change],
        stated: &[Change],
        wall: Duration,
    ) -> Result<Sample, LearnError> {
        self.runs += 1;
        let knobs = &self.plan.space.knobs;
        let mut set: BTreeSet<usize> = stated.iter().map(|change| change.knob).collect();
        if !self.paired {
            set.extend(&self.stated);
        }
        let limits = Limits { wall, ..Limits::default() };
        let (observation, reached) = if self.warm {
            // A later command overrides an earlier one, so every run can set the same options first.
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
        Ok(Sample::new(observation, reached.without(&self.noise)))
    }

    /// Options as commands, with the values from `value`. Those without a command form are left out.
    fn commands(&self, all: &BTreeSet<usize>, mut value: impl FnMut(&Knob) -> Value) -> String {
        let knobs = &self.plan.space.knobs;
        all.iter().filter_map(|&knob| self.command(knob, value(&knobs[knob]))).collect()
    }

    /// An option as a command. It has no line break, so the line numbers of the script stay the same.
    fn command(&self, knob: usize, value: Value) -> Option<String> {
        let knob = &self.plan.space.knobs[knob];
        self.plan.target.profile.options.form.command(&knob.name, &knob.text(value)?)
    }

    /// An option as a command-line argument.
    fn argument(&self, knob: usize, value: Value) -> Option<String> {
        let knob = &self.plan.space.knobs[knob];
        Some(self.plan.target.profile.options.form.argument(&knob.name, &knob.text(value)?))
    }
}

/// The first option of each kind in each family.
fn representatives(space: &Space, among: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut covered = BTreeSet::new();
    let mut first = |&knob: &usize| {
        let knob = &space.knobs[knob];
        let kind = match knob.kind {
            KnobKind::Bool => 0,
            KnobKind::Int { .. } => 1,
            KnobKind::Real { .. } => 2,
            KnobKind::Words(_) => 3,
        };
        covered.insert((knob.name.split('.').next().unwrap_or_default(), kind))
    };
    among.iter().copied().filter(|knob| first(knob)).collect()
}
