//! Many questions about one opening: it is told to a running process once, and each question stands between push and pop.

use super::observation::Observation;
use super::one_shot::{Base, OneShot};
use super::prepare::prepare;
use super::request::{Limits, RunRequest, RunSettings, Want};
use super::script::Script;
use super::session::{run_plain, unfit};
use super::warm::WarmProcess;
use super::{Outcome, RunError, RunMode, follow_up};
use crate::profile::Incremental;
use crate::target::Target;
use std::time::Duration;

/// A solver gets this much more time than it was told, before its process is ended.
const GRACE: Duration = Duration::from_millis(100);

/// Dialogues with one solver, one after the other, each about an opening of its own.
///
/// The opening too stands between push and pop, so that the process serves the next one. A process that dies, runs out of time
/// or complains is replaced when the next question comes. A solver that cannot go on after a question, or that does not take
/// the opening, is asked in a new process each time.
pub struct Dialogue {
    base: Base,
    options: Vec<String>,
    want: Want,
    opening: String,
    process: Option<Running>,
    plain: Option<OneShot>,
    /// Why every question about this opening has a process of its own.
    apart: Option<String>,
    starts: u64,
}

/// A process, with what it was told.
struct Running {
    process: WarmProcess,
    /// Options and logic, which cannot be taken back.
    head: String,
    /// Whether it knows the opening of the dialogue.
    knows: bool,
    /// Whether it stands inside of an opening.
    inside: bool,
}

impl Dialogue {
    /// A solver to hold dialogues with. It is told the limit on each question, so that it can give up and go on.
    pub fn new(target: &Target, settings: &RunSettings, want: Want, limit: Duration) -> Dialogue {
        let base = Base::new(target, settings);
        let (ms, seconds) = (limit.as_millis().max(1).to_string(), limit.as_secs().max(1).to_string());
        let timeout = base.profile.ask.query_timeout.iter().flat_map(|addition| &addition.args);
        let timeout = timeout.map(|word| word.replace("{ms}", &ms).replace("{seconds}", &seconds));
        let own = base.profile.incremental.iter().flat_map(|rules| rules.dialogue.iter().cloned());
        let options = timeout.chain(own).collect();
        Dialogue {
            base,
            options,
            want,
            opening: String::new(),
            process: None,
            plain: None,
            apart: None,
            starts: 0,
        }
    }

    /// What the questions that follow are about: options, logic, declarations and assertions without a question.
    pub fn open(&mut self, opening: &str) {
        self.opening = opening.to_owned();
        self.apart = None;
        if let Some(running) = &mut self.process {
            running.knows = false;
        }
    }

    /// What the questions are about.
    pub fn opening(&self) -> &str {
        &self.opening
    }

    /// How often a process was started.
    pub fn starts(&self) -> u64 {
        self.starts
    }

    /// Asks for the answer, and what else is wanted, under the opening and these assertions.
    pub fn ask(&mut self, assertions: &str, limits: Limits) -> Result<Observation, RunError> {
        let rules = self.base.profile.incremental.clone();
        let Some(rules) = rules.filter(|_| self.apart.is_none()) else {
            return self.ask_apart(assertions, limits);
        };
        // The solver gives up by itself first, which spares its process.
        let patient = Limits { wall: limits.wall + GRACE, ..limits };
        if let Err(reason) = self.tell(&rules, &patient)? {
            self.apart = Some(reason);
            return self.ask_apart(assertions, limits);
        }
        let Some(running) = &mut self.process else { return self.ask_apart(assertions, limits) };
        let questions = [(self.want.model, "(get-model)\n"), (self.want.core, "(get-unsat-core)\n")];
        let questions: String =
            questions.iter().filter(|(wanted, _)| *wanted).map(|(_, text)| *text).collect();
        let body = format!("(push 1)\n{assertions}(check-sat)\n{questions}(pop 1)");
        running.process.scripts += 1;
        let mut observation = follow_up::exchange(&mut running.process, &body, &self.base.profile, &patient)?;
        observation.beside = std::mem::take(&mut running.process.started);
        if !running.process.is_alive() || !follow_up::in_step(&observation) {
            self.process = None;
        }
        Ok(observation)
    }

    /// Makes sure that a process knows the opening. The reason if none takes it.
    fn tell(&mut self, rules: &Incremental, limits: &Limits) -> Result<Result<(), String>, RunError> {
        let usable =
            |running: &Running| running.process.is_alive() && running.process.scripts < rules.scripts;
        self.process = self.process.take().filter(usable);
        if self.process.as_ref().is_some_and(|running| running.knows) {
            return Ok(Ok(()));
        }
        let request = RunRequest::new(&self.opening).options(&self.options).limits(*limits).want(self.want);
        let prepared = prepare(&self.base.profile, &request);
        let script = Script::split(&prepared.script);
        if let Some(reason) = unfit(&script) {
            return Ok(Err(reason));
        }
        let (mut head, mut body) = (String::new(), String::from("(push 1)\n"));
        for command in &script.commands {
            match command.name {
                // The next seed may be of another logic, and would need another process.
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
                Running { process, head, knows: false, inside: false }
            }
        };
        if running.inside {
            body.insert_str(0, "(pop 1)\n");
        }
        let measured = running.process.exchange("", &body, limits)?;
        running.process.started += measured.wall;
        let told = Script::split(&body).moved_down(running.process.lines_before);
        let seen = measured.observe(&self.base.profile, &told, limits.memory, RunMode::Incremental);
        let taken = !matches!(seen.outcome, Outcome::Refused { .. } | Outcome::Error { .. });
        if !running.process.is_alive() || !taken {
            return Ok(Err(format!("the process did not take the opening ({})", seen.outcome)));
        }
        (running.knows, running.inside) = (true, true);
        self.process = Some(running);
        Ok(Ok(()))
    }

    fn ask_apart(&mut self, assertions: &str, limits: Limits) -> Result<Observation, RunError> {
        let script = format!("{}{assertions}(check-sat)\n", self.opening);
        let reason = self.apart.clone().unwrap_or_else(|| "the solver has no incremental mode".to_owned());
        self.starts += 1;
        let request = RunRequest::new(&script).options(&self.options).limits(limits).want(self.want);
        run_plain(&mut self.plain, &self.base, &request, &reason)
    }
}
