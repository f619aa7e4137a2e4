//! Where passwords come from, and that none is shown.

use crate::alone::{URL, alone};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use testing::Postgres;

const PASSWORD: &str = r"se:cr\et/ é";

/// The password in a file of passwords.
const ESCAPED: &str = r"se\:cr\\et/ é";

/// The password in a URL.
const ENCODED: &str = "se%3Acr%5Cet%2F%20%C3%A9";

/// A server with a user `me`, who needs the password.
fn server() -> Option<Postgres> {
    let mut server = Postgres::start()?;
    let mut owner = postgres::Client::connect(&server.url(), postgres::NoTls).unwrap();
    owner.batch_execute(&format!("CREATE ROLE me SUPERUSER LOGIN PASSWORD '{PASSWORD}'")).unwrap();
    drop(owner);
    fs::write(server.access_file(), "host all all 127.0.0.1/32 scram-sha-256\n").unwrap();
    server.restart();
    Some(server)
}

/// What a process says that opens a URL with these variables in its environment.
fn opening(url: &str, variables: &[(&str, &str)]) -> String {
    let output =
        alone("alone::opens_a_store").env(URL, url).envs(variables.iter().copied()).output().unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    text
}

/// A file of passwords with these rights.
fn write(path: &Path, lines: &str, rights: u32) -> String {
    fs::write(path, lines).unwrap();
    fs::set_permissions(path, Permissions::from_mode(rights)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn passwords_come_from_the_url_the_environment_or_a_file() {
    let Some(server) = server() else { return };
    let port = server.port();
    let url = server.url_at(port, "me");
    let with_password = url.replace("me@", &format!("me:{ENCODED}@"));
    let folder = tempfile::tempdir().unwrap();
    let exact =
        format!("# mine\n127.0.0.1:1:postgres:me:w\n127.0.0.1:{port}:postgres:me:{ESCAPED}\n*:*:*:*:w\n");
    let named = write(&folder.path().join("named"), &exact, 0o600);
    let wrong = write(&folder.path().join("wrong"), "*:*:*:*:w\n", 0o600);
    write(&folder.path().join(".pgpass"), &format!("*:*:other:*:w\n*:*:*:me:{ESCAPED}\n"), 0o600);
    let home = folder.path().to_str().unwrap();
    // The first of them counts.
    for (url, variables) in [
        (&with_password, vec![("PGPASSWORD", "w"), ("PGPASSFILE", &*wrong)]),
        (&url, vec![("PGPASSWORD", PASSWORD), ("PGPASSFILE", &*wrong)]),
        (&url, vec![("PGPASSFILE", &*named), ("HOME", "/nowhere")]),
        (&url, vec![("HOME", home)]),
    ] {
        let text = opening(url, &variables);
        assert!(text.contains("It opens."), "{variables:?}: {text}");
    }
}

#[test]
fn a_wrong_or_missing_password_is_refused_and_none_is_shown() {
    let Some(server) = server() else { return };
    let url = server.url_at(server.port(), "me");
    let folder = tempfile::tempdir().unwrap();
    let path = |name| folder.path().join(name);
    let wrong = write(&path("wrong"), "*:*:*:*:inc0rrect\n", 0o600);
    // As the programs of PostgreSQL: what others can read is no secret.
    let open = write(&path("open"), &format!("*:*:*:*:{ESCAPED}\n"), 0o644);
    for (url, variables, expected) in [
        (url.replace("me@", "me:inc0rrect@"), vec![], "password authentication failed"),
        (url.clone(), vec![("PGPASSWORD", "inc0rrect")], "password authentication failed"),
        (url.clone(), vec![("PGPASSFILE", &*wrong)], "password authentication failed"),
        (url.clone(), vec![("PGPASSFILE", &*open)], "password missing"),
        (url.clone(), vec![("HOME", "/nowhere")], "password missing"),
    ] {
        let text = opening(&url, &variables);
        assert!(text.contains("Refused") && text.contains(expected), "{variables:?}: {text}");
        assert!(!text.contains("inc0rrect") && !text.contains("cr\\"), "{text}");
    }
}
