//! Confirms wrong results: a finding is reported only if the plain executable shows it in a fresh process.

use crate::command_line::command_line;
use crate::model_completion::complete_models;
use crate::remake::RunContext;
use crate::solver_pool::SolverPool;
use case::{
    AskedScript, Case, Class, Evidence, FINDING_FORMAT, Finding, Learned, Origin, Seed, SignatureFile,
    SolverIndex, SolverRun, WitnessIndex,
};
use solver::run::Want;
use solver::{Observation, Outcome, RunError, RunMode, Target};
use std::time::Duration;
use triage::{Bug, ModelJudge, Question, Rules, Verdict, Witness};

/// A fresh process may take this many times as long as a warm one, and at least this long.
const SLACK: u32 = 20;
const LEAST: Duration = Duration::from_millis(500);

/// Whether fresh processes show a bug.
pub enum Confirmation {
    /// They show it; this is the finding.
    Confirmed(Box<Finding>),
    /// They do not, or not for sure.
    NotRepeated,
}

/// A case with its origin and the solvers that ran it.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The case.
    pub case: &'a Case,
    /// Its seed.
    pub seed: &'a Seed,
    /// The answers to the strategy's questions, up to this case.
    pub dialogue: &'a [Learned],
    /// The numbers that make it again.
    pub origin: &'a Origin,
    /// How it ran.
    pub run: RunContext,
    /// The solvers that ran it.
    pub solvers: &'a [SolverIndex],
    /// What they were asked for besides answers.
    pub want: Want,
    /// The signature files of the campaign.
    pub signature_files: &'a [SignatureFile],
}

impl<'a> Context<'a> {
    /// The question as the oracle takes it.
    pub fn question(&self) -> Question<'a> {
        Question {
            script: &self.case.text,
            expectation: &self.case.expectation,
            theories: &self.case.theories,
            premise: if strategies::keeps_answers(&self.origin.strategy) { &self.seed.learned } else { &[] },
        }
    }
}

/// Runs a case again in fresh processes, first as it was, then with the plainest command line. Returns one result for each bug.
pub fn confirm(
    context: &Context<'_>,
    bugs: &[Bug],
    warm: &[Observation],
    solver_pool: &mut SolverPool,
    judge: &mut dyn ModelJudge,
    rules: &Rules,
) -> Result<Vec<Confirmation>, RunError> {
    let want = context.want;
    let limits = cold_limits(bugs, warm, solver_pool.full_limit());
    let (full, verdict) = run_and_judge_cold(context, solver_pool, want, &limits, judge, rules)?;
    let mut plain: Option<(Vec<Observation>, Verdict)> = None;
    let mut results = Vec::with_capacity(bugs.len());
    for bug in bugs {
        // A warm process may crash elsewhere, but a crash of a fresh one is a bug in any case.
        let crashes = |again: &&Bug| bug.class == Class::Crash && again.class == Class::Crash;
        let mut same_suspects =
            verdict.bugs.iter().filter(crashes).filter(|again| again.suspects == bug.suspects);
        let again = verdict.bugs.iter().find(|again| bug.is_same(again)).or_else(|| same_suspects.next());
        let Some(again) = again else {
            results.push(state_leak(context, bug, warm, &full, solver_pool));
            continue;
        };
        if again.class == Class::InvalidModel
            && want.check_models
            && let Some(worse) = hidden_wrong_answer(context, again, solver_pool, &limits, judge, rules)?
        {
            results.push(Confirmation::Confirmed(Box::new(worse)));
            continue;
        }
        let mut again = again.clone();
        if again.class == Class::Incompleteness && !states_reason(context, &mut again, solver_pool, &limits)?
        {
            results.push(Confirmation::NotRepeated);
            continue;
        }
        let again = &again;
        let plainly_visible =
            !matches!(bug.class, Class::InvalidModel | Class::InvalidProof | Class::Performance);
        if plainly_visible && plain.is_none() {
            let script = &context.case.text;
            let seen = solver_pool.run_all_cold(context.solvers, script, Want::default(), &limits)?;
            let witnesses = solver_pool.witnesses(context.solvers, &seen);
            let verdict = triage::judge(&context.question(), &witnesses, judge, rules);
            plain = Some((seen, verdict));
        }
        let shown = plain.as_ref().filter(|(_, verdict)| {
            plainly_visible && verdict.bugs.iter().any(|plain_bug| again.is_same(plain_bug))
        });
        let finding = match shown {
            Some((seen, _)) => finding(context, again, seen, solver_pool, Want::default()),
            None => finding(context, again, &full, solver_pool, want),
        };
        results.push(Confirmation::Confirmed(Box::new(finding)));
    }
    Ok(results)
}

/// Asks a solver why it gave up, and adds that to the evidence. Returns false if it reached a limit.
fn states_reason(
    context: &Context<'_>,
    bug: &mut Bug,
    solver_pool: &mut SolverPool,
    limits: &[Duration],
) -> Result<bool, RunError> {
    let text = context.case.text.trim_end();
    let text = text.strip_suffix("(exit)").unwrap_or(text);
    let script = format!("{text}\n(get-info :reason-unknown)\n");
    for &suspect in &bug.suspects {
        let (solver, limit) = (context.solvers[suspect.get()], limits[suspect.get()]);
        let seen = solver_pool.run_cold_within(solver, &script, Want::default(), limit)?;
        let said = stated_reason(&seen.stdout);
        if seen.outcome == Outcome::Timeout || triage::is_limit(&said) {
            return Ok(false);
        }
        for evidence in &mut bug.evidence {
            if let Evidence::GaveUp { reason, .. } = evidence {
                reason.clone_from(&said);
            }
        }
    }
    Ok(true)
}

/// The reason in the response `(:reason-unknown REASON)`, without quotes.
fn stated_reason(stdout: &str) -> String {
    let Some((_, rest)) = stdout.split_once("(:reason-unknown") else { return String::new() };
    let rest = rest.trim_start();
    let reason = match rest.strip_prefix('"') {
        Some(text) => text.split('"').next(),
        None => rest.lines().next().and_then(|line| line.trim_end().strip_suffix(')')),
    };
    case::text::collapsed(reason.unwrap_or_default())
}

/// How long each solver may take in a fresh process: not much longer than in a warm one, unless slowness is the bug. `most` is the
/// time limit of the campaign.
fn cold_limits(bugs: &[Bug], warm: &[Observation], most: Duration) -> Vec<Duration> {
    let is_slow = bugs.iter().any(|bug| bug.class == Class::Performance);
    // A fresh process also spends time on its start.
    let limit = |seen: &Observation| match seen.outcome {
        _ if is_slow => 2 * most,
        Outcome::Timeout => LEAST.min(2 * most),
        _ => (seen.wall * SLACK).max(LEAST).min(2 * most),
    };
    warm.iter().map(limit).collect()
}

/// Runs a case in fresh processes and judges it.
fn run_and_judge_cold(
    context: &Context<'_>,
    solver_pool: &mut SolverPool,
    want: Want,
    limits: &[Duration],
    judge: &mut dyn ModelJudge,
    rules: &Rules,
) -> Result<(Vec<Observation>, Verdict), RunError> {
    let script = &context.case.text;
    let mut seen = solver_pool.run_all_cold(context.solvers, script, want, limits)?;
    complete_models(solver_pool, context.solvers, script, &mut seen, judge)?;
    let verdict =
        triage::judge(&context.question(), &solver_pool.witnesses(context.solvers, &seen), judge, rules);
    Ok((seen, verdict))
}

/// A solver's own model check may hide a wrong answer. Runs the case without the check and returns the wrong answer, if any.
fn hidden_wrong_answer(
    context: &Context<'_>,
    bug: &Bug,
    solver_pool: &mut SolverPool,
    limits: &[Duration],
    judge: &mut dyn ModelJudge,
    rules: &Rules,
) -> Result<Option<Finding>, RunError> {
    let want = Want { check_models: false, ..context.want };
    let (seen, verdict) = run_and_judge_cold(context, solver_pool, want, limits, judge, rules)?;
    let suspected = |other: &&Bug| other.suspects.iter().any(|suspect| bug.suspects.contains(suspect));
    let wrong = verdict.bugs.iter().filter(|other| other.class.is_about_answers()).find(suspected);
    Ok(wrong.map(|wrong| finding(context, wrong, &seen, solver_pool, want)))
}

/// The state leak behind a bug that only a warm process shows, if it is one.
fn state_leak(
    context: &Context<'_>,
    bug: &Bug,
    warm: &[Observation],
    cold: &[Observation],
    solver_pool: &SolverPool,
) -> Confirmation {
    if !bug.class.is_bug() {
        return Confirmation::NotRepeated;
    }
    let question = context.question();
    let witnesses: Vec<Witness<'_>> = solver_pool.witnesses(context.solvers, warm);
    // A bug of an incremental process may need the scripts before it; the worker tries those later.
    let mut leaks = witnesses
        .iter()
        .zip(WitnessIndex::all(witnesses.len()))
        .filter(|(witness, _)| witness.observation.mode != RunMode::Incremental)
        .filter_map(|(witness, index)| triage::state_leak(&question, witness, &cold[index.get()], index));
    match leaks.next() {
        Some(leak) => {
            Confirmation::Confirmed(Box::new(finding(context, &leak, cold, solver_pool, context.want)))
        }
        None => Confirmation::NotRepeated,
    }
}

/// The finding to store.
pub fn finding(
    context: &Context<'_>,
    bug: &Bug,
    seen: &[Observation],
    solver_pool: &SolverPool,
    want: Want,
) -> Finding {
    let record = |(witness, (&solver, observation)): (WitnessIndex, (&SolverIndex, &Observation))| {
        let (plain, options) = solver_pool.plain(solver);
        let (target, suspect) = (solver_pool.target(plain), bug.suspects.contains(&witness));
        record(target, options, observation, suspect, &want, &context.case.text)
    };
    let witnesses = WitnessIndex::all(seen.len());
    let runs: Vec<SolverRun> = witnesses.zip(context.solvers.iter().zip(seen)).map(record).collect();
    Finding {
        format: FINDING_FORMAT,
        class: bug.class,
        signature: bug.signature.clone(),
        evidence: bug.evidence.clone(),
        predicate: triage::claims(bug.class, &bug.evidence, &runs),
        runs,
        models: want.model,
        own_checks: want.check_models,
        theories: context.case.theories.clone(),
        origin: context.origin.clone(),
        seed_name: context.seed.name.clone(),
        lineage: context.case.lineage.clone(),
        learned: context.seed.learned.clone(),
        dialogue: context.dialogue.to_vec(),
        expectation: context.case.expectation.clone(),
        signature_files: context.signature_files.to_vec(),
        found_by: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// The run of a solver under options, as it is stored.
pub fn record(
    target: &Target,
    options: &[String],
    seen: &Observation,
    suspect: bool,
    want: &Want,
    script: &str,
) -> SolverRun {
    let configured = target.configured(options);
    let profile = target.profile.at(&target.version);
    let check = profile.ask.model_check.iter().filter(|_| want.check_models);
    SolverRun {
        checks: check.flat_map(|addition| addition.args.clone()).collect(),
        command: command_line(&configured, want, script, "case.smt2"),
        asked: AskedScript::Case,
        id: configured.id,
        name: target.name.clone(),
        version: target.version.clone(),
        spec: target.id.clone(),
        options: options.to_vec(),
        result: triage::run_result(seen),
        exit: seen.exit,
        milliseconds: seen.wall.as_millis() as u64,
        suspect,
        stdout: seen.stdout.clone(),
        stderr: seen.stderr.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_read() {
        let table = [
            (
                "unknown\n(:reason-unknown \"(incomplete (theory arithmetic))\")\n",
                "(incomplete (theory arithmetic))",
            ),
            ("unknown\n(:reason-unknown incomplete)\n", "incomplete"),
            ("unknown\n( :reason-unknown x)", ""),
            ("unknown\n", ""),
        ];
        for (stdout, expected) in table {
            assert_eq!(stated_reason(stdout), expected, "{stdout}");
        }
    }
}
