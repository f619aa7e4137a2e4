//! Bugs that show only after other scripts in the same process. All that the process was told is given to the plain executable as
//! one script; if that shows the bug, what is not needed for it is left out, and the rest is a case like any other.

use super::{Leave, Worker};
use crate::confirm::Context;
use case::Class;
use solver::run::history::Transcript;
use solver::run::{Script, history, inside_push};
use solver::{Answer, Observation, RunMode};
use std::time::{Duration, Instant};
use strategies::{Case, Expectation, Step};
use triage::{Bug, Question};

/// The longest that one run of a history may take.
const LONGEST_RUN: Duration = Duration::from_secs(10);
/// The longest that is spent on leaving out what is not needed; `elenchus reduce` finds the rest.
const LONGEST_SEARCH: Duration = Duration::from_secs(10);
/// How often bugs with one signature are looked into.
const MOST_TRIES: u32 = 2;

/// What a history has to show.
struct Sight<'a> {
    /// The place of the solver.
    place: usize,
    bug: &'a Bug,
    /// The answer, if that is what is wrong.
    answer: Option<Answer>,
}

impl Worker<'_> {
    /// Tells the bugs that a fresh process shows when it is told all that the process before it was told; gives back the others.
    pub(super) fn after_others(
        &mut self,
        context: &Context<'_>,
        bugs: Vec<Bug>,
        seen: &[Observation],
    ) -> Result<Vec<Bug>, Leave> {
        let mut left = Vec::new();
        for bug in bugs {
            let tries = self.histories.entry(bug.signature.key()).or_default();
            *tries += 1;
            if *tries > MOST_TRIES || matches!(bug.class, Class::Performance | Class::InvalidCore) {
                left.push(bug);
                continue;
            }
            match self.with_history(context, &bug, seen)? {
                Some(case) => {
                    let context = Context { case: &case, ..*context };
                    left.extend(self.confirmed_and_told(&context, vec![bug], seen)?);
                }
                None => left.push(bug),
            }
        }
        Ok(left)
    }

    /// The case with the scripts before it that are needed for a bug to show.
    fn with_history(
        &mut self,
        context: &Context<'_>,
        bug: &Bug,
        seen: &[Observation],
    ) -> Result<Option<Case>, Leave> {
        for &at in &bug.suspects {
            let (place, observation) = (context.places[at.get()], &seen[at.get()]);
            if observation.mode != RunMode::Incremental {
                continue;
            }
            let Some(told) = self.told.get(&place).map(Transcript::text) else { continue };
            let answer = observation.answer().filter(|_| bug.class.is_about_answers());
            let sight = Sight { place, bug, answer };
            // Of two solvers that contradict each other, one may say the same without a history.
            let alone = inside_push(&context.case.text).unwrap_or_default();
            let parts = history::parts(&told);
            if parts.len() < 3 || self.shown(context, &sight, &alone)?.is_some() {
                continue;
            }
            // From here on only this bug counts: a fresh process knows more about it than its signal.
            let Some(bug) = self.shown(context, &sight, &told)? else { continue };
            let text = self.without_needless(context, &Sight { bug: &bug, ..sight }, parts)?;
            let others = history::parts(&text).len().saturating_sub(2);
            let step = Step {
                action: "ask after".into(),
                before: String::new(),
                after: format!("{others} other scripts in the same process"),
            };
            let lineage = context.case.lineage.iter().cloned().chain([step]).collect();
            // What is known of the case's own answer says nothing about the others.
            let expectation = Expectation::Unknown;
            return Ok(Some(Case { text, lineage, expectation, ..context.case.clone() }));
        }
        Ok(None)
    }

    /// The bug as the plain executable shows it with a script.
    fn shown(
        &mut self,
        context: &Context<'_>,
        sight: &Sight<'_>,
        script: &str,
    ) -> Result<Option<Bug>, Leave> {
        let run = self.solver_pool.run_cold_within(sight.place, script, context.want, LONGEST_RUN);
        let seen = [run.map_err(Leave::Failed)?];
        if let Some(answer) = sight.answer {
            return Ok((seen[0].answer() == Some(answer)).then(|| sight.bug.clone()));
        }
        let question = Question { script, expectation: &Expectation::Unknown, ..context.question() };
        let witnesses = self.solver_pool.witnesses(&[sight.place], &seen);
        let verdict = triage::judge(&question, &witnesses, self.judge.as_mut(), &self.shared.rules);
        Ok(verdict.bugs.into_iter().find(|bug| sight.bug.is_same(bug)))
    }

    /// A history without what the bug shows without: larger groups of scripts first, then single ones, then questions that follow
    /// answers.
    fn without_needless(
        &mut self,
        context: &Context<'_>,
        sight: &Sight<'_>,
        parts: Vec<&str>,
    ) -> Result<String, Leave> {
        let until = Instant::now() + LONGEST_SEARCH;
        let (mut size, mut parts) = (parts.len() / 2, parts);
        while size > 0 {
            // What was told last before the bug is the most likely to matter, so the first go first; the opening and the case stay.
            let mut from = 1;
            while from + size < parts.len() && Instant::now() < until {
                let rest = [&parts[..from], &parts[from + size..]].concat();
                if self.shown(context, sight, &rest.concat())?.is_some() {
                    parts = rest;
                } else {
                    from += size;
                }
            }
            size /= 2;
        }
        let text = parts.concat();
        let plainer = without_follow_ups(&text);
        Ok(if self.shown(context, sight, &plainer)?.is_some() { plainer } else { text })
    }
}

/// A script without the questions that follow answers.
fn without_follow_ups(text: &str) -> String {
    let mut plainer = String::new();
    for command in Script::split(text).commands {
        if !command.name.starts_with("get-") {
            plainer.extend([command.text, "\n"]);
        }
    }
    plainer
}
