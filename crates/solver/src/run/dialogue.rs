//! Many questions about one opening: it is told to a running process once, and each question stands between push and pop.

use super::observation::Observation;
use super::one_shot::{Base, OneShot};
use super::prepare::{Prepared, prepare};
use super::request::{Limits, RunRequest, RunSettings, Want};
use super::script::Script;
use super::session::{run_plain, unfit};
use super::warm::WarmProcess;
use super::{Outcome, RunError, Way};
use crate::profile::{Incremental, LogicRule};
use crate::target::Target;
use std::time::Duration;

/// A solver gets this much more time than it was told, before its process is ended.
const GRACE: Duration = Duration::from_millis(500);

/// A dialogue with one solver.
///
/// A process that dies, runs out of time or complains is replaced when the next question comes. A solver that cannot go on
/// after a question, or that does not take the opening, is asked in a new process each time.
pub struct Dialogue {
    base: Base,
    opening: String,
    options: Vec<String>,
    want: Want,
    process: Option<WarmProcess>,
    plain: Option<OneShot>,
    /// Why every question has a process of its own.
    apart: Option<String>,
    /// How often a process was started.
    starts: u64,
}

impl Dialogue {
    /// A dialogue about `opening`: options, declarations and assertions without a question. The process is started with the
    /// first question. The solver is told the limit on each question, so that it can give up and go on.
    pub fn new(target: &Target, settings: &RunSettings, opening: &str, want: Want, limit: Duration) -> Dialogue {
        let base = Base::new(target, settings);
        let milliseconds = limit.as_millis().max(1);
        let seconds = limit.as_secs().max(1);
        let timeout = base.profile.ask.query_timeout.iter().flat_map(|addition| &addition.args);
        let options = timeout
            .map(|word| word.replace("{ms}", &milliseconds.to_string()).replace("{seconds}", &seconds.to_string()))
            .collect();
        Dialogue {
            base,
            opening: opening.to_owned(),
            options,
            want,
            process: None,
            plain: None,
            apart: None,
            starts: 0,
        }
    }

    /// Asks for the answer, and what else is wanted, under the opening and these assertions.
    pub fn ask(&mut self, assertions: &str, limits: Limits) -> Result<Observation, RunError> {
        let rules = self.base.profile.incremental.clone();
        let Some(rules) = rules.filter(|_| self.apart.is_none()) else {
            return self.ask_apart(assertions, limits);
        };
        // The solver gives up by itself first, which spares its process.
        let patient = Limits { wall: limits.wall + GRACE, ..limits };
        if self.process.as_ref().is_none_or(|process| !process.is_alive() || process.texts >= rules.scripts)
            && let Err(reason) = self.start(&rules, &patient)?
        {
            self.apart = Some(reason);
            return self.ask_apart(assertions, limits);
        }
        let Some(process) = &mut self.process else { return self.ask_apart(assertions, limits) };
        let questions = [(self.want.model, "(get-model)\n"), (self.want.core, "(get-unsat-core)\n")];
        let questions: String = questions.iter().filter(|(wanted, _)| *wanted).map(|(_, text)| *text).collect();
        let body = format!("(push 1)\n{assertions}(check-sat)\n{questions}(pop 1)");
        let measured = process.exchange("", &body, &patient)?;
        let script = Script::split(&body).moved_down(process.lines_before);
        let observation = measured.observe(&self.base.profile, &script, limits.memory, Way::Incremental);
        // After an error it is not known at which level the process stands; a model that is not there is none.
        let in_step = !observation.stdout.contains("(error") || observation.outcome == Outcome::Answered;
        if !process.is_alive() || !in_step {
            self.process = None;
        }
        Ok(observation)
    }

    /// How often a process was started for all questions together.
    pub fn starts(&self) -> u64 {
        self.starts
    }

    /// Starts a process and tells it the opening. The reason if it does not take it.
    fn start(&mut self, rules: &Incremental, limits: &Limits) -> Result<Result<(), String>, RunError> {
        let request = RunRequest::new(&self.opening).options(&self.options).limits(*limits).want(self.want);
        let Prepared { options, script } = prepare(&self.base.profile, &request);
        let split = Script::split(&script);
        if let Some(reason) = unfit(&split) {
            return Ok(Err(reason));
        }
        let dropped = |name: &str| name == "set-logic" && rules.logic == LogicRule::Drop;
        let kept = split.commands.iter().filter(|command| !dropped(command.name));
        let text: String = kept.flat_map(|command| [command.text, "\n"]).collect();
        let options: Vec<String> = options.into_iter().filter(|option| !rules.args.contains(option)).collect();
        let mut process = WarmProcess::start(&self.base, &rules.args, &options, limits)?;
        self.starts += 1;
        let measured = process.exchange("", &text, limits)?;
        let told = Script::split(&text);
        let seen = measured.observe(&self.base.profile, &told, limits.memory, Way::Incremental);
        let taken = process.is_alive() && !matches!(seen.outcome, Outcome::Refused { .. } | Outcome::Error { .. });
        if !taken {
            return Ok(Err(format!("the process did not take the opening ({})", seen.outcome)));
        }
        self.process = Some(process);
        Ok(Ok(()))
    }

    fn ask_apart(&mut self, assertions: &str, limits: Limits) -> Result<Observation, RunError> {
        let script = format!("{}{assertions}(check-sat)\n", self.opening);
        let reason = self.apart.clone().unwrap_or_else(|| "the solver has no incremental mode".to_owned());
        self.starts += 1;
        let request =
            RunRequest::new(&script).options(&self.options).limits(limits).want(self.want);
        run_plain(&mut self.plain, &self.base, &request, &reason)
    }
}
