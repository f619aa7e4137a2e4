//! What each option does to a formula, and which operation is responsible.
//!
//! Options are changed in groups first. A group that makes no difference is dropped; any other is bisected down to single
//! options. So each recorded effect is that of one option alone.

use super::bench::{Bench, Change, LIMIT};
use super::comparison::{Difference, Sample, difference};
use super::correlations::Correlations;
use super::effects::{Effects, Seen};
use super::groups::groups;
use super::plan::{LearnError, LearnPlan};
use super::rank_test::mann_whitney;
use std::collections::BTreeMap;
use std::time::Duration;
use strategies::Random;

/// How many times each configuration is run to compare times, and the significance level.
const REPEATS: usize = 20;
const SIGNIFICANCE: f64 = 0.01;
/// Slower formulas are not used, since every option is tried on each formula.
const SLOW: Duration = Duration::from_millis(40);

/// A formula with its reference on one bench.
struct Formula<'s> {
    script: &'s str,
    reference: Sample,
}

/// Runs formulas under changed options.
pub struct Learner<'a> {
    plan: &'a LearnPlan<'a>,
    /// A warm solver, for options with a command form.
    warm: Option<Bench<'a>>,
    /// Fresh processes, for all other options.
    cold: Option<Bench<'a>>,
}

impl<'a> Learner<'a> {
    /// Starts the solver.
    pub fn new(plan: &'a LearnPlan<'a>) -> Result<Learner<'a>, LearnError> {
        let warm = Bench::warm(plan)?;
        let cold = if warm.is_none() { Some(Bench::cold(plan)?) } else { None };
        Ok(Learner { plan, warm, cold })
    }

    /// Takes the number of runs since the last call.
    pub fn take_runs(&mut self) -> u64 {
        let benches = self.warm.iter_mut().chain(&mut self.cold);
        benches.map(|bench| std::mem::take(&mut bench.runs)).sum()
    }

    /// The effect of every unsettled option on a formula; `None` if the formula is too slow or not answered. Each control is
    /// the same formula without one of its operations.
    pub fn effects(
        &mut self,
        script: &str,
        controls: &BTreeMap<String, String>,
        learned: &Correlations,
        random: &mut Random,
    ) -> Result<Option<Seen>, LearnError> {
        let knobs = &self.plan.space.knobs;
        let tried = (0..knobs.len()).filter(|&knob| !learned.is_settled(&knobs[knob].name));
        let mut changes: Vec<Change> =
            tried.map(|knob| Change { knob, value: knobs[knob].other(random) }).collect();
        random.shuffle(&mut changes);
        let takes = |change: &Change| self.warm.as_ref().is_some_and(|warm| warm.takes(change));
        let (warm, cold): (Vec<Change>, Vec<Change>) = changes.into_iter().partition(takes);
        if !cold.is_empty() && self.cold.is_none() {
            self.cold = Some(Bench::cold(self.plan)?);
        }
        let mut seen = Seen { effects: BTreeMap::new(), due: BTreeMap::new() };
        for (bench, changes) in [(&mut self.warm, warm), (&mut self.cold, cold)] {
            let Some(bench) = bench.as_mut().filter(|_| !changes.is_empty()) else { continue };
            let chance = |change: &Change| learned.chance(&knobs[change.knob].name);
            let mut changes = changes;
            changes.sort_by(|one, other| chance(one).total_cmp(&chance(other)));
            let chances: Vec<f64> = changes.iter().map(chance).collect();
            let mut trial = Trial { bench, seen: &mut seen };
            if !trial.formula(script, controls, &changes, &chances)? {
                return Ok(None);
            }
        }
        Ok(Some(seen))
    }
}

/// A formula being tried on one bench.
struct Trial<'t, 'a> {
    bench: &'t mut Bench<'a>,
    seen: &'t mut Seen,
}

impl Trial<'_, '_> {
    /// Tries changes on a formula. Returns false if it is too slow or not answered.
    fn formula(
        &mut self,
        script: &str,
        controls: &BTreeMap<String, String>,
        changes: &[Change],
        chances: &[f64],
    ) -> Result<bool, LearnError> {
        self.bench.limit = LIMIT;
        let fast = |reference: &Sample| reference.observation.cpu <= SLOW;
        let Some(reference) = self.bench.reference(script)?.filter(fast) else {
            return Ok(false);
        };
        // A run that takes much longer than the reference has shown its effect.
        self.bench.limit = (reference.observation.wall * 4 + Duration::from_millis(100)).min(LIMIT);
        let formula = Formula { script, reference };
        let mut effective = Vec::new();
        for group in groups(changes, chances) {
            if self.differs(&formula, group)? {
                self.bisect(&formula, group, &mut effective)?;
            }
        }
        for (operation, control) in controls {
            let Some(reference) = self.bench.reference(control)? else { continue };
            let gone = self.gone(&Formula { script: control, reference }, &effective)?;
            let names = gone.iter().map(|change| self.bench.name(change).to_owned());
            self.seen.due.entry(operation.clone()).or_default().extend(names);
        }
        Ok(true)
    }

    fn compare(&mut self, formula: &Formula<'_>, group: &[Change]) -> Result<(Difference, u32), LearnError> {
        self.bench.compare(formula.script, &formula.reference, group)
    }

    fn differs(&mut self, formula: &Formula<'_>, group: &[Change]) -> Result<bool, LearnError> {
        // Single changes are measured more closely later.
        Ok(group.len() == 1 || self.compare(formula, group)?.0 != Difference::None)
    }

    /// Finds the options that cause the difference of a group.
    fn bisect(
        &mut self,
        formula: &Formula<'_>,
        group: &[Change],
        effective: &mut Vec<Change>,
    ) -> Result<(), LearnError> {
        if let [only] = group {
            let effect = self.effect(formula, only)?;
            if effect != Effects::default() {
                self.seen.effects.insert(self.bench.name(only).to_owned(), effect);
            }
            if effect.total() > 0 {
                effective.push(*only);
            }
            return Ok(());
        }
        let (one, other) = group.split_at(group.len() / 2);
        let first_differs = self.differs(formula, one)?;
        if first_differs {
            self.bisect(formula, one, effective)?;
        }
        // If the first half is not the cause, the second half must be.
        if !first_differs || self.differs(formula, other)? {
            self.bisect(formula, other, effective)?;
        }
        Ok(())
    }

    /// The effect of one option.
    fn effect(&mut self, formula: &Formula<'_>, change: &Change) -> Result<Effects, LearnError> {
        let mut effect = Effects::default();
        let (difference, reach) = self.compare(formula, std::slice::from_ref(change))?;
        match difference {
            Difference::None => {}
            Difference::Conflict => effect.conflict = 1,
            Difference::Answer => effect.answer = 1,
            Difference::Coverage => effect.coverage = 1,
            Difference::Time => effect.time = u32::from(self.times_differ(formula.script, change)?),
        }
        // New functions count only with a new answer or new coverage: a rejection runs error handling, and slow runs prove nothing.
        if effect.answer + effect.coverage > 0 {
            effect.reach = reach;
        }
        Ok(effect)
    }

    /// The changes that make no difference to a control. Often none does, so all are tried together first.
    fn gone(&mut self, control: &Formula<'_>, effective: &[Change]) -> Result<Vec<Change>, LearnError> {
        if effective.len() > 1 && self.compare(control, effective)?.0 == Difference::None {
            return Ok(effective.to_vec());
        }
        let mut gone = Vec::new();
        for change in effective {
            if self.compare(control, std::slice::from_ref(change))?.0 == Difference::None {
                gone.push(*change);
            }
        }
        Ok(gone)
    }

    /// Runs both configurations alternately and compares their times. A difference that vanishes on the first repetition was noise.
    fn times_differ(&mut self, script: &str, change: &Change) -> Result<bool, LearnError> {
        let group = std::slice::from_ref(change);
        let (reference, seen) = (self.bench.run(script, &[], group)?, self.bench.run(script, group, group)?);
        if difference(&reference, &seen) == Difference::None {
            return Ok(false);
        }
        let (mut default, mut changed) = (Vec::new(), Vec::new());
        for _ in 0..REPEATS {
            default.push(self.bench.run(script, &[], group)?.observation.cpu.as_secs_f64());
            changed.push(self.bench.run(script, group, group)?.observation.cpu.as_secs_f64());
        }
        Ok(mann_whitney(&default, &changed) < SIGNIFICANCE)
    }
}
