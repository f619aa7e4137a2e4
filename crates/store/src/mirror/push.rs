//! Pushing what a command changed in the folder into the common store.

use super::rows::{self, Known};
use super::{MemberSums, Mirror, MirrorLock, Work, files, working_file};
use crate::browse::Browser;
use crate::error::StoreError;
use crate::shared::{FindingSummary, FindingUpdate, SharedStore};
use crate::store::Store;
use crate::workflow::{Status, StatusChange};
use case::Class;
use rusqlite::{Row, params};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{process, thread};

/// Which findings a command may have changed.
#[derive(Clone, Copy, Debug)]
pub enum Touched<'a> {
    /// The files of these, and the entries of others.
    Findings(&'a [String]),
    /// All of them.
    All,
}

impl Mirror {
    /// Says that the folder is about to be changed. What is changed and not pushed is forgotten when this process ends.
    pub fn begin_work(&mut self) -> Result<(), StoreError> {
        if self.working.is_some() {
            return Ok(());
        }
        // What a process left behind before must not look like a change of this one.
        let _lock = self.lock()?;
        self.recover()?;
        let file = working_file(&self.folder)?;
        file.lock_shared().map_err(StoreError::io(&self.folder))?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let name = format!("{} {:?} {}", process::id(), thread::current().id(), now.as_nanos());
        self.sql(|db| rows::begin_work(db, &name))?;
        self.working = Some(Work { name, _file: file });
        Ok(())
    }

    /// Pushes what was changed in the folder since [`begin_work`](Self::begin_work). Returns the findings that were changed.
    pub fn push(
        &mut self,
        shared: &mut dyn SharedStore,
        touched: Touched<'_>,
    ) -> Result<Vec<String>, StoreError> {
        let lock = self.lock()?;
        let pushed = self.push_locked(shared, touched, &lock)?;
        self.end_work(&lock)?;
        Ok(pushed)
    }

    /// Says that this process has no change any more that the store does not have.
    fn end_work(&mut self, _: &MirrorLock) -> Result<(), StoreError> {
        match self.working.take() {
            Some(work) => self.sql(|db| rows::end_work(db, &work.name)),
            None => Ok(()),
        }
    }

    /// As [`push`](Self::push), for a process that has the lock and goes on working.
    pub fn push_locked(
        &mut self,
        shared: &mut dyn SharedStore,
        touched: Touched<'_>,
        _: &MirrorLock,
    ) -> Result<Vec<String>, StoreError> {
        let mut pushed = Vec::new();
        for (id, own, known) in self.findings()? {
            let may_have_files = match touched {
                Touched::All => true,
                Touched::Findings(ids) => ids.contains(&id),
            };
            if self.push_finding(shared, &id, &own, &known, may_have_files)? {
                pushed.push(id);
            }
        }
        Ok(pushed)
    }

    /// Pushes what differs about a finding. Returns whether anything did.
    fn push_finding(
        &mut self,
        shared: &mut dyn SharedStore,
        id: &str,
        own: &Own,
        known: &Known,
        may_have_files: bool,
    ) -> Result<bool, StoreError> {
        let mut update = FindingUpdate { id: id.to_owned(), ..FindingUpdate::default() };
        let summary = serde_json::json!(own.summary).to_string();
        update.summary = (summary != known.summary).then(|| own.summary.clone());
        let is_merged_here = own.merged_into != known.merged_into && !known.merge_is_due;
        update.merged_into = is_merged_here.then(|| own.merged_into.clone());
        let mut digest = known.files.clone();
        if may_have_files {
            let files = files::read(&self.folder.join("findings").join(id))?;
            digest = files::digest(&files);
            update.files = (digest != known.files).then_some(files);
        }
        let mut changes = Vec::new();
        if own.changes > known.changes {
            changes = self.changes_after(id, known.changes)?;
        }
        if update.summary.is_none()
            && update.merged_into.is_none()
            && update.files.is_none()
            && changes.is_empty()
        {
            return Ok(false);
        }
        update.status = (!changes.is_empty()).then(|| changes.remove(0));
        shared.update_finding(self.campaign.id, &update)?;
        for change in changes {
            let status =
                FindingUpdate { id: id.to_owned(), status: Some(change), ..FindingUpdate::default() };
            shared.update_finding(self.campaign.id, &status)?;
        }
        // What the store made of it comes with the next update.
        self.sql(|db| {
            db.execute(
                "UPDATE mirror_finding SET files = ?2, summary = ?3, merged_into = ?4, changes = ?5 WHERE finding = ?1",
                params![id, digest, summary, own.merged_into, own.changes as i64],
            )
        })?;
        Ok(true)
    }

    /// The findings whose entries differ from what the store said, or all whose files may.
    fn findings(&self) -> Result<Vec<(String, Own, Known)>, StoreError> {
        let ids: Vec<String> = self.sql(rows::files_of_all)?.into_iter().map(|(id, _)| id).collect();
        let mut all = Vec::new();
        for id in ids {
            let pair = self.sql(|db| {
                let own = db
                    .prepare_cached(
                        "SELECT class, title, bug, needs_options, solvers, reduced_bytes, merged_into,
                             (SELECT count(*) FROM workflow_change WHERE workflow_change.finding = finding.id)
                         FROM finding WHERE id = ?1",
                    )?
                    .query_row([&id], own)?;
                Ok((own, rows::known(db, &id)?))
            })?;
            if let (own, Some(known)) = pair {
                all.push((id, own, known));
            }
        }
        Ok(all)
    }

    /// The changes of the status of a finding after the first `known` ones, the oldest first.
    fn changes_after(&self, id: &str, known: u64) -> Result<Vec<StatusChange>, StoreError> {
        self.sql(|db| {
            let query = "SELECT status, detail, changed FROM workflow_change WHERE finding = ?1 ORDER BY id LIMIT -1 OFFSET ?2";
            let read = |row: &Row<'_>| {
                Ok(StatusChange {
                    status: Status::from_name(&row.get::<_, String>(0)?).unwrap_or_default(),
                    detail: row.get(1)?,
                    changed: row.get::<_, i64>(2)? as u64,
                })
            };
            db.prepare_cached(query)?.query_map(params![id, known as i64], read)?.collect()
        })
    }

    /// Changes the folder and pushes the result while no other process fills the mirror. `change` returns the findings whose files it
    /// changed. It sees everything that the store has.
    pub fn work<E: From<StoreError>>(
        &mut self,
        shared: &mut dyn SharedStore,
        sums: &mut dyn MemberSums,
        change: impl FnOnce(&mut Store) -> Result<Vec<String>, E>,
    ) -> Result<(), E> {
        self.begin_work()?;
        let lock = self.lock()?;
        self.update_locked(shared, sums, &lock)?;
        let mut store = Store::open_existing(&self.folder)?;
        let touched = change(&mut store)?;
        self.push_locked(shared, Touched::Findings(&touched), &lock)?;
        Ok(self.end_work(&lock)?)
    }

    /// A connection for reading the folder page by page.
    pub fn browser(&self) -> &Browser {
        &self.browser
    }
}

/// A finding as the folder has it.
struct Own {
    summary: FindingSummary,
    merged_into: Option<String>,
    changes: u64,
}

fn own(row: &Row<'_>) -> rusqlite::Result<Own> {
    let class = row.get::<_, String>(0)?;
    let unknown = || rusqlite::Error::InvalidColumnName(format!("`{class}` is not a class of findings"));
    Ok(Own {
        summary: FindingSummary {
            class: Class::from_name(&class).ok_or_else(unknown)?,
            title: row.get(1)?,
            bug: row.get(2)?,
            needs_options: row.get(3)?,
            solvers: row.get(4)?,
            reduced_bytes: row.get::<_, Option<i64>>(5)?.map(|bytes| bytes as u64),
        },
        merged_into: row.get(6)?,
        changes: row.get::<_, i64>(7)? as u64,
    })
}
