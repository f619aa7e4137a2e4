//! The pages of a campaign that several machines share.

use crate::browser::Browser;
use crate::site::{Server, axe, elenchus};
use crate::violations;
use serde_json::json;
use std::process::{Child, Stdio};

/// A process that takes part. It ends when it is dropped.
struct Worker(Child);

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_overview_shows_every_process_of_a_shared_campaign() {
    let (Some(browser), Some(axe)) = (Browser::start(), axe()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("common.db").display());
    let worker = |name: &str, more: &str| {
        let mut command = elenchus();
        command.current_dir(folder.path()).args([
            "fuzz",
            "--store",
            &store,
            "--campaign",
            "nightly",
            "--out",
        ]);
        command.arg(folder.path().join(name)).args(more.split(' ').filter(|word| !word.is_empty()));
        Worker(command.stdout(Stdio::null()).stderr(Stdio::inherit()).spawn().unwrap())
    };
    let _first = worker(
        "first",
        "--solver z3@4.8.7 --solver z3@5.4.0 --strategy grammar --seed 3 --jobs 1 --time 120s --only fuzz",
    );
    let started = std::time::Instant::now();
    let common = folder.path().join("common.db");
    while store::shared::open(&store).is_ok_and(|mut store| store.campaign("nightly").unwrap().is_none()) {
        assert!(started.elapsed().as_secs() < 120, "no campaign in {}", common.display());
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    let _second = worker("second", "--jobs 1 --time 120s --only fuzz");
    let mut command = elenchus();
    command.current_dir(folder.path()).env("ELENCHUS_STORE", &store).args([
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--campaign",
        "nightly",
    ]);
    let server = Server::of(command);
    browser.open(&server.link);
    let working = "[...document.querySelectorAll('#workers tbody tr')].filter(row => row.textContent.includes('working'))";
    browser.wait_for(&format!("return {working}.length === 2"));
    browser.wait_for(&format!("return {working}.every(row => Number(row.lastChild.textContent) > 0)"));
    assert!(browser.text("#state").contains("running"), "{}", browser.text("#state"));
    assert_eq!(violations(&browser, &axe), json!([]));
    browser.open(&format!("{}/campaign", server.address));
    let join = browser.text("#join");
    assert!(
        join.starts_with("elenchus fuzz --store sqlite:") && join.ends_with("--campaign nightly"),
        "{join}"
    );
    assert_eq!(violations(&browser, &axe), json!([]));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
