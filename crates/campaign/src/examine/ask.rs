//! Asking a solver whether terms have the values that we say they have.

use solver::run::{Limits, Response, RunSettings, responses};
use solver::{Answer, RunError, RunMode, RunRequest, Runner, Target, runner};
use std::time::Duration;
use strategies::ground::GroundTerms;

/// How many terms are asked about at once. One that is not confirmed costs its group another question each.
const GROUP: usize = 32;

/// How long a solver may search where simplification does not decide.
const SEARCH: Duration = Duration::from_millis(100);

/// How many refused claims of a batch are asked again in fresh processes.
const REFUSED_AGAIN: usize = 8;

/// A claim that a term has a value.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The term.
    pub term: String,
    /// The value that we say it has.
    pub value: String,
}

impl Claim {
    fn equation(&self) -> String {
        format!("(= {} {})", self.term, self.value)
    }
}

/// What a solver says about a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// The term has this value.
    Agrees,
    /// It has another; what the solver makes of the term.
    Differs(String),
    /// It says so only in a long session; a fresh process agrees.
    Wavers(String),
    /// It does not find out; what it makes of the claim, or why it stopped.
    Undecided(String),
    /// It does not take the term; its message.
    Refuses(String),
    /// It crashed; how.
    Crashes(String),
}

/// A solver that is asked.
pub struct Witness {
    runner: Box<dyn Runner>,
    fresh: Box<dyn Runner>,
    options: Vec<String>,
    patient: Vec<String>,
}

/// How a script of many questions ended.
enum Ended {
    /// All were answered.
    Well,
    /// The question after the last response stopped it.
    Stopped(Said),
}

impl Witness {
    /// A solver as a witness.
    pub fn new(target: &Target) -> Result<Witness, RunError> {
        let settings = RunSettings::default();
        let (runner, fresh) =
            (runner(target, RunMode::Session, &settings)?, runner(target, RunMode::OneShot, &settings)?);
        let cvc5 = runner.target().name.starts_with("cvc5");
        let experimental = ["--strings-exp", "--arrays-exp", "--sets-exp", "--fp-exp"];
        let options: Vec<String> =
            if cvc5 { experimental.iter().map(|&option| option.to_owned()).collect() } else { Vec::new() };
        let profile = runner.target().profile.at(&runner.target().version);
        let mut patient = options.clone();
        if let Some(limit) = &profile.ask.query_timeout {
            patient.extend(limit.args.iter().map(|arg| arg.replace("{ms}", &SEARCH.as_millis().to_string())));
        }
        Ok(Witness { runner, fresh, options, patient })
    }

    /// The solver's name and release.
    pub fn id(&self) -> &str {
        &self.runner.target().id
    }

    /// The solver's name.
    pub fn name(&self) -> &str {
        &self.runner.target().name
    }

    fn prelude(&self, higher_order: bool) -> String {
        let logic = match (self.name(), higher_order) {
            ("z3", _) => "",
            (_, true) => "(set-logic HO_ALL)\n",
            (_, false) => "(set-logic ALL)\n",
        };
        format!("{logic}{}", GroundTerms::PRELUDE)
    }

    /// Runs a list of questions, each with one response, and gives the responses up to where it ended.
    fn run(
        &mut self,
        prelude: &str,
        questions: &[String],
        patient: bool,
    ) -> Result<(Vec<String>, Ended), RunError> {
        let script = format!("{prelude}{}", questions.join("\n"));
        // A question costs well below a millisecond, or up to its own limit where the solver searches.
        let each = if patient { SEARCH } else { Duration::from_millis(5) };
        let wall = Duration::from_secs(3) + each * questions.len().min(2000) as u32;
        let limits = Limits { wall, output: 64 << 20, ..Limits::default() };
        let options = if patient { &self.patient } else { &self.options };
        let seen = self.runner.run(&RunRequest::new(&script).options(options).limits(limits))?;
        let mut found = Vec::with_capacity(questions.len());
        for response in responses(&seen.stdout) {
            found.push(response.text().to_owned());
            if response.is_error() && self.name() != "z3" {
                break;
            }
        }
        if found.len() >= questions.len() {
            found.truncate(questions.len());
            return Ok((found, Ended::Well));
        }
        let last = found.last().filter(|text| is_error(text)).cloned();
        let said = match (last, &seen.outcome) {
            (Some(message), _) => {
                found.pop();
                Said::Refuses(message)
            }
            (None, solver::Outcome::Crash { .. }) => Said::Crashes(seen.outcome.to_string()),
            (None, outcome) => Said::Undecided(outcome.to_string()),
        };
        Ok((found, Ended::Stopped(said)))
    }

    /// Runs questions, going on after each that stops the solver. What stopped it stands in its place.
    fn run_all(
        &mut self,
        prelude: &str,
        questions: &[String],
        patient: bool,
    ) -> Result<Vec<Result<String, Said>>, RunError> {
        let mut all = Vec::with_capacity(questions.len());
        while all.len() < questions.len() {
            let (found, ended) = self.run(prelude, &questions[all.len()..], patient)?;
            let sort = |text: String| if is_error(&text) { Err(Said::Refuses(text)) } else { Ok(text) };
            all.extend(found.into_iter().map(sort));
            if let Ended::Stopped(said) = ended {
                all.push(Err(said));
            }
        }
        Ok(all)
    }

    /// Asks about claims.
    pub fn ask(&mut self, claims: &[Claim], higher_order: bool) -> Result<Vec<Said>, RunError> {
        let prelude = self.prelude(higher_order);
        let groups: Vec<String> = claims
            .chunks(GROUP)
            .map(|group| {
                let equations: Vec<String> = group.iter().map(Claim::equation).collect();
                format!("(simplify (and true {}))", equations.join(" "))
            })
            .collect();
        let confirmed = self.run_all(&prelude, &groups, false)?;
        let mut said = vec![Said::Agrees; claims.len()];
        let doubtful: Vec<usize> =
            (0..claims.len()).filter(|at| confirmed[at / GROUP] != Ok("true".to_owned())).collect();
        let questions: Vec<String> =
            doubtful.iter().map(|&at| format!("(simplify {})", claims[at].equation())).collect();
        let mut left = Vec::new();
        for (&at, response) in doubtful.iter().zip(self.run_all(&prelude, &questions, false)?) {
            match response {
                Ok(text) if text == "true" => {}
                Ok(_) => left.push(at),
                Err(other) => said[at] = other,
            }
        }
        self.decide(&prelude, claims, &left, &mut said)?;
        self.tell(&prelude, claims, &mut said)?;
        self.confirm(&prelude, claims, &mut said)?;
        Ok(said)
    }

    /// Decides by search what simplification does not.
    fn decide(
        &mut self,
        prelude: &str,
        claims: &[Claim],
        left: &[usize],
        said: &mut [Said],
    ) -> Result<(), RunError> {
        let questions: Vec<String> = left
            .iter()
            .map(|&at| format!("(push 1)\n(assert (not {}))\n(check-sat)\n(pop 1)", claims[at].equation()))
            .collect();
        for (&at, response) in left.iter().zip(self.run_all(prelude, &questions, true)?) {
            said[at] = match response {
                Ok(text) if text == "unsat" => Said::Agrees,
                Ok(text) if text == "sat" => Said::Differs(String::new()),
                Ok(text) => Said::Undecided(text),
                Err(other) => other,
            };
        }
        Ok(())
    }

    /// Asks what the solver makes of the terms on which it differs.
    fn tell(&mut self, prelude: &str, claims: &[Claim], said: &mut [Said]) -> Result<(), RunError> {
        let differs: Vec<usize> =
            (0..claims.len()).filter(|&at| matches!(said[at], Said::Differs(_))).collect();
        let questions: Vec<String> =
            differs.iter().map(|&at| format!("(simplify {})", claims[at].term)).collect();
        for (&at, response) in differs.iter().zip(self.run_all(prelude, &questions, false)?) {
            if let Ok(text) = response {
                said[at] = Said::Differs(text.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
        Ok(())
    }

    /// Asks again in fresh processes, without anything else: where a claim is disputed, and where it is refused, since a
    /// long session may refuse what a fresh process takes.
    fn confirm(&mut self, prelude: &str, claims: &[Claim], said: &mut [Said]) -> Result<(), RunError> {
        let mut refused = 0;
        for (claim, said) in claims.iter().zip(said) {
            match said {
                Said::Differs(_) => {}
                Said::Refuses(_) if refused < REFUSED_AGAIN => refused += 1,
                _ => continue,
            }
            let script = format!("{prelude}(assert (not {}))\n(check-sat)\n", claim.equation());
            let seen = self.fresh.run(&RunRequest::new(&script).options(&self.options))?;
            let clear = matches!(seen.outcome, solver::Outcome::Answered);
            match (&mut *said, seen.answer().filter(|_| clear)) {
                (Said::Differs(_), Some(Answer::Sat)) => {}
                (Said::Differs(theirs), _) => *said = Said::Wavers(std::mem::take(theirs)),
                (_, Some(Answer::Unsat)) => *said = Said::Agrees,
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
