//! `elenchus fuzz --store`: takes part in a campaign of several machines.

use crate::commands::{known, serve};
use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use crate::signals;
use crate::view::{Switches, View};
use campaign::cluster::{Joined, Notes, Request, join, open_spool_folder, spool_root};
use campaign::config::{FuzzConfig, configuration, unusable_notes};
use campaign::jobs::{JobLimits, JobNews, JobPlan, run_jobs};
use campaign::{Controls, Ended, NewOnly};
use serde_json::json;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use store::shared::{WorkKind, shown};
use store::{Store, StoreError};
use triage::SolverSource;
use triage::known::KnownBugs;

/// The name of a campaign if the user gives none.
const USUAL_CAMPAIGN: &str = "main";

/// What a user wants of a campaign of several machines.
pub struct SharedFuzz {
    url: String,
    campaign: String,
    flags: FuzzConfig,
    config: FuzzConfig,
    file: Option<PathBuf>,
    pages: Option<SocketAddr>,
    work: Vec<WorkKind>,
}

impl SharedFuzz {
    /// What the command line, the environment and the configuration file say; `None` if they name no store.
    pub fn of(
        flags: &FuzzConfig,
        file: Option<PathBuf>,
        pages: Option<SocketAddr>,
    ) -> Result<Option<SharedFuzz>, Failure> {
        if let Some(url) = flags.store.as_ref().filter(|url| shown(url) != **url) {
            let message = format!("everybody on this machine can read the password in {}", shown(url));
            let hint = "keep it in ~/.pgpass or in PGPASSWORD, or put the whole URL into ELENCHUS_STORE";
            return Err(Failure::new(message).hint(hint));
        }
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let (config, file) = configuration(flags, file)?;
        let url = flags.store.clone().or_else(|| variable("ELENCHUS_STORE")).or_else(|| config.store.clone());
        let Some(url) = url else { return Ok(None) };
        let campaign = flags.campaign.clone().or_else(|| variable("ELENCHUS_CAMPAIGN"));
        let campaign =
            campaign.or_else(|| config.campaign.clone()).unwrap_or_else(|| USUAL_CAMPAIGN.to_owned());
        let named = config.only.iter().map(|name| name.parse()).collect::<Result<Vec<WorkKind>, String>>();
        let named = named.map_err(|error| Failure::new(error).hint("as in --only fuzz,reduce"))?;
        let work = if named.is_empty() { WorkKind::ALL.to_vec() } else { named };
        let file = file.and_then(|file| std::path::absolute(file).ok());
        Ok(Some(SharedFuzz { url, campaign, flags: flags.clone(), config, file, pages, work }))
    }

    /// Takes part until there is nothing left to do, or the user stops it.
    pub fn run(self) -> Outcome {
        let context = Context::with_config(self.file.as_deref())?;
        let switches = Switches::default();
        if !self.work.contains(&WorkKind::Fuzz) {
            signals::stop_once(&switches.stop)?;
            return self.do_jobs(&context, &switches.stop);
        }
        let machine = machine();
        let mut store = self.folder(&machine)?;
        let out = store.folder().to_owned();
        let request = Request {
            url: &self.url,
            campaign: &self.campaign,
            flags: &self.flags,
            config: &self.config,
            file: self.file.clone(),
            machine,
            work: self.work.clone(),
        };
        let Joined { prepared, sharing, is_new, notes } = join(&request, &context)?;
        let mut view = View::new(self.config.json == Some(true), &switches);
        if view.is_live() {
            signals::stop_once_on_terminal(&switches.stop)?;
        } else {
            signals::stop_once(&switches.stop)?;
        }
        signals::ignore_file_size_limit()?;
        let known = KnownBugs::read(Path::new(known::FILE))?;
        let how = if is_new { "started" } else { "joined" };
        view.notes(vec![format!("{how} campaign {} in {}", self.campaign, shown(&self.url))]);
        view.notes(notes);
        view.notes(unusable_notes(&prepared.pool));
        let pages = |address| serve::start_common(&self.url, &self.campaign, address);
        let server = self.pages.map(pages).transpose()?;
        view.notes(server.iter().map(serve::link).collect());
        let seed = prepared.settings.seed;
        let mut listener = NewOnly::new(&known, view.listener());
        let controls = Controls { interrupt: &switches.stop, pause: &switches.pause };
        let plan = prepared.plan(context.settings());
        let (stop_jobs, told) = (AtomicBool::new(false), sharing.notes.clone());
        let ended = thread::scope(|scope| {
            scope.spawn(|| self.do_jobs_beside(&context, &stop_jobs, &told));
            let ended = campaign::run_shared(plan, &mut store, sharing, controls, &mut listener);
            // What is left to do with the findings of a campaign that is complete has an end, too.
            let is_complete = ended.as_ref().is_ok_and(|summary| summary.ended == Ended::Complete);
            stop_jobs.store(!is_complete, Ordering::Relaxed);
            ended
        });
        view.notes(told.take());
        view.finish();
        let summary = ended?;
        view.summary(&summary, &out.display().to_string(), seed);
        if summary.tested_nothing() {
            return Err(Failure::new("nothing was tested").hint(summary.why_nothing()));
        }
        Ok(if summary.has_new_bug(&known, &out) { Exit::Found } else { Exit::Clean })
    }

    /// The folder of this process.
    fn folder(&self, machine: &str) -> Result<Store, StoreError> {
        match &self.config.out {
            Some(out) => Store::open(out),
            None => open_spool_folder(&spool_root(), machine, &self.url, &self.campaign),
        }
    }

    fn job_plan<'a>(&self, context: &'a Context) -> JobPlan<'a> {
        JobPlan {
            url: self.url.clone(),
            campaign: Some(self.campaign.clone()),
            member: None,
            kinds: self.work.iter().copied().filter(|kind| *kind != WorkKind::Fuzz).collect(),
            threads: 1,
            cache: context.settings().cache.clone(),
            source: context,
            limits: JobLimits::default(),
            until_idle: true,
        }
    }

    /// Does jobs besides fuzzing.
    fn do_jobs_beside(&self, context: &Context, stop: &AtomicBool, notes: &Notes) {
        let plan = self.job_plan(context);
        if plan.kinds.is_empty() {
            return;
        }
        let on = |news: JobNews<'_>| line(&news).into_iter().for_each(|line| notes.put(line));
        if let Err(error) = run_jobs(&plan, stop, &on) {
            notes.put(format!("this process does no more jobs: {error}"));
        }
    }

    /// Only does jobs.
    fn do_jobs(&self, context: &Context, stop: &AtomicBool) -> Outcome {
        let mut plan = self.job_plan(context);
        plan.threads = self.config.jobs.unwrap_or(1);
        let is_json = self.config.json == Some(true);
        let print = |line: String| match is_json {
            true => println!("{}", json!({ "event": "note", "text": line })),
            false => println!("{line}"),
        };
        let kinds: Vec<&str> = plan.kinds.iter().map(|kind| kind.name()).collect();
        print(format!("doing {} for campaign {} in {}", kinds.join(", "), self.campaign, shown(&self.url)));
        let tally = run_jobs(&plan, stop, &|news| line(&news).into_iter().for_each(print))?;
        print(format!("{} done, {} failed", case::table::counted(tally.done, "job"), tally.failed));
        Ok(Exit::Clean)
    }
}

/// The line that reports a job.
fn line(news: &JobNews<'_>) -> Option<String> {
    match news {
        JobNews::Begun(_) | JobNews::Trouble(_) => None,
        JobNews::Done(job, said) => Some(format!("{} {}: {said}", job.kind, job.subject)),
        JobNews::Failed(job, why) => Some(format!("{} {} failed: {why}", job.kind, job.subject)),
        JobNews::Lost(job) => Some(format!("another process has {} {} now", job.kind, job.subject)),
    }
}

/// The name of this machine.
fn machine() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    if name.trim().is_empty() { "machine".to_owned() } else { name.trim().to_owned() }
}
