//! Who may change the database, and which versions fit together.

use crate::places::{finding, found, member, new_campaign};
use postgres::{Client, NoTls};
use std::thread;
use store::StoreError;
use store::shared::{Document, FindingUpdate, NewJob, ROLES, SharedStore, WorkKind, open};
use testing::Postgres;

fn administrator(server: &Postgres, user: &str) -> Client {
    Client::connect(&server.url_at(server.port(), user), NoTls).unwrap()
}

fn open_as(server: &Postgres, user: &str) -> Result<Box<dyn SharedStore>, StoreError> {
    open(&server.url_at(server.port(), user))
}

fn error_of(result: Result<Box<dyn SharedStore>, StoreError>) -> StoreError {
    match result {
        Ok(_) => panic!("it opens"),
        Err(error) => error,
    }
}

#[test]
fn processes_that_come_at_once_migrate_the_database_once() {
    let Some(server) = Postgres::start() else { return };
    thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| open(&server.url()).map(drop).unwrap());
        }
    });
    let versions =
        administrator(&server, "postgres").query("SELECT version FROM elenchus.layout", &[]).unwrap();
    assert_eq!(versions.len(), 1);
}

#[test]
fn an_older_program_refuses_a_newer_layout() {
    let Some(server) = Postgres::start() else { return };
    drop(open(&server.url()).unwrap());
    administrator(&server, "postgres").execute("INSERT INTO elenchus.layout VALUES (99)", &[]).unwrap();
    let error = error_of(open(&server.url()));
    assert!(matches!(error, StoreError::NewerStore { found: 99, .. }) && error.is_lasting(), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("a.db").display());
    drop(open(&url).unwrap());
    let file = rusqlite::Connection::open(folder.path().join("a.db")).unwrap();
    file.pragma_update(None, "user_version", 99).unwrap();
    let error = error_of(open(&url));
    assert!(matches!(error, StoreError::TooNew { version: 99, .. }) && error.is_lasting(), "{error}");
}

#[test]
fn a_file_of_another_program_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("elenchus.db");
    drop(store::Store::open(folder.path()).unwrap());
    let error = error_of(open(&format!("sqlite:{}", path.display())));
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    for url in ["mysql://host/db", "sqlite:", "postgres://me:secret@host/db?sslmode=always"] {
        let error = error_of(open(url));
        assert!(matches!(error, StoreError::BadUrl { .. }), "{error}");
        assert!(!format!("{error}{error:?}").contains("secret"));
    }
}

#[test]
fn a_worker_cannot_change_the_layout_and_a_reader_cannot_write() {
    let Some(server) = Postgres::start() else { return };
    let mut owner = administrator(&server, "postgres");
    owner.batch_execute("CREATE ROLE early LOGIN").unwrap();
    let error = error_of(open_as(&server, "early"));
    assert!(matches!(error, StoreError::OlderStore { .. }) && error.is_lasting(), "{error}");
    drop(open(&server.url()).unwrap());
    owner.batch_execute(ROLES).unwrap();
    owner.batch_execute(ROLES).unwrap();
    let users = "CREATE ROLE w LOGIN IN ROLE elenchus_worker; CREATE ROLE r LOGIN IN ROLE elenchus_reader";
    owner.batch_execute(users).unwrap();

    let mut worker = open_as(&server, "w").unwrap();
    let campaign = worker.create(&new_campaign("c", &[None])).unwrap().id;
    let id = worker.enter(campaign, &member()).unwrap();
    let mut news = found(&[finding("a", 1)]);
    news.statistics = "{}".into();
    news.wishes.push(store::shared::Wish { strategy: 0, turns: 3 });
    let answer = worker.exchange(id, &news).unwrap();
    let name = worker.findings_since(campaign, 0, 9).unwrap().remove(0).id;
    let files = Some(Vec::new());
    let update = FindingUpdate { id: name.clone(), files, ..FindingUpdate::default() };
    worker.update_finding(campaign, &update).unwrap();
    let job = NewJob { kind: WorkKind::Learn, subject: "z3".into(), detail: String::new(), priority: 0 };
    worker.add_jobs(campaign, &[job]).unwrap();
    let job = worker.take_job(id, &WorkKind::JOBS).unwrap().unwrap();
    assert!(worker.keep_job(id, &job).unwrap() && worker.finish_job(id, &job, Some("why")).unwrap());
    let document = Document { kind: "k".into(), name: "n".into(), revision: 0, body: vec![1] };
    assert!(worker.put_document(campaign, &document).unwrap());
    assert!(answer.granted.len() == 1 && worker.exchange(id, &Default::default()).is_ok());
    let mut as_worker = administrator(&server, "w");
    for forbidden in [
        "DROP TABLE elenchus.finding",
        "ALTER TABLE elenchus.finding ADD x integer",
        "DELETE FROM elenchus.finding",
        "DELETE FROM elenchus.occurrence",
        "UPDATE elenchus.seed SET text = ''",
        "TRUNCATE elenchus.campaign",
        "CREATE TABLE elenchus.x (y integer)",
        "INSERT INTO elenchus.layout VALUES (99)",
        "SELECT pgmq.drop_queue('elenchus_reduce')",
    ] {
        assert!(as_worker.batch_execute(forbidden).is_err(), "{forbidden}");
    }

    let mut reader = open_as(&server, "r").unwrap();
    assert_eq!(reader.findings_since(campaign, 0, 9).unwrap().len(), 1);
    assert_eq!(reader.totals(campaign).unwrap().findings, 1);
    assert_eq!(reader.jobs(campaign).unwrap().len(), 2);
    assert!(
        reader.files(campaign, &name).unwrap().is_empty() && reader.members(campaign).unwrap().len() == 1
    );
    let error = reader.enter(campaign, &member()).unwrap_err();
    assert!(matches!(error, StoreError::Refused { .. }) && error.is_lasting(), "{error}");
    assert!(reader.exchange(id, &found(&[finding("b", 1)])).is_err());
    assert!(
        reader.update_finding(campaign, &update).is_err()
            && reader.put_document(campaign, &document).is_err()
    );
}

#[test]
fn a_wrong_password_is_refused_and_not_shown() {
    let Some(mut server) = Postgres::start() else { return };
    administrator(&server, "postgres").batch_execute("ALTER ROLE postgres PASSWORD 'right/@ one'").unwrap();
    std::fs::write(server.access_file(), "host all all 127.0.0.1/32 scram-sha-256\n").unwrap();
    server.restart();
    let url = |password: &str| server.url().replace("postgres@", &format!("postgres:{password}@"));
    drop(open(&url("right%2F%40%20one")).unwrap());
    let error = error_of(open(&url("wrong")));
    let text = format!("{error} {error:?}");
    assert!(matches!(error, StoreError::Refused { .. }) && !text.contains("wrong"), "{text}");
}
