//! A real campaign, the server that shows it, and the checker of accessibility.

use case::{Class, Evidence, Finding, Signature};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{LazyLock, Mutex};
use store::{Store, Texts};

/// A script that would be a program if it were not text.
pub const HOSTILE: &str = "(set-info :source |</pre><script>window.hacked=1</script>|)\n(assert (= \"&amp;'\" \"\u{1b}[31m\u{202e}\"))\n(check-sat)\n";
/// A name that would be one, too.
pub const HOSTILE_NAME: &str = "z3<script>window.hacked=2</script>\"'&\u{1b}";

/// The program.
pub fn elenchus() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
    command.env_remove("ELENCHUS_TOKEN");
    command
}

/// The folder of a campaign of real solvers, made once. Nobody may change it.
static CAMPAIGN: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("web");
    // That of the last run.
    let _ = std::fs::remove_dir_all(&folder);
    let output = elenchus()
        .args("fuzz --solver z3@4.8.7 --solver z3@5.4.0 --strategy grammar --cases 80 --seed 3 --jobs 1 --coverage --out".split(' '))
        .arg(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    add_hostile_finding(&folder);
    folder
});

/// A copy of the campaign.
pub struct Campaign {
    pub folder: tempfile::TempDir,
}

impl Campaign {
    pub fn new() -> Campaign {
        let folder = tempfile::tempdir().unwrap();
        let copied =
            Command::new("cp").arg("-r").arg(CAMPAIGN.join(".")).arg(folder.path()).status().unwrap();
        assert!(copied.success());
        Campaign { folder }
    }

    /// The name of the most severe finding.
    pub fn finding(&self) -> String {
        let store = Store::open_existing(self.folder.path()).unwrap();
        store.findings().unwrap().remove(0).id
    }

    /// Makes a finding as it was when it was found.
    pub fn forget_triage(&self, id: &str) {
        let folder = self.folder.path().join("findings").join(id);
        for name in ["reduced.smt2", "triage.json", "releases.json", "report.md"] {
            // Not all of them are there.
            let _ = std::fs::remove_file(folder.join(name));
        }
    }

    /// The name of the finding with markup everywhere.
    pub fn hostile(&self) -> String {
        let store = Store::open_existing(self.folder.path()).unwrap();
        let found = store.findings().unwrap();
        found.into_iter().find(|listed| listed.title.contains("hacked")).unwrap().id
    }
}

/// Adds a finding of a solver with an evil name on an evil script.
fn add_hostile_finding(folder: &Path) {
    let mut store = Store::open(folder).unwrap();
    let first = store.findings().unwrap().remove(0);
    let (finding, _, seed) = store.read(&first).unwrap();
    let mut runs = finding.runs.clone();
    for run in &mut runs {
        (run.id, run.stdout) = (HOSTILE_NAME.to_owned(), HOSTILE.to_owned());
    }
    let evil = Finding {
        class: Class::InvalidModel,
        signature: Signature::Solver {
            class: Class::InvalidModel,
            solver: HOSTILE_NAME.to_owned(),
            theories: [HOSTILE_NAME.to_owned()].into(),
        },
        evidence: vec![Evidence::ModelRefuted {
            solver: HOSTILE_NAME.to_owned(),
            explanation: format!("{HOSTILE_NAME}\n{HOSTILE}"),
        }],
        runs,
        seed_name: HOSTILE_NAME.to_owned(),
        theories: [HOSTILE_NAME.to_owned()].into(),
        lineage: vec![case::Step {
            action: HOSTILE_NAME.to_owned().into(),
            before: HOSTILE.to_owned(),
            after: HOSTILE.replace('3', "4"),
        }],
        ..finding
    };
    store.record(&evil, Texts { case: HOSTILE, seed: &seed, plain: None }).unwrap();
}

/// A program that serves pages. It ends when it is dropped.
pub struct Server {
    program: Child,
    /// Read no more, but open: the program would end if it could not write.
    _output: BufReader<ChildStdout>,
    /// The address with the token.
    pub link: String,
    /// The address without it, which ends without a slash.
    pub address: String,
}

impl Server {
    /// Serves the pages of a campaign on a free port.
    pub fn start(folder: &Path, more: &[&str]) -> Server {
        Server::start_with(folder, more, &[])
    }

    /// The same, with these variables.
    pub fn start_with(folder: &Path, more: &[&str], variables: &[(&str, &str)]) -> Server {
        let mut command = elenchus();
        command
            .envs(variables.iter().copied())
            .current_dir(folder)
            .args(["serve", "--listen", "127.0.0.1:0", "--out"])
            .arg(folder)
            .args(more);
        Server::of(command)
    }

    /// A program that prints the address of its pages.
    pub fn of(mut command: Command) -> Server {
        let mut program = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(program.stdout.take().unwrap());
        let link = loop {
            let mut line = String::new();
            assert!(lines.read_line(&mut line).unwrap() > 0, "the program ends without an address");
            if let Some((_, link)) = line.trim_end().split_once("pages at ") {
                break link.to_owned();
            }
        };
        let address = link.split("/?").next().unwrap().trim_end_matches('/').to_owned();
        Server { program, _output: lines, link, address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// The source of axe-core, fetched once; `None` if it cannot be had, which is a failure in CI.
pub fn axe() -> Option<String> {
    const VERSION: &str = "axe-core-4.10.3";
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(VERSION);
    let script = folder.join("package/axe.min.js");
    if !script.is_file() {
        std::fs::create_dir_all(&folder).unwrap();
        let package = VERSION.replacen("core-", "core@", 1);
        let packed = Command::new("npm").current_dir(&folder).args(["pack", "--silent", &package]).output();
        if !packed.is_ok_and(|output| output.status.success()) {
            testing::skip("npm cannot fetch axe-core");
            return None;
        }
        let archive = format!("{VERSION}.tgz");
        assert!(
            Command::new("tar").current_dir(&folder).args(["-xzf", &archive]).status().unwrap().success()
        );
    }
    Some(std::fs::read_to_string(script).unwrap())
}
