//! Two workers in network namespaces of their own, as on two machines, reach one PostgreSQL over links that can be cut.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use store::shared::{MemberEntry, SharedStore, open};
use testing::Postgres;

/// How long both workers may take together.
const PATIENCE: Duration = Duration::from_secs(240);
/// How long the link of the first worker is cut.
const CUT: Duration = Duration::from_secs(5);

/// Runs `ip` with these arguments. Returns whether it did what it was told.
fn ip(arguments: &str) -> bool {
    let output = Command::new("ip").args(arguments.split(' ')).stderr(Stdio::null()).output();
    output.is_ok_and(|output| output.status.success())
}

/// A network namespace that is linked to this one. It ends when it is dropped.
struct Namespace {
    name: String,
    link: String,
    /// The address of this machine, as the namespace reaches it.
    host: String,
    /// The addresses of both ends.
    network: String,
}

impl Namespace {
    /// Makes the namespace with this number; `None` if this machine does not let us.
    fn new(number: u32) -> Option<Namespace> {
        let own = std::process::id();
        // Names of links are short, and networks of tests at the same time must differ.
        let (name, link, peer) =
            (format!("elenchus-{own}-{number}"), format!("e{own:x}h{number}"), format!("e{own:x}n{number}"));
        let network = format!("10.{}.{}", 200 + number, own % 250);
        let (host, inside) = (format!("{network}.1"), format!("{network}.2"));
        if !ip(&format!("netns add {name}")) {
            return None;
        }
        let namespace = Namespace {
            name: name.clone(),
            link: link.clone(),
            host: host.clone(),
            network: format!("{network}.0/30"),
        };
        let steps = [
            format!("link add {link} type veth peer name {peer} netns {name}"),
            format!("addr add {host}/30 dev {link}"),
            format!("link set {link} up"),
            format!("-n {name} addr add {inside}/30 dev {peer}"),
            format!("-n {name} link set {peer} up"),
            format!("-n {name} link set lo up"),
        ];
        steps.iter().all(|step| ip(step)).then_some(namespace)
    }

    /// Starts a worker inside.
    fn worker(&self, port: u16, folder: &Path) -> Child {
        let url = format!("postgres://postgres@{}:{port}/postgres?sslmode=disable", self.host);
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name]).arg(env!("CARGO_BIN_EXE_elenchus"));
        command
            .args("fuzz --campaign links --solver z3@4.8.7 --solver z3@5.4.0 --strategy grammar".split(' '));
        command.args("--cases 200 --seed 3 --jobs 1 --only fuzz --store".split(' ')).arg(url);
        command.arg("--out").arg(folder.join(&self.name)).env_remove("ELENCHUS_STORE");
        command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::inherit()).spawn().unwrap()
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        ip(&format!("link delete {}", self.link));
        ip(&format!("netns delete {}", self.name));
    }
}

fn members(store: &mut dyn SharedStore) -> Vec<MemberEntry> {
    match store.campaign("links").unwrap() {
        Some(campaign) => store.members(campaign.id).unwrap(),
        None => Vec::new(),
    }
}

#[test]
fn two_workers_reach_one_server_over_links_of_their_own() {
    let [Some(first), Some(second)] = [Namespace::new(0), Namespace::new(1)] else {
        return testing::not_applicable("network namespaces need root");
    };
    let Some(mut server) = Postgres::start_with(&["fsync=off", "listen_addresses=0.0.0.0"]) else { return };
    let mut access = std::fs::read_to_string(server.access_file()).unwrap();
    for namespace in [&first, &second] {
        access.push_str(&format!("host all all {} trust\n", namespace.network));
    }
    std::fs::write(server.access_file(), access).unwrap();
    server.restart();
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(&server.url()).unwrap();
    let mut workers = vec![first.worker(server.port(), folder.path())];
    // Who comes first starts the campaign.
    let begun = Instant::now();
    while members(&mut *store).is_empty() {
        assert!(begun.elapsed() < PATIENCE, "the first worker does not join");
        sleep(Duration::from_millis(100));
    }
    workers.push(second.worker(server.port(), folder.path()));
    assert!(ip(&format!("link set {} down", first.link)));
    sleep(CUT);
    assert!(ip(&format!("link set {} up", first.link)));
    for worker in &mut workers {
        let status = loop {
            if let Some(status) = worker.try_wait().unwrap() {
                break status;
            }
            if begun.elapsed() > PATIENCE {
                worker.kill().unwrap();
            }
            sleep(Duration::from_millis(100));
        };
        assert!(status.code().is_some_and(|code| code < 2), "{status}");
    }
    let joined = members(&mut *store);
    assert_eq!(joined.len(), 2, "{joined:?}");
    assert!(joined.iter().all(|member| member.left), "{joined:?}");
    let campaign = store.campaign("links").unwrap().unwrap();
    assert!(campaign.finished);
    let totals = store.totals(campaign.id).unwrap();
    assert!(totals.cases >= 200, "{totals:?}");
}
