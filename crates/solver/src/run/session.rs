//! One process for many scripts, with a reset in between. To forget a script and get ready for the next takes some solvers longer
//! than the script itself, so where the profile says how, two processes take turns: one does that while the other answers, and is
//! handed its next script before it is done.

use super::observation::{Measured, Observation};
use super::one_shot::{Base, OneShot};
use super::pool::Pool;
use super::prepare::prepare;
use super::request::{Limits, RunRequest, RunSettings};
use super::script::{Script, blanked};
use super::warm::WarmProcess;
use super::{RunError, RunMode, Runner};
use crate::processor;
use crate::profile::Session;
use crate::target::Target;
use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use std::time::Instant;

/// For how many sets of options a runner keeps processes.
const PROCESSES: usize = 4;

/// What a session's process was started with: the options and the memory limit.
type Key = (Vec<String>, u64);

/// Runs scripts one after the other in one process, which forgets everything in between.
///
/// Options that a script sets and that survive the reset are set back if the profile says how. Otherwise the process
/// is only reused for a script that sets them itself, before anything else; other scripts get a new process.
pub struct ResetSession {
    base: Base,
    pool: Pool<Key, Turns>,
    plain: Option<OneShot>,
}

/// A process and what earlier scripts have left in it.
struct Kept {
    process: WarmProcess,
    options: BTreeSet<String>,
    names: bool,
    /// The opening commands that it was told ahead, after forgetting everything before.
    ready_for: Option<String>,
    /// Whether it is known that it says nothing to them.
    quiet: bool,
    /// The core that it keeps to, and the one for whoever goes on in the meantime; none where there is only one.
    cores: Option<(usize, usize)>,
}

/// The processes of one set of options, the one first that has waited for the longest time.
type Turns = VecDeque<Kept>;

/// Stands between what the opening commands say and what comes of getting ready.
const READY: &str = "elenchus-ready";

impl ResetSession {
    /// A runner of `target`. The process is started with the first script.
    pub fn new(target: &Target, settings: &RunSettings) -> Result<ResetSession, RunError> {
        let base = Base::new(target, settings);
        Ok(ResetSession { base, pool: Pool::new(PROCESSES), plain: None })
    }

    fn run_plain(&mut self, request: &RunRequest<'_>, reason: &str) -> Result<Observation, RunError> {
        run_plain(&mut self.plain, &self.base, request, reason)
    }

    /// The process whose turn it is, once it has forgotten what it was told, or before if it is getting ready for `opening`; nothing
    /// if a new one is to be started.
    fn next(
        &self,
        turns: &mut Turns,
        rules: &Session,
        opening: &str,
        limits: &Limits,
    ) -> Result<Option<Kept>, RunError> {
        let most = self.base.settings.most_scripts(rules.scripts);
        turns.retain(|kept| kept.process.is_alive() && kept.process.scripts < most);
        let at_turns = if rules.prepare.is_some() { 2 } else { 1 };
        let Some(mut kept) = turns.pop_front() else { return Ok(None) };
        let begin = Instant::now();
        if !kept.process.is_done(begin)? && turns.len() + 1 < at_turns {
            turns.push_front(kept);
            return Ok(None);
        }
        if kept.is_getting_ready_for(opening) {
            return Ok(Some(kept));
        }
        let done = kept.process.is_done(begin + limits.wall)?;
        kept.process.started = begin.elapsed();
        Ok(done.then_some(kept))
    }

    /// Puts a process back that has run a script, and tells what came of that.
    fn finish(
        &mut self,
        mut kept: Kept,
        measured: Measured,
        mut turns: Turns,
        key: Key,
        script: &Script<'_>,
        request: &RunRequest<'_>,
    ) -> Observation {
        let moved = script.clone().moved_down(kept.process.lines_before);
        let memory = request.limits.memory;
        let mut observation = measured.observe(&self.base.profile, &moved, memory, RunMode::Session);
        observation.beside = std::mem::take(&mut kept.process.started);
        if kept.process.is_alive() {
            turns.push_back(kept);
        }
        if !turns.is_empty() {
            self.pool.put(key, turns);
        }
        observation
    }
}

impl Kept {
    /// What makes the process forget a script and get ready for one that begins alike, if anything can.
    fn getting_ready(&self, rules: &Session, script: &Script<'_>, opening: &str) -> Option<String> {
        let command = rules.prepare.as_ref()?;
        let forget = restoring(self, rules, script)?;
        Some(format!("{forget}{opening}(echo \"{READY}\")\n{command}"))
    }

    /// Makes the process forget its script and get ready for one that begins alike.
    fn get_ready(&mut self, rules: &Session, script: &Script<'_>, opening: String) {
        let Some(text) = self.getting_ready(rules, script, &opening) else { return };
        if let Some((_, other)) = self.cores {
            // The process would begin by taking the core away from this thread.
            processor::on_core(other, || ());
        }
        self.process.tell_ahead(&text);
        self.ready_for = Some(opening);
    }

    /// Whether the process is, or will be, ready for a script that begins with `opening`, so that it can be handed over at once.
    fn is_getting_ready_for(&self, opening: &str) -> bool {
        self.quiet && self.ready_for.as_deref() == Some(opening)
    }

    /// Whether the process is ready for a script that begins with `opening`: nothing else, and it said nothing to that, which would
    /// be missing in what it says to the script.
    fn is_ready_for(&mut self, opening: &str) -> bool {
        let known = self.ready_for.take().is_some_and(|ready_for| ready_for == opening);
        let said = self.process.said_ahead();
        self.quiet = known && said.is_some_and(|said| is_quiet(&said));
        self.quiet
    }

    /// Notes what a script leaves behind in the process.
    fn take_in(&mut self, script: &Script<'_>, text: &str, rules: &Session) {
        let surviving = script.options().map(|(name, _)| name).filter(|name| rules.keeps.keeps(name));
        self.options.extend(surviving.map(str::to_owned));
        self.names |= text.contains(":named");
    }
}

/// Whether a process that got ready had nothing to say to the opening commands.
fn is_quiet(said: &str) -> bool {
    said.trim_start_matches('"').starts_with(READY)
}

/// The core for a process that takes turns with another one, which has `taken` its own, and that other core.
fn two_cores(taken: Option<(usize, usize)>) -> Option<(usize, usize)> {
    if let Some((theirs, free)) = taken {
        return Some((free, theirs));
    }
    match processor::usable().ok()?[..] {
        [first, second, ..] => Some((first, second)),
        _ => None,
    }
}

/// Runs a script in a process of its own, because of `reason`.
pub(super) fn run_plain(
    plain: &mut Option<OneShot>,
    base: &Base,
    request: &RunRequest<'_>,
    reason: &str,
) -> Result<Observation, RunError> {
    let runner = match plain {
        Some(runner) => runner,
        None => plain.insert(OneShot::new(&base.target, &base.settings)),
    };
    Ok(runner.run(request)?.because(Some(reason)))
}

/// Why a script cannot be run in a process that is to go on afterwards, for all ways of doing so.
pub(super) fn unfit(script: &Script<'_>) -> Option<String> {
    if let Some(what) = script.broken {
        return Some(format!("the script cannot be followed by another: {what}"));
    }
    let channel = script.options().find(|(name, _)| name.ends_with("-output-channel"));
    channel.map(|(name, _)| format!("the script redirects the output with {name}"))
}

/// What a kept process must be told before the next script, or `None` if it cannot be used for it.
fn restoring(kept: &Kept, rules: &Session, script: &Script<'_>) -> Option<String> {
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
            return self.run_plain(request, "the solver has no session in its profile");
        };
        let prepared = prepare(&self.base.profile, request);
        let script = Script::split(&prepared.script);
        if let Some(reason) = unfit(&script) {
            return self.run_plain(request, &reason);
        }
        let key = (prepared.options.clone(), request.limits.memory);
        let mut turns = self.pool.take(&key).unwrap_or_default();
        let head = || script.commands.iter().take_while(|command| command.is_head());
        let opening: String = head().flat_map(|command| [command.text, "\n"]).collect();
        let whole = &prepared.script[..script.end];
        let without_opening = || blanked(whole, head());
        let mut next = self.next(&mut turns, &rules, &opening, &request.limits)?;
        let after = next.as_mut().filter(|kept| kept.is_getting_ready_for(&opening)).and_then(|kept| {
            kept.take_in(&script, whole, &rules);
            kept.getting_ready(&rules, &script, &opening)
        });
        if let Some(after) = after
            && let Some(mut kept) = next.take()
        {
            kept.process.scripts += 1;
            let done = kept.process.exchange_in_a_row(&without_opening(), &after, &request.limits)?;
            if let Some((said, measured)) = done
                && said.is_none_or(|said| is_quiet(&said))
            {
                return Ok(self.finish(kept, measured, turns, key, &script, request));
            }
        }
        let mut text = Cow::Borrowed(whole);
        let mut before = String::new();
        let mut goes_on = true;
        let reusable = next.and_then(|mut kept| {
            let was_told = kept.ready_for.is_some();
            if kept.is_ready_for(&opening) {
                text = Cow::Owned(without_opening());
                return Some(kept);
            }
            goes_on = !was_told;
            before = restoring(&kept, &rules, &script)?;
            Some(kept)
        });
        let mut kept = match reusable {
            Some(kept) => kept,
            None => {
                let taken = turns.front().and_then(|kept| kept.cores);
                let cores = rules.prepare.as_ref().and_then(|_| two_cores(taken));
                let start = || WarmProcess::start(&self.base, &[], &key.0, &request.limits);
                let process = match cores {
                    Some((own, _)) => processor::on_core(own, start)?,
                    None => start()?,
                };
                let options = BTreeSet::new();
                Kept { process, options, names: false, ready_for: None, quiet: false, cores }
            }
        };
        kept.process.scripts += 1;
        kept.take_in(&script, whole, &rules);
        let measured = kept.process.exchange(&before, &text, &request.limits)?;
        // After a script that begins in another way, or aloud, so will the next: to get ready for it would be in vain.
        if goes_on && kept.process.is_alive() {
            kept.get_ready(&rules, &script, opening);
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
