//! Repairs the folder of a campaign, with what triage has saved beside the findings.

use crate::automatic::{TriagedFinding, record_triaged};
use crate::error::TriageError;
use std::path::Path;
use store::Repair;

/// Makes a damaged database again from the folders of the findings, and merges again those that triage had merged.
pub fn repair(folder: &Path) -> Result<Repair, TriageError> {
    let (mut store, repair) = store::repair(folder)?;
    for id in &repair.restored {
        let folder = store.folder().join(store.find(id)?.folder);
        if let Some(triaged) = TriagedFinding::saved(&folder) {
            record_triaged(&mut store, id, &triaged)?;
        }
    }
    Ok(repair)
}
