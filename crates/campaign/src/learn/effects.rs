//! What each option does to a formula, and to which of its operations that is due.
//!
//! Options are changed in groups first, and a group that makes no difference is done with; one that does is halved until
//! single options are left. So each effect that is noted is that of one option alone.

use super::correlations::Effects;
use super::rank_test::mann_whitney;
use super::sight::{Difference, Sight, difference};
use super::{LearnError, LearnPlan};
use solver::coverage::{Coverage, watch};
use solver::run::{Limits, RunSettings};
use solver::{RunRequest, Way};
use std::collections::BTreeMap;
use std::time::Duration;
use strategies::Random;
use strategies::configurations::Value;

/// How many options are changed together at first.
const GROUP: usize = 8;
/// How often each configuration is run to compare times, and how sure one must be that they differ.
const REPEATS: usize = 20;
const SURE: f64 = 0.01;
/// Formulas that take longer are of no use: every option is tried on them.
const SLOW: Duration = Duration::from_millis(100);
/// How long a run may take.
const LIMIT: Duration = Duration::from_secs(2);

/// A formula that every solver answers.
const LEAST: &str = "(set-logic QF_UF)\n(declare-const x Bool)\n(assert x)\n(check-sat)\n";

/// What the options did to one formula.
pub struct Seen {
    /// Those that did anything.
    pub effects: BTreeMap<String, Effects>,
    /// Those of them whose effect was gone with an operation, for each operation that could be left out.
    pub due: BTreeMap<String, Vec<String>>,
}

/// An option with another value.
struct Change {
    knob: usize,
    value: Value,
}

/// A formula, with what is usual for it.
struct Formula<'a> {
    script: &'a str,
    usual: Sight,
}

/// Runs formulas under changed options.
pub struct Learner<'a> {
    plan: &'a LearnPlan<'a>,
    watched: Box<dyn Coverage>,
    /// Whether the solver takes all its options at their defaults. To set an option runs functions that only read it, so
    /// options are always set, and changed by their values. Where that is refused only those in question are.
    takes_all: bool,
    /// How long the next run may take.
    limit: Duration,
    /// How many runs there were.
    pub runs: u64,
}

impl<'a> Learner<'a> {
    /// Watches the solver.
    pub fn new(plan: &'a LearnPlan<'a>) -> Result<Learner<'a>, LearnError> {
        let watched = watch(plan.target, Way::OneShot, &RunSettings::default()).map_err(LearnError::Cover)?;
        let mut learner = Learner { plan, watched, takes_all: true, limit: LIMIT, runs: 0 };
        learner.takes_all = learner.formula(LEAST)?.is_some();
        Ok(learner)
    }

    /// What each option that is still open does to a formula; nothing for a formula that is of no use. The controls are the same
    /// formula without one of its operations each.
    pub fn effects(
        &mut self,
        script: &str,
        controls: &BTreeMap<String, String>,
        open: &dyn Fn(&str) -> bool,
        random: &mut Random,
    ) -> Result<Option<Seen>, LearnError> {
        self.limit = LIMIT;
        let Some(formula) = self.formula(script)? else { return Ok(None) };
        let usual = &formula.usual.observation;
        if usual.cpu > SLOW {
            return Ok(None);
        }
        // A run that takes far longer than usual has shown what it does.
        self.limit = (usual.wall * 8 + Duration::from_millis(100)).min(LIMIT);
        let knobs = &self.plan.space.knobs;
        let tried = (0..knobs.len()).filter(|&knob| open(&knobs[knob].name));
        let mut changes: Vec<Change> =
            tried.map(|knob| Change { knob, value: knobs[knob].other(random) }).collect();
        random.shuffle(&mut changes);
        let mut waiting: Vec<&[Change]> = changes.chunks(GROUP).collect();
        let (mut effects, mut effective) = (BTreeMap::new(), Vec::new());
        while let Some(group) = waiting.pop() {
            let found = self.compare(&formula, group)?;
            match group {
                _ if found == Difference::None => {}
                [only] => {
                    let effect = self.effect(&formula, only, found)?;
                    if effect != Effects::default() {
                        effects.insert(knobs[only.knob].name.clone(), effect);
                    }
                    if effect.total() > 0 {
                        effective.push(only);
                    }
                }
                several => {
                    let (one, other) = several.split_at(several.len() / 2);
                    waiting.extend([one, other]);
                }
            }
        }
        let mut due = BTreeMap::new();
        for (operation, control) in controls {
            let Some(control) = self.formula(control)? else { continue };
            let mut gone = Vec::new();
            for change in &effective {
                if self.compare(&control, std::slice::from_ref(*change))? == Difference::None {
                    gone.push(knobs[change.knob].name.clone());
                }
            }
            due.insert(operation.clone(), gone);
        }
        Ok(Some(Seen { effects, due }))
    }

    /// A formula with what is usual for it; nothing for one that is not answered.
    fn formula<'s>(&mut self, script: &'s str) -> Result<Option<Formula<'s>>, LearnError> {
        let mut usual = self.run(script, &self.arguments(&[], &[]))?;
        if usual.is_answered() {
            usual.add(&self.run(script, &self.arguments(&[], &[]))?);
        }
        Ok(usual.is_answered().then_some(Formula { script, usual }))
    }

    /// The difference that a group of changes makes to a formula. What a single one does must show twice.
    fn compare(&mut self, formula: &Formula<'_>, group: &[Change]) -> Result<Difference, LearnError> {
        let changed = self.arguments(group, group);
        let mut seen = self.run(formula.script, &changed)?;
        let found = difference(&formula.usual, &seen);
        if found != Difference::Coverage {
            return Ok(found);
        }
        if group.len() == 1 {
            seen.add(&self.run(formula.script, &changed)?);
        }
        if self.takes_all {
            return Ok(difference(&formula.usual, &seen));
        }
        let stated = self.arguments(&[], group);
        Ok(difference(&self.run(formula.script, &stated)?, &seen))
    }

    /// Looks closely at a difference that one option makes.
    fn effect(
        &mut self,
        formula: &Formula<'_>,
        change: &Change,
        found: Difference,
    ) -> Result<Effects, LearnError> {
        let mut effect = Effects::default();
        match found {
            Difference::None => {}
            Difference::Conflict => effect.conflict = 1,
            Difference::Answer => effect.answer = 1,
            Difference::Coverage => effect.coverage = 1,
            Difference::Time => effect.time = u32::from(self.times_differ(formula.script, change)?),
        }
        Ok(effect)
    }

    /// The options to run with: those that are changed, at their values, and at their defaults those that are stated, or all.
    fn arguments(&self, changed: &[Change], stated: &[Change]) -> Vec<String> {
        let (knobs, form) = (&self.plan.space.knobs, &self.plan.target.profile.options.form);
        let argument = |at: usize| {
            let change = changed.iter().find(|change| change.knob == at);
            let is_stated = self.takes_all || stated.iter().any(|change| change.knob == at);
            let value = match change {
                Some(change) => change.value,
                None if is_stated => knobs[at].default,
                None => return None,
            };
            knobs[at].text(value).map(|text| form.argument(&knobs[at].name, &text))
        };
        (0..knobs.len()).filter_map(argument).collect()
    }

    fn run(&mut self, script: &str, options: &[String]) -> Result<Sight, LearnError> {
        self.runs += 1;
        let limits = Limits { wall: self.limit, ..Limits::default() };
        let request = RunRequest::new(script).options(options).limits(limits);
        let (observation, reached) = self.watched.run(&request)?;
        Ok(Sight::new(observation, reached))
    }

    /// Runs both configurations in turns and compares their times.
    fn times_differ(&mut self, script: &str, change: &Change) -> Result<bool, LearnError> {
        let group = std::slice::from_ref(change);
        let (stated, options) = (self.arguments(&[], group), self.arguments(group, group));
        let (mut usual, mut changed) = (Vec::new(), Vec::new());
        for _ in 0..REPEATS {
            usual.push(self.run(script, &stated)?.observation.cpu.as_secs_f64());
            changed.push(self.run(script, &options)?.observation.cpu.as_secs_f64());
        }
        Ok(mann_whitney(&usual, &changed) < SURE)
    }
}
