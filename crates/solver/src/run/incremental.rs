//! Scripts inside push and pop of a running process.

use super::history::Transcript;
use super::observation::Observation;
use super::one_shot::{Base, OneShot};
use super::pool::Pool;
use super::prepare::prepare;
use super::request::{RunRequest, RunSettings};
use super::script::Script;
use super::session::{run_plain, unfit};
use super::warm::WarmProcess;
use super::{Outcome, RunError, RunMode, Runner, follow_up};
use crate::profile::Incremental;
use crate::target::Target;

/// How many processes a runner keeps, for as many logics and sets of options.
const PROCESSES: usize = 8;

/// How many logics have processes of their own, where a process for all of them can be had.
const LOGICS: usize = 6;

/// What an incremental process was started with: options, opening commands, memory limit.
type Key = (Vec<String>, String, u64);

/// Runs each script inside push and pop of a running process.
///
/// This exercises the solver's incremental core, which is other code than that of a single question, so it is a target
/// of its own. Scripts that cannot stand inside push and pop are run by themselves, and the observation says so.
pub struct IncrementalProcess {
    base: Base,
    pool: Pool<Key, WarmProcess>,
    logics: Logics,
    plain: Option<OneShot>,
    last: Last,
}

/// What became of the process of the last run.
enum Last {
    /// There was none, since the script was run by itself.
    Apart,
    /// It is the last of the pool.
    Stays,
    /// It is gone, or no longer to be relied on; this is what it was told.
    Gone(Option<Transcript>),
}

/// A script made ready to stand inside push and pop.
#[derive(Debug, PartialEq, Eq)]
struct Wrapped<'a> {
    /// The options that the process must have been told at its start.
    options: String,
    /// The logic, if the script names one.
    logic: Option<&'a str>,
    /// The script between its push and pop.
    body: String,
}

/// The logics that have processes of their own.
#[derive(Default)]
struct Logics(Vec<String>);

impl Logics {
    /// What the process for a script must have been told at its start. The first few logics have processes of their own; with
    /// many logics, starting processes would cost more than asking them saves.
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

/// Puts a script between push and pop, or says why it cannot stand there.
fn wrap<'a>(script: &Script<'a>, rules: &Incremental) -> Result<Wrapped<'a>, String> {
    if let Some(logic) = script.logic().filter(|logic| rules.is_isolated(logic)) {
        return Err(format!("the logic {logic} is a mode of its own"));
    }
    if let Some((name, _)) = script.options().find(|(_, at_head)| !at_head) {
        return Err(format!("the script sets the option {name} in its middle"));
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
            "reset" | "reset-assertions" => return Err(format!("the script has a ({})", command.name)),
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
            name if outlives(name) => return Err(format!("what `{name}` does may outlive the script")),
            _ => body.extend([command.text, "\n"]),
        }
    }
    body.push_str(&format!("(pop {})", depth + 1));
    Ok(Wrapped { options, logic: script.logic(), body })
}

/// A script that puts its question to the incremental core of a solver, as this way does, in a process of its own: everything
/// after options and logic stands inside a `push`. Nothing if the script cannot be told apart into commands.
pub fn inside_push(text: &str) -> Option<String> {
    let script = Script::split(text);
    if script.broken.is_some() {
        return None;
    }
    let first = script.commands.iter().find(|command| !command.is_head())?;
    // The command is a part of the text, so its address tells where it begins.
    let at = first.text.as_ptr() as usize - text.as_ptr() as usize;
    Some(format!("{}(push 1)\n{}", &text[..at], &text[at..]))
}

/// Whether `pop` may not take back what a command declares: heaps, relations and other things that are no function or sort.
fn outlives(name: &str) -> bool {
    const TAKEN_BACK: &[&str] = &["declare-fun", "declare-const", "declare-sort", "declare-datatype"];
    name.starts_with("declare-") && !TAKEN_BACK.iter().any(|family| name.starts_with(family))
}

impl IncrementalProcess {
    /// A runner of `target`. The process is started with the first script.
    pub fn new(target: &Target, settings: &RunSettings) -> Result<IncrementalProcess, RunError> {
        let base = Base::new(target, settings);
        let pool = Pool::new(PROCESSES);
        Ok(IncrementalProcess { base, pool, logics: Logics::default(), plain: None, last: Last::Apart })
    }

    /// A process that has carried out the opening commands, or what went wrong with them.
    fn opened(
        &self,
        key: &Key,
        rules: &Incremental,
        request: &RunRequest<'_>,
    ) -> Result<WarmProcess, Failed> {
        let mut process = WarmProcess::start(&self.base, &rules.args, &key.0, &request.limits)?;
        process.told = self.base.settings.keep_history.then(Transcript::default);
        let measured = process.exchange("", &key.1, &request.limits)?;
        process.started += measured.wall;
        let opening = Script::split(&key.1);
        let opened =
            measured.observe(&self.base.profile, &opening, request.limits.memory, RunMode::Incremental);
        let taken = !matches!(opened.outcome, Outcome::Refused { .. } | Outcome::Error { .. });
        if process.is_alive() && taken {
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
        self.last = Last::Apart;
        let Some(rules) = &self.base.profile.incremental else {
            let reason = "the solver has no incremental mode in its profile";
            return run_plain(&mut self.plain, &self.base, request, reason);
        };
        let prepared = prepare(&self.base.profile, request);
        let script = Script::split(&prepared.script);
        let wrapped = match unfit(&script).map_or_else(|| wrap(&script, rules), Err) {
            Ok(wrapped) => wrapped,
            Err(reason) => return run_plain(&mut self.plain, &self.base, request, &reason),
        };
        let options: Vec<String> =
            prepared.options.iter().filter(|option| !rules.args.contains(option)).cloned().collect();
        let key = (options, self.logics.opening(&wrapped, rules), request.limits.memory);
        let most = self.base.settings.most_scripts(rules.scripts);
        let mut process = match self.pool.take(&key).filter(|process| process.scripts < most) {
            Some(process) => process,
            None => match self.opened(&key, rules, request) {
                Ok(process) => process,
                Err(Failed::Run(error)) => return Err(error),
                Err(Failed::Opening(outcome)) => {
                    let reason = format!("the process did not take the opening commands ({outcome})");
                    return run_plain(&mut self.plain, &self.base, request, &reason);
                }
            },
        };
        process.scripts += 1;
        let mut observation =
            follow_up::exchange(&mut process, &wrapped.body, &self.base.profile, &request.limits)?;
        observation.beside = std::mem::take(&mut process.started);
        if process.is_alive() && follow_up::in_step(&observation) {
            self.pool.put(key, process);
            self.last = Last::Stays;
        } else {
            self.last = Last::Gone(process.told.take());
        }
        Ok(observation)
    }

    fn told(&self) -> Option<Transcript> {
        match &self.last {
            Last::Apart => None,
            Last::Stays => self.pool.last()?.told.clone(),
            Last::Gone(told) => told.clone(),
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
    fn a_script_can_stand_inside_a_push_by_itself() {
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
    fn what_cannot_stand_there_is_told() {
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
