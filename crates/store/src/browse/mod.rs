//! Reads a campaign for people who look at it: pages of findings, statistics over time, and what can be filtered by. Every answer
//! costs about the same however much there is: queries follow indices and read what is shown.

mod campaigns;
mod facets;
mod findings;
mod seeds;

pub use campaigns::CampaignEntry;
pub use facets::{FacetKind, Facets, Outdated};
pub use findings::{Days, FindingFilter, FindingOrder, FindingPage, OccurrenceEntry};
pub use seeds::SeedEntry;

use crate::error::StoreError;
use crate::schema;
use crate::store::DATABASE;
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long to wait for a campaign that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// A connection to the database of a campaign for reading it, and for what people write beside the campaign. The campaign may be
/// running.
pub struct Browser {
    pub(crate) database: PathBuf,
    pub(crate) db: Connection,
}

impl Browser {
    /// Opens the database in the folder of a campaign.
    pub fn open(folder: &Path) -> Result<Browser, StoreError> {
        let database = folder.join(DATABASE);
        if !database.is_file() {
            return Err(StoreError::Missing { path: folder.to_owned() });
        }
        let sql = StoreError::sql(&database);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut db = Connection::open_with_flags(&database, flags).map_err(&sql)?;
        db.busy_timeout(PATIENCE).map_err(&sql)?;
        db.set_prepared_statement_cache_capacity(64);
        schema::migrate(&mut db, &database)?;
        Ok(Browser { database: database.clone(), db })
    }

    /// A number that changes whenever another connection has changed the database.
    pub fn version(&self) -> Result<i64, StoreError> {
        self.db.pragma_query_value(None, "data_version", |row| row.get(0)).map_err(self.sql())
    }

    pub(crate) fn sql(&self) -> impl Fn(rusqlite::Error) -> StoreError + '_ {
        StoreError::sql(&self.database)
    }
}
