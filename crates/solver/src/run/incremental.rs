//! Incremental mode: scripts between push and pop of a running process.

use super::error::RunError;
use super::follow_up;
use super::history::Transcript;
use super::observation::Observation;
use super::one_shot::{Base, OneShot, run_plain};
use super::pool::Pool;
use super::prepare::prepare;
use super::request::{RunRequest, RunSettings};
use super::runner::Runner;
use super::script::Script;
use super::warm::WarmProcess;
use crate::profile::Incremental;
use crate::target::Target;
use case::{Outcome, RunMode};

/// The maximal number of processes of a runner, one for each logic and set of options.
const PROCESSES: usize = 8;

/// The maximal number of logics with their own process, if there can be a process for all logics.
const LOGICS: usize = 6;

/// What an incremental process was started with: options, opening commands, memory limit.
type Key = (Vec<String>, String, u64);

/// Runs each script between push and pop of a running process.
///
/// This tests the solver's incremental core, which is different code from that for a single check. Scripts that cannot run
/// between push and pop run in one-shot mode, and the observation says why.
pub struct IncrementalProcess {
    base: Base,
    pool: Pool<Key, WarmProcess>,
    logics: Logics,
    plain: Option<OneShot>,
    last: Last,
}

/// The process of the last run.
enum Last {
    /// None: the script ran in one-shot mode.
    Plain,
    /// The most recently used one of the pool.
    Pooled,
    /// One that has ended or must not be used again, with its transcript.
    Gone(Option<Transcript>),
}

/// A script between push and pop.
#[derive(Debug, PartialEq, Eq)]
struct Wrapped<'a> {
    /// The options to set at the start of the process.
    options: String,
    /// The logic, if the script sets one.
    logic: Option<&'a str>,
    /// The script with its push and pop.
    body: String,
}

/// The logics with their own process.
#[derive(Default)]
struct Logics(Vec<String>);

impl Logics {
    /// The opening commands of the process for a script. Only the first logics have their own process: with many logics,
    /// starting processes would cost more than they save.
    fn opening(&mut self, wrapped: &Wrapped<'_>, rules: &Incremental) -> String {
        let options = &wrapped.options;
        let Some(logic) = wrapped.logic else { return options.clone() };
        let known = self.0.iter().any(|known| known == logic);
        if !known && self.0.len() < LOGICS {
            self.0.push(logic.to_owned());
        } else if let Some(opening) = rules.any_logic.as_ref().filter(|_| !known) {
            return format!("{options}{opening}\n");
        }
        format!("{options}(set-logic {logic})\n")
    }
}

/// Puts a script between push and pop, or says why that is not possible.
fn wrap<'a>(script: &Script<'a>, rules: &Incremental) -> Result<Wrapped<'a>, String> {
    if let Some(logic) = script.logic().filter(|logic| rules.is_isolated(logic)) {
        return Err(format!("the logic {logic} needs its own process"));
    }
    if let Some((name, _)) = script.options().find(|(_, at_head)| !at_head) {
        return Err(format!("the script sets the option {name} after other commands"));
    }
    if script.options().any(|(name, _)| name == "incremental") {
        return Err("the script sets the option incremental".to_owned());
    }
    if script.options().any(|(name, _)| name.starts_with("global-decl")) {
        return Err("the script's declarations would outlive it".to_owned());
    }
    let mut options = String::new();
    let mut body = String::from("(push 1)\n");
    let mut depth = 0u64;
    for command in &script.commands {
        match command.name {
            "set-option" => options.extend([command.text, "\n"]),
            "set-logic" | "set-info" => {}
            "reset" | "reset-assertions" => return Err(format!("the script contains ({})", command.name)),
            "push" | "pop" => {
                let levels = match command.arguments().next() {
                    None => 1,
                    Some(text) => {
                        text.parse().map_err(|_| format!("the levels of {} are unclear", command.text))?
                    }
                };
                let outcome = if command.name == "push" {
                    depth.checked_add(levels)
                } else {
                    depth.checked_sub(levels)
                };
                depth = outcome.ok_or("the script pops more than it pushed")?;
                body.extend([command.text, "\n"]);
            }
            name if outlives(name) => return Err(format!("the effect of `{name}` may outlive the script")),
            _ => body.extend([command.text, "\n"]),
        }
    }
    body.push_str(&format!("(pop {})", depth + 1));
    Ok(Wrapped { options, logic: script.logic(), body })
}

/// The script with a `push` after its options and logic, which makes a one-shot run use the incremental core. `None` if the text
/// cannot be split into commands.
pub fn inside_push(text: &str) -> Option<String> {
    let script = Script::split(text);
    if script.broken.is_some() {
        return None;
    }
    let first = script.commands.iter().find(|command| !command.is_head())?;
    // The command is a slice of the text, so its address gives its position.
    let at = first.text.as_ptr() as usize - text.as_ptr() as usize;
    Some(format!("{}(push 1)\n{}", &text[..at], &text[at..]))
}

/// Whether a declaration may survive `pop`: that of a heap, a relation, or anything but a function or sort.
fn outlives(name: &str) -> bool {
    const POPPED: &[&str] = &["declare-fun", "declare-const", "declare-sort", "declare-datatype"];
    name.starts_with("declare-") && !POPPED.iter().any(|family| name.starts_with(family))
}

impl IncrementalProcess {
    /// A runner of `target`. The process starts with the first script.
    pub fn new(target: &Target, settings: &RunSettings) -> Result<IncrementalProcess, RunError> {
        let base = Base::new(target, settings);
        let pool = Pool::new(PROCESSES);
        Ok(IncrementalProcess { base, pool, logics: Logics::default(), plain: None, last: Last::Plain })
    }

    /// A new process that has run the opening commands.
    fn opened(
        &self,
        key: &Key,
        rules: &Incremental,
        request: &RunRequest<'_>,
    ) -> Result<WarmProcess, Failed> {
        let mut process = WarmProcess::start(&self.base, &rules.args, &key.0, &request.limits)?;
        process.transcript = self.base.settings.keep_transcript.then(Transcript::default);
        let measured = process.exchange("", &key.1, &request.limits)?;
        process.overhead += measured.wall;
        let opening = Script::split(&key.1);
        let opened =
            measured.observe(&self.base.profile, &opening, request.limits.memory, RunMode::Incremental);
        let accepted = !matches!(opened.outcome, Outcome::Refused { .. } | Outcome::Error { .. });
        if process.is_alive() && accepted {
            Ok(process)
        } else {
            Err(Failed::Opening(opened.outcome.to_string()))
        }
    }
}

/// Why there is no process for a script.
enum Failed {
    Run(RunError),
    Opening(String),
}

impl From<RunError> for Failed {
    fn from(error: RunError) -> Failed {
        Failed::Run(error)
    }
}

impl Runner for IncrementalProcess {
    fn run(&mut self, request: &RunRequest<'_>) -> Result<Observation, RunError> {
        self.last = Last::Plain;
        let Some(rules) = &self.base.profile.incremental else {
            let reason = "the profile has no `[incremental]` table";
            return run_plain(&mut self.plain, &self.base, request, reason);
        };
        let prepared = prepare(&self.base.profile, request);
        let script = Script::split(&prepared.script);
        let wrapped = match script.isolation_reason().map_or_else(|| wrap(&script, rules), Err) {
            Ok(wrapped) => wrapped,
            Err(reason) => return run_plain(&mut self.plain, &self.base, request, &reason),
        };
        let options: Vec<String> =
            prepared.options.iter().filter(|option| !rules.args.contains(option)).cloned().collect();
        let key = (options, self.logics.opening(&wrapped, rules), request.limits.memory);
        let max = self.base.settings.max_scripts(rules.scripts);
        let mut process = match self.pool.take(&key).filter(|process| process.scripts < max) {
            Some(process) => process,
            None => match self.opened(&key, rules, request) {
                Ok(process) => process,
                Err(Failed::Run(error)) => return Err(error),
                Err(Failed::Opening(outcome)) => {
                    let reason = format!("the solver rejects the opening commands ({outcome})");
                    return run_plain(&mut self.plain, &self.base, request, &reason);
                }
            },
        };
        process.scripts += 1;
        let mut observation =
            follow_up::exchange(&mut process, &wrapped.body, &self.base.profile, &request.limits)?;
        observation.overhead = std::mem::take(&mut process.overhead);
        if process.is_alive() && follow_up::can_continue(&observation) {
            self.pool.put(key, process);
            self.last = Last::Pooled;
        } else {
            self.last = Last::Gone(process.transcript.take());
        }
        Ok(observation)
    }

    fn transcript(&self) -> Option<Transcript> {
        match &self.last {
            Last::Plain => None,
            Last::Pooled => self.pool.last()?.transcript.clone(),
            Last::Gone(transcript) => transcript.clone(),
        }
    }

    fn target(&self) -> &Target {
        &self.base.target
    }

    fn mode(&self) -> RunMode {
        RunMode::Incremental
    }
}

#[cfg(test)]
mod tests {
    use super::{LOGICS, Logics, Script, Wrapped, inside_push, wrap};
    use crate::profile::Profile;

    #[test]
    fn scripts_are_put_between_push_and_pop() {
        let table = [
            ("(set-logic QF_LIA)\n(check-sat)", "", Some("QF_LIA"), "(push 1)\n(check-sat)\n(pop 1)"),
            (
                "(set-option :a 1)(set-info :b c)(push 2)(pop)(check-sat)(exit)",
                "(set-option :a 1)\n",
                None,
                "(push 1)\n(push 2)\n(pop)\n(check-sat)\n(pop 2)",
            ),
        ];
        let rules = Profile::built_in("z3").unwrap().incremental.clone().unwrap();
        for (text, options, logic, body) in table {
            let wrapped = wrap(&Script::split(text), &rules).unwrap();
            assert_eq!(wrapped, Wrapped { options: options.to_owned(), logic, body: body.to_owned() });
        }
    }

    #[test]
    fn many_logics_share_a_process() {
        let mut logics = Logics::default();
        let mut opening = |solver: &str, logic: &str| {
            let rules = Profile::built_in(solver).unwrap().incremental.clone().unwrap();
            let wrapped = Wrapped {
                options: "(set-option :a 1)\n".to_owned(),
                logic: Some(logic),
                body: String::new(),
            };
            logics.opening(&wrapped, &rules)
        };
        for number in 0..LOGICS {
            let logic = format!("L{number}");
            assert_eq!(opening("z3", &logic), format!("(set-option :a 1)\n(set-logic {logic})\n"));
        }
        assert_eq!(opening("z3", "L0"), "(set-option :a 1)\n(set-logic L0)\n");
        assert_eq!(opening("z3", "M"), "(set-option :a 1)\n\n");
        assert_eq!(opening("cvc5", "M"), "(set-option :a 1)\n(set-logic ALL)\n");
        assert_eq!(opening("yices", "M"), "(set-option :a 1)\n(set-logic M)\n");
    }

    #[test]
    fn a_push_is_inserted_after_options_and_logic() {
        let table = [
            ("(set-logic QF_LIA)\n(check-sat)\n", Some("(set-logic QF_LIA)\n(push 1)\n(check-sat)\n")),
            ("; none\n(assert true)(exit)", Some("; none\n(push 1)\n(assert true)(exit)")),
            ("(set-logic QF_LIA)", None),
            ("(assert (", None),
        ];
        for (text, expected) in table {
            assert_eq!(inside_push(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn the_reason_is_given_for_scripts_that_cannot_be_wrapped() {
        let table = [
            ("(pop)", "pops more"),
            ("(push)(pop 2)", "pops more"),
            ("(reset)", "(reset)"),
            ("(check-sat)(set-option :timeout 5)", "timeout"),
            ("(set-logic HORN)", "HORN"),
            ("(set-option :global-declarations true)", "outlive"),
        ];
        let rules = Profile::built_in("z3").unwrap().incremental.clone().unwrap();
        for (text, expected) in table {
            let error = wrap(&Script::split(text), &rules).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
