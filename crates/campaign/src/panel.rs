//! The solvers of one worker: who is asked what, warm for the many, cold for what is told to people.

use crate::settings::Settings;
use semantics::model::StringDialect;
use solver::run::{Limits, RunSettings, Want};
use solver::{Observation, RunError, RunRequest, Runner, Target, Way, runner};
use std::collections::BTreeSet;
use std::time::Duration;
use strategies::Case;
use triage::Witness;

/// A solver of a worker.
struct Member {
    target: Target,
    /// The theories that its release knows; empty if nothing is known about that.
    theories: BTreeSet<String>,
    warm: Box<dyn Runner>,
    cold: Option<Box<dyn Runner>>,
}

/// The solvers of one worker.
pub struct Panel {
    members: Vec<Member>,
    settings: Settings,
    /// Time in solvers since it was last asked for.
    solving: Duration,
}

impl Panel {
    /// Starts what must run before the first script.
    pub fn new(targets: &[Target], settings: &Settings) -> Result<Panel, RunError> {
        let member = |target: &Target| {
            let profile = target.profile.at(&target.version);
            Ok(Member {
                target: target.clone(),
                theories: profile.theories.iter().cloned().collect(),
                warm: runner(target, settings.way(), &RunSettings::default())?,
                cold: None,
            })
        };
        let members = targets.iter().map(member).collect::<Result<_, RunError>>()?;
        Ok(Panel { members, settings: settings.clone(), solving: Duration::ZERO })
    }

    /// The places of the solvers that know all that a case uses.
    pub fn who_knows(&self, case: &Case) -> Vec<usize> {
        let knows = |place: &usize| {
            let member = &self.members[*place];
            let named = case.solvers.as_ref().is_none_or(|names| names.contains(&member.target.name));
            named && (member.theories.is_empty() || case.theories.is_subset(&member.theories))
        };
        (0..self.members.len()).filter(knows).collect()
    }

    /// The solver at a place.
    pub fn target(&self, place: usize) -> &Target {
        &self.members[place].target
    }

    /// Runs a script on a warm solver for so long at most.
    pub fn run_warm(&mut self, place: usize, script: &str, wall: Duration) -> Result<Observation, RunError> {
        let limits = Limits { wall, ..self.settings.limits() };
        self.run_within(place, script, self.settings.want(), limits)
    }

    /// Runs a script on a warm solver that is asked for what is wanted.
    pub fn run_warm_for(&mut self, place: usize, script: &str, want: Want) -> Result<Observation, RunError> {
        self.run_within(place, script, want, self.settings.limits())
    }

    fn run_within(
        &mut self,
        place: usize,
        script: &str,
        want: Want,
        limits: Limits,
    ) -> Result<Observation, RunError> {
        let request = RunRequest::new(script).limits(limits).want(want);
        let seen = self.members[place].warm.run(&request)?;
        self.solving += seen.wall;
        Ok(seen)
    }

    /// Runs a script on the plain executable in a fresh process.
    pub fn run_cold(&mut self, place: usize, script: &str, want: Want) -> Result<Observation, RunError> {
        let mut limits = self.settings.limits();
        // A start costs time that a warm solver has spent before.
        limits.wall *= 2;
        let seen = self.cold(place)?.run(&RunRequest::new(script).limits(limits).want(want))?;
        self.solving += seen.wall;
        Ok(seen)
    }

    /// The plain executable of a solver.
    fn cold(&mut self, place: usize) -> Result<&mut Box<dyn Runner>, RunError> {
        let member = &mut self.members[place];
        Ok(match &mut member.cold {
            Some(cold) => cold,
            none => none.insert(runner(&member.target, Way::OneShot, &RunSettings::default())?),
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
        triage::complete_model(
            self.cold(place)?.as_mut(),
            script,
            model,
            &[],
            limits,
            StringDialect::Standard,
        )
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
            let target = &self.members[place].target;
            Witness { id: &target.id, name: &target.name, observation }
        };
        places.iter().zip(seen).map(witness).collect()
    }
}
