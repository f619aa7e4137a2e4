//! Bugs that show only after other scripts in the same process. The plain executable gets the whole transcript of the process as
//! one script. If that shows the bug, needless scripts are removed, and the rest is a case like any other.

use super::{Abort, Worker};
use crate::confirm::Context;
use crate::remake::RunContext;
use case::{Class, SolverIndex};
use solver::run::history::Transcript;
use solver::run::{Script, history, inside_push};
use solver::{Answer, Observation, RunMode};
use std::time::{Duration, Instant};
use strategies::{Case, Expectation, Step};
use triage::{Bug, Question};

/// The time limit of one run of a transcript.
const LONGEST_RUN: Duration = Duration::from_secs(5);
/// The time limit for removing needless scripts; `elenchus reduce` removes the rest.
const LONGEST_SEARCH: Duration = Duration::from_secs(2);
/// How many bugs with the same signature are tried.
const MOST_TRIES: u32 = 2;

/// The bug that a transcript has to show.
struct Wanted<'a> {
    solver: SolverIndex,
    bug: &'a Bug,
    /// The wrong answer, if the bug is about answers.
    answer: Option<Answer>,
}

impl Worker<'_> {
    /// Reports the bugs that a fresh process shows with the whole transcript. Returns the others.
    pub(super) fn report_with_history(
        &mut self,
        context: &Context<'_>,
        bugs: Vec<Bug>,
        seen: &[Observation],
    ) -> Result<Vec<Bug>, Abort> {
        let mut left = Vec::new();
        for bug in bugs {
            let tries = self.history_searches.entry(bug.signature.key()).or_default();
            *tries += 1;
            if *tries > MOST_TRIES || !bug.class.is_bug() || bug.class == Class::InvalidCore {
                left.push(bug);
                continue;
            }
            match self.with_history(context, &bug, seen)? {
                Some(case) => {
                    let context = Context { case: &case, run: RunContext::AfterOthers, ..*context };
                    left.extend(self.report_confirmed(&context, vec![bug], seen)?);
                }
                None => left.push(bug),
            }
        }
        Ok(left)
    }

    /// The case with the earlier scripts that a bug needs.
    fn with_history(
        &mut self,
        context: &Context<'_>,
        bug: &Bug,
        seen: &[Observation],
    ) -> Result<Option<Case>, Abort> {
        for &suspect in &bug.suspects {
            let (solver, observation) = (context.solvers[suspect.get()], &seen[suspect.get()]);
            if observation.mode != RunMode::Incremental {
                continue;
            }
            let Some(transcript) = self.transcripts.get(&solver).map(Transcript::text) else { continue };
            let answer = observation.answer().filter(|_| bug.class.is_about_answers());
            let wanted = Wanted { solver, bug, answer };
            // Of two solvers that contradict each other, one may answer the same without a history.
            let alone = inside_push(&context.case.text).unwrap_or_default();
            let parts = history::parts(&transcript);
            if parts.len() < 3 || self.shown(context, &wanted, &alone)?.is_some() {
                continue;
            }
            // From here on only this bug counts: a fresh process identifies it better than a warm one.
            let Some(bug) = self.shown(context, &wanted, &transcript)? else { continue };
            let text = self.without_needless(context, &Wanted { bug: &bug, ..wanted }, parts)?;
            let others = history::parts(&text).len().saturating_sub(2);
            let step = Step {
                action: "run after".into(),
                before: String::new(),
                after: format!("{others} other scripts in the same process"),
            };
            let lineage = context.case.lineage.iter().cloned().chain([step]).collect();
            // The expectation is about the case alone, not about the scripts before it.
            let expectation = Expectation::Unknown;
            return Ok(Some(Case { text, lineage, expectation, ..context.case.clone() }));
        }
        Ok(None)
    }

    /// The bug as the plain executable shows it on a script.
    fn shown(
        &mut self,
        context: &Context<'_>,
        wanted: &Wanted<'_>,
        script: &str,
    ) -> Result<Option<Bug>, Abort> {
        let seen = [self.solver_pool.run_cold_within(wanted.solver, script, context.want, LONGEST_RUN)?];
        if let Some(answer) = wanted.answer {
            return Ok((seen[0].answer() == Some(answer)).then(|| wanted.bug.clone()));
        }
        let question = Question { script, expectation: &Expectation::Unknown, ..context.question() };
        let witnesses = self.solver_pool.witnesses(&[wanted.solver], &seen);
        let verdict = triage::judge(&question, &witnesses, self.judge.as_mut(), &self.shared.rules);
        Ok(verdict.bugs.into_iter().find(|bug| wanted.bug.is_same(bug)))
    }

    /// Removes what the bug does not need: large groups of scripts first, then single scripts, then commands such as
    /// `get-model`.
    fn without_needless(
        &mut self,
        context: &Context<'_>,
        wanted: &Wanted<'_>,
        parts: Vec<&str>,
    ) -> Result<String, Abort> {
        let until = Instant::now() + LONGEST_SEARCH;
        let (mut size, mut parts) = (parts.len() / 2, parts);
        while size > 0 {
            // The latest scripts are the most likely to matter, so removal starts with the first. The opening and the case stay.
            let mut from = 1;
            while from + size < parts.len() && Instant::now() < until {
                let rest = [&parts[..from], &parts[from + size..]].concat();
                if self.shown(context, wanted, &rest.concat())?.is_some() {
                    parts = rest;
                } else {
                    from += size;
                }
            }
            size /= 2;
        }
        let text = parts.concat();
        let simpler = without_get_commands(&text);
        Ok(if self.shown(context, wanted, &simpler)?.is_some() { simpler } else { text })
    }
}

/// A script without commands such as `get-model`.
fn without_get_commands(text: &str) -> String {
    let mut simpler = String::new();
    for command in Script::split(text).commands {
        if !command.name.starts_with("get-") {
            simpler.extend([command.text, "\n"]);
        }
    }
    simpler
}
