//! One-shot mode: a new process of the plain executable for each script.

use super::error::RunError;
use super::observation::{Measured, Observation};
use super::output::Printed;
use super::prepare::{arguments, prepare};
use super::request::{Limits, RunRequest, RunSettings, Stacks};
use super::runner::Runner;
use super::script::Script;
use super::stack;
use super::supervisor::protocol;
use super::supervisor::{Environment, Launch, ending_of, exit_of, preload, resolve_program};
use super::supervisors::Lent;
use crate::confine::{self, Confinement};
use crate::native::cover;
use crate::profile::Profile;
use crate::target::{Target, TargetKind};
use case::RunMode;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What the runners of all modes have in common.
pub(super) struct Base {
    pub target: Target,
    /// The profile of the target's release.
    pub profile: Profile,
    pub program: PathBuf,
    /// The files that the solver may use; `None` if it is not confined.
    pub confinement: Option<Arc<Confinement>>,
    pub environment: Environment,
    /// The environment of warm processes.
    pub warm_environment: Environment,
    pub settings: RunSettings,
}

impl Base {
    pub fn new(target: &Target, settings: &RunSettings) -> Base {
        let profile = target.profile.at(&target.version);
        let own = profile.start.env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let given = target.env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let variables: Vec<(&str, &str)> = own.chain(given).collect();
        let program = resolve_program(&target.program);
        let confined = confine::is_on() && !settings.unconfined;
        let confinement =
            confined.then(|| Confinement::new(&program, &target.args, variables.iter().copied()));
        let mut environment = Environment::new(confined, variables);
        if settings.coverage.is_some() {
            environment.set(&cover::ENABLED.to_string_lossy(), "1");
        }
        let mut warm_environment = environment.clone();
        let huge_heap = profile.start.huge_heap_env.iter().filter(|_| target.acceleration.huge_heap);
        for (name, value) in huge_heap {
            if !target.env.iter().any(|(given, _)| given == name) {
                warm_environment.set(name, value);
            }
        }
        let (target, settings) = (target.clone(), settings.clone());
        let confinement = confinement.map(Arc::new);
        Base { target, profile, program, confinement, environment, warm_environment, settings }
    }

    /// The limits of a process that runs one script, or several if `wall` is absent.
    pub fn limits(&self, limits: &Limits, wall: Option<Duration>) -> protocol::Limits {
        let by_address_space = self.profile.start.address_space_limit;
        protocol::Limits {
            wall_ms: wall.map_or(0, |wall| (wall.as_micros().div_ceil(1000) as u64).max(1)),
            cpu_s: limits.cpu.filter(|_| wall.is_some()).map_or(0, |cpu| cpu.as_secs().max(1)),
            address_space: if by_address_space { limits.memory } else { 0 },
            resident: limits.memory,
            file_size: limits.file,
            folder_size: limits.file.saturating_mul(4),
        }
    }

    /// The arguments of a process, starting with those of the target.
    pub fn arguments(&self, line: &[String], options: &[String], file: &str) -> Vec<String> {
        let mut all = self.target.args.clone();
        all.extend(arguments(line, options, file));
        all
    }

    /// The environment of a one-shot process, and whether it needs the preloaded library.
    fn plain_environment(&self, stacks: bool) -> (Environment, bool) {
        let mut environment = self.environment.clone();
        if stacks {
            environment.set(stack::VARIABLE, "1");
        }
        // Our drivers measure coverage themselves.
        let covers = self.settings.coverage.is_some() && self.target.kind == TargetKind::Executable;
        let preloaded = covers || stacks;
        if preloaded {
            environment.set("LD_PRELOAD", &format!("/proc/self/fd/{}", protocol::PRELOAD_FD));
        }
        (environment, preloaded)
    }

    /// A supervisor for the next program.
    pub fn supervisor(&self) -> Result<Lent, RunError> {
        let scratch = self.settings.scratch.as_deref();
        self.settings.supervisors.lend(scratch, self.target.acceleration.reuse_supervisors)
    }
}

/// The measurements in the report of a run.
pub(super) fn measure(report: &protocol::Report, printed: Printed) -> Measured {
    Measured {
        exit: exit_of(report),
        ending: ending_of(report, printed.overflowed),
        stdout: printed.stdout,
        stderr: printed.stderr,
        wall: Duration::from_nanos(report.wall_ns),
        cpu: Duration::from_micros(report.cpu_us),
        peak_memory: Some(report.peak_kib * 1024),
        orphans: report.orphans,
    }
}

/// Runs each script in a new process of the plain executable.
pub struct OneShot {
    base: Base,
}

impl OneShot {
    /// A runner of `target`. Nothing starts before the first script.
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
            confinement: self.base.confinement.as_ref(),
            coverage: self.base.settings.coverage.as_ref(),
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
        seen.outcome = stack::with_stack(seen.outcome, &self.base.program, &stack);
        if stacks == Stacks::Rerun && stack::is_bare(&seen.outcome) {
            // The plain executable crashes; a second run with the preloaded library tells where.
            let mut again = self.measure(&prepared.options, &prepared.script, &request.limits, true)?;
            seen.overhead = again.wall;
            if again.exit == seen.exit {
                let stack = stack::take(&mut again.stderr);
                seen.outcome = stack::with_stack(seen.outcome, &self.base.program, &stack);
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

/// Runs a script in one-shot mode instead of another mode, because of `reason`.
pub(super) fn run_plain(
    plain: &mut Option<OneShot>,
    base: &Base,
    request: &RunRequest<'_>,
    reason: &str,
) -> Result<Observation, RunError> {
    let runner = match plain {
        Some(runner) => runner,
        None => plain.insert(OneShot::new(&base.target, &base.settings)),
    };
    Ok(runner.run(request)?.with_fallback(Some(reason)))
}
