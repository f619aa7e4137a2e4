//! A reduction whose best script is always on disk. A smaller result of an earlier run is kept.

use crate::error::TriageError;
use crate::reduction::{Confirm, ReductionPlan};
use case::files::read_text;
use reduce::{Abort, Cost, Counts, Progress, Watcher};
use std::path::{Path, PathBuf};

/// Watches a reduction from outside.
pub trait Observer {
    /// Whether to stop with the best script so far.
    fn should_stop(&self) -> bool;

    /// Receives the progress of the search.
    fn progress(&self, progress: &Progress<'_>);

    /// Saves the best script.
    fn save(&self, script: &str, output: &Path) -> Result<(), TriageError>;
}

/// The result of a reduction.
pub struct SavedReduction {
    /// The smallest script.
    pub script: String,
    /// A model that satisfies it, if one is known.
    pub model: Option<String>,
    /// The file that it is in.
    pub output: PathBuf,
    /// The cost of the whole script.
    pub from: Cost,
    /// The work done.
    pub counts: Counts,
    /// Whether the reduction was stopped early.
    pub stopped: bool,
    /// What the user should know about the result.
    pub note: Option<String>,
}

/// Said if the result of an earlier run is kept.
const EARLIER: &str =
    "an earlier run found a script that is at least as small and shows the same; it is kept";

/// Reduces the script of a plan, and saves the best script in a file. If the file has a smaller script that shows the bug, that one
/// stays.
pub fn reduce_and_save(
    mut plan: ReductionPlan,
    output: PathBuf,
    observer: &dyn Observer,
) -> Result<SavedReduction, TriageError> {
    let mut saver = Saver { observer, output, earlier: None, confirm: plan.confirm };
    saver.look_for_earlier(&plan.script)?;
    let outcome = reduce::reduce(&plan.script, plan.model, &mut plan.testers, &mut saver);
    // Stopping a solver takes a moment, so all stop at the same time.
    std::thread::scope(|scope| {
        for tester in plan.testers.drain(..) {
            scope.spawn(move || drop(tester));
        }
    });
    if let Some(Abort(reason)) = outcome.aborted {
        let saved = format!("the best script so far is in {}", saver.output.display());
        return Err(TriageError::other(reason, saved));
    }
    saver.save(&outcome.script)?;
    let earlier = saver.earlier.filter(|earlier| earlier.cost <= outcome.cost.1);
    let note = earlier.is_some().then(|| EARLIER.to_owned());
    let (script, model) = match earlier {
        Some(earlier) => (earlier.script, None),
        None => (outcome.script, outcome.model),
    };
    Ok(SavedReduction {
        script,
        model,
        output: saver.output,
        from: outcome.cost.0,
        counts: outcome.counts,
        stopped: outcome.stopped,
        note,
    })
}

/// The result of an earlier run that still shows the bug.
struct Earlier {
    script: String,
    cost: Cost,
}

/// Saves the best script, and confirms in fresh processes.
struct Saver<'a> {
    observer: &'a dyn Observer,
    output: PathBuf,
    earlier: Option<Earlier>,
    confirm: Confirm,
}

impl Saver<'_> {
    /// Looks whether the file for the result has a script already that is smaller than the whole one and shows the bug.
    fn look_for_earlier(&mut self, whole: &str) -> Result<(), TriageError> {
        let Ok(script) = read_text(&self.output) else { return Ok(()) };
        let cost = Cost::of(&script);
        let shows = |Abort(reason)| TriageError::other(reason, "run the reduction again");
        if cost < Cost::of(whole) && (self.confirm)(&script).map_err(shows)? {
            self.earlier = Some(Earlier { script, cost });
        }
        Ok(())
    }

    /// Saves a script, or the result of an earlier run if that is smaller.
    fn save(&self, script: &str) -> Result<(), TriageError> {
        let best = match &self.earlier {
            Some(earlier) if earlier.cost <= Cost::of(script) => &earlier.script,
            _ => script,
        };
        self.observer.save(best, &self.output)
    }
}

impl Watcher for Saver<'_> {
    fn should_stop(&self) -> bool {
        self.observer.should_stop()
    }

    fn progress(&mut self, progress: &Progress<'_>) {
        self.observer.progress(progress);
    }

    fn improved(&mut self, script: &str, _: Option<&str>) -> Result<(), Abort> {
        self.save(script).map_err(|error| Abort(error.to_string()))
    }

    fn confirm(&mut self, script: &str) -> Result<bool, Abort> {
        (self.confirm)(script)
    }
}
