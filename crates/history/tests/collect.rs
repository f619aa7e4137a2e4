//! Collecting formulas: what is written, and what survives interruptions and hostile text.

mod server;

use history::{CollectError, CollectSettings, Event, Limits, collect};
use serde_json::json;
use server::{
    FakeClock, Fault, World, expected, files, formula, issue, many, run, run_with_skips, serve, settings,
    text,
};

#[test]
fn formulas_come_from_bodies_comments_and_attachments() {
    let server = serve(World::default());
    let comment = |text: &str| json!({"id": 1, "body": text});
    let base = &server.address;
    let comments = vec![
        comment("Thanks."),
        comment(&format!(
            "$ see\n```\n$ cat b.smt2\n{}$ z3 smt.arith.solver=2 b.smt2\nunsat\n```",
            formula(77)
        )),
        comment(&format!(
            "[b.smt2]({base}/files/5/b.smt2) and [gone]({base}/files/6/gone.txt), [zip]({base}/files/7/a.zip)"
        )),
    ];
    server.update(|world| {
        world.comments.insert(1, comments);
        world.issues = vec![
            issue(1, "Crash in rewriter", "11", 3),
            issue(2, "Feature request: faster", "12", 0),
            json!({"number": 3, "title": "Fix crash", "updated_at": "2026-01-13T00:00:00Z", "pull_request": {}}),
            json!({"number": 4, "title": "Crash", "updated_at": "2026-01-14T00:00:00Z", "body": null, "labels": []}),
        ];
        world.file("/files/5/b.smt2", &formula(55));
    });
    let out = tempfile::tempdir().unwrap();
    let (result, skipped) = run_with_skips(&settings(&server, out.path()), &mut FakeClock::default());
    let collected = result.unwrap();
    assert_eq!((collected.issues, collected.bugs, collected.formulas), (4, 2, 3));
    assert_eq!((collected.skipped, skipped), (1, vec!["it does not exist".to_owned()]));
    assert_eq!(files(out.path()), ["1-0.smt2", "1-1.smt2", "1-2.smt2"]);
    let texts: Vec<String> = files(out.path()).iter().map(|name| text(out.path(), name)).collect();
    assert!(texts[0].starts_with("; issue: o/z3#1\n; class: crash\n"), "{}", texts[0]);
    for (text, number) in texts.iter().zip([1, 77, 55]) {
        assert!(text.ends_with(&formula(number)), "{text}");
    }
    assert!(texts[1].contains("; solver: z3\n; options: smt.arith.solver=2\n"), "{}", texts[1]);
    // Mining reads back all that is known.
    let paths: Vec<_> = files(out.path()).iter().map(|name| out.path().join("o/z3").join(name)).collect();
    let read = history::read(&paths).unwrap();
    assert_eq!(read.len(), 3);
    assert_eq!(read[1].solver.as_deref(), Some("z3"));
    assert_eq!(read[1].options, [("smt.arith.solver".to_owned(), "2".to_owned())]);
}

#[test]
fn malformed_settings_are_refused_before_any_request() {
    let server = serve(World::default());
    let out = tempfile::tempdir().unwrap();
    let good = settings(&server, out.path());
    let with = |change: &dyn Fn(&mut CollectSettings)| {
        let mut settings = good.clone();
        change(&mut settings);
        collect(&settings, &mut FakeClock::default(), &mut |_| {}).unwrap_err()
    };
    for name in ["z3", "a/b/c", "../x", "a/..", "a b/c"] {
        let error = with(&|settings| settings.repositories = vec![name.to_owned()]);
        assert!(matches!(error, CollectError::Repository(_)), "{name}: {error}");
    }
    for api in ["api.github.com", "ftp://api.github.com", "https://me@api.github.com", "https://"] {
        let error = with(&|settings| settings.api = api.to_owned());
        assert!(matches!(error, CollectError::Address { .. }), "{api}: {error}");
    }
    let error = with(&|settings| settings.attachment_hosts = vec!["me@host".to_owned()]);
    assert!(matches!(error, CollectError::Address { .. }), "{error}");
    let error = with(&|settings| settings.token = Some("two\nlines".to_owned()));
    assert!(matches!(error, CollectError::Token), "{error}");
    assert_eq!(server.targets(), [""; 0]);
}

#[test]
fn issues_that_change_during_the_run_are_neither_lost_nor_stale() {
    let mut world = World { issues: many(), ..World::default() };
    // After the first page, an issue on it changes, which shifts all later pages by one.
    world.changes.push((
        1,
        Box::new(|world: &mut World| {
            world.issues[0]["updated_at"] = json!("2026-02-01T00:00:00Z");
            world.issues[0]["body"] = json!(format!("```\n{}```", formula(100)));
        }),
    ));
    world.changes.push((3, Box::new(|world: &mut World| world.issues.push(issue(10, "Crash", "31", 0)))));
    let server = serve(world);
    let out = tempfile::tempdir().unwrap();
    run(&server, out.path(), &mut FakeClock::default()).unwrap();
    assert_eq!(files(out.path()), expected(1..=10));
    let text = text(out.path(), "1-0.smt2");
    assert!(text.ends_with(&formula(100)), "{text}");
}

#[test]
fn many_issues_of_one_moment_are_paged_through() {
    let issues = (1..=8).map(|number| issue(number, "Invalid model", "11", 0)).collect();
    let server = serve(World { issues, ..World::default() });
    let out = tempfile::tempdir().unwrap();
    run(&server, out.path(), &mut FakeClock::default()).unwrap();
    assert_eq!(files(out.path()), expected(1..=8));
}

#[test]
fn a_failed_run_continues_and_a_later_one_asks_only_for_news() {
    // Whichever request the run fails at, the next one completes it without asking for anything twice.
    for fails_at in 1..6 {
        let mut world = World { issues: many(), ..World::default() };
        world.changes.push((fails_at, Box::new(|world: &mut World| world.faults = vec![Fault::Silence; 8])));
        let server = serve(world);
        let out = tempfile::tempdir().unwrap();
        let mut clock = FakeClock::default();
        let first = run(&server, out.path(), &mut clock);
        let before = files(out.path()).len() as u64;
        let second = run(&server, out.path(), &mut clock).unwrap();
        assert_eq!(files(out.path()), expected(1..=9));
        match first {
            Err(_) => assert_eq!(second.formulas + before, 9, "failed at {fails_at}"),
            Ok(first) => assert_eq!((first.formulas, second.formulas), (9, 0)),
        }
        // Nothing is new: one request, answered with 304.
        let third = run(&server, out.path(), &mut clock).unwrap();
        assert_eq!((third.requests, third.issues), (1, 0));
        server.update(|world| world.issues.push(issue(11, "Segfault", "28", 0)));
        let fourth = run(&server, out.path(), &mut clock).unwrap();
        assert_eq!((fourth.issues, fourth.formulas), (1, 1));
    }
}

#[test]
fn a_run_killed_in_the_middle_of_a_page_loses_nothing() {
    let server = serve(World { issues: many(), ..World::default() });
    let out = tempfile::tempdir().unwrap();
    let settings = CollectSettings { page: 5, ..settings(&server, out.path()) };
    // A panic ends the run between two issues, as a signal would: nothing is cleaned up.
    let killed = std::panic::catch_unwind(|| {
        let mut report = |event: &Event| match event {
            Event::Issue(progress) => assert!(progress.issue < 3, "killed"),
            Event::Skipped { .. } => {}
        };
        collect(&settings, &mut FakeClock::default(), &mut report)
    });
    assert!(killed.is_err());
    assert_eq!(files(out.path()), expected(1..=3));
    let collected = collect(&settings, &mut FakeClock::default(), &mut |_| {}).unwrap();
    assert_eq!(collected.formulas, 6);
    assert_eq!(files(out.path()), expected(1..=9));
}

#[test]
fn a_line_break_in_a_time_injects_nothing() {
    let mut hostile = issue(1, "Crash", "11", 0);
    hostile["updated_at"] = json!("2026-01-11T00:00:00Z\n(set-option :regular-output-channel \"x\")");
    let server = serve(World { issues: vec![hostile], ..World::default() });
    let out = tempfile::tempdir().unwrap();
    let error = run(&server, out.path(), &mut FakeClock::default()).unwrap_err();
    assert!(matches!(error, CollectError::Unexpected { .. }), "{error}");
    assert!(!error.to_string().contains('\n'), "{error}");
    assert_eq!(files(out.path()), [""; 0]);
}

#[test]
fn line_breaks_in_other_fields_inject_nothing() {
    let mut hostile = issue(1, "Crash\n(exit)", "11", 0);
    hostile["labels"] = json!([{"name": "crash\n(exit)"}, "bug\n(exit)"]);
    hostile["body"] = json!(format!("```\n$ z3 a=b\u{2028}(exit) c=d\u{b}(exit) b.smt2\n{}```", formula(1)));
    let server = serve(World { issues: vec![hostile], ..World::default() });
    let out = tempfile::tempdir().unwrap();
    run(&server, out.path(), &mut FakeClock::default()).unwrap();
    let text = text(out.path(), "1-0.smt2");
    let script: Vec<&str> = text.lines().filter(|line| !line.starts_with(';')).collect();
    assert_eq!(script.join("\n") + "\n", formula(1), "{text}");
}

#[test]
fn commands_that_open_files_are_not_collected() {
    let redirecting = "(set-option :regular-output-channel \"out.txt\")\n(set-option :produce-models true)\n\
         (set-option :diagnostic-output-channel \"err.txt\")\n(set-option :trace_file_name \"trace\")\n\
         (set-option :dump-to true)\n(include \"other.smt2\")\n";
    let mut hostile = issue(1, "Crash", "11", 0);
    hostile["body"] = json!(format!(
        "```\n$ z3 trace_file_name=x smt.arith.solver=2 a.smt2\n{redirecting}{}```",
        formula(1)
    ));
    let server = serve(World { issues: vec![hostile], ..World::default() });
    let out = tempfile::tempdir().unwrap();
    run(&server, out.path(), &mut FakeClock::default()).unwrap();
    let text = text(out.path(), "1-0.smt2");
    let kept = format!("; options: smt.arith.solver=2\n(set-option :produce-models true)\n{}", formula(1));
    assert!(text.ends_with(&kept), "{text}");
}

#[test]
fn endless_comments_stop_the_run() {
    let mut world = World { issues: vec![issue(1, "Crash", "11", 1)], ..World::default() };
    world.comments.insert(1, vec![json!({"body": "again"})]);
    world.endless.push("/repos/o/z3/issues/1/comments");
    let server = serve(world);
    let out = tempfile::tempdir().unwrap();
    let error = run(&server, out.path(), &mut FakeClock::default()).unwrap_err();
    assert_eq!(error.to_string(), "stopped after 100 pages of comments on one issue");
    assert_eq!(server.targets().len(), 101);
}

#[test]
fn endless_pages_of_one_moment_stop_the_run() {
    let server = serve(World {
        issues: vec![issue(1, "Help", "11", 0)],
        endless: vec!["/repos/o/z3/issues"],
        ..World::default()
    });
    let out = tempfile::tempdir().unwrap();
    let error = run(&server, out.path(), &mut FakeClock::default()).unwrap_err();
    assert_eq!(error.to_string(), "stopped after 100 pages of issues that changed at one moment");
}

#[test]
fn formulas_and_attachments_of_one_issue_are_limited() {
    let server = serve(World::default());
    let links: Vec<String> = (0..9).map(|at| format!("{}/files/{at}/a.txt", server.address)).collect();
    server.update(|world| {
        let mut hostile = server::linking(1, &links);
        let blocks: Vec<String> = (0..9).map(|number| format!("```\n{}```\n", formula(number))).collect();
        hostile["body"] = json!(format!("{}\n\n{}", hostile["body"].as_str().unwrap(), blocks.concat()));
        world.issues.push(hostile);
    });
    let out = tempfile::tempdir().unwrap();
    let limits = Limits { formulas: 4, attachments: 2, ..Limits::default() };
    let settings = CollectSettings { limits, ..settings(&server, out.path()) };
    let (result, skipped) = run_with_skips(&settings, &mut FakeClock::default());
    assert_eq!(result.unwrap().formulas, 4);
    assert_eq!(files(out.path()).len(), 4);
    let missing = "it does not exist";
    assert_eq!(skipped, [missing, missing, "more than 2 attachments", "more than 4 formulas"]);
}
