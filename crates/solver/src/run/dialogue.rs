//! Dialogues: a process gets an opening once, and then many questions about it, each between push and pop.

use super::error::RunError;
use super::follow_up;
use super::observation::Observation;
use super::one_shot::{Base, OneShot, run_plain};
use super::prepare::prepare;
use super::request::{Limits, RunRequest, RunSettings, Want};
use super::script::Script;
use super::warm::WarmProcess;
use crate::profile::Incremental;
use crate::target::Target;
use case::{Outcome, RunMode};
use std::time::Duration;

/// How much longer than its own limit a solver may take before its process is killed.
const GRACE: Duration = Duration::from_millis(100);

/// Dialogues with one solver, one after another, each with its own opening.
///
/// The opening is between push and pop, too, so that the process can be used for the next one. A process that dies, times out or
/// prints an error is replaced at the next question. If a solver has no incremental mode or rejects the opening, each question
/// runs in one-shot mode.
pub struct Dialogue {
    base: Base,
    options: Vec<String>,
    want: Want,
    opening: String,
    process: Option<Running>,
    plain: Option<OneShot>,
    /// Why questions about this opening run in one-shot mode.
    isolated: Option<String>,
    starts: u64,
}

/// A process and its state.
struct Running {
    process: WarmProcess,
    /// Its options and logic, which cannot be popped.
    head: String,
    /// Whether it has the opening of the dialogue.
    is_open: bool,
    /// Whether an opening has to be popped first.
    has_level: bool,
}

impl Dialogue {
    /// Dialogues with `target`. The solver gets `limit` as its own limit on each check, so that it can give up and continue. If
    /// a limit on its steps is wanted, it gets that instead.
    pub fn new(target: &Target, settings: &RunSettings, mut want: Want, limit: Duration) -> Dialogue {
        let base = Base::new(target, settings);
        let (ms, seconds) = (limit.as_millis().max(1).to_string(), limit.as_secs().max(1).to_string());
        let ask = &base.profile.ask;
        let rules = base.profile.incremental.as_ref();
        let (addition, steps, own) = match want.steps.take().filter(|_| ask.query_work.is_some()) {
            // The profile's own options may depend on time.
            Some(steps) => (&ask.query_work, steps.to_string(), &[][..]),
            None => (&ask.query_timeout, String::new(), rules.map_or(&[][..], |rules| &rules.dialogue[..])),
        };
        let fill = |word: &String| {
            word.replace("{ms}", &ms).replace("{seconds}", &seconds).replace("{steps}", &steps)
        };
        let limits = addition.iter().flat_map(|addition| &addition.args).map(fill);
        let options = limits.chain(own.iter().cloned()).collect();
        Dialogue {
            base,
            options,
            want,
            opening: String::new(),
            process: None,
            plain: None,
            isolated: None,
            starts: 0,
        }
    }

    /// Starts a dialogue: options, logic, declarations and assertions without a check.
    pub fn open(&mut self, opening: &str) {
        self.opening = opening.to_owned();
        self.isolated = None;
        if let Some(running) = &mut self.process {
            running.is_open = false;
        }
    }

    /// The opening of the dialogue.
    pub fn opening(&self) -> &str {
        &self.opening
    }

    /// The number of processes started so far.
    pub fn starts(&self) -> u64 {
        self.starts
    }

    /// Checks the opening with these assertions.
    pub fn ask(&mut self, assertions: &str, limits: Limits) -> Result<Observation, RunError> {
        let rules = self.base.profile.incremental.clone();
        // An isolated run passes everything through `prepare`, which removes what opens files.
        let is_safe = smt::file_access::find(assertions).is_none();
        let Some(rules) = rules.filter(|_| self.isolated.is_none() && is_safe) else {
            return self.ask_isolated(assertions, limits);
        };
        // The solver reaches its own limit first, which keeps the process alive.
        let patient = Limits { wall: limits.wall + GRACE, ..limits };
        if let Err(reason) = self.send_opening(&rules, &patient)? {
            self.isolated = Some(reason);
            return self.ask_isolated(assertions, limits);
        }
        let Some(running) = &mut self.process else { return self.ask_isolated(assertions, limits) };
        let queries = [(self.want.model, "(get-model)\n"), (self.want.core, "(get-unsat-core)\n")];
        let queries: String = queries.iter().filter(|(wanted, _)| *wanted).map(|(_, text)| *text).collect();
        let body = format!("(push 1)\n{assertions}(check-sat)\n{queries}(pop 1)");
        running.process.scripts += 1;
        let mut observation = follow_up::exchange(&mut running.process, &body, &self.base.profile, &patient)?;
        observation.overhead = std::mem::take(&mut running.process.overhead);
        if !running.process.is_alive() || !follow_up::can_continue(&observation) {
            self.process = None;
        }
        Ok(observation)
    }

    /// Makes sure that the process has the opening. The inner error says why that is not possible.
    fn send_opening(&mut self, rules: &Incremental, limits: &Limits) -> Result<Result<(), String>, RunError> {
        let usable =
            |running: &Running| running.process.is_alive() && running.process.scripts < rules.scripts;
        self.process = self.process.take().filter(usable);
        if self.process.as_ref().is_some_and(|running| running.is_open) {
            return Ok(Ok(()));
        }
        let request = RunRequest::new(&self.opening).options(&self.options).limits(*limits).want(self.want);
        let prepared = prepare(&self.base.profile, &request);
        let script = Script::split(&prepared.script);
        if let Some(reason) = script.isolation_reason() {
            return Ok(Err(reason));
        }
        let (mut head, mut body) = (String::new(), String::from("(push 1)\n"));
        for command in &script.commands {
            match command.name {
                // The next seed may have another logic, and would need another process.
                "set-logic" if rules.any_logic.is_some() => {}
                "set-option" | "set-logic" => head.extend([command.text, "\n"]),
                _ => body.extend([command.text, "\n"]),
            }
        }
        head.extend(rules.any_logic.as_deref().filter(|opening| !opening.is_empty()));
        let mut running = match self.process.take().filter(|running| running.head == head) {
            Some(running) => running,
            None => {
                let given = prepared.options.iter().filter(|option| !rules.args.contains(option));
                let options: Vec<String> = given.cloned().collect();
                let process = WarmProcess::start(&self.base, &rules.args, &options, limits)?;
                self.starts += 1;
                body.insert_str(0, &head);
                Running { process, head, is_open: false, has_level: false }
            }
        };
        if running.has_level {
            body.insert_str(0, "(pop 1)\n");
        }
        let measured = running.process.exchange("", &body, limits)?;
        running.process.overhead += measured.wall;
        let sent = Script::split(&body).shifted(running.process.lines_before);
        let seen = measured.observe(&self.base.profile, &sent, limits.memory, RunMode::Incremental);
        let accepted = !matches!(seen.outcome, Outcome::Refused { .. } | Outcome::Error { .. });
        if !running.process.is_alive() || !accepted {
            return Ok(Err(format!("the solver rejects the opening ({})", seen.outcome)));
        }
        (running.is_open, running.has_level) = (true, true);
        self.process = Some(running);
        Ok(Ok(()))
    }

    fn ask_isolated(&mut self, assertions: &str, limits: Limits) -> Result<Observation, RunError> {
        let script = format!("{}{assertions}(check-sat)\n", self.opening);
        let reason =
            self.isolated.clone().unwrap_or_else(|| "the profile has no `[incremental]` table".to_owned());
        self.starts += 1;
        let request = RunRequest::new(&script).options(&self.options).limits(limits).want(self.want);
        run_plain(&mut self.plain, &self.base, &request, &reason)
    }
}
