//! Requests: faults are waited out within limits, and strangers' links reach neither the token nor other servers.

mod server;

use flate2::Compression;
use flate2::write::GzEncoder;
use history::{CollectError, CollectSettings, Limits};
use server::{
    FakeClock, Fault, Server, World, dead_address, expected, files, formula, issue, linking, many, run,
    run_with_skips, serve, serve_on, settings,
};
use std::io::Write;
use std::net::TcpListener;

const TOKEN: Option<&str> = Some("Bearer secret");

fn status(status: u16, headers: &[(&'static str, &str)]) -> Fault {
    Fault::Status(status, headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect())
}

fn redirect(target: &str) -> server::Fixed {
    (302, vec![("location", target.to_owned())], Vec::new())
}

/// The tokens that a server got, one for each request.
fn tokens(server: &Server) -> Vec<Option<String>> {
    server.log().into_iter().map(|request| request.token).collect()
}

/// A server with one file, as an attachment host or an attacker.
fn file_server() -> Server {
    let mut world = World::default();
    world.file("/files/1/a.txt", &formula(7));
    serve(world)
}

#[test]
fn faults_are_waited_out() {
    // Faults, and the seconds waited for them.
    let table: Vec<(Vec<Fault>, Vec<u64>)> = vec![
        (vec![], vec![]),
        (vec![status(429, &[("retry-after", "7")])], vec![7]),
        (vec![status(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1300")])], vec![301]),
        (vec![status(429, &[])], vec![60]),
        (vec![status(502, &[]), status(500, &[]), status(503, &[])], vec![1, 2, 4]),
        (vec![Fault::Cut, Fault::Silence, Fault::Cut], vec![1, 2, 4]),
        (vec![status(500, &[]), status(403, &[("retry-after", "30")]), Fault::Silence], vec![1, 30, 4]),
    ];
    for (faults, waits) in table {
        let server = serve(World { issues: many(), faults: faults.clone(), ..World::default() });
        let out = tempfile::tempdir().unwrap();
        let mut clock = FakeClock::default();
        let collected = run(&server, out.path(), &mut clock).unwrap();
        assert_eq!(files(out.path()), expected(1..=9), "{faults:?}");
        assert_eq!((clock.waits, collected.formulas), (waits, 9), "{faults:?}");
    }
}

#[test]
fn an_exhausted_rate_limit_delays_the_next_request() {
    let server = serve(World { issues: many(), exhausted_at: Some((2, 1600)), ..World::default() });
    let out = tempfile::tempdir().unwrap();
    let mut clock = FakeClock::default();
    run(&server, out.path(), &mut clock).unwrap();
    assert_eq!(clock.waits, [601]);
    assert_eq!(files(out.path()), expected(1..=9));
}

#[test]
fn lasting_faults_are_reported() {
    let table = [
        (vec![status(401, &[])], "status 401", "GITHUB_TOKEN"),
        (vec![status(403, &[])], "status 403", "GITHUB_TOKEN"),
        (vec![status(418, &[])], "status 418", "GITHUB_TOKEN"),
        (vec![Fault::Silence; 8], "cannot fetch", "run the same command again"),
    ];
    for (faults, message, hint) in table {
        let server = serve(World { issues: many(), faults, ..World::default() });
        let out = tempfile::tempdir().unwrap();
        let error = run(&server, out.path(), &mut FakeClock::default()).unwrap_err();
        assert!(error.to_string().contains(message) && error.hint().contains(hint), "{error}");
    }
}

#[test]
fn waits_beyond_the_limits_end_the_run() {
    // A pause that is too long ends the run at once, also where the number overflows.
    for seconds in ["86400", "18446744073709551615"] {
        let long = [
            (vec![status(429, &[("retry-after", seconds)])], None),
            (vec![status(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", seconds)])], None),
            (vec![], Some((1, seconds.parse().unwrap()))),
        ];
        for (faults, exhausted_at) in long {
            let server = serve(World { issues: many(), faults, exhausted_at, ..World::default() });
            let out = tempfile::tempdir().unwrap();
            let mut clock = FakeClock::default();
            let error = run(&server, out.path(), &mut clock).unwrap_err();
            assert!(matches!(error, CollectError::LongWait { .. }), "{error}");
            assert_eq!(clock.waits, [0; 0]);
        }
    }
    // Many short pauses add up.
    let faults = vec![status(429, &[("retry-after", "40")]); 7];
    let server = serve(World { issues: many(), faults, ..World::default() });
    let out = tempfile::tempdir().unwrap();
    let limits = Limits { waiting: 100, ..Limits::default() };
    let mut clock = FakeClock::default();
    let (result, _) =
        run_with_skips(&CollectSettings { limits, ..settings(&server, out.path()) }, &mut clock);
    assert_eq!(result.unwrap_err().to_string(), "stopped after 100 seconds of waiting");
    assert_eq!(clock.waits, [40, 40]);
}

#[test]
fn requests_and_bytes_are_limited() {
    let table = [
        (Limits { requests: 2, ..Limits::default() }, "stopped after 2 requests"),
        (Limits { bytes: 10, ..Limits::default() }, "stopped after 10 received bytes"),
        (Limits { answer_bytes: 10, ..Limits::default() }, "it is larger than 10 bytes"),
    ];
    for (limits, message) in table {
        let server = serve(World { issues: many(), ..World::default() });
        let out = tempfile::tempdir().unwrap();
        let settings = CollectSettings { limits, ..settings(&server, out.path()) };
        let error = run_with_skips(&settings, &mut FakeClock::default()).0.unwrap_err();
        assert!(error.to_string().ends_with(message), "{error}");
        // The next run continues where this one stopped.
        assert!(run(&server, out.path(), &mut FakeClock::default()).is_ok());
        assert_eq!(files(out.path()), expected(1..=9));
    }
}

#[test]
fn links_to_other_hosts_are_not_followed() {
    let other = file_server();
    let api = serve(World::default());
    let (api_host, other_host) =
        (api.address.trim_start_matches("http://"), other.address.trim_start_matches("http://"));
    let links = [
        format!("{}/files/1/a.txt", other.address),
        format!("http://{api_host}@{other_host}/files/1/a.txt"),
        format!("{}/files/1/a.txt", other.address.replace("127.0.0.1", "localhost")),
    ];
    api.update(|world| world.issues.push(linking(1, &links)));
    let out = tempfile::tempdir().unwrap();
    let (result, skipped) = run_with_skips(&settings(&api, out.path()), &mut FakeClock::default());
    assert_eq!((result.unwrap().formulas, skipped.len()), (0, 3), "{skipped:?}");
    assert_eq!(other.targets(), [""; 0]);
}

#[test]
fn a_listed_attachment_host_does_not_get_the_token() {
    let other = file_server();
    let link = format!("{}/files/1/a.txt", other.address);
    let api = serve(World { issues: vec![linking(1, &[link])], ..World::default() });
    let out = tempfile::tempdir().unwrap();
    let settings =
        CollectSettings { attachment_hosts: vec![other.address.clone()], ..settings(&api, out.path()) };
    let (result, skipped) = run_with_skips(&settings, &mut FakeClock::default());
    assert_eq!((result.unwrap().formulas, skipped.len()), (1, 0), "{skipped:?}");
    assert_eq!(tokens(&other), [None]);
    assert!(tokens(&api).iter().all(|token| token.as_deref() == TOKEN));
}

/// Two listeners on loopback, where the port of the second begins with the port of the first, such as 1808 and 18080.
fn ports_with_a_common_prefix() -> (TcpListener, TcpListener) {
    let bind = |port: u16| TcpListener::bind(("127.0.0.1", port)).ok();
    (1100..6500).find_map(|port| bind(port).zip(bind(port * 10))).expect("free ports")
}

#[test]
fn a_port_that_begins_like_the_apis_does_not_get_the_token() {
    let (first, second) = ports_with_a_common_prefix();
    let mut world = World::default();
    world.file("/files/1/a.txt", &formula(7));
    let other = serve_on(second, world);
    let link = format!("{}/files/1/a.txt", other.address);
    let api = serve_on(first, World { issues: vec![linking(1, &[link])], ..World::default() });
    assert!(other.address.starts_with(&api.address));
    for attachment_hosts in [vec![], vec![other.address.clone()]] {
        let out = tempfile::tempdir().unwrap();
        let settings = CollectSettings { attachment_hosts, ..settings(&api, out.path()) };
        run_with_skips(&settings, &mut FakeClock::default()).0.unwrap();
    }
    assert_eq!(tokens(&other), [None]);
}

#[test]
fn attachments_of_the_api_host_are_fetched_without_the_token() {
    let api = serve(World::default());
    let links = [format!("{}/files/1/a.txt", api.address), format!("{}/files/2/b.txt", api.address)];
    api.update(|world| {
        world.issues.push(linking(1, &links));
        world.file("/files/1/a.txt", &formula(7));
        world.fixed.insert("/files/2/b.txt".to_owned(), redirect("/moved/b.txt"));
        world.file("/moved/b.txt", &formula(8));
    });
    let out = tempfile::tempdir().unwrap();
    assert_eq!(run(&api, out.path(), &mut FakeClock::default()).unwrap().formulas, 2);
    for request in api.log() {
        let is_api = request.target.starts_with("/repos/");
        assert_eq!(request.token.as_deref(), TOKEN.filter(|_| is_api), "{request:?}");
    }
}

#[test]
fn redirects_to_other_servers_are_refused() {
    let other = file_server();
    let target = format!("{}/files/1/a.txt", other.address);
    // Of the API, of the next page, and of an attachment.
    let api = serve(World::default());
    api.update(|world| {
        world.fixed.insert("/repos/o/z3/issues".to_owned(), redirect(&target));
    });
    let out = tempfile::tempdir().unwrap();
    let error = run(&api, out.path(), &mut FakeClock::default()).unwrap_err();
    assert!(error.to_string().contains("redirect refused"), "{error}");

    let next = vec![("link", format!("<{target}>; rel=\"next\""))];
    let issues = serde_json::to_vec(&[issue(1, "Help", "11", 0)]).unwrap();
    api.update(|world| {
        world.fixed.insert("/repos/o/z3/issues".to_owned(), (200, next, issues));
    });
    let error = run(&api, out.path(), &mut FakeClock::default()).unwrap_err();
    assert!(error.to_string().contains("is not the server of the API"), "{error}");

    let link = format!("{}/files/9/a.txt", api.address);
    api.update(|world| {
        world.fixed.clear();
        world.fixed.insert("/files/9/a.txt".to_owned(), redirect(&target));
        world.issues = vec![linking(2, &[link])];
    });
    let out = tempfile::tempdir().unwrap();
    let (result, skipped) = run_with_skips(&settings(&api, out.path()), &mut FakeClock::default());
    assert_eq!(result.unwrap().skipped, 1);
    assert!(skipped[0].contains("redirect refused"), "{skipped:?}");
    assert_eq!(other.targets(), [""; 0]);

    // The user may list the target; it does not get the token.
    let out = tempfile::tempdir().unwrap();
    let settings =
        CollectSettings { attachment_hosts: vec![other.address.clone()], ..settings(&api, out.path()) };
    assert_eq!(run_with_skips(&settings, &mut FakeClock::default()).0.unwrap().formulas, 1);
    assert_eq!(tokens(&other), [None]);
}

#[test]
fn redirects_within_the_api_are_followed_with_the_token() {
    let moved = serde_json::to_vec(&many()).unwrap();
    let api = serve(World::default());
    api.update(|world| {
        world.fixed.insert("/repos/o/z3/issues".to_owned(), redirect("/repositories/1/issues"));
        world.fixed.insert("/repositories/1/issues".to_owned(), (200, Vec::new(), moved));
    });
    let out = tempfile::tempdir().unwrap();
    run(&api, out.path(), &mut FakeClock::default()).unwrap();
    assert_eq!(files(out.path()), expected(1..=9));
    assert!(tokens(&api).iter().all(|token| token.as_deref() == TOKEN));
    // A loop of redirects ends.
    api.update(|world| {
        world.fixed.insert("/repos/o/z3/issues".to_owned(), redirect("/repos/o/z3/issues"));
    });
    let error = run(&api, out.path(), &mut FakeClock::default()).unwrap_err();
    assert!(error.to_string().ends_with("more than 5 redirects"), "{error}");
}

fn gzipped(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn attachments_that_make_trouble_are_skipped() {
    let long_pause = (429, vec![("retry-after", "86400".to_owned())], Vec::new());
    let short_pause = (429, vec![("retry-after", "5".to_owned())], Vec::new());
    let bomb = gzipped(&" ".repeat(100_000));
    assert!(bomb.len() < 1000);
    let large = (200, Vec::new(), vec![b' '; 1001]);
    // An attachment, the requests made for it, and the seconds waited.
    let table: [(server::Fixed, usize, &[u64], &str); 7] = [
        (long_pause, 1, &[], "the server asks for a pause (86400 s)"),
        (short_pause, 2, &[5], "the server asks for a pause"),
        ((503, Vec::new(), Vec::new()), 2, &[1], "the server answered with status 503"),
        ((404, Vec::new(), Vec::new()), 1, &[], "it does not exist"),
        ((403, Vec::new(), Vec::new()), 1, &[], "refused with status 403"),
        (large, 1, &[], "it is larger than 1000 bytes"),
        ((200, vec![("content-encoding", "gzip".to_owned())], bomb), 1, &[], "it is larger than 1000 bytes"),
    ];
    for (answer, requests, waits, reason) in table {
        let api = serve(World::default());
        let link = format!("{}/files/1/a.txt", api.address);
        api.update(|world| {
            world.issues.push(linking(1, &[link]));
            world.fixed.insert("/files/1/a.txt".to_owned(), answer);
        });
        let out = tempfile::tempdir().unwrap();
        // The limit on all bytes shows that reading stops early: the bomb alone would exceed it.
        let limits = Limits { attachment_bytes: 1000, bytes: 50_000, ..Limits::default() };
        let mut clock = FakeClock::default();
        let (result, skipped) =
            run_with_skips(&CollectSettings { limits, ..settings(&api, out.path()) }, &mut clock);
        assert_eq!(result.unwrap().skipped, 1);
        assert_eq!((skipped[0].as_str(), &clock.waits[..]), (reason, waits));
        let made = api.targets().iter().filter(|target| target.starts_with("/files/")).count();
        assert_eq!(made, requests, "{reason}");
    }
}

#[test]
fn dead_links_are_tried_twice() {
    let dead = dead_address();
    let api =
        serve(World { issues: vec![linking(1, &[format!("{dead}/files/1/a.txt")])], ..World::default() });
    let out = tempfile::tempdir().unwrap();
    let settings = CollectSettings { attachment_hosts: vec![dead], ..settings(&api, out.path()) };
    let mut clock = FakeClock::default();
    let (result, skipped) = run_with_skips(&settings, &mut clock);
    assert_eq!((result.unwrap().requests, skipped.len(), clock.waits), (4, 1, vec![1]));
}

#[test]
fn an_attachment_cannot_delay_the_api() {
    let api = serve(World::default());
    let link = format!("{}/files/1/a.txt", api.address);
    let mut issues = many();
    issues[0] = linking(1, &[link]);
    let exhausted =
        vec![("x-ratelimit-remaining", "0".to_owned()), ("x-ratelimit-reset", "999999".to_owned())];
    api.update(|world| {
        world.issues = issues;
        world.fixed.insert("/files/1/a.txt".to_owned(), (200, exhausted, formula(1).into_bytes()));
    });
    let out = tempfile::tempdir().unwrap();
    let mut clock = FakeClock::default();
    run(&api, out.path(), &mut clock).unwrap();
    assert_eq!((files(out.path()), clock.waits), (expected(1..=9), vec![]));
}
