//! Connections, and what is necessary to make one.

use super::login::Login;
use super::schema::{self, Layout};
use super::{Postgres, tls};
use crate::error::StoreError;
use crate::shared::{Options, shown};
use std::collections::HashMap;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Error, Row, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long making a connection may take.
const CONNECT: Duration = Duration::from_secs(10);

/// Without an answer of the other side for so long, the system takes a connection as dead.
const SILENCE: Duration = Duration::from_secs(60);

/// Limits for the server, in case that the client is gone: for one statement, and for waiting for a lock.
const LIMITS: &str = "SET statement_timeout = '5min'; SET lock_timeout = '30s';
    SET idle_in_transaction_session_timeout = '2min'; SET client_min_messages = 'warning'; SET search_path = ''";

/// What is necessary to make a connection.
pub struct Access {
    config: Config,
    tls: MakeRustlsConnect,
    /// The URL without the password.
    pub shown: String,
}

/// A connection. It ends when it is dropped.
pub struct Connection {
    client: Client,
    driver: JoinHandle<()>,
    statements: HashMap<&'static str, Statement>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        // The driver would wait for a server that does not answer.
        self.driver.abort();
    }
}

impl Postgres {
    /// Connects to the database of a URL, and migrates it if necessary.
    pub fn open(url: &str, options: Options) -> Result<Postgres, StoreError> {
        let Login { mut config, encryption } =
            Login::new(url).map_err(|detail| StoreError::BadUrl { url: shown(url), detail })?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        config.keepalives(true).keepalives_idle(SILENCE / 2).keepalives_interval(SILENCE / 6);
        config.tcp_user_timeout(SILENCE).application_name("elenchus");
        let tls =
            tls::connector(&encryption).map_err(|detail| StoreError::BadUrl { url: shown(url), detail })?;
        let access = Access { config, tls, shown: shown(url) };
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| {
                StoreError::Unreachable { store: access.shown.clone(), detail: error.to_string() }
            })?;
        let mut store = Postgres { access, runtime, connection: None, options };
        store.call(async |_| Ok(()))?;
        Ok(store)
    }
}

impl Access {
    /// Makes a connection, and says whether the database has the right layout.
    pub async fn connect(&self) -> Result<(Connection, Layout), StoreError> {
        let (client, connection) =
            self.config.connect(self.tls.clone()).await.map_err(|error| self.error(&error))?;
        let driver = tokio::spawn(async move {
            // The client reports the error with the call that it breaks.
            let _ = connection.await;
        });
        let mut connection = Connection { client, driver, statements: HashMap::new() };
        connection.client.batch_execute(LIMITS).await.map_err(|error| self.error(&error))?;
        let found = schema::check(self, &mut connection).await?;
        Ok((connection, found))
    }
}

impl Connection {
    /// Whether the server has ended the connection, as far as this process knows.
    pub fn is_closed(&self) -> bool {
        self.client.is_closed() || self.driver.is_finished()
    }

    /// The client, for what is not one prepared statement.
    pub fn client(&mut self) -> &mut Client {
        &mut self.client
    }

    /// A statement that is prepared once for each connection.
    pub async fn prepared(&mut self, sql: &'static str) -> Result<Statement, Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).await?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }

    /// The rows of a query.
    pub async fn query(
        &mut self,
        sql: &'static str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Error> {
        let statement = self.prepared(sql).await?;
        self.client.query(&statement, values).await
    }

    /// The only row of a query.
    pub async fn query_one(
        &mut self,
        sql: &'static str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Row, Error> {
        let statement = self.prepared(sql).await?;
        self.client.query_one(&statement, values).await
    }
}
