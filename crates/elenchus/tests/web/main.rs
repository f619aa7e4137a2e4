//! The pages of a real campaign in a real browser.

mod actions;
mod browser;
mod shared;
mod site;

use browser::Browser;
use serde_json::{Value, json};
use site::{Campaign, HOSTILE, Server, axe, elenchus};

/// The pages of the menu.
const PAGES: [&str; 7] = ["/", "/findings", "/coverage", "/options", "/seeds", "/solvers", "/campaign"];
const ENTER: &str = "\u{e007}";
const TAB: &str = "\u{e004}";

/// What axe-core finds wrong on the open page.
fn violations(browser: &Browser, axe: &str) -> Value {
    browser.run(axe);
    browser.run_async(
        "async () => (await axe.run({ preload: false })).violations.map(one => one.id + ': ' + one.nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(' | '))",
    )
}

#[test]
fn every_page_is_accessible_in_both_themes_and_on_a_narrow_screen() {
    let (Some(browser), Some(axe)) = (Browser::start(), axe()) else { return };
    let campaign = Campaign::new();
    let server = Server::start(campaign.folder.path(), &[]);
    browser.open(&server.link);
    let own = format!("/findings/{}", campaign.finding());
    let hostile = format!("/findings/{}", campaign.hostile());
    for page in PAGES.into_iter().chain([own.as_str(), hostile.as_str(), "/nowhere"]) {
        for (width, theme) in [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")] {
            browser.resize(width, 900);
            browser.prefer(theme);
            browser.open(&format!("{}{page}", server.address));
            let found = violations(&browser, &axe);
            assert_eq!(found, json!([]), "{page} at {width} px, {theme}");
            let fits = browser.run("return document.scrollingElement.scrollWidth <= innerWidth");
            assert_eq!(fits, json!(true), "{page} is wider than {width} px");
            let colour = browser.run("return getComputedStyle(document.body).backgroundColor");
            assert_eq!(colour == json!("rgb(245, 246, 248)"), theme == "light", "{page}: {colour}");
            let complaints = browser.complaints();
            let expected = usize::from(page == "/nowhere");
            assert_eq!(complaints.len(), expected, "{page}: {complaints:?}");
        }
    }
}

#[test]
fn pages_show_the_campaign_without_scripts() {
    let Some(browser) = Browser::start() else { return };
    let campaign = Campaign::new();
    let server = Server::start(campaign.folder.path(), &[]);
    browser.devtools("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    let finding = campaign.finding();
    let own = format!("/findings/{finding}");
    let table: [(&str, &[&str]); 8] = [
        ("/", &["Cases per second", "80", "grammar", "z3@4.8.7", "Machines", "finished"]),
        ("/findings", &[&finding, "z3@4.8.7", "new", "wrong unsat"]),
        ("/coverage", &["Functions of z3@5.4.0", "smt", "Functions reached, by strategy"]),
        ("/options", &["z3@5.4.0", "Percent of the formulas"]),
        ("/seeds", &["grammar", "a finding"]),
        ("/solvers", &["z3@4.8.7", "Z3", "crashes", "theories"]),
        ("/campaign", &["elenchus fuzz --resume", "timeout", "80"]),
        (
            &own,
            &[
                "Reduced script",
                "check-sat",
                "Why it is wrong",
                "Who says what",
                "Releases",
                "From the seed to the case",
                "Cases",
            ],
        ),
    ];
    for (page, expected) in table {
        browser.open(&format!("{}{page}", server.address));
        let text = browser.text("body");
        for part in expected {
            assert!(text.contains(part), "`{part}` is not on {page}:\n{text}");
        }
    }
    // The filter is a plain form.
    browser.open(&format!("{}/findings", server.address));
    browser.type_into("#search", "hacked");
    browser.click("#filter button");
    assert!(browser.text("caption").starts_with("1 finding"), "{}", browser.text("main"));
}

#[test]
fn findings_are_filtered_sorted_and_searched() {
    let Some(browser) = Browser::start() else { return };
    let campaign = Campaign::new();
    let server = Server::start(campaign.folder.path(), &[]);
    browser.open(&format!("{}/findings", server.address));
    let count = || browser.run("return document.querySelectorAll('#list tbody tr').length").as_u64().unwrap();
    let all = count();
    assert!(all > 1);
    // What findings are filtered by is derived from their folders beside the server.
    browser
        .wait_for("location.reload(); return document.querySelectorAll('[name=theory] option').length > 1");
    for (name, words) in
        [("class", "wrong unsat"), ("solver", "z3@4.8.7"), ("rank", ""), ("theory", ""), ("operator", "")]
    {
        browser.open(&format!("{}/findings", server.address));
        browser.run(&format!(
            "const field = document.querySelector('[name={name}]');
             const wanted = [...field.options].find(option => '{words}' === '' ? option.value : option.value.replace('-', ' ') === '{words}');
             wanted.selected = true"
        ));
        browser.click("#filter button");
        browser.wait_for(&format!("return new URLSearchParams(location.search).get('{name}') !== ''"));
        let found = count();
        assert!((1..=all).contains(&found), "{name}: {found} of {all}");
        let rows = browser
            .run("return [...document.querySelectorAll('#list tbody tr')].map(row => row.textContent)");
        assert!(
            rows.as_array().unwrap().iter().all(|row| row.as_str().unwrap().contains(words)),
            "{name}: {rows}"
        );
    }
    browser.open(&format!("{}/findings?q=no-such-words", server.address));
    assert_eq!(count(), 0);
    browser.open(&format!("{}/findings?order=newest", server.address));
    assert_eq!(count(), all);
    assert!(browser.text("#times").contains("Findings by class"));
}

#[test]
fn text_of_scripts_and_solvers_stays_text() {
    let Some(browser) = Browser::start() else { return };
    let campaign = Campaign::new();
    let server = Server::start(campaign.folder.path(), &[]);
    for page in ["/", "/findings", "/seeds", &format!("/findings/{}", campaign.hostile())] {
        browser.open(&format!("{}{page}", server.address));
        assert_eq!(
            browser.run("return window.hacked === undefined && !document.querySelector('main script')"),
            json!(true)
        );
    }
    let shown = browser.run("return document.querySelector('#script pre').textContent");
    let expected = HOSTILE.replace('\u{1b}', "\\u001b").replace('\u{202e}', "\\u202e");
    assert_eq!(shown, json!(expected));
    assert!(
        browser.text("h1").contains("<script>window.hacked=2</script>\"'&\\u001b"),
        "{}",
        browser.text("h1")
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn people_decide_and_act() {
    let Some(browser) = Browser::start() else { return };
    let campaign = Campaign::new();
    let server = Server::start(campaign.folder.path(), &[]);
    let finding = campaign.finding();
    let page = format!("{}/findings/{finding}", server.address);
    // Without the token there is nothing to press.
    browser.open(&page);
    assert_eq!(browser.run("return document.querySelectorAll('main form').length"), json!(0));
    browser.open(&server.link);
    assert_eq!(browser.run("return location.search"), json!(""));
    browser.open(&page);
    // A report needs its link.
    browser.run("document.querySelector('#workflow [name=status]').value = 'filed'");
    browser.click("#workflow button");
    browser.wait_for("return document.querySelector('#status').textContent.includes('needs a link')");
    browser.run("document.querySelector('#workflow [name=status]').value = 'filed'");
    browser.type_into("#workflow [name=detail]", "https://example.org/issues/1");
    browser.click("#workflow button");
    browser.wait_for("return document.querySelector('#facts').textContent.includes('filed')");
    browser.open(&page);
    assert!(browser.text("#workflow").contains("https://example.org/issues/1"));
    browser.open(&format!("{}/findings?status=filed", server.address));
    assert!(browser.text("#list").contains(&finding));
    // The script and the report are copied.
    browser.devtools(
        "Browser.grantPermissions",
        json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] }),
    );
    browser.open(&page);
    browser.click("[data-copy='#script']");
    browser.wait_for("return document.querySelector('#status').textContent === 'Copied.'");
    let copied = browser.run_async("() => navigator.clipboard.readText()");
    let shown = browser.run("return document.querySelector('#script').textContent");
    assert_eq!(copied, shown);
    // The solvers run again, and the page follows.
    browser.click("#actions [value=replay] ~ button");
    browser.wait_for(
        "return document.querySelector('#actions .job')?.textContent.includes('Replay · done') === true",
    );
    assert!(browser.text("#actions .job").contains("The bug shows."), "{}", browser.text("#actions"));
    assert_eq!(browser.run("return document.querySelectorAll('a[download]').length > 2"), json!(true));
}

#[test]
fn nobody_changes_a_read_only_site() {
    let Some(browser) = Browser::start() else { return };
    let campaign = Campaign::new();
    let server = Server::start(campaign.folder.path(), &["--read-only", "--token", "0123456789abcdef0123"]);
    browser.open(&format!("{}/?token=0123456789abcdef0123", server.address));
    let finding = campaign.finding();
    browser.open(&format!("{}/findings/{finding}", server.address));
    assert_eq!(browser.run("return document.querySelectorAll('main form').length"), json!(0));
    let tried = format!(
        "async () => (await fetch('/api/findings/{finding}/status', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, body: '{{\"status\":\"ready\"}}' }})).status"
    );
    assert_eq!(browser.run_async(&tried), json!(403));
}

#[test]
fn the_theme_and_the_keys_work() {
    let Some(browser) = Browser::start() else { return };
    let campaign = Campaign::new();
    let server = Server::start(campaign.folder.path(), &[]);
    browser.prefer("light");
    browser.open(&format!("{}/findings", server.address));
    let back = || browser.run("return getComputedStyle(document.body).backgroundColor");
    let light = back();
    browser.click("#theme");
    let dark = back();
    assert_ne!(light, dark);
    browser.open(&format!("{}/findings", server.address));
    assert_eq!(back(), dark);
    browser.press("t");
    assert_eq!(back(), light);
    // The first stop of the tabulator leads past the menu.
    browser.press(TAB);
    assert_eq!(browser.run("return document.activeElement.className"), json!("skip"));
    browser.press(ENTER);
    assert_eq!(browser.run("return document.activeElement.id"), json!("main"));
    browser.press("/");
    assert_eq!(browser.run("return document.activeElement.id"), json!("search"));
    browser.run("document.activeElement.blur()");
    browser.press("j");
    browser.press("j");
    browser.press("k");
    let title = browser.run("return document.activeElement.textContent");
    assert_eq!(title, browser.run("return document.querySelector('#list tbody a').textContent"));
    browser.press(ENTER);
    browser.wait_for("return location.pathname.startsWith('/findings/')");
    assert_eq!(browser.run("return document.querySelector('h1').textContent"), title);
}

#[test]
fn the_overview_follows_a_running_campaign() {
    let Some(browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut fuzz = elenchus();
    fuzz.current_dir(folder.path()).args(
        "fuzz --solver z3@4.8.7 --solver z3@5.4.0 --strategy grammar --time 60s --jobs 1 --serve=127.0.0.1:0 --out out".split(' '),
    );
    let server = Server::of(fuzz);
    browser.open(&server.link);
    let cases =
        "Number(document.querySelector('#state li:nth-child(5) strong').textContent.replace(/[^0-9]/g, ''))";
    browser.wait_for(&format!("window.before ??= {cases}; return {cases} > window.before"));
    assert!(browser.text("#state").contains("running"), "{}", browser.text("#state"));
    assert!(browser.text("#workers").contains("working"), "{}", browser.text("#workers"));
    // The page is still the one that was opened: it was never loaded again.
    assert_eq!(browser.run("return typeof window.before"), json!("number"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_same_pages_open_as_files() {
    let (Some(browser), Some(axe)) = (Browser::start(), axe()) else { return };
    let campaign = Campaign::new();
    let pages = campaign.folder.path().join("pages");
    let output = elenchus()
        .args(["report", "--all", "--no-bisect", "--format", "html", "--out"])
        .arg(campaign.folder.path())
        .arg("--to")
        .arg(&pages)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    browser.open(&format!("file://{}", pages.join("index.html").display()));
    assert!(browser.text("#state").contains("finished"));
    for name in ["Findings", "Coverage", "Options", "Seeds", "Solvers", "Campaign", "Findings"] {
        let link = browser.run(&format!(
            "return [...document.querySelectorAll('nav a')].find(link => link.textContent === '{name}').href"
        ));
        browser.open(link.as_str().unwrap());
        assert!(browser.text("h1").contains(name), "{name}: {}", browser.text("main"));
        let colour = browser.run("return getComputedStyle(document.querySelector('.top')).backgroundColor");
        assert_eq!(colour, json!("rgb(255, 255, 255)"), "the styles of {name} are not there");
        assert_eq!(violations(&browser, &axe), json!([]), "{name}");
    }
    browser.type_into("#search", "hacked");
    browser.wait_for("return document.querySelectorAll('#list tbody tr:not([hidden])').length === 1");
    browser.click("#list tbody tr:not([hidden]) a");
    browser.wait_for("return document.querySelector('#script') !== null");
    assert_eq!(browser.run("return window.hacked === undefined"), json!(true));
    assert_eq!(browser.run("return document.querySelectorAll('main form').length"), json!(0));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
