//! The solvers of one worker: who is asked what, warm for the many, cold for what is told to people.

use crate::settings::Settings;
use crate::vocabulary::Vocabulary;
use semantics::model::StringDialect;
use solver::coverage::{Coverage, Reached, watch};
use solver::run::history::Transcript;
use solver::run::{Dialogue, Limits, RunSettings, Want};
use solver::{Observation, RunError, RunMode, RunRequest, Runner, Target, runner};
use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};
use strategies::{Case, LiveQuestion};
use triage::Witness;

/// A solver of a worker.
struct Solver {
    target: Target,
    /// The theories that its release knows; empty if nothing is known about that.
    theories: BTreeSet<String>,
    /// The largest character that it reads of an escape in a string.
    largest_escape: u32,
    /// What its release was found not to know.
    vocabulary: Vocabulary,
    runners: Runners,
}

/// What runs a solver in each way.
struct Runners {
    warm: Box<dyn Runner>,
    inside: Option<Box<dyn Runner>>,
    cold: Option<Box<dyn Runner>>,
    watched: Option<Watched>,
}

impl Runners {
    fn start(target: &Target, settings: &Settings, running: &RunSettings) -> Result<Runners, RunError> {
        let mode = settings.mode();
        Ok(Runners {
            warm: runner(target, mode, running)?,
            inside: None,
            cold: None,
            watched: settings.watches().then(|| Watched::new(target, mode, running)).transpose()?,
        })
    }
}

/// A solver that tells what it reaches: warm, and new for options that can stand on the command line only.
struct Watched {
    warm: Box<dyn Coverage>,
    cold: Box<dyn Coverage>,
}

impl Watched {
    fn new(target: &Target, mode: RunMode, running: &RunSettings) -> Result<Watched, RunError> {
        let watch = |mode| {
            watch(target, mode, running)
                .map_err(|error| RunError::Supervisor { error: std::io::Error::other(error.to_string()) })
        };
        Ok(Watched { warm: watch(mode)?, cold: watch(RunMode::OneShot)? })
    }
}

/// A solver of the panel with options of its own: a member as long as its case is in hand.
struct Configured {
    target: Target,
    member: usize,
    options: Vec<String>,
    /// The same options as the beginning of a script, which a warm solver takes.
    commands: Option<String>,
}

/// After how many scripts a process that gets them between push and pop is replaced: what it does may depend on all of them, and
/// then all of them are to be run again.
const LONGEST_HISTORY: u32 = 1000;

/// The most dialogues that are kept.
const LINES: usize = 8;
/// The most dialogues with one solver under one random seed.
const LINES_OF_ONE: usize = 2;

/// A dialogue with a solver.
struct DialogueSlot {
    place: usize,
    randomness: u32,
    dialogue: Dialogue,
}

/// The solvers of one worker.
pub struct SolverPool {
    members: Vec<Solver>,
    /// Their places follow those of the members.
    configured: Vec<Configured>,
    /// Dialogues, the one that was used last at the end.
    lines: VecDeque<DialogueSlot>,
    settings: Settings,
    /// What all runners have in common.
    running: RunSettings,
    /// Time in solvers since it was last asked for.
    solving: Duration,
}

impl SolverPool {
    /// Starts what must run before the first script.
    pub fn new(targets: &[Target], settings: &Settings) -> Result<SolverPool, RunError> {
        let running = RunSettings::default();
        let member = |target: &Target| {
            let profile = target.profile.at(&target.version);
            Ok(Solver {
                target: target.clone(),
                theories: profile.theories.iter().cloned().collect(),
                largest_escape: profile.max_escape,
                vocabulary: Vocabulary::new(target.profile.clone()),
                runners: Runners::start(target, settings, &running)?,
            })
        };
        let members = targets.iter().map(member).collect::<Result<_, RunError>>()?;
        Ok(SolverPool {
            members,
            configured: Vec::new(),
            lines: VecDeque::new(),
            settings: settings.clone(),
            running,
            solving: Duration::ZERO,
        })
    }

    /// Ends all processes; new ones are started.
    pub fn start_anew(&mut self) -> Result<(), RunError> {
        self.lines.clear();
        for member in &mut self.members {
            member.runners = Runners::start(&member.target, &self.settings, &self.running)?;
        }
        Ok(())
    }

    /// The places of the solvers that know all that a case uses.
    pub fn who_knows(&self, case: &Case) -> Vec<usize> {
        let mut places = self.who_knows_all(case.solvers.as_ref(), &case.theories);
        let escape = triage::oracle::largest_escape(&case.text);
        places.retain(|&place| {
            let member = &self.members[place];
            escape <= member.largest_escape && !member.vocabulary.lacks(&case.text)
        });
        places
    }

    /// Takes in what a solver complained about, so that it is not asked about that again.
    pub fn note_vocabulary(&mut self, place: usize, seen: &Observation) {
        self.members[place].vocabulary.note(seen);
    }

    /// The places of the solvers that are among those named, if any are, and know all of the theories.
    pub fn who_knows_all(
        &self,
        solvers: Option<&BTreeSet<String>>,
        theories: &BTreeSet<String>,
    ) -> Vec<usize> {
        let knows = |place: &usize| {
            let member = &self.members[*place];
            let named = solvers.is_none_or(|names| names.contains(&member.target.name));
            named && (member.theories.is_empty() || theories.is_subset(&member.theories))
        };
        (0..self.members.len()).filter(knows).collect()
    }

    /// The solver at a place.
    pub fn target(&self, place: usize) -> &Target {
        match self.configured.get(place.wrapping_sub(self.members.len())) {
            Some(configured) => &configured.target,
            None => &self.members[place].target,
        }
    }

    /// The member of the panel behind a place, with the options that it runs under there.
    pub fn member(&self, place: usize) -> (usize, &[String]) {
        match self.configured.get(place.wrapping_sub(self.members.len())) {
            Some(configured) => (configured.member, &configured.options),
            None => (place, &[]),
        }
    }

    /// Gives a place to a member with options, which may have a form as commands too.
    pub fn configure(&mut self, member: usize, options: Vec<String>, commands: Option<String>) -> usize {
        let target = self.members[member].target.configured(&options);
        self.configured.push(Configured { target, member, options, commands });
        self.members.len() + self.configured.len() - 1
    }

    /// The place that was given last.
    pub fn last_configured(&self) -> usize {
        self.members.len() + self.configured.len().saturating_sub(1)
    }

    /// A script as the warm solver behind a place takes it, with the options of the place; nothing if they can stand on
    /// the command line only.
    fn for_warm(&self, place: usize, script: &str) -> Option<String> {
        match self.configured.get(place.wrapping_sub(self.members.len())) {
            // A new process takes them on the command line, as people give them.
            Some(_) if self.settings.mode() == RunMode::OneShot => None,
            Some(configured) => Some(format!("{}{script}", configured.commands.as_ref()?)),
            None => Some(script.to_owned()),
        }
    }

    /// Takes back all places that were given to configurations.
    pub fn forget_configurations(&mut self) {
        self.configured.clear();
    }

    /// Runs a script on a warm solver for so long at most.
    pub fn run_warm(&mut self, place: usize, script: &str, wall: Duration) -> Result<Observation, RunError> {
        self.run_warm_within(place, script, self.settings.want(), wall)
    }

    /// Runs a script between push and pop of a solver that stays, for so long at most; by itself if it cannot stand there.
    pub fn run_inside(
        &mut self,
        place: usize,
        script: &str,
        wall: Duration,
    ) -> Result<Observation, RunError> {
        let limits = Limits { wall, ..self.settings.limits() };
        let request = RunRequest::new(script).limits(limits).want(self.settings.want());
        let member = &mut self.members[place];
        let inside = match &mut member.runners.inside {
            Some(inside) => inside,
            none => {
                let settings = RunSettings {
                    keep_history: true,
                    restart_after: Some(LONGEST_HISTORY),
                    ..self.running.clone()
                };
                none.insert(runner(&member.target, RunMode::Incremental, &settings)?)
            }
        };
        let seen = inside.run(&request)?;
        self.solving += seen.solving();
        Ok(seen)
    }

    /// All that the process was told in which the last script of a solver ran between push and pop.
    pub fn told(&self, place: usize) -> Option<Transcript> {
        self.members.get(place)?.runners.inside.as_ref()?.told()
    }

    /// Runs a script on a solver that tells what it reaches, if this one does.
    pub fn run_watched(
        &mut self,
        place: usize,
        script: &str,
        wall: Duration,
    ) -> Result<(Observation, Option<Reached>), RunError> {
        let (member, options) = self.member(place);
        let options = options.to_vec();
        let limits = Limits { wall, ..self.settings.limits() };
        let want = self.settings.want();
        let for_warm = self.for_warm(place, script);
        let Some(watched) = &mut self.members[member].runners.watched else {
            return Ok((self.run_warm(place, script, wall)?, None));
        };
        let (seen, reached) = match for_warm {
            Some(script) => watched.warm.run(&RunRequest::new(&script).limits(limits).want(want))?,
            None => watched.cold.run(&RunRequest::new(script).options(&options).limits(limits).want(want))?,
        };
        self.solving += seen.solving();
        Ok((seen, Some(reached)))
    }

    /// How many places of a solver can be reached, where that is measured.
    pub fn places_of(&self, place: usize) -> usize {
        let (member, _) = self.member(place);
        self.members[member].runners.watched.as_ref().map_or(0, |watched| watched.warm.places())
    }

    /// Runs a script on a warm solver that is asked for what is wanted.
    pub fn run_warm_for(&mut self, place: usize, script: &str, want: Want) -> Result<Observation, RunError> {
        self.run_warm_within(place, script, want, self.settings.limits().wall)
    }

    /// Runs a script on a warm solver for so long at most, asked for what is wanted.
    pub fn run_warm_within(
        &mut self,
        place: usize,
        script: &str,
        want: Want,
        wall: Duration,
    ) -> Result<Observation, RunError> {
        // A server for options that come up once would cost more than it saves.
        let Some(script) = self.for_warm(place, script) else {
            return self.run_cold_within(place, script, want, wall);
        };
        let limits = Limits { wall, ..self.settings.limits() };
        let (member, _) = self.member(place);
        let seen =
            self.members[member].runners.warm.run(&RunRequest::new(&script).limits(limits).want(want))?;
        self.solving += seen.solving();
        Ok(seen)
    }

    /// Puts a question to the solver at a place, in a dialogue that is kept for the next one.
    pub fn ask(&mut self, place: usize, question: &LiveQuestion) -> Result<Observation, RunError> {
        let mut line = self.line(place, question);
        if line.dialogue.opening() != &*question.prelude {
            line.dialogue.open(&question.prelude);
        }
        let limits = Limits { wall: self.settings.question_limit(), ..self.settings.limits() };
        let seen = line.dialogue.ask(&question.assertions, limits)?;
        self.lines.push_back(line);
        self.solving += seen.solving();
        Ok(seen)
    }

    /// The dialogue that the question belongs to; else one that has not been used for long; else a new one.
    fn line(&mut self, place: usize, question: &LiveQuestion) -> DialogueSlot {
        let fits = |line: &DialogueSlot| line.place == place && line.randomness == question.random_seed;
        let same = |line: &DialogueSlot| fits(line) && line.dialogue.opening() == &*question.prelude;
        let known = self.lines.iter().position(same);
        let several = self.lines.iter().filter(|line| fits(line)).count() >= LINES_OF_ONE;
        let idle = self.lines.iter().position(fits).filter(|_| several);
        if let Some(line) = known.or(idle).and_then(|at| self.lines.remove(at)) {
            return line;
        }
        if self.lines.len() >= LINES {
            self.lines.pop_front();
        }
        let want = Want { model: true, variety: Some(question.random_seed), ..Want::default() };
        let target = &self.members[place].target;
        let limit = self.settings.question_limit();
        let dialogue = Dialogue::new(target, &self.running, want, limit);
        DialogueSlot { place, randomness: question.random_seed, dialogue }
    }

    /// Runs a script on the plain executable in a fresh process.
    pub fn run_cold(&mut self, place: usize, script: &str, want: Want) -> Result<Observation, RunError> {
        // A start costs time that a warm solver has spent before.
        self.run_cold_within(place, script, want, 2 * self.settings.limits().wall)
    }

    /// Runs a script on the plain executable in a fresh process for so long at most.
    pub fn run_cold_within(
        &mut self,
        place: usize,
        script: &str,
        want: Want,
        wall: Duration,
    ) -> Result<Observation, RunError> {
        let limits = Limits { wall, ..self.settings.limits() };
        let (member, options) = self.member(place);
        let options = options.to_vec();
        let request = RunRequest::new(script).options(&options).limits(limits).want(want);
        let seen = self.cold(member)?.run(&request)?;
        self.solving += seen.solving();
        Ok(seen)
    }

    /// The plain executable of a member.
    fn cold(&mut self, member: usize) -> Result<&mut Box<dyn Runner>, RunError> {
        let member = &mut self.members[member];
        Ok(match &mut member.runners.cold {
            Some(cold) => cold,
            none => none.insert(runner(&member.target, RunMode::OneShot, &self.running)?),
        })
    }

    /// The model of a solver with the values of what it leaves out, if there is anything to ask for.
    pub fn complete_model(
        &mut self,
        place: usize,
        script: &str,
        model: &str,
    ) -> Result<Option<String>, RunError> {
        let limits = self.settings.limits();
        let (member, options) = self.member(place);
        let options = options.to_vec();
        let begun = Instant::now();
        let cold = self.cold(member)?.as_mut();
        let completed =
            triage::complete_model(cold, script, model, &options, limits, StringDialect::Standard);
        self.solving += begun.elapsed();
        completed
    }

    /// The time in solvers since this was last asked.
    pub fn take_solving(&mut self) -> Duration {
        std::mem::take(&mut self.solving)
    }

    /// Runs a script on the plain executables of several solvers.
    pub fn run_all_cold(
        &mut self,
        places: &[usize],
        script: &str,
        want: Want,
    ) -> Result<Vec<Observation>, RunError> {
        places.iter().map(|&place| self.run_cold(place, script, want)).collect()
    }

    /// What the solvers at `places` did, for the oracle.
    pub fn witnesses<'a>(&'a self, places: &[usize], seen: &'a [Observation]) -> Vec<Witness<'a>> {
        let witness = |(&place, observation): (&usize, &'a Observation)| {
            let target = self.target(place);
            Witness { id: &target.id, name: &target.name, observation }
        };
        places.iter().zip(seen).map(witness).collect()
    }
}
