//! What people do with findings and campaigns: the pages follow until it is done.

use crate::browser::Browser;
use crate::site::{Campaign, Server, elenchus};
use serde_json::json;

/// Begins an action on the open page of a finding, and waits until it is over. Returns what it said.
fn act(browser: &Browser, name: &str, title: &str) -> String {
    browser.click(&format!("#actions [value={name}] ~ button"));
    let heading = "document.querySelector('#actions .job h3')?.textContent";
    browser.wait_for(&format!("return /^{title} · (done|failed|stopped)$/.test({heading})"));
    let said = browser.text("#actions .job");
    assert!(said.starts_with(&format!("{title} · done")), "{said}");
    said
}

#[test]
fn every_action_on_a_finding_ends_with_its_result_on_the_page() {
    let Some(browser) = Browser::start() else { return };
    let campaign = Campaign::new();
    let finding = campaign.finding();
    campaign.forget_triage(&finding);
    // Without pip, the releases are those that are installed.
    let server = Server::start_with(campaign.folder.path(), &[], &[("ELENCHUS_PYTHON", "false")]);
    browser.open(&server.link);
    browser.open(&format!("{}/findings/{finding}", server.address));
    browser.run("window.opened = true");
    let bytes = "document.querySelector('#script').textContent.length";
    let before = browser.run(&format!("return {bytes}")).as_u64().unwrap();
    assert_eq!(browser.text("#smallest h2"), "Script");

    let said = act(&browser, "reduce", "Reduce further");
    assert!(said.contains(&finding), "{said}");
    browser.wait_for("return document.querySelector('#smallest h2').textContent === 'Reduced script'");
    let after = browser.run(&format!("return {bytes}")).as_u64().unwrap();
    assert!(after < before, "{after} of {before} bytes");

    let said = act(&browser, "bisect", "Bisect all releases");
    assert!(said.contains("z3@5.4.0: good") && said.contains("\nwrong "), "{said}");
    browser.wait_for("return document.querySelector('#releases .strip .bad') !== null");
    let strip = browser.text("#releases");
    assert!(strip.contains("5.4.0") && strip.contains("wrong"), "{strip}");
    browser.wait_for("return document.querySelector('#report').textContent.includes('4.8.7')");

    let said = act(&browser, "replay", "Replay");
    assert!(said.contains("The bug shows."), "{said}");

    browser.type_into("#actions [name=link]", "https://example.org/issues/7");
    let said = act(&browser, "known", "Mark as known");
    assert!(said.contains("https://example.org/issues/7"), "{said}");
    let known = std::fs::read_to_string(campaign.folder.path().join("elenchus-known.json")).unwrap();
    assert!(known.contains("https://example.org/issues/7"), "{known}");

    // The page is still the one that was opened: it was never loaded again.
    assert_eq!(browser.run("return window.opened"), json!(true));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn two_campaigns_are_compared() {
    let Some(browser) = Browser::start() else { return };
    let campaign = Campaign::new();
    let output = elenchus()
        .args(
            "fuzz --solver z3@5.4.0 --strategy grammar --cases 40 --seed 4 --jobs 1 --coverage --out"
                .split(' '),
        )
        .arg(campaign.folder.path())
        .output()
        .unwrap();
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", String::from_utf8_lossy(&output.stderr));
    let server = Server::start(campaign.folder.path(), &[]);
    browser.open(&server.address);
    let faint = || browser.run("return document.querySelectorAll('#charts .faint').length").as_u64().unwrap();
    assert_eq!(faint(), 0);
    browser.run("document.querySelector('[name=compare]').value = '1'");
    browser.click("form.choices button");
    browser.wait_for("return new URLSearchParams(location.search).get('compare') === '1'");
    // One line for the cases per second, and one for the functions of the solver that both fuzzed.
    assert!(faint() >= 2, "{}", browser.text("#charts"));
    let shown = browser.text("#charts");
    assert!(
        shown.contains("all strategies, campaign 1") && shown.contains("z3@5.4.0, campaign 1"),
        "{shown}"
    );
    assert!(browser.text("#state").contains("campaign 2, seed 4"), "{}", browser.text("#state"));
    // The other way round.
    browser.open(&format!("{}/?campaign=1", server.address));
    browser.run("document.querySelector('[name=compare]').value = '2'");
    browser.click("form.choices button");
    browser.wait_for("return new URLSearchParams(location.search).get('compare') === '2'");
    assert!(browser.text("#state").contains("campaign 1, seed 3"), "{}", browser.text("#state"));
    assert!(browser.text("#charts").contains("campaign 2"), "{}", browser.text("#charts"));
}
