//! The scripts of deploy/, with a stand-in for the program and for the network.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A worker that prints how it was called, and ends on SIGTERM.
const PROGRAM: &str = "#!/bin/sh
echo \"worker $* at $ELENCHUS_STORE with $PGPASSWORD\"
trap 'echo leaves; exit 1' TERM
while :; do sleep 0.1; done
";
/// A connection to a host, which is a home folder. It passes no variables on, as ssh does not.
const SSH: &str = "#!/bin/sh
[ \"$1\" = -- ] && [ \"$2\" != gone ] || exit 255
exec env -i PATH=\"$PATH\" HOME=\"$HOSTS/$2\" sh -c \"$3\"
";
const STORE: &str = "postgres://me@host/db?sslmode=verify-full";
/// What no shell may take apart.
const PASSWORD: &str = "it's \"$HOME\" \\ `x`";

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(name)
}

/// A folder with stand-ins.
struct Stage(TempDir);

impl Stage {
    fn new() -> Stage {
        let stage = Stage(tempfile::tempdir().unwrap());
        for (name, text) in [("elenchus", PROGRAM), ("fake-ssh", SSH)] {
            let path = stage.path("bin").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        for host in ["one", "two"] {
            fs::create_dir(stage.path(host)).unwrap();
        }
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(script(name));
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap());
        command.current_dir(self.0.path()).env("PATH", path).env("HOSTS", self.0.path());
        command
    }

    /// Runs `elenchus-hosts` on these hosts. Returns its exit code and its lines, sorted.
    fn hosts(&self, action: &str, hosts: &str, more: &[&str]) -> (Option<i32>, Vec<String>) {
        fs::write(self.path("hosts"), hosts).unwrap();
        let Output { status, stdout, stderr } = self
            .command("ssh/elenchus-hosts")
            .env("ELENCHUS_SSH", "fake-ssh")
            .env("ELENCHUS_STORE", STORE)
            .env("PGPASSWORD", PASSWORD)
            .args([action, "nightly", "hosts"])
            .args(more)
            .output()
            .unwrap();
        let text = String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap();
        // The numbers of processes differ.
        let mut lines: Vec<String> =
            text.lines().map(|line| line.replace(|c: char| c.is_ascii_digit(), "")).collect();
        lines.sort();
        (status.code(), lines)
    }
}

#[test]
fn workers_on_hosts_are_started_once_and_stopped() {
    let stage = Stage::new();
    let hosts = "one\n# a note\n\ntwo\n";
    let both = |line: &str| (Some(0), vec![format!("one: {line}"), format!("two: {line}")]);
    let run = |action| stage.hosts(action, hosts, &["--only", "reduce, bisect"]);
    assert_eq!(run("status"), both("does not run: it was never started"));
    assert_eq!(run("start"), both("started (process )"));
    assert_eq!(run("start"), both("runs already (process )"));
    let said = format!("worker fuzz --campaign nightly --only reduce, bisect at {STORE} with {PASSWORD}");
    assert_eq!(run("status"), both(&format!("runs (process ): {said}")));
    let secret = stage.path("one/.config/elenchus/nightly.env");
    assert_eq!(fs::metadata(secret).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(run("stop"), both("stopped"));
    assert_eq!(run("stop"), both("does not run"));
    assert_eq!(run("status"), both("does not run: leaves"));
    // A host that cannot be reached does not keep the others from being asked.
    assert_eq!(
        stage.hosts("status", "gone\none\n", &[]),
        (Some(1), vec!["one: does not run: leaves".into()])
    );
}

#[test]
fn the_script_for_hosts_says_what_is_missing() {
    let stage = Stage::new();
    fs::write(stage.path("hosts"), "one\n").unwrap();
    let table: [(&[&str], Option<&str>, &str); 4] = [
        (&["start", "nightly"], Some(STORE), "elenchus-hosts start CAMPAIGN HOSTS"),
        (&["restart", "nightly", "hosts"], Some(STORE), "elenchus-hosts start CAMPAIGN HOSTS"),
        (&["start", "../x", "hosts"], Some(STORE), "is no name of a campaign"),
        (&["start", "nightly", "hosts"], None, "set ELENCHUS_STORE"),
    ];
    for (arguments, store, expected) in table {
        let mut command = stage.command("ssh/elenchus-hosts");
        command.env_remove("ELENCHUS_STORE").envs(store.map(|store| ("ELENCHUS_STORE", store)));
        let output = command.args(arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn a_task_of_slurm_leaves_in_time_and_is_no_failure() {
    let stage = Stage::new();
    fs::create_dir_all(stage.path("one/.config/elenchus")).unwrap();
    fs::write(stage.path("one/.config/elenchus/store.env"), format!("ELENCHUS_STORE='{STORE}'\n")).unwrap();
    let log = stage.path("log");
    let mut task = stage
        .command("slurm/elenchus.sbatch")
        .env("HOME", stage.path("one"))
        .env("ELENCHUS_LOCAL", stage.path("local"))
        .env("SLURM_CPUS_PER_TASK", "8")
        .env_remove("PGPASSWORD")
        .args(["nightly", "--only", "fuzz"])
        .stdout(fs::File::create(&log).unwrap())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let said = || fs::read_to_string(&log).unwrap();
    while said().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(30), "the task does not start");
        sleep(Duration::from_millis(50));
    }
    let process = rustix::process::Pid::from_child(&task);
    rustix::process::kill_process(process, rustix::process::Signal::TERM).unwrap();
    let status = task.wait().unwrap();
    // The worker found a bug, which its exit code says.
    assert_eq!(status.code(), Some(0));
    let expected = format!("worker fuzz --campaign nightly --jobs 8 --only fuzz at {STORE} with \nleaves\n");
    assert_eq!(said(), expected);
}
