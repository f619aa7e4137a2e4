//! What a solver may touch: its own files, the system's libraries, and its working folder.
//!
//! The supervisor confines a process before it becomes the solver (`native/confine.rs`). This side decides which files it may use.
//! Solvers are programs with bugs, and their scripts come from strangers: neither may read or change the user's files.
//! docs/security.md says what is promised.

mod landlock;

pub use landlock::{Support, support};

pub(crate) use landlock::Ruleset;

use landlock::Access;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The variable that turns confinement off, for debugging.
pub const VARIABLE: &str = "ELENCHUS_NO_CONFINE";

/// Whether solvers are confined. They are, unless the user has set [`VARIABLE`].
pub fn is_on() -> bool {
    std::env::var_os(VARIABLE).is_none_or(|value| value.is_empty())
}

/// Folders and files of the system that programs need.
const SYSTEM: [&str; 29] = [
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/bin",
    "/sbin",
    "/opt",
    "/nix",
    "/gnu",
    "/snap",
    "/run/current-system",
    "/etc/alternatives",
    "/etc/group",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/timezone",
    // Other processes of the user are protected by the kernel: it shows their memory and environment to no confined process.
    "/proc",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
    "/dev/random",
    "/dev/urandom",
];

/// Settings of language runtimes in `/etc`.
const RUNTIMES: [&str; 2] = ["java", "python"];

/// Devices that programs write to.
const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

/// Variables with a path that instrumented programs write to.
const WRITTEN: [&str; 2] = ["GCOV_PREFIX", "LLVM_PROFILE_FILE"];

/// Variables that solvers receive from the user's environment; see also [`PREFIXES`].
const INHERITED: [&str; 6] = ["PATH", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "JAVA_HOME"];

/// Prefixes of such variables: locales, and settings of sanitizers, memory allocators and instrumentation.
const PREFIXES: [&str; 13] = [
    "LC_",
    "ASAN_",
    "LSAN_",
    "MSAN_",
    "TSAN_",
    "UBSAN_",
    "GLIBC_",
    "MALLOC_",
    "OMP_",
    "OPENBLAS_",
    "GCOV_",
    "LLVM_",
    "AFL_",
];

/// Whether a confined solver receives a variable of the user's environment. Tokens and passwords are in others.
pub(crate) fn inherits(variable: &str) -> bool {
    INHERITED.contains(&variable) || PREFIXES.iter().any(|prefix| variable.starts_with(prefix))
}

/// The files that one solver may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Confinement {
    files: BTreeMap<PathBuf, Access>,
}

impl Confinement {
    /// The files of a program: those next to it, and those that its arguments and variables name.
    pub fn new<'a>(
        program: &Path,
        arguments: &[String],
        variables: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Confinement {
        let mut confinement = Confinement::default();
        for path in system() {
            confinement.allow(path, Access::Read);
        }
        for path in DEVICES {
            confinement.allow(Path::new(path), Access::Write);
        }
        for path in own_files(program, home().as_deref()) {
            confinement.allow(&path, Access::Read);
        }
        if is_script(program) {
            let path = std::env::var("PATH").unwrap_or_default();
            for path in interpreter_files(&path, home().as_deref()) {
                confinement.allow(&path, Access::Read);
            }
        }
        for word in arguments {
            // An argument may be `--library=PATH`.
            let value = word.split_once('=').map_or(word.as_str(), |(_, value)| value);
            confinement.allow_absolute(value, Access::Read);
        }
        for (name, value) in variables {
            let written = WRITTEN.contains(&name);
            for path in value.split(':') {
                match written {
                    // The last part of the path may be a pattern.
                    true if !Path::new(path).is_dir() => {
                        confinement.allow_absolute(
                            path.rsplit_once('/').map_or("", |(folder, _)| folder),
                            Access::Write,
                        );
                    }
                    true => confinement.allow_absolute(path, Access::Write),
                    false => confinement.allow_absolute(path, Access::Read),
                }
            }
        }
        confinement
    }

    /// Allows access to a file, or to everything below a folder. More access wins.
    fn allow(&mut self, path: &Path, access: Access) {
        let entry = self.files.entry(path.to_owned()).or_insert(access);
        *entry = (*entry).max(access);
    }

    fn allow_absolute(&mut self, path: &str, access: Access) {
        let path = Path::new(path);
        if path.is_absolute() && path.parent().is_some() && !is_above_home(path, home().as_deref()) {
            self.allow(path, access);
        }
    }

    /// The rules for a run whose script is in the folder `root`, and whose working folder is `work`. `None` without Landlock.
    pub fn ruleset(&self, root: &Path, work: &Path) -> io::Result<Option<Ruleset>> {
        let Some(ruleset) = Ruleset::new()? else { return Ok(None) };
        for (path, access) in &self.files {
            ruleset.allow(path, *access)?;
        }
        ruleset.allow(root, Access::Read)?;
        ruleset.allow(work, Access::Write)?;
        Ok(Some(ruleset))
    }
}

fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.parent().is_some())
}

/// The folders and files of the system that exist here.
fn system() -> &'static [PathBuf] {
    static FOUND: OnceLock<Vec<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let mut found: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
        let entries = std::fs::read_dir("/etc").into_iter().flatten().flatten();
        found.extend(entries.map(|entry| entry.path()).filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            RUNTIMES.iter().any(|runtime| name.starts_with(runtime))
        }));
        found.retain(|path| path.exists());
        found
    })
}

/// Whether everything of the user is below a folder.
fn is_above_home(folder: &Path, home: Option<&Path>) -> bool {
    home.is_some_and(|home| home.starts_with(folder))
}

/// Whether a file names its interpreter in its first line.
fn is_script(program: &Path) -> bool {
    let mut start = [0; 2];
    std::fs::File::open(program).and_then(|mut file| file.read_exact(&mut start)).is_ok() && &start == b"#!"
}

/// The files that interpreters on a search path need: those below its folders, and the libraries beside a `bin`. Version managers such
/// as pyenv have a folder `shims`, whose programs start others of the same installation.
fn interpreter_files(search_path: &str, home: Option<&Path>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in search_path.split(':').map(Path::new) {
        let Some(prefix) = folder.parent().filter(|_| folder.is_absolute() && !is_above_home(folder, home))
        else {
            continue;
        };
        files.push(folder.to_owned());
        if folder.ends_with("bin") {
            files.extend(["lib", "lib64", "libexec"].map(|name| prefix.join(name)));
        } else if folder.ends_with("shims") && !is_above_home(prefix, home) {
            files.push(prefix.to_owned());
        }
    }
    files
}

/// The files that belong to a program: its folder, the libraries of its installation, and the whole folder of a release that we
/// installed. A program in the user's home folder or above has only itself.
fn own_files(program: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    for program in [program.to_owned(), real] {
        files.push(program.clone());
        let Some(folder) =
            program.parent().filter(|folder| !is_above_home(folder, home) && folder.parent().is_some())
        else {
            continue;
        };
        files.push(folder.to_owned());
        if let Some(prefix) = folder.parent().filter(|_| folder.ends_with("bin")) {
            files.extend(["lib", "lib64", "libexec"].map(|name| prefix.join(name)));
        }
        let is_release = |folder: &&Path| folder.join(crate::install::MANIFEST).is_file();
        files.extend(folder.ancestors().find(is_release).map(Path::to_owned));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_have_the_files_next_to_them() {
        let home = Path::new("/home/user");
        let table: [(&str, &[&str]); 5] = [
            ("/home/user/z3", &["/home/user/z3"]),
            ("/home/z3", &["/home/z3"]),
            ("/z3", &["/z3"]),
            ("/home/user/build/z3", &["/home/user/build/z3", "/home/user/build"]),
            (
                "/home/user/.cargo/bin/solver",
                &[
                    "/home/user/.cargo/bin/solver",
                    "/home/user/.cargo/bin",
                    "/home/user/.cargo/lib",
                    "/home/user/.cargo/lib64",
                    "/home/user/.cargo/libexec",
                ],
            ),
        ];
        for (program, expected) in table {
            let mut files = own_files(Path::new(program), Some(home));
            files.truncate(files.len() / 2);
            assert_eq!(files, expected.iter().map(PathBuf::from).collect::<Vec<_>>(), "{program}");
        }
    }

    #[test]
    fn scripts_have_the_files_of_interpreters() {
        let home = Path::new("/home/user");
        let table: [(&str, &[&str]); 5] = [
            ("", &[]),
            ("relative:/home:/home/user:/", &[]),
            ("/home/user/tools", &["/home/user/tools"]),
            ("/home/user/.pyenv/shims", &["/home/user/.pyenv/shims", "/home/user/.pyenv"]),
            (
                "/home/user/shims:/opt/a/bin",
                &["/home/user/shims", "/opt/a/bin", "/opt/a/lib", "/opt/a/lib64", "/opt/a/libexec"],
            ),
        ];
        for (path, expected) in table {
            let expected: Vec<PathBuf> = expected.iter().map(PathBuf::from).collect();
            assert_eq!(interpreter_files(path, Some(home)), expected, "{path}");
        }
    }

    #[test]
    fn arguments_and_variables_name_files() {
        let arguments = ["--library=/srv/lib", "/srv/driver.py", "relative/path", "/"].map(str::to_owned);
        let variables = [
            ("LD_LIBRARY_PATH", "/srv/a:/srv/b:"),
            ("GCOV_PREFIX", "/"),
            ("LLVM_PROFILE_FILE", "/srv/data/%p.raw"),
        ];
        let allowed = Confinement::new(Path::new("/srv/solver/z3"), &arguments, variables).files;
        let read =
            ["/srv/lib", "/srv/driver.py", "/srv/a", "/srv/b", "/srv/solver", "/srv/solver/z3", "/usr"];
        for path in read {
            assert_eq!(allowed.get(Path::new(path)), Some(&Access::Read), "{path}");
        }
        for path in ["/srv/data", "/dev/null"] {
            assert_eq!(allowed.get(Path::new(path)), Some(&Access::Write), "{path}");
        }
        for path in ["/", "", "relative/path", "/srv", "/etc", "/home"] {
            assert_eq!(allowed.get(Path::new(path)), None, "{path}");
        }
    }

    #[test]
    fn tokens_are_not_inherited() {
        for name in ["PATH", "LC_ALL", "ASAN_OPTIONS"] {
            assert!(inherits(name), "{name}");
        }
        for name in
            ["GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "HOME", "LD_PRELOAD", "PIP_INDEX_URL"]
        {
            assert!(!inherits(name), "{name}");
        }
    }
}
