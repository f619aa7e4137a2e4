//! `cargo install elenchus`, from the crates as they would be published: the packages are made, unpacked in a clean folder, and
//! built there.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of the workspace.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A folder beside the test programs, so that a second run builds nothing again.
fn target_folder() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_elenchus")).parent().unwrap().join("packages")
}

fn succeeded(output: Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Makes the packages and unpacks them into `folder`. Returns the folder of each.
fn unpacked(folder: &Path) -> Vec<PathBuf> {
    let made = target_folder();
    let _ = std::fs::remove_dir_all(made.join("package"));
    let mut package = Command::new(env!("CARGO"));
    package
        .current_dir(workspace())
        .args(["package", "--workspace", "--no-verify", "--allow-dirty", "--exclude", "elenchus-testing"])
        .arg("--target-dir")
        .arg(&made);
    succeeded(package.output().unwrap());
    let mut folders = Vec::new();
    for entry in made.join("package").read_dir().unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_some_and(|extension| extension == "crate") {
            let status = Command::new("tar").arg("-xzf").arg(&file).arg("-C").arg(folder).status().unwrap();
            assert!(status.success(), "{}", file.display());
            folders.push(folder.join(file.file_stem().unwrap()));
        }
    }
    folders
}

/// Arguments that make cargo take the unpacked crates instead of published ones.
fn patches(folders: &[PathBuf]) -> Vec<String> {
    let patch = |folder: &PathBuf| {
        let (name, _version) = folder.file_name()?.to_str()?.rsplit_once('-')?;
        Some(format!("patch.crates-io.{name}.path={:?}", folder.to_str()?))
    };
    folders.iter().filter_map(patch).flat_map(|patch| ["--config".to_owned(), patch]).collect()
}

#[test]
fn cargo_installs_what_is_packaged() {
    let folder = tempfile::tempdir().unwrap();
    let folders = unpacked(folder.path());
    let count = workspace().join("crates").read_dir().unwrap().count();
    assert_eq!(folders.len(), count - 1, "all crates are packaged but the helpers of tests: {folders:?}");
    let main = folders.iter().find(|path| path.ends_with("elenchus-0.1.0")).expect("the program is packaged");

    // The versions of the workspace: what is new on crates.io must not decide this test.
    std::fs::copy(workspace().join("Cargo.lock"), main.join("Cargo.lock")).unwrap();
    let patches = patches(&folders);
    let patched = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        // What is tested is that it builds and runs, not how fast it runs.
        command.current_dir(main).args(arguments).args(&patches).env("CARGO_PROFILE_DEV_DEBUG", "0");
        command.output().unwrap()
    };
    succeeded(patched(&["metadata", "--format-version", "1"]));
    let (root, target) = (folder.path().join("installed"), target_folder().join("build"));
    let (root_path, target_path) = (root.to_str().unwrap(), target.to_str().unwrap());
    succeeded(patched(&[
        "install",
        "--locked",
        "--debug",
        "--path",
        ".",
        "--root",
        root_path,
        "--target-dir",
        target_path,
    ]));

    let program = root.join("bin/elenchus");
    let out = folder.path().join("out");
    let fuzz = Command::new(&program)
        .current_dir(folder.path())
        .args(["fuzz", "--cases", "50", "--solver", "z3@5.4.0", "--solver", "cvc5@1.4.2", "--out"])
        .arg(&out)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&fuzz.stdout).into_owned() + &String::from_utf8_lossy(&fuzz.stderr);
    assert!(matches!(fuzz.status.code(), Some(0 | 1)), "{text}");
    assert!(text.contains("50 cases"), "{text}");

    // Without its feature, a command says what is missing.
    let table: [(&[&str], &str); 2] = [
        (&["history", "collect", "--repo", "Z3Prover/z3"], "--features collect"),
        (&["findings", "--store", "postgres://me@localhost/db"], "--features postgres"),
    ];
    for (arguments, expected) in table {
        let output = Command::new(&program).args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && text.contains(expected), "{text}");
    }
}
