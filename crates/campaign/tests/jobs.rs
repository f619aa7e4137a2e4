//! The jobs of a campaign that several machines share are done on any of them.

#[allow(dead_code)]
mod support;

use campaign::jobs::{JobLimits, JobNews, JobPlan, JobTally, RegressDetail, regress_job, run_jobs};
use campaign::place::CommonPlace;
use campaign::{Plan, Pool, Settings, settings_text};
use smt::Signatures;
use solver::Target;
use solver::install::InstallError;
use solver::install::Settings as InstallSettings;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use store::shared::{
    FindingFile, FindingSummary, JobState, Member, MemberId, NewCampaign, NewFinding, NewJob, Outgoing,
    SharedCampaign, SharedStore, StrategyEntry, WorkKind, open,
};
use store::{Listed, Store};
use strategies::{Seed, Unchanged};
use support::{Silent, script_solver};
use tempfile::TempDir;
use triage::automatic::{REPORT, TriagedFinding};
use triage::{ModelJudge, NoOpinion, SolverSource};

/// Two scripts that show the same bug.
const SCRIPTS: [&str; 2] = [
    "(declare-const x Int)\n(declare-const s String)\n(assert (= (mod x 7) 3))\n(assert (= s \"\"))\n(check-sat)\n",
    "(declare-const x Int)\n(declare-const b (_ BitVec 8))\n(assert (= (mod x 5) 2))\n(assert (= b #x00))\n(check-sat)\n",
];

/// The solvers of the campaign.
struct Solvers(Vec<Target>, InstallSettings);

impl SolverSource for Solvers {
    fn resolve(&self, spec: &str) -> Result<Target, InstallError> {
        match self.0.iter().find(|target| target.id == spec) {
            Some(target) => Ok(target.clone()),
            None => solver::install::resolve(spec, &self.1),
        }
    }

    fn settings(&self) -> &InstallSettings {
        &self.1
    }
}

/// A store with the findings of a campaign that ran two scripts on a solver that is wrong about `mod`.
struct Shared {
    folder: TempDir,
    store: Box<dyn SharedStore>,
    campaign: SharedCampaign,
    member: MemberId,
    solvers: Solvers,
}

fn judges() -> Box<dyn ModelJudge> {
    Box::new(NoOpinion)
}

impl Shared {
    fn new() -> Shared {
        let folder = tempfile::tempdir().unwrap();
        let wrong = "sleep 0.01; if grep -q '^(assert.*(mod x ' \"$file\" && grep -q check-sat \"$file\"; then echo unsat; else echo sat; fi";
        let targets = vec![
            script_solver(folder.path(), "z3@1", wrong),
            script_solver(folder.path(), "cvc5@1", "echo sat"),
        ];
        let settings = Settings {
            warm: false,
            models: false,
            own_checks: false,
            performance: false,
            incremental: false,
            ..Settings::default()
        };
        let seed = |(number, text): (usize, &&str)| Seed::new(format!("{number}.smt2"), *text);
        let text = settings_text(&settings);
        let plan = Plan {
            settings,
            targets: targets.clone(),
            strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
            pool: Pool { seeds: SCRIPTS.iter().enumerate().map(seed).collect(), unusable: Vec::new() },
            judges: &judges,
            options: Vec::new(),
            installer: None,
        };
        let mut local = Store::open(&folder.path().join("out")).unwrap();
        campaign::run(plan, &mut local, None, &AtomicBool::new(false), &mut Silent).unwrap();
        let url = Shared::url_in(folder.path());
        let mut store = open(&url).unwrap();
        let campaign = store
            .create(&NewCampaign {
                name: "nightly".to_owned(),
                seed: 7,
                settings: text,
                requirements: "{}".to_owned(),
                strategies: vec![StrategyEntry { name: "seeds".to_owned(), turns: Some(0) }],
                seeds: Vec::new(),
            })
            .unwrap();
        let member = Member {
            machine: "other".to_owned(),
            process: 1,
            workers: 1,
            version: "0.1.0".to_owned(),
            work: vec![WorkKind::Fuzz],
        };
        let member = store.enter(campaign.id, &member).unwrap();
        let findings =
            local.all_findings().unwrap().iter().map(|listed| new_finding(&local, listed)).collect();
        store.exchange(member, &Outgoing { findings, ..Outgoing::default() }).unwrap();
        let installer = InstallSettings::new(folder.path().join("solvers"), "no-driver".into());
        let solvers = Solvers(targets, installer);
        Shared { folder, store, campaign, member, solvers }
    }

    fn url_in(folder: &Path) -> String {
        format!("sqlite:{}?job-lease=1s&retry-pause=1s", folder.join("common.db").display())
    }

    fn plan(&self, kinds: &[WorkKind], threads: usize) -> JobPlan<'_> {
        JobPlan {
            url: Shared::url_in(self.folder.path()),
            campaign: None,
            member: None,
            kinds: kinds.to_vec(),
            threads,
            cache: self.folder.path().join("cache"),
            source: &self.solvers,
            limits: JobLimits { pause: Duration::from_millis(20), ..JobLimits::default() },
            until_idle: true,
        }
    }

    fn jobs(&mut self) -> Vec<(WorkKind, JobState)> {
        self.store.jobs(self.campaign.id).unwrap().into_iter().map(|job| (job.kind, job.state)).collect()
    }

    /// A new mirror, which has what the store has.
    fn mirrored(&self, name: &str) -> Store {
        let cache = self.folder.path().join(name);
        let place = CommonPlace::open(&Shared::url_in(self.folder.path()), None, &cache).unwrap();
        Store::open_existing(place.mirror.folder()).unwrap()
    }
}

/// A finding of a folder as its process sends it.
fn new_finding(local: &Store, listed: &Listed) -> NewFinding {
    let (finding, ..) = local.read(listed).unwrap();
    let folder = local.folder().join(&listed.folder);
    let file = |path: &str| FindingFile {
        path: path.to_owned(),
        content: std::fs::read(folder.join(path)).unwrap(),
    };
    let solvers: Vec<_> = finding.runs.iter().map(|run| (&run.id, &run.name, &run.version)).collect();
    NewFinding {
        signature: listed.signature.clone(),
        summary: FindingSummary {
            class: listed.class,
            title: listed.title.clone(),
            bug: listed.bug,
            needs_options: false,
            solvers: serde_json::json!(solvers).to_string(),
            reduced_bytes: None,
        },
        origin: finding.origin.clone(),
        age: Duration::ZERO,
        files: ["case.smt2", "seed.smt2", "finding.json", "README.md"].map(file).to_vec(),
    }
}

const TRIAGE: [WorkKind; 3] = [WorkKind::Reduce, WorkKind::Bisect, WorkKind::Report];

fn ignore(_: JobNews<'_>) {}

#[test]
fn findings_are_reduced_merged_and_reported_by_whoever_comes() {
    let mut shared = Shared::new();
    assert_eq!(shared.jobs(), [(WorkKind::Reduce, JobState::Waiting); 2]);
    let said = Mutex::new(Vec::new());
    let news = |news: JobNews<'_>| said.lock().unwrap().push(format!("{news:?}"));
    let tally = run_jobs(&shared.plan(&TRIAGE, 2), &AtomicBool::new(false), &news).unwrap();
    let said = said.into_inner().unwrap();
    assert_eq!(tally.failed, 0, "{said:#?}");
    assert!(tally.done >= 4, "{said:#?}");
    assert_eq!(shared.jobs(), []);
    let store = shared.mirrored("fresh");
    let listed = store.findings().unwrap();
    let [one] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!((one.count, store.all_findings().unwrap().len()), (2, 2));
    assert!(one.title.contains("mod"), "{}", one.title);
    let folder = store.folder().join(&one.folder);
    let triaged = TriagedFinding::saved(&folder).unwrap();
    assert!(triaged.finished && one.reduced_bytes == Some(triaged.script.len() as u64), "{}", triaged.script);
    assert!(std::fs::read_to_string(folder.join(REPORT)).unwrap().contains("mod"));
    let members = shared.store.members(shared.campaign.id).unwrap();
    assert!(members[1].left && members[1].member.work == TRIAGE, "{members:?}");
}

#[test]
fn a_job_whose_process_died_is_done_by_another() {
    let mut shared = Shared::new();
    let job = shared.store.take_job(shared.member, &TRIAGE).unwrap().unwrap();
    assert_eq!(shared.jobs()[0].1, JobState::Running);
    let begun = Instant::now();
    let plan = shared.plan(&TRIAGE, 1);
    run_jobs(&plan, &AtomicBool::new(false), &ignore).unwrap();
    assert!(begun.elapsed() >= Duration::from_millis(500));
    assert_eq!(shared.jobs(), []);
    // The process comes back, and its job is not its own any more.
    assert!(!shared.store.finish_job(shared.member, &job, None).unwrap());
    assert_eq!(shared.mirrored("fresh").findings().unwrap().len(), 1);
}

#[test]
fn a_process_that_stops_gives_its_jobs_back() {
    let mut shared = Shared::new();
    let stop = AtomicBool::new(false);
    // It stops in the middle of the first job.
    let news = |news: JobNews<'_>| {
        if let JobNews::Begun(_) = news {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let tally = run_jobs(&shared.plan(&TRIAGE, 1), &stop, &news).unwrap();
    assert_eq!(tally, JobTally::default());
    let jobs = shared.store.jobs(shared.campaign.id).unwrap();
    assert!(jobs.iter().all(|job| job.state == JobState::Waiting && job.attempts == 0), "{jobs:?}");
    assert_eq!(jobs.len(), 2);
}

#[test]
fn what_cannot_be_done_is_said_and_tried_again() {
    let mut shared = Shared::new();
    let missing = NewJob {
        kind: WorkKind::Report,
        subject: "crash-000000".to_owned(),
        detail: "{}".to_owned(),
        priority: 0,
    };
    shared.store.add_jobs(shared.campaign.id, &[missing]).unwrap();
    let plan = shared.plan(&[WorkKind::Report], 1);
    let tally = run_jobs(&plan, &AtomicBool::new(false), &ignore).unwrap();
    assert_eq!(tally, JobTally { done: 0, failed: 1 });
    let jobs = shared.store.jobs(shared.campaign.id).unwrap();
    let failed = jobs.iter().find(|job| job.kind == WorkKind::Report).unwrap();
    assert!(failed.failure.contains("there is no finding"), "{failed:?}");
    assert_eq!((failed.state, failed.attempts), (JobState::Waiting, 1));
}

#[test]
fn a_build_is_held_against_all_findings() {
    let mut shared = Shared::new();
    let repaired = script_solver(shared.folder.path(), "z3@2", "echo sat");
    shared.solvers.0.push(repaired);
    for (solver, state, said) in [("z3@1", "still-there", "2 still there"), ("z3@2", "fixed", "2 fixed")] {
        shared.store.add_jobs(shared.campaign.id, &[regress_job(solver, &RegressDetail::default())]).unwrap();
        let heard = Mutex::new(String::new());
        let news = |news: JobNews<'_>| {
            if let JobNews::Done(_, said) = news {
                said.clone_into(&mut heard.lock().unwrap());
            }
        };
        let plan = shared.plan(&[WorkKind::Regress], 1);
        let tally = run_jobs(&plan, &AtomicBool::new(false), &news).unwrap();
        assert_eq!((tally.done, tally.failed), (1, 0), "{:?}", shared.store.jobs(shared.campaign.id));
        assert!(heard.lock().unwrap().contains(said), "{heard:?}");
        let document = shared.store.document(shared.campaign.id, "regress", solver).unwrap().unwrap();
        assert!(String::from_utf8(document.body).unwrap().contains(state));
        let store = shared.mirrored(&format!("fresh-{solver}"));
        let memory = store.folder().join(&store.findings().unwrap()[0].folder).join("regress.json");
        assert!(std::fs::read_to_string(memory).unwrap().contains(solver));
    }
}
