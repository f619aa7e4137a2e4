//! The plain way: a new process of the plain executable for each script.

use super::observation::{Measured, Observation};
use super::output::Printed;
use super::prepare::{arguments, prepare};
use super::request::{Limits, RunRequest, RunSettings, Stacks};
use super::script::Script;
use super::supervisor::protocol;
use super::supervisor::{Environment, Launch, ending_of, exit_of, preload, resolve_program};
use super::supervisors::Lent;
use super::{RunError, RunMode, Runner, stack};
use crate::profile::Profile;
use crate::target::{Target, TargetKind};
use std::path::PathBuf;
use std::time::Duration;

/// What all ways of running one target have in common.
pub(super) struct Base {
    pub target: Target,
    /// The profile as it holds for the target's release.
    pub profile: Profile,
    pub program: PathBuf,
    pub environment: Environment,
    /// The environment of a process that stays.
    pub warm_environment: Environment,
    pub settings: RunSettings,
}

impl Base {
    pub fn new(target: &Target, settings: &RunSettings) -> Base {
        let profile = target.profile.at(&target.version);
        let own = profile.start.env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let given = target.env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let mut environment = Environment::new(own.chain(given));
        if let Some(cover) = &settings.cover {
            environment.set("ELENCHUS_COVER", &cover.plan.to_string_lossy());
            environment.set("ELENCHUS_COVER_MAP", &cover.map.to_string_lossy());
        }
        let mut warm_environment = environment.clone();
        for (name, value) in &profile.start.huge_heap_env {
            if !target.env.iter().any(|(given, _)| given == name) {
                warm_environment.set(name, value);
            }
        }
        let (target, settings) = (target.clone(), settings.clone());
        let program = resolve_program(&target.program);
        Base { target, profile, program, environment, warm_environment, settings }
    }

    /// The limits of a process that runs one script, or many if `wall` is absent.
    pub fn limits(&self, limits: &Limits, wall: Option<Duration>) -> protocol::Limits {
        let by_address_space = self.profile.start.address_space_limit;
        protocol::Limits {
            wall_ms: wall.map_or(0, |wall| (wall.as_micros().div_ceil(1000) as u64).max(1)),
            cpu_s: limits.cpu.filter(|_| wall.is_some()).map_or(0, |cpu| cpu.as_secs().max(1)),
            address_space: if by_address_space { limits.memory } else { 0 },
            resident: limits.memory,
            file_size: limits.file,
        }
    }

    /// The arguments of a process, after those that the target itself needs.
    pub fn arguments(&self, line: &[String], options: &[String], file: &str) -> Vec<String> {
        let mut all = self.target.args.clone();
        all.extend(arguments(line, options, file));
        all
    }

    /// The environment of a process that runs one script, and whether the preloaded library is part of it.
    fn plain_environment(&self, stacks: bool) -> (Environment, bool) {
        let mut environment = self.environment.clone();
        if stacks {
            environment.set(stack::ASKED, "1");
        }
        // Drivers of ours see to coverage themselves.
        let covers = self.settings.cover.is_some() && self.target.kind == TargetKind::Executable;
        let preloaded = covers || stacks;
        if preloaded {
            environment.set("LD_PRELOAD", &format!("/proc/self/fd/{}", protocol::PRELOAD_FD));
        }
        (environment, preloaded)
    }

    pub fn supervisor(&self) -> Result<Lent, RunError> {
        self.settings.supervisors.lend(self.settings.scratch.as_deref())
    }
}

/// From the report of a run to its measurements.
pub(super) fn measure(report: &protocol::Report, printed: Printed) -> Measured {
    Measured {
        exit: exit_of(report),
        ending: ending_of(report, printed.overflowed),
        stdout: printed.stdout,
        stderr: printed.stderr,
        wall: Duration::from_nanos(report.wall_ns),
        cpu: Duration::from_micros(report.cpu_us),
        peak_memory: Some(report.peak_kib * 1024),
        stragglers: report.stragglers,
    }
}

/// Runs each script in a new process of the plain executable.
pub struct OneShot {
    base: Base,
}

impl OneShot {
    /// A runner of `target`. Nothing is started before the first script, so that a runner that gets none costs nothing.
    pub fn new(target: &Target, settings: &RunSettings) -> OneShot {
        OneShot { base: Base::new(target, settings) }
    }

    fn measure(
        &mut self,
        options: &[String],
        script: &str,
        limits: &Limits,
        stacks: bool,
    ) -> Result<Measured, RunError> {
        let mut supervisor = self.base.supervisor()?;
        supervisor.folder.write_input(script)?;
        let line = &self.base.profile.start.file;
        let arguments = self.base.arguments(line, options, supervisor.folder.input_path());
        let (environment, preloaded) = self.base.plain_environment(stacks);
        let launch = Launch {
            program: &self.base.program,
            arguments: &arguments,
            environment: &environment,
            limits: self.base.limits(limits, Some(limits.wall)),
            stdin: None,
            server: None,
            preload: if preloaded { Some(preload()?) } else { None },
        };
        supervisor.launch(&launch)?;
        let mut printed = Printed::with_room(limits.output);
        let report = supervisor.await_report(&mut printed, limits.wall)?;
        Ok(measure(&report, printed).without_folder(supervisor.folder.root()))
    }
}

impl Runner for OneShot {
    fn run(&mut self, request: &RunRequest<'_>) -> Result<Observation, RunError> {
        let prepared = prepare(&self.base.profile, request);
        let has_stacks = self.base.target.kind == TargetKind::Executable;
        let stacks = if has_stacks { self.base.settings.stacks } else { Stacks::Never };
        let first = stacks == Stacks::Always;
        let mut measured = self.measure(&prepared.options, &prepared.script, &request.limits, first)?;
        let stack = if first { stack::take(&mut measured.stderr) } else { stack::Stack::default() };
        let script = Script::split(&prepared.script);
        let mut seen = measured.observe(&self.base.profile, &script, request.limits.memory, RunMode::OneShot);
        seen.outcome = stack::placed(seen.outcome, &self.base.program, &stack);
        if stacks == Stacks::Again && stack::is_bare(&seen.outcome) {
            // The plain executable has shown it; a second run with the preloaded library says where.
            let mut again = self.measure(&prepared.options, &prepared.script, &request.limits, true)?;
            seen.beside = again.wall;
            if again.exit == seen.exit {
                let stack = stack::take(&mut again.stderr);
                seen.outcome = stack::placed(seen.outcome, &self.base.program, &stack);
            }
        }
        Ok(seen)
    }

    fn target(&self) -> &Target {
        &self.base.target
    }

    fn mode(&self) -> RunMode {
        RunMode::OneShot
    }
}
