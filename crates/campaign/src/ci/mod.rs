//! CI mode: tests a build and fails only for findings that are new relative to a baseline.
//!
//! The candidate runs the seeds, the findings of earlier runs and fuzzed cases, in this order. The baseline runs all cases, too: it
//! gives evidence, and bugs that both have are not reported. Every finding in the folder is then judged by running it on both builds,
//! whichever run found it, so a retry gives the same verdict.

mod error;
mod extent;
mod job_page;
mod json;
mod judge;
mod junit;
mod markdown;
mod report;
#[cfg(test)]
mod sample;
mod sarif;
mod standing;

pub use error::CiError;
pub use job_page::append_to_job_page;
pub use json::json;
pub use junit::junit;
pub use markdown::markdown;
pub use report::{CiReport, CiVerdict, JudgedFinding, Phase};
pub use sarif::sarif;
pub use standing::Standing;

use crate::budget::Shares;
use crate::config::{FuzzConfig, prepare, unusable_notes};
use crate::controls::Controls;
use crate::engine;
use crate::events::{Event, Listener, Summary};
use crate::settings::Settings;
use crate::statistics::Statistics;
use case::{Class, SignatureFile};
use extent::{Extent, key};
use judge::Judge;
use solver::Target;
use solver::run::Limits;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use store::{Listed, Store};
use triage::automatic::{TriagedFinding, record_triaged, triage_finding};
use triage::known::KnownBugs;
use triage::regress::{Regression, of_scripts};
use triage::{SolverSource, Subject, Version};

/// The default random seed: retries make the same cases.
pub const DEFAULT_SEED: u64 = 1;

/// The default folder of a CI run.
pub const DEFAULT_FOLDER: &str = "elenchus-ci";

/// The strategy that runs the seeds unchanged.
const SEEDS: &str = "seeds";

/// The largest share of the time for the seeds, in percent.
const SEEDS_SHARE: u32 = 50;

/// The share of the remaining time for fuzzing, in percent. The rest is for reducing and judging new findings.
const FUZZING_SHARE: u32 = 85;

/// The time limit of each run that judges a finding. It is long, so that the verdict does not depend on the load of the machine.
const JUDGE_LIMIT: Duration = Duration::from_secs(10);

/// How long to reduce a new finding after the campaign.
const REDUCTION: Duration = Duration::from_secs(20);

/// What to run.
pub struct CiPlan<'a> {
    /// The build to test, as the user names it.
    pub candidate: String,
    /// The build to compare with.
    pub baseline: String,
    /// Further solvers that give evidence.
    pub references: Vec<String>,
    /// Seeds, strategies and limits. The solvers are those above.
    pub config: FuzzConfig,
    /// The user's operators.
    pub signature_files: Vec<SignatureFile>,
    /// Folders to test as regressions: of other campaigns, or of scripts that state what they show.
    pub regressions: Vec<PathBuf>,
    /// The list of known bugs.
    pub known: &'a KnownBugs,
}

/// Runs everything and judges what was found. If `interrupt` is set, the report has what was judged until then.
pub fn run(
    plan: CiPlan<'_>,
    source: &dyn SolverSource,
    interrupt: &AtomicBool,
    listener: &mut dyn Listener,
) -> Result<CiReport, CiError> {
    let target = |role, spec: &String| {
        source.resolve(spec).map_err(|error| CiError::Solver { role, spec: spec.clone(), error })
    };
    let (candidate, baseline) = (target("candidate", &plan.candidate)?, target("baseline", &plan.baseline)?);
    for reference in &plan.references {
        target("reference", reference)?;
    }
    if candidate.id == baseline.id {
        return Err(CiError::SameSolver(candidate.id));
    }
    let regressions = Regressions::read(&plan.regressions)?;
    let mut store = Store::open(&plan.config.folder())?;
    let settings = settings(&plan)?;
    let started = Instant::now();
    let limits = Limits { wall: JUDGE_LIMIT, ..settings.limits() };
    let names = (plan.candidate.as_str(), plan.baseline.as_str());
    let judge = Judge { candidate: &candidate, baseline: &baseline, names, limits, known: plan.known };
    let key = key(&settings, [&candidate, &baseline]);
    let first_run = Extent::of_first_run(store.folder(), &key);
    let mut run = Run {
        first_run: first_run.clone(),
        until: settings.time.map(|time| started + Duration::from_millis(time)),
        settings,
        source,
        interrupt,
        listener,
        statistics: Statistics::default(),
        judged: BTreeMap::new(),
    };
    let kept: BTreeSet<String> = store.all_findings()?.into_iter().map(|listed| listed.id).collect();
    let seeds = run.fuzz(&mut store, Phase::Seeds)?;
    let mut scripts = run.regressions(&regressions, &judge)?;
    run.judge(&store, &judge, Phase::Regressions, &|listed| kept.contains(&listed.id))?;
    let fuzzing = run.fuzz(&mut store, Phase::Fuzzing)?;
    let is_of = |summary: &Option<Summary>, listed: &Listed| {
        summary.as_ref().is_some_and(|summary| summary.is_new(listed))
    };
    run.judge(&store, &judge, Phase::Seeds, &|listed| is_of(&seeds, listed))?;
    run.judge(&store, &judge, Phase::Fuzzing, &|listed| is_of(&fuzzing, listed))?;
    run.reduce(&mut store, &judge)?;
    let interrupted = run.is_interrupted();
    let cases = |summary: &Option<Summary>| summary.as_ref().map_or(0, |summary| summary.snapshot.this_run.1);
    if !interrupted {
        check_answers("candidate", &candidate, &run.statistics)?;
        check_answers("baseline", &baseline, &run.statistics)?;
        if run.statistics.cases == 0 && run.judged.is_empty() && scripts.is_empty() {
            return Err(CiError::NothingTested);
        }
        if first_run.is_none() {
            Extent::new(key, cases(&seeds), cases(&fuzzing)).save(store.folder());
        }
    }
    let mut findings = without_merged(run.judged.into_values().collect());
    findings.append(&mut scripts);
    findings.sort_by(|one, other| (one.severity, &one.id).cmp(&(other.severity, &other.id)));
    Ok(CiReport {
        candidate: plan.candidate.clone(),
        baseline: plan.baseline.clone(),
        folder: store.folder().to_owned(),
        random_seed: run.settings.seed,
        seeds: cases(&seeds),
        cases: cases(&fuzzing),
        shared: run.statistics.shared,
        findings,
        elapsed: started.elapsed(),
        interrupted,
    })
}

/// The settings of the campaigns of a CI run.
fn settings(plan: &CiPlan<'_>) -> Result<Settings, CiError> {
    let solvers = [&plan.candidate, &plan.baseline].into_iter().chain(&plan.references).cloned().collect();
    let seed = plan.config.seed.unwrap_or(DEFAULT_SEED);
    let config = FuzzConfig { solvers, seed: Some(seed), configurations: Some(0), ..plan.config.clone() };
    let settings = config.settings(plan.signature_files.clone())?;
    let references = 1 + plan.references.len();
    // How long an answer takes depends on the machine, so it is no reason to fail.
    Ok(Settings { references, fixed_order: true, performance: false, ..settings })
}

/// Checks that a solver answers at all. One that cannot be started would otherwise pass every test.
fn check_answers(role: &'static str, target: &Target, statistics: &Statistics) -> Result<(), CiError> {
    let Some(tally) = statistics.targets.get(&target.id).filter(|tally| tally.runs > 0) else {
        return Ok(());
    };
    if tally.sat + tally.unsat + tally.unknown + tally.crashes > 0 {
        return Ok(());
    }
    let (id, sample) = (target.id.clone(), tally.error_sample.clone());
    Err(CiError::Silent { role, id, runs: tally.runs, sample })
}

/// The findings without those that were merged into others, unless one is new and the other is not: then they are two bugs.
fn without_merged(findings: Vec<JudgedFinding>) -> Vec<JudgedFinding> {
    let is_new = |finding: &JudgedFinding| finding.standing == Standing::New;
    let mut new: BTreeSet<String> = findings
        .iter()
        .filter(|finding| finding.merged_into.is_none() && is_new(finding))
        .map(|finding| finding.id.clone())
        .collect();
    // Of several, the first stands for all.
    let mut keep = |finding: &JudgedFinding| match &finding.merged_into {
        None => true,
        Some(other) => is_new(finding) && new.insert(other.clone()),
    };
    findings.into_iter().filter(|finding| keep(finding)).collect()
}

/// What to test besides the folder itself.
#[derive(Default)]
struct Regressions {
    /// Scripts that state what they show, with their files.
    scripts: Vec<(Regression, PathBuf)>,
    /// Folders of other campaigns.
    campaigns: Vec<PathBuf>,
}

impl Regressions {
    fn read(folders: &[PathBuf]) -> Result<Regressions, CiError> {
        let mut all = Regressions::default();
        for folder in folders {
            match Store::campaign_folder(folder) {
                Some(campaign) => all.campaigns.push(campaign),
                None => all.scripts.extend(of_scripts(folder)?),
            }
        }
        Ok(all)
    }
}

/// A CI run under way.
struct Run<'a> {
    settings: Settings,
    /// How far the first run came, if this is a retry.
    first_run: Option<Extent>,
    /// When its time is over.
    until: Option<Instant>,
    source: &'a dyn SolverSource,
    interrupt: &'a AtomicBool,
    listener: &'a mut dyn Listener,
    /// The counters of both campaigns.
    statistics: Statistics,
    /// The findings of the folder that were judged, by name.
    judged: BTreeMap<String, JudgedFinding>,
}

impl Run<'_> {
    fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    fn time_left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }

    /// Runs the seeds, or fuzzes; `None` if there is no time left.
    fn fuzz(&mut self, store: &mut Store, phase: Phase) -> Result<Option<Summary>, CiError> {
        let share = if phase == Phase::Seeds { SEEDS_SHARE } else { FUZZING_SHARE };
        let time = self.time_left().map(|left| (left * share / 100).as_millis() as u64);
        if time == Some(0) || self.is_interrupted() {
            return Ok(None);
        }
        // A finding is compared with the baseline, not with other releases.
        let shares = Shares { reports: 0, ..self.settings.shares };
        let mut settings = Settings { time, shares, ..self.settings.clone() };
        if phase == Phase::Seeds {
            settings.strategies = vec![SEEDS.to_owned()];
            settings.cases = self.first_run.as_ref().map(|first| first.seeds);
        } else {
            settings.strategies.retain(|name| name != SEEDS);
            settings.cases = self.first_run.as_ref().map(|first| first.cases).or(settings.cases);
        }
        if settings.strategies.is_empty() || settings.cases == Some(0) {
            return Ok(None);
        }
        let prepared = prepare(settings, false, self.source)?;
        if phase == Phase::Seeds {
            let notes = unusable_notes(&prepared.pool);
            notes.into_iter().for_each(|note| self.listener.event(&Event::Note(note)));
        }
        let plan = prepared.plan(self.source.settings());
        let summary = engine::run(plan, store, None, Controls::from(self.interrupt), self.listener)?;
        self.statistics.add(&summary.snapshot.statistics);
        Ok(Some(summary))
    }

    /// Tests the scripts and the findings of other campaigns.
    fn regressions(
        &mut self,
        regressions: &Regressions,
        judge: &Judge<'_>,
    ) -> Result<Vec<JudgedFinding>, CiError> {
        let mut judged = Vec::new();
        for (number, (script, file)) in regressions.scripts.iter().enumerate() {
            if self.is_interrupted() {
                break;
            }
            if let Some(finding) = judge.script(script, file)? {
                self.note(Phase::Regressions, number + 1, regressions.scripts.len(), &finding);
                judged.push(finding);
            }
        }
        for folder in &regressions.campaigns {
            let store = Store::open_existing(folder)?;
            let findings = store.all_findings()?;
            let mut of_campaign = Vec::new();
            for (number, listed) in findings.iter().enumerate().filter(|(_, listed)| listed.bug) {
                if self.is_interrupted() {
                    break;
                }
                let finding = judge.finding(&store, listed, Phase::Regressions)?;
                self.note(Phase::Regressions, number + 1, findings.len(), &finding);
                of_campaign.push(finding);
            }
            judged.extend(without_merged(of_campaign));
        }
        Ok(judged)
    }

    /// Judges the bugs of the folder that are selected.
    fn judge(
        &mut self,
        store: &Store,
        judge: &Judge<'_>,
        phase: Phase,
        selected: &dyn Fn(&Listed) -> bool,
    ) -> Result<(), CiError> {
        let mut findings = store.all_findings()?;
        findings.retain(|listed| listed.bug && selected(listed));
        for (number, listed) in findings.iter().enumerate() {
            if self.is_interrupted() {
                break;
            }
            let finding = judge.finding(store, listed, phase)?;
            self.note(phase, number + 1, findings.len(), &finding);
            self.judged.insert(listed.id.clone(), finding);
        }
        Ok(())
    }

    /// Reduces new findings that the campaign had no time for, and judges them again.
    fn reduce(&mut self, store: &mut Store, judge: &Judge<'_>) -> Result<(), CiError> {
        let mut new: Vec<(String, Phase)> = Vec::new();
        for finding in self.judged.values().filter(|finding| finding.standing == Standing::New) {
            let folder = store.folder().join(store.find(&finding.id)?.folder);
            // Testing a state leak takes more than a script.
            if TriagedFinding::saved(&folder).is_none() && finding.class != Class::StateLeak {
                new.push((finding.id.clone(), finding.phase));
            }
        }
        let total = new.len();
        for (number, (id, phase)) in new.into_iter().enumerate() {
            let time = self.time_left().map_or(REDUCTION, |left| left.min(REDUCTION));
            if time.is_zero() || self.is_interrupted() {
                break;
            }
            let until = Instant::now() + time;
            let ends = || self.interrupt.load(Ordering::Relaxed) || Instant::now() >= until;
            let triaged = Subject::of_finding(store.folder(), &id, Version::Case, None)
                .and_then(|subject| triage_finding(&subject, judge.limits, self.source, &ends));
            // A finding that cannot be reduced stays as it is.
            let Ok(triaged) = triaged else { continue };
            let listed = record_triaged(store, &id, &triaged)?;
            if self.is_interrupted() {
                break;
            }
            let finding = judge.finding(store, &listed, phase)?;
            self.note(phase, number + 1, total, &finding);
            self.judged.insert(id, finding);
        }
        // A reduction may have merged findings.
        for listed in store.all_findings()? {
            if let Some(finding) = self.judged.get_mut(&listed.id) {
                finding.merged_into = listed.merged_into;
            }
        }
        Ok(())
    }

    fn note(&mut self, phase: Phase, number: usize, total: usize, finding: &JudgedFinding) {
        let standing = finding.standing.words();
        let note = format!("{} {number}/{total} {}: {standing}", phase.name(), finding.id);
        self.listener.event(&Event::Note(note));
    }
}
