//! Hostile solvers and hostile scripts achieve nothing: the user's files, secrets and network stay out of reach, and commands end in time.
//! docs/security.md has the table.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What hostile solvers try; `support/hostile.py` has a function for each.
const ATTACKS: [&str; 41] = [
    "overwrites-file",
    "appends-to-profile",
    "removes-file",
    "creates-file",
    "truncates-file",
    "renames-file",
    "makes-folder",
    "links-file",
    "follows-symlink",
    "walks-through-proc",
    "reads-secret",
    "lists-home",
    "reads-own-environment",
    "reads-environment-of-others",
    "reads-memory-of-runner",
    "traces-runner",
    "signals-everyone",
    "signals-runner",
    "signals-supervisor",
    "connects-over-tcp",
    "sends-over-udp",
    "connects-over-ipv6",
    "connects-to-agent",
    "makes-io-uring",
    "connects-by-a-shell",
    "writes-by-a-shell",
    "writes-to-terminal",
    "escapes-its-session",
    "forks-a-lot",
    "fills-the-disk",
    "makes-endless-files",
    "raises-its-limits",
    "eats-memory",
    "prints-a-huge-model",
    "prints-many-definitions",
    "nests-deeply",
    "commands-the-terminal",
    "prints-garbage",
    "never-ends",
    "stops-itself",
    "closes-everything",
];

/// A token that no solver may see.
const TOKEN: &str = "hostile-token-4711";

/// How long a command may take. Its own limits are a few seconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// A home folder with things to lose, and a working folder with the solvers.
struct Place {
    folder: tempfile::TempDir,
    tcp: TcpListener,
    agent: UnixListener,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        fs::create_dir(&home).unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        fs::write(home.join("secret.txt"), "hostile-secret").unwrap();
        fs::write(home.join("precious.txt"), "years of work").unwrap();
        fs::write(home.join(".profile"), "# mine").unwrap();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let agent = UnixListener::bind(home.join("agent.sock")).unwrap();
        tcp.set_nonblocking(true).unwrap();
        agent.set_nonblocking(true).unwrap();
        let place = Place { folder, tcp, agent };
        let program = place.work().join("hostile.py");
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/hostile.py"), &program).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let port = place.tcp.local_addr().unwrap().port();
        let known =
            serde_json::json!({ "home": place.home(), "port": port, "victim": place.work().join("victim") });
        fs::write(place.work().join("place.json"), known.to_string()).unwrap();
        let block = |name: &&str| {
            format!(
                "[solver.{name}]\npath = \"./hostile.py\"\nargs = [\"{name}\"]\nprofile = \"z3\"\nversion = \"5.4.0\"\n"
            )
        };
        fs::write(place.work().join("elenchus.toml"), ATTACKS.iter().map(block).collect::<String>()).unwrap();
        fs::write(place.work().join("seed.smt2"), "(declare-const x Int)\n(assert (> x 1))\n(check-sat)\n")
            .unwrap();
        place
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// Runs the program in the working folder, with a token in its environment and at most 4 GB of address space.
    fn run(&self, arguments: &[&str]) -> Output {
        let start = Instant::now();
        let child = Command::new("sh")
            .args([
                "-c",
                "ulimit -v 4000000; echo $$ > victim; exec \"$0\" \"$@\"",
                env!("CARGO_BIN_EXE_elenchus"),
            ])
            .args(arguments)
            .current_dir(self.work())
            .env("HOME", self.home())
            .env("GITHUB_TOKEN", TOKEN)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(start.elapsed() < PATIENCE, "{arguments:?} took {:?}", start.elapsed());
        child
    }

    /// Checks that nothing was lost, learned, contacted or left behind.
    fn check(&self, what: &str, output: &Output) {
        let code = output.status.code();
        assert!(code.is_some_and(|code| code <= 2), "{what}: {output:?}");
        assert_eq!(fs::read_to_string(self.home().join("secret.txt")).unwrap(), "hostile-secret", "{what}");
        assert_eq!(fs::read_to_string(self.home().join("precious.txt")).unwrap(), "years of work", "{what}");
        assert_eq!(fs::read_to_string(self.home().join(".profile")).unwrap(), "# mine", "{what}");
        let mut names: Vec<String> = fs::read_dir(self.home())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| name != ".cache")
            .collect();
        names.sort();
        assert_eq!(names, [".profile", "agent.sock", "precious.txt", "secret.txt"], "{what}");
        assert!(self.tcp.accept().is_err() && self.agent.accept().is_err(), "{what}: a connection was made");
        for bytes in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(bytes);
            let active = |c: char| c.is_control() && c != '\n' && c != '\t';
            assert!(!text.contains(active), "{what}: {text:?}");
            assert!(
                !text.contains("PWNED:") && !text.contains("hostile-secret") && !text.contains(TOKEN),
                "{what}: {text}"
            );
        }
        for path in files_below(&self.work().join("elenchus-out")) {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            assert!(!text.contains("PWNED:") && !text.contains(TOKEN), "{what}: {}", path.display());
        }
        assert_eq!(
            processes_of(&self.work().join("hostile.py")),
            Vec::<String>::new(),
            "{what}: processes are left"
        );
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .flat_map(|entry| match entry.path() {
            path if path.is_dir() => files_below(&path),
            path => vec![path],
        })
        .collect()
}

/// The processes that run a program, by their command lines.
fn processes_of(program: &Path) -> Vec<String> {
    let program = program.to_string_lossy().into_owned();
    let lines = fs::read_dir("/proc").unwrap().flatten();
    let lines = lines.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines
        .map(|line| String::from_utf8_lossy(&line).into_owned())
        .filter(|line| line.contains(&program))
        .collect()
}

/// Whether this kernel can confine solvers at all.
fn is_confined() -> bool {
    let missing = solver::confine::support().missing();
    if !missing.is_empty() {
        testing::not_applicable(format_args!("this kernel confines too little: {}", missing.join("; ")));
    }
    missing.is_empty()
}

#[test]
fn hostile_solvers_achieve_nothing_under_solve() {
    if !is_confined() {
        return;
    }
    let place = Place::new();
    for attack in ATTACKS {
        let output = place.run(&[
            "solve",
            "seed.smt2",
            "--model",
            "--solver",
            attack,
            "--timeout",
            "2s",
            "--memory",
            "256MB",
        ]);
        place.check(attack, &output);
    }
}

#[test]
fn hostile_solvers_achieve_nothing_under_fuzz() {
    if !is_confined() {
        return;
    }
    let place = Place::new();
    for attack in ATTACKS {
        let output = place.run(&[
            "fuzz",
            "seed.smt2",
            "--solver",
            attack,
            "--jobs",
            "1",
            "--time",
            "1s",
            "--timeout",
            "1s",
            "--memory",
            "256MB",
            "--seed",
            "1",
            "--no-triage",
        ]);
        place.check(attack, &output);
        let _ = fs::remove_dir_all(place.work().join("elenchus-out"));
    }
}

/// Scripts that make real solvers open files, if they can; `{}` is the path.
const SCRIPTS: [&str; 14] = [
    "(set-option :regular-output-channel \"{}\")(echo \"PWNED\")(check-sat)",
    "(set-option :diagnostic-output-channel \"{}\")(foo)(check-sat)",
    "(set-option :|regular-output-channel| \"{}\")(echo \"PWNED\")(check-sat)",
    "(set-option :trace true)(set-option :trace_file_name \"{}\")(assert true)(check-sat)",
    "(set-option :solver.smtlib2_log \"{}\")(assert true)(check-sat)",
    "(set-option :solver.proof.log {})(declare-const x Bool)(assert x)(assert (not x))(check-sat)",
    "(set-option :sat.drat.file \"{}\")(declare-const x (_ BitVec 8))(assert (bvult x x))(check-sat)",
    "(declare-const x (_ BitVec 8))(assert (bvult x x))(check-sat-using (using-params sat :drat.file \"{}\"))",
    "(set-option :out \"{}\")(echo \"PWNED\")(check-sat)",
    "(set-option :err \"{}\")(foo)(check-sat)",
    "(set-option :dump-to \"{}\")(assert true)(check-sat)",
    "(include \"{}\")(check-sat)",
    "(set-option :oracles true)(set-logic ALL)(declare-oracle-fun f (Int) Int \"{}\")(assert (= (f 1) 2))(check-sat)",
    "(echo \"a\\\"\")(set-option :regular-output-channel \"{}\")(echo \"PWNED\\\"\")(check-sat)",
];

#[test]
fn hostile_scripts_open_no_files() {
    let place = Place::new();
    let seeds = place.work().join("seeds");
    fs::create_dir(&seeds).unwrap();
    let precious = place.home().join("precious.txt");
    for (number, script) in SCRIPTS.iter().enumerate() {
        let text = script.replace("{}", &precious.to_string_lossy());
        fs::write(seeds.join(format!("{number}.smt2")), &text).unwrap();
        fs::write(place.work().join("script.smt2"), &text).unwrap();
        let output = place.run(&["solve", "script.smt2", "--solver", "follows-symlink"]);
        let shown = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{script}: {shown}");
        assert!(shown.contains("may make a solver open a file"), "{script}: {shown}");
    }
    let cache = std::env::var_os("ELENCHUS_CACHE").unwrap_or_else(|| {
        PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache/elenchus").into_os_string()
    });
    let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
    let output = command
        .args([
            "fuzz",
            "seeds",
            "--solver",
            "z3@5.4.0",
            "--solver",
            "cvc5@1.4.2",
            "--strategy",
            "seeds",
            "--jobs",
            "1",
        ])
        .args(["--time", "20s", "--timeout", "2s", "--no-triage"])
        .current_dir(place.work())
        .env("HOME", place.home())
        .env("ELENCHUS_CACHE", cache)
        .output()
        .unwrap();
    if output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("install") {
        return testing::skip("the solvers cannot be installed");
    }
    place.check("scripts", &output);
}
