//! The facts of a script with what it shows.

use super::facts::Facts;
use crate::distinguishing_functions::functions_of;
use crate::error::TriageError;
use crate::reduction::reduce_for;
use crate::regress::stated_predicate;
use crate::releases::{Effort, bisect};
use crate::source::SolverSource;
use crate::subject::{Subject, Version};
use case::files::{find_scripts, read_text};
use case::parallel::in_parallel;
use case::text::first_line;
use solver::run::Limits;
use std::path::PathBuf;
use std::time::Duration;
use store::Store;

/// How much work to put into the facts of a script.
#[derive(Clone, Copy, Debug)]
pub struct FactsSettings {
    /// The limits of each run.
    pub limits: Limits,
    /// The time limit for reducing the script; zero to skip the reduction.
    pub reduce: Duration,
    /// Whether to test other releases.
    pub bisect: bool,
    /// Whether to compare the functions that the solver reaches.
    pub functions: bool,
}

/// A script whose first line states what it shows.
fn stated_subject(name: String, script: String) -> Result<Subject, TriageError> {
    let predicate = stated_predicate(&script).ok_or_else(|| {
        TriageError::other("the script does not state what it shows", "begin it with `; elenchus: CLAIMS`")
    })?;
    Ok(Subject::of_script(script, predicate, name))
}

/// Something to put into a cluster.
#[derive(Clone, Debug)]
pub enum Item {
    /// A script that states what it shows.
    Script(PathBuf),
    /// A finding of a campaign.
    Finding {
        /// The folder of the campaign.
        out: PathBuf,
        /// Its name.
        id: String,
    },
}

impl Item {
    /// The findings and scripts that paths name: folders of campaigns, scripts, and folders of scripts.
    pub fn find(paths: &[PathBuf]) -> Result<Vec<Item>, TriageError> {
        let mut items = Vec::new();
        for path in paths {
            match Store::campaign_folder(path) {
                Some(out) => {
                    let findings = Store::open_existing(&out)?.findings()?.into_iter();
                    items.extend(findings.map(|listed| Item::Finding { out: out.clone(), id: listed.id }));
                }
                None => items.extend(find_scripts(std::slice::from_ref(path))?.into_iter().map(Item::Script)),
            }
        }
        match items.is_empty() {
            true => Err(TriageError::other("there are no findings", "run `elenchus fuzz` first")),
            false => Ok(items),
        }
    }

    /// Its name, for messages.
    pub fn name(&self) -> String {
        match self {
            Item::Script(path) => path.display().to_string(),
            Item::Finding { id, .. } => id.clone(),
        }
    }

    /// Reads it.
    pub fn read(&self) -> Result<Subject, TriageError> {
        match self {
            Item::Script(path) => {
                let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
                stated_subject(name.unwrap_or_default(), read_text(path)?)
            }
            Item::Finding { out, id } => Subject::of_finding(out, id, Version::Reduced, None),
        }
    }
}

impl Facts {
    /// The facts of a script, under the name of its origin.
    pub fn of_subject(
        mut subject: Subject,
        settings: &FactsSettings,
        source: &dyn SolverSource,
    ) -> Result<Facts, TriageError> {
        let limits = settings.limits;
        let clauses = subject.clauses(source)?;
        let mut established = subject.establish(&clauses, limits)?;
        if !settings.reduce.is_zero() {
            subject.script = reduce_for(&subject.script, &established, settings.reduce)?;
            established = subject.establish(&clauses, limits)?;
        }
        let releases = match settings.bisect {
            true => Some(bisect(&subject.script, &established, limits, Effort::Bisect, source, &mut |_| {})?),
            false => None,
        };
        let mut facts = Facts::of_established(&subject.origin, &subject.script, &established)
            .with_releases(releases.as_ref());
        if settings.functions && facts.needs_functions() {
            // Without coverage, the operators have to do.
            facts.functions =
                functions_of(&subject, &established).map(|found| found.functions).unwrap_or_default();
        }
        Ok(facts)
    }
}

/// The facts of several scripts, and why others have none.
#[derive(Default)]
pub struct AllFacts {
    /// The facts.
    pub facts: Vec<Facts>,
    /// The names of the others, and why they are left out.
    pub left_out: Vec<(String, String)>,
}

/// Examines items on all cores. `progress` receives how many are done, and how many there are.
pub fn examine_all(
    items: &[Item],
    settings: &FactsSettings,
    source: &dyn SolverSource,
    progress: &mut dyn FnMut(usize, usize),
) -> AllFacts {
    let mut all = AllFacts::default();
    in_parallel(
        items,
        |item| Facts::of_subject(item.read()?, settings, source),
        |item, found| {
            match found {
                Ok(found) => all.facts.push(found),
                Err(error) => all.left_out.push((item.name(), first_line(&error.to_string()).to_owned())),
            }
            progress(all.facts.len() + all.left_out.len(), items.len());
        },
    );
    all
}
