//! Writes reports beside the workers: which releases show a finding, and the page for its maintainers. Much of the time goes into
//! waiting for downloads, so it would be a waste to let a worker do it.

use crate::known_solvers::KnownSolvers;
use crate::worker::Shared;
use solver::install;
use solver::run::Limits;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};
use triage::automatic::write_report;
use triage::report::{Report, ReportSettings};

/// How long to wait if there is nothing to do.
const PAUSE: Duration = Duration::from_millis(100);
/// The reporter may spend its share of this much time before the campaign has run at all.
const ADVANCE: Duration = Duration::from_secs(60);
/// The limit of one run. A reduced script shows its bug at once.
const RUN: Duration = Duration::from_secs(5);

/// A report that was written, or could not be.
pub struct Reported {
    /// The name of the finding.
    pub id: String,
    /// The report, or why there is none.
    pub report: Result<Box<Report>, String>,
    /// How long it took.
    pub took: Duration,
}

/// Writes the reports of the findings that triage has reduced, until the campaign ends.
pub fn write_reports(
    shared: &Shared<'_>,
    installer: &install::Settings,
    out: &Path,
    reports: &Sender<Reported>,
) {
    let source = KnownSolvers { targets: shared.targets, installer };
    let limits = Limits { wall: RUN, ..shared.settings.limits() };
    let settings = ReportSettings { out, limits, bisect: true };
    let started = Instant::now();
    let mut spent = Duration::ZERO;
    while !shared.stop.load(Ordering::Relaxed) {
        let share = (started.elapsed() + ADVANCE).as_micros() * u128::from(shared.settings.shares.reports);
        let may_begin = spent.as_micros() * 100 < share && !shared.pause.load(Ordering::Relaxed);
        let Some(id) = may_begin.then(|| shared.report_queue.pop()).flatten() else {
            std::thread::sleep(PAUSE);
            continue;
        };
        let begun = Instant::now();
        let report = write_report(&settings, &id, &source, &mut |_| {});
        let took = begun.elapsed();
        spent += took;
        let report = match report {
            // `elenchus triage` finishes it.
            Err(error) if error.is_cancelled() => return,
            report => report.map(Box::new).map_err(|error| error.to_string()),
        };
        if reports.send(Reported { id, report, took }).is_err() {
            return;
        }
    }
}
