//! Cases under other configurations: the same solver must not contradict itself, whatever options it is given that keep the
//! question. What goes wrong under several options is reduced to the fewest that show it.

use super::{Leave, Worker};
use crate::confirm::Context;
use crate::duplicates::hash;
use crate::statistics::accepted;
use solver::Observation;
use std::time::Duration;
use strategies::Random;
use strategies::configurations::Setting;
use triage::{Bug, Rules};

/// About how many options differ from their defaults in a configuration that is drawn.
const CHANGED: u64 = 4;

/// What one configuration showed.
struct Shown {
    settings: Vec<Setting>,
    observation: Observation,
    bugs: Vec<Bug>,
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
        let count = self.shared.settings.configurations;
        if count == 0 {
            return Ok(());
        }
        for (&place, usual) in context.places.iter().zip(seen) {
            // What a solver does not take by default it is not asked again in other words.
            let Some(space) = self.shared.spaces.get(place).filter(|_| accepted(usual)) else { continue };
            let campaign = self.shared.settings.seed;
            let mut random = Random::from_parts(&[campaign, hash(&context.case.text), place as u64]);
            for _ in 0..count {
                let settings = space.settings(&space.draw(CHANGED, &mut random));
                if settings.is_empty() {
                    continue;
                }
                let shown = self.under(context, seen, place, settings, limit)?;
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

    /// What a case shows under some settings of one solver, beside what all did by default.
    fn under(
        &mut self,
        context: &Context<'_>,
        seen: &[Observation],
        place: usize,
        settings: Vec<Setting>,
        limit: Duration,
    ) -> Result<Shown, Leave> {
        let form = self.panel.target(place).profile.options.form.clone();
        let options = settings.iter().map(|one| form.argument(&one.name, &one.value)).collect();
        let configured = self.panel.configure(place, options);
        let script = &context.case.text;
        let observation = self.panel.run_warm(configured, script, limit).map_err(Leave::Failed)?;
        let places: Vec<usize> = context.places.iter().copied().chain([configured]).collect();
        let all: Vec<Observation> = seen.iter().cloned().chain([observation.clone()]).collect();
        // Some options are meant to cost time.
        let rules = Rules { performance: false, ..self.shared.rules };
        let witnesses = self.panel.witnesses(&places, &all);
        let mut verdict = triage::judge(&context.question(), &witnesses, self.judge.as_mut(), &rules);
        let id = &self.panel.target(configured).id;
        verdict.bugs.retain(|bug| concerns(bug, id));
        Ok(Shown { settings, observation, bugs: verdict.bugs })
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
            let less = self.under(context, seen, place, fewer, limit)?;
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
        let again = self.under(context, seen, place, fewest.settings, limit)?;
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
