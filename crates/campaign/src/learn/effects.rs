//! What each option does to a formula, and to which of its operations that is due.
//!
//! Options are changed in groups first, and a group that makes no difference is done with; one that does is halved until
//! single options are left. So each effect that is noted is that of one option alone.

use super::bench::{Bench, Change, LIMIT};
use super::correlations::{Correlations, Effects};
use super::groups::groups;
use super::rank_test::mann_whitney;
use super::sight::{Difference, Sight, difference};
use super::{LearnError, LearnPlan};
use std::collections::BTreeMap;
use std::time::Duration;
use strategies::Random;

/// How often each configuration is run to compare times, and how sure one must be that they differ.
const REPEATS: usize = 20;
const SURE: f64 = 0.01;
/// Formulas that take longer are of no use: every option is tried on them.
const SLOW: Duration = Duration::from_millis(40);

/// What the options did to one formula.
pub struct Seen {
    /// Those that did anything.
    pub effects: BTreeMap<String, Effects>,
    /// Those of them whose effect was gone with an operation, for each operation that could be left out.
    pub due: BTreeMap<String, Vec<String>>,
}

/// A formula on one bench, with what is usual for it there.
struct Formula<'s> {
    script: &'s str,
    usual: Sight,
}

/// Runs formulas under changed options.
pub struct Learner<'a> {
    plan: &'a LearnPlan<'a>,
    /// Warm solvers, where options can be commands.
    warm: Option<Bench<'a>>,
    /// New processes, for options that a script cannot say.
    cold: Option<Bench<'a>>,
}

impl<'a> Learner<'a> {
    /// Watches the solver.
    pub fn new(plan: &'a LearnPlan<'a>) -> Result<Learner<'a>, LearnError> {
        let warm = Bench::warm(plan)?;
        let cold = if warm.is_none() { Some(Bench::cold(plan)?) } else { None };
        Ok(Learner { plan, warm, cold })
    }

    /// How many runs there were since this was asked.
    pub fn take_runs(&mut self) -> u64 {
        let benches = self.warm.iter_mut().chain(&mut self.cold);
        benches.map(|bench| std::mem::take(&mut bench.runs)).sum()
    }

    /// What each option that is not settled does to a formula; nothing for a formula that is of no use. The controls are the same
    /// formula without one of its operations each.
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

/// A formula under trial on one bench.
struct Trial<'t, 'a> {
    bench: &'t mut Bench<'a>,
    seen: &'t mut Seen,
}

impl Trial<'_, '_> {
    /// Tries changes on a formula; false if it is of no use.
    fn formula(
        &mut self,
        script: &str,
        controls: &BTreeMap<String, String>,
        changes: &[Change],
        chances: &[f64],
    ) -> Result<bool, LearnError> {
        self.bench.limit = LIMIT;
        let Some(usual) = self.bench.usual(script)?.filter(|usual| usual.observation.cpu <= SLOW) else {
            return Ok(false);
        };
        // A run that takes far longer than usual has shown what it does.
        self.bench.limit = (usual.observation.wall * 4 + Duration::from_millis(100)).min(LIMIT);
        let formula = Formula { script, usual };
        let mut effective = Vec::new();
        for group in groups(changes, chances) {
            if self.differs(&formula, group)? {
                self.halve(&formula, group, &mut effective)?;
            }
        }
        for (operation, control) in controls {
            let Some(usual) = self.bench.usual(control)? else { continue };
            let gone = self.gone(&Formula { script: control, usual }, &effective)?;
            let names = gone.iter().map(|change| self.bench.name(change).to_owned());
            self.seen.due.entry(operation.clone()).or_default().extend(names);
        }
        Ok(true)
    }

    fn compare(&mut self, formula: &Formula<'_>, group: &[Change]) -> Result<(Difference, u32), LearnError> {
        self.bench.compare(formula.script, &formula.usual, group)
    }

    fn differs(&mut self, formula: &Formula<'_>, group: &[Change]) -> Result<bool, LearnError> {
        // What a single one does is looked at closely later on.
        Ok(group.len() == 1 || self.compare(formula, group)?.0 != Difference::None)
    }

    /// Finds the options of a group to which its difference is due.
    fn halve(
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
        let by_one = self.differs(formula, one)?;
        if by_one {
            self.halve(formula, one, effective)?;
        }
        // If it is not due to the first half it is due to the second.
        if !by_one || self.differs(formula, other)? {
            self.halve(formula, other, effective)?;
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
        // A run that refuses the formula reaches what tells so, and one that takes long nothing else.
        if effect.answer + effect.coverage > 0 {
            effect.reach = reach;
        }
        Ok(effect)
    }

    /// Those of some changes that make no difference to a control. Often none does, so all are tried together first.
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

    /// Runs both configurations in turns and compares their times. What is gone at the second sight was other work on the machine.
    fn times_differ(&mut self, script: &str, change: &Change) -> Result<bool, LearnError> {
        let group = std::slice::from_ref(change);
        let (usual, seen) = (self.bench.run(script, &[], group)?, self.bench.run(script, group, group)?);
        if difference(&usual, &seen) == Difference::None {
            return Ok(false);
        }
        let (mut usual, mut changed) = (Vec::new(), Vec::new());
        for _ in 0..REPEATS {
            usual.push(self.bench.run(script, &[], group)?.observation.cpu.as_secs_f64());
            changed.push(self.bench.run(script, group, group)?.observation.cpu.as_secs_f64());
        }
        Ok(mann_whitney(&usual, &changed) < SURE)
    }
}
