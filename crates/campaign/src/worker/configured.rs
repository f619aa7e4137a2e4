//! Cases under other configurations: the same solver must not contradict itself, whatever options it is given that keep the
//! question. What goes wrong under several options is reduced to the fewest that show it.

use super::effort::Spent;
use super::{Leave, Worker};
use crate::confirm::Context;
use crate::duplicates::hash;
use crate::statistics::accepted;
use smt::Signatures;
use solver::Observation;
use solver::coverage::Reached;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::Duration;
use strategies::configurations::{Elite, Search, SearchSettings, Setting, Space};
use strategies::grammar::operations_of;
use strategies::{Case, Random};
use triage::{Bug, Rules};

/// About how many options differ from their defaults in a configuration that is drawn.
const CHANGED: u64 = 4;

/// After how many configurations in a row that reach nothing new a case is given up: the next one promises more.
const PATIENCE: u32 = 2;

/// A run under options may take so many times as long as the one without, and a little more.
const SLACK: u32 = 5;
const LEAST: Duration = Duration::from_millis(100);

/// What one configuration showed.
struct Shown {
    settings: Vec<Setting>,
    observation: Observation,
    bugs: Vec<Bug>,
}

/// Where configurations come from.
enum Source {
    /// Drawn at random, so many more.
    Drawn(Space, Random, u64),
    /// Searched for.
    Searched(Box<Search>),
}

/// The configurations of a case.
struct Proposals {
    source: Source,
    /// Whether the last one came of others.
    bred: bool,
    /// How many in a row reached nothing new, where that is known.
    misses: u32,
    /// The operations of the case, where what is seen refines what was learned about them.
    operations: Option<BTreeSet<String>>,
}

impl Proposals {
    /// The next configuration.
    fn next(&mut self) -> Option<Vec<Setting>> {
        if self.misses >= PATIENCE {
            return None;
        }
        match &mut self.source {
            Source::Drawn(space, random, left) => {
                *left = left.checked_sub(1)?;
                Some(space.settings(&space.draw(CHANGED, random)))
            }
            Source::Searched(search) => {
                let vector = search.ask()?;
                self.bred = search.is_bred();
                Some(search.space().settings(&vector))
            }
        }
    }

    /// How much the last configuration reached, and how much of that nothing in the campaign had reached before.
    fn tell(&mut self, (reached, new): (usize, usize), elite: &mut Elite) {
        self.misses = if new > 0 { 0 } else { self.misses + 1 };
        if let Source::Searched(search) = &mut self.source {
            if let Some(vector) = search.asked().filter(|_| new > 0) {
                elite.add(search.space(), vector);
            }
            // What is new counts more than what is not.
            search.tell((new as u64) << 32 | reached as u64, new > 0);
        }
    }
}

impl Worker<'_> {
    /// Runs a case under configurations of each solver that was asked, and tells what is wrong with them alone. `seen` is what
    /// the solvers did by default.
    pub(super) fn try_configurations(
        &mut self,
        context: &Context<'_>,
        seen: &[Observation],
        limit: Duration,
    ) -> Result<(), Leave> {
        let settings = self.shared.settings;
        let fresh = std::mem::take(&mut self.coverage_queue.fresh);
        if settings.configurations == 0 {
            return Ok(());
        }
        for (&place, usual) in context.places.iter().zip(seen) {
            // What a solver does not take by default it is not asked again in other words.
            let Some(space) = self.shared.spaces.get(place).filter(|_| accepted(usual)) else { continue };
            let spent = if fresh.contains(&place) { Spent::Fresh } else { Spent::Others };
            if settings.watches() && !self.effort.pays(spent, Spent::Cases) {
                continue;
            }
            // To be slow under options is no finding, so such a run need not be waited for.
            let limit = limit.min(usual.wall * SLACK + LEAST);
            let mut proposals = self.proposals(context, place, space);
            while let Some(settings) = proposals.next() {
                if settings.is_empty() {
                    // Where nothing is measured, a draw that changes nothing is no miss.
                    if self.shared.settings.watches() {
                        proposals.tell((0, 0), self.coverage_queue.elite.entry(place).or_default());
                    }
                    continue;
                }
                if self.shared.stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let (shown, reached) = self.under(context, seen, place, settings, limit)?;
                if let Some(reached) = reached {
                    if let Some(operations) = &proposals.operations {
                        let option_rewards = self.coverage_queue.option_rewards.entry(place).or_default();
                        option_rewards.note(operations, &shown.settings, reached.1);
                    }
                    let seconds = shown.observation.wall.as_secs_f64();
                    let source = if proposals.bred { Spent::Bred } else { Spent::Drawn };
                    self.effort.note(spent, reached.1, seconds);
                    self.effort.note(source, reached.1, seconds);
                    proposals.tell(reached, self.coverage_queue.elite.entry(place).or_default());
                }
                self.counted.configured += 1;
                self.counted.conflicts += u64::from(!accepted(&shown.observation));
                if !shown.bugs.is_empty() {
                    self.told_with_fewest(context, seen, place, shown, limit)?;
                }
                self.solver_pool.forget_configurations();
            }
        }
        Ok(())
    }

    /// The configurations to try for a case: mostly of the relevant options where something was learned, searched for where what is
    /// reached is known.
    fn proposals(&mut self, context: &Context<'_>, place: usize, space: &Space) -> Proposals {
        let settings = self.shared.settings;
        let text = &context.case.text;
        let mut random = Random::from_parts(&[settings.seed, hash(text), place as u64]);
        let mut refined = None;
        let space = match self.shared.correlations.get(place) {
            Some(Some(learned)) => {
                let operations = operations_of(&Signatures::standard(), text);
                let option_rewards = self.coverage_queue.option_rewards.get(&place);
                let weighted = space.weighted(|knob| {
                    let promise = |operation: Option<&str>| {
                        option_rewards
                            .map_or(1.0, |option_rewards| option_rewards.promise(operation, &knob.name))
                    };
                    learned.weight(&operations, &knob.name, promise)
                });
                refined = settings.guided.then_some(operations);
                weighted
            }
            _ => space.clone(),
        };
        let source = if settings.guided {
            let limits =
                SearchSettings { offspring: settings.configurations as usize, ..SearchSettings::default() };
            let breeds = self.effort.pays(Spent::Bred, Spent::Drawn);
            let elite = self.coverage_queue.elite.get(&place).filter(|_| breeds);
            let child = elite.and_then(|elite| elite.child(&space, &mut random));
            let search = Search::new(space, limits, random).beginning_with(child);
            Source::Searched(Box::new(search))
        } else {
            Source::Drawn(space, random, settings.configurations)
        };
        Proposals { source, bred: false, misses: 0, operations: refined }
    }

    /// Runs a case by default; what it reaches is noted, and a case that reaches something new is kept as a seed.
    pub(super) fn run_noted(
        &mut self,
        place: usize,
        case: &Case,
        strategy: &str,
        limit: Duration,
    ) -> Result<Observation, Leave> {
        let (observation, reached) =
            self.solver_pool.run_watched(place, &case.text, limit).map_err(Leave::Failed)?;
        let Some(reached) = reached else { return Ok(observation) };
        let new = self.note_reached(place, strategy, &reached);
        self.effort.note(Spent::Cases, new, observation.wall.as_secs_f64());
        if new > 0 && accepted(&observation) {
            self.shared.coverage_map.predicate(strategy, &case.text);
            self.coverage_queue.note(place, &case.text);
        }
        Ok(observation)
    }

    /// Notes what was reached; answers how much was new.
    fn note_reached(&mut self, place: usize, strategy: &str, reached: &Reached) -> usize {
        let (member, _) = self.solver_pool.member(place);
        let id = self.solver_pool.target(member).id.clone();
        let (reach, new) =
            self.shared.coverage_map.note(&id, self.solver_pool.places_of(place), strategy, reached);
        self.counted.note_reach(&id, &reach);
        new
    }

    /// What a case shows under some settings of one solver, beside what all did by default; and how much it reached, and how much
    /// of that was new, where that is measured.
    fn under(
        &mut self,
        context: &Context<'_>,
        seen: &[Observation],
        place: usize,
        settings: Vec<Setting>,
        limit: Duration,
    ) -> Result<(Shown, Option<(usize, usize)>), Leave> {
        let form = self.solver_pool.target(place).profile.options.form.clone();
        let options = settings.iter().map(|one| form.argument(&one.name, &one.value)).collect();
        let commands = settings.iter().map(|one| form.command(&one.name, &one.value)).collect();
        let configured = self.solver_pool.configure(place, options, commands);
        let script = &context.case.text;
        let run = self.solver_pool.run_watched(configured, script, limit).map_err(Leave::Failed)?;
        let (observation, reached) = run;
        let reached = reached.map(|reached| {
            let new = self.note_reached(place, &context.origin.strategy, &reached);
            (reached.count(), new)
        });
        let places: Vec<usize> = context.places.iter().copied().chain([configured]).collect();
        let all: Vec<Observation> = seen.iter().cloned().chain([observation.clone()]).collect();
        // Some options are meant to cost time.
        let rules = Rules { performance: false, ..self.shared.rules };
        let witnesses = self.solver_pool.witnesses(&places, &all);
        let mut verdict = triage::judge(&context.question(), &witnesses, self.judge.as_mut(), &rules);
        let id = &self.solver_pool.target(configured).id;
        verdict.bugs.retain(|bug| concerns(bug, id));
        Ok((Shown { settings, observation, bugs: verdict.bugs }, reached))
    }

    /// Leaves out settings as long as the same goes wrong, then confirms and tells what is left.
    fn told_with_fewest(
        &mut self,
        context: &Context<'_>,
        seen: &[Observation],
        place: usize,
        shown: Shown,
        limit: Duration,
    ) -> Result<(), Leave> {
        let mut fewest = shown;
        let mut at = 0;
        while at < fewest.settings.len() {
            let mut fewer = fewest.settings.clone();
            fewer.remove(at);
            let (less, _) = self.under(context, seen, place, fewer, limit)?;
            let same = |bug: &Bug| fewest.bugs.iter().any(|before| before.class == bug.class);
            if less.bugs.iter().any(same) {
                fewest = Shown { bugs: less.bugs.into_iter().filter(|bug| same(bug)).collect(), ..less };
            } else {
                at += 1;
            }
        }
        // What needs no option at all shows by default, and is told there.
        if fewest.settings.is_empty() {
            return Ok(());
        }
        self.solver_pool.forget_configurations();
        let (again, _) = self.under(context, seen, place, fewest.settings, limit)?;
        let configured = self.solver_pool.last_configured();
        let places: Vec<usize> = context.places.iter().copied().chain([configured]).collect();
        let all: Vec<Observation> = seen.iter().cloned().chain([again.observation]).collect();
        self.bugs(&Context { places: &places, ..*context }, &again.bugs, &all)
    }
}

/// Whether a bug has to do with the solver called `id`, as the one that is wrong or as a witness.
fn concerns(bug: &Bug, id: &str) -> bool {
    let named = |text: &str| {
        text.match_indices(id).any(|(at, _)| {
            // Another configuration may have a longer name that begins in the same way.
            let after = text[at + id.len()..].chars().next();
            after.is_none_or(|next| !next.is_ascii_alphanumeric() && !"._-=".contains(next))
        })
    };
    named(&bug.title) || bug.evidence.iter().any(|evidence| named(&evidence.to_string()))
}
