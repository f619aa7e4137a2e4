//! Completion scripts, manual pages and the schema of the configuration file.

use std::process::Command;

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_elenchus")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_shell_has_a_completion_script() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        for word in ["fuzz", "history-variant", "completions"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn bash_accepts_and_uses_its_completion_script() {
    if Command::new("bash").arg("--version").output().is_err() {
        return testing::skip("bash");
    }
    let line = "source /dev/stdin; COMP_WORDS=(elenchus fuzz --no-m); COMP_CWORD=2; COMP_LINE='elenchus fuzz --no-m'; \
                _elenchus elenchus --no-m fuzz; echo \"${COMPREPLY[@]}\"";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("completions");
    std::fs::write(&file, printed(&["completions", "bash"])).unwrap();
    let output = Command::new("bash")
        .args(["--norc", "-c", line])
        .stdin(std::fs::File::open(&file).unwrap())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "--no-models");
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    assert!(printed(&["man"]).contains(".TH elenchus 1"));
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    printed(&["man", pages.to_str().unwrap()]);
    for name in
        ["elenchus", "elenchus-fuzz", "elenchus-solver-install", "elenchus-learn-show", "elenchus-man"]
    {
        let page = std::fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH {name} 1")) && page.contains("Examples:"), "{name}");
    }
    assert!(!pages.join("elenchus-__drive.1").exists());
}

#[test]
fn a_folder_that_cannot_be_written_is_reported() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_elenchus")).args(["man", "/proc/nowhere"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to /proc/nowhere"));
}

#[test]
fn the_schema_is_json() {
    let schema: serde_json::Value = serde_json::from_str(&printed(&["init", "--schema"])).unwrap();
    let fuzz = &schema["properties"]["fuzz"];
    assert_eq!(fuzz["properties"]["coverage"]["type"], "boolean");
    assert_eq!(fuzz["additionalProperties"], false);
}
