//! Cases under other configurations: the same solver must not contradict itself, whatever options it is given that keep the
//! question. What goes wrong under several options is reduced to the fewest that show it.

use super::{Leave, Worker};
use crate::confirm::Context;
use crate::duplicates::hash;
use crate::statistics::accepted;
use smt::Signatures;
use solver::Observation;
use solver::coverage::Reached;
use std::sync::atomic::Ordering;
use std::time::Duration;
use strategies::configurations::{Search, SearchSettings, Setting, Space};
use strategies::grammar::operations_of;
use strategies::{Case, Random};
use triage::{Bug, Rules};

/// About how many options differ from their defaults in a configuration that is drawn.
const CHANGED: u64 = 4;

/// What one configuration showed.
struct Shown {
    settings: Vec<Setting>,
    observation: Observation,
    bugs: Vec<Bug>,
}

/// Where configurations come from.
enum Proposals {
    /// Drawn at random, so many more.
    Drawn(Space, Random, u64),
    /// Searched for, with what the case has reached so far.
    Searched(Box<Search>, Reached),
}

impl Proposals {
    /// The next configuration.
    fn next(&mut self) -> Option<Vec<Setting>> {
        match self {
            Proposals::Drawn(space, random, left) => {
                *left = left.checked_sub(1)?;
                Some(space.settings(&space.draw(CHANGED, random)))
            }
            Proposals::Searched(search, _) => {
                let vector = search.ask()?;
                Some(search.space().settings(&vector))
            }
        }
    }

    /// What the last configuration reached.
    fn tell(&mut self, reached: Option<&Reached>) {
        if let Proposals::Searched(search, so_far) = self {
            let none = Reached::default();
            let reached = reached.unwrap_or(&none);
            let new = so_far.add(reached) > 0;
            search.tell(reached.count() as u64, new);
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
        if self.shared.settings.configurations == 0 {
            return Ok(());
        }
        for (&place, usual) in context.places.iter().zip(seen) {
            // What a solver does not take by default it is not asked again in other words.
            let Some(space) = self.shared.spaces.get(place).filter(|_| accepted(usual)) else { continue };
            let mut proposals = self.proposals(context, place, space);
            while let Some(settings) = proposals.next() {
                if settings.is_empty() {
                    proposals.tell(None);
                    continue;
                }
                if self.shared.stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let (shown, reached) = self.under(context, seen, place, settings, limit)?;
                proposals.tell(reached.as_ref());
                self.counted.configured += 1;
                self.counted.conflicts += u64::from(!accepted(&shown.observation));
                if !shown.bugs.is_empty() {
                    self.told_with_fewest(context, seen, place, shown, limit)?;
                }
                self.panel.forget_configurations();
            }
        }
        Ok(())
    }

    /// The configurations to try for a case: of the relevant options where something was learned, searched for where what is
    /// reached is known.
    fn proposals(&self, context: &Context<'_>, place: usize, space: &Space) -> Proposals {
        let settings = self.shared.settings;
        let text = &context.case.text;
        let random = Random::from_parts(&[settings.seed, hash(text), place as u64]);
        let space = match self.shared.correlations.get(place) {
            Some(Some(learned)) => {
                let operations = operations_of(&Signatures::standard(), text);
                space.restricted(|knob| learned.is_relevant(&operations, &knob.name))
            }
            _ => space.clone(),
        };
        if settings.guided {
            let limits =
                SearchSettings { offspring: settings.configurations as usize, ..SearchSettings::default() };
            Proposals::Searched(Box::new(Search::new(space, limits, random)), Reached::default())
        } else {
            Proposals::Drawn(space, random, settings.configurations)
        }
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
            self.panel.run_watched(place, &case.text, limit).map_err(Leave::Failed)?;
        if let Some(reached) = reached
            && self.note_reached(place, strategy, &reached)
            && accepted(&observation)
        {
            self.shared.territory.keep(strategy, &case.text);
        }
        Ok(observation)
    }

    /// Notes what was reached; answers whether anything was new.
    fn note_reached(&mut self, place: usize, strategy: &str, reached: &Reached) -> bool {
        let (member, _) = self.panel.member(place);
        let id = self.panel.target(member).id.clone();
        let (reach, new) = self.shared.territory.note(&id, self.panel.places_of(place), strategy, reached);
        self.counted.note_reach(&id, &reach);
        new
    }

    /// What a case shows under some settings of one solver, beside what all did by default.
    fn under(
        &mut self,
        context: &Context<'_>,
        seen: &[Observation],
        place: usize,
        settings: Vec<Setting>,
        limit: Duration,
    ) -> Result<(Shown, Option<Reached>), Leave> {
        let form = self.panel.target(place).profile.options.form.clone();
        let options = settings.iter().map(|one| form.argument(&one.name, &one.value)).collect();
        let configured = self.panel.configure(place, options);
        let script = &context.case.text;
        let run = self.panel.run_watched(configured, script, limit).map_err(Leave::Failed)?;
        let (observation, reached) = run;
        if let Some(reached) = &reached {
            self.note_reached(place, &context.origin.strategy, reached);
        }
        let places: Vec<usize> = context.places.iter().copied().chain([configured]).collect();
        let all: Vec<Observation> = seen.iter().cloned().chain([observation.clone()]).collect();
        // Some options are meant to cost time.
        let rules = Rules { performance: false, ..self.shared.rules };
        let witnesses = self.panel.witnesses(&places, &all);
        let mut verdict = triage::judge(&context.question(), &witnesses, self.judge.as_mut(), &rules);
        let id = &self.panel.target(configured).id;
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
        self.panel.forget_configurations();
        let (again, _) = self.under(context, seen, place, fewest.settings, limit)?;
        let configured = self.panel.last_configured();
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
