//! Which configurations to try for a case. The policy decides; the caller runs the solver and reports what it reached.

use crate::effort::{Activity, Effort};
use crate::learn::Correlations;
use crate::rewards::OptionRewards;
use crate::search::{Elite, Search};
use crate::space::{Setting, Space};
use case::SolverIndex;
use case::hash::fnv1a;
use smt::Signatures;
use std::collections::{BTreeMap, BTreeSet};
use strategies::grammar::operations_of;
use strategies::{OptionSearch, Random};

/// The options of one solver.
#[derive(Clone, Debug, Default)]
pub struct SolverOptions {
    /// The options that may be set.
    pub space: Space,
    /// What was learned about them, if anything.
    pub correlations: Option<Correlations>,
}

/// Whether a case reached new code under default options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Novelty {
    /// It did.
    Fresh,
    /// It did not, or nothing was measured.
    Known,
}

/// What a run reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gain {
    /// How many coverage points.
    pub reached: usize,
    /// How many of them nothing in the campaign had reached before.
    pub new: usize,
}

/// What the configurations of one solver have reached.
#[derive(Default)]
struct Experience {
    /// Configurations that reached new code.
    elite: Elite,
    /// How much new code each option reached.
    rewards: OptionRewards,
}

/// Chooses the configurations of one worker.
pub struct Policy<'a> {
    /// The number that all random choices follow from.
    seed: u64,
    /// Whether runs report what they reach.
    measured: bool,
    solvers: &'a [SolverOptions],
    effort: Effort,
    experience: BTreeMap<SolverIndex, Experience>,
}

impl<'a> Policy<'a> {
    /// A policy for these solvers, in the order of their indices. `measured` says whether runs report what they reach.
    pub fn new(seed: u64, measured: bool, solvers: &'a [SolverOptions]) -> Policy<'a> {
        Policy { seed, measured, solvers, effort: Effort::default(), experience: BTreeMap::new() }
    }

    /// Records how much new code a case reached under default options, and how long that took.
    pub fn record_default(&mut self, new: usize, seconds: f64) {
        self.effort.record(Activity::Cases, new, seconds);
    }

    /// Begins to try configurations of a solver on a script. `None` if the solver has no options to set, or if new cases
    /// pay more.
    pub fn begin(
        &mut self,
        solver: SolverIndex,
        script: &str,
        novelty: Novelty,
        how: &OptionSearch,
    ) -> Option<Trial> {
        let options = self.solvers.get(solver.get()).filter(|_| how.configurations > 0)?;
        let activity = match novelty {
            Novelty::Fresh => Activity::FreshCases,
            Novelty::Known => Activity::OtherCases,
        };
        let may_skip = self.measured && !how.every_case;
        if may_skip && !self.effort.pays(activity, Activity::Cases) {
            return None;
        }
        let mut random = Random::from_parts(&[self.seed, fnv1a(script), solver.get() as u64]);
        let mut operations = None;
        let space = options.space.restricted(|knob| how.unsupported || !knob.unsupported);
        let space = match options.correlations.as_ref().filter(|_| how.correlated) {
            Some(correlations) => {
                let used = operations_of(&Signatures::standard(), script);
                let rewards = self.experience.get(&solver).map(|experience| &experience.rewards);
                let rewards = rewards.filter(|_| how.rewards);
                let weighted = space.weighted(how.unweighted, |knob| {
                    let expected = |operation: Option<&str>| {
                        rewards.map_or(1.0, |rewards| rewards.expected(operation, &knob.name))
                    };
                    correlations.weight(&used, &knob.name, expected)
                });
                operations = (how.guided && how.rewards).then_some(used);
                weighted
            }
            None => space,
        };
        let source = if how.guided {
            let breeds = how.inherits && self.effort.pays(Activity::Bred, Activity::Drawn);
            let elite = self.experience.get(&solver).map(|experience| &experience.elite).filter(|_| breeds);
            let child = elite.and_then(|elite| elite.child(&space, &mut random));
            Source::Search(Box::new(Search::new(space, how.clone(), random).starting_with(child)))
        } else {
            Source::Draw { space, random, left: how.configurations, changed: how.changed }
        };
        let (measured, patience) = (self.measured, how.patience);
        Some(Trial { solver, activity, source, measured, patience, bred: false, misses: 0, operations })
    }

    /// Records what the last configuration of a trial reached, and how long it took.
    pub fn record(&mut self, trial: &mut Trial, settings: &[Setting], gain: Gain, seconds: f64) {
        let experience = self.experience.entry(trial.solver).or_default();
        if let Some(operations) = &trial.operations {
            experience.rewards.record(operations, settings, gain.new);
        }
        let source = if trial.bred { Activity::Bred } else { Activity::Drawn };
        self.effort.record(trial.activity, gain.new, seconds);
        self.effort.record(source, gain.new, seconds);
        if let Source::Search(search) = &trial.source
            && let Some(vector) = search.asked().filter(|_| gain.new > 0)
        {
            experience.elite.add(search.space(), vector);
        }
        trial.record(gain);
    }
}

/// Where configurations come from.
enum Source {
    /// Drawn at random.
    Draw { space: Space, random: Random, left: u64, changed: u64 },
    /// Bred by a genetic search.
    Search(Box<Search>),
}

/// The configurations of one solver that are tried on one case.
pub struct Trial {
    solver: SolverIndex,
    activity: Activity,
    source: Source,
    measured: bool,
    /// After how many configurations in a row that reach nothing new it ends; 0 for never.
    patience: u32,
    /// Whether the last configuration was bred from others.
    bred: bool,
    /// How many configurations in a row reached nothing new.
    misses: u32,
    /// The operations of the case, if rewards refine the correlations.
    operations: Option<BTreeSet<String>>,
}

impl Trial {
    /// The settings of the next configuration; never empty.
    pub fn next_settings(&mut self) -> Option<Vec<Setting>> {
        loop {
            let settings = self.propose()?;
            if !settings.is_empty() {
                return Some(settings);
            }
            // The defaults reach nothing new. Without measurements a draw without a change is no miss.
            if self.measured {
                self.record(Gain::default());
            }
        }
    }

    fn propose(&mut self) -> Option<Vec<Setting>> {
        if self.patience > 0 && self.misses >= self.patience {
            return None;
        }
        match &mut self.source {
            Source::Draw { space, random, left, changed } => {
                *left = left.checked_sub(1)?;
                Some(space.settings(&space.draw(*changed, random)))
            }
            Source::Search(search) => {
                let vector = search.ask()?;
                self.bred = search.is_bred();
                Some(search.space().settings(&vector))
            }
        }
    }

    fn record(&mut self, gain: Gain) {
        self.misses = if gain.new > 0 { 0 } else { self.misses + 1 };
        if let Source::Search(search) = &mut self.source {
            // New code counts more than any amount of known code.
            search.tell((gain.new as u64) << 32 | gain.reached as u64, gain.new > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::tests::space;

    const SOLVER: SolverIndex = SolverIndex(0);
    const SCRIPT: &str = "(assert true)(check-sat)";

    fn options() -> [SolverOptions; 1] {
        [SolverOptions { space: space(), correlations: None }]
    }

    fn how(guided: bool) -> OptionSearch {
        OptionSearch { guided, ..OptionSearch::default() }
    }

    #[test]
    fn drawn_configurations_are_limited_and_repeatable() {
        let options = options();
        let all = || {
            let mut policy = Policy::new(7, false, &options);
            let mut trial = policy.begin(SOLVER, SCRIPT, Novelty::Known, &how(false)).unwrap();
            std::iter::from_fn(|| trial.next_settings()).collect::<Vec<_>>()
        };
        let drawn = all();
        assert!(!drawn.is_empty() && drawn.len() <= 12 && drawn.iter().all(|one| !one.is_empty()));
        assert_eq!(drawn, all());
        let none = OptionSearch { configurations: 0, ..how(false) };
        assert!(Policy::new(7, false, &options).begin(SOLVER, SCRIPT, Novelty::Known, &none).is_none());
        assert!(Policy::new(7, false, &[]).begin(SOLVER, SCRIPT, Novelty::Known, &how(false)).is_none());
    }

    #[test]
    fn unsupported_options_are_set_on_request() {
        let options = options();
        for unsupported in [false, true] {
            let how = OptionSearch { unsupported, configurations: 100, ..how(false) };
            let mut policy = Policy::new(7, false, &options);
            let mut trial = policy.begin(SOLVER, SCRIPT, Novelty::Known, &how).unwrap();
            let mut set = std::iter::from_fn(|| trial.next_settings()).flatten();
            assert_eq!(set.any(|setting| setting.name == "strings"), unsupported);
        }
    }

    #[test]
    fn a_search_ends_when_its_settings_say_so() {
        let options = options();
        let published = OptionSearch::as_published();
        // How to search, how much new code each configuration reaches, and how many are tried.
        let table = [
            (how(true), 0, 1..=2),
            (how(true), 1, 10..=12),
            // Ten generations without new code: four configurations at first, then six in each.
            (published.clone(), 0, 40..=58),
            (published, 1, 80..=100),
        ];
        for (how, new, expected) in table {
            let mut policy = Policy::new(7, true, &options);
            let mut trial = policy.begin(SOLVER, SCRIPT, Novelty::Fresh, &how).unwrap();
            let mut tried = 0;
            while let Some(settings) = trial.next_settings() {
                policy.record(&mut trial, &settings, Gain { reached: 5, new }, 0.001);
                tried += 1;
            }
            assert!(expected.contains(&tried), "{how:?}, {new}: {tried}");
        }
    }
}
