//! Calls of the database: with a deadline, and once more if the connection broke.

use super::Postgres;
use super::connect::Connection;
use super::error::is_broken;
use super::schema::{self, Layout};
use crate::error::StoreError;
use tokio_postgres::Error;

impl Postgres {
    /// Does `work` on the connection. If an old connection is broken, it is done once more on a fresh one.
    pub(super) fn call<T>(
        &mut self,
        work: impl AsyncFn(&mut Connection) -> Result<T, Error>,
    ) -> Result<T, StoreError> {
        loop {
            let is_fresh = self.connect_if_necessary()?;
            let Some(connection) = self.connection.as_mut() else { continue };
            let patience = self.options.call_timeout;
            let result =
                self.runtime.block_on(async { tokio::time::timeout(patience, work(connection)).await });
            match result {
                Ok(Ok(value)) => return Ok(value),
                Ok(Err(error)) => {
                    let is_broken = is_broken(&error) || connection.is_closed();
                    if is_broken {
                        self.connection = None;
                    }
                    if !is_broken || is_fresh {
                        return Err(self.access.error(&error));
                    }
                }
                Err(_) => {
                    self.connection = None;
                    return Err(self.access.no_answer(patience));
                }
            }
        }
    }

    /// Does `work` that takes long and cannot be repeated, on a fresh connection.
    pub(super) fn long_call<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut Connection) -> Result<T, Error>,
    ) -> Result<T, StoreError> {
        self.connection = None;
        self.connect_if_necessary()?;
        let Some(connection) = self.connection.as_mut() else { return Err(StoreError::Incomplete) };
        let result = self.runtime.block_on(work(connection));
        // A transaction may be open still.
        if result.is_err() {
            self.connection = None;
        }
        result.map_err(|error| self.access.error(&error))
    }

    /// Makes sure that there is a connection. True if it is a new one.
    fn connect_if_necessary(&mut self) -> Result<bool, StoreError> {
        if self.connection.as_ref().is_some_and(|connection| !connection.is_closed()) {
            return Ok(false);
        }
        // The old connection ends before the new one begins, so that a process never has two.
        self.connection = None;
        let patience = self.options.call_timeout;
        let connecting = async { tokio::time::timeout(patience, self.access.connect()).await };
        let connected = self.runtime.block_on(connecting).map_err(|_| self.access.no_answer(patience))?;
        let (mut connection, layout) = connected?;
        if let Layout::Older(found) = layout {
            self.runtime.block_on(schema::migrate(&self.access, &mut connection, found))?;
        }
        self.connection = Some(connection);
        Ok(true)
    }

    /// The error for something that is not in the database.
    pub(super) fn absent(&self, what: String) -> StoreError {
        StoreError::Absent { store: self.access.shown.clone(), what }
    }
}
