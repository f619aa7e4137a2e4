//! Session mode: one process for many scripts, with a reset in between.
//!
//! Some solvers take longer for a reset than for a script. If the profile says how to prepare for the next script, two
//! processes take turns: one resets and prepares while the other answers, and gets its next script before it is done.

use super::error::RunError;
use super::observation::{Measured, Observation};
use super::one_shot::{Base, OneShot, run_plain};
use super::pool::Pool;
use super::prepare::prepare;
use super::request::{Limits, RunRequest, RunSettings};
use super::runner::Runner;
use super::script::{Script, blanked};
use super::warm::WarmProcess;
use crate::affinity;
use crate::profile::Session;
use crate::target::Target;
use case::RunMode;
use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use std::time::Instant;

/// The maximal number of sets of options for which a runner keeps processes.
const PROCESSES: usize = 4;

/// What a session's process was started with: the options and the memory limit.
type Key = (Vec<String>, u64);

/// Runs scripts one after another in one process, with a reset in between.
///
/// Options that survive the reset are set to their defaults if the profile has them. Otherwise the process is reused only for
/// scripts that set these options in their head; other scripts get a new process.
pub struct ResetSession {
    base: Base,
    pool: Pool<Key, Processes>,
    plain: Option<OneShot>,
}

/// A process and what earlier scripts have left in it.
struct SessionProcess {
    process: WarmProcess,
    options: BTreeSet<String>,
    names: bool,
    /// The opening commands that were sent ahead, after a reset.
    prepared_for: Option<String>,
    /// Whether it is known that they print nothing.
    silent: bool,
    /// Its core, and the core of the other process. `None` if there is only one core or pinning is off.
    cores: Option<(usize, usize)>,
}

/// The processes of one set of options; the one that has waited longest comes first.
type Processes = VecDeque<SessionProcess>;

/// Separates the output of the opening commands from that of the preparation.
const PREPARED: &str = "elenchus-ready";

impl ResetSession {
    /// A runner of `target`. The process starts with the first script.
    pub fn new(target: &Target, settings: &RunSettings) -> Result<ResetSession, RunError> {
        let base = Base::new(target, settings);
        Ok(ResetSession { base, pool: Pool::new(PROCESSES), plain: None })
    }

    fn run_plain(&mut self, request: &RunRequest<'_>, reason: &str) -> Result<Observation, RunError> {
        run_plain(&mut self.plain, &self.base, request, reason)
    }

    /// The process whose turn it is, after its reset, or before if it prepares for `opening`. `None` if a new one is needed.
    fn next(
        &self,
        turns: &mut Processes,
        rules: &Session,
        opening: &str,
        limits: &Limits,
    ) -> Result<Option<SessionProcess>, RunError> {
        let max = self.base.settings.max_scripts(rules.scripts);
        turns.retain(|kept| kept.process.is_alive() && kept.process.scripts < max);
        let wanted = if rules.prepare.is_some() { 2 } else { 1 };
        let Some(mut kept) = turns.pop_front() else { return Ok(None) };
        let begin = Instant::now();
        if !kept.process.is_done(begin)? && turns.len() + 1 < wanted {
            turns.push_front(kept);
            return Ok(None);
        }
        if kept.prepares_for(opening) {
            return Ok(Some(kept));
        }
        let done = kept.process.is_done(begin + limits.wall)?;
        kept.process.overhead = begin.elapsed();
        Ok(done.then_some(kept))
    }

    /// Returns a process to the pool after a script, and makes the observation.
    fn finish(
        &mut self,
        mut kept: SessionProcess,
        measured: Measured,
        mut turns: Processes,
        key: Key,
        script: &Script<'_>,
        request: &RunRequest<'_>,
    ) -> Observation {
        let moved = script.clone().shifted(kept.process.lines_before);
        let memory = request.limits.memory;
        let mut observation = measured.observe(&self.base.profile, &moved, memory, RunMode::Session);
        observation.overhead = std::mem::take(&mut kept.process.overhead);
        if kept.process.is_alive() {
            turns.push_back(kept);
        }
        if !turns.is_empty() {
            self.pool.put(key, turns);
        }
        observation
    }
}

impl SessionProcess {
    /// The commands that reset the process and prepare it for a script with the same opening, if that is possible.
    fn preparation(&self, rules: &Session, script: &Script<'_>, opening: &str) -> Option<String> {
        let command = rules.prepare.as_ref()?;
        let reset = restoring(self, rules, script)?;
        Some(format!("{reset}{opening}(echo \"{PREPARED}\")\n{command}"))
    }

    /// Resets the process and prepares it for a script with the same opening.
    fn prepare(&mut self, rules: &Session, script: &Script<'_>, opening: String) {
        let Some(text) = self.preparation(rules, script, &opening) else { return };
        if let Some((_, other)) = self.cores {
            // Otherwise the process would start by taking the core away from this thread.
            affinity::on_core(other, || ());
        }
        self.process.send_ahead(&text);
        self.prepared_for = Some(opening);
    }

    /// Whether the process is or will be prepared for a script with this opening, which can then be sent at once.
    fn prepares_for(&self, opening: &str) -> bool {
        self.silent && self.prepared_for.as_deref() == Some(opening)
    }

    /// Whether the process is prepared for a script with this opening. The opening must have printed nothing, since that would be
    /// missing in the output of the script.
    fn is_prepared_for(&mut self, opening: &str) -> bool {
        let same = self.prepared_for.take().is_some_and(|prepared_for| prepared_for == opening);
        let output = self.process.take_output_ahead();
        self.silent = same && output.is_some_and(|output| is_silent(&output));
        self.silent
    }

    /// Records what a script leaves behind in the process.
    fn record(&mut self, script: &Script<'_>, text: &str, rules: &Session) {
        let surviving = script.options().map(|(name, _)| name).filter(|name| rules.keeps.keeps(name));
        self.options.extend(surviving.map(str::to_owned));
        self.names |= text.contains(":named");
    }
}

/// Whether the opening commands printed nothing before the preparation.
fn is_silent(output: &str) -> bool {
    output.trim_start_matches('"').starts_with(PREPARED)
}

/// The core for a process and that of the other one, which may have been `taken` before.
fn two_cores(taken: Option<(usize, usize)>) -> Option<(usize, usize)> {
    if let Some((theirs, free)) = taken {
        return Some((free, theirs));
    }
    match affinity::available_cores().ok()?[..] {
        [first, second, ..] => Some((first, second)),
        _ => None,
    }
}

/// The commands that reset a process for the next script. `None` if it cannot be reused for it.
fn restoring(kept: &SessionProcess, rules: &Session, script: &Script<'_>) -> Option<String> {
    if kept.names && rules.keeps_names {
        return None;
    }
    let mut text = String::new();
    text.push_str(&rules.reset);
    text.push('\n');
    for option in &kept.options {
        if script.options().any(|(name, at_head)| at_head && name == option) {
            continue;
        }
        let value = rules.restore.get(option)?;
        text.push_str(&format!("(set-option :{option} {value})\n"));
    }
    Some(text)
}

impl Runner for ResetSession {
    fn run(&mut self, request: &RunRequest<'_>) -> Result<Observation, RunError> {
        let Some(rules) = self.base.profile.session.clone() else {
            return self.run_plain(request, "the profile has no `[session]` table");
        };
        let prepared = prepare(&self.base.profile, request);
        let script = Script::split(&prepared.script);
        if let Some(reason) = script.isolation_reason() {
            return self.run_plain(request, &reason);
        }
        let key = (prepared.options.clone(), request.limits.memory);
        let mut turns = self.pool.take(&key).unwrap_or_default();
        let head = || script.commands.iter().take_while(|command| command.is_head());
        let opening: String = head().flat_map(|command| [command.text, "\n"]).collect();
        let whole = &prepared.script[..script.end];
        let without_opening = || blanked(whole, head());
        let mut next = self.next(&mut turns, &rules, &opening, &request.limits)?;
        let after = next.as_mut().filter(|kept| kept.prepares_for(&opening)).and_then(|kept| {
            kept.record(&script, whole, &rules);
            kept.preparation(&rules, &script, &opening)
        });
        if let Some(after) = after
            && let Some(mut kept) = next.take()
        {
            kept.process.scripts += 1;
            let done = kept.process.exchange_queued(&without_opening(), &after, &request.limits)?;
            if let Some((output, measured)) = done
                && output.is_none_or(|output| is_silent(&output))
            {
                return Ok(self.finish(kept, measured, turns, key, &script, request));
            }
        }
        let mut text = Cow::Borrowed(whole);
        let mut before = String::new();
        let mut may_prepare = true;
        let reusable = next.and_then(|mut kept| {
            let was_prepared = kept.prepared_for.is_some();
            if kept.is_prepared_for(&opening) {
                text = Cow::Owned(without_opening());
                return Some(kept);
            }
            may_prepare = !was_prepared;
            before = restoring(&kept, &rules, &script)?;
            Some(kept)
        });
        let mut kept = match reusable {
            Some(kept) => kept,
            None => {
                let taken = turns.front().and_then(|kept| kept.cores);
                let pinned = self.base.target.acceleration.core_pinning && rules.prepare.is_some();
                let cores = if pinned { two_cores(taken) } else { None };
                let start = || WarmProcess::start(&self.base, &[], &key.0, &request.limits);
                let process = match cores {
                    Some((own, _)) => affinity::on_core(own, start)?,
                    None => start()?,
                };
                let options = BTreeSet::new();
                SessionProcess { process, options, names: false, prepared_for: None, silent: false, cores }
            }
        };
        kept.process.scripts += 1;
        kept.record(&script, whole, &rules);
        let measured = kept.process.exchange(&before, &text, &request.limits)?;
        // If this script had another opening, or one with output, so will probably the next: preparing would be in vain.
        if may_prepare && kept.process.is_alive() {
            kept.prepare(&rules, &script, opening);
        }
        Ok(self.finish(kept, measured, turns, key, &script, request))
    }

    fn target(&self) -> &Target {
        &self.base.target
    }

    fn mode(&self) -> RunMode {
        RunMode::Session
    }
}
