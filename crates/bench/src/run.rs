//! Runs one contender on one release.

use crate::claim::Claim;
use crate::contender::Tool;
use crate::environment::Environment;
use crate::error::BenchError;
use crate::judge::{judge_campaign, judge_scripts};
use crate::own::{FILE, FuzzCommand, MEMORY, OUTPUT, run_fuzz};
use crate::peers::{Peer, PeerTask};
use crate::plan::{Plan, Task};
use crate::record::{FORMAT, RunRecord};
use crate::seeds::shuffled;
use solver::affinity::on_core;
use solver::run::{Limits, RunSettings, UserCommand};
use std::path::Path;
use std::time::Instant;
use store::Store;
use triage::SolverSource;

/// Runs a task on a core, unless it is done or another process does it. Returns its record if it is done now.
pub fn run_task(
    plan: &Plan,
    task: &Task,
    core: Option<usize>,
    source: &dyn SolverSource,
) -> Result<Option<RunRecord>, BenchError> {
    let file = plan.record_file(task);
    if file.is_file() {
        return Ok(None);
    }
    let folder = plan.work_folder(&task.release, &task.contender.file_name(), task.seed);
    let Some(claim) = Claim::of(folder)? else { return Ok(None) };
    let run = || match &task.contender.tool {
        Tool::Elenchus { program, flags } => {
            run_elenchus(plan, task, program.as_deref(), flags, claim.folder(), source)
        }
        Tool::Peer(peer) => run_peer(plan, task, *peer, core, claim.folder(), source),
    };
    let record = match core {
        Some(core) => on_core(core, run),
        None => run(),
    };
    let record = match record {
        Ok(record) => record,
        Err(error) => {
            claim.keep();
            return Err(error);
        }
    };
    record.write(&file)?;
    if plan.keep {
        claim.keep();
    }
    Ok(Some(record))
}

/// The record of a run of which nothing is known yet.
fn begun(plan: &Plan, task: &Task, tool: String) -> RunRecord {
    RunRecord {
        format: FORMAT,
        contender: task.contender.name.clone(),
        peer: matches!(task.contender.tool, Tool::Peer(_)),
        command: String::new(),
        release: task.release.clone(),
        other: plan.other(&task.release).to_owned(),
        seed: task.seed,
        limit: plan.time.as_secs_f64(),
        wall: 0.0,
        calls: 0,
        answered: None,
        reported: 0,
        history: plan.histories.get(&task.release).map(|history| history.formulas),
        bugs: Vec::new(),
        environment: Environment::here(tool),
    }
}

fn run_elenchus(
    plan: &Plan,
    task: &Task,
    program: Option<&Path>,
    flags: &[String],
    work: &Path,
    source: &dyn SolverSource,
) -> Result<RunRecord, BenchError> {
    let out = work.join("out");
    let command = FuzzCommand {
        program: program.unwrap_or(&plan.program),
        seeds: &plan.seeds,
        release: &task.release,
        other: plan.other(&task.release),
        time: plan.time,
        timeout: plan.timeout,
        seed: task.seed,
        out: &out,
        history: plan.histories.get(&task.release).map(|history| history.library.as_path()),
        flags,
    };
    let begin = Instant::now();
    let summary = run_fuzz(&task.contender.name, &command, work)?;
    let wall = begin.elapsed().as_secs_f64();
    let started = Store::open_existing(&out)?.last_campaign()?.map_or(0, |campaign| campaign.started);
    let bugs = judge_campaign(&out, &task.release, source, &|listed| {
        Ok(listed.first_seen.saturating_sub(started) as f64 / 1000.0)
    })?;
    let targets = summary["statistics"]["targets"].as_object().cloned().unwrap_or_default();
    let sum = |keys: &[&str]| -> u64 {
        let of_target =
            |target: &serde_json::Value| keys.iter().filter_map(|key| target[key].as_u64()).sum::<u64>();
        targets.values().map(of_target).sum()
    };
    Ok(RunRecord {
        command: plan.without_places(&command.text(), program.map(|program| (program, "elenchus"))),
        wall,
        calls: sum(&["runs"]),
        answered: Some(
            sum(&["runs"]).saturating_sub(sum(&["unknown", "timeouts", "limits", "refused", "errors"])),
        ),
        reported: summary["findings"].as_array().map_or(0, |findings| findings.len() as u64),
        bugs,
        ..begun(plan, task, String::new())
    })
}

fn run_peer(
    plan: &Plan,
    task: &Task,
    peer: &dyn Peer,
    core: Option<usize>,
    work: &Path,
    source: &dyn SolverSource,
) -> Result<RunRecord, BenchError> {
    let home = peer.home(plan, &task.release)?;
    let peer_task = PeerTask {
        home: &home,
        release: source.resolve(&task.release)?,
        other: source.resolve(plan.other(&task.release))?,
        seeds: shuffled(&plan.seeds, task.seed)?,
        timeout: plan.timeout,
        core,
        work,
    };
    let command = peer.command(&peer_task)?;
    let limits = Limits { wall: plan.time, memory: MEMORY, output: OUTPUT, file: FILE, ..Limits::default() };
    let line =
        format!("cd {} && {{ {command}; }} 2>&1", case::text::shell_quoted(&work.display().to_string()));
    let begin = (Instant::now(), std::time::SystemTime::now());
    let tool = UserCommand { variables: &[("PYTHONUNBUFFERED", "1")], ..UserCommand::plain(&line) };
    let ended = tool.run(&limits, &RunSettings::default())?;
    let wall = begin.0.elapsed().as_secs_f64();
    let counts = peer.counts(&ended.stdout);
    let mut reported = peer.reported(work, begin.1);
    // A tool that ends early may not have counted its calls yet.
    if counts.calls == 0 && reported.is_empty() {
        let reason = format!("it ran no solver: {}", case::text::one_line(&ended.stdout, 300));
        return Err(BenchError::Tool {
            contender: task.contender.name.clone(),
            reason,
            folder: work.to_owned(),
        });
    }
    reported.sort_by(|one, other| one.after.total_cmp(&other.after));
    let bugs = judge_scripts(plan, &task.release, &reported, work, source)?;
    let solvers =
        [&peer_task.release, &peer_task.other].map(|target| (target.program.as_path(), target.id.as_str()));
    let places = solvers.into_iter().chain([(home.as_path(), peer.name()), (work, "WORK")]);
    Ok(RunRecord {
        command: plan.without_places(&command, places),
        wall,
        calls: counts.calls,
        answered: counts.answered,
        reported: reported.len() as u64,
        bugs,
        ..begun(plan, task, peer.version(&home))
    })
}
