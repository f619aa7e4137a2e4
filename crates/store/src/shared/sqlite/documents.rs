//! Documents of a campaign.

use super::Change;
use super::rows::number;
use crate::shared::{CampaignId, Document};
use rusqlite::{OptionalExtension, Result, Row, params};

/// Reads a document.
pub fn read(row: &Row<'_>) -> Result<Document> {
    Ok(Document { kind: row.get(0)?, name: row.get(1)?, revision: number(row, 2)?, body: row.get(3)? })
}

/// A document.
pub fn document(
    change: &Change<'_>,
    campaign: CampaignId,
    kind: &str,
    name: &str,
) -> Result<Option<Document>> {
    let query =
        "SELECT kind, name, revision, body FROM document WHERE campaign = ?1 AND kind = ?2 AND name = ?3";
    change.db.query_row(query, params![campaign.0, kind, name], read).optional()
}

/// The documents of a kind.
pub fn documents(change: &Change<'_>, campaign: CampaignId, kind: &str) -> Result<Vec<Document>> {
    let query =
        "SELECT kind, name, revision, body FROM document WHERE campaign = ?1 AND kind = ?2 ORDER BY name";
    change.db.prepare(query)?.query_map(params![campaign.0, kind], read)?.collect()
}

/// Writes a document, if it still has the revision that the caller knows.
pub fn put(change: &Change<'_>, campaign: CampaignId, new: &Document) -> Result<bool> {
    let values = params![campaign.0, new.kind, new.name, new.revision as i64, new.body];
    let query = match new.revision {
        0 => "INSERT INTO document VALUES (?1, ?2, ?3, ?4 + 1, ?5) ON CONFLICT DO NOTHING",
        _ => {
            "UPDATE document SET revision = ?4 + 1, body = ?5
             WHERE campaign = ?1 AND kind = ?2 AND name = ?3 AND revision = ?4"
        }
    };
    Ok(change.db.execute(query, values)? > 0)
}
