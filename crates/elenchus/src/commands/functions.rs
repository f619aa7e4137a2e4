//! What tells a finding from its nearest neighbour that passes, and what is kept of that beside it.

use crate::commands::subject::Subject;
use serde::{Deserialize, Serialize};
use std::path::Path;
use triage::predicate::Established;
use triage::{DistinguishingFunctions, NoDistinguishingFunctions};

/// The file in the folder of a finding.
const FILE: &str = "functions.json";

/// What is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// The script that was looked at: a finding that is reduced later is another one.
    script: String,
    #[serde(flatten)]
    distinguishing_functions: DistinguishingFunctions,
}

/// What tells the script from its nearest neighbour that passes, from what was kept or by running solvers.
pub fn told(
    subject: &Subject,
    established: &Established,
) -> Result<DistinguishingFunctions, NoDistinguishingFunctions> {
    let folder = subject.finding.as_ref().map(|(_, _, folder)| folder);
    if let Some(known) = folder.and_then(|folder| kept(folder, &subject.script)) {
        return Ok(known);
    }
    let distinguishing_functions = triage::distinguishing_functions(&subject.script, established)?;
    if let Some(folder) = folder {
        let kept = Kept {
            script: subject.script.clone(),
            distinguishing_functions: distinguishing_functions.clone(),
        };
        // A disk that refuses it costs the time to find it again.
        let _ = std::fs::write(folder.join(FILE), format!("{:#}\n", serde_json::json!(kept)));
    }
    Ok(distinguishing_functions)
}

/// What was kept beside a finding, if it is about this script.
pub fn kept(folder: &Path, script: &str) -> Option<DistinguishingFunctions> {
    let text = std::fs::read_to_string(folder.join(FILE)).ok()?;
    let kept: Kept = serde_json::from_str(&text).ok()?;
    (kept.script == script).then_some(kept.distinguishing_functions)
}
