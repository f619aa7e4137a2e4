//! The Debian package: built from this build of the program, installed into an empty root folder, and used from there.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A file of each kind that the package must have.
const FILES: [&str; 9] = [
    "usr/bin/elenchus",
    "usr/share/bash-completion/completions/elenchus",
    "usr/share/doc/elenchus/CHANGELOG.md",
    "usr/share/doc/elenchus/README.md",
    "usr/share/doc/elenchus/copyright",
    "usr/share/fish/vendor_completions.d/elenchus.fish",
    "usr/share/man/man1/elenchus-fuzz.1.gz",
    "usr/share/man/man1/elenchus.1.gz",
    "usr/share/zsh/vendor-completions/_elenchus",
];

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a command that must succeed, and returns what it printed.
fn printed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// Whether the program is on the machine.
fn exists(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// Builds the package into `folder`. `None` means that the test should return.
fn package(folder: &Path) -> Option<PathBuf> {
    if !exists("dpkg-deb") {
        testing::skip("there is no dpkg-deb");
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci/package-deb");
    let output = Command::new(script)
        .args([Path::new(env!("CARGO_BIN_EXE_elenchus")), folder, Path::new("--fast")])
        .output()
        .unwrap();
    if output.status.code() == Some(3) {
        testing::skip(format_args!("cargo-deb cannot be installed: {}", text(&output.stderr)));
        return None;
    }
    assert!(output.status.success(), "{}", text(&output.stderr));
    Some(text(&output.stdout).trim().into())
}

/// Installs the package into the empty folder `root`: with dpkg and its database, or, since only the superuser may do that,
/// by unpacking it.
fn install(package: &Path, root: &Path) {
    if !rustix::process::geteuid().is_root() {
        printed(Command::new("dpkg-deb").arg("--extract").args([package, root]));
        return;
    }
    let database = root.join("var/lib/dpkg");
    std::fs::create_dir_all(&database).unwrap();
    std::fs::write(database.join("status"), "").unwrap();
    let dpkg = || {
        let mut command = Command::new("dpkg");
        command.arg("--root").arg(root).args(["--log", "/dev/null"]);
        command
    };
    // The libraries that the package depends on are those of this machine, which the empty database does not list.
    printed(dpkg().args(["--force-depends", "--install"]).arg(package));
    assert!(printed(dpkg().args(["--status", "elenchus"])).contains("Status: install ok installed"));
}

/// Runs the installed program in `folder`.
fn run(root: &Path, folder: &Path, arguments: &[&str]) -> Output {
    Command::new(root.join("usr/bin/elenchus")).current_dir(folder).args(arguments).output().unwrap()
}

#[test]
fn the_package_is_complete_and_the_installed_program_fuzzes() {
    let folder = tempfile::tempdir().unwrap();
    let [root, work] = ["root", "work"].map(|name| folder.path().join(name));
    for new in [&root, &work] {
        std::fs::create_dir(new).unwrap();
    }
    let Some(package) = package(folder.path()) else { return };

    let control = printed(Command::new("dpkg-deb").arg("--field").arg(&package));
    for field in
        [concat!("Version: ", env!("CARGO_PKG_VERSION")), "Depends: libc6", "Recommends: python3-pip"]
    {
        assert!(control.contains(field), "{field}: {control}");
    }
    let contents = printed(Command::new("dpkg-deb").arg("--contents").arg(&package));
    for file in FILES {
        let line = contents.lines().find(|line| line.ends_with(&format!(" ./{file}")));
        let mode = if file.starts_with("usr/bin/") { "-rwxr-xr-x" } else { "-rw-r--r--" };
        assert!(line.is_some_and(|line| line.starts_with(mode)), "{file}: {line:?}");
    }

    install(&package, &root);
    assert!(printed(Command::new("gzip").arg("-dc").arg(root.join(FILES[7]))).contains(".TH elenchus 1"));
    if exists("man") {
        let page = printed(Command::new("man").env("MANPAGER", "cat").arg("-l").arg(root.join(FILES[6])));
        assert!(page.contains("--solver"), "{page}");
    }
    let licence = std::fs::read_to_string(root.join(FILES[4])).unwrap();
    assert!(licence.contains("License: Expat or Apache-2.0"), "{licence}");

    let solvers = ["z3@5.4.0", "cvc5@1.4.2"];
    let installed = run(&root, &work, &["solver", "install", solvers[0], solvers[1]]);
    if !installed.status.success() {
        return testing::skip(text(&installed.stderr));
    }
    let fuzz = ["fuzz", "--cases", "50", "--solver", solvers[0], "--solver", solvers[1], "--out", "found"];
    let output = run(&root, &work, &fuzz);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{:?}: {}", output.status, text(&output.stderr));
    assert!(work.join("found/elenchus.db").is_file());
}
