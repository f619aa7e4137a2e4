//! Opens a common store by its URL.

use super::sqlite::Sqlite;
use super::{Options, SharedStore};
use crate::error::StoreError;
use std::path::Path;

/// Opens the common store that a URL names: `postgres://user@host/database` or `sqlite:PATH`. It is created or migrated if
/// necessary.
pub fn open(url: &str) -> Result<Box<dyn SharedStore>, StoreError> {
    open_with(url, Options::default())
}

/// As [`open`], with other times. Those that the URL itself states, such as `?block-lease=30min`, take precedence.
pub fn open_with(url: &str, mut options: Options) -> Result<Box<dyn SharedStore>, StoreError> {
    let url = &options.take_from(url);
    if let Some(path) = url.strip_prefix("sqlite:") {
        // `sqlite:///a/b` is the file `/a/b`.
        let path = path.strip_prefix("//").unwrap_or(path);
        if path.is_empty() {
            let detail = "it names no file".to_owned();
            return Err(StoreError::BadUrl { url: shown(url), detail });
        }
        return Ok(Box::new(Sqlite::open(Path::new(path), options)?));
    }
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return postgres(url, options);
    }
    let detail = "it begins with neither `postgres://` nor `sqlite:`".to_owned();
    Err(StoreError::BadUrl { url: shown(url), detail })
}

#[cfg(feature = "postgres")]
fn postgres(url: &str, options: Options) -> Result<Box<dyn SharedStore>, StoreError> {
    Ok(Box::new(super::postgres::Postgres::open(url, options)?))
}

#[cfg(not(feature = "postgres"))]
fn postgres(_: &str, _: Options) -> Result<Box<dyn SharedStore>, StoreError> {
    Err(StoreError::NoPostgres)
}

/// The SQL that makes roles with as few rights as possible in a database of PostgreSQL.
pub fn roles() -> Result<&'static str, StoreError> {
    #[cfg(feature = "postgres")]
    return Ok(super::postgres::ROLES);
    #[cfg(not(feature = "postgres"))]
    Err(StoreError::NoPostgres)
}

/// A URL for people, with `***` for its password.
pub fn shown(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (place, query) = rest.split_once('?').map_or((rest, None), |(place, query)| (place, Some(query)));
    // A password may contain an `@` or a `/` that somebody forgot to encode: hide too much rather than too little.
    let place = match place.rsplit_once('@') {
        Some((login, host)) => match login.split_once(':') {
            Some((user, _)) => format!("{user}:***@{host}"),
            None => place.to_owned(),
        },
        None => place.to_owned(),
    };
    let hide = |pair: &str| match pair.split_once('=') {
        Some((name, _)) if name.to_ascii_lowercase().contains("password") => format!("{name}=***"),
        _ => pair.to_owned(),
    };
    let query = query.map(|query| query.split('&').map(hide).collect::<Vec<_>>().join("&"));
    match query {
        Some(query) => format!("{scheme}://{place}?{query}"),
        None => format!("{scheme}://{place}"),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn passwords_are_hidden() {
        for (url, expected) in [
            ("sqlite:a.db", "sqlite:a.db"),
            ("postgres://host/db", "postgres://host/db"),
            ("postgres://me@host/db", "postgres://me@host/db"),
            (
                "postgres://me:secret@host:5432/db?sslmode=require",
                "postgres://me:***@host:5432/db?sslmode=require",
            ),
            ("postgres://me:se@c/r:et@host/db", "postgres://me:***@host/db"),
            ("postgres:///db?host=h&password=secret&user=me", "postgres:///db?host=h&password=***&user=me"),
        ] {
            assert_eq!(shown(url), expected);
        }
    }
}
