//! Reads the URL of a database, with the same defaults from the environment as the programs of PostgreSQL.

use super::tls::{Encryption, Trust};
use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

/// Where to connect, as whom, and how to encrypt.
pub struct Login {
    /// For the client.
    pub config: Config,
    /// For the certificates, which the client knows nothing of.
    pub encryption: Encryption,
}

impl Login {
    /// Reads a URL.
    pub fn new(url: &str) -> Result<Login, String> {
        let (place, query) = url.split_once('?').unwrap_or((url, ""));
        let (ours, others): (Vec<&str>, Vec<&str>) = query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .partition(|pair| pair.starts_with("sslmode=") || pair.starts_with("sslrootcert="));
        let own = |name: &str| {
            ours.iter().find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).map(str::to_owned)
        };
        // The client does not accept a query without pairs.
        let url = if others.is_empty() { place.to_owned() } else { format!("{place}?{}", others.join("&")) };
        let mut config: Config = url.parse().map_err(|error: tokio_postgres::Error| {
            error.into_source().map_or_else(|| "it cannot be read".to_owned(), |source| source.to_string())
        })?;
        let roots = own("sslrootcert").or_else(|| variable("PGSSLROOTCERT")).filter(|path| path != "system");
        let mode = own("sslmode").or_else(|| variable("PGSSLMODE")).unwrap_or_else(|| "prefer".to_owned());
        let (ssl, trust) = match mode.as_str() {
            "disable" => (SslMode::Disable, Trust::Any),
            "prefer" | "allow" => (SslMode::Prefer, Trust::Any),
            // As the programs of PostgreSQL do it: with a list of authorities, one of them has to vouch for the server.
            "require" if roots.is_some() => (SslMode::Require, Trust::Authority),
            "require" => (SslMode::Require, Trust::Any),
            "verify-ca" => (SslMode::Require, Trust::Authority),
            "verify-full" => (SslMode::Require, Trust::Host),
            _ => {
                return Err(format!(
                    "sslmode is `{mode}`, not disable, prefer, require, verify-ca or verify-full"
                ));
            }
        };
        config.ssl_mode(ssl);
        complete(&mut config)?;
        if config.get_password().is_none()
            && let Some(password) = variable("PGPASSWORD").or_else(|| saved_password(&config))
        {
            config.password(password);
        }
        Ok(Login { config, encryption: Encryption { trust, roots: roots.map(PathBuf::from) } })
    }
}

/// A variable of the environment that is not empty.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// Fills in what the URL does not say.
fn complete(config: &mut Config) -> Result<(), String> {
    if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
        let host = variable("PGHOST").unwrap_or_else(|| "localhost".to_owned());
        match host.starts_with('/') {
            true => config.host_path(&host),
            false => config.host(&host),
        };
    }
    if config.get_ports().is_empty()
        && let Some(port) = variable("PGPORT")
    {
        config.port(port.parse().map_err(|_| "PGPORT is not a number".to_owned())?);
    }
    if config.get_user().is_none()
        && let Some(user) = variable("PGUSER").or_else(|| variable("USER"))
    {
        config.user(user);
    }
    if config.get_dbname().is_none()
        && let Some(database) = variable("PGDATABASE")
    {
        config.dbname(database);
    }
    Ok(())
}

/// The password that the user has saved for this database.
fn saved_password(config: &Config) -> Option<String> {
    let path = match variable("PGPASSFILE") {
        Some(path) => PathBuf::from(path),
        None => Path::new(&env::var_os("HOME")?).join(".pgpass"),
    };
    // A password that others can read is no secret: as the programs of PostgreSQL, do not use it.
    if fs::metadata(&path).ok()?.mode() & 0o077 != 0 {
        return None;
    }
    let host = match config.get_hosts().first()? {
        Host::Tcp(host) => host.clone(),
        Host::Unix(_) => "localhost".to_owned(),
    };
    let port = config.get_ports().first().unwrap_or(&5432).to_string();
    let user = config.get_user().unwrap_or_default();
    let database = config.get_dbname().unwrap_or(user);
    find_password(&fs::read_to_string(path).ok()?, [&host, &port, database, user])
}

/// The password in the first line that fits a host, port, database and user.
fn find_password(text: &str, wanted: [&str; 4]) -> Option<String> {
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let fields = fields(line);
        let fits = |(field, wanted): (&String, &str)| field == "*" || field == wanted;
        (fields.len() >= 5 && fields.iter().zip(wanted).all(fits)).then(|| fields[4].clone())
    })
}

/// The parts of a line between colons. A backslash makes the next character an ordinary one.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            ':' => fields.push(String::new()),
            '\\' => fields.last_mut().expect("there is a field").extend(characters.next()),
            _ => fields.last_mut().expect("there is a field").push(character),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::{Login, Trust, find_password};
    use tokio_postgres::config::SslMode;

    #[test]
    fn passwords_are_found_by_host_port_database_and_user() {
        let text = "# a comment\nother:5432:db:me:wrong\nhost:*:db:me:se\\:cr\\\\et\n*:*:*:*:last\n";
        assert_eq!(find_password(text, ["host", "5433", "db", "me"]).as_deref(), Some("se:cr\\et"));
        assert_eq!(find_password(text, ["host", "5433", "db", "you"]).as_deref(), Some("last"));
        assert_eq!(find_password("host:5432:db:me", ["host", "5432", "db", "me"]), None);
    }

    #[test]
    fn modes_of_encryption_are_those_of_postgresql() {
        let read = |mode: &str| {
            let login = Login::new(&format!("postgres://me:x@host/db?connect_timeout=3&sslmode={mode}"))?;
            Ok((login.config.get_ssl_mode(), login.encryption.trust))
        };
        for (mode, expected) in [
            ("disable", Ok((SslMode::Disable, Trust::Any))),
            ("prefer", Ok((SslMode::Prefer, Trust::Any))),
            ("require", Ok((SslMode::Require, Trust::Any))),
            ("require&sslrootcert=/a.pem", Ok((SslMode::Require, Trust::Authority))),
            ("verify-ca", Ok((SslMode::Require, Trust::Authority))),
            ("verify-full", Ok((SslMode::Require, Trust::Host))),
            (
                "always",
                Err("sslmode is `always`, not disable, prefer, require, verify-ca or verify-full".to_owned()),
            ),
        ] {
            assert_eq!(read(mode), expected, "{mode}");
        }
    }
}
