//! The live view on terminals of several sizes.

use super::*;
use crate::statistics::{Statistics, StrategyTally, TargetTally};
use case::{Class, Severity};
use expect_test::{Expect, expect};
use std::time::Duration;

fn finding(class: Class, number: u64, title: &str) -> Listed {
    Listed {
        id: format!("{}-{number:06x}", class.name()),
        class,
        severity: Severity::of(class, false),
        title: title.to_owned(),
        signature: String::new(),
        bug: class.is_bug(),
        solvers: Vec::new(),
        count: number,
        first_seen: number,
        last_seen: number,
        folder: String::new(),
        reduced_bytes: None,
        merged_into: None,
    }
}

/// An hour of a campaign with two solvers, nine strategies and some findings.
fn snapshot() -> Snapshot {
    let target = |runs| TargetTally {
        runs,
        sat: runs / 2,
        unsat: runs / 3,
        timeouts: 97,
        time: runs * 9_900,
        ..TargetTally::default()
    };
    let strategy = |cases| StrategyTally {
        cases,
        answered: cases,
        accepted: cases,
        runs: cases,
        hits: 2,
        ..StrategyTally::default()
    };
    let names =
        ["seeds", "typefuzz", "opfuzz", "swap", "diver", "grammar", "enumerate", "valfuzz", "histfuzz"];
    let targets = [("cvc5@1.4.2", target(1_203_522)), ("z3@5.4.0", target(1_102_589))];
    let statistics = Statistics {
        cases: 2_711_345,
        duplicates: 13,
        busy: 3_600_000_000,
        targets: targets.map(|(id, tally)| (id.to_owned(), tally)).into(),
        strategies: names
            .iter()
            .zip(1..)
            .map(|(name, at)| ((*name).to_owned(), strategy(at * 1000)))
            .collect(),
        ..Statistics::default()
    };
    let mut findings = vec![
        finding(Class::Performance, 9, "cvc5@1.4.2 gives no answer after 4 s; z3@5.4.0 takes 20 ms"),
        finding(Class::WrongUnsat, 1, "cvc5@1.4.2 answers sat, z3@5.4.0 answers unsat"),
    ];
    findings.extend((2..9).map(|number| {
        finding(
            Class::InvalidModel,
            number,
            "z3@5.4.0 fails its own model check: an invalid model was generated",
        )
    }));
    Snapshot {
        elapsed: Duration::from_secs(3_725),
        this_run: (Duration::from_secs(3_725), 2_711_345),
        statistics,
        time: Some(Duration::from_secs(7_200)),
        jobs: 2,
        seeds: 240,
        findings,
        last_find: Some(Duration::from_secs(42)),
        ..Snapshot::default()
    }
}

fn heading() -> Heading {
    let solvers = vec!["z3@5.4.0".to_owned(), "cvc5@1.4.2".to_owned()];
    Heading { solvers, seeds: 240, seed: 123_456_789, folder: "elenchus-out".to_owned() }
}

/// The text of a frame. Every line fits.
fn shown(frame: Frame<'_>, width: usize, height: usize) -> String {
    let lines = lines(frame, width, height);
    assert!(lines.len() <= height, "{} lines for {height}", lines.len());
    assert!(lines.iter().all(|line| line.width() <= width));
    lines.iter().map(|line| line.rendered(false).trim_end().to_owned() + "\n").collect()
}

fn check(width: usize, height: usize, expected: Expect) {
    let (heading, snapshot) = (heading(), snapshot());
    let frame = Frame { heading: &heading, snapshot: &snapshot, note: None, stopping: false, help: false };
    expected.assert_eq(&shown(frame, width, height));
}

#[test]
fn eighty_by_twenty_four() {
    check(
        80,
        24,
        expect![[r#"
        running 1h 02m  57m 55s left  2711345 cases  727.9/s  8 bugs  1 candidate
        last find 42s ago  random seed 123456789  z3@5.4.0 cvc5@1.4.2  240 seeds
        elenchus-out

        wrong-unsat-000001 ×1  cvc5@1.4.2 answers sat, z3@5.4.0 answers unsat
        invalid-model-000008 ×8  z3@5.4.0 fails its own model check: an invalid model w…
        invalid-model-000007 ×7  z3@5.4.0 fails its own model check: an invalid model w…
        invalid-model-000006 ×6  z3@5.4.0 fails its own model check: an invalid model w…
        invalid-model-000005 ×5  z3@5.4.0 fails its own model check: an invalid model w…

        solver         runs     sat   unsat  unknown  timeout  error  crash  ms/run
        cvc5@1.4.2  1203522  601761  401174        0       97      0      0     9.9
        z3@5.4.0    1102589  551294  367529        0       97      0      0     9.9

        strategy   cases  answered  accepted  hits  unusable seeds
        histfuzz    9000    100.0%    100.0%     2               0
        valfuzz     8000    100.0%    100.0%     2               0
        enumerate   7000    100.0%    100.0%     2               0
        grammar     6000    100.0%    100.0%     2               0
        diver       5000    100.0%    100.0%     2               0

        solvers 0.0% of the time  100.0% accepted  13 duplicates skipped  2 workers
        own code 100%
        q stop  p pause  ? help
    "#]],
    );
}

#[test]
fn sixty_by_fifteen() {
    check(
        60,
        15,
        expect![[r#"
            running 1h 02m  57m 55s left  2711345 cases  727.9/s  8 bugs
            1 candidate  last find 42s ago  random seed 123456789

            wrong-unsat-000001 ×1  cvc5@1.4.2 answers sat, z3@5.4.0 ans…
            invalid-model-000008 ×8  z3@5.4.0 fails its own model check…
            invalid-model-000007 ×7  z3@5.4.0 fails its own model check…
            invalid-model-000006 ×6  z3@5.4.0 fails its own model check…

            solver         runs     sat   unsat  timeout  crash  ms/run
            cvc5@1.4.2  1203522  601761  401174       97      0     9.9
            z3@5.4.0    1102589  551294  367529       97      0     9.9

            solvers 0.0% of the time  100.0% accepted
            13 duplicates skipped  2 workers  own code 100%
            q stop  p pause  ? help
        "#]],
    );
}

#[test]
fn a_hundred_and_twenty_by_forty() {
    check(
        120,
        40,
        expect![[r#"
        running 1h 02m  57m 55s left  2711345 cases  727.9/s  8 bugs  1 candidate  last find 42s ago  random seed 123456789
        z3@5.4.0 cvc5@1.4.2  240 seeds  elenchus-out

        wrong-unsat-000001 ×1  cvc5@1.4.2 answers sat, z3@5.4.0 answers unsat
        invalid-model-000008 ×8  z3@5.4.0 fails its own model check: an invalid model was generated
        invalid-model-000007 ×7  z3@5.4.0 fails its own model check: an invalid model was generated
        invalid-model-000006 ×6  z3@5.4.0 fails its own model check: an invalid model was generated
        invalid-model-000005 ×5  z3@5.4.0 fails its own model check: an invalid model was generated
        invalid-model-000004 ×4  z3@5.4.0 fails its own model check: an invalid model was generated
        invalid-model-000003 ×3  z3@5.4.0 fails its own model check: an invalid model was generated
        invalid-model-000002 ×2  z3@5.4.0 fails its own model check: an invalid model was generated
        performance-000009 ×9  cvc5@1.4.2 gives no answer after 4 s; z3@5.4.0 takes 20 ms

        solver         runs     sat   unsat  unknown  timeout  limit  refused  error  crash  ms/run
        cvc5@1.4.2  1203522  601761  401174        0       97      0        0      0      0     9.9
        z3@5.4.0    1102589  551294  367529        0       97      0        0      0      0     9.9

        strategy   cases  answered  accepted  hits  unusable seeds
        histfuzz    9000    100.0%    100.0%     2               0
        valfuzz     8000    100.0%    100.0%     2               0
        enumerate   7000    100.0%    100.0%     2               0
        grammar     6000    100.0%    100.0%     2               0
        diver       5000    100.0%    100.0%     2               0
        swap        4000    100.0%    100.0%     2               0
        opfuzz      3000    100.0%    100.0%     2               0
        typefuzz    2000    100.0%    100.0%     2               0
        seeds       1000    100.0%    100.0%     2               0

        solvers 0.0% of the time  100.0% accepted  13 duplicates skipped  2 workers  own code 100%










        q stop  p pause  ? help
    "#]],
    );
}

#[test]
fn what_matters_is_shown_whole_at_usual_sizes() {
    let (heading, mut snapshot) = (heading(), snapshot());
    snapshot.cases = Some(4_000_000);
    for (width, height) in [(80, 24), (60, 15), (120, 40), (200, 60)] {
        let frame = Frame {
            heading: &heading,
            snapshot: &snapshot,
            note: Some("z3 is restarted"),
            stopping: false,
            help: false,
        };
        let text = shown(frame, width, height);
        for part in [
            "running 1h 02m",
            "57m 55s left",
            "1288655 cases left",
            "2711345 cases",
            "727.9/s",
            "8 bugs",
            "1 candidate",
            "last find 42s ago",
            "random seed 123456789",
            "ms/run",
            "9.9",
            "wrong-unsat-000001 ×1",
            "q stop",
        ] {
            assert!(text.contains(part), "{width}x{height}: {part}\n{text}");
        }
    }
}

#[test]
fn every_size_works() {
    let (heading, snapshot) = (heading(), snapshot());
    for size in 0..60 {
        for help in [false, true] {
            let frame =
                Frame { heading: &heading, snapshot: &snapshot, note: Some("a note"), stopping: help, help };
            shown(frame, size, 60 - size);
            shown(frame, size, size);
        }
    }
}

#[test]
fn the_state_and_the_help_are_shown() {
    let heading = heading();
    let table = [(false, false, "running"), (true, false, "paused"), (true, true, "stopping")];
    for (paused, stopping, expected) in table {
        let snapshot = Snapshot { paused, ..Snapshot::default() };
        let frame = Frame { heading: &heading, snapshot: &snapshot, note: None, stopping, help: true };
        let text = shown(frame, 60, 15);
        assert!(text.starts_with(&format!("{expected} 0s")), "{text}");
        for key in ["q       stop", "p       pause", "?       close"] {
            assert!(text.contains(key), "{text}");
        }
    }
}

#[test]
fn coverage_is_shown_where_it_is_measured() {
    let heading = heading();
    let mut snapshot = snapshot();
    let reach = Reach { points: 20_000, reached: 5_000, ..Reach::default() };
    snapshot.statistics.add_reach("z3@5.4.0", &reach);
    let frame = Frame { heading: &heading, snapshot: &snapshot, note: None, stopping: false, help: false };
    let text = shown(frame, 80, 24);
    assert!(text.contains("coverage of z3@5.4.0: 25.0%, 5000 of 20000"), "{text}");
}

#[test]
fn bugs_are_red_candidates_yellow_and_none_of_them_green() {
    let heading = heading();
    let (some, none) = (snapshot(), Snapshot::default());
    let rendered = |snapshot: &Snapshot| -> String {
        let frame = Frame { heading: &heading, snapshot, note: None, stopping: false, help: false };
        lines(frame, 80, 24).iter().map(|line| line.rendered(true)).collect()
    };
    assert!(
        rendered(&some).contains("\x1b[31m\x1b[1m8 bugs") && rendered(&some).contains("\x1b[33m1 candidate")
    );
    assert!(rendered(&some).contains("\x1b[31m\x1b[1mwrong-unsat-000001"));
    assert!(rendered(&none).contains("\x1b[32m0 bugs") && rendered(&none).contains("\x1b[32m0 candidates"));
}
