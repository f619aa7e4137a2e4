//! What the errors of the client mean for the campaign.

use super::connect::Access;
use crate::error::StoreError;
use std::error::Error as _;
use std::time::Duration;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

/// The code with which our functions say that a process is not in the database.
const ABSENT: &str = "ELABS";

/// What the client says if the server asks for a password and there is none.
const NO_PASSWORD: &str = "password missing";

/// Whether the connection cannot be used any more, or another one may have more luck.
pub fn is_broken(error: &Error) -> bool {
    let Some(code) = error.code() else { return is_of_the_network(error) };
    let is_connection = code.code().starts_with("08") || code.code().starts_with("57P");
    is_connection || *code == SqlState::T_R_DEADLOCK_DETECTED || *code == SqlState::T_R_SERIALIZATION_FAILURE
}

/// Whether the connection is what failed, not the client before it sent anything.
fn is_of_the_network(error: &Error) -> bool {
    let mut reason = error.source();
    while let Some(inner) = reason {
        if inner.is::<std::io::Error>() {
            return true;
        }
        reason = inner.source();
    }
    error.is_closed()
}

/// Whether a table or function is not as this version knows it: another version has migrated the database.
pub fn is_other_layout(error: &Error) -> bool {
    error.code().is_some_and(|code| {
        [
            SqlState::UNDEFINED_TABLE,
            SqlState::UNDEFINED_FUNCTION,
            SqlState::UNDEFINED_COLUMN,
            SqlState::INVALID_SCHEMA_NAME,
        ]
        .contains(code)
    })
}

impl Access {
    /// The error of a call.
    pub fn error(&self, error: &Error) -> StoreError {
        let store = self.shown.clone();
        let Some(message) = error.as_db_error() else {
            let detail = reason(error);
            return match is_of_the_network(error) {
                true => StoreError::Unreachable { store, detail },
                false if detail == NO_PASSWORD => StoreError::Refused { store, detail },
                false => StoreError::Server { store, detail },
            };
        };
        let detail = match message.detail() {
            Some(more) => format!("{} ({more})", message.message()),
            None => message.message().to_owned(),
        };
        let code = message.code().code();
        match code {
            ABSENT => StoreError::Absent { store, what: detail },
            // Too many connections, shutting down, starting up, or a limit on time.
            "53300" | "57P01" | "57P02" | "57P03" | "57014" | "55P03" => {
                StoreError::Unreachable { store, detail }
            }
            "42501" | "3D000" => StoreError::Refused { store, detail },
            _ if code.starts_with("08") => StoreError::Unreachable { store, detail },
            _ if code.starts_with("28") => StoreError::Refused { store, detail },
            _ if is_other_layout(error) => StoreError::OlderStore { store, detail },
            _ => StoreError::Server { store, detail },
        }
    }

    /// The error of a call that took too long.
    pub fn no_answer(&self, patience: Duration) -> StoreError {
        let detail = format!("no answer for {:.0} s", patience.as_secs_f64().max(1.0));
        StoreError::Unreachable { store: self.shown.clone(), detail }
    }
}

/// The innermost reason of an error, such as `Connection refused`.
fn reason(error: &Error) -> String {
    let mut reason: &dyn std::error::Error = error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    match error.source() {
        Some(_) => reason.to_string(),
        None => error.to_string(),
    }
}
