//! Makes the folder of a campaign that ran for years: `large_campaign FOLDER [FINDINGS [SAMPLES]]`. The numbers default to 100,000 and
//! 10,000,000. One finding in a thousand has its folder; the samples are small ones.

use case::Class;
use rusqlite::{Connection, params};
use std::path::Path;
use std::time::Instant;
use store::{Browser, FacetKind, Facets, Status, StatusChange, Store};

/// The beginning of the campaign, in milliseconds since 1970, and the time between two samples.
const BEGIN: i64 = 1_700_000_000_000;
const SAMPLE: i64 = 10_000;

const SOLVERS: [&str; 4] = ["z3@4.8.7", "z3@5.4.0", "cvc5@1.4.2", "cvc5@1.0.0"];
const STRATEGIES: [&str; 6] = ["grammar", "opfuzz", "typefuzz", "fusion", "storm", "diver"];
const OPERATORS: [&str; 8] = ["bvadd", "bvudiv", "str.++", "str.at", "fp.add", "mod", "select", "seq.nth"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(arguments.first().ok_or("name a new folder")?);
    let number = |at: usize, usual: i64| arguments.get(at).map_or(Ok(usual), |text| text.parse());
    let (findings, samples) = (number(1, 100_000)?, number(2, 10_000_000)?);
    let begun = Instant::now();
    let mut store = Store::open(folder)?;
    store.begin(1, "{\"seed\":1,\"jobs\":64,\"timeout\":2000}")?;
    drop(store);
    let mut db = Connection::open(folder.join("elenchus.db"))?;
    // There is nothing to lose, so nothing is written twice.
    db.pragma_update(None, "journal_mode", "OFF")?;
    db.pragma_update(None, "synchronous", "OFF")?;
    let elapsed = samples * SAMPLE;
    let change = db.transaction()?;
    for at in 0..findings {
        let class = Class::ALL[(at * at + at / 7) as usize % Class::ALL.len()];
        let solver = SOLVERS[at as usize % SOLVERS.len()];
        let (name, version) = solver.split_once('@').ok_or("a solver has a release")?;
        let seen = BEGIN + elapsed / findings * at;
        let merged = (at % 10 == 9).then(|| format!("finding-{:06x}", at - 9));
        change
            .prepare_cached(
                "INSERT INTO finding (id, signature, class, title, bug, solvers, count, first_seen, last_seen, folder,
                                      needs_options, reduced_bytes, merged_into)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8 + 1000, ?9, ?10, ?11, ?12)",
            )?
            .execute(params![
                format!("finding-{at:06x}"),
                format!("{class} {solver} [Core] {} {at}", OPERATORS[at as usize % OPERATORS.len()]),
                class.name(),
                format!("{solver} shows {class} with {}", OPERATORS[at as usize % OPERATORS.len()]),
                class.is_bug(),
                serde_json::json!([[solver, name, version]]).to_string(),
                at % 50 + 1,
                seen,
                format!("findings/finding-{at:06x}"),
                at % 3 == 0,
                at % 4000,
                merged,
            ])?;
        change.prepare_cached("INSERT INTO occurrence VALUES (?1, 1, ?2, ?3, 0, ?4)")?.execute(params![
            format!("finding-{at:06x}"),
            STRATEGIES[at as usize % STRATEGIES.len()],
            format!("{:016x}", at % 5000),
            at
        ])?;
    }
    for at in 1..=samples {
        let body = body(at);
        change
            .prepare_cached("INSERT INTO sample VALUES (1, ?1, ?2)")?
            .execute(params![at * SAMPLE, body])?;
    }
    change.execute(
        "UPDATE campaign SET started = ?1, elapsed = ?2, totals = ?3",
        params![BEGIN, elapsed, body(samples)],
    )?;
    change.commit()?;
    db.pragma_update(None, "journal_mode", "WAL")?;
    drop(db);
    let mut browser = Browser::open(folder)?;
    let facets: Vec<Facets> = browser
        .outdated(usize::MAX >> 1)?
        .into_iter()
        .enumerate()
        .map(|(at, entry)| Facets {
            finding: entry.id,
            stamp: entry.stamp,
            values: vec![
                (FacetKind::Solver, SOLVERS[at % SOLVERS.len()].to_owned()),
                (FacetKind::Strategy, STRATEGIES[at % STRATEGIES.len()].to_owned()),
                (FacetKind::Operator, OPERATORS[at % OPERATORS.len()].to_owned()),
                (FacetKind::Operator, OPERATORS[at / 8 % OPERATORS.len()].to_owned()),
                (FacetKind::Theory, "Core".to_owned()),
                (FacetKind::Release, SOLVERS[at % SOLVERS.len()].to_owned()),
            ],
        })
        .collect();
    browser.set_facets(&facets)?;
    for facets in facets.iter().step_by(1000) {
        let own = folder.join("findings").join(&facets.finding);
        std::fs::create_dir_all(&own)?;
        std::fs::write(own.join("case.smt2"), "(declare-const x Int)\n(assert (> x 1))\n(check-sat)\n")?;
        let change = StatusChange { status: Status::Triaging, detail: String::new(), changed: BEGIN as u64 };
        browser.set_status(&facets.finding, &change)?;
    }
    println!("{findings} findings and {samples} samples in {:.0} s", begun.elapsed().as_secs_f64());
    Ok(())
}

/// The counters of a campaign after some samples.
fn body(at: i64) -> String {
    format!(
        "{{\"cases\":{},\"answered\":{},\"busy\":{},\"time\":{{\"cases\":{{\"z3@5.4.0\":{{\"runs\":{at},\"answered\":{},\"unanswered\":{at}}}}}}},\
         \"targets\":{{\"z3@5.4.0\":{{\"runs\":{at},\"sat\":{at},\"unsat\":{at}}}}},\"strategies\":{{\"grammar\":{{\"cases\":{at},\"hits\":{}}}}}}}",
        at * 300,
        at * 250,
        at * 640_000_000,
        at * 500_000_000,
        at / 100
    )
}
