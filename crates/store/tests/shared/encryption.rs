//! Encrypted connections to a server with a certificate.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use store::StoreError;
use store::shared::{SharedStore, open};
use testing::{Postgres, skip};

/// What to ask for with `openssl`.
const REQUEST: &str = "\
[req]
distinguished_name = name
prompt = no
[name]
CN = a test
[authority]
basicConstraints = critical,CA:TRUE
[server]
basicConstraints = critical,CA:FALSE
subjectAltName = DNS:localhost
";

/// Runs `openssl` with words between spaces.
fn openssl(folder: &Path, words: &str) -> Result<(), String> {
    let output = Command::new("openssl").current_dir(folder).args(words.split(' ')).output();
    let output = output.map_err(|error| format!("openssl: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Writes the certificates of two authorities, and one for `localhost` of the first of them.
fn certify(folder: &Path) -> Result<(), String> {
    fs::write(folder.join("request"), REQUEST).map_err(|error| error.to_string())?;
    let new = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -config request";
    for name in ["first", "second"] {
        let authority = format!("req -x509 {new} -subj /CN={name} -days 2 -extensions authority");
        openssl(folder, &format!("{authority} -keyout {name}.key -out {name}.pem"))?;
    }
    openssl(folder, &format!("req {new} -subj /CN=server -keyout server.key -out server.csr"))?;
    let signed = "-CA first.pem -CAkey first.key -CAcreateserial -days 2 -extfile request -extensions server";
    openssl(folder, &format!("x509 -req -in server.csr {signed} -out server.pem"))
}

/// A server that could encrypt, and does not yet.
struct Setup {
    server: Postgres,
    folder: tempfile::TempDir,
}

impl Setup {
    fn new() -> Option<Setup> {
        let folder = tempfile::tempdir().unwrap();
        if let Err(reason) = certify(folder.path()) {
            skip(reason);
            return None;
        }
        Some(Setup { server: Postgres::start()?, folder })
    }

    fn encrypt(&mut self) -> bool {
        let read = |name| fs::read_to_string(self.folder.path().join(name)).unwrap();
        let (certificate, key) = (read("server.pem"), read("server.key"));
        self.server.encrypt(&certificate, &key)
    }

    /// The certificate of an authority.
    fn authority(&self, name: &str) -> PathBuf {
        self.folder.path().join(name).with_extension("pem")
    }

    fn open(&self, host: &str, query: &str) -> Result<Box<dyn SharedStore>, StoreError> {
        open(&format!("postgres://postgres@{host}:{}/postgres?{query}", self.server.port()))
    }

    /// Why a connection is refused.
    fn error(&self, host: &str, query: &str) -> StoreError {
        match self.open(host, query) {
            Ok(_) => panic!("{host} {query}: it opens"),
            Err(error) => error,
        }
    }

    /// Whether the server encrypts our latest connection.
    fn encrypts(&self) -> bool {
        let mut owner = postgres::Client::connect(&self.server.url(), postgres::NoTls).unwrap();
        let query = "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
            WHERE application_name = 'elenchus' ORDER BY backend_start DESC LIMIT 1";
        owner.query_one(query, &[]).unwrap().get(0)
    }
}

#[test]
fn the_certificate_of_a_server_has_to_be_as_good_as_the_user_wants() {
    let Some(mut setup) = Setup::new() else { return };
    let error = setup.error("127.0.0.1", "sslmode=require");
    assert!(error.to_string().contains("server does not support TLS"), "{error}");
    drop(setup.open("127.0.0.1", "sslmode=prefer").unwrap());
    if !setup.encrypt() {
        return;
    }
    let [first, second] = ["first", "second"].map(|name| setup.authority(name).display().to_string());
    let unknown = &*setup.authority("third").display().to_string();
    for (host, query) in [
        ("127.0.0.1", "sslmode=prefer".to_owned()),
        ("127.0.0.1", "sslmode=require".to_owned()),
        ("127.0.0.1", format!("sslmode=verify-ca&sslrootcert={first}")),
        ("localhost", format!("sslmode=verify-full&sslrootcert={first}")),
    ] {
        let mut store = setup.open(host, &query).unwrap_or_else(|error| panic!("{host} {query}: {error}"));
        assert!(store.campaigns().unwrap().is_empty() && setup.encrypts(), "{host} {query}");
    }
    let issuer = "invalid peer certificate: UnknownIssuer";
    for (host, query, expected) in [
        ("127.0.0.1", format!("sslmode=require&sslrootcert={second}"), issuer),
        ("127.0.0.1", format!("sslmode=verify-ca&sslrootcert={second}"), issuer),
        ("localhost", format!("sslmode=verify-full&sslrootcert={second}"), issuer),
        ("localhost", "sslmode=verify-full".to_owned(), issuer),
        ("127.0.0.1", format!("sslmode=verify-full&sslrootcert={first}"), "not valid for name \"127.0.0.1\""),
        ("localhost", format!("sslmode=verify-full&sslrootcert={unknown}"), unknown),
    ] {
        let error = setup.error(host, &query);
        assert!(error.to_string().contains(expected), "{host} {query}: {error}");
    }
}

#[test]
fn a_server_that_wants_encryption_gets_it() {
    let Some(mut setup) = Setup::new() else { return };
    if !setup.encrypt() {
        return;
    }
    fs::write(setup.server.access_file(), "hostssl all all 127.0.0.1/32 trust\n").unwrap();
    setup.server.restart();
    let error = setup.error("127.0.0.1", "sslmode=disable");
    assert!(matches!(error, StoreError::Refused { .. }), "{error}");
    assert!(error.to_string().contains("no encryption"), "{error}");
    drop(setup.open("127.0.0.1", "sslmode=prefer").unwrap());
    drop(setup.open("127.0.0.1", "sslmode=require").unwrap());
}
