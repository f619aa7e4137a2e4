//! Asks a solver whether terms have the values that our evaluator computed.

use case::text::collapsed;
use solver::run::{Limits, Response, RunSettings, responses};
use solver::{Answer, RunError, RunMode, RunRequest, Runner, Target, runner};
use std::time::Duration;
use strategies::ground::GroundTerms;

/// How many claims share one question. If the solver does not confirm a group, each of its claims is asked on its own.
const GROUP: usize = 32;

/// Time limit for a claim that simplification does not decide.
const SEARCH: Duration = Duration::from_millis(100);

/// How many refused claims of a batch are retried in fresh processes.
const RETRIED_REFUSALS: usize = 8;

/// A claim that a term has a value.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The term.
    pub term: String,
    /// The value that our evaluator computed.
    pub value: String,
}

impl Claim {
    fn equation(&self) -> String {
        format!("(= {} {})", self.term, self.value)
    }
}

/// What a solver replies to a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The term has this value.
    Agrees,
    /// The term has another value: the one that the solver gives.
    Differs(String),
    /// The value differs in a long session only; a fresh process agrees.
    Flaky(String),
    /// No decision: what the solver simplifies the claim to, or why it stopped.
    Undecided(String),
    /// The solver rejects the term; its message.
    Refuses(String),
    /// The solver crashed; how.
    Crashes(String),
}

/// The logic that terms are asked in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// Without functions as values.
    FirstOrder,
    /// With functions as values.
    HigherOrder,
}

/// How hard a solver tries to answer a question.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// By simplification alone, which takes well below a millisecond.
    Simplify,
    /// By search, up to a time limit for each question.
    Search,
}

/// A solver that is asked about claims.
pub struct Witness {
    session: Box<dyn Runner>,
    fresh: Box<dyn Runner>,
    /// What the profile says about examining this solver.
    profile: solver::profile::Examine,
    /// The options for questions that need search: those of the profile and a time limit.
    search_options: Vec<String>,
}

/// How a script of many questions ended.
enum Ended {
    /// All questions were answered.
    Complete,
    /// The question after the last response stopped the solver.
    Stopped(Reply),
}

impl Witness {
    /// Starts a solver.
    pub fn new(target: &Target) -> Result<Witness, RunError> {
        let settings = RunSettings::default();
        let session = runner(target, RunMode::Session, &settings)?;
        let fresh = runner(target, RunMode::OneShot, &settings)?;
        let profile = target.profile.at(&target.version);
        let mut search_options = profile.examine.options.clone();
        if let Some(limit) = &profile.ask.query_timeout {
            let milliseconds = SEARCH.as_millis().to_string();
            search_options.extend(limit.args.iter().map(|arg| arg.replace("{ms}", &milliseconds)));
        }
        Ok(Witness { session, fresh, profile: profile.examine.clone(), search_options })
    }

    /// The solver's name and release.
    pub fn id(&self) -> &str {
        &self.session.target().id
    }

    /// The solver's name.
    pub fn name(&self) -> &str {
        &self.session.target().name
    }

    fn prelude(&self, logic: Logic) -> String {
        let opening = match logic {
            Logic::FirstOrder => &self.profile.prelude,
            Logic::HigherOrder => &self.profile.higher_order_prelude,
        };
        let separator = if opening.is_empty() { "" } else { "\n" };
        format!("{opening}{separator}{}", GroundTerms::PRELUDE)
    }

    /// Runs questions with one response each. Returns the responses up to where the solver stopped.
    fn run(
        &mut self,
        prelude: &str,
        questions: &[String],
        effort: Effort,
    ) -> Result<(Vec<String>, Ended), RunError> {
        let script = format!("{prelude}{}", questions.join("\n"));
        let (each, options) = match effort {
            Effort::Simplify => (Duration::from_millis(5), &self.profile.options),
            Effort::Search => (SEARCH, &self.search_options),
        };
        let wall = Duration::from_secs(3) + each * questions.len().min(2000) as u32;
        let limits = Limits { wall, output: 64 << 20, ..Limits::default() };
        let seen = self.session.run(&RunRequest::new(&script).options(options).limits(limits))?;
        let mut answers = Vec::with_capacity(questions.len());
        for response in responses(&seen.stdout) {
            answers.push(response.text().to_owned());
            if response.is_error() && !self.profile.continues_after_error {
                break;
            }
        }
        if answers.len() >= questions.len() {
            answers.truncate(questions.len());
            return Ok((answers, Ended::Complete));
        }
        let last = answers.last().filter(|text| is_error(text)).cloned();
        let reply = match (last, &seen.outcome) {
            (Some(message), _) => {
                answers.pop();
                Reply::Refuses(message)
            }
            (None, solver::Outcome::Crash(_)) => Reply::Crashes(seen.outcome.to_string()),
            (None, outcome) => Reply::Undecided(outcome.to_string()),
        };
        Ok((answers, Ended::Stopped(reply)))
    }

    /// Runs all questions, restarting after each one that stops the solver. Such a question gets an error instead of a
    /// response.
    fn run_all(
        &mut self,
        prelude: &str,
        questions: &[String],
        effort: Effort,
    ) -> Result<Vec<Result<String, Reply>>, RunError> {
        let mut all = Vec::with_capacity(questions.len());
        while all.len() < questions.len() {
            let (answers, ended) = self.run(prelude, &questions[all.len()..], effort)?;
            let classify = |text: String| if is_error(&text) { Err(Reply::Refuses(text)) } else { Ok(text) };
            all.extend(answers.into_iter().map(classify));
            if let Ended::Stopped(reply) = ended {
                all.push(Err(reply));
            }
        }
        Ok(all)
    }

    /// Asks about claims. Returns one reply for each.
    pub fn ask(&mut self, claims: &[Claim], logic: Logic) -> Result<Vec<Reply>, RunError> {
        let prelude = self.prelude(logic);
        let groups: Vec<String> = claims
            .chunks(GROUP)
            .map(|group| {
                let equations: Vec<String> = group.iter().map(Claim::equation).collect();
                format!("(simplify (and true {}))", equations.join(" "))
            })
            .collect();
        let confirmed = self.run_all(&prelude, &groups, Effort::Simplify)?;
        let mut replies = vec![Reply::Agrees; claims.len()];
        let doubtful: Vec<usize> =
            (0..claims.len()).filter(|at| confirmed[at / GROUP] != Ok("true".to_owned())).collect();
        let questions: Vec<String> =
            doubtful.iter().map(|&at| format!("(simplify {})", claims[at].equation())).collect();
        let mut undecided = Vec::new();
        for (&at, response) in doubtful.iter().zip(self.run_all(&prelude, &questions, Effort::Simplify)?) {
            match response {
                Ok(text) if text == "true" => {}
                Ok(_) => undecided.push(at),
                Err(reply) => replies[at] = reply,
            }
        }
        self.search(&prelude, claims, &undecided, &mut replies)?;
        self.ask_for_values(&prelude, claims, &mut replies)?;
        self.retry_fresh(&prelude, claims, &mut replies)?;
        Ok(replies)
    }

    /// Decides claims by search that simplification left undecided.
    fn search(
        &mut self,
        prelude: &str,
        claims: &[Claim],
        undecided: &[usize],
        replies: &mut [Reply],
    ) -> Result<(), RunError> {
        let questions: Vec<String> = undecided
            .iter()
            .map(|&at| format!("(push 1)\n(assert (not {}))\n(check-sat)\n(pop 1)", claims[at].equation()))
            .collect();
        for (&at, response) in undecided.iter().zip(self.run_all(prelude, &questions, Effort::Search)?) {
            replies[at] = match response {
                Ok(text) if text == "unsat" => Reply::Agrees,
                Ok(text) if text == "sat" => Reply::Differs(String::new()),
                Ok(text) => Reply::Undecided(text),
                Err(reply) => reply,
            };
        }
        Ok(())
    }

    /// Asks for the solver's own values of the terms on which it differs.
    fn ask_for_values(
        &mut self,
        prelude: &str,
        claims: &[Claim],
        replies: &mut [Reply],
    ) -> Result<(), RunError> {
        let differs: Vec<usize> =
            (0..claims.len()).filter(|&at| matches!(replies[at], Reply::Differs(_))).collect();
        let questions: Vec<String> =
            differs.iter().map(|&at| format!("(simplify {})", claims[at].term)).collect();
        for (&at, response) in differs.iter().zip(self.run_all(prelude, &questions, Effort::Simplify)?) {
            if let Ok(text) = response {
                replies[at] = Reply::Differs(collapsed(&text));
            }
        }
        Ok(())
    }

    /// Retries disputed and refused claims in fresh processes: a long session may refuse what a fresh process accepts.
    fn retry_fresh(
        &mut self,
        prelude: &str,
        claims: &[Claim],
        replies: &mut [Reply],
    ) -> Result<(), RunError> {
        let mut refused = 0;
        for (claim, reply) in claims.iter().zip(replies) {
            match reply {
                Reply::Differs(_) => {}
                Reply::Refuses(_) if refused < RETRIED_REFUSALS => refused += 1,
                _ => continue,
            }
            let script = format!("{prelude}(assert (not {}))\n(check-sat)\n", claim.equation());
            let seen = self.fresh.run(&RunRequest::new(&script).options(&self.profile.options))?;
            let answered = matches!(seen.outcome, solver::Outcome::Answered);
            match (&mut *reply, seen.answer().filter(|_| answered)) {
                (Reply::Differs(_), Some(Answer::Sat)) => {}
                (Reply::Differs(theirs), _) => *reply = Reply::Flaky(std::mem::take(theirs)),
                (_, Some(Answer::Unsat)) => *reply = Reply::Agrees,
                _ => {}
            }
        }
        Ok(())
    }
}

fn is_error(text: &str) -> bool {
    let lists = responses(text);
    lists.first().is_some_and(|response| matches!(response, Response::List(_)) && response.is_error())
}
