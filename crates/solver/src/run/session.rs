//! One process for many scripts, with a reset in between.

use super::observation::Observation;
use super::one_shot::{Base, OneShot};
use super::pool::Pool;
use super::prepare::prepare;
use super::request::{RunRequest, RunSettings};
use super::script::Script;
use super::warm::WarmProcess;
use super::{RunError, Runner, Way};
use crate::profile::Session;
use crate::target::Target;
use std::collections::BTreeSet;

/// How many processes a runner keeps, for as many sets of options.
const PROCESSES: usize = 4;

/// What a session's process was started with: the options and the memory limit.
type Key = (Vec<String>, u64);

/// Runs scripts one after the other in one process, which forgets everything in between.
///
/// Options that a script sets and that survive the reset are set back if the profile says how. Otherwise the process
/// is only reused for a script that sets them itself, before anything else; other scripts get a new process.
pub struct ResetSession {
    base: Base,
    pool: Pool<Key, Kept>,
    plain: Option<OneShot>,
}

/// A process and what earlier scripts have left in it.
struct Kept {
    process: WarmProcess,
    options: BTreeSet<String>,
    names: bool,
}

impl ResetSession {
    /// A runner of `target`. The process is started with the first script.
    pub fn new(target: &Target, settings: &RunSettings) -> Result<ResetSession, RunError> {
        let base = Base::new(target, settings);
        Ok(ResetSession { base, pool: Pool::new(PROCESSES), plain: None })
    }

    fn run_plain(&mut self, request: &RunRequest<'_>, reason: &str) -> Result<Observation, RunError> {
        run_plain(&mut self.plain, &self.base, request, reason)
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
        let most = self.base.settings.most_scripts(rules.scripts);
        let kept = self.pool.take(&key).filter(|kept| kept.process.scripts < most);
        let reusable = kept.and_then(|kept| restoring(&kept, &rules, &script).map(|text| (kept, text)));
        let (mut kept, before) = match reusable {
            Some(found) => found,
            None => {
                let process = WarmProcess::start(&self.base, &[], &key.0, &request.limits)?;
                (Kept { process, options: BTreeSet::new(), names: false }, String::new())
            }
        };
        let text = &prepared.script[..script.end];
        kept.process.scripts += 1;
        let measured = kept.process.exchange(&before, text, &request.limits)?;
        let script = script.moved_down(kept.process.lines_before);
        let observation = measured.observe(&self.base.profile, &script, request.limits.memory, Way::Session);
        if kept.process.is_alive() {
            let surviving = script.options().map(|(name, _)| name).filter(|name| rules.keeps.keeps(name));
            kept.options.extend(surviving.map(str::to_owned));
            kept.names |= prepared.script.contains(":named");
            self.pool.put(key, kept);
        }
        Ok(observation)
    }

    fn target(&self) -> &Target {
        &self.base.target
    }

    fn way(&self) -> Way {
        Way::Session
    }
}
